package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/media/picture/picturetest"
)

func TestOpen(t *testing.T) {
	for name, tc := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			full := opened(t, tc.data, Limits{LongSide: 4})
			if full.Size() != image.Pt(16, 12) || full.Orientation() != 1 || full.Format() != tc.format {
				t.Errorf("got %v, orientation %d, %s", full.Size(), full.Orientation(), full.Format())
			}
			for _, size := range []image.Point{{16, 12}, {8, 6}, {64, 48}, {24, 5}} {
				got := full.Region(t.Context(), image.Rect(0, 0, 16, 12), size.X, size.Y)
				if got.Rect != (image.Rectangle{Max: size}) || picturetest.Corners(got) != tc.corners {
					t.Errorf("at %v: bounds %v, corners %s, want %s", size, got.Rect, picturetest.Corners(got), tc.corners)
				}
				if a := got.RGBAAt(3*size.X/4, 3*size.Y/4).A; a != tc.alpha {
					t.Errorf("at %v: alpha %d, want %d", size, a, tc.alpha)
				}
			}
		})
	}
	t.Run("refuses what Decode refuses, for the same reasons", func(t *testing.T) {
		file := asJPEG(t, picturetest.Quadrants(16, 12))
		for name, tc := range map[string]struct {
			data   []byte
			reason Reason
		}{
			"nothing":        {nil, Empty},
			"a text":         {[]byte("Dear editor,"), UnknownFormat},
			"too large":      {pngClaiming(t, 60_000, 60_000), TooManyPixels},
			"too many bytes": {bytes.Repeat(file, 100), TooManyBytes},
			"breaks off":     {file[:len(file)-30], BreaksOff},
			"damaged":        {bytes.Replace(file, []byte{0xff, 0xc0}, []byte{0xff, 0xc9}, 1), Damaged},
		} {
			_, err := Open(t.Context(), bytes.NewReader(tc.data), Limits{MaxBytes: 4096})
			if reasonOf(err) != tc.reason {
				t.Errorf("%s: error %v, want reason %d", name, err, tc.reason)
			}
		}
	})
	t.Run("an ended context is no fault of the picture", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(ctx, bytes.NewReader(asJPEG(t, picturetest.Quadrants(16, 12))), Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestRegion(t *testing.T) {
	t.Run("as it is, every pixel is itself", func(t *testing.T) {
		src := picturetest.Numbered(90, 300)
		part := image.Rect(3, 20, 80, 290)
		if !picturetest.Same(FullOf(src, 1).Region(t.Context(), part, part.Dx(), part.Dy()), src.SubImage(part)) {
			t.Error("other pixels")
		}
	})
	t.Run("enlarged, every pixel is a square", func(t *testing.T) {
		src := picturetest.Numbered(40, 30)
		got := FullOf(src, 1).Region(t.Context(), image.Rect(7, 5, 17, 11), 80, 48)
		for y := range 48 {
			for x := range 80 {
				if want := color.RGBAModel.Convert(src.At(7+x/8, 5+y/8)); got.At(x, y) != want {
					t.Fatalf("at %d,%d: %v, want %v", x, y, got.At(x, y), want)
				}
			}
		}
	})
	t.Run("reduced, every pixel is the average of those it covers", func(t *testing.T) {
		grey := image.NewGray(image.Rect(0, 0, 60, 40))
		for i := range grey.Pix {
			grey.Pix[i] = byte(i * 37)
		}
		for name, src := range sameGrey(grey) {
			got := FullOf(src, 1).Region(t.Context(), image.Rect(10, 5, 50, 35), 8, 5)
			for y := range 5 {
				for x := range 8 {
					sum := 0
					for i := range 30 {
						sum += int(grey.GrayAt(10+5*x+i%5, 5+6*y+i/5).Y)
					}
					if v := int(got.RGBAAt(x, y).R); v < sum/30-1 || v > sum/30+2 {
						t.Fatalf("%s at %d,%d: %d, want %d", name, x, y, v, sum/30)
					}
				}
			}
		}
	})
	t.Run("a pixel that is covered in part counts for that part", func(t *testing.T) {
		src := image.NewGray(image.Rect(0, 0, 5, 1))
		copy(src.Pix, []byte{0, 100, 200, 100, 0})
		got := FullOf(src, 1).Region(t.Context(), src.Rect, 2, 1)
		if a, b := got.RGBAAt(0, 0).R, got.RGBAAt(1, 0).R; a != 80 || b != 80 {
			t.Errorf("got %d and %d, want 80 = (0 + 100 + 200/2) / 2.5", a, b)
		}
	})
	t.Run("stands upright, whole and in part", func(t *testing.T) {
		stored := picturetest.Numbered(13, 7)
		for orientation := 1; orientation <= 8; orientation++ {
			file := pngWithExif(asPNG(t, stored), exif(orientation))
			picture := decoded(t, file, Limits{})
			full := opened(t, file, Limits{})
			if full.Size() != picture.Source || full.Orientation() != orientation {
				t.Errorf("size %v, orientation %d", full.Size(), full.Orientation())
			}
			for _, part := range []image.Rectangle{{Max: full.Size()}, image.Rect(2, 1, 6, 5)} {
				got := full.Region(t.Context(), part, part.Dx(), part.Dy())
				if !picturetest.Same(got, picture.Image.SubImage(part)) {
					t.Errorf("orientation %d: %v lies otherwise than in the picture that was fitted", orientation, part)
				}
				twice := full.Region(t.Context(), part, 2*part.Dx(), 2*part.Dy())
				if twice.At(3, 2) != got.At(1, 1) || twice.Rect.Dx() != 2*part.Dx() {
					t.Errorf("orientation %d: %v enlarged lies otherwise", orientation, part)
				}
			}
		}
	})
	t.Run("beyond the picture there is nothing", func(t *testing.T) {
		full := FullOf(picturetest.Quadrants(10, 10), 1)
		for _, size := range []int{20, 40, 10} { // as it is, enlarged, reduced
			got := full.Region(t.Context(), image.Rect(-5, -5, 15, 15), size, size)
			at := func(x, y int) byte { return picturetest.ColourName(got.RGBAAt(x*size/20, y*size/20)) }
			if s := string([]byte{at(2, 2), at(7, 7), at(13, 7), at(7, 13), at(13, 13), at(18, 10)}); s != ".rlbw." {
				t.Errorf("at size %d: %s", size, s)
			}
			if far := full.Region(t.Context(), image.Rect(100, 100, 120, 120), size, size); far.Rect.Dx() != size || far.RGBAAt(0, 0).A != 0 {
				t.Errorf("at size %d, far away: %v", size, far.Rect)
			}
		}
	})
	t.Run("nothing asked for, nothing drawn", func(t *testing.T) {
		full := FullOf(picturetest.Quadrants(10, 10), 1)
		for name, got := range map[string]*image.RGBA{
			"no part":   full.Region(t.Context(), image.Rectangle{}, 10, 10),
			"no width":  full.Region(t.Context(), image.Rect(0, 0, 5, 5), 0, 10),
			"no height": full.Region(t.Context(), image.Rect(0, 0, 5, 5), 10, -1),
		} {
			if !got.Rect.Empty() {
				t.Errorf("%s: %v", name, got.Rect)
			}
		}
	})
	t.Run("the result is the caller's own", func(t *testing.T) {
		src := image.NewRGBA(image.Rect(0, 0, 4, 4))
		full := FullOf(src, 1)
		full.Region(t.Context(), src.Rect, 4, 4).Pix[0] = 9
		if src.Pix[0] != 0 {
			t.Error("a change reached the picture")
		}
	})
	t.Run("an ended context ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, size := range []int{5, 10, 50} {
			if got := FullOf(picturetest.Quadrants(10, 10), 1).Region(ctx, image.Rect(0, 0, 10, 9), size, size); got.Rect.Dx() != size {
				t.Errorf("bounds %v", got.Rect)
			}
		}
	})
	t.Run("a heatmap's pixels are picked, its alpha kept", func(t *testing.T) {
		src := image.NewNRGBA(image.Rect(0, 0, 300, 30))
		for i := 0; i < len(src.Pix); i += 4 {
			src.Pix[i+3] = byte(i / 4 % 2 * 200)
		}
		full := opened(t, asPNG(t, src), Limits{Unsmoothed: true})
		for i, v := range full.Region(t.Context(), src.Rect, 100, 10).Pix {
			if i%4 < 3 && v != 0 || i%4 == 3 && v != 0 && v != 200 {
				t.Fatalf("byte %d is %d", i, v)
			}
		}
	})
	for name, size := range map[string]image.Point{
		"one pixel": {1, 1}, "a panorama": {30_000, 100}, "a tower": {100, 30_000}, "a thread": {1, 40_000},
	} {
		t.Run(name+" is drawn at any size", func(t *testing.T) {
			full := opened(t, asJPEG(t, picturetest.Filled(size, 200)), Limits{})
			for _, shown := range []image.Point{{1, 1}, {300, 1}, {1, 300}, {160, 100}} {
				got := full.Region(t.Context(), image.Rectangle{Max: size}, shown.X, shown.Y)
				if c := got.RGBAAt(shown.X-1, shown.Y-1); got.Rect.Max != shown || c.R < 198 || c.R > 202 || c.A != 255 {
					t.Errorf("at %v: bounds %v, colour %v", shown, got.Rect, c)
				}
			}
		})
	}
}

func TestLayerRegion(t *testing.T) {
	heatmaps := map[string]*image.NRGBA{"as large": picturetest.Numbered(40, 30), "smaller": picturetest.Numbered(13, 7), "larger": picturetest.Numbered(97, 71)}
	t.Run("the whole of it is the layer", func(t *testing.T) {
		for name, heatmap := range heatmaps {
			for orientation := 1; orientation <= 8; orientation++ {
				photo := Upright(image.Pt(40, 30), orientation)
				for _, size := range []image.Point{photo, photo.Mul(3), {17, 11}} {
					got := LayerRegion(heatmap, orientation, photo, image.Rectangle{Max: photo}, size.X, size.Y)
					if !picturetest.Same(got, Layer(heatmap, orientation, size.X, size.Y)) {
						t.Errorf("%s, orientation %d, at %v: not the layer", name, orientation, size)
					}
				}
			}
		}
	})
	t.Run("a part of it lies where it lay in the whole", func(t *testing.T) {
		for name, heatmap := range heatmaps {
			for orientation := 1; orientation <= 8; orientation++ {
				photo := Upright(image.Pt(40, 30), orientation)
				for _, zoom := range []int{1, 2, 7} {
					whole := LayerRegion(heatmap, orientation, photo, image.Rectangle{Max: photo}, zoom*photo.X, zoom*photo.Y)
					part := image.Rect(5, 3, 25, 24)
					got := LayerRegion(heatmap, orientation, photo, part, zoom*part.Dx(), zoom*part.Dy())
					seen := image.Rectangle{Min: part.Min.Mul(zoom), Max: part.Max.Mul(zoom)}
					if !picturetest.Same(got, whole.SubImage(seen)) {
						t.Errorf("%s, orientation %d, zoom %d: shifted", name, orientation, zoom)
					}
				}
			}
		}
	})
	t.Run("photo and heatmap stay in step", func(t *testing.T) {
		stored := picturetest.Numbered(40, 30)
		for orientation := 1; orientation <= 8; orientation++ {
			photo, heatmap := FullOf(stored, orientation), FullOf(stored, 1)
			part := image.Rect(3, 4, 19, 21)
			under := photo.Region(t.Context(), part, 100, 90)
			over := heatmap.LayerRegion(t.Context(), orientation, photo.Size(), part, 100, 90)
			if !picturetest.Same(under, over) {
				t.Errorf("orientation %d: the layer is shifted", orientation)
			}
		}
	})
	t.Run("a heatmap's own orientation is applied first", func(t *testing.T) {
		stored := picturetest.Numbered(13, 7)
		for own := 1; own <= 8; own++ {
			for orientation := 1; orientation <= 8; orientation++ {
				turned := FullOf(stored, own)
				upright := turned.Region(t.Context(), image.Rectangle{Max: turned.Size()}, turned.Size().X, turned.Size().Y)
				photo := Upright(turned.Size(), orientation)
				got := turned.LayerRegion(t.Context(), orientation, photo, image.Rectangle{Max: photo}, photo.X, photo.Y)
				if !picturetest.Same(got, Layer(upright, orientation, photo.X, photo.Y)) {
					t.Errorf("own orientation %d, then %d: lies otherwise", own, orientation)
				}
			}
		}
	})
	t.Run("no heatmap, or no photo, gives no layer", func(t *testing.T) {
		if !LayerRegion(image.NewGray(image.Rectangle{}), 1, image.Pt(4, 4), image.Rect(0, 0, 4, 4), 4, 4).Rect.Empty() ||
			!LayerRegion(picturetest.Numbered(4, 4), 1, image.Point{}, image.Rect(0, 0, 4, 4), 4, 4).Rect.Empty() {
			t.Error("got pixels")
		}
	})
}

func TestTurnPoint(t *testing.T) {
	stored := picturetest.Numbered(5, 3)
	for orientation := 1; orientation <= 8; orientation++ {
		upright := FullOf(stored, orientation).Region(
			t.Context(), image.Rectangle{Max: Upright(image.Pt(5, 3), orientation)}, Upright(image.Pt(5, 3), orientation).X,
			Upright(image.Pt(5, 3), orientation).Y,
		)
		for i := range 15 {
			x, y := TurnPoint(float64(i%5)+0.5, float64(i/5)+0.5, image.Pt(5, 3), orientation)
			if upright.At(int(x), int(y)) != color.RGBAModel.Convert(stored.At(i%5, i/5)) {
				t.Errorf("orientation %d: the middle of pixel %d goes to %v,%v, where another is", orientation, i, x, y)
			}
			backX, backY := TurnPoint(x, y, Upright(image.Pt(5, 3), orientation), inverse(orientation))
			if diff := cmp.Diff([]float64{float64(i%5) + 0.5, float64(i/5) + 0.5}, []float64{backX, backY}); diff != "" {
				t.Errorf("orientation %d does not turn back: %s", orientation, diff)
			}
		}
	}
	for _, orientation := range []int{0, 9, -1} {
		if x, y := TurnPoint(1, 2, image.Pt(5, 3), orientation); x != 1 || y != 2 {
			t.Errorf("orientation %d turns", orientation)
		}
	}
}

// sameGrey gives one picture in several types, from origins that are not 0,0 where it can.
func sameGrey(grey *image.Gray) map[string]image.Image {
	cmyk, paletted := image.NewCMYK(grey.Rect), image.NewPaletted(grey.Rect, nil)
	for i := range 256 {
		paletted.Palette = append(paletted.Palette, color.Gray{Y: uint8(i)})
	}
	same := map[string]image.Image{"grey": grey, "slow": slow{grey}}
	for name, img := range map[string]draw.Image{
		"RGBA": image.NewRGBA(grey.Rect), "NRGBA": image.NewNRGBA(grey.Rect), "16 bits": image.NewNRGBA64(grey.Rect),
		"CMYK": cmyk, "palette": paletted,
	} {
		draw.Draw(img, grey.Rect, grey, image.Point{}, draw.Src)
		same[name] = img
	}
	for ratio := image.YCbCrSubsampleRatio444; ratio <= image.YCbCrSubsampleRatio410; ratio++ {
		photo := image.NewYCbCr(grey.Rect, ratio)
		copy(photo.Y, grey.Pix)
		for i := range photo.Cb {
			photo.Cb[i], photo.Cr[i] = 128, 128
		}
		same[fmt.Sprint(ratio)] = photo
	}
	return same
}

// slow hides what a picture can do beside being a picture.
type slow struct{ image.Image }

// LayerRegion is Layer for one part of the photo; see Full.LayerRegion.
func LayerRegion(heat image.Image, orientation int, photo image.Point, part image.Rectangle, w, h int) *image.RGBA {
	return FullOf(heat, 1).LayerRegion(context.Background(), orientation, photo, part, w, h)
}

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
			photo := decoded(t, pngWithExif(asPNG(t, stored), exif(orientation)), Limits{})
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
		if !Layer(picturetest.Quadrants(4, 4), 1, 0, 3).Rect.Empty() || !Layer(image.NewGray(image.Rectangle{}), 1, 3, 3).Rect.Empty() {
			t.Error("got pixels")
		}
	})
}

// Layer is the reference for Full.LayerRegion: it makes the layer that lies over a photo of w × h pixels (upright, at the size that is seen) from a heatmap as the
// service sent it: greyscale with alpha or coloured, of the photo's size or another. It is turned like the photo and
// scaled by picking pixels: never smoothed, never recoloured, its alpha kept. Get orientation from LayerOrientation.
//
// A w or h below 1, or an empty heatmap, gives an empty layer.
func Layer(heat image.Image, orientation, w, h int) *image.RGBA {
	if w < 1 || h < 1 || heat.Bounds().Empty() {
		return image.NewRGBA(image.Rectangle{})
	}
	// Scaled first and turned afterwards, as Decode does with the photo, so that both round alike.
	return orient(pick(heat, Upright(image.Pt(w, h), orientation)), orientation)
}
