package forensics

import "math"

// What counts as a pause.
const (
	audioPauseFrames = 10   // 160 ms: longer than most hissing consonants
	audioPauseCrest  = 11.0 // dB; peaks that stand out further are a voice's harmonics
	audioPauseSteady = 4.0  // dB from the pause's mean level so far, and to what is beside a bump
)

// audioPause is a stretch in which only the room is heard.
type audioPause struct {
	start, end float64             // seconds
	level      float64             // mean in dB
	bands      [audioBands]float64 // mean in dB
	bump       bool                // it is quieter within a fifth of a second before or after
}

// audioPauses finds the stretches of at least 160 ms that are steady and noise-like:
// no narrow peak stands out of their spectra, and their level stays within 4 dB. A
// held breath of noise is one, too. Digital silence is none.
func audioPauses(f *audioFrames) []audioPause {
	var pauses []audioPause
	for i := 0; i < len(f.level); {
		from, sum := i, 0.0
		for i < len(f.level) {
			level := float64(f.level[i])
			if level < audioMute-10 || f.crest[i] > audioPauseCrest {
				break
			}
			if n := i - from; n > 0 && math.Abs(level-sum/float64(n)) > audioPauseSteady {
				break
			}
			sum += level
			i++
		}
		n := i - from
		if n < audioPauseFrames {
			i = from + 1
			continue
		}
		p := audioPause{start: float64(from) / audioHopsPerSecond, end: float64(i) / audioHopsPerSecond, level: sum / float64(n)}
		for _, bands := range f.bands[from:i] {
			for b, v := range bands {
				p.bands[b] += float64(v) / float64(n)
			}
		}
		p.bump = audioQuieterBeside(f.level, from, i, p.level-audioPauseSteady)
		pauses = append(pauses, p)
	}
	return pauses
}

// audioQuieterBeside tells whether a level within 12 frames of from:to is below a limit.
func audioQuieterBeside(level []float32, from, to int, limit float64) bool {
	const reach = 12
	for _, v := range level[max(0, from-reach):from] {
		if float64(v) < limit {
			return true
		}
	}
	for _, v := range level[to:min(len(level), to+reach)] {
		if float64(v) < limit {
			return true
		}
	}
	return false
}
