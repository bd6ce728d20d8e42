// Package sound reads recordings, for the window and the sandbox alike: their samples from any place, and their peaks. It may import
// beep, and of Assay client/ffmpeg, i18n and client/media/container; it knows neither the toolkit nor a sound device.
//
// What it does reads a disk and decodes: call it on a worker.
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

// Recording is a recording that was opened: what its bytes say about it, and its samples from any place, by several readers at a time.
// Its methods may be called on any goroutine.
type Recording struct {
	file   *file
	source source
	about  facts
	close  sync.Once
	closed error
}

// Opener opens recordings. The zero value serves: it looks for ffmpeg on the search path, and decodes to the system's folder
// for temporary files.
type Opener struct {
	// Dir takes what ffmpeg decodes, until the recording is closed; "" stands for the system's folder for temporary files.
	Dir string
	// FFmpeg finds ffmpeg; nil stands for ffmpeg.Find.
	FFmpeg func() (ffmpeg.Tool, error)
}

// Open opens the recording at path with the zero Opener.
func Open(ctx context.Context, path string) (*Recording, error) { return Opener{}.Open(ctx, path) }

// Open opens the recording, or the sound of the clip, at path, by what its first bytes say and never by its name. It reads a disk and may
// start ffmpeg, so it belongs on a worker; ctx ends the opening, not what was opened. Its errors: *NeedsFFmpeg where the kind needs
// ffmpeg and none is installed (offer the system's player then), *Unreadable for bytes that are no recording, the file's own otherwise.
func (o Opener) Open(ctx context.Context, path string) (*Recording, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	r, err := o.openBytes(ctx, f)
	if err != nil {
		_ = f.close() // opened for reading: nothing can be lost
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
		return nil, &Unreadable{Words: i18n.T("No recording that Assay can play was found in this file.")}
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

// openFormat reads it here where Assay can, and through ffmpeg where not. Where ffmpeg is missing, an unusual variant of a kind that Assay
// reads itself needs it like the others.
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
		return native, nil // the decoders give two of more channels, which may be those that nobody speaks on
	}
	if err != nil && own && !isUnreadable(err) {
		return nil, err // the disk's, or ctx's
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

// tryOut reads a little, so that what can't be decoded is known at once.
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

// Ended reports whether a stream's error says that the recording was read to its end. An *Unreadable does not, whatever caused it.
func Ended(err error) bool { return errors.Is(err, io.EOF) && !isUnreadable(err) }

func isUnreadable(err error) bool {
	var unreadable *Unreadable
	return errors.As(err, &unreadable)
}

// check refuses what no recording has.
func (r *Recording) check() error {
	switch {
	case r.about.rate < lowestRate || r.about.rate > highestRate:
		return &Unreadable{Words: i18n.F("This recording claims %d samples per second: Assay plays from %d to %d.", r.about.rate, lowestRate, highestRate)}
	case r.about.channels < 1 || r.about.channels > mostChannels:
		return &Unreadable{Words: i18n.F("This recording claims %d channels: Assay plays from 1 to %d.", r.about.channels, mostChannels)}
	}
	return nil
}

// Format names the kind in words for the person: "WAV", "MP3", "FLAC", "Ogg Vorbis", "Ogg Opus", "AAC", "MP4".
func (r *Recording) Format() string { return r.about.format }

// Duration is how long the recording is. While ffmpeg is still decoding one whose header leaves its length open it is an estimate.
func (r *Recording) Duration() time.Duration { return r.TimeAt(r.source.frames()) }

// Frames is how many samples each channel has, as far as is known: see Duration.
func (r *Recording) Frames() int64 { return r.source.frames() }

// Stream reads from a frame on; from the end on it gives nothing. Several streams may be read at a time, each by one goroutine. ctx ends
// the waiting for what is still being decoded.
func (r *Recording) Stream(ctx context.Context, from int64) (Stream, error) {
	return r.source.open(ctx, from)
}

// Rate is the number of samples per second and channel.
func (r *Recording) Rate() int { return r.about.rate }

// Close ends what still reads it, and removes what was decoded to a temporary file. Close the players of a recording before it.
func (r *Recording) Close() error {
	r.close.Do(func() { r.closed = errors.Join(r.source.release(), r.file.close()) })
	return r.closed
}

// TimeAt is when a frame is heard.
func (r *Recording) TimeAt(frame int64) time.Duration {
	rate := int64(r.about.rate)
	return time.Duration(frame/rate)*time.Second + time.Duration(frame%rate)*time.Second/time.Duration(rate)
}

// FrameAt is the frame that is heard at a time; the time before the start counts as the start.
func (r *Recording) FrameAt(at time.Duration) int64 {
	at = max(0, at)
	rate := int64(r.about.rate)
	return int64(at/time.Second)*rate + int64(at%time.Second)*rate/int64(time.Second)
}

// file is what is read: at any place, by several readers at a time.
type file struct {
	io.ReaderAt
	path  string // "" for bytes that lie in no file
	size  int64
	close func() error
	// What sniff found:
	content int64            // where the recording begins, behind ID3 tags
	format  container.Format // by its bytes
	codec   string           // in an Ogg: "Vorbis", "Opus", "" for another
	name    string           // in words for the person; "" for what is no recording
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
		_ = opened.Close() // opened for reading: nothing can be lost
		return nil, err
	}
	return &file{ReaderAt: opened, path: path, size: about.Size(), close: opened.Close}, nil
}

// sniff tells the format, and where the recording begins: behind its tags. One that claims to reach beyond the end of the file is taken for
// sound.
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
	default: // MPEG audio has no signature, and may stand behind something else
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

// source is the recording without the tags before it, for going through its parts: its offsets count from content.
func (f *file) source(ctx context.Context) *container.Source {
	length := f.size - f.content
	return container.NewSource(ctx, io.NewSectionReader(f, f.content, length), length)
}

// from reads on from a place, through a buffer.
func (f *file) from(at int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(f, at, f.size-at), 1<<16)
}

// Unreadable is the error for what cannot be opened or decoded as a recording.
type Unreadable = ffmpeg.Unreadable

// NeedsFFmpeg is the error for a recording that only ffmpeg reads, where there is none.
type NeedsFFmpeg struct {
	Format string // as Recording.Format
	Cause  error
}

// Error gives the sentence.
func (n *NeedsFFmpeg) Error() string { return n.Sentence() }

// Unwrap gives the reason for which ffmpeg was not found.
func (n *NeedsFFmpeg) Unwrap() error { return n.Cause }

// Sentence is for the person.
func (n *NeedsFFmpeg) Sentence() string {
	return i18n.F("Assay plays %s recordings through ffmpeg, which is not installed on this computer.", n.Format)
}
