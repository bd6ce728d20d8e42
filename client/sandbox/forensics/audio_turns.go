package forensics

import (
	"math"
	"slices"
)

// When two voices take turns.
const (
	audioTurnsApart  = 6.0  // semitones between the middles of the two ranges of pitch
	audioTurnsEqual  = 0.2  // least share of the voiced frames in either range
	audioTurnsValley = 0.35 // of the lower hill, at most, the density between the two
	audioTurnsKernel = 1.0  // semitones by which the density is smoothed
	audioTurnsLeast  = 31   // voiced frames (half a second) that make a turn
	audioTurnsWhole  = 0.7  // least share of the voiced frames that belong to turns
	audioTurnsGap    = 8    // frames (130 ms) without voice that part two speakers
	audioTurnsChange = 3    // changes of range: one piece put in makes two
	audioTurnsJump   = 2.0  // semitones; a frame further from both neighbours is an error
	audioTurnsStep   = 0.25 // semitones, of the density
)

// audioTurnTaking is what is known of the voices' pitch.
type audioTurnTaking struct {
	voiced    float64 // seconds
	low, high float64 // Hz, middles of the two ranges; 0 if there is one
	changes   int     // of range, from turn to turn
	inTurns   float64 // share of the voiced frames
}

// twoSpeakers tells whether two voices take turns.
func (t audioTurnTaking) twoSpeakers() bool {
	return t.changes >= audioTurnsChange && t.inTurns >= audioTurnsWhole
}

// audioTurns looks for two voices by their pitch. The voiced frames must fall into
// two ranges, at least 6 semitones apart, with a valley between them and a fifth
// of the frames or more in either; and the ranges must alternate: in stretches of
// half a second of voice or more that hold 70 % of the voiced frames, with a pause
// of 130 ms or more at each change, and at least three changes. A speaker's pitch
// passes through the valley within a phrase, and a tracker's octave errors are
// short; a piece put in changes the range twice.
func audioTurns(f *audioFrames) audioTurnTaking {
	at, pitch := audioVoiced(f)
	t := audioTurnTaking{voiced: float64(len(at)) / audioHopsPerSecond}
	split, ok := audioValley(pitch)
	if !ok {
		return t
	}
	var low, high []float64 // neither is empty
	for _, p := range pitch {
		if p < split {
			low = append(low, p)
		} else {
			high = append(high, p)
		}
	}
	lowMiddle, _ := medianAndMAD(low)
	highMiddle, _ := medianAndMAD(high)
	if highMiddle-lowMiddle < audioTurnsApart {
		return t
	}
	t.low, t.high = math.Exp2(lowMiddle/12), math.Exp2(highMiddle/12)
	inTurns, end, wasHigh := 0, -1, false // end: the last turn's last frame
	for i := 0; i < len(pitch); {
		from, isHigh := i, pitch[i] >= split
		for i < len(pitch) && (pitch[i] >= split) == isHigh {
			i++
		}
		if i-from < audioTurnsLeast {
			continue
		}
		inTurns += i - from
		if end >= 0 && isHigh != wasHigh && at[from]-end > audioTurnsGap {
			t.changes++
		}
		end, wasHigh = at[i-1], isHigh
	}
	t.inTurns = float64(inTurns) / float64(len(pitch))
	return t
}

// audioVoiced gives the voiced frames that sound and the logarithms of their
// pitch, in semitones above 1 Hz.
func audioVoiced(f *audioFrames) (at []int, pitch []float64) {
	semitones := func(i int) float64 {
		if i < 0 || i >= len(f.pitch) || f.pitch[i] <= 0 {
			return math.Inf(-1)
		}
		return 12 * math.Log2(float64(f.pitch[i]))
	}
	least := audioQuantile(f.level, 0.95) - audioActive
	for i, level := range f.level {
		if p := semitones(i); float64(level) >= least && p > 0 &&
			min(math.Abs(p-semitones(i-1)), math.Abs(p-semitones(i+1))) <= audioTurnsJump {
			at, pitch = append(at, i), append(pitch, p)
		}
	}
	return at, pitch
}

// audioValley finds the deepest place between two hills of the pitches' density
// that leaves a fair share on either side, if it is deep enough.
func audioValley(pitch []float64) (at float64, ok bool) {
	if len(pitch) < 4*audioTurnsLeast {
		return 0, false
	}
	lowest := slices.Min(pitch) - 3*audioTurnsKernel
	counts := make([]float64, int((slices.Max(pitch)+3*audioTurnsKernel-lowest)/audioTurnsStep)+1)
	for _, p := range pitch {
		counts[int((p-lowest)/audioTurnsStep)]++
	}
	density := make([]float64, len(counts))
	for i := range density {
		for j, n := range counts {
			d := float64(i-j) * audioTurnsStep / audioTurnsKernel
			density[i] += n * math.Exp(-d*d/2)
		}
	}
	left, right := slices.Clone(density), slices.Clone(density) // the highest so far, from either end
	for i := 1; i < len(density); i++ {
		left[i] = max(left[i], left[i-1])
		right[len(right)-1-i] = max(right[len(right)-1-i], right[len(right)-i])
	}
	deepest, below, least := audioTurnsValley, 0.0, audioTurnsEqual*float64(len(pitch))
	for i, d := range density {
		below += counts[i]
		if below < least || float64(len(pitch))-below < least {
			continue
		}
		if share := d / min(left[i], right[i]); share <= deepest {
			deepest, at, ok = share, lowest+float64(i+1)*audioTurnsStep, true
		}
	}
	return at, ok
}
