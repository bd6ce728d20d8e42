package forensics

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// The pitch that is followed.
const (
	audioPitchLowest  = 70   // Hz, of low voices …
	audioPitchHighest = 420  // Hz … and high ones
	audioPitchTop     = 1500 // Hz; of what lies above, consonants blur more than harmonics help
	audioPitchRate    = 8000 // per second, at least, of the lags that are looked at
	audioPitchVoiced  = 0.5  // likeness of a frame to itself a period later, from which it is voiced
	audioPitchOctave  = 0.05 // likeness that a period must gain for each octave it is longer
)

// audioPitch tells the pitch of a frame from its spectrum: the lag of the highest
// autocorrelation, corrected for the window's own (Boersma 1993), with a small
// bias against long lags, since twice a period is a period, too.
type audioPitch struct {
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
func newAudioPitch(rate, length int) *audioPitch {
	width := float64(rate) / float64(length)
	n := 64
	for float64(n)*width < audioPitchRate {
		n *= 2
	}
	p := &audioPitch{fft: fourier.NewFFT(n), coeffs: make([]complex128, n/2+1), lags: make([]float64, n), rate: float64(n) * width}
	p.low, p.top = int(math.Ceil(0.8*audioPitchLowest/width)), int(audioPitchTop/width)
	p.from, p.to = int(p.rate/audioPitchHighest), int(math.Ceil(p.rate/audioPitchLowest))
	p.correction, p.bias = make([]float64, p.to+2), make([]float64, p.to+2)
	hann := func(x float64) float64 { // autocorrelation of a Hann window; x is of its length
		return (1-x)*(2+math.Cos(2*math.Pi*x))/3 + math.Sin(2*math.Pi*x)/(2*math.Pi)
	}
	for i := range p.correction {
		x := float64(i) / float64(n)
		p.correction[i] = (hann(0) + hann(1)) / (hann(x) + hann(1-x)) // both, since it is circular
		p.bias[i] = audioPitchOctave * math.Log2(max(1, float64(i)/float64(p.from)))
	}
	return p
}

// of gives the pitch in Hz of a frame's power spectrum, or 0 for an unvoiced one.
func (p *audioPitch) of(power []float64) float64 {
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
		if v := p.lags[i]; v >= audioPitchVoiced && v >= p.lags[i-1] && v > p.lags[i+1] && v-p.bias[i] > best {
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
