package sandbox

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"
)

// photo makes a JPEG with shapes and grain that depend on the seed alone.
func photo(t *testing.T, seed uint64) []byte {
	t.Helper()
	const width, height = 256, 192
	grain := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a picture, not a secret
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			wave := 90 + 60*math.Sin(float64(x)/23+float64(seed)) + 40*math.Cos(float64(y)/17)
			v := uint8(math.Min(math.Max(wave+grain.NormFloat64()*6, 0), 255))
			picture.Set(x, y, color.RGBA{R: v, G: v/2 + 60, B: 255 - v, A: 255})
		}
	}
	var encoded bytes.Buffer
	must(t, jpeg.Encode(&encoded, picture, &jpeg.Options{Quality: 88}))
	return encoded.Bytes()
}
