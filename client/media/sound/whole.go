package sound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"assay/client/ffmpeg"
	"assay/client/media/container"

	"github.com/gopxl/beep/v2"
	beepflac "github.com/gopxl/beep/v2/flac"
	beepmp3 "github.com/gopxl/beep/v2/mp3"
	beepvorbis "github.com/gopxl/beep/v2/vorbis"
	beepwav "github.com/gopxl/beep/v2/wav"
)

// ErrNoRecording means that bytes are in no known format of recordings.
var ErrNoRecording = errors.New("no recording")

// Faulty is the error of Whole for a recording that cannot be decoded to its end.
type Faulty struct {
	Format    string // "WAV", "FLAC", "MP3", "Ogg"; "" for one that ffmpeg read
	BreaksOff bool   // it is shorter than its header claims
	Cause     error
}

// Error returns the decoder's message.
func (f *Faulty) Error() string { return fmt.Sprintf("a faulty %s recording: %v", f.Format, f.Cause) }

// Unwrap returns the decoder's error.
func (f *Faulty) Unwrap() error { return f.Cause }

// faulty turns a decoder's error into one of this package.
func faulty(format string, err error) error {
	return &Faulty{Format: format, BreaksOff: errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF), Cause: err}
}

// longestWhole bounds ffmpeg's time for one recording. It decodes about an hour of sound in ten seconds.
const longestWhole = 2 * time.Minute

// Visit gets a block of samples, left and right, at rate samples a second. An error ends the decoding.
type Visit func(rate int, block [][2]float64) error

// Whole decodes a recording in memory once, from its first sample to its last, for analysis: one that breaks off is an error, and of more
// than two channels the first two are decoded. extension ("mp3") counts only if the bytes do not determine the format. visit gets an empty
// block first, then all samples in order. If ffmpeg is needed, it decodes at most longest.
//
// Its errors: visit's as it is, ctx's, ErrNoRecording, *NeedsFFmpeg, *Faulty; any other one is about this computer.
func Whole(ctx context.Context, data []byte, extension string, longest time.Duration, visit Visit) (channels int, err error) {
	src := container.SourceOf(data)
	format := src.Format()
	switch format {
	case container.WAV:
		body, ok, err := plainWAV(bytes.NewReader(data))
		if err != nil {
			return 0, faulty("WAV", err)
		}
		if !ok { // floating point, A-law and the like
			return wholeThroughFFmpeg(ctx, data, format, longest, visit)
		}
		return decodeWhole(ctx, "WAV", body, func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return beepwav.Decode(r) }, visit)
	case container.FLAC:
		// Without a Seek method, the decoder skips all metadata except the first block; otherwise it would trust the metadata's sizes.
		return decodeWhole(ctx, "FLAC", bytes.NewReader(data), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return beepflac.Decode(r) }, visit)
	case container.MP3:
		return wholeMP3(ctx, data, visit)
	case container.Ogg:
		if src.OggCodec() != "Vorbis" {
			return wholeThroughFFmpeg(ctx, data, format, longest, visit)
		}
		body, err := vorbisStream(data)
		if err != nil {
			return 0, faulty("Ogg", err)
		}
		return decodeWhole(ctx, "Ogg", bytes.NewReader(body), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) {
			return beepvorbis.Decode(io.NopCloser(r))
		}, visit)
	case container.MP4, container.M4A, container.QuickTime, container.HEIF, container.AAC:
		return wholeThroughFFmpeg(ctx, data, format, longest, visit)
	default:
		if extension == "mp3" { // MPEG audio has no signature, and other data may come before it
			return wholeMP3(ctx, data, visit)
		}
		return 0, ErrNoRecording
	}
}

// wholeMP3 decodes all frames of MPEG audio.
func wholeMP3(ctx context.Context, data []byte, visit Visit) (channels int, err error) {
	body, err := mp3Frames(data)
	if err != nil {
		return 0, faulty("MP3", err)
	}
	channels, err = decodeWhole(ctx, "MP3", bytes.NewReader(body), func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) {
		return beepmp3.Decode(io.NopCloser(r))
	}, visit)
	if err == nil { // the decoder always returns two channels
		channels = container.ReadMPEGHeader(body).Channels()
	}
	return channels, err
}

// wholeReader hides every method except Read, and fills the buffer as far as it can, since beep's WAV decoder drops incomplete frames.
type wholeReader struct{ r io.Reader }

func (w wholeReader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(w.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// decodeWhole runs a decoder to its end. Hostile bytes may make it panic, which becomes an error like any other.
func decodeWhole(
	ctx context.Context, kind string, r io.Reader, decode func(io.Reader) (beep.StreamSeekCloser, beep.Format, error), visit Visit,
) (channels int, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			channels, err = 0, faulty(kind, fmt.Errorf("panic: %v", cause))
		}
	}()
	stream, format, err := decode(wholeReader{r})
	if err != nil {
		return 0, faulty(kind, err)
	}
	rate, frames := int(format.SampleRate), 0
	if err := visit(rate, nil); err != nil {
		return 0, err
	}
	block := make([][2]float64, 4096)
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, ok := stream.Stream(block)
		if err := visit(rate, block[:n]); err != nil {
			return 0, err
		}
		frames += n
		more = ok && n > 0
	}
	switch {
	case stream.Err() != nil:
		return 0, faulty(kind, stream.Err())
	case kind == "FLAC" && stream.Len() > frames:
		return 0, faulty(kind, io.ErrUnexpectedEOF)
	}
	return format.NumChannels, nil
}

// wholeThroughFFmpeg has ffmpeg decode a recording from a temporary file, since MP4 needs random access.
func wholeThroughFFmpeg(ctx context.Context, data []byte, format container.Format, longest time.Duration, visit Visit) (channels int, err error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return 0, &NeedsFFmpeg{Format: string(format), Cause: err}
	}
	dir, err := os.MkdirTemp("", "assay-sound-")
	if err != nil {
		return 0, fmt.Errorf("folder for ffmpeg: %w", err)
	}
	defer func() {
		if left := os.RemoveAll(dir); left != nil && err == nil {
			channels, err = 0, fmt.Errorf("folder for ffmpeg: %w", left)
		}
	}()
	file := filepath.Join(dir, "recording")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return 0, fmt.Errorf("file for ffmpeg: %w", err)
	}
	job := ffmpeg.Job{
		Path: file, Demuxer: ffmpeg.Demuxer(format), Longest: longestWhole, Before: []string{"-xerror"},
		After: []string{"-map", "0:a:0", "-vn", "-sn", "-dn", "-t", fmt.Sprint(longest.Seconds()), "-c:a", "pcm_s16le", "-bitexact", "-f", "wav", "pipe:1"},
	}
	var listening error
	err = tool.Run(ctx, job, func(out io.Reader) error {
		channels, listening = wholeFromFFmpeg(ctx, out, visit)
		return listening
	})
	var failed *ffmpeg.Failed
	switch {
	case err == nil:
		return channels, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case listening != nil && (!errors.As(err, &failed) || failed.TooLong == 0 && failed.Words == ""):
		return 0, listening
	default:
		return 0, &Faulty{Cause: err}
	}
}

// wholeFromFFmpeg decodes ffmpeg's output.
func wholeFromFFmpeg(ctx context.Context, out io.Reader, visit Visit) (channels int, err error) {
	body, ok, err := plainWAV(out)
	if err != nil || !ok {
		return 0, &Faulty{Cause: err}
	}
	return decodeWhole(ctx, "WAV", body, func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return beepwav.Decode(r) }, visit)
}
