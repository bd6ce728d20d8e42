//go:build e2e && linux

package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"

	"assay/client/media/sound/soundtest"
)

// voiceRate is the sample rate of generated voices, in hertz.
const voiceRate = 16000

// vowels are the resonance frequencies of the mouth for each vowel, in hertz.
var vowels = [][2]float64{{730, 1090}, {270, 2290}, {300, 870}, {530, 1840}, {570, 840}, {440, 1020}}

// Voice makes a WAV of a babbling voice with a part for each beep, part seconds long, which has a tone of that many hertz: a recording shows by the
// tone which part was played. The sound is always the same, and no speech program is needed.
func Voice(part float64, beeps ...float64) []byte {
	samples := babble(int(part * float64(len(beeps)) * voiceRate))
	for i, hertz := range beeps {
		from, to := int(part*float64(i)*voiceRate), int(part*float64(i+1)*voiceRate)
		for n := from; n < to; n++ {
			at := float64(n) / voiceRate
			// The beep is on for half a second and off for the next: with a continuous tone, the voice would be classified as music.
			loud := math.Max(0, math.Sin(2*math.Pi*at))
			samples[n] += 0.06 * loud * math.Sin(2*math.Pi*hertz*at)
		}
	}
	return soundtest.Mono(voiceRate, samples...)
}

// babble is a voice without words: syllables of harmonics with a changing pitch, some after a hiss, and pauses.
func babble(n int) []float64 {
	chance := rand.New(rand.NewPCG(2, 26)) //nolint:gosec // the same voice each time
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = 0.0004 * chance.NormFloat64() // noise of the room
	}
	turn := 0.0
	for at, syllable := voiceRate/5, 0; at < n; syllable++ {
		length := int((0.14 + 0.1*chance.Float64()) * voiceRate)
		vowel, loud := vowels[chance.IntN(len(vowels))], 0.5+0.5*chance.Float64()
		hiss := syllable%2 == 0
		for i := range min(length, n-at) {
			share := float64(i) / float64(length)
			seconds := float64(at+i) / voiceRate
			pitch := 118 * (1 + 0.14*math.Sin(2*math.Pi*0.6*seconds) + 0.05*math.Sin(2*math.Pi*2.1*seconds) - 0.08*share)
			turn += 2 * math.Pi * pitch / voiceRate
			voiced := 0.0
			for k := 1.0; k*pitch < 4000; k++ {
				voiced += resonance(k*pitch, vowel) / k * math.Sin(k*turn)
			}
			if hiss && share < 0.25 {
				voiced += 0.4 * chance.NormFloat64()
			}
			samples[at+i] += 0.14 * loud * math.Sin(math.Pi*share) * voiced
		}
		at += length + voiceRate/25
		if syllable%7 == 6 {
			at += voiceRate * 2 / 5
		}
	}
	return samples
}

// resonance is how loud a mouth lets a frequency out with a vowel.
func resonance(hertz float64, vowel [2]float64) float64 {
	loud := 0.15
	for _, formant := range vowel {
		away := (hertz - formant) / 110
		loud += 4 / (1 + away*away)
	}
	return loud
}

// HeavyPNG makes a picture that decodes fast but uploads slowly: a chunk that readers ignore makes it size bytes larger. Each seed makes another
// picture.
func HeavyPNG(seed byte, size int) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, 480, 320))
	for y := range 320 {
		for x := range 480 {
			picture.SetRGBA(x, y, color.RGBA{R: uint8(x * int(seed) / 4), G: uint8(y / 2), B: uint8(x/8 + y/4), A: 255})
		}
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		return nil, fmt.Errorf("heavy picture: %w", err)
	}
	chunk := make([]byte, size+12)
	binary.BigEndian.PutUint32(chunk, uint32(size))
	copy(chunk[4:], "paDd")
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(chunk[8 : 8+size]) // it never fails
	binary.BigEndian.PutUint32(chunk[8+size:], crc32.ChecksumIEEE(chunk[4:8+size]))
	const header = 8 + 25 // the signature and the first chunk, which must stay first
	return slices.Concat(encoded.Bytes()[:header], chunk, encoded.Bytes()[header:]), nil
}
