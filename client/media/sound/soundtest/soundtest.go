// Package soundtest makes recordings for tests.
package soundtest

import (
	"encoding/binary"
	"math"
)

// WAV returns a WAV file whose header has the given values: the code of its samples (1 for integers, 3 for floating point), channels,
// samples per second, bits of a sample, and how many bytes of samples it claims.
func WAV(code, channels, rate, bits int, claimed uint32, data []byte) []byte {
	le := binary.LittleEndian
	frame := channels * bits / 8
	b := le.AppendUint32([]byte("RIFF"), uint32(36+len(data)))
	b = append(b, "WAVEfmt \x10\x00\x00\x00"...)
	b = le.AppendUint16(b, uint16(code))
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*frame))
	b = le.AppendUint16(b, uint16(frame))
	b = le.AppendUint16(b, uint16(bits))
	b = le.AppendUint32(append(b, "data"...), claimed)
	return append(b, data...)
}

// Mono is a WAV file of one channel and 16 bits. Samples are from -1 to 1; others are clipped.
func Mono(rate int, samples ...float64) []byte {
	data := make([]byte, 0, 2*len(samples))
	for _, v := range samples {
		data = binary.LittleEndian.AppendUint16(data, uint16(int16(math.Round(min(max(v, -1), 1)*math.MaxInt16))))
	}
	return WAV(1, 1, rate, 16, uint32(len(data)), data)
}

// Tone is a sine of a frequency in Hz; loud is its amplitude.
func Tone(rate int, frequency, seconds, loud float64) []float64 {
	samples := make([]float64, int(float64(rate)*seconds))
	for i := range samples {
		samples[i] = loud * math.Sin(2*math.Pi*frequency*float64(i)/float64(rate))
	}
	return samples
}

// Swelling is a tone that swells and fades, as speech does.
func Swelling(rate int, seconds float64) []float64 {
	samples := Tone(rate, 220, seconds, 0.8)
	for i := range samples {
		at := float64(i) / float64(rate)
		samples[i] *= math.Abs(math.Sin(at*0.9)) * (0.35 + 0.6*math.Abs(math.Sin(at*5.3)))
	}
	return samples
}
