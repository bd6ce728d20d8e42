package forensics

import "math"

// The look for jumps of the noise floor.
const (
	audioFloorOdd    = 3.0 // dB from the whole's floor, from which a pause is looked at
	audioFloorMiddle = 6.0 // dB of a jump that weigh 0.5
	audioFloorWidth  = 0.9
	audioFloorDoubt  = 0.3 // what louder bumps weigh at most
	audioFloorPauses = 3   // that must be there to tell what is ordinary
)

// audioFloorJumps finds pauses, alone or several in a row, whose noise is not that
// of most pauses of the recording. A row's weight is that of the smaller of two
// measures: how far its noise is off, and how far it is from the ordinary pauses
// next to it, so that a floor that drifts weighs less. A louder one weighs at most
// 0.3 if it is a bump, that is, if there is something quieter right beside it: a
// breath sounds like that, and a room does not. A piece that holds no pause is not
// seen.
func audioFloorJumps(f *audioFrames) []audioEvidence {
	pauses := audioPauses(f)
	if len(pauses) < audioFloorPauses {
		return nil
	}
	whole := audioUsualFloor(pauses)
	odd := make([]float64, len(pauses))
	for i := range pauses {
		odd[i] = audioFloorDistance(&pauses[i].bands, &whole)
	}
	var found []audioEvidence
	for i := 0; i < len(pauses); i++ {
		if math.Abs(odd[i]) < audioFloorOdd {
			continue
		}
		from, off, bump := i, 0.0, true
		for i < len(pauses) && math.Abs(odd[i]) >= audioFloorOdd && odd[i]*odd[from] > 0 {
			off = max(off, math.Abs(odd[i]))
			bump = bump && pauses[i].bump
			i++
		}
		edge := 0.0
		if from > 0 {
			edge = math.Abs(audioFloorDistance(&pauses[from].bands, &pauses[from-1].bands))
		}
		if i < len(pauses) {
			edge = max(edge, math.Abs(audioFloorDistance(&pauses[i-1].bands, &pauses[i].bands)))
		}
		measure := min(off, edge)
		raw := 0.95 * audioRise(measure, audioFloorMiddle, audioFloorWidth)
		if odd[from] > 0 && bump {
			raw = min(raw, audioFloorDoubt)
		}
		found = append(found, audioEvidence{
			kind: "jump of the noise floor", start: pauses[from].start, end: pauses[i-1].end, raw: raw, measure: measure,
		})
		i--
	}
	return found
}

// audioUsualFloor is the median over the pauses, band by band.
func audioUsualFloor(pauses []audioPause) (whole [audioBands]float64) {
	column := make([]float32, len(pauses))
	for b := range whole {
		for i := range pauses {
			column[i] = float32(pauses[i].bands[b])
		}
		whole[b] = audioQuantile(column, 0.5)
	}
	return whole
}

// audioFloorDistance is the median over the bands of their distance in dB, with
// the sign of the median difference: what the floors do in most bands counts, not
// what they do in some.
func audioFloorDistance(a, b *[audioBands]float64) float64 {
	var sizes, signed [audioBands]float32
	for i := range a {
		signed[i] = float32(a[i] - b[i])
		sizes[i] = float32(math.Abs(a[i] - b[i]))
	}
	return math.Copysign(audioQuantile(sizes[:], 0.5), audioQuantile(signed[:], 0.5))
}
