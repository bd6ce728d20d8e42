package audio

import "math"

// The search for jumps of the noise floor.
const (
	floorOdd    = 3.0 // from the whole's floor, from which a pause counts
	floorMiddle = 6.0 // dB of a jump that weigh 0.5
	floorWidth  = 0.9
	floorDoubt  = 0.3 // what louder bumps weigh at most
	floorPauses = 3   // needed to determine what is ordinary
)

// floorJumps finds pauses, alone or several in a row, whose noise is not that
// of most pauses of the recording. A row's weight is that of the smaller of two
// measures: how far its noise is off, and how far it is from the ordinary pauses
// next to it, so that a floor that drifts weighs less. A louder one weighs at most
// 0.3 if it is a bump, that is, if there is something quieter right beside it: a
// breath sounds like that, and a room does not. A piece that holds no pause is not
// seen.
func floorJumps(f *frames) []evidence {
	pauses := pauses(f)
	if len(pauses) < floorPauses {
		return nil
	}
	whole := usualFloor(pauses)
	odd := make([]float64, len(pauses))
	for i := range pauses {
		odd[i] = floorDistance(&pauses[i].bands, &whole)
	}
	var found []evidence
	for i := 0; i < len(pauses); i++ {
		if math.Abs(odd[i]) < floorOdd {
			continue
		}
		from, off, bump := i, 0.0, true
		for i < len(pauses) && math.Abs(odd[i]) >= floorOdd && odd[i]*odd[from] > 0 {
			off = max(off, math.Abs(odd[i]))
			bump = bump && pauses[i].bump
			i++
		}
		edge := 0.0
		if from > 0 {
			edge = math.Abs(floorDistance(&pauses[from].bands, &pauses[from-1].bands))
		}
		if i < len(pauses) {
			edge = max(edge, math.Abs(floorDistance(&pauses[i-1].bands, &pauses[i].bands)))
		}
		measure := min(off, edge)
		raw := 0.95 * rise(measure, floorMiddle, floorWidth)
		if odd[from] > 0 && bump {
			raw = min(raw, floorDoubt)
		}
		found = append(found, evidence{
			kind: "jump of the noise floor", start: pauses[from].start, end: pauses[i-1].end, raw: raw, measure: measure,
		})
		i--
	}
	return found
}

// usualFloor is the median over the pauses, band by band.
func usualFloor(pauses []pause) (whole [bandCount]float64) {
	column := make([]float32, len(pauses))
	for b := range whole {
		for i := range pauses {
			column[i] = float32(pauses[i].bands[b])
		}
		whole[b] = quantile(column, 0.5)
	}
	return whole
}

// floorDistance is the median over the bands of their distance in dB, with
// the sign of the median difference: what the floors do in most bands counts, not
// what they do in some.
func floorDistance(a, b *[bandCount]float64) float64 {
	var sizes, signed [bandCount]float32
	for i := range a {
		signed[i] = float32(a[i] - b[i])
		sizes[i] = float32(math.Abs(a[i] - b[i]))
	}
	return math.Copysign(quantile(sizes[:], 0.5), quantile(signed[:], 0.5))
}

// What counts as a pause.
const (
	pauseFrames = 10   // 160 ms: longer than most hissing consonants
	pauseCrest  = 11.0 // dB; peaks that stand out further are a voice's harmonics
	pauseSteady = 4.0  // dB from the pause's mean level so far, and to what is beside a bump
)

// pause is an interval in which only the room is heard.
type pause struct {
	start, end float64            // seconds
	level      float64            // mean in dB
	bands      [bandCount]float64 // mean in dB
	bump       bool               // it is quieter within a fifth of a second before or after
}

// pauses finds the intervals of at least 160 ms that are steady and noise-like:
// no narrow peak stands out of their spectra, and their level stays within 4 dB.
// Long hissing sounds are included, and digital silence is not.
func pauses(f *frames) []pause {
	var pauses []pause
	for i := 0; i < len(f.level); {
		from, sum := i, 0.0
		for i < len(f.level) {
			level := float64(f.level[i])
			if level < mute-10 || f.crest[i] > pauseCrest {
				break
			}
			if n := i - from; n > 0 && math.Abs(level-sum/float64(n)) > pauseSteady {
				break
			}
			sum += level
			i++
		}
		n := i - from
		if n < pauseFrames {
			i = from + 1
			continue
		}
		p := pause{start: float64(from) / hopsPerSecond, end: float64(i) / hopsPerSecond, level: sum / float64(n)}
		for _, bands := range f.bands[from:i] {
			for b, v := range bands {
				p.bands[b] += float64(v) / float64(n)
			}
		}
		p.bump = quieterBeside(f.level, from, i, p.level-pauseSteady)
		pauses = append(pauses, p)
	}
	return pauses
}

// quieterBeside reports whether a level within 12 frames of from:to is below a limit.
func quieterBeside(level []float32, from, to int, limit float64) bool {
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
