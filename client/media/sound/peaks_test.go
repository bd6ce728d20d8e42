package sound

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/sound/soundtest"
)

// peaksOf reads a recording's peaks.
func peaksOf(t *testing.T, r *Recording) *Peaks {
	t.Helper()
	p, err := r.Peaks(t.Context(), nil)
	assert.NoError(t, err)
	return p
}

func TestPeaksAreThoseOfTheSamples(t *testing.T) {
	samples := make([]float64, 80000)
	for i := range samples {
		samples[i] = math.Sin(float64(i)) * float64(i%977) / 977
	}
	samples[40001], samples[40002] = 1, -1
	r := opened(t, soundtest.Mono(8000, samples...))
	p := peaksOf(t, r)
	if p.Known() != 10*time.Second || p.pyramid.bucket != finestBucket {
		t.Errorf("known %v, in stretches of %d samples", p.Known(), p.pyramid.bucket)
	}
	for _, n := range []int{1, 2, 10, 625, 1250} { // columns of whole stretches of 64 samples
		columns := make([]Column, n)
		p.Columns(columns, 0, 10*time.Second)
		for i, c := range columns {
			low, high := 1.0, -1.0
			for _, v := range samples[i*len(samples)/n : (i+1)*len(samples)/n] {
				low, high = min(low, v), max(high, v)
			}
			if !c.Known || math.Abs(float64(c.Low)-low) > 1e-4 || math.Abs(float64(c.High)-high) > 1e-4 {
				t.Fatalf("column %d of %d is %+v, want %v..%v", i, n, c, low, high)
			}
		}
	}
	t.Run("and of nothing else: what lies outside is not known", func(t *testing.T) {
		columns := make([]Column, 4)
		p.Columns(columns, -10*time.Second, 30*time.Second)
		for i, want := range []bool{false, true, false, false} {
			if columns[i].Known != want {
				t.Errorf("column %d: %+v", i, columns[i])
			}
		}
	})
}

func TestSilenceIsFlat(t *testing.T) {
	p := peaksOf(t, opened(t, soundtest.Mono(8000, make([]float64, 8000)...)))
	columns := make([]Column, 10)
	p.Columns(columns, 0, time.Second)
	for _, c := range columns {
		if c != (Column{Known: true}) {
			t.Errorf("%+v", c)
		}
	}
}

func TestPeaksOfALongRecordingArriveByAndByInOrder(t *testing.T) {
	samples := sweep(8000, 150)
	r := opened(t, soundtest.Mono(8000, samples...))
	last, known := -1.0, time.Duration(-1)
	calls := 0
	p, err := r.Peaks(t.Context(), func(done float64, p *Peaks) {
		calls++
		if done < last || p.Known() < known || done < 1 && math.Abs(p.Known().Seconds()-150*done) > 0.1 {
			t.Errorf("%v done after %v, %v known", done, last, p.Known())
		}
		last, known = done, p.Known()
	})
	if err != nil || last != 1 || calls < 20 || known != 150*time.Second {
		t.Errorf("%v: %d calls, the last at %v with %v known", err, calls, last, known)
	}
	through := &Peaks{of: r, pyramid: newPyramid(int64(len(samples)))}
	assert.NoError(t, r.readThrough(t.Context(), through, int64(len(samples)), func(float64, *Peaks) {}))
	one, other := make([]Column, 999), make([]Column, 999)
	p.Columns(one, 0, 150*time.Second)
	through.Columns(other, 0, 150*time.Second)
	for i := range one {
		if one[i] != other[i] {
			t.Fatalf("column %d is %+v in parts, and %+v in one go", i, one[i], other[i])
		}
	}
	t.Run("and end with the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := r.Peaks(ctx, func(float64, *Peaks) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestMemoryForPeaksIsBounded(t *testing.T) {
	p := &Peaks{of: &Recording{about: facts{rate: 48000}}, pyramid: newPyramid(0)}
	for range 5 << 20 {
		p.add([]bounds{{-3, 5}}, p.pyramid.bucket)
	}
	n := 0
	for _, level := range p.pyramid.levels {
		n += len(level)
	}
	if n > 2*mostBuckets {
		t.Errorf("%d stretches are kept", n)
	}
	columns := make([]Column, 3)
	p.Columns(columns, 0, p.Known())
	for _, c := range columns {
		if !c.Known || c.Low != float32(-3)/math.MaxInt16 || c.High != float32(5)/math.MaxInt16 {
			t.Errorf("%+v", c)
		}
	}
}
