package audio

import (
	"math"
	"math/rand/v2"
	"testing"
)

// voice says how to make a recording of a speaker in a room. The same seed gives
// the same samples.
type voice struct {
	seed    uint64
	rate    int
	seconds float64
	floor   float64 // RMS of the room's noise, of full scale 1
	tilt    float64 // 0: white noise; towards 1: darker
	pitch   float64 // Hz at a phrase's end, about; 0: of the seed's own choice
	uneasy  bool    // the room's noise drifts by ±3 dB, the speaker breathes and a mouth clicks
}

func speaker(seed uint64) voice {
	chance := rand.New(rand.NewPCG(seed, 7)) // #nosec G404 -- repeatable, no secret
	return voice{
		seed: seed, rate: []int{16000, 22050, 44100}[chance.IntN(3)], seconds: 9 + 12*chance.Float64(),
		floor: math.Pow(10, -(52+14*chance.Float64())/20), tilt: 0.9 * chance.Float64(),
		uneasy: seed%2 == 0,
	}
}

// resonator is a two-pole filter, for one formant.
type resonator struct{ a, b, c, y1, y2 float64 }

func (r *resonator) tune(frequency, width float64, rate int) {
	r.c = -math.Exp(-2 * math.Pi * width / float64(rate))
	r.b = 2 * math.Exp(-math.Pi*width/float64(rate)) * math.Cos(2*math.Pi*frequency/float64(rate))
	r.a = 1 - r.b - r.c
}

func (r *resonator) next(x float64) float64 {
	y := r.a*x + r.b*r.y1 + r.c*r.y2
	r.y1, r.y2 = y, r.y1
	return y
}

// speech makes phrases of four to eight syllables (vowels of three formants over
// a pulse train whose pitch moves, and hissing consonants), with pauses between
// them, over the noise of a room.
func (v voice) speech() []float64 {
	chance := rand.New(rand.NewPCG(v.seed, 11)) // #nosec G404 -- repeatable, no secret
	out := make([]float64, int(v.seconds*float64(v.rate)))
	pitch := 95 + 110*chance.Float64()
	if v.pitch > 0 {
		pitch = v.pitch
	}
	var formants [3]resonator
	vowels := [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}, {440, 1020, 2240}}
	at := int((0.2 + 0.3*chance.Float64()) * float64(v.rate))
	for at < len(out) {
		start := pitch * (1.1 + 0.2*chance.Float64())
		for syllable := range 4 + chance.IntN(5) {
			if chance.Float64() < 0.6 { // a consonant
				n := int((0.04 + 0.06*chance.Float64()) * float64(v.rate))
				loud, before := 0.02+0.03*chance.Float64(), 0.0
				for i := range n {
					noise := chance.NormFloat64()
					if at+i < len(out) {
						out[at+i] += loud * (noise - 0.8*before) * math.Sin(math.Pi*float64(i)/float64(n))
					}
					before = noise
				}
				at += n
			}
			vowel := vowels[chance.IntN(len(vowels))]
			for k := range formants {
				formants[k].tune(vowel[k]*(0.92+0.16*chance.Float64()), 60+40*float64(k), v.rate)
			}
			n := int((0.11 + 0.14*chance.Float64()) * float64(v.rate))
			loud := 0.5 + 0.5*chance.Float64()
			glide := 0.85 + 0.3*chance.Float64()
			phase, source := 0.0, 0.0
			for i := range n {
				share := float64(i) / float64(n)
				phase += start * (1 - 0.04*float64(syllable)) * (1 + (glide-1)*share) * (1 + 0.01*chance.NormFloat64()) / float64(v.rate)
				pulse := 0.0
				if phase >= 1 {
					phase--
					pulse = 1
				}
				source = 0.96*source + pulse // the glottis' own fall of 12 dB an octave, halved by the lips
				y := source
				for k := range formants {
					y = formants[k].next(y)
				}
				if at+i < len(out) {
					out[at+i] += 0.35 * loud * y * math.Pow(math.Sin(math.Pi*share), 0.6)
				}
			}
			at += n + int(0.03*chance.Float64()*float64(v.rate))
		}
		gap := int((0.25 + 0.4*chance.Float64()) * float64(v.rate))
		if v.uneasy && chance.Float64() < 0.4 {
			v.breathe(out, at+gap/4, gap/2, chance)
		}
		at += gap
	}
	highPass(out, 50, v.rate)
	v.addRoom(out)
	return out
}

// breathe adds a breath and the click with which it begins.
func (v voice) breathe(out []float64, at, n int, chance *rand.Rand) {
	loud := v.floor * (2 + 4*chance.Float64())
	for i := range n {
		if at+i < len(out) {
			out[at+i] += loud * math.Sin(math.Pi*float64(i)/float64(n)) * chance.NormFloat64()
		}
	}
	if at+8 < len(out) {
		for i := range 8 {
			out[at+i] += 0.02 * math.Sin(math.Pi*float64(i)/4) * (1 - float64(i)/8)
		}
	}
}

// highPass takes the mean value away, as every microphone does.
func highPass(samples []float64, frequency float64, rate int) {
	keep := math.Exp(-2 * math.Pi * frequency / float64(rate))
	before, y := 0.0, 0.0
	for i, x := range samples {
		y = keep * (y + x - before)
		before, samples[i] = x, y
	}
}

// addRoom adds the noise floor.
func (v voice) addRoom(samples []float64) {
	chance := rand.New(rand.NewPCG(v.seed, 13)) // #nosec G404 -- repeatable, no secret
	y := 0.0
	scale := v.floor * math.Sqrt(1-v.tilt*v.tilt)
	for i := range samples {
		y = v.tilt*y + chance.NormFloat64()
		drift := 1.0
		if v.uneasy {
			drift = math.Pow(10, 3*math.Sin(2*math.Pi*float64(i)/(9*float64(v.rate)))/20)
		}
		samples[i] += scale * drift * y
	}
}

// replaced lays a piece over samples from a moment on.
func replaced(samples, piece []float64, at float64, rate int) []float64 {
	out := append([]float64(nil), samples...)
	copy(out[int(at*float64(rate)):], piece)
	return out
}

// muted inserts zeros.
func muted(samples []float64, at, seconds float64, rate int) []float64 {
	i := int(at * float64(rate))
	out := append([]float64(nil), samples[:i]...)
	out = append(out, make([]float64, int(seconds*float64(rate)))...)
	return append(out, samples[i:]...)
}

// lowPassed filters a stretch by a windowed sinc of 255 taps, as a resampler does.
func lowPassed(samples []float64, cut float64, rate int) []float64 {
	const half = 127
	var taps [2*half + 1]float64
	for i := range taps {
		x := float64(i - half)
		t := 2 * cut / float64(rate)
		if x != 0 {
			t = math.Sin(2*math.Pi*cut/float64(rate)*x) / (math.Pi * x)
		}
		taps[i] = t * (0.42 + 0.5*math.Cos(math.Pi*x/half) + 0.08*math.Cos(2*math.Pi*x/half))
	}
	out := make([]float64, len(samples))
	for i := range out {
		for k, t := range taps {
			if j := i + k - half; j >= 0 && j < len(samples) {
				out[i] += t * samples[j]
			}
		}
	}
	return out
}

// tones is a sum of sine waves with a few harmonics.
func tones(rate int, seconds, loud float64, harmonics int, frequencies ...float64) []float64 {
	out := make([]float64, int(seconds*float64(rate)))
	for i := range out {
		for _, f := range frequencies {
			for h := 1; h <= harmonics; h++ {
				out[i] += loud / float64(h*len(frequencies)) * math.Sin(2*math.Pi*f*float64(h*i)/float64(rate))
			}
		}
	}
	return out
}

// heard analyses a recording that must be readable.
func heard(t testing.TB, data []byte, ext string) *Report {
	t.Helper()
	report, err := Analyse(t.Context(), data, ext, nil)
	if err != nil {
		t.Fatalf("Audio: %v", err)
	}
	return report
}

// A kind of alteration: the samples of a speaker, altered from one moment to another.
type alteration struct {
	name  string
	model string // the model that is to find it
	alter func(v voice, clean []float64, at, length float64) (altered []float64, end float64)
}

var alterations = []alteration{
	{"piece with a louder floor (+9 to +15 dB)", spliceName, func(v voice, clean []float64, at, length float64) ([]float64, float64) {
		other := voice{seed: v.seed + 1000, rate: v.rate, seconds: length, floor: v.floor * math.Pow(10, (9+6*shareOf(v.seed))/20), tilt: 1 - v.tilt}
		return replaced(clean, other.speech(), at, v.rate), at + length
	}},
	{"piece with a quieter floor (−9 to −15 dB)", spliceName, func(v voice, clean []float64, at, length float64) ([]float64, float64) {
		other := voice{seed: v.seed + 1000, rate: v.rate, seconds: length, floor: v.floor / math.Pow(10, (9+6*shareOf(v.seed))/20), tilt: v.tilt / 2}
		return replaced(clean, other.speech(), at, v.rate), at + length
	}},
	{"piece with a floor 4 to 8 dB louder", spliceName, func(v voice, clean []float64, at, length float64) ([]float64, float64) {
		other := voice{seed: v.seed + 1000, rate: v.rate, seconds: length, floor: v.floor * math.Pow(10, (4+4*shareOf(v.seed))/20), tilt: v.tilt}
		return replaced(clean, other.speech(), at, v.rate), at + length
	}},
	{"inserted digital silence (80 to 400 ms)", spliceName, func(v voice, clean []float64, at, _ float64) ([]float64, float64) {
		gap := 0.08 + 0.32*shareOf(v.seed)
		return muted(clean, at, gap, v.rate), at + gap
	}},
	{"piece with another mean value", spliceName, func(v voice, clean []float64, at, length float64) ([]float64, float64) {
		other := append([]float64(nil), clean...)
		for i := int(at * float64(v.rate)); i < int((at+length)*float64(v.rate)); i++ {
			other[i] += 0.006 + 0.01*shareOf(v.seed)
		}
		return other, at + length
	}},
	{"band-limited piece (35 to 70 % of the range)", bandName, func(v voice, clean []float64, at, length float64) ([]float64, float64) {
		from, to := int(at*float64(v.rate)), int((at+length)*float64(v.rate))
		cut := float64(v.rate) / 2 * (0.35 + 0.35*shareOf(v.seed))
		return replaced(clean, lowPassed(clean[from:to], cut, v.rate), at, v.rate), at + length
	}},
	{"half a second cut out, same recording", spliceName, func(v voice, clean []float64, at, _ float64) ([]float64, float64) {
		i := int(at * float64(v.rate))
		return append(append([]float64(nil), clean[:i]...), clean[i+v.rate/2:]...), at
	}},
}

// shareOf is a number of 0..1 that belongs to a seed.
func shareOf(seed uint64) float64 {
	return rand.New(rand.NewPCG(seed, 17)).Float64() // #nosec G404 -- repeatable, no secret
}

// altered makes the altered recording of a speaker, and says where.
func (a alteration) altered(v voice, clean []float64) (samples []float64, start, end float64) {
	length := 2.2 + 1.6*shareOf(v.seed+5)
	start = 1.2 + (v.seconds-length-2.4)*shareOf(v.seed+9)
	samples, end = a.alter(v, clean, start, length)
	return samples, start, end
}
