package forensics

// The look for pieces with another band limit.
const (
	audioBandStep     = 12.0 // dB within about 1 kHz that make an edge
	audioBandLeast    = 1000 // Hz that must be missing, or too much
	audioBandHalves   = 3    // half seconds that a piece lasts at least
	audioBandNothing  = -110 // dB of a strip, below which 16 bits hold nothing
	audioBandMiddle   = 16.0 // dB of a step that weigh 0.5
	audioBandWidth    = 2.0
	audioBandTransits = 3 // strips over which an edge may stretch
)

// audioBandLimits finds pieces whose upper cut-off differs from the rest's. It
// compares the floor of each half second, strip by strip of 250 Hz, with the
// median over the recording. A piece that was cut off lower falls behind the rest
// by at least 12 dB at an edge less than 1 kHz wide, and stays so far behind
// everywhere above; one that reaches higher has at least 12 dB more right above
// the rest's own edge. Either must last 1.5 s. So a recording whose floor is nothing above its cut-off, by
// itself, can't show a lower one.
func audioBandLimits(f *audioFrames) []audioEvidence {
	if len(f.strips) < 2*audioBandHalves {
		return nil
	}
	rest := make([]float64, len(f.strips[0]))
	column := make([]float32, len(f.strips))
	for s := range rest {
		for k := range f.strips {
			column[k] = float32(max(f.strips[k][s], audioBandNothing))
		}
		rest[s] = audioQuantile(column, 0.5)
	}
	top := audioTopStrip(rest)
	var found []audioEvidence
	for _, look := range []struct {
		kind string
		step func(piece []float64) float64
	}{
		{"lower band limit", func(piece []float64) float64 { return audioLowerLimit(piece, rest, top) }},
		{"higher band limit", func(piece []float64) float64 { return audioHigherLimit(piece, rest, top) }},
	} {
		for k := 0; k < len(f.strips); k++ {
			from, sum := k, 0.0
			for k < len(f.strips) {
				step := look.step(f.strips[k])
				if step < audioBandStep {
					break
				}
				sum += step
				k++
			}
			if n := k - from; n >= audioBandHalves {
				mean := sum / float64(n)
				found = append(found, audioEvidence{
					kind: look.kind, measure: mean, raw: 0.95 * audioRise(mean, audioBandMiddle, audioBandWidth),
					start: float64(from) / audioStripsPerSecond, end: min(float64(k)/audioStripsPerSecond, f.duration()),
				})
			}
		}
	}
	return found
}

// audioTopStrip is the strip at the recording's own edge, or the number of strips
// where it has none. Below 3 kHz a voice makes slopes that are no edges.
func audioTopStrip(rest []float64) int {
	const wide, lowest = audioBandTransits, 3000 / audioStripWidth
	best, edge := audioBandStep, len(rest)
	for s := lowest; s+wide+1 <= len(rest); s++ {
		if step := audioMean(rest[s-1-wide:s-1]) - audioMean(rest[s+1:s+1+wide]); step > best {
			best, edge = step, s
		}
	}
	return edge
}

// audioLowerLimit gives the step in dB at which a piece falls behind the rest for
// good, or 0.
func audioLowerLimit(piece, rest []float64, top int) float64 {
	const wide = audioBandTransits
	end := min(top, len(rest)) - 1 // the strip at the edge itself is a mixture
	missing := make([]float64, max(end, 0))
	for s := range missing {
		missing[s] = rest[s] - max(piece[s], audioBandNothing)
	}
	best, edge := 0.0, 0
	for s := wide + 1; s+wide+1 <= end; s++ {
		if step := audioMean(missing[s+1:s+1+wide]) - audioMean(missing[s-1-wide:s-1]); step > best {
			best, edge = step, s
		}
	}
	if (end-edge)*audioStripWidth < audioBandLeast {
		return 0
	}
	for s := edge + 1; s < end; s++ {
		if missing[s] < audioBandStep {
			return 0
		}
	}
	return best
}

// audioHigherLimit gives the mean excess in dB of a piece over the rest above the
// rest's own edge, or 0.
func audioHigherLimit(piece, rest []float64, top int) float64 {
	const least = audioBandLeast / audioStripWidth
	if top+1+least > len(rest) {
		return 0
	}
	var sum float64
	n := 0
	for s := top + 1; s < len(rest) && piece[s]-rest[s] >= audioBandStep; s++ {
		sum += piece[s] - rest[s]
		n++
	}
	if n < least {
		return 0
	}
	return sum / float64(n)
}

// audioMean is the arithmetic mean of at least one value.
func audioMean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
