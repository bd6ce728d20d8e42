package heat

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"testing"
)

func TestLayer(t *testing.T) {
	t.Run("scaled by picking pixels: no new value", func(t *testing.T) {
		heat := image.NewNRGBA(image.Rect(0, 0, 2, 1))
		heat.SetNRGBA(0, 0, color.NRGBA{0, 0, 0, 64})
		heat.SetNRGBA(1, 0, color.NRGBA{255, 255, 255, 192})
		got := Layer(heat, 1, 7, 5)
		for y := range 5 {
			for x := range 7 {
				want := color.RGBA{A: 64}
				if x > 3 || x == 3 && got.RGBAAt(3, 0).A == 192 { // the middle column may go either way
					want = color.RGBA{192, 192, 192, 192}
				}
				if c := got.RGBAAt(x, y); c != want {
					t.Errorf("at %d,%d: %v, want %v", x, y, c, want)
				}
			}
		}
	})
	t.Run("colours and alpha stay as sent", func(t *testing.T) {
		heat := image.NewNRGBA(image.Rect(0, 0, 256, 256))
		for a := range 256 {
			for v := range 256 {
				heat.SetNRGBA(v, a, color.NRGBA{uint8(v), uint8(255 - v), 77, uint8(a)})
			}
		}
		got := Layer(heat, 1, 256, 256)
		for a := range 256 {
			for v := range 256 {
				if want := color.RGBAModel.Convert(heat.At(v, a)); got.At(v, a) != want {
					t.Fatalf("value %d alpha %d: %v, want %v", v, a, got.At(v, a), want)
				}
			}
		}
	})
	t.Run("a photo and a heatmap that are stored alike are turned alike, pixel by pixel", func(t *testing.T) {
		stored := image.NewNRGBA(image.Rect(0, 0, 13, 7))
		for i := range 13 * 7 {
			stored.SetNRGBA(i%13, i/13, color.NRGBA{uint8(i), uint8(255 - i), uint8(i * 2), 255})
		}
		for orientation := 1; orientation <= 8; orientation++ {
			photo, err := Decode(t.Context(), bytes.NewReader(pngWithExif(asPNG(t, stored), exif(orientation))), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			layer := Layer(stored, orientation, photo.Image.Rect.Dx(), photo.Image.Rect.Dy())
			if layer.Rect != photo.Image.Rect || !bytes.Equal(layer.Pix, photo.Image.Pix) {
				t.Errorf("orientation %d: the layer lies otherwise than the photo", orientation)
			}
		}
	})
	t.Run("a greyscale one without alpha covers", func(t *testing.T) {
		if c := Layer(image.NewGray(image.Rect(0, 0, 3, 3)), 1, 4, 4).RGBAAt(2, 2); c != (color.RGBA{A: 255}) {
			t.Errorf("got %v", c)
		}
	})
	t.Run("no room or no heatmap gives no layer", func(t *testing.T) {
		if !Layer(quadrants(4, 4), 1, 0, 3).Rect.Empty() || !Layer(image.NewGray(image.Rectangle{}), 1, 3, 3).Rect.Empty() {
			t.Error("got pixels")
		}
	})
}

func TestAspectDiffers(t *testing.T) {
	for _, tc := range []struct {
		photo, heat image.Point
		want        bool
	}{
		{image.Pt(4000, 3000), image.Pt(4000, 3000), false},
		{image.Pt(4000, 3000), image.Pt(224, 168), false},
		{image.Pt(4000, 3000), image.Pt(224, 224), true},
		{image.Pt(4000, 3000), image.Pt(3000, 4000), true},
		{image.Pt(1000, 1000), image.Pt(1010, 1000), false},
		{image.Pt(1000, 1000), image.Pt(1011, 1000), true},
		{image.Pt(1010, 1000), image.Pt(1000, 1000), false},
		{image.Pt(1011, 1000), image.Pt(1000, 1000), true},
		{image.Pt(30_000, 100), image.Pt(60_000, 200), false},
		{image.Pt(1<<31-1, 1<<31-1), image.Pt(1, 1), false},
		{image.Pt(10, 10), image.Point{}, true},
		{image.Point{}, image.Point{}, true},
	} {
		t.Run(fmt.Sprintf("%v and %v", tc.photo, tc.heat), func(t *testing.T) {
			if got := AspectDiffers(tc.photo, tc.heat); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestHeatOrientation(t *testing.T) {
	for name, tc := range map[string]struct {
		source      image.Point // upright
		orientation int
		heat        image.Point
		want        int
	}{
		"lies as the photo is stored":                {image.Pt(3000, 4000), 6, image.Pt(4000, 3000), 6},
		"smaller, lies as the photo is stored":       {image.Pt(3000, 4000), 8, image.Pt(400, 300), 8},
		"stands upright already":                     {image.Pt(3000, 4000), 6, image.Pt(3000, 4000), 1},
		"fits neither way":                           {image.Pt(3000, 4000), 6, image.Pt(500, 100), 6},
		"a square tells nothing":                     {image.Pt(500, 500), 5, image.Pt(224, 224), 5},
		"turned over, the shape tells nothing":       {image.Pt(4000, 3000), 3, image.Pt(4000, 3000), 3},
		"a photo without orientation has no turning": {image.Pt(4000, 3000), 1, image.Pt(3000, 4000), 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := HeatOrientation(&Picture{Source: tc.source, Orientation: tc.orientation}, tc.heat); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

// Layer is the reference for Full.LayerRegion: it makes the layer that lies over a photo of w × h pixels (upright, at the size that is seen) from a heatmap as the
// service sent it: greyscale with alpha or coloured, of the photo's size or another. It is turned like the photo and
// scaled by picking pixels: never smoothed, never recoloured, its alpha kept. Get orientation from HeatOrientation.
//
// A w or h below 1, or an empty heatmap, gives an empty layer.
func Layer(heat image.Image, orientation, w, h int) *image.RGBA {
	if w < 1 || h < 1 || heat.Bounds().Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	// Scaled first and turned afterwards, as Decode does with the photo, so that both round alike.
	return orient(pick(heat, Upright(image.Pt(w, h), orientation)), orientation)
}
