package forensics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/client/ffmpeg"
)

// mostVideoPixels is the largest frame that ffmpeg may decode: 8K.
const mostVideoPixels = "40000000"

// findFFmpeg gives the path of ffmpeg.
func findFFmpeg() (string, error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoFFmpeg, err)
	}
	return tool.Program, nil
}

// clipJob is a run of ffmpeg on a clip, of two minutes at most. The demuxer is fixed, so that a playlist in a
// clip's clothes names no other files.
func clipJob(path string, after ...string) ffmpeg.Job {
	return ffmpeg.Job{Path: path, Demuxer: "mov", Before: []string{"-max_pixels", mostVideoPixels}, After: after}
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
	arguments := []string{"-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
		"-fflags", "+bitexact", "-flags:a", "+bitexact", "-t", longestVideoSound, "-c:a", "pcm_s16le"}
	if facts.sound.channels > 2 {
		arguments = append(arguments, "-ac", "2")
	}
	arguments = append(arguments, "-f", "wav", "-y", "file:"+wav)
	if err := (ffmpeg.Tool{Program: program}).Run(ctx, clipJob(path, arguments...), func(io.Reader) error { return nil }); err != nil {
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
