package audio

import (
	"testing"

	"assay/client/media/sound/soundtest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"
)

// BenchmarkSeparationAudio prints, for every kind of alteration, the area under
// the receiver operating characteristic of the ensemble's score (1: every altered
// recording scores higher than every untouched one; 0.5: chance), and how many
// pass the limits. Its speakers are none of those that the limits were set by:
//
//	go test -run '^$' -bench SeparationAudio -benchtime 1x ./client/sandbox/forensics
func BenchmarkSeparationAudio(b *testing.B) {
	const count, firstSpeaker = 40, 90_000
	for b.Loop() {
		separation(b, firstSpeaker, count)
	}
}

// separation measures speakers from a seed on.
func separation(b *testing.B, first uint64, count int) {
	b.Helper()
	score := func(v voice, samples []float64) float64 {
		r := heard(b, soundtest.Mono(v.rate, samples...), "wav")
		if r.Score == nil {
			b.Fatalf("seed %d: no score: %v", v.seed, r.Reasons)
		}
		return *r.Score
	}
	var clean []float64
	altered := make([][]float64, len(alterations))
	found := make([]int, len(alterations))
	for seed := first; seed < first+uint64(count); seed++ {
		v := speaker(seed)
		samples := v.speech()
		clean = append(clean, score(v, samples))
		for k, a := range alterations {
			other, _, _ := a.altered(v, samples)
			s := score(v, other)
			altered[k] = append(altered[k], s)
			if s >= forensics.SuspiciousFrom {
				found[k]++
			}
		}
	}
	wrong := 0
	for _, s := range clean {
		if s >= forensics.SuspiciousFrom {
			wrong++
		}
	}
	b.Logf("%d untouched, %d of them at %v or above", len(clean), wrong, forensics.SuspiciousFrom)
	for k, a := range alterations {
		b.Logf("AUC %.3f: %s (%d altered, %d at %v or above)", forensicstest.AreaUnderCurve(altered[k], clean), a.name, len(altered[k]), found[k], forensics.SuspiciousFrom)
	}
}

func BenchmarkAudioThreeMinutes(b *testing.B) {
	v := voice{seed: 3, rate: 44100, seconds: 180, floor: 0.002, tilt: 0.5}
	data := soundtest.Mono(v.rate, v.speech()...)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		heard(b, data, "wav")
	}
}
