// Package strip copies media files without what they state about people, places and devices. Picture and sound stay the same bit
// for bit, since nothing is decoded. It may import the standard library, assay/client/i18n and client/media's packages container and facts.
//
// Its functions read and write whole files, so they belong on workers.
package strip

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"

	"assay/client/i18n"
	"assay/client/media/container"
	"assay/client/media/facts"
)

// Removed is what a copy lacks.
type Removed struct {
	Kinds       []facts.Kind // kinds of identifying information, each once, in the order of facts.Kinds
	Bytes       int64        // bytes of the original that are missing in the copy, or are zeros there
	Credentials bool         // content credentials (C2PA), which any change to a file invalidates
	Trailing    bool         // data after the end, such as a phone's short clip after its picture
}

// planners plan the copy for each format.
var planners = map[facts.Format]func(src *container.Source, f facts.Facts) (*plan, error){
	facts.JPEG: planJPEG, facts.PNG: planPNG, facts.WebP: planWebP, facts.GIF: planGIF,
	facts.MP3: planMP3, facts.AAC: planADTS, facts.WAV: planWAV, facts.FLAC: planFLAC, facts.Ogg: planOgg,
	facts.MP4: planMovie, facts.QuickTime: planMovie, facts.M4A: planMovie,
}

// Can reports whether a copy without metadata can be made of a format. If not, why is a sentence for the person.
func Can(format facts.Format) (ok bool, why string) {
	if err := can(format); err != nil {
		return false, err.Sentence()
	}
	return true, ""
}

func can(format facts.Format) *Problem {
	switch {
	case format == facts.Text:
		return ErrText
	case planners[format] == nil:
		return ErrKind
	}
	return nil
}

// Copy writes size bytes of from, which are of a format that Can allows, without their metadata to to, which must be empty and open for
// reading too: Copy reads the copy again, to check that it has nothing that Assay knows as identifying. The same bytes always give the same
// copy. On any error the file is left empty; a *Problem has a sentence for the person, any other error is ctx's or the disk's. The caller
// syncs, closes and, after an error, deletes it.
func Copy(ctx context.Context, from io.ReaderAt, size int64, format facts.Format, to *os.File) (Removed, error) {
	removed, err := makeCopy(ctx, from, size, format, to)
	if err != nil {
		_ = to.Truncate(0) // nothing of it may remain until the caller deletes it
		return Removed{}, err
	}
	return removed, nil
}

// Check reports whether Copy would succeed: it returns nil, or the error that Copy would return. It writes nothing.
func Check(ctx context.Context, from io.ReaderAt, size int64, format facts.Format) error {
	src := container.NewSource(ctx, from, size)
	p, before, err := planned(ctx, src, from, format)
	if err != nil {
		return err
	}
	length, _ := p.length()
	return verify(ctx, before, p.reader(src), length)
}

// Sum returns the size in bytes and the SHA-256, in hexadecimal, of the copy that Copy would write. It writes nothing; its errors are those of Copy.
func Sum(ctx context.Context, from io.ReaderAt, size int64, format facts.Format) (length int64, sha256sum string, err error) {
	src := container.NewSource(ctx, from, size)
	p, before, err := planned(ctx, src, from, format)
	if err != nil {
		return 0, "", err
	}
	length, _ = p.length()
	if err := verify(ctx, before, p.reader(src), length); err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	if err := p.write(src, hash); err != nil {
		return 0, "", err
	}
	return length, hex.EncodeToString(hash.Sum(nil)), nil
}

func makeCopy(ctx context.Context, from io.ReaderAt, size int64, format facts.Format, to *os.File) (Removed, error) {
	src := container.NewSource(ctx, from, size)
	p, before, err := planned(ctx, src, from, format)
	if err != nil {
		return Removed{}, err
	}
	if err := p.write(src, to); err != nil {
		return Removed{}, err
	}
	length, kept := p.length()
	if err := verify(ctx, before, to, length); err != nil {
		return Removed{}, err
	}
	removed := Removed{Bytes: size - kept, Credentials: before.Credentials.State != facts.None, Trailing: p.trailing || before.Trailing > 0}
	for _, one := range facts.Identifying(before) {
		if !slices.Contains(removed.Kinds, one.Kind) {
			removed.Kinds = append(removed.Kinds, one.Kind)
		}
	}
	return removed, nil
}

// planned reads the original and plans its copy.
func planned(ctx context.Context, src *container.Source, from io.ReaderAt, format facts.Format) (*plan, facts.Facts, error) {
	if err := can(format); err != nil {
		return nil, facts.Facts{}, err
	}
	before, err := facts.Read(ctx, from, src.Size(), "")
	if err != nil {
		return nil, before, err
	}
	if before.Format != format {
		return nil, before, ErrDamaged
	}
	p, err := planners[format](src, before)
	switch {
	case src.Err() != nil:
		return nil, before, src.Err()
	case err != nil:
		return nil, before, err
	case p.tooLarge():
		return nil, before, ErrUnusual
	}
	return p, before, nil
}

// verify reads a copy, and checks that all of it could be read, that picture and sound are the original's as far as is known, and that it
// states nothing else. It also plans a copy of the copy: nothing may be left to remove.
func verify(ctx context.Context, before facts.Facts, copied io.ReaderAt, length int64) error {
	after, err := facts.Read(ctx, copied, length, "")
	switch {
	case err != nil:
		return err
	case after.Incomplete:
		return ErrUnread
	case len(facts.Identifying(after)) > 0 || len(after.Embedded) > 0 || len(after.EXIF) > 1 || len(after.EXIF) == 1 && turn(after) == 1:
		return ErrLeft
	case before.Format != after.Format || turn(before) != turn(after) || shape(before) != shape(after) && shape(before) != [5]int64{}:
		return ErrDamaged
	}
	src := container.NewSource(ctx, copied, length)
	again, err := planners[after.Format](src, after)
	if err != nil || src.Err() != nil {
		return cmp.Or(src.Err(), err)
	}
	if all, _ := again.length(); all != length {
		return ErrDamaged
	}
	return nil
}

// shape is a picture's dimensions, and a recording's or clip's duration, sample rate and channels; zeros where they can't be read.
func shape(f facts.Facts) [5]int64 {
	return [5]int64{int64(f.Width), int64(f.Height), int64(f.Duration), int64(f.SampleRate), int64(f.Channels)}
}

// turn is a picture's orientation, 1 if the file has none.
func turn(f facts.Facts) int { return max(f.Orientation, 1) }

// Problem is why no copy without metadata can be made.
type Problem struct{ message i18n.Message }

// Error is the message for a log.
func (p *Problem) Error() string { return "copy without metadata: " + p.Sentence() }

// UserMessage is the message for the person.
func (p *Problem) UserMessage() i18n.Message { return p.message }

// Sentence is the message in the language in use.
func (p *Problem) Sentence() string { return p.message.String() }

// The problems. Compare them with errors.Is.
var (
	ErrKind      = &Problem{i18n.M("Assay can't take the metadata out of this kind of file.")}
	ErrText      = &Problem{i18n.M("A text has no metadata that Assay could leave out.")}
	ErrDamaged   = &Problem{i18n.M("This file is damaged or incomplete, so Assay can't make a copy without metadata.")}
	ErrUnusual   = &Problem{i18n.M("This file is built in an unusual way, so Assay can't make a copy without metadata.")}
	ErrFragments = &Problem{i18n.M("This clip is stored in fragments, so Assay can't make a copy without metadata.")}
	ErrElsewhere = &Problem{i18n.M("Parts of this clip are in other files, so Assay can't make a copy without metadata.")}
	ErrLocked    = &Problem{i18n.M("This clip is encrypted, so Assay can't make a copy without metadata.")}
	ErrUnread    = &Problem{i18n.M("Assay could not read all of the copy, so it makes none. The copy might still identify somebody.")}
	ErrLeft      = &Problem{i18n.M("A copy would still identify somebody, so Assay makes none.")}
)

// orientation is an EXIF block of one field, which says how a picture is turned: without it a picture taken upright would lie on its
// side. It is nil where the picture needs no turning.
func orientation(f facts.Facts) []byte {
	if f.Orientation < 2 || f.Orientation > 8 {
		return nil
	}
	return []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string([]byte{byte(f.Orientation)}) + "\x00\x00\x00\x00\x00\x00")
}
