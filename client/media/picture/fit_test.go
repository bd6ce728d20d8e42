package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"assay/client/media/picture/picturetest"
)

func TestFit(t *testing.T) {
	for name, tc := range map[string]struct {
		source, box, want image.Point
	}{
		"as wide as the box":       {image.Pt(400, 300), image.Pt(100, 100), image.Pt(100, 75)},
		"as high as the box":       {image.Pt(300, 400), image.Pt(100, 100), image.Pt(75, 100)},
		"a little smaller":         {image.Pt(400, 300), image.Pt(360, 300), image.Pt(360, 270)},
		"already fits":             {image.Pt(40, 30), image.Pt(100, 100), image.Pt(40, 30)},
		"never thinner than 1":     {image.Pt(5000, 1), image.Pt(100, 100), image.Pt(100, 1)},
		"no room gives no picture": {image.Pt(40, 30), image.Pt(100, 0), image.Pt(0, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			got := Fit(picturetest.Quadrants(tc.source.X, tc.source.Y), tc.box.X, tc.box.Y)
			if got.Rect != (image.Rectangle{Max: tc.want}) {
				t.Errorf("bounds %v, want %v from 0,0", got.Rect, tc.want)
			}
			if tc.want.Y > 3 && picturetest.Corners(got) != "rlbw" {
				t.Errorf("corners %s", picturetest.Corners(got))
			}
		})
	}

	t.Run("every kind of picture, reduced much and little, from any origin", func(t *testing.T) {
		frame := image.Rect(7, 5, 167, 125)
		for name, img := range map[string]draw.Image{
			"RGBA": image.NewRGBA(frame), "NRGBA": image.NewNRGBA(frame), "NRGBA64": image.NewNRGBA64(frame),
			"RGBA64": image.NewRGBA64(frame), "CMYK": image.NewCMYK(frame),
			"palette": image.NewPaletted(frame, color.Palette{picturetest.Red, picturetest.Lime, picturetest.Blue, picturetest.White}),
		} {
			draw.Draw(img, frame, picturetest.Quadrants(160, 120), image.Point{}, draw.Src)
			for _, side := range []int{160, 130, 40} {
				got := Fit(img, side, side)
				if got.Rect != image.Rect(0, 0, side, side*3/4+side%4/2) || picturetest.Corners(got) != "rlbw" {
					t.Errorf("%s at %d: bounds %v, corners %s", name, side, got.Rect, picturetest.Corners(got))
				}
			}
			if got := Thumbnail(img, 20); picturetest.Corners(got) != "rlbw" {
				t.Errorf("%s as a thumbnail: corners %s", name, picturetest.Corners(got))
			}
		}
	})
	t.Run("transparent pixels lend no colour to their neighbours", func(t *testing.T) {
		img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
		for i := range 1600 { // a chequer of opaque white and invisible red
			c := picturetest.White
			if (i+i/40)%2 == 0 {
				c = color.NRGBA{R: 255}
			}
			img.SetNRGBA(i%40, i/40, c)
		}
		got := Fit(img, 10, 10).RGBAAt(5, 5)
		if got.R != got.G || got.R != got.A || got.A < 100 || got.A > 155 {
			t.Errorf("got %v, want half transparent white", got)
		}
	})
}

func TestThumbnail(t *testing.T) {
	for name, source := range map[string]image.Point{
		"wide": image.Pt(300, 100), "high": image.Pt(100, 300), "square": image.Pt(64, 64), "tiny": image.Pt(2, 2),
	} {
		t.Run(name+" gives a square from the centre", func(t *testing.T) {
			img := image.NewNRGBA(image.Rectangle{Max: source})
			draw.Draw(img, img.Rect, image.Black, image.Point{}, draw.Src)
			side := min(source.X, source.Y)
			at := image.Pt((source.X-side)/2, (source.Y-side)/2)
			draw.Draw(img, image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}, picturetest.Quadrants(side, side), image.Point{}, draw.Src)
			got := Thumbnail(img, 32)
			if got.Rect != image.Rect(0, 0, 32, 32) {
				t.Errorf("bounds %v", got.Rect)
			}
			if source.X > 2 && picturetest.Corners(got) != "rlbw" {
				t.Errorf("corners %s", picturetest.Corners(got))
			}
			if c := picturetest.ColourName(got.RGBAAt(0, 0)); c != 'r' {
				t.Errorf("first pixel %c, want red: something beside the centre got in", c)
			}
		})
	}
	t.Run("no size gives no picture", func(t *testing.T) {
		if got := Thumbnail(picturetest.Quadrants(4, 4), 0); !got.Rect.Empty() {
			t.Errorf("bounds %v", got.Rect)
		}
	})
}

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
			if !picturetest.Same(got, img) || &got.Pix[0] == &img.Pix[0] {
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
