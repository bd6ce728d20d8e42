// Package sound reads recordings, for the window and the sandbox alike: their samples from any place, and their peaks. It may import
// beep, and of Assay client/ffmpeg, i18n and client/media/container; it uses neither the toolkit nor a sound device.
//
// Its functions read a disk and decode: call them on a worker.
package sound

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media/container"
)

// Recording is an open recording: what its bytes state about it, and its samples from any place, for several readers at a time.
// Any goroutine may call its methods.
type Recording struct {
	file   *file
	source source
	about  facts
	close  sync.Once
	closed error
}

// Opener opens recordings. The zero value is usable: it finds ffmpeg on the search path, and decodes to the system's folder
// for temporary files.
type Opener struct {
	// Dir is where ffmpeg's output is stored until the recording is closed; "" means the system's folder for temporary files.
	Dir string
	// FFmpeg finds ffmpeg; nil means ffmpeg.Find.
	FFmpeg func() (ffmpeg.Tool, error)
}

// Open opens the recording at path with the zero Opener.
func Open(ctx context.Context, path string) (*Recording, error) { return Opener{}.Open(ctx, path) }

// Open opens the recording, or the sound of the clip, at path. Its first bytes determine the format, never its name. It reads a disk and may
// start ffmpeg, so it belongs on a worker; once it has returned, ctx has no effect. Its errors: *NeedsFFmpeg if the format needs ffmpeg and
// none is installed (offer the system's player then), *Unreadable if the file is no recording, else the error of reading the file.
func (o Opener) Open(ctx context.Context, path string) (*Recording, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	r, err := o.openBytes(ctx, f)
	if err != nil {
		_ = f.close() // opened for reading: closing it loses nothing
		return nil, err
	}
	return r, nil
}

func (o Opener) openBytes(ctx context.Context, f *file) (*Recording, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.size == 0 {
		return nil, &Unreadable{Words: i18n.T("This file is empty: there is no sound in it.")}
	}
	if err := f.sniff(ctx); err != nil {
		return nil, err
	}
	if f.name == "" {
		return nil, &Unreadable{Words: i18n.T("Assay found no sound that it can play in this file.")}
	}
	source, err := o.openFormat(ctx, f)
	if err != nil {
		return nil, err
	}
	r := &Recording{file: f, source: source, about: source.facts()}
	if err := r.check(); err != nil {
		return nil, errors.Join(err, source.release())
	}
	return r, nil
}

// openFormat opens it with Assay's own decoders if they support it, else with ffmpeg. Without ffmpeg, an unusual variant of a format that
// Assay decodes returns *NeedsFFmpeg as well.
func (o Opener) openFormat(ctx context.Context, f *file) (source, error) {
	var (
		native source
		own    = true
		err    error
	)
	switch {
	case f.name == "WAV":
		native, own, err = openWAV(ctx, f)
	case f.format == container.MP3:
		native, err = openMP3(ctx, f)
	case f.format == container.FLAC:
		native, err = openFLAC(ctx, f)
	case f.codec == "Vorbis":
		native, err = openVorbis(f)
	default:
		own = false
	}
	if err == nil && own {
		err = tryOut(ctx, native)
	}
	if err == nil && own && (f.name == "WAV" || native.facts().channels <= 2) {
		return native, nil // the decoders return the first two of more channels, which may be without speech
	}
	if err != nil && own && !isUnreadable(err) {
		return nil, err // the disk's error, or ctx's
	}
	converted, missing := o.convert(ctx, f)
	switch {
	case missing == nil:
		return converted, nil
	case err == nil && own && ffmpeg.IsMissing(missing):
		return native, nil
	case err != nil && own:
		return nil, err
	default:
		return nil, missing
	}
}

// tryOut reads a little, so that a file that can't be decoded is found out at once.
func tryOut(ctx context.Context, s source) error {
	if s.frames() == 0 {
		return &Unreadable{Words: i18n.T("There is no sound in this recording: it has no samples.")}
	}
	reading, err := s.open(ctx, 0)
	if err != nil {
		return err
	}
	_, err = reading.Read(make([][2]float64, 64))
	return err
}

// Ended reports whether a stream's error means that the recording was read to its end. An *Unreadable never does, whatever its cause.
func Ended(err error) bool { return errors.Is(err, io.EOF) && !isUnreadable(err) }

func isUnreadable(err error) bool {
	var unreadable *Unreadable
	return errors.As(err, &unreadable)
}

// check refuses impossible headers.
func (r *Recording) check() error {
	switch {
	case r.about.rate < lowestRate || r.about.rate > highestRate:
		return &Unreadable{Words: i18n.F("This recording claims %d samples per second. Assay plays %d to %d.", r.about.rate, lowestRate, highestRate)}
	case r.about.channels < 1 || r.about.channels > mostChannels:
		return &Unreadable{Words: i18n.F("This recording claims %d channels. Assay plays 1 to %d.", r.about.channels, mostChannels)}
	}
	return nil
}

// Format names the format for the person: "WAV", "MP3", "FLAC", "Ogg Vorbis", "Ogg Opus", "AAC", "MP4".
func (r *Recording) Format() string { return r.about.format }

// Duration is the recording's length. It is an estimate while ffmpeg is still decoding one whose header omits its length.
func (r *Recording) Duration() time.Duration { return r.TimeAt(r.source.frames()) }

// Frames is the number of samples in each channel, as far as it is known: see Duration.
func (r *Recording) Frames() int64 { return r.source.frames() }

// Stream reads from a frame on; from the end on it returns no samples. Several streams may be read at a time, each by one goroutine. ctx
// bounds the wait for samples that are still being decoded.
func (r *Recording) Stream(ctx context.Context, from int64) (Stream, error) {
	return r.source.open(ctx, from)
}

// Rate is the number of samples per second and channel.
func (r *Recording) Rate() int { return r.about.rate }

// Close ends its streams, and removes the temporary file. Close the players of a recording before it.
func (r *Recording) Close() error {
	r.close.Do(func() { r.closed = errors.Join(r.source.release(), r.file.close()) })
	return r.closed
}

// TimeAt is the time at which a frame is played.
func (r *Recording) TimeAt(frame int64) time.Duration {
	rate := int64(r.about.rate)
	return time.Duration(frame/rate)*time.Second + time.Duration(frame%rate)*time.Second/time.Duration(rate)
}

// FrameAt is the frame that is played at a time; a time before the start counts as the start.
func (r *Recording) FrameAt(at time.Duration) int64 {
	at = max(0, at)
	rate := int64(r.about.rate)
	return int64(at/time.Second)*rate + int64(at%time.Second)*rate/int64(time.Second)
}

// file is the file under reading, at any place and by several readers at a time.
type file struct {
	io.ReaderAt
	path  string // "" for bytes in memory
	size  int64
	close func() error
	// The result of sniff:
	content int64            // where the recording begins, after ID3 tags
	format  container.Format // determined from its bytes
	codec   string           // of an Ogg: "Vorbis", "Opus", "" for another
	name    string           // for the person; "" if the file is no recording
}

func openFile(path string) (*file, error) {
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	about, err := opened.Stat()
	if err == nil && !about.Mode().IsRegular() {
		err = &Unreadable{Words: i18n.T("This is not a file.")}
	}
	if err != nil {
		_ = opened.Close() // opened for reading: closing it loses nothing
		return nil, err
	}
	return &file{ReaderAt: opened, path: path, size: about.Size(), close: opened.Close}, nil
}

// sniff detects the format, and where the recording begins, after its tags. A tag that claims to extend beyond the end of the file is taken
// for audio.
func (f *file) sniff(ctx context.Context) error {
	whole := container.NewSource(ctx, f, f.size)
	if f.content = whole.BehindID3(); f.content >= f.size {
		f.content = 0
	}
	src := f.source(ctx)
	f.format, f.name = src.Format(), ""
	switch f.format {
	case container.Ogg:
		f.codec = src.OggCodec()
		f.name = strings.TrimSpace("Ogg " + f.codec)
	case container.RF64:
		f.name = "WAV"
	case container.MP4, container.M4A, container.QuickTime, container.HEIF:
		f.name = "MP4"
	case container.WAV, container.FLAC, container.AAC, container.Matroska, container.AVI:
		f.name = string(f.format)
	default: // MPEG audio has no signature, and other data may come before it
		found, err := findMP3(f)
		if err != nil {
			return err
		}
		if found {
			f.format, f.name = container.MP3, "MP3"
		}
	}
	return cmp.Or(whole.Err(), src.Err())
}

// source is the recording without the tags before it; its offsets count from content.
func (f *file) source(ctx context.Context) *container.Source {
	length := f.size - f.content
	return container.NewSource(ctx, io.NewSectionReader(f, f.content, length), length)
}

// from returns a buffered reader from a place on.
func (f *file) from(at int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(f, at, f.size-at), 1<<16)
}

// Unreadable is the error for a file that cannot be opened or decoded as a recording.
type Unreadable = ffmpeg.Unreadable

// NeedsFFmpeg is the error for a recording that only ffmpeg reads, if ffmpeg is missing.
type NeedsFFmpeg struct {
	Format string // as Recording.Format
	Cause  error
}

// Error returns the sentence.
func (n *NeedsFFmpeg) Error() string { return n.Sentence() }

// Unwrap returns why ffmpeg was not found.
func (n *NeedsFFmpeg) Unwrap() error { return n.Cause }

// Sentence is for the person.
func (n *NeedsFFmpeg) Sentence() string {
	return i18n.F("Assay plays %s recordings with ffmpeg, which is not installed on this computer.", n.Format)
}
