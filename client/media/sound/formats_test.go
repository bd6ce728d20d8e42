package sound

import (
	"fmt"
	"math"
	"testing"
	"time"

	"assay/client/media/sound/soundtest"
)

// Every kind of recording gives what was put into it, from every place.
func TestEveryKindIsReadFromEveryPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("two dozen encodings take long")
	}
	const (
		seconds = 7
		film    = "film.mov"
	)
	given := sweep(44100, seconds)
	wav := soundtest.Mono(44100, given...)
	kinds := []struct {
		name           string
		args           []string
		format         string
		rate, channels int
		off            float64 // seconds by which an encoder lengthens it
		far            float64 // how far samples may lie from what was encoded; 0: not compared
	}{
		{"8 bits.wav", []string{"-c:a", "pcm_u8"}, "WAV", 44100, 1, 0, 0.01},
		{"16 bits.wav", []string{"-c:a", "pcm_s16le", "-ac", "2"}, "WAV", 44100, 2, 0, 0},
		{"24 bits.wav", []string{"-c:a", "pcm_s24le"}, "WAV", 44100, 1, 0, 1e-4},
		{"32 bits.wav", []string{"-c:a", "pcm_s32le"}, "WAV", 44100, 1, 0, 1e-4},
		{"floating point.wav", []string{"-c:a", "pcm_f32le"}, "WAV", 44100, 1, 0, 1e-4},
		{"double.wav", []string{"-c:a", "pcm_f64le", "-rf64", "always"}, "WAV", 44100, 1, 0, 1e-4},
		{"192 kHz.wav", []string{"-ar", "192000"}, "WAV", 192000, 1, 0, 0},
		{"8 kHz.wav", []string{"-ar", "8000"}, "WAV", 8000, 1, 0, 0},
		{"5.1.wav", []string{"-ac", "6"}, "WAV", 44100, 6, 0, 0},
		{"a-law through ffmpeg.wav", []string{"-c:a", "pcm_alaw"}, "WAV", 44100, 1, 0, 0.03},
		{"constant.mp3", []string{"-b:a", "128k", "-ac", "2"}, "MP3", 44100, 2, 0.08, 0},
		{"variable.mp3", []string{"-q:a", "4"}, "MP3", 44100, 1, 0.08, 0},
		{"slow.mp3", []string{"-ar", "22050", "-b:a", "32k"}, "MP3", 22050, 1, 0.12, 0},
		{"8 kHz through ffmpeg.mp3", []string{"-ar", "8000", "-b:a", "16k"}, "MP3", 8000, 1, 0.3, 0},
		{"16 bits.flac", []string{"-sample_fmt", "s16"}, "FLAC", 44100, 1, 0, 1e-4},
		{"24 bits.flac", []string{"-sample_fmt", "s32", "-ac", "2", "-ar", "96000"}, "FLAC", 96000, 2, 0, 0},
		{"5.1 through ffmpeg.flac", []string{"-ac", "6"}, "FLAC", 44100, 6, 0, 0},
		{"vorbis.ogg", []string{"-c:a", "libvorbis", "-q:a", "5"}, "Ogg Vorbis", 44100, 1, 0.02, 0.05},
		{"big pages.ogg", []string{"-c:a", "libvorbis", "-q:a", "8", "-ac", "2", "-page_duration", "3000000"}, "Ogg Vorbis", 44100, 2, 0.02, 0},
		{"opus.ogg", []string{"-c:a", "libopus", "-b:a", "64k"}, "Ogg Opus", 48000, 1, 0.05, 0},
		{"aac.m4a", []string{"-c:a", "aac", "-b:a", "128k"}, "MP4", 44100, 1, 0.1, 0},
		{"alac.m4a", []string{"-c:a", "alac"}, "MP4", 44100, 1, 0.1, 1e-4},
		{"raw.aac", []string{"-c:a", "aac", "-f", "adts"}, "AAC", 44100, 1, 0.15, 0},
		{film, []string{"-f", "lavfi", "-i", "color=s=64x64:d=7", "-c:a", "pcm_s16le", "-c:v", "mpeg4"}, "MP4", 44100, 1, 0.1, 1e-4},
	}
	var sounds []encoding
	for _, c := range kinds {
		if c.name != film { // which has pictures
			sounds = append(sounds, encoding{c.name, wav, c.args})
		}
	}
	paths := encodedAtOnce(t, sounds...)
	for _, c := range kinds {
		t.Run(c.name, func(t *testing.T) {
			path := paths[c.name]
			if c.name == film {
				path = encoded(t, wav, c.name, c.args...)
			}
			r := openedPath(t, path)
			if r.Format() != c.format || r.Rate() != c.rate || r.about.channels != c.channels {
				t.Errorf("%s of %d Hz and %d channels, want %s, %d, %d", r.Format(), r.Rate(), r.about.channels, c.format, c.rate, c.channels)
			}
			whole := samplesOf(t, r, 0, (seconds+2)*c.rate)
			if got := r.Duration(); math.Abs(got.Seconds()-seconds) > c.off+0.001 || got != r.TimeAt(int64(len(whole))) {
				t.Errorf("lasts %v, and gave %v of samples; want %d s", got, r.TimeAt(int64(len(whole))), seconds)
			}
			if c.far > 0 {
				want := make([][2]float64, len(given))
				for i, v := range given {
					want[i] = [2]float64{v, v}
				}
				if far := distance(whole, want); far > c.far {
					t.Errorf("samples lie %v from what was encoded", far)
				}
			}
			if loud := distance(whole, make([][2]float64, len(whole))); loud < 0.1 {
				t.Errorf("the sound is gone: %v", loud)
			}
			for _, at := range []float64{0, 0.001, 0.9, 2, 3.3333, 5.1, 6.9, seconds - 0.001} {
				from := int64(at * float64(c.rate))
				n := min(4000, len(whole)-int(from))
				if far := distance(samplesOf(t, r, from, n), whole[from:]); far > 1e-3 {
					t.Errorf("from %v s on, samples lie %v from those read in one go", at, far)
				}
			}
			if got := samplesOf(t, r, int64(len(whole))+5, 10); len(got) != 0 {
				t.Errorf("%d samples behind the end", len(got))
			}
		})
	}
}

func TestALoopOfOpeningAndSeekingIsQuickInALongRecording(t *testing.T) {
	if testing.Short() {
		t.Skip("makes long recordings")
	}
	for name, args := range map[string][]string{
		"long.flac": {"-compression_level", "0"}, "long.mp3": {"-b:a", "64k"}, "long.ogg": {"-c:a", "libvorbis", "-q:a", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			const minutes = 10
			path := encoded(t, soundtest.Mono(8000, sweep(8000, 60)...), name, append([]string{"-af", "aloop=loop=-1:size=480000", "-t", "600", "-ar", "22050"}, args...)...)
			r := openedPath(t, path)
			if got := r.Duration(); math.Abs(got.Minutes()-minutes) > 0.01 {
				t.Fatalf("lasts %v", got)
			}
			begun := time.Now()
			for i := range 20 {
				samplesOf(t, r, r.FrameAt(time.Duration(i*29)*time.Second), 1000)
			}
			if each := time.Since(begun) / 20; each > 150*time.Millisecond {
				t.Errorf("a jump takes %v", each)
			}
		})
	}
}

// The last frame of a FLAC file may hold any number of samples, and take less room than a header may.
func TestAFLACFileEndsWhereItsLastFrameDoes(t *testing.T) {
	for _, samples := range []int{1, 15, 16, 100, 2304, 2305, 4608, 10_000, 102_224} {
		t.Run(fmt.Sprint(samples, " samples of silence behind a tone"), func(t *testing.T) {
			given := append(sweep(22050, 1), make([]float64, samples)...)
			r := openedPath(t, encoded(t, soundtest.Mono(22050, given...), "silence.flac"))
			if want := r.TimeAt(int64(len(given))); r.Duration() != want || r.source.cut() {
				t.Errorf("lasts %v, want %v; breaks off: %v", r.Duration(), want, r.source.cut())
			}
		})
	}
}
