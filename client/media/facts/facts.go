// Package facts reads what a file states about itself: its format, dimensions, EXIF, XMP, tags and content credentials (C2PA). It judges
// none of it. It may import the standard library, imagemeta, go-mp4, cbor, go-cose, assay/client/i18n and client/media/container; nothing
// else of Assay.
//
// Everything it returns is bounded in number and length and safe to show as plain text, whatever the file holds. Its functions read the
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

// Facts is what a file states about itself. What it does not state is zero or empty.
type Facts struct {
	Name      string // as given
	Size      int64  // bytes
	Format    Format // determined from its first bytes, "" for an unknown one
	Extension string // of Name, in lower case without its dot
	Misnamed  bool   // the extension belongs to another format than the bytes

	Width, Height int // pixels as stored, before Orientation is applied
	Orientation   int // EXIF's 1 to 8, 0 where the file has none
	Duration      time.Duration
	SampleRate    int // Hz
	Channels      int

	EXIF     []Field // those that people ask for first
	Embedded []Field // XMP, IPTC, and the tags of each format, such as ID3

	Thumbnail bool     // a preview is embedded: of a photo, or a recording's cover
	Tracks    []string // the tracks of a clip that are neither picture nor sound, in words
	Trailing  int64    // bytes after the end of a picture or WAV

	Credentials Credentials

	// Incomplete means that something could not be read: the file may hold more than the facts, and the first of Notes says so.
	Incomplete bool
	Notes      []string // sentences about what could not be read, or was left out
}

// Field is one statement of a file about itself, as text.
type Field struct {
	Key   string // as the standard names it
	Label string // for a person
	Value string
	Raw   string // the value in another notation, or ""
	// Identifying means that it may identify a person, a place or one particular device.
	Identifying bool
}

// ReadFile reads an open file; name is its name for the person, whose extension is compared with the format. Its errors are those of Read.
func ReadFile(ctx context.Context, f *os.File, name string) (Facts, error) {
	info, err := f.Stat()
	if err != nil {
		return Facts{}, fmt.Errorf("reading the file's size: %w", err)
	}
	return Read(ctx, f, info.Size(), name)
}

// Read reads size bytes of r. It returns ctx's error or the reader's; damage in the file is no error, but noted in the facts.
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

// IncompleteText is the note that something in a file could not be read.
func IncompleteText() string {
	return i18n.T("Assay could not read all of this file. It may contain more.")
}

// part is what is read in one go, with the notes for it: nothing of it, or not all of it, could be read.
type part struct{ unread, notWhole i18n.Key }

var (
	partShape = part{"The dimensions could not be read.", "Not all of the dimensions could be read."}
	partEXIF  = part{"The EXIF data could not be read.", "Not all of the EXIF data could be read."}
	partXMP   = part{"The XMP data could not be read.", "Not all of the XMP data could be read."}
	partTags  = part{"The file's tags could not be read.", "Not all of the file's tags could be read."}

	partCredentials = part{"The content credentials could not be read.", "Not all of the content credentials could be read."}
)

// guarded reads one part. Damage there, or a decoder's panic, loses that part only.
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

// readTags reads the tags that are particular to each format.
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

// source is the file under reading.
type source struct {
	*container.Source
	unpackable *int64 // how many bytes the compressed texts of the file may still expand to
}

// mostUnpacked bounds what all compressed texts of a file expand to, in bytes: a small file may expand to gigabytes.
const mostUnpacked = 16 << 20

type (
	span  = container.Span
	block = container.Block
)

func newSource(ctx context.Context, r io.ReaderAt, size int64) *source {
	unpackable := int64(mostUnpacked)
	return &source{container.NewSource(ctx, r, size), &unpackable}
}
