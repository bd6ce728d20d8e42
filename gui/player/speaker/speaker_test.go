//go:build sound && linux

// These tests start a sound server of their own and listen to what it plays. oto's device can be opened once in the life of a process, so
// that each test that opens one runs the test binary again for itself.
package speaker

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/sound"
	"assay/client/media/sound/soundtest"
	"assay/gui/player"
)

// alone runs a test in a process of its own, and reports whether this is it.
func alone(t *testing.T) bool {
	t.Helper()
	const mark = "ALONE_IN_ITS_PROCESS"
	if os.Getenv(mark) == t.Name() {
		return true
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") // #nosec G204 G702 -- this test itself
	again.Env = append(os.Environ(), mark+"="+t.Name())
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	assert.NoError(t, err)
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip("see above")
	}
	return false
}

// recording writes a tone of 44.1 kHz to a file, and opens it.
func recording(t *testing.T, frequency float64, length time.Duration) *sound.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tone.wav")
	assert.NoError(t, os.WriteFile(path, soundtest.Mono(44100, soundtest.Tone(44100, frequency, length.Seconds(), 0.5)...), 0o600))
	r, err := sound.Open(t.Context(), path)
	assert.NoError(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// heard is what there is to hear in a record: how long it is not silent, its frequency and how loud it is.
func heard(record []byte) (length time.Duration, frequency, loud float64) {
	var left []float64
	for i := 0; i+4 <= len(record); i += 4 {
		left = append(left, float64(int16(binary.LittleEndian.Uint16(record[i:])))/32768)
	}
	first, last := -1, -1
	for i, v := range left {
		if math.Abs(v) > 0.01 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return 0, 0, 0
	}
	crossings, sum := 0, 0.0
	for i := first; i < last; i++ {
		if left[i] < 0 && left[i+1] >= 0 {
			crossings++
		}
		sum += left[i] * left[i]
	}
	n := float64(last - first)
	return time.Duration(n / rate * float64(time.Second)), float64(crossings) / n * rate, math.Sqrt(sum / n)
}

func TestATonePlayedIsTheToneHeard(t *testing.T) {
	need(t, "pulseaudio", "pactl", "parec")
	if !alone(t) {
		return
	}
	server := startPulse(t)
	r := recording(t, 440, 2*time.Second)
	ended, changed := make(chan struct{}, 1), make(chan struct{}, 100)
	p := player.NewPlayer(r, player.Options{Output: New(), OnEnd: func() { ended <- struct{}{} }, OnChange: func() { changed <- struct{}{} }})
	defer p.Close()
	var middle, asked time.Duration
	record := server.record(func() {
		begun := time.Now()
		p.Play()
		time.AfterFunc(time.Second, func() { middle, asked = p.Position(), time.Since(begun) })
		select {
		case <-ended:
		case <-time.After(8 * time.Second):
			t.Errorf("no end: %v at %v: %v", p.State(), p.Position(), p.Err())
		}
		<-time.After(300 * time.Millisecond) // what is still in the sound server
	})
	length, frequency, loud := heard(record)
	t.Logf("recorded %v of %.1f Hz, RMS %.4f; position %v after %v", length, frequency, loud, middle, asked)
	if math.Abs(length.Seconds()-2) > 0.05 || math.Abs(frequency-440) > 2 || math.Abs(loud-16000/32768.0/math.Sqrt2) > 0.02 {
		t.Errorf("heard %v of %.1f Hz, RMS %.4f", length, frequency, loud)
	}
	if middle < 600*time.Millisecond || middle > asked+100*time.Millisecond { // a sound server takes its first buffer at once
		t.Errorf("position %v, %v after Play", middle, asked)
	}

	t.Run("a jump is heard, a pause is silent", func(t *testing.T) {
		p.Seek(1500 * time.Millisecond)
		p.SetVolume(0.5)
		record := server.record(func() {
			p.Play()
			<-time.After(300 * time.Millisecond)
			p.Pause()
			<-time.After(500 * time.Millisecond)
		})
		length, frequency, loud := heard(record)
		t.Logf("recorded %v of %.1f Hz, RMS %.4f; position %v", length, frequency, loud, p.Position())
		if length < 100*time.Millisecond || length > 450*time.Millisecond || math.Abs(frequency-440) > 8 || math.Abs(loud-16000/65536.0/math.Sqrt2) > 0.02 {
			t.Errorf("heard %v of %.1f Hz, RMS %.4f", length, frequency, loud)
		}
	})
}

// noSound lets a player try, and expects the sentence within two seconds.
func noSound(t *testing.T) {
	t.Helper()
	changed := make(chan struct{}, 100)
	p := player.NewPlayer(recording(t, 440, 2*time.Second), player.Options{Output: New(), OnChange: func() { changed <- struct{}{} }})
	begun := time.Now()
	p.Play()
	for p.State() != player.Failed && time.Since(begun) < 5*time.Second {
		select {
		case <-changed:
		case <-time.After(10 * time.Millisecond):
		}
	}
	took := time.Since(begun)
	var silent *player.Silent
	if !errors.As(p.Err(), &silent) {
		t.Fatalf("state %v at %v, error %v", p.State(), p.Position(), p.Err())
	}
	t.Logf("after %v: %s (%v)", took, silent.Sentence(), silent.Cause)
	if took > 2*time.Second || p.Position() != 0 {
		t.Errorf("said after %v, at %v", took, p.Position())
	}
	begun = time.Now()
	p.Close()
	if took := time.Since(begun); took > time.Second {
		t.Errorf("closing took %v", took)
	}
}

func TestAComputerWithoutADeviceIsSaidWithinTwoSeconds(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Setenv("PULSE_SERVER", "unix:"+filepath.Join(t.TempDir(), "nothing"))
	noSound(t)
}

func TestASoundServerThatDoesNotAnswerIsSaidWithinTwoSeconds(t *testing.T) {
	need(t, "pulseaudio", "pactl", "parec")
	if !alone(t) {
		return
	}
	server := startPulse(t)
	server.freeze()
	noSound(t)
}
