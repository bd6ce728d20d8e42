//go:build e2e && linux

package exhibit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// studio makes media, with ffmpeg and espeak-ng where they are installed. Its error is the first.
type studio struct {
	ctx     context.Context //nolint:containedctx // it lives as long as one call of All
	folder  string
	voices  bool // espeak-ng is there
	ffmpeg  bool
	counted int
	err     error
}

// toolLimit is how long one call of a tool may take.
const toolLimit = time.Minute

func newStudio(ctx context.Context, folder string) *studio {
	has := func(tool string) bool { _, err := exec.LookPath(tool); return err == nil }
	return &studio{ctx: ctx, folder: folder, voices: has("espeak-ng"), ffmpeg: has("ffmpeg")}
}

func (s *studio) run(tool string, arguments ...string) {
	if s.err != nil {
		return
	}
	limited, cancel := context.WithTimeout(s.ctx, toolLimit)
	defer cancel()
	out, err := exec.CommandContext(limited, tool, arguments...).CombinedOutput()
	if err != nil {
		s.err = fmt.Errorf("%s: %w: %s", tool, err, bytes.TrimSpace(out))
	}
}

func (s *studio) path(extension string) string {
	s.counted++
	return filepath.Join(s.folder, strconv.Itoa(s.counted)+extension)
}

func (s *studio) read(path string) []byte {
	if s.err != nil {
		return nil
	}
	content, err := os.ReadFile(path)
	s.err = err
	return content
}

func (s *studio) write(extension string, content []byte) string {
	path := s.path(extension)
	if s.err == nil {
		s.err = os.WriteFile(path, content, 0o600)
	}
	return path
}

// speech is a WAV in which a voice reads words, or one of tones as long where there is no voice. The ending tells it from every other.
func (s *studio) speech(voice, words string) (path string) {
	if !s.voices {
		s.counted++
		return s.write(".wav", syllables(len(words)/15+2, 180+float64(s.counted)))
	}
	path = s.path(".wav")
	s.run("espeak-ng", "-v", voice, "-s", "150", "-w", path, words)
	return path
}

// encoded turns a WAV into another format, where ffmpeg is there; else it is the WAV as it was.
func (s *studio) encoded(wav, extension string, arguments ...string) (content []byte, as string) {
	if !s.ffmpeg || extension == ".wav" {
		return s.read(wav), ".wav"
	}
	path := s.path(extension)
	s.run("ffmpeg", append(append([]string{"-v", "error", "-y", "-i", wav}, arguments...), path)...)
	return s.read(path), extension
}

// clip is a slow movement over a picture, with sound; it takes ffmpeg.
func (s *studio) clip(picture, wav string, width, height int) []byte {
	path := s.path(".mp4")
	filter := fmt.Sprintf("scale=%d:%d:force_original_aspect_ratio=increase,crop=%d:%d,zoompan=z='1+0.0015*on':d=1:s=%dx%d:fps=12",
		2*width, 2*height, 2*width, 2*height, width, height)
	arguments := []string{"-v", "error", "-y", "-loop", "1", "-framerate", "12", "-i", picture}
	if wav != "" {
		arguments = append(arguments, "-i", wav, "-c:a", "aac", "-shortest")
	} else {
		arguments = append(arguments, "-t", "8")
	}
	s.run("ffmpeg", append(arguments, "-vf", filter, "-c:v", "mpeg4", "-q:v", "5", "-pix_fmt", "yuv420p", path)...)
	return s.read(path)
}

// syllables is a WAV of tones that swell and fade, as talk does; 16 bits at 16 kHz.
func syllables(seconds int, pitch float64) []byte {
	const rate = 16_000
	samples := make([]int16, seconds*rate)
	for i := range samples {
		t := float64(i) / rate
		loud := math.Pow(math.Abs(math.Sin(math.Pi*t*1.7)), 2) * (0.4 + 0.6*math.Abs(math.Sin(0.37*t)))
		samples[i] = int16(16000 * loud * (0.7*math.Sin(2*math.Pi*pitch*t) + 0.3*math.Sin(4*math.Pi*pitch*t)))
	}
	var wav bytes.Buffer
	size := uint32(2 * len(samples))
	for _, part := range []any{[]byte("RIFF"), 36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2 * rate),
		uint16(2), uint16(16), []byte("data"), size, samples} {
		_ = binary.Write(&wav, binary.LittleEndian, part) // a buffer takes everything
	}
	return wav.Bytes()
}
