package ffmpeg

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

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
