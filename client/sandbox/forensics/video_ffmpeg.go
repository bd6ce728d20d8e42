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
	"strings"
	"time"
)

const (
	// longestFFmpeg ends a run of ffmpeg that a clip keeps busy.
	longestFFmpeg = 2 * time.Minute
	// mostFFmpegWords is how much of what ffmpeg complains of is kept, in bytes.
	mostFFmpegWords = 4 << 10
	// mostVideoPixels is the largest frame that ffmpeg may decode: 8K.
	mostVideoPixels = "40000000"
)

// findFFmpeg looks for ffmpeg on the search path, never in the working directory.
func findFFmpeg() (string, error) {
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoFFmpeg, err)
	}
	return filepath.Abs(program)
}

// ffmpegInput gives the arguments that open a clip and nothing else. The prefix
// keeps a name such as "-y" or "http:x" from being read as an option or an address,
// the demuxer is fixed, so that a playlist in a clip's clothes names no other
// files, and no protocol but files and pipes is known.
func ffmpegInput(path string) ([]string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the clip: %w", err)
	}
	return []string{
		"-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2",
		"-protocol_whitelist", "file,pipe", "-max_pixels", mostVideoPixels,
		"-f", "mov", "-i", "file:" + whole,
	}, nil
}

// runFFmpeg runs a program with arguments, feeds its output to read until that
// returns, and waits for its end. What read says counts first: having had enough,
// with a nil error, it ends the program.
func runFFmpeg(ctx context.Context, program string, arguments []string, read func(io.Reader) error) error {
	limited, cancel := context.WithTimeout(ctx, longestFFmpeg)
	defer cancel()
	// #nosec G204 -- the program comes from the search path, the arguments are fixed but for a path that is marked as a file's
	cmd := exec.CommandContext(limited, program, arguments...)
	cmd.WaitDelay = 5 * time.Second
	words := &firstWords{}
	cmd.Stderr = words
	cmd.Env = append(os.Environ(), "AV_LOG_FORCE_NOCOLOR=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("running ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("running ffmpeg: %w", err)
	}
	enough := read(out)
	rest, _ := io.CopyN(io.Discard, out, 1) // a byte more than was wanted, or the end
	if enough != nil || rest > 0 {
		cancel()
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("running ffmpeg: %w", ctx.Err())
	case enough != nil:
		return fmt.Errorf("reading from ffmpeg: %w%s", enough, words.said())
	case rest > 0:
		return nil
	case limited.Err() != nil:
		return fmt.Errorf("running ffmpeg: it took longer than %v", longestFFmpeg)
	case err != nil:
		return fmt.Errorf("running ffmpeg: %w%s", err, words.said())
	}
	return nil
}

// firstWords keeps the beginning of what is written to it.
type firstWords struct{ b bytes.Buffer }

func (f *firstWords) Write(p []byte) (int, error) {
	f.b.Write(p[:min(len(p), mostFFmpegWords-f.b.Len())])
	return len(p), nil
}

// said gives the first line, as the end of a sentence. It may name the clip's path.
func (f *firstWords) said() string {
	line, _, _ := strings.Cut(strings.TrimSpace(f.b.String()), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// longestVideoSound is how much of a sound track VideoAudio takes, in seconds: 230
// MB of two channels at 48 kHz.
const longestVideoSound = "1200"

// VideoAudio writes the first sound track of the clip at path to w as a WAV file
// of 16 bits, at the track's own rate, in one or two channels, and of 20 minutes
// at most. It puts the sound into a temporary file first, since a WAV file begins
// with its length. It gives ErrNoSoundTrack where the clip has none, ErrNoFFmpeg where ffmpeg
// isn't on the search path, and an *Unreadable for what is no clip.
func VideoAudio(ctx context.Context, path string, w io.Writer) error {
	return videoWork{findFFmpeg}.audio(ctx, path, w)
}

func (v videoWork) audio(ctx context.Context, path string, w io.Writer) (err error) {
	facts, err := openVideoFacts(ctx, path)
	if err != nil {
		return err
	}
	if facts.sound == nil {
		return ErrNoSoundTrack
	}
	program, err := v.find()
	if err != nil {
		if errors.Is(err, ErrNoFFmpeg) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrNoFFmpeg, err)
	}
	arguments, err := ffmpegInput(path)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "assay-sound-")
	if err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	defer func() {
		if gone := os.RemoveAll(folder); err == nil && gone != nil {
			err = fmt.Errorf("extracting the sound: %w", gone)
		}
	}()
	wav := filepath.Join(folder, "sound.wav")
	arguments = append(arguments, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
		"-fflags", "+bitexact", "-flags:a", "+bitexact", "-t", longestVideoSound, "-c:a", "pcm_s16le")
	if facts.sound.channels > 2 {
		arguments = append(arguments, "-ac", "2")
	}
	arguments = append(arguments, "-f", "wav", "-y", "file:"+wav)
	if err := runFFmpeg(ctx, program, arguments, func(io.Reader) error { return nil }); err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	file, err := os.Open(wav)
	if err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	if _, err := io.Copy(w, file); err != nil {
		return fmt.Errorf("writing the sound: %w", err)
	}
	return nil
}
