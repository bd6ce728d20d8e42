package audio

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// The grid on which a recording is measured.
const (
	hopsPerSecond    = 62.5 // a spectrum every 16 ms
	blocksPerSecond  = 250  // peaks of the waveform every 4 ms
	bandCount        = 24   // bands of the noise floor, evenly spread over the ear's scale
	stripWidth       = 250  // Hz, of the strips in which band limits are looked for
	lowest           = 150  // Hz; below lie hum and rumble
	silentLevel      = -120 // dB, for nothing at all
	tonalLow         = 200  // Hz; tones are looked for from here …
	tonalHigh        = 4000 // … to here
	tonalLag         = 10   // frames (160 ms) over which a tone must stand still
	stripsPerSecond  = 2    // the floor's spectrum is kept for every half second
	highestFrequency = 24000
)

// frames holds the measures of a whole recording: about 20 kB per second of
// sound, whatever its sampling rate.
type frames struct {
	rate     int
	samples  int
	level    []float32   // dB of full scale by frame
	flatness []float32   // 0 (tones) to 1 (white), of 150 Hz and above, by frame
	tonal    []float32   // −1..1 by frame: how alike the peaks of the spectrum are over the lag
	crest    []float32   // dB by frame: how far the strongest peaks stand out between 200 and 4000 Hz
	pitch    []float32   // Hz by frame; 0 where there is no voice
	bands    [][]float32 // dB by frame and band
	means    []float32   // mean value by hop, of full scale 1
	peaks    []float32   // largest absolute sample by block
	jumps    []float32   // largest third difference by block
	strips   [][]float64 // dB by half second and strip of 250 Hz that three quarters of the frames exceed
}

// meter measures samples as they come, so that a long recording is never in
// memory as a whole.
type meter struct {
	frames  *frames
	fft     *fourier.FFT
	pitch   *pitch
	window  []float64
	scale   float64 // turns squared coefficients into power of full scale
	pending []float64
	started int // hops begun
	taken   int // samples dropped from the front of pending

	work    []float64
	coeffs  []complex128
	power   []float64
	bandOf  []int // band of each coefficient, or −1
	stripOf []int // strip of each coefficient, or −1
	lowBin  int
	topBin  int
	past    [][]float64 // fine spectra of the last frames
	smooth  []float64

	strip  []float64   // powers of the frame at hand
	column [][]float32 // dB of the frames of this half second, by strip

	last                [3]float64
	blockPeak, blockHop float64
	inBlock, blocks     int
	hopSum              float64
	inHop               int
}

func newMeter(rate int) *meter {
	n := 128
	for float64(n) < float64(rate)*0.035 { // long enough to tell a low voice's harmonics apart
		n *= 2
	}
	m := &meter{frames: &frames{rate: rate}, fft: fourier.NewFFT(n), pitch: newAudioPitch(rate, n)}
	m.window, m.work = make([]float64, n), make([]float64, n)
	var energy float64
	for i := range m.window {
		m.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
		energy += m.window[i] * m.window[i]
	}
	// Parseval: the one-sided sum of the scaled squares is the mean square.
	m.scale = 2 / (energy * float64(n))
	m.coeffs, m.power = make([]complex128, n/2+1), make([]float64, n/2+1)
	m.bandOf, m.stripOf = make([]int, n/2+1), make([]int, n/2+1)
	width := float64(rate) / float64(n)
	highest := min(float64(rate)/2*0.92, 16000)
	strips := int(min(highestFrequency, float64(rate)/2) / stripWidth)
	mel := func(f float64) float64 { return math.Log1p(f / 700) }
	for i := range m.bandOf {
		f := float64(i) * width
		m.bandOf[i] = -1
		if f >= lowest && f < highest {
			m.bandOf[i] = int((mel(f) - mel(lowest)) / (mel(highest) - mel(lowest)) * bandCount)
		}
		m.stripOf[i] = -1
		if s := int(f / stripWidth); s < strips {
			m.stripOf[i] = s
		}
		if f < tonalLow {
			m.lowBin = i + 1
		}
		if f < min(tonalHigh, highest) {
			m.topBin = i + 1
		}
	}
	m.strip = make([]float64, strips)
	m.column = make([][]float32, len(m.strip))
	return m
}

// add takes the next samples of the mono mix.
func (m *meter) add(samples []float64) {
	f := m.frames
	for _, x := range samples {
		if !(math.Abs(x) <= 4) { // NaN and Inf of a broken decoder, too
			x = 0
		}
		m.pending = append(m.pending, x)
		m.waveform(x)
	}
	n := len(m.window)
	for {
		start := int(math.Round(float64(m.started)*float64(f.rate)/hopsPerSecond)) - m.taken
		if start+n > len(m.pending) {
			break
		}
		m.frame(m.pending[start : start+n])
		m.started++
	}
	if next := int(math.Round(float64(m.started)*float64(f.rate)/hopsPerSecond)) - m.taken; next > 0 && next <= len(m.pending) {
		m.pending = append(m.pending[:0], m.pending[next:]...)
		m.taken += next
	}
}

// waveform keeps the measures that are taken sample by sample.
func (m *meter) waveform(x float64) {
	f := m.frames
	if f.samples >= 3 {
		m.blockHop = max(m.blockHop, math.Abs(x-3*m.last[0]+3*m.last[1]-m.last[2]))
	}
	m.last = [3]float64{x, m.last[0], m.last[1]}
	m.blockPeak = max(m.blockPeak, math.Abs(x))
	f.samples++
	m.inBlock++
	if f.samples >= (m.blocks+1)*f.rate/blocksPerSecond {
		f.peaks = append(f.peaks, float32(m.blockPeak))
		f.jumps = append(f.jumps, float32(m.blockHop))
		m.blocks++
		m.inBlock, m.blockPeak, m.blockHop = 0, 0, 0
	}
	m.hopSum += x
	m.inHop++
	if float64(f.samples) >= float64(len(f.means)+1)*float64(f.rate)/hopsPerSecond {
		f.means = append(f.means, float32(m.hopSum/float64(m.inHop)))
		m.hopSum, m.inHop = 0, 0
	}
}

// frame measures one window's spectrum.
func (m *meter) frame(samples []float64) {
	f := m.frames
	for i, x := range samples {
		m.work[i] = x * m.window[i]
	}
	m.coeffs = m.fft.Coefficients(m.coeffs, m.work)
	bands := make([]float32, bandCount)
	var sums [bandCount]float64
	var counts [bandCount]int
	var total, logs, plain float64
	used := 0
	for i, c := range m.coeffs {
		p := (real(c)*real(c) + imag(c)*imag(c)) * m.scale
		m.power[i] = p
		if s := m.stripOf[i]; s >= 0 {
			m.strip[s] += p
		}
		if b := m.bandOf[i]; b >= 0 {
			sums[b] += p
			counts[b]++
			total += p
			logs += math.Log(p + 1e-15)
			plain += p + 1e-15
			used++
		}
	}
	for b := range bands {
		bands[b] = silentLevel
		if counts[b] > 0 {
			bands[b] = float32(decibel(sums[b] / float64(counts[b])))
		}
	}
	f.bands = append(f.bands, bands)
	f.level = append(f.level, float32(decibel(total)))
	flat := 0.0
	if used > 0 {
		flat = math.Exp(logs/float64(used)) / (plain / float64(used))
	}
	f.flatness = append(f.flatness, float32(flat))
	f.pitch = append(f.pitch, float32(m.pitch.of(m.power)))
	m.tones()
	for i, p := range m.strip {
		m.column[i] = append(m.column[i], float32(decibel(p)))
		m.strip[i] = 0
	}
	if len(f.level) == int(math.Round(float64(len(f.strips)+1)*hopsPerSecond/stripsPerSecond)) {
		m.endStrip()
	}
}

// tones compares the fine structure of the spectrum, that is, what stands above
// its own running mean, with that of an earlier frame.
func (m *meter) tones() {
	f := m.frames
	fine := make([]float64, m.topBin-m.lowBin)
	for i := range fine {
		fine[i] = decibel(m.power[m.lowBin+i])
	}
	// A mean over about 300 Hz takes formants away and leaves harmonics.
	half := max(2, int(150*float64(len(m.window))/float64(f.rate)))
	m.smooth = append(m.smooth[:0], make([]float64, len(fine)+1)...)
	for i, v := range fine {
		m.smooth[i+1] = m.smooth[i] + v
	}
	var crest float64
	for i := range fine {
		from, to := max(0, i-half), min(len(fine), i+half+1)
		fine[i] = max(0, fine[i]-(m.smooth[to]-m.smooth[from])/float64(to-from)-3)
		crest = max(crest, fine[i])
	}
	f.crest = append(f.crest, float32(crest))
	likeness := 0.0
	if len(m.past) == tonalLag {
		var a, b, ab float64
		for i, v := range m.past[0] {
			a += v * v
			b += fine[i] * fine[i]
			ab += v * fine[i]
		}
		if a > 0 && b > 0 {
			likeness = ab / math.Sqrt(a*b)
		}
		m.past = append(m.past[:0], m.past[1:]...)
	}
	m.past = append(m.past, fine)
	f.tonal = append(f.tonal, float32(likeness))
}

// endStrip keeps the floor of the last half second.
func (m *meter) endStrip() {
	floor := make([]float64, len(m.column))
	for i, levels := range m.column {
		floor[i] = quantile(levels, 0.25)
		m.column[i] = levels[:0]
	}
	m.frames.strips = append(m.frames.strips, floor)
}

// decibel puts a power into dB, with a floor at silentLevel.
func decibel(power float64) float64 { return 10 * math.Log10(power+1e-12) }

// duration is in seconds.
func (f *frames) duration() float64 { return float64(f.samples) / float64(f.rate) }
