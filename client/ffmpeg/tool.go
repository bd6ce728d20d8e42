// Package ffmpeg runs ffmpeg and ffprobe, if they are installed, on untrusted files, and fpcalc on sound. It imports the
// standard library, and of Assay i18n and client/media/container.
//
// No shell is involved; a file is passed by its absolute path and is never taken for anything but a file; nothing in a file
// makes them fetch anything; they have neither the terminal nor Assay's variables, such as its key; and they are stopped
// when the context ends, or when their time is up.
package ffmpeg

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"assay/client/i18n"
	"assay/client/media/container"
)

// Tool is an installed ffmpeg.
type Tool struct {
	Program string // the path of ffmpeg
	Prober  string // the path of ffprobe; "" where it is missing
}

// demuxers are ffmpeg's names of its readers of formats.
var demuxers = map[container.Format]string{
	container.WAV: "wav", container.RF64: "wav", container.MP3: "mp3", container.FLAC: "flac", container.Ogg: "ogg", container.AAC: "aac",
	container.MP4: "mov", container.M4A: "mov", container.QuickTime: "mov", container.HEIF: "mov", container.Matroska: "matroska",
	container.AVI: "avi", container.FLV: "flv", container.ASF: "asf", container.MPEGPS: "mpeg", container.MPEGTS: "mpegts",
	container.AIFF: "aiff", container.AMR: "amr", container.CAF: "caf",
}

// Demuxer returns ffmpeg's name of the reader for a format, so that ffmpeg need not guess it; "" where there is none.
func Demuxer(format container.Format) string { return demuxers[format] }

// Find searches ffmpeg and ffprobe on the search path, never in the working directory. It is cheap and runs nothing. The
// error is a *Missing if there is no ffmpeg; a missing ffprobe is no error.
func Find() (Tool, error) {
	program, err := look("ffmpeg")
	if err != nil {
		return Tool{}, &Missing{Program: "ffmpeg", Cause: err}
	}
	prober, err := look("ffprobe")
	if err != nil {
		prober = "" // Probe returns the error
	}
	return Tool{Program: program, Prober: prober}, nil
}

// look returns a program's absolute path, which stays valid when the working directory changes.
func look(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}

// Missing is the error where ffmpeg, ffprobe or fpcalc isn't installed.
type Missing struct {
	Program string // "ffmpeg", "ffprobe" or "fpcalc"
	Cause   error
}

// Error returns the sentence and the cause.
func (m *Missing) Error() string {
	return fmt.Sprintf("the program %s is not installed on this computer (%v)", m.Program, m.Cause)
}

// Unwrap returns why it wasn't found.
func (m *Missing) Unwrap() error { return m.Cause }

// Sentence is for the person.
func (m *Missing) Sentence() string {
	return i18n.F("The program %s is not installed on this computer.", m.Program)
}

// IsMissing reports whether err means that ffmpeg, ffprobe or fpcalc isn't installed.
func IsMissing(err error) bool {
	var missing *Missing
	return errors.As(err, &missing)
}

// Unreadable is the error for a file that is no clip or recording, or a damaged one, whether ffmpeg or one of Assay's decoders found that.
type Unreadable struct {
	Words string // a sentence for the person
	Cause error  // the decoder's error; may be nil
}

// Error returns the sentence and the decoder's error.
func (u *Unreadable) Error() string {
	if u.Cause == nil {
		return u.Words
	}
	return fmt.Sprintf("%s (%v)", u.Words, u.Cause)
}

// Unwrap returns the decoder's error.
func (u *Unreadable) Unwrap() error { return u.Cause }

// Sentence is for the person.
func (u *Unreadable) Sentence() string { return u.Words }

// Job is one run of ffmpeg on one file.
type Job struct {
	// Path is the file to read.
	Path string
	// Demuxer is ffmpeg's name for the container, "mov" for instance, so that a playlist disguised as a clip names no
	// other files. If it is empty, ffmpeg guesses; it can still open only files.
	Demuxer string
	// Before are options for the input, After those that follow it. They must come from the program, never from a file or a person.
	Before, After []string
	// Longest is how long it may run; 0 means two minutes.
	Longest time.Duration
	// Silence is how long it may get nowhere in Write; 0 means a minute and a half.
	Silence time.Duration
}

const usualTime = 2 * time.Minute

func (j Job) longest() time.Duration {
	if j.Longest > 0 {
		return j.Longest
	}
	return usualTime
}

// fileArgument marks a path as a file's, so that ffmpeg takes a name such as "-y" or "http:x" neither for an option nor for a URL,
// and expands no % in it.
func fileArgument(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the file for ffmpeg: %w", err)
	}
	return "file:" + whole, nil
}

// arguments are those of ffmpeg.
func (j Job) arguments() ([]string, error) {
	file, err := fileArgument(j.Path)
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
