package audio

// The search for pieces with another band limit.
const (
	bandStep     = 12.0 // dB within about 1 kHz that make an edge
	bandLeast    = 1000 // Hz that must be missing, or too much
	bandHalves   = 3    // half seconds that a piece lasts at least
	bandNothing  = -110 // dB of a strip, below which 16 bits hold nothing
	bandMiddle   = 16.0 // dB of a step that weigh 0.5
	bandWidth    = 2.0
	bandTransits = 3 // strips over which an edge may stretch
)

// bandLimits finds pieces whose upper cut-off differs from the rest's. It
// compares the floor of each half second, strip by strip of 250 Hz, with the
// median over the recording. A piece that was cut off lower falls behind the rest
// by at least 12 dB at an edge less than 1 kHz wide, and stays so far behind
// everywhere above; one that reaches higher has at least 12 dB more right above
// the rest's own edge. Either must last 1.5 s. So a recording whose floor is nothing above its cut-off, by
// itself, can't show a lower one.
func bandLimits(f *frames) []evidence {
	if len(f.strips) < 2*bandHalves {
		return nil
	}
	rest := make([]float64, len(f.strips[0]))
	column := make([]float32, len(f.strips))
	for s := range rest {
		for k := range f.strips {
			column[k] = float32(max(f.strips[k][s], bandNothing))
		}
		rest[s] = quantile(column, 0.5)
	}
	top := topStrip(rest)
	var found []evidence
	for _, look := range []struct {
		kind string
		step func(piece []float64) float64
	}{
		{"lower band limit", func(piece []float64) float64 { return lowerLimit(piece, rest, top) }},
		{"higher band limit", func(piece []float64) float64 { return higherLimit(piece, rest, top) }},
	} {
		for k := 0; k < len(f.strips); k++ {
			from, sum := k, 0.0
			for k < len(f.strips) {
				step := look.step(f.strips[k])
				if step < bandStep {
					break
				}
				sum += step
				k++
			}
			if n := k - from; n >= bandHalves {
				mean := sum / float64(n)
				found = append(found, evidence{
					kind: look.kind, measure: mean, raw: 0.95 * rise(mean, bandMiddle, bandWidth),
					start: float64(from) / stripsPerSecond, end: min(float64(k)/stripsPerSecond, f.duration()),
				})
			}
		}
	}
	return found
}

// topStrip is the strip at the recording's own cut-off, or the number of strips
// if it has none. Below 3 kHz a voice causes slopes that are no cut-offs.
func topStrip(rest []float64) int {
	const wide, lowest = bandTransits, 3000 / stripWidth
	best, edge := bandStep, len(rest)
	for s := lowest; s+wide+1 <= len(rest); s++ {
		if step := mean(rest[s-1-wide:s-1]) - mean(rest[s+1:s+1+wide]); step > best {
			best, edge = step, s
		}
	}
	return edge
}

// lowerLimit returns the step in dB from which on a piece stays below the rest,
// or 0.
func lowerLimit(piece, rest []float64, top int) float64 {
	const wide = bandTransits
	end := min(top, len(rest)) - 1 // the strip at the edge itself is a mixture
	missing := make([]float64, max(end, 0))
	for s := range missing {
		missing[s] = rest[s] - max(piece[s], bandNothing)
	}
	best, edge := 0.0, 0
	for s := wide + 1; s+wide+1 <= end; s++ {
		if step := mean(missing[s+1:s+1+wide]) - mean(missing[s-1-wide:s-1]); step > best {
			best, edge = step, s
		}
	}
	if (end-edge)*stripWidth < bandLeast {
		return 0
	}
	for s := edge + 1; s < end; s++ {
		if missing[s] < bandStep {
			return 0
		}
	}
	return best
}

// higherLimit returns the mean excess in dB of a piece over the rest above the
// rest's own cut-off, or 0.
func higherLimit(piece, rest []float64, top int) float64 {
	const least = bandLeast / stripWidth
	if top+1+least > len(rest) {
		return 0
	}
	var sum float64
	n := 0
	for s := top + 1; s < len(rest) && piece[s]-rest[s] >= bandStep; s++ {
		sum += piece[s] - rest[s]
		n++
	}
	if n < least {
		return 0
	}
	return sum / float64(n)
}

// mean is the arithmetic mean of at least one value.
func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
