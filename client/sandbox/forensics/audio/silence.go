package audio

import (
	"slices"

	"assay/client/sandbox/forensics"
)

// The search for inserted digital silence.
const (
	silenceShare = 0.06 // of the quiet parts' peak: 24 dB below them
	silenceLeast = 0.028
	silenceLong  = 0.06 // seconds; shorter ones weigh less
	silenceEdge  = 0.3  // seconds at either end in which silence is what encoders add
)

// silences finds stretches that are (almost) exactly zero inside a recording
// whose quiet parts are not. A few are signs of a cut or of muting (0.92, short
// ones 0.75). Many, more than three and one in eight seconds, are what a noise
// gate, a conference system or a speech generator leaves in every pause, and
// weigh 0.5. None at the very ends counts.
func silences(f *frames) []evidence {
	sounding := make([]float32, 0, len(f.peaks))
	for _, p := range f.peaks {
		if p > 0 {
			sounding = append(sounding, p)
		}
	}
	limit := float32(quantile(sounding, 0.1)) * silenceShare
	const second = 1.0 / blocksPerSecond
	var found []evidence
	for i := 0; i < len(f.peaks); i++ {
		if f.peaks[i] > limit {
			continue
		}
		from := i
		for i < len(f.peaks) && f.peaks[i] <= limit {
			i++
		}
		start, end := float64(from)*second, float64(i)*second
		if end-start < silenceLeast || start < silenceEdge || end > f.duration()-silenceEdge {
			continue
		}
		found = append(found, evidence{kind: "digital silence", start: start, end: end, measure: end - start})
	}
	many := float64(len(found)) > max(3, f.duration()/8)
	for i := range found {
		switch {
		case many:
			found[i].raw = 0.5
		case found[i].measure < silenceLong:
			found[i].raw = 0.75
		default:
			found[i].raw = 0.92
		}
	}
	return found
}

// breaks finds single breaks of the waveform, by its third difference, which
// is small in all that a microphone hears: a break stands at least 8 times above
// everything within a quarter of a second. A real click does the same, so that one
// weighs up to 0.6.
func breaks(f *frames) []evidence {
	const second, around = 1.0 / blocksPerSecond, blocksPerSecond / 4
	var found []evidence
	for i := around; i < len(f.jumps)-around; i++ {
		at := f.jumps[i]
		if at < 0.002 || at < 4*max(f.jumps[i-3], f.jumps[i+3]) {
			continue
		}
		other := max(slices.Max(f.jumps[i-around:i-1]), slices.Max(f.jumps[i+2:i+around]))
		if other <= 0 { // next to digital silence, which silences finds
			continue
		}
		if ratio := float64(at / other); ratio > 4 {
			found = append(found, evidence{
				kind: "break in the waveform", start: float64(i) * second, end: float64(i+1) * second,
				raw: 0.6 * rise(ratio, 8, 1.5), measure: ratio,
			})
		}
	}
	return found
}

// offsets finds jumps of the mean value, which stays put within one recording
// device: half a second on either side, against the changes elsewhere.
func offsets(f *frames) []evidence {
	const half = 31 // hops, about half a second
	if len(f.means) < 4*half {
		return nil
	}
	sums := make([]float64, len(f.means)+1)
	for i, v := range f.means {
		sums[i+1] = sums[i] + float64(v)
	}
	jump := func(i int) float64 { return (sums[i+half] - 2*sums[i] + sums[i-half]) / half }
	changes := make([]float64, 0, len(f.means))
	for i := half; i <= len(f.means)-half; i++ {
		changes = append(changes, jump(i))
	}
	_, spread := forensics.MedianAndMAD(slices.Clone(changes))
	var found []evidence
	for i, c := range changes {
		c = max(c, -c)
		if c < 0.003 || !highest(changes, i, half) {
			continue
		}
		if ratio := c / (spread + 0.0004); ratio > 5 {
			at := float64(i+half) / hopsPerSecond
			found = append(found, evidence{kind: "jump of the mean value", start: at - 0.02, end: at + 0.02, raw: 0.9 * rise(ratio, 8, 1.5), measure: c})
		}
	}
	return found
}

// highest reports whether no value within reach is larger in size.
func highest(values []float64, at, reach int) bool {
	size := max(values[at], -values[at])
	for j := max(0, at-reach); j < min(len(values), at+reach+1); j++ {
		if v := max(values[j], -values[j]); v > size || (v == size && j < at) {
			return false
		}
	}
	return true
}
