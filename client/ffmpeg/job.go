package ffmpeg

import (
	"fmt"
	"path/filepath"
	"time"
)

// Job is one run of ffmpeg on one file.
type Job struct {
	// Path is the file to read.
	Path string
	// Demuxer is ffmpeg's name for the container, "mov" for instance: a playlist in a clip's clothes names no
	// other files then. Empty, ffmpeg guesses; it can still open nothing but files.
	Demuxer string
	// Before are options for the input, After those that follow it. They must come from the program, never from a file or a person.
	Before, After []string
	// Longest is how long it may run; 0 stands for two minutes.
	Longest time.Duration
}

const usualTime = 2 * time.Minute

func (j Job) longest() time.Duration {
	if j.Longest > 0 {
		return j.Longest
	}
	return usualTime
}

// File marks a path as a file's, so that ffmpeg reads a name such as "-y" or "http:x" neither as an option nor as an address,
// and expands no % in it.
func File(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the file for ffmpeg: %w", err)
	}
	return "file:" + whole, nil
}

// arguments are those of ffmpeg.
func (j Job) arguments() ([]string, error) {
	file, err := File(j.Path)
	if err != nil {
		return nil, err
	}
	args := []string{"-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2", "-protocol_whitelist", "file,pipe"}
	args = append(args, j.Before...)
	if j.Demuxer != "" {
		args = append(args, "-f", j.Demuxer)
	}
	args = append(args, "-i", file)
	return append(args, j.After...), nil
}
