package sound

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"assay/client/media/sound/soundtest"
)

// What ffmpeg writes has no length, and may have no end either: who listens ends it.
func TestTheVisitorEndsWhatWouldNeverEnd(t *testing.T) {
	endless := io.MultiReader(bytes.NewReader(soundtest.WAV(wavPCM, 1, 4000, 8, math.MaxUint32, nil)), forever{})
	enough, heard := errors.New("enough"), 0
	_, err := wholeFromFFmpeg(t.Context(), struct{ io.Reader }{endless}, func(rate int, block [][2]float64) error {
		if heard += len(block); heard > 10*rate {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || heard < 40_000 {
		t.Errorf("error %v after %d samples", err, heard)
	}
}

// forever is silence without an end.
type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 128
	}
	return len(p), nil
}
