package forensics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gopxl/beep/v2"
	"github.com/gopxl/beep/v2/wav"
)

// soundFFmpegTime is what ffmpeg may take for one recording. It reads about an hour
// of sound in ten seconds.
const soundFFmpegTime = 2 * time.Minute

// soundThroughFFmpeg has ffmpeg decode a recording. demuxer names the container,
// so that ffmpeg doesn't guess one of the many it knows; the protocols are held to
// files and pipes, so that nothing in the bytes makes it fetch anything. The bytes
// go through a file of our own name, since MP4 must be read in any order.
func soundThroughFFmpeg(ctx context.Context, data []byte, demuxer string) (heard *soundHeard, err error) {
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, &Unreadable{Sentence: soundNoFFmpeg, Cause: err}
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
	limited, cancel := context.WithTimeout(ctx, soundFFmpegTime)
	defer cancel()
	var said bytes.Buffer
	// #nosec G204 -- the arguments are constants and a name of our own
	cmd := exec.CommandContext(limited, program, "-nostdin", "-v", "error", "-xerror", "-protocol_whitelist", "file,pipe",
		"-f", demuxer, "-i", "file:"+file, "-map", "0:a:0", "-vn", "-sn", "-dn",
		"-t", fmt.Sprint(soundLongest+1), "-c:a", "pcm_s16le", "-bitexact", "-f", "wav", "pipe:1")
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = dir, &soundFirstBytes{to: &said, left: 2048}, time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("pipe from ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, &Unreadable{Sentence: soundNoFFmpeg, Cause: err}
	}
	heard, err = soundFromFFmpeg(limited, out)
	if err != nil {
		cancel() // ends ffmpeg, which may wait for us to read
	}
	ended := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && err == nil, errors.Is(err, context.DeadlineExceeded):
		return nil, &Unreadable{Sentence: "ffmpeg took too long to read the recording.", Cause: context.DeadlineExceeded}
	case err == nil && ended == nil:
		return heard, nil
	case err == nil || said.Len() > 0:
		return nil, &Unreadable{Sentence: soundFFmpegBad, Cause: fmt.Errorf("ffmpeg: %s: %w", bytes.TrimSpace(said.Bytes()), errors.Join(ended, err))}
	default:
		return nil, err
	}
}

// soundFromFFmpeg listens to what ffmpeg writes.
func soundFromFFmpeg(ctx context.Context, out io.Reader) (*soundHeard, error) {
	body, ok, err := soundWAVBody(out)
	if err != nil || !ok {
		return nil, &Unreadable{Sentence: soundFFmpegBad, Cause: err}
	}
	return soundListen(ctx, "WAV", body, func(r io.Reader) (beep.StreamSeekCloser, beep.Format, error) { return wav.Decode(r) })
}

// soundFirstBytes keeps the first bytes written to it and drops the rest.
type soundFirstBytes struct {
	to   *bytes.Buffer
	left int
}

func (s *soundFirstBytes) Write(p []byte) (int, error) {
	keep := p[:min(s.left, len(p))]
	s.left -= len(keep)
	s.to.Write(keep)
	return len(p), nil
}
