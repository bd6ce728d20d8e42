package audio

import (
	"fmt"
	"math"
	"testing"

	"assay/client/media/sound/soundtest"
	"assay/client/sandbox/forensics"
)

// dialogue lets voices of these pitches take turns of some seconds, over one floor.
func dialogue(seed uint64, rate int, turn float64, pitches ...float64) []float64 {
	var out []float64
	for i, p := range pitches {
		out = append(out, voice{seed: seed + uint64(i), rate: rate, seconds: turn, pitch: p}.speech()...)
	}
	voice{seed: seed, floor: 0.001, tilt: 0.4}.addRoom(out)
	return out
}

func TestAudioPitchIsThatOfTheTone(t *testing.T) {
	for _, rate := range []int{8000, 16000, 22050, 44100, 48000} {
		for _, want := range []float64{80, 110, 200, 390} {
			meter := newMeter(rate)
			meter.add(tones(rate, 1, 0.3, 6, want))
			for i, got := range meter.frames.pitch {
				if math.Abs(float64(got)/want-1) > 0.02 {
					t.Fatalf("%d samples per second, frame %d: %v Hz, want %v", rate, i, got, want)
				}
			}
		}
	}
}

func TestAudioTellsSpeakersWhoTakeTurns(t *testing.T) {
	for _, rate := range []int{8000, 16000, 44100} {
		for seed := uint64(100); seed < 104; seed++ {
			t.Run(fmt.Sprintf("%d Hz, %d", rate, seed), func(t *testing.T) {
				r := heard(t, soundtest.Mono(rate, dialogue(seed, rate, 3, 110, 210, 110, 210)...), "wav")
				checkAudio(t, r)
				if r.Status != forensics.NotApplicable || len(r.Reasons) != 1 || r.Reasons[0].Code != "cross-talk" || r.Reasons[0].Message == "" {
					t.Errorf("status %s, reasons %v, want cross-talk; data %v", r.Status, r.Reasons, r.Models[len(r.Models)-1].Data)
				}
			})
		}
	}
}

func TestAudioIsReluctantToHearTwoSpeakers(t *testing.T) {
	const rate = 16000
	expressive := []float64{110, 139, 88, 131, 98, 110} // ±4 semitones from phrase to phrase
	high := make([]float64, len(expressive))
	for i, p := range expressive {
		high[i] = p * 200 / 110
	}
	for name, pitches := range map[string][]float64{
		"one voice at 110 Hz":              {110, 110, 110, 110},
		"one voice at 200 Hz":              {200, 200, 200, 200},
		"one expressive voice at 110 Hz":   expressive,
		"one expressive voice at 200 Hz":   high,
		"two voices of similar pitch":      {110, 140, 110, 140},
		"a piece of another voice put in":  {110, 110, 210, 110, 110},
		"a voice that follows another":     {110, 110, 210, 210},
		"one short question of many turns": {110, 110, 110, 110, 110, 110, 110, 210, 110, 110},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := uint64(200); seed < 204; seed++ {
				r := heard(t, soundtest.Mono(rate, dialogue(seed, rate, 3, pitches...)...), "wav")
				checkAudio(t, r)
				if r.Score == nil {
					t.Errorf("seed %d: reasons %v; data %v", seed, r.Reasons, r.Models[len(r.Models)-1].Data)
				}
			}
		})
	}
}
