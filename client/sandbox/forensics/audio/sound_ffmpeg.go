package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gopxl/beep/v2"
	"github.com/gopxl/beep/v2/wav"

	"assay/client/ffmpeg"
	"assay/client/media/container"
	"assay/client/sandbox/forensics"
)

// soundFFmpegTime is what ffmpeg may take for one recording. It reads about an hour
// of sound in ten seconds.
const soundFFmpegTime = 2 * time.Minute

// soundThroughFFmpeg has ffmpeg decode a recording. The bytes
// go through a file of our own name, since MP4 must be read in any order.
func soundThroughFFmpeg(ctx context.Context, data []byte, format container.Format) (heard *soundHeard, err error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return nil, &forensics.Unreadable{Sentence: soundNoFFmpeg, Cause: err}
	}
	dir, err := os.MkdirTemp("", "assay-sound-")
	if err != nil {
		return nil, fmt.Errorf("folder for ffmpeg: %w", err)
	}
	defer func() {
		if left := os.RemoveAll(dir); left != nil && err == nil {
			heard, err = nil, fmt.Errorf("folder for ffmpeg: %w", left)
		}
	}()
	file := filepath.Join(dir, "recording")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, fmt.Errorf("file for ffmpeg: %w", err)
	}
	job := ffmpeg.Job{
		Path: file, Demuxer: ffmpeg.Demuxer(format), Longest: soundFFmpegTime, Before: []string{"-xerror"},
		After: []string{"-map", "0:a:0", "-vn", "-sn", "-dn", "-t", fmt.Sprint(soundLongest + 1), "-c:a", "pcm_s16le", "-bitexact", "-f", "wav", "pipe:1"},
	}
	var listening error
	err = tool.Run(ctx, job, func(out io.Reader) error {
		heard, listening = soundFromFFmpeg(ctx, out)
		return listening
	})
	var failed *ffmpeg.Failed
	switch {
	case err == nil:
		return heard, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failed) && failed.TooLong > 0:
		return nil, &forensics.Unreadable{Sentence: "ffmpeg took too long to read the recording.", Cause: err}
	case listening != nil && (failed == nil || failed.Words == ""):
		return nil, listening
	default:
		return nil, &forensics.Unreadable{Sentence: soundFFmpegBad, Cause: err}
	}
}

// soundFromFFmpeg listens to what ffmpeg writes.
func soundFromFFmpeg(ctx context.Context, out io.Reader) (*soundHeard, error) {
	body, ok, err := soundWAVBody(out)
	if err != nil || !ok {
		return nil, &forensics.Unreadable{Sentence: soundFFmpegBad, Cause: err}
	}
	return soundListen(ctx, "WAV", body, func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return wav.Decode(r) })
}
