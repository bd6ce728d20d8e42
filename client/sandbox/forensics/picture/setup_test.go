package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"

	"github.com/disintegration/imaging"
)

// picturesDir holds the pictures that testdata/README.md describes.
var picturesDir = filepath.Join("..", "..", "..", "..", "testdata", "pictures")

func readPicture(t testing.TB, name string) []byte {
	t.Helper()
	data := mediatest.Read(t, filepath.Join(picturesDir, name))
	return data
}

// photo is a real photograph of 900 × 599 pixels without a JPEG past: scaling
// down has removed it.
func photo(t testing.TB) *image.NRGBA {
	t.Helper()
	scaled, err := scaledPhoto()
	assert.NoError(t, err)
	return scaled
}

var scaledPhoto = sync.OnceValues(func() (*image.NRGBA, error) {
	data, err := os.ReadFile(filepath.Join(picturesDir, "mountains.jpg"))
	if err != nil {
		return nil, err
	}
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return imaging.Resize(m, 900, 0, imaging.Lanczos), nil
})

var asJPEG, asPNG = mediatest.JPEG, mediatest.PNG

// throughJPEG is a picture as it looks after a save at a quality.
func throughJPEG(t testing.TB, m image.Image, quality int) image.Image {
	t.Helper()
	saved, err := jpeg.Decode(bytes.NewReader(asJPEG(t, m, quality)))
	assert.NoError(t, err)
	return saved
}

// pasted is base with patch laid over at, taken from the patch's point from.
func pasted(base, patch image.Image, at image.Rectangle, from image.Point) image.Image {
	d := imaging.Clone(base)
	draw.Draw(d, at, patch, from, draw.Src)
	return d
}

// grainy is a drawn scene of a brightness gradient with shapes and an even grain
// of the standard deviation sigma, the same for the same seed.
func grainy(w, h int, sigma float64, seed uint64) *image.Gray {
	chance := rand.New(rand.NewPCG(seed, 1)) // #nosec G404 -- a repeatable picture, no secret
	m := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := 60 + 120*float64(x)/float64(w)
			if (x/90+y/70)%3 == 0 {
				v += 25
			}
			m.SetGray(x, y, color.Gray{Y: uint8(min(max(v+sigma*chance.NormFloat64(), 0), 255))})
		}
	}
	return m
}

// heatIn gives the mean alpha of a heatmap inside and outside a rectangle, 0..255.
func heatIn(t testing.TB, m image.Image, r image.Rectangle) (inside, outside float64) {
	t.Helper()
	h, ok := m.(*image.Paletted)
	if !ok {
		t.Fatalf("heatmap is a %T, want *image.Paletted", m)
	}
	var alpha [256]float64
	for i, c := range h.Palette {
		_, _, _, a := c.RGBA()
		alpha[i] = float64(a >> 8)
	}
	var nIn, nOut float64
	for y := range h.Rect.Dy() {
		for x := range h.Rect.Dx() {
			a := alpha[h.Pix[h.PixOffset(x, y)]]
			if image.Pt(x, y).In(r) {
				inside += a
				nIn++
			} else {
				outside += a
				nOut++
			}
		}
	}
	return inside / nIn, outside / nOut
}

func modelNamed(t testing.TB, r *Report, name string) forensics.Model {
	t.Helper()
	for _, m := range r.Models {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no model %q in the report", name)
	return forensics.Model{}
}

func analysed(t testing.TB, data []byte) *Report {
	t.Helper()
	r, err := Analyse(t.Context(), data, nil)
	if err != nil {
		t.Fatalf("Image: %v", err)
	}
	return r
}

// withChunk puts a chunk behind a PNG's header.
func withChunk(data []byte, name, content string) []byte {
	return mediatest.Insert(data, mediatest.BehindIHDR, mediatest.PNGChunk(name, content))
}

// withSegment puts a marker segment behind a JPEG's start.
func withSegment(data []byte, marker byte, content string) []byte {
	return mediatest.Insert(data, 2, mediatest.Segment(marker, content))
}
