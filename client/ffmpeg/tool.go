// Package ffmpeg runs ffmpeg and ffprobe, where they are installed, on files that nobody vouches for. It imports the
// standard library, and of Assay i18n and client/media/container.
//
// No shell is involved; a file is named by its whole path and can be read as nothing but a file; nothing in a file makes
// them fetch anything; they get neither the terminal nor what Assay's environment says about its key; and they end
// with the context, or when their time is up.
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

// demuxers are what ffmpeg calls its readers of formats.
var demuxers = map[container.Format]string{
	container.WAV: "wav", container.RF64: "wav", container.MP3: "mp3", container.FLAC: "flac", container.Ogg: "ogg", container.AAC: "aac",
	container.MP4: "mov", container.M4A: "mov", container.QuickTime: "mov", container.HEIF: "mov", container.Matroska: "matroska",
	container.AVI: "avi", container.FLV: "flv", container.ASF: "asf", container.MPEGPS: "mpeg", container.MPEGTS: "mpegts",
}

// Demuxer names the reader that ffmpeg is to use for a format, "" where it has none, so that it never guesses one.
func Demuxer(format container.Format) string { return demuxers[format] }

// Find looks for ffmpeg and ffprobe on the search path, never in the working directory. It is cheap: nothing is run. The
// error is a *Missing where there is no ffmpeg; ffprobe alone may be missing without an error.
func Find() (Tool, error) {
	program, err := look("ffmpeg")
	if err != nil {
		return Tool{}, &Missing{Program: "ffmpeg", Cause: err}
	}
	prober, err := look("ffprobe")
	if err != nil {
		prober = "" // Probe says so
	}
	return Tool{Program: program, Prober: prober}, nil
}

// look gives a program's whole path: a working directory that changes later doesn't matter then.
func look(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}

// Missing is the error where ffmpeg or ffprobe isn't installed.
type Missing struct {
	Program string // "ffmpeg" or "ffprobe"
	Cause   error
}

// Error gives the sentence and the cause.
func (m *Missing) Error() string {
	return fmt.Sprintf("the program %s is not installed on this computer (%v)", m.Program, m.Cause)
}

// Unwrap gives the reason for which it wasn't found.
func (m *Missing) Unwrap() error { return m.Cause }

// Sentence is for the person.
func (m *Missing) Sentence() string {
	return i18n.F("The program %s is not installed on this computer.", m.Program)
}

// IsMissing reports whether err says that ffmpeg or ffprobe isn't installed.
func IsMissing(err error) bool {
	var missing *Missing
	return errors.As(err, &missing)
}

// Unreadable is the error for what is no clip or recording, or a damaged one, whether ffmpeg or a decoder of Assay's found out.
type Unreadable struct {
	Words string // a sentence for the person
	Cause error  // what the decoder said; may be nil
}

// Error gives the sentence and the decoder's words.
func (u *Unreadable) Error() string {
	if u.Cause == nil {
		return u.Words
	}
	return fmt.Sprintf("%s (%v)", u.Words, u.Cause)
}

// Unwrap gives the decoder's error.
func (u *Unreadable) Unwrap() error { return u.Cause }

// Sentence is for the person.
func (u *Unreadable) Sentence() string { return u.Words }

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

// fileArgument marks a path as a file's, so that ffmpeg reads a name such as "-y" or "http:x" neither as an option nor as an address,
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
