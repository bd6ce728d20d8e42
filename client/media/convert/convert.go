// Package convert makes copies of files in a format that the service takes: a JPEG of a HEIF, AVIF, TIFF or BMP picture, an MP4 of other clips, and of other
// recordings what their sound fits into; and it cuts a part out of a clip. It may import the standard library, x/image, assay/client, client/i18n,
// client/ffmpeg and client/media's packages container, heif and picture; no toolkit.
//
// Its functions decode whole files, and wait for other programs, so they belong on workers. Time, memory and the size of what is written are bounded
// whatever the file holds.
package convert

import (
	"context"
	"errors"
	"os"
	"time"

	"assay/client"
	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media/container"
)

// Source is the file of which a copy is made.
type Source struct {
	File *os.File // open for reading
	Path string   // of the same file: other programs open it themselves
	Size int64    // bytes
	Type client.MediaType
}

// How says which copy is wanted.
type How struct {
	// From and To are the part of a clip that the copy shall hold; both zero: all of it.
	From, To time.Duration
	// Most is how large the copy may be, in bytes.
	Most int64
}

// Part reports whether a part is wanted.
func (h How) Part() bool { return h.To > 0 }

// Made is the copy that was made.
type Made struct {
	Extension string // of a name for it, with its dot; the service takes it
	Format    string // for the person: "JPEG", "MP4"
	// From and To are the part of the clip that the copy holds: it begins at a key frame, so From may be a little earlier than asked for. Both zero: all.
	From, To time.Duration
	// Note says what of the file is different in the copy; may be empty.
	Note i18n.Message
}

// Problem is why no copy can be made of a file. Its text is for the person.
type Problem struct {
	Text  i18n.Message
	Cause error // may be nil
}

func (p *Problem) Error() string {
	if p.Cause == nil {
		return p.Sentence()
	}
	return p.Sentence() + " (" + p.Cause.Error() + ")"
}

// UserMessage is the message for the person.
func (p *Problem) UserMessage() i18n.Message { return p.Text }

// Sentence is the message in the language of the moment.
func (p *Problem) Sentence() string { return p.Text.String() }

func (p *Problem) Unwrap() error { return p.Cause }

// Refuses reports that there will be no copy, however often it is tried, unless a program is installed first.
func (p *Problem) Refuses() bool { return !ffmpeg.IsMissing(p.Cause) }

// Copy makes the copy of a file, with as much of what the file says of itself as the copy's format has room for, and writes it to to, an empty file that is open for reading, too. The same bytes give the same copy, as long as ffmpeg stays
// the same where it is needed. Its error is a *Problem, ctx's or the disk's. The caller syncs and closes to, and after an error deletes it.
func Copy(ctx context.Context, from Source, to *os.File, how How) (Made, error) {
	format := container.NewSource(ctx, from.File, from.Size).Format()
	var made Made
	var err error
	if from.Type == client.Image {
		made, err = copyPicture(ctx, from, format, to)
	} else {
		made, err = copyFilm(ctx, from, format, to, how)
	}
	if ctx.Err() != nil {
		return Made{}, ctx.Err()
	}
	var problem *Problem
	if err != nil && !errors.As(err, &problem) && ffmpeg.IsMissing(err) {
		err = &Problem{Text: needsFFmpeg(), Cause: err}
	}
	if err != nil {
		return Made{}, err
	}
	info, err := to.Stat()
	if err != nil {
		return Made{}, err
	}
	if info.Size() > how.Most {
		return Made{}, tooLarge(how.Most)
	}
	return made, nil
}

func needsFFmpeg() i18n.Message {
	return i18n.M("Assay needs the program ffmpeg to make a copy of this file. Install ffmpeg, then try again.")
}

func tooLarge(most int64) *Problem {
	return &Problem{Text: i18n.M("The copy would be over %s, the most that the service takes.", i18n.SizeMessage(most))}
}

func tooLong(cause error) *Problem {
	return &Problem{Text: i18n.M("Reading this file took too long, so Assay stopped. It may be damaged."), Cause: cause}
}

// unreadable is the problem of a file that can't be read.
func unreadable(cause error) *Problem {
	return &Problem{Text: i18n.M("This file is damaged or of an unusual kind, so Assay can't make a copy of it."), Cause: cause}
}
