package facts

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
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
	Embedded []Field // XMP and IPTC

	Credentials Credentials

	Notes []string // sentences: what could not be read, or was left out
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
	src := &source{ctx: ctx, r: r, size: size}
	f := Facts{Name: cleanText(name, longestValue), Size: size, Extension: extensionOf(name)}
	f.Format = src.sniff()
	f.Misnamed = f.Format != "" && !f.Format.fits(f.Extension)
	f.guarded("The dimensions", func() error { return f.readShape(src) })
	if f.Format.picture() {
		f.guarded("The EXIF data", func() error { return f.readEXIF(src) })
	}
	f.guarded("The XMP data", func() error { return f.readXMP(src) })
	f.guarded("The content credentials", func() error {
		f.Credentials = readCredentials(src)
		return nil
	})
	if src.err != nil {
		return Facts{}, fmt.Errorf("reading the file: %w", src.err)
	}
	if err := ctx.Err(); err != nil {
		return Facts{}, err
	}
	return f, nil
}

// guarded reads one part; what is damaged there, or makes a decoder panic, costs that part alone.
func (f *Facts) guarded(part string, read func() error) {
	defer func() {
		if recover() != nil {
			f.note(part + " could not be read.")
			if part == "The content credentials" {
				f.Credentials = Credentials{State: NotConfirmed, Reason: reasonUnreadable}
			}
		}
	}()
	if err := read(); err != nil {
		f.note(part + " could not be read whole.")
	}
}

func (f *Facts) note(sentence string) {
	const mostNotes = 20
	if len(f.Notes) < mostNotes {
		f.Notes = append(f.Notes, sentence)
	}
}
