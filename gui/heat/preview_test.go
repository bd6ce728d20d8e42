package heat

import (
	"image"
	"image/color"
	"math"
	"testing"
)

func TestGrey(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 4, 1))
	for x, c := range []color.RGBA{{255, 0, 0, 255}, {255, 255, 255, 255}, {0, 100, 0, 128}, {}} {
		img.SetRGBA(x, 0, c)
	}
	got := Grey(img)
	for x := range 4 {
		want := color.GrayModel.Convert(color.RGBA{img.RGBAAt(x, 0).R, img.RGBAAt(x, 0).G, img.RGBAAt(x, 0).B, 255}).(color.Gray).Y
		if c := got.RGBAAt(x, 0); c.R != c.G || c.G != c.B || c.A != img.RGBAAt(x, 0).A || int(c.R) < int(want)-1 || int(c.R) > int(want)+1 {
			t.Errorf("pixel %d: %v, want level %d and the alpha kept", x, c, want)
		}
	}
	if part := Grey(img.SubImage(image.Rect(1, 0, 3, 1)).(*image.RGBA)); part.Rect != image.Rect(0, 0, 2, 1) || part.RGBAAt(0, 0).R != 255 {
		t.Errorf("of a part: %v", part)
	}
}

func TestBlur(t *testing.T) {
	// waves has stripes that are parts of the longer side wide, black and white.
	waves := func(w, h, parts int) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for i := 0; i < len(img.Pix); i += 4 {
			v := byte(127.5 + 127.5*math.Sin(2*math.Pi*float64(parts)*float64(i/4%w)/float64(w)))
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = v, v, v, 255
		}
		return img
	}
	spread := func(img *image.RGBA) int { // without a fourth at each end, where the bell is cut off
		low, high := 255, 0
		for y := range img.Rect.Dy() {
			for x := img.Rect.Dx() / 4; x < 3*img.Rect.Dx()/4; x++ {
				v := int(img.RGBAAt(x, y).R)
				low, high = min(low, v), max(high, v)
			}
		}
		return high - low
	}
	t.Run("at the preview's radius nothing finer than an eighth of the longer side is left", func(t *testing.T) {
		for _, size := range []image.Point{{1600, 40}, {800, 600}, {160, 120}, {32, 8}} {
			got := Blur(waves(size.X, size.Y, 8), PreviewBlur(size))
			if got.Rect.Size() != size || spread(got) > 6 {
				t.Errorf("%v: bounds %v, a spread of %d", size, got.Rect, spread(got))
			}
		}
	})
	t.Run("a small radius leaves what is coarse", func(t *testing.T) {
		if s := spread(Blur(waves(800, 4, 4), 10)); s < 200 {
			t.Errorf("a spread of %d", s)
		}
	})
	t.Run("no radius gives a copy", func(t *testing.T) {
		img := waves(20, 10, 3)
		for _, radius := range []float64{0, -3, math.NaN()} {
			got := Blur(img, radius)
			if !samePixels(got, img) || &got.Pix[0] == &img.Pix[0] {
				t.Errorf("radius %v: no copy", radius)
			}
		}
	})
	t.Run("transparent pixels lend no colour, and alpha is blurred too", func(t *testing.T) {
		img := image.NewRGBA(image.Rect(0, 0, 64, 64))
		for i := 0; i < len(img.Pix)/2; i += 4 {
			img.Pix[i], img.Pix[i+3] = 200, 200 // red of which no more can be, premultiplied
		}
		for _, radius := range []float64{3, 12} {
			got := Blur(img, radius)
			for y := range 64 {
				if c := got.RGBAAt(32, y); c.G != 0 || c.B != 0 || c.R+2 < c.A || c.R > c.A {
					t.Fatalf("radius %v, row %d: %v is no red", radius, y, c)
				}
			}
			if a := got.RGBAAt(32, 32).A; a < 80 || a > 120 {
				t.Errorf("radius %v: alpha %d at the edge", radius, a)
			}
		}
	})
	t.Run("of any size, to any radius", func(t *testing.T) {
		for _, size := range []image.Point{{1, 1}, {300, 1}, {1, 300}, {0, 0}} {
			for _, radius := range []float64{0.1, 5, 1e9, math.Inf(1)} {
				if got := Blur(image.NewRGBA(image.Rectangle{Max: size}), radius); got.Rect.Size() != size {
					t.Errorf("%v at %v: bounds %v", size, radius, got.Rect)
				}
			}
		}
	})
}
