package sound

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
)

// sweep is a tone that rises from 200 Hz to 3 kHz, so that no two places sound alike.
func sweep(rate int, seconds float64) []float64 {
	samples := make([]float64, int(float64(rate)*seconds))
	for i := range samples {
		at := float64(i) / float64(rate)
		samples[i] = 0.5 * math.Sin(2*math.Pi*(200*at+2800/(2*seconds)*at*at))
	}
	return samples
}

// opened opens bytes as a recording until the test ends.
func opened(t testing.TB, data []byte) *Recording {
	t.Helper()
	return openedPath(t, mediatest.Saved(t, "recording", data))
}

func openedPath(t testing.TB, path string) *Recording {
	t.Helper()
	r, err := Open(t.Context(), path)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// samplesOf reads n frames from one on, or all there are.
func samplesOf(t testing.TB, r *Recording, from int64, n int) [][2]float64 {
	t.Helper()
	reading, err := r.source.open(t.Context(), from)
	assert.NoError(t, err)
	frames := make([][2]float64, n)
	for done := 0; done < n; {
		got, err := reading.Read(frames[done:])
		done += got
		if Ended(err) {
			return frames[:done]
		}
		if err != nil {
			t.Fatalf("after %d frames from %d: %v", done, from, err)
		}
	}
	return frames
}

// encoded has ffmpeg make a recording out of a WAV file.
func encoded(t testing.TB, wav []byte, name string, args ...string) string {
	t.Helper()
	return mediatest.Made(t, name, append([]string{"-i", mediatest.Saved(t, "from.wav", wav)}, args...)...)
}

// encoding is a recording that ffmpeg makes out of a WAV file.
type encoding struct {
	name string
	wav  []byte
	args []string
}

// encodedAtOnce has one process of ffmpeg make many recordings, and returns their paths by their names: it takes longer to start than to make one.
func encodedAtOnce(t testing.TB, all ...encoding) map[string]string {
	t.Helper()
	folder, paths := t.TempDir(), map[string]string{}
	var from, to []string
	for i, e := range all {
		paths[e.name] = filepath.Join(folder, e.name)
		from = append(from, "-i", mediatest.Saved(t, "from.wav", e.wav))
		to = append(to, "-map", fmt.Sprint(i))
		to = append(append(to, e.args...), "file:"+paths[e.name])
	}
	mediatest.FFmpeg(t, append(from, to...)...)
	return paths
}

// distance is the root of the mean square of the differences of the left channels.
func distance(a, b [][2]float64) float64 {
	n := min(len(a), len(b))
	sum := 0.0
	for i := range n {
		d := a[i][0] - b[i][0]
		sum += d * d
	}
	return math.Sqrt(sum / float64(max(1, n)))
}
