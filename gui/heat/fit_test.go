package heat

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
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
			got := Fit(quadrants(tc.source.X, tc.source.Y), tc.box.X, tc.box.Y)
			if got.Rect != (image.Rectangle{Max: tc.want}) {
				t.Errorf("bounds %v, want %v from 0,0", got.Rect, tc.want)
			}
			if tc.want.Y > 3 && corners(got) != "rlbw" {
				t.Errorf("corners %s", corners(got))
			}
		})
	}

	t.Run("every kind of picture, reduced much and little, from any origin", func(t *testing.T) {
		frame := image.Rect(7, 5, 167, 125)
		for name, img := range map[string]draw.Image{
			"RGBA": image.NewRGBA(frame), "NRGBA": image.NewNRGBA(frame), "NRGBA64": image.NewNRGBA64(frame),
			"RGBA64": image.NewRGBA64(frame), "CMYK": image.NewCMYK(frame),
			"palette": image.NewPaletted(frame, color.Palette{red, lime, blue, white}),
		} {
			draw.Draw(img, frame, quadrants(160, 120), image.Point{}, draw.Src)
			for _, side := range []int{160, 130, 40} {
				got := Fit(img, side, side)
				if got.Rect != image.Rect(0, 0, side, side*3/4+side%4/2) || corners(got) != "rlbw" {
					t.Errorf("%s at %d: bounds %v, corners %s", name, side, got.Rect, corners(got))
				}
			}
			if got := Thumbnail(img, 20); corners(got) != "rlbw" {
				t.Errorf("%s as a thumbnail: corners %s", name, corners(got))
			}
		}
	})
	t.Run("transparent pixels lend no colour to their neighbours", func(t *testing.T) {
		img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
		for i := range 1600 { // a chequer of opaque white and invisible red
			c := white
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
			draw.Draw(img, image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}, quadrants(side, side), image.Point{}, draw.Src)
			got := Thumbnail(img, 32)
			if got.Rect != image.Rect(0, 0, 32, 32) {
				t.Errorf("bounds %v", got.Rect)
			}
			if source.X > 2 && corners(got) != "rlbw" {
				t.Errorf("corners %s", corners(got))
			}
			if c := colourName(got.RGBAAt(0, 0)); c != 'r' {
				t.Errorf("first pixel %c, want red: something beside the centre got in", c)
			}
		})
	}
	t.Run("no size gives no picture", func(t *testing.T) {
		if got := Thumbnail(quadrants(4, 4), 0); !got.Rect.Empty() {
			t.Errorf("bounds %v", got.Rect)
		}
	})
}
