package scenes

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"assay/client/media/sound/soundtest"
)

// tools make media with ffmpeg and espeak-ng, if these are installed. err is the first error.
type tools struct {
	ctx     context.Context //nolint:containedctx // valid during one call of All
	folder  string
	voices  bool // whether espeak-ng is installed
	ffmpeg  bool
	counted int
	err     error
}

// toolLimit is how long a call of a tool may take.
const toolLimit = time.Minute

func newTools(ctx context.Context, folder string) *tools {
	has := func(tool string) bool { _, err := exec.LookPath(tool); return err == nil }
	return &tools{ctx: ctx, folder: folder, voices: has("espeak-ng"), ffmpeg: has("ffmpeg")}
}

func (t *tools) run(tool string, arguments ...string) {
	if t.err != nil {
		return
	}
	limited, cancel := context.WithTimeout(t.ctx, toolLimit)
	defer cancel()
	out, err := exec.CommandContext(limited, tool, arguments...).CombinedOutput()
	if err != nil {
		t.err = fmt.Errorf("%s: %w: %s", tool, err, bytes.TrimSpace(out))
	}
}

func (t *tools) path(extension string) string {
	t.counted++
	return filepath.Join(t.folder, strconv.Itoa(t.counted)+extension)
}

func (t *tools) read(path string) []byte {
	if t.err != nil {
		return nil
	}
	content, err := os.ReadFile(path)
	t.err = err
	return content
}

func (t *tools) write(extension string, content []byte) string {
	path := t.path(extension)
	if t.err == nil {
		t.err = os.WriteFile(path, content, 0o600)
	}
	return path
}

// speech makes a WAV of a voice that reads words. If espeak-ng is missing, it makes tones of about the same length, each time with another pitch, so
// that no two files are equal.
func (t *tools) speech(voice, words string) (path string) {
	if !t.voices {
		t.counted++
		return t.write(".wav", syllables(len(words)/15+2, 180+float64(t.counted)))
	}
	path = t.path(".wav")
	t.run("espeak-ng", "-v", voice, "-s", "150", "-w", path, words)
	return path
}

// encoded converts a WAV to another format; without ffmpeg it returns the WAV.
func (t *tools) encoded(wav, extension string, arguments ...string) (content []byte, as string) {
	if !t.ffmpeg || extension == ".wav" {
		return t.read(wav), ".wav"
	}
	path := t.path(extension)
	t.run("ffmpeg", append(append([]string{"-v", "error", "-y", "-i", wav}, arguments...), path)...)
	return t.read(path), extension
}

// clip makes a slow movement over a picture, with sound; nil without ffmpeg.
func (t *tools) clip(picture, wav string, width, height int) []byte {
	if !t.ffmpeg {
		return nil
	}
	path := t.path(".mp4")
	filter := fmt.Sprintf("scale=%d:%d:force_original_aspect_ratio=increase,crop=%d:%d,zoompan=z='1+0.0015*on':d=1:s=%dx%d:fps=12",
		2*width, 2*height, 2*width, 2*height, width, height)
	arguments := []string{"-v", "error", "-y", "-loop", "1", "-framerate", "12", "-i", picture}
	if wav != "" {
		arguments = append(arguments, "-i", wav, "-c:a", "aac", "-shortest")
	} else {
		arguments = append(arguments, "-t", "8")
	}
	t.run("ffmpeg", append(arguments, "-vf", filter, "-c:v", "mpeg4", "-q:v", "5", "-pix_fmt", "yuv420p", path)...)
	return t.read(path)
}

// syllables makes a WAV of tones that swell and fade, as speech does.
func syllables(seconds int, pitch float64) []byte {
	const rate = 16_000
	samples := make([]float64, seconds*rate)
	for i := range samples {
		at := float64(i) / rate
		loud := math.Pow(math.Abs(math.Sin(math.Pi*at*1.7)), 2) * (0.4 + 0.6*math.Abs(math.Sin(0.37*at)))
		samples[i] = 0.49 * loud * (0.7*math.Sin(2*math.Pi*pitch*at) + 0.3*math.Sin(4*math.Pi*pitch*at))
	}
	return soundtest.Mono(rate, samples...)
}
