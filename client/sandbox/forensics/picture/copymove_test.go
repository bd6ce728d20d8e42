package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/sandbox/forensics"

	"github.com/disintegration/imaging"
	"github.com/google/go-cmp/cmp"
)

// copyMoveOf runs the one analyser on an encoded picture.
func copyMoveOf(t testing.TB, data []byte) (forensics.Model, []BBox) {
	t.Helper()
	pic, err := open(t.Context(), data)
	assert.NoError(t, err)
	m, boxes, err := copyMove{}.analyse(t.Context(), pic)
	assert.NoError(t, err)
	return m, boxes
}

func TestCopyMoveFindsBothPlaces(t *testing.T) {
	from, to := image.Rect(60, 400, 200, 520), image.Pt(611, 433)
	moved := image.Rectangle{Min: to, Max: to.Add(from.Size())}
	hard := pasted(photo(t), photo(t), moved, from.Min)
	soft := feathered(photo(t), photo(t), from, to, 6)
	for name, data := range map[string][]byte{
		"kept as PNG":               asPNG(t, hard),
		"saved at 92":               asJPEG(t, hard, 92),
		"saved at 75":               asJPEG(t, hard, 75),
		"soft edges, saved at 88":   asJPEG(t, soft, 88),
		"saved twice, 85 then 90":   asJPEG(t, throughJPEG(t, hard, 85), 90),
		"cropped in between, at 88": asJPEG(t, imaging.Crop(throughJPEG(t, hard, 90), image.Rect(0, 0, 897, 596)), 88),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, boxes := copyMoveOf(t, data)
			if m.Status != forensics.Fake {
				t.Fatalf("status %s, want FAKE; data %v", m.Status, m.Data)
			}
			if len(boxes) != 2 {
				t.Fatalf("%d boxes, want one for each place", len(boxes))
			}
			slices.SortFunc(boxes, func(a, b BBox) int { return compare(a.X0, b.X0) })
			for i, want := range []image.Rectangle{from, moved} {
				b := boxes[i]
				off := max(math.Abs(b.X0-float64(want.Min.X)), math.Abs(b.Y0-float64(want.Min.Y)), math.Abs(b.X1-float64(want.Max.X)), math.Abs(b.Y1-float64(want.Max.Y)))
				if off > 10 || b.Model != copyMoveName || b.Decision != "ARTIFICIAL" {
					t.Errorf("box %+v, want the model's within 10 pixels of %v", b, want)
				}
				inside, outside := heatIn(t, m.Heatmap, want)
				if inside < 60 || inside < 10*(outside-inside*float64(want.Dx()*want.Dy())/(900*599)) {
					t.Errorf("mean heat %.1f in %v, %.1f outside, want it hot", inside, want, outside)
				}
			}
			way := to.Sub(from.Min)
			if x, y := m.Data["offset_x"], m.Data["offset_y"]; (x != way.X || y != way.Y) && (x != -way.X || y != -way.Y) {
				t.Errorf("offset %v, %v, want %v to the pixel", x, y, way)
			}
		})
	}
}

func TestCopyMoveMissesWhatWasTurnedOrScaled(t *testing.T) {
	part := imaging.Crop(photo(t), image.Rect(60, 400, 200, 520))
	for name, changed := range map[string]image.Image{
		"turned by 20 degrees": imaging.CropCenter(imaging.Rotate(part, 20, color.Black), 90, 80),
		"turned by 90 degrees": imaging.Rotate90(part),
		"mirrored":             imaging.FlipH(part),
		"a quarter larger":     imaging.Resize(part, part.Rect.Dx()*5/4, 0, imaging.Lanczos),
	} {
		t.Run(name, func(t *testing.T) {
			at := image.Rectangle{Min: image.Pt(611, 400), Max: image.Pt(611, 400).Add(changed.Bounds().Size())}
			m, _ := copyMoveOf(t, asPNG(t, pasted(photo(t), changed, at, changed.Bounds().Min)))
			if m.Status != forensics.Authentic {
				t.Errorf("status %s: doc.go says that this is missed; data %v", m.Status, m.Data)
			}
		})
	}
}

func TestCopyMoveLeavesHonestPicturesAlone(t *testing.T) {
	whole := func(m image.Image) [][]byte {
		return [][]byte{asPNG(t, m), asJPEG(t, m, 92), asJPEG(t, m, 70)}
	}
	for name, files := range map[string][][]byte{
		"a photograph":          whole(photo(t)),
		"a drawn landscape":     whole(photoLike(900, 600, 3)),
		"gradients with grain":  whole(grainy(800, 600, 4, 1)),
		"flat":                  whole(repeating(0, 1, 0)),
		"flat sky with grain":   whole(repeating(0, 1, 3)),
		"a checkerboard":        whole(repeating(16, 0, 0)),
		"a grainy checkerboard": whole(repeating(16, 0, 3)),
		"tiles, all the same":   whole(repeating(48, 60, 0)),
		"grainy tiles":          whole(repeating(48, 60, 3)),
		"few large tiles":       whole(repeating(200, 60, 2)),
		"bricks":                whole(bricks(3)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, data := range files {
				if m, boxes := copyMoveOf(t, data); m.Status != forensics.Authentic && m.Status != forensics.NotApplicable || len(boxes) > 0 {
					t.Errorf("file %d: status %s, boxes %v, want no reaction; data %v", i, m.Status, boxes, m.Data)
				}
			}
		})
	}
}

// repeating is a tile of side pixels of chance texture, again and again, with grain
// that does not repeat. A texture of 0 makes a checkerboard; a side of 0, one flat grey.
func repeating(side int, texture, grain float64) *image.Gray {
	chance := rand.New(rand.NewPCG(5, 5)) // #nosec G404 -- a repeatable picture, no secret
	m := image.NewGray(image.Rect(0, 0, 800, 600))
	ground := newTerrain(chance)
	for y := range 600 {
		for x := range 800 {
			v := 128.0
			switch {
			case side > 0 && texture == 0:
				v += 50 * float64(1-2*((x/side+y/side)%2))
			case side > 0:
				v += 2 * texture * (ground.at(float64(x%side)/6, float64(y%side)/6, 4) - 0.5)
			}
			m.SetGray(x, y, color.Gray{Y: uint8(min(max(v+grain*chance.NormFloat64(), 0), 255))}) // #nosec G115 -- bounded
		}
	}
	return m
}

// bricks is a wall: every second row moved by half a brick, each brick of its own
// brightness, with mortar between.
func bricks(grain float64) *image.Gray {
	chance := rand.New(rand.NewPCG(6, 6)) // #nosec G404 -- a repeatable picture, no secret
	m := image.NewGray(image.Rect(0, 0, 800, 600))
	for row := range 25 {
		for col := range 15 {
			r := image.Rect(0, 0, 56, 20).Add(image.Pt(col*60-row%2*30, row*24))
			draw.Draw(m, r, image.NewUniform(color.Gray{Y: uint8(110 + chance.IntN(60))}), image.Point{}, draw.Src) // #nosec G115 -- bounded
		}
	}
	for i, v := range m.Pix {
		m.Pix[i] = uint8(min(max(float64(v)+20+grain*chance.NormFloat64(), 0), 255)) // #nosec G115 -- bounded
	}
	return m
}

func TestCopyMoveDoesNotApplyEverywhere(t *testing.T) {
	for name, data := range map[string][]byte{
		"one pixel":             asPNG(t, image.NewGray(image.Rect(0, 0, 1, 1))),
		"30,000 × 100":          asPNG(t, image.NewGray(image.Rect(0, 0, 30_000, 100))),
		"a palette":             asPNG(t, image.NewPaletted(image.Rect(0, 0, 300, 300), color.Palette{color.Black, color.White})),
		"animated":              readPicture(t, "spinner.gif"),
		"even":                  asPNG(t, image.NewGray(image.Rect(0, 0, 500, 500))),
		"drawn without grain":   readPicture(t, "poster.png"),
		"drawn, and a strip":    asPNG(t, image.NewGray(image.Rect(0, 0, 30_000, 130))),
		"a generator's drawing": readPicture(t, "generated.png"),
	} {
		t.Run(name, func(t *testing.T) {
			m, boxes := copyMoveOf(t, data)
			if m.Status != forensics.NotApplicable || m.Message == "" || m.Score != nil || m.Heatmap != nil || len(boxes) > 0 {
				t.Errorf("got %+v, want NOT_APPLICABLE with a sentence and nothing else", m)
			}
		})
	}
}

func TestCopyMoveGivesTheSameTwice(t *testing.T) {
	data := readPicture(t, "mountains-spliced.jpg")
	first, firstBoxes := copyMoveOf(t, data)
	second, secondBoxes := copyMoveOf(t, data)
	if !bytes.Equal(pixelsOf(t, first), pixelsOf(t, second)) {
		t.Error("the heatmaps of two runs differ")
	}
	first.Heatmap, second.Heatmap = nil, nil // go-cmp takes seconds over their millions of bytes
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
	if diff := cmp.Diff(firstBoxes, secondBoxes); diff != "" || len(firstBoxes) != 2 {
		t.Errorf("boxes %v, want the same two twice:\n%s", firstBoxes, diff)
	}
}

func pixelsOf(t *testing.T, m forensics.Model) []byte {
	t.Helper()
	h, ok := m.Heatmap.(*image.Paletted)
	if !ok {
		t.Fatalf("heatmap is a %T, want *image.Paletted", m.Heatmap)
	}
	return h.Pix
}

// endsAfter is a context that ends at its so many-th question.
type endsAfter struct {
	context.Context
	questions, asked int
}

func (c *endsAfter) Err() error {
	if c.asked++; c.asked > c.questions {
		return context.Canceled
	}
	return nil
}

func TestCopyMoveEndsWithItsContext(t *testing.T) {
	pic, err := open(t.Context(), readPicture(t, "mountains-spliced.jpg"))
	assert.NoError(t, err)
	whole := &endsAfter{Context: t.Context(), questions: math.MaxInt}
	if _, _, err := (copyMove{}).analyse(whole, pic); err != nil {
		t.Fatal(err)
	}
	if whole.asked < 50 {
		t.Errorf("asked %d times whether to go on, want it often", whole.asked)
	}
	for questions := 0; questions < whole.asked; questions += 1 + whole.asked/20 {
		pic.measured = nil // or the patches of the run before would be taken without a question
		ctx := &endsAfter{Context: t.Context(), questions: questions}
		if _, _, err := (copyMove{}).analyse(ctx, pic); !errors.Is(err, context.Canceled) {
			t.Errorf("ended at question %d: error %v, want context.Canceled", questions, err)
		}
		if ctx.asked > questions+2 { // the check and the error that it returns
			t.Errorf("ended at question %d, but asked until %d", questions, ctx.asked)
		}
	}
}

func BenchmarkCopyMove12Megapixels(b *testing.B) {
	scene := photoLike(4000, 3000, 1)
	data := asJPEG(b, feathered(scene, scene, image.Rect(300, 2000, 1300, 2700), image.Pt(2400, 2100), 8), 90)
	pic, err := open(b.Context(), data)
	assert.NoError(b, err)
	for b.Loop() {
		if m, _, err := (copyMove{}).analyse(b.Context(), pic); err != nil || m.Status != forensics.Fake {
			b.Fatalf("status %s, error %v", m.Status, err)
		}
	}
}
