// Package facts reads what a file says of itself: its format, dimensions, EXIF, XMP, tags and content credentials (C2PA). It judges none
// of it. It may import the standard library, imagemeta, go-mp4, cbor, go-cose, assay/client/i18n and client/media/container; nothing else of
// Assay.
//
// Everything it gives is bounded in number and length and safe to show as plain text, whatever the file holds. Its functions read the
// disk and hash whole files, so they belong on workers.
package facts

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"assay/client/i18n"
	"assay/client/media/container"
)

// Facts is what a file says of itself. What it does not say is zero or empty.
type Facts struct {
	Name      string // as given
	Size      int64  // bytes
	Format    Format // by its first bytes, "" for one that is not known
	Extension string // of Name, in lower case without its dot
	Misnamed  bool   // the extension stands for another format than the bytes show

	Width, Height int // pixels as stored: Orientation says how they are turned for showing
	Orientation   int // EXIF's 1 to 8, 0 where it is not said
	Duration      time.Duration
	SampleRate    int // Hz
	Channels      int

	EXIF     []Field // those that people ask for come first
	Embedded []Field // XMP, IPTC, and the tags of each format, such as ID3

	Thumbnail bool     // a small picture is inside: of a photo, or a recording's cover
	Tracks    []string // of a clip, those that are neither pictures nor sound, in words
	Trailing  int64    // bytes behind the end of a picture or WAV

	Credentials Credentials

	// Incomplete says that something could not be read: the file may hold more than is said here, and Notes begin with saying so.
	Incomplete bool
	Notes      []string // sentences: what could not be read, or was left out
}

// Field is one thing that a file says of itself, as text.
type Field struct {
	Key   string // as the standard names it
	Label string // for a person
	Value string
	Raw   string // in another spelling, or ""
	// Identifying says that it may tell of a person, a place or one particular device.
	Identifying bool
}

// ReadFile reads an open file; name is the one that it goes by.
func ReadFile(ctx context.Context, f *os.File, name string) (Facts, error) {
	info, err := f.Stat()
	if err != nil {
		return Facts{}, fmt.Errorf("reading the file's size: %w", err)
	}
	return Read(ctx, f, info.Size(), name)
}

// Read reads size bytes of r. Its error is ctx's or the reader's: damage in the file is said in the facts.
func Read(ctx context.Context, r io.ReaderAt, size int64, name string) (Facts, error) {
	src := newSource(ctx, r, size)
	f := Facts{Name: cleanText(name, longestValue), Size: size, Extension: extensionOf(name)}
	f.Format = src.format()
	f.Misnamed = f.Format != "" && !f.Format.fits(f.Extension)
	f.guarded(partShape, func() error { return f.readShape(src) })
	f.guarded(partEXIF, func() error { return f.readEXIF(src) })
	f.guarded(partXMP, func() error { return f.readXMP(src) })
	f.guarded(partTags, func() error {
		f.readTags(src)
		f.countTrailing(src)
		return nil
	})
	f.guarded(partCredentials, func() error {
		var whole bool
		f.Credentials, whole = readCredentials(src)
		f.Incomplete = f.Incomplete || !whole
		return nil
	})
	if src.Err() != nil {
		return Facts{}, fmt.Errorf("reading the file: %w", src.Err())
	}
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	if f.Incomplete = f.Incomplete || src.Damaged() || !f.Format.searched(); f.Incomplete {
		f.Notes = slices.Insert(f.Notes, 0, IncompleteText())
	}
	return f, nil
}

// IncompleteText says of a file that something in it could not be read.
func IncompleteText() string { return i18n.T("This file could not be read fully: it may hold more.") }

// part is what is read in one go; its texts say that it could not be.
type part struct{ unread, notWhole i18n.Key }

var (
	partShape = part{"The dimensions could not be read.", "The dimensions could not be read whole."}
	partEXIF  = part{"The EXIF data could not be read.", "The EXIF data could not be read whole."}
	partXMP   = part{"The XMP data could not be read.", "The XMP data could not be read whole."}
	partTags  = part{"The file's tags could not be read.", "The file's tags could not be read whole."}

	partCredentials = part{"The content credentials could not be read.", "The content credentials could not be read whole."}
)

// guarded reads one part; what is damaged there, or makes a decoder panic, costs that part alone.
func (f *Facts) guarded(p part, read func() error) {
	defer func() {
		if recover() != nil {
			f.Incomplete = true
			f.note(i18n.T(p.unread))
			if p == partCredentials {
				f.Credentials = Credentials{State: NotConfirmed, Reason: i18n.T(reasonUnreadable)}
			}
		}
	}()
	if err := read(); err != nil {
		f.Incomplete = true
		f.note(i18n.T(p.notWhole))
	}
}

// readTags reads the tags that each format has of its own.
func (f *Facts) readTags(src *source) {
	switch f.Format {
	case JPEG:
		f.readJPEGParts(src)
	case PNG:
		f.readPNGText(src)
	case WebP:
		f.readWebPParts(src)
	case GIF:
		f.readGIFParts(src)
	case MP3, AAC:
		f.readID3(src)
	case FLAC:
		f.readID3(src)
		f.readFLACTags(src)
	case Ogg:
		f.readOggTags(src)
	case WAV:
		f.readWAVTags(src)
	case MP4, QuickTime, M4A:
		f.readMovieTags(src)
	}
}

func (f *Facts) note(sentence string) {
	const mostNotes = 20
	if len(f.Notes) < mostNotes {
		f.Notes = append(f.Notes, sentence)
	}
}

// source is the file that is read.
type source struct {
	*container.Source
	unpackable *int64 // how many bytes the packed texts of the file may still give
}

// mostUnpacked bounds what all packed texts of a file give, in bytes: a small file may promise gigabytes.
const mostUnpacked = 16 << 20

type (
	span  = container.Span
	block = container.Block
)

func newSource(ctx context.Context, r io.ReaderAt, size int64) *source {
	unpackable := int64(mostUnpacked)
	return &source{container.NewSource(ctx, r, size), &unpackable}
}
