package audio

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"assay/client/media/sound/soundtest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"

	"github.com/google/go-cmp/cmp"
)

// steadySpeaker speaks for 15 s in a quiet, even room.
var steadySpeaker = voice{seed: 1, rate: 22050, seconds: 15, floor: 0.001, tilt: 0.4}

// checkAudio holds a report to what the package promises of every one.
func checkAudio(t *testing.T, r *Report) {
	t.Helper()
	forensicstest.CheckModels(t, Models(), r.Models, r.Conclusions)
	if (r.Score == nil) != (len(r.Reasons) > 0) || (r.Score == nil) == (r.Status != forensics.NotApplicable && r.Status != forensics.Unable) {
		t.Errorf("status %s, score %v, reasons %v", r.Status, r.Score, r.Reasons)
	}
	at := 0.0
	for i, c := range r.Chunks {
		if c.Start != at || c.End <= c.Start || len(c.Scores) != len(Models()) {
			t.Errorf("chunk %d: %+v after %v s", i, c, at)
		}
		at = c.End
		for name, s := range c.Scores {
			if (s == nil) != (r.Score == nil) || (s != nil && (*s <= 0 || *s >= 100)) {
				t.Errorf("chunk %d: %s has the score %v", i, name, s)
			}
		}
		if (c.Decision == "") != (r.Score == nil) {
			t.Errorf("chunk %d: decision %q", i, c.Decision)
		}
	}
	if math.Abs(at-r.Duration) > 1e-9 {
		t.Errorf("chunks end at %v of %v s", at, r.Duration)
	}
}

func TestAudioLeavesAnUntouchedRecordingAlone(t *testing.T) {
	for _, v := range []voice{
		steadySpeaker,
		{seed: 2, rate: 16000, seconds: 10, floor: 0.002, tilt: 0},
		{seed: 3, rate: 44100, seconds: 20, floor: 0.0006, tilt: 0.8},
		{seed: 4, rate: 8000, seconds: 12, floor: 0.001, tilt: 0.2},
		{seed: 6, rate: 22050, seconds: 18, floor: 0.001, tilt: 0.4, uneasy: true},
	} {
		t.Run(fmt.Sprintf("%d Hz, uneasy %v", v.rate, v.uneasy), func(t *testing.T) {
			r := heard(t, soundtest.Mono(v.rate, v.speech()...), "wav")
			checkAudio(t, r)
			if r.Status != forensics.Authentic {
				t.Errorf("status %s, want AUTHENTIC; data %v", r.Status, r.Models[0].Data)
			}
			if r.SampleRate != v.rate || r.Channels != 1 || math.Abs(r.Duration-v.seconds) > 0.01 {
				t.Errorf("%v s, %d Hz, %d channels", r.Duration, r.SampleRate, r.Channels)
			}
		})
	}
}

// pieceFrom and pieceLength put a piece into the chunk of 6 to 9 s.
const (
	pieceFrom   = 6.1
	pieceLength = 2.7
)

func TestAudioFindsAnAlterationInItsChunk(t *testing.T) {
	v := steadySpeaker
	clean := v.speech()
	for _, a := range alterations[:6] {
		t.Run(a.name, func(t *testing.T) {
			samples, end := a.alter(v, clean, pieceFrom, pieceLength)
			r := heard(t, soundtest.Mono(v.rate, samples...), "wav")
			checkAudio(t, r)
			if r.Status != forensics.Fake && r.Status != forensics.Suspicious {
				t.Fatalf("status %s, want a reaction; data %v", r.Status, r.Models)
			}
			if m := r.Models[map[string]int{spliceName: 0, bandName: 1}[a.model]]; *m.Score < forensics.SuspiciousFrom {
				t.Errorf("%s scores %v", m.Name, *m.Score)
			}
			worst := 0
			for i, c := range r.Chunks {
				if *c.Scores[ensembleName] > *r.Chunks[worst].Scores[ensembleName] {
					worst = i
				}
			}
			if c := r.Chunks[worst]; c.Start > end || c.End < pieceFrom {
				t.Errorf("the worst chunk is %v to %v s, want one that touches %v to %v s", c.Start, c.End, pieceFrom, end)
			}
			for _, c := range r.Chunks {
				if s := *c.Scores[ensembleName]; (c.End < pieceFrom-0.5 || c.Start > end+0.5) && s >= forensics.SuspiciousFrom {
					t.Errorf("chunk of %v to %v s scores %v, far from the alteration", c.Start, c.End, s)
				}
			}
		})
	}
}

func TestAudioSilenceInEveryPauseIsNoProof(t *testing.T) {
	v := steadySpeaker
	v.floor = 0 // as a speech generator or a gate makes it
	r := heard(t, soundtest.Mono(v.rate, v.speech()...), "wav")
	if r.Status != forensics.Suspicious {
		t.Errorf("status %s, want SUSPICIOUS; data %v", r.Status, r.Models[0].Data)
	}
}

func TestAudioThatCannotBeScoredSaysWhy(t *testing.T) {
	const rate = 16000
	chance := rand.New(rand.NewPCG(1, 1)) // #nosec G404 -- repeatable, no secret
	noise := make([]float64, 5*rate)
	for i := range noise {
		noise[i] = 0.1 * chance.NormFloat64()
	}
	var chords []float64
	for _, c := range [][]float64{{261.6, 329.6, 392}, {220, 261.6, 329.6}, {349.2, 440, 523.3}, {392, 493.9, 587.3}} {
		chords = append(chords, tones(rate, 0.75, 0.3, 5, c...)...)
	}
	room := voice{seed: 8, floor: 0.001}
	room.addRoom(chords)
	short := steadySpeaker
	short.seconds = 1
	buried := steadySpeaker.speech()
	for i := range buried {
		buried[i] = 0.05*buried[i] + 0.05*chance.NormFloat64()
	}
	for name, c := range map[string]struct {
		samples []float64
		rate    int
		want    string
	}{
		"one second":           {short.speech(), short.rate, "duration"},
		"dial tone":            {tones(rate, 4, 0.2, 1, 350, 440), rate, "detected"},
		"chords":               {chords, rate, "detected"},
		"white noise":          {noise, rate, "quality"},
		"a voice in the noise": {buried, steadySpeaker.rate, "quality"},
		"silence":              {make([]float64, 5*rate), rate, "quality"},
	} {
		t.Run(name, func(t *testing.T) {
			r := heard(t, soundtest.Mono(c.rate, c.samples...), "wav")
			checkAudio(t, r)
			if r.Status != forensics.NotApplicable || len(r.Reasons) != 1 || r.Reasons[0].Code != c.want || r.Reasons[0].Message == "" {
				t.Errorf("status %s, reasons %v, want %s; data %v", r.Status, r.Reasons, c.want, r.Models[len(r.Models)-1].Data)
			}
			for _, m := range r.Models {
				if m.Status != forensics.NotApplicable || m.Code != "not_applicable" {
					t.Errorf("%s: %s, %q", m.Name, m.Status, m.Code)
				}
			}
		})
	}
}

func TestAudioGivesTheSameReportForTheSameBytes(t *testing.T) {
	a := alterations[0]
	samples, _ := a.alter(steadySpeaker, steadySpeaker.speech(), pieceFrom, pieceLength)
	data := soundtest.Mono(steadySpeaker.rate, samples...)
	if diff := cmp.Diff(heard(t, data, "wav"), heard(t, data, "mp3")); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

func TestTheOrderOfModelsAndTheEndOfTheContext(t *testing.T) {
	data := soundtest.Mono(steadySpeaker.rate, steadySpeaker.speech()...)
	forensicstest.CheckRun(t, Models(), func(ctx context.Context, finished func(forensics.Model)) error {
		_, err := Analyse(ctx, data, "wav", finished)
		return err
	})
}

func TestAudioFailureOfOneAnalyserIsARow(t *testing.T) {
	m, _, err := run(t.Context(), analyser{"broken", func(*frames) []evidence { panic("out of range") }}, nil)
	if err != nil || m.Status != forensics.Unable || m.Code != "model-error" || m.Message == "" || m.Score != nil {
		t.Errorf("got %+v, %v", m, err)
	}
	other := forensics.ScoredModel(bandName, 0.5, map[string]any{})
	if s, reasons := summarise([]forensics.Model{m, other}); s.Status != forensics.Suspicious || len(reasons) != 0 {
		t.Errorf("with another's score the ensemble is %s, %v", s.Status, reasons)
	}
	if s, reasons := summarise([]forensics.Model{m}); s.Status != forensics.Unable || len(reasons) != 1 || reasons[0].Code != "model-error" {
		t.Errorf("without any score the ensemble is %s, %v", s.Status, reasons)
	}
}

func TestAudioChunksCoverTheRecording(t *testing.T) {
	for duration, want := range map[float64][]float64{
		0.5: {0.5}, 3: {3}, 3.9: {3.9}, 4: {3, 4}, 7.2: {3, 6, 7.2}, 6.5: {3, 6.5},
	} {
		var ends []float64
		for _, c := range chunks(duration) {
			ends = append(ends, c.End)
		}
		if diff := cmp.Diff(want, ends); diff != "" {
			t.Errorf("%v s (-want +got):\n%s", duration, diff)
		}
	}
}
