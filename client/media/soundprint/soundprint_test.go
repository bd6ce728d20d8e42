package soundprint_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/mediatest"
	"assay/client/media/sound/soundtest"
	"assay/client/media/soundprint"
)

const rate = 22050

// melody is sound in which something else is heard every fifth of a second.
func melody(seed uint64, seconds float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 4)) //nolint:gosec // it must be repeatable
	samples := make([]float64, int(seconds*rate))
	var pitch, loud, phase float64
	for i := range samples {
		if i%(rate/5) == 0 {
			pitch, loud = 110*math.Pow(2, 3*r.Float64()), 0.1+0.2*r.Float64()
		}
		phase += 2 * math.Pi * pitch / rate
		samples[i] = loud*(math.Sin(phase)+0.5*math.Sin(2*phase)+0.3*math.Sin(5*phase)) + 0.01*r.NormFloat64()
	}
	return samples
}

func setup(t *testing.T) ffmpeg.Fpcalc {
	t.Helper()
	mediatest.Program(t, "fpcalc")
	tool, err := ffmpeg.FindFpcalc()
	assert.NoError(t, err)
	return tool
}

func printOf(t *testing.T, tool ffmpeg.Fpcalc, path string) soundprint.Print {
	t.Helper()
	p, err := soundprint.Of(t.Context(), tool, path)
	assert.NoError(t, err)
	return p
}

func wav(t *testing.T, samples []float64) string {
	t.Helper()
	return mediatest.Saved(t, "recording.wav", soundtest.Mono(rate, samples...))
}

func TestAlteredRecordingsAreNear(t *testing.T) {
	tool := setup(t)
	whole := melody(1, 25)
	path := wav(t, whole)
	original := printOf(t, tool, path)
	finder := soundprint.NewFinder(original)
	for name, altered := range map[string]string{
		"saved as MP3":          mediatest.Made(t, "a.mp3", "-i", path, "-ar", "44100", "-b:a", "64k"),
		"as AAC of 24 kbit/s":   mediatest.Made(t, "a.m4a", "-i", path, "-b:a", "24k"),
		"as Opus of 16 kbit/s":  mediatest.Made(t, "a.ogg", "-i", path, "-c:a", "libopus", "-b:a", "16k"),
		"through a telephone":   mediatest.Made(t, "a.wav", "-i", path, "-af", "highpass=300,lowpass=3400", "-ar", "8000"),
		"much quieter":          mediatest.Made(t, "b.wav", "-i", path, "-af", "volume=-20dB"),
		"without its beginning": wav(t, whole[7*rate:]),
		"without its end":       wav(t, whole[:14*rate]),
		"after other sound":     wav(t, append(melody(2, 6), whole...)),
		"2 % slower":            mediatest.Made(t, "c.wav", "-i", path, "-af", "atempo=0.98"),
	} {
		share, ok := finder.Differs(printOf(t, tool, altered))
		assert.True(t, ok && share <= soundprint.Limit, "%s: %.3f, %v", name, share, ok)
	}
}

func TestOtherRecordingsAreNotNear(t *testing.T) {
	tool := setup(t)
	var prints []soundprint.Print
	for seed := range uint64(12) {
		prints = append(prints, printOf(t, tool, wav(t, melody(100+seed, 15))))
	}
	for i, one := range prints {
		finder := soundprint.NewFinder(one)
		for j, other := range prints {
			share, ok := finder.Differs(other)
			assert.Equal(t, i == j, ok && share <= soundprint.Limit)
		}
	}
}

func TestWhatSaysNothingHasNoPrint(t *testing.T) {
	tool := setup(t)
	for name, samples := range map[string][]float64{
		"silence": make([]float64, 20*rate), "a steady tone": soundtest.Tone(rate, 440, 20, 0.5),
		"nine seconds": melody(1, 9), "a second": melody(1, 1),
	} {
		p := printOf(t, tool, wav(t, samples))
		assert.True(t, len(p) == 0, "%s has a fingerprint of %d numbers", name, len(p))
	}
	if _, ok := soundprint.NewFinder(nil).Differs(printOf(t, tool, wav(t, melody(1, 20)))); ok {
		t.Error("nothing is compared with something")
	}
}

func TestLongRecordingsAreHeardForTwoMinutes(t *testing.T) {
	p := printOf(t, setup(t), wav(t, melody(1, 150)))
	assert.True(t, len(p) > 900 && len(p) < 1000, "%d numbers", len(p))
	again, err := soundprint.FromBytes(p.Bytes())
	assert.NoError(t, err)
	assert.Equal(t, p, again)
	if _, err := soundprint.FromBytes(p.Bytes()[1:]); err == nil {
		t.Error("a print that breaks off is taken")
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	tool := setup(t)
	recording := wav(t, melody(1, 20))
	var unreadable *ffmpeg.Unreadable
	if _, err := soundprint.Of(t.Context(), tool, mediatest.Saved(t, "a.wav", []byte("no recording"))); !errors.As(err, &unreadable) {
		t.Errorf("of what is no recording: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := soundprint.Of(ended, tool, recording); !errors.Is(err, context.Canceled) {
		t.Errorf("once the context has ended: %v", err)
	}
	var failed *ffmpeg.Failed
	if _, err := soundprint.Of(t.Context(), ffmpeg.Fpcalc{Program: filepath.Join(t.TempDir(), "none")}, recording); !errors.As(err, &failed) {
		t.Errorf("without the program: %v", err)
	}
	if _, err := soundprint.Of(t.Context(), ffmpeg.Fpcalc{Program: mediatest.Program(t, "cat")}, recording); !errors.As(err, &failed) {
		t.Errorf("with another program: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := ffmpeg.FindFpcalc(); !ffmpeg.IsMissing(err) {
		t.Error(fmt.Sprint("where it is not installed: ", err))
	}
}
