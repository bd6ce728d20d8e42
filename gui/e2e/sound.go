//go:build e2e && linux

package e2e

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"
)

// soundRate is the recorder's sample rate, in hertz.
const soundRate = 48000

// StartSound gives the desktop a virtual sound card, and records what is played from then on. Only programs started later find it.
func (d *Desktop) StartSound(ctx context.Context) (*Heard, error) {
	if err := d.configureSound("pcm.!default { type pulse }\nctl.!default { type pulse }\n"); err != nil {
		return nil, err
	}
	if _, err := d.Start("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
		"--load=module-null-sink sink_name=sink rate=48000", "--load=module-native-protocol-unix"); err != nil {
		return nil, err
	}
	err := Until(ctx, patience, "the sound server serves", func() (bool, error) {
		_, err := d.Run(ctx, "pactl", "info")
		return err == nil, nil
	})
	if err != nil {
		return nil, err
	}
	recorder, err := d.Start("parec", "--latency-msec=20", "--device=sink.monitor", "--raw", "--format=s16le", "--channels=1",
		fmt.Sprintf("--rate=%d", soundRate))
	if err != nil {
		return nil, err
	}
	h := &Heard{recorder: recorder}
	// It may take seconds until the first samples arrive, which are silence.
	return h, Until(ctx, patience, "the recorder hears silence", func() (bool, error) { return h.Now() > 0, nil })
}

// TakeSound leaves the desktop without a sound card, even if the computer has one. Programs started from then on find none.
func (d *Desktop) TakeSound() error {
	return d.configureSound("</usr/share/alsa/alsa.conf>\ndefaults.pcm.card 31\ndefaults.ctl.card 31\n")
}

func (d *Desktop) configureSound(configuration string) error {
	path := filepath.Join(d.Dir, "asound.conf")
	if err := os.WriteFile(path, []byte(configuration), 0o600); err != nil {
		return fmt.Errorf("sound: %w", err)
	}
	d.environment = overlay(d.environment, []string{"ALSA_CONFIG_PATH=" + path})
	return nil
}

// Heard is what the sound card has played since it was started.
type Heard struct {
	recorder *Process
}

// Now is the number of samples so far.
func (h *Heard) Now() int { return len(h.recorder.Output.String()) / 2 }

// Since returns the samples from the nth on, from -1 to 1.
func (h *Heard) Since(n int) []float64 {
	raw := []byte(h.recorder.Output.String())
	samples := make([]float64, max(0, len(raw)/2-n))
	for i := range samples {
		samples[i] = float64(int16(binary.LittleEndian.Uint16(raw[2*(n+i):]))) / math.MaxInt16 //nolint:gosec // the sign is meant
	}
	return samples
}

// Listen waits until the sound card has played this long, including silence: by what is recorded, however slow the computer is.
func (h *Heard) Listen(ctx context.Context, long time.Duration) error {
	until := h.Now() + int(long.Seconds()*soundRate)
	return Until(ctx, long+patience, fmt.Sprintf("%v more are recorded", long), func() (bool, error) { return h.Now() >= until, nil })
}

// Sounding are the samples from the first to the last audible one.
func Sounding(samples []float64) []float64 {
	const quiet = 0.01
	first, last := len(samples), 0
	for i, s := range samples {
		if math.Abs(s) > quiet {
			first, last = min(first, i), i+1
		}
	}
	if first >= last {
		return nil
	}
	return samples[first:last]
}

// Loudness is how much of the samples is a tone of that frequency in hertz, from 0 to about 1 (Goertzel's algorithm).
func Loudness(samples []float64, hertz float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	turn := 2 * math.Cos(2*math.Pi*hertz/soundRate)
	var before, last float64
	for _, s := range samples {
		before, last = last, s+turn*last-before
	}
	return 2 * math.Sqrt(math.Max(0, last*last+before*before-turn*last*before)) / float64(len(samples))
}
