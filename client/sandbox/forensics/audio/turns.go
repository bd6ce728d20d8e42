package audio

import (
	"math"
	"slices"

	"assay/client/sandbox/forensics"

	"gonum.org/v1/gonum/dsp/fourier"
)

// When two voices take turns.
const (
	turnsApart  = 6.0  // semitones between the middles of the two ranges of pitch
	turnsEqual  = 0.2  // least share of the voiced frames in either range
	turnsValley = 0.35 // of the lower hill, at most, the density between the two
	turnsKernel = 1.0  // semitones by which the density is smoothed
	turnsLeast  = 31   // voiced frames (half a second) that make a turn
	turnsWhole  = 0.7  // least share of the voiced frames that belong to turns
	turnsGap    = 8    // frames (130 ms) without voice that part two speakers
	turnsChange = 3    // changes of range: one piece put in makes two
	turnsJump   = 2.0  // semitones; a frame further from both neighbours is an error
	turnsStep   = 0.25 // semitones, of the density
)

// turnTaking describes the pitch of a recording's voices.
type turnTaking struct {
	voiced    float64 // seconds
	low, high float64 // Hz, middles of the two ranges; 0 if there is one
	changes   int     // of range, from turn to turn
	inTurns   float64 // share of the voiced frames
}

// twoSpeakers reports whether two voices take turns.
func (t turnTaking) twoSpeakers() bool {
	return t.changes >= turnsChange && t.inTurns >= turnsWhole
}

// turns looks for two voices by their pitch. The voiced frames must fall into
// two ranges, at least 6 semitones apart, with a valley between them and a fifth
// of the frames or more in either; and the ranges must alternate: in stretches of
// half a second of voice or more that hold 70 % of the voiced frames, with a pause
// of 130 ms or more at each change, and at least three changes. A speaker's pitch
// passes through the valley within a phrase, and a tracker's octave errors are
// short; a piece put in changes the range twice.
func turns(f *frames) turnTaking {
	at, pitch := voiced(f)
	t := turnTaking{voiced: float64(len(at)) / hopsPerSecond}
	split, ok := valley(pitch)
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
	lowMiddle := forensics.Median(low)
	highMiddle := forensics.Median(high)
	if highMiddle-lowMiddle < turnsApart {
		return t
	}
	t.low, t.high = math.Exp2(lowMiddle/12), math.Exp2(highMiddle/12)
	inTurns, end, wasHigh := 0, -1, false // end: the last turn's last frame
	for i := 0; i < len(pitch); {
		from, isHigh := i, pitch[i] >= split
		for i < len(pitch) && (pitch[i] >= split) == isHigh {
			i++
		}
		if i-from < turnsLeast {
			continue
		}
		inTurns += i - from
		if end >= 0 && isHigh != wasHigh && at[from]-end > turnsGap {
			t.changes++
		}
		end, wasHigh = at[i-1], isHigh
	}
	t.inTurns = float64(inTurns) / float64(len(pitch))
	return t
}

// voiced returns the voiced frames that sound and the logarithms of their
// pitch, in semitones above 1 Hz.
func voiced(f *frames) (at []int, pitch []float64) {
	semitones := func(i int) float64 {
		if i < 0 || i >= len(f.pitch) || f.pitch[i] <= 0 {
			return math.Inf(-1)
		}
		return 12 * math.Log2(float64(f.pitch[i]))
	}
	least := quantile(f.level, 0.95) - active
	for i, level := range f.level {
		if p := semitones(i); float64(level) >= least && p > 0 &&
			min(math.Abs(p-semitones(i-1)), math.Abs(p-semitones(i+1))) <= turnsJump {
			at, pitch = append(at, i), append(pitch, p)
		}
	}
	return at, pitch
}

// valley finds the deepest place between two hills of the pitches' density
// that leaves a fair share on either side, if it is deep enough.
func valley(pitch []float64) (at float64, ok bool) {
	if len(pitch) < 4*turnsLeast {
		return 0, false
	}
	lowest := slices.Min(pitch) - 3*turnsKernel
	counts := make([]float64, int((slices.Max(pitch)+3*turnsKernel-lowest)/turnsStep)+1)
	for _, p := range pitch {
		counts[int((p-lowest)/turnsStep)]++
	}
	density := make([]float64, len(counts))
	for i := range density {
		for j, n := range counts {
			d := float64(i-j) * turnsStep / turnsKernel
			density[i] += n * math.Exp(-d*d/2)
		}
	}
	left, right := slices.Clone(density), slices.Clone(density) // the highest so far, from either end
	for i := 1; i < len(density); i++ {
		left[i] = max(left[i], left[i-1])
		right[len(right)-1-i] = max(right[len(right)-1-i], right[len(right)-i])
	}
	deepest, below, least := turnsValley, 0.0, turnsEqual*float64(len(pitch))
	for i, d := range density {
		below += counts[i]
		if below < least || float64(len(pitch))-below < least {
			continue
		}
		if share := d / min(left[i], right[i]); share <= deepest {
			deepest, at, ok = share, lowest+float64(i+1)*turnsStep, true
		}
	}
	return at, ok
}

// The bounds of the pitch tracker.
const (
	pitchLowest  = 70   // Hz, of low voices …
	pitchHighest = 420  // Hz … and high ones
	pitchTop     = 1500 // Hz; of what lies above, consonants blur more than harmonics help
	pitchRate    = 8000 // per second, at least, of the lags that are looked at
	pitchVoiced  = 0.5  // likeness of a frame to itself a period later, from which it is voiced
	pitchOctave  = 0.05 // likeness that a period must gain for each octave it is longer
)

// pitch determines the pitch of a frame from its spectrum: the lag of the highest
// autocorrelation, corrected for the window's own (Boersma 1993), with a small
// bias against long lags, since twice a period is a period, too.
type pitch struct {
	fft        *fourier.FFT
	coeffs     []complex128
	lags       []float64
	correction []float64 // by lag
	bias       []float64 // by lag
	from, to   int       // lags
	low, top   int       // coefficients of the frame's spectrum
	rate       float64   // of the lags
}

// newAudioPitch takes the length of the frames in samples.
func newAudioPitch(rate, length int) *pitch {
	width := float64(rate) / float64(length)
	n := 64
	for float64(n)*width < pitchRate {
		n *= 2
	}
	p := &pitch{fft: fourier.NewFFT(n), coeffs: make([]complex128, n/2+1), lags: make([]float64, n), rate: float64(n) * width}
	p.low, p.top = int(math.Ceil(0.8*pitchLowest/width)), int(pitchTop/width)
	p.from, p.to = int(p.rate/pitchHighest), int(math.Ceil(p.rate/pitchLowest))
	p.correction, p.bias = make([]float64, p.to+2), make([]float64, p.to+2)
	hann := func(x float64) float64 { // autocorrelation of a Hann window; x is of its length
		return (1-x)*(2+math.Cos(2*math.Pi*x))/3 + math.Sin(2*math.Pi*x)/(2*math.Pi)
	}
	for i := range p.correction {
		x := float64(i) / float64(n)
		p.correction[i] = (hann(0) + hann(1)) / (hann(x) + hann(1-x)) // both, since it is circular
		p.bias[i] = pitchOctave * math.Log2(max(1, float64(i)/float64(p.from)))
	}
	return p
}

// of returns the pitch in Hz of a frame's power spectrum, or 0 for an unvoiced one.
func (p *pitch) of(power []float64) float64 {
	for i := p.low; i <= p.top; i++ {
		p.coeffs[i] = complex(power[i], 0)
	}
	p.lags = p.fft.Sequence(p.lags, p.coeffs)
	whole := p.lags[0]
	if whole <= 0 {
		return 0
	}
	for i := range p.correction {
		p.lags[i] *= p.correction[i] / whole
	}
	best, at := math.Inf(-1), 0
	for i := p.from; i <= p.to; i++ {
		if v := p.lags[i]; v >= pitchVoiced && v >= p.lags[i-1] && v > p.lags[i+1] && v-p.bias[i] > best {
			best, at = v-p.bias[i], i
		}
	}
	if at == 0 {
		return 0
	}
	// A parabola through three lags finds the peak between them.
	a, b, c := p.lags[at-1], p.lags[at], p.lags[at+1]
	return p.rate / (float64(at) + (a-c)/(2*(a-2*b+c)))
}
