package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"assay/client/assert"
	"assay/client/media/container"
	"assay/client/media/picture/picturetest"
)

// kind is one kind of picture, of 16 × 12 pixels.
type kind struct {
	data    []byte
	format  string
	corners string
	alpha   uint8 // of a pixel in the last quarter
}

// kinds are all that can be shown.
func kinds(t testing.TB) map[string]kind {
	t.Helper()
	sixteenBit := image.NewNRGBA64(image.Rect(0, 0, 16, 12))
	draw.Draw(sixteenBit, sixteenBit.Rect, picturetest.Quadrants(16, 12), image.Point{}, draw.Src)
	palette := image.NewPaletted(image.Rect(0, 0, 16, 12), color.Palette{color.Transparent, picturetest.Red, picturetest.Lime, picturetest.Blue, picturetest.White})
	draw.Draw(palette, palette.Rect, picturetest.Quadrants(16, 12), image.Point{}, draw.Src)
	grey := picturetest.Filled(image.Pt(16, 12), 255)
	grey16 := image.NewGray16(grey.Rect)
	draw.Draw(grey16, grey16.Rect, grey, image.Point{}, draw.Src)
	half := picturetest.Quadrants(16, 12)
	for i := 3; i < len(half.Pix); i += 4 {
		half.Pix[i] = 128
	}
	var animation bytes.Buffer
	frame := image.NewPaletted(image.Rect(8, 6, 16, 12), palette.Palette)
	draw.Draw(frame, frame.Rect, image.NewUniform(picturetest.Blue), image.Point{}, draw.Src)
	err := gif.EncodeAll(&animation, &gif.GIF{
		Image: []*image.Paletted{frame, palette}, Delay: []int{10, 10},
		Config: image.Config{ColorModel: palette.Palette, Width: 16, Height: 12},
	})
	assert.NoError(t, err)

	return map[string]kind{
		"JPEG":                        {asJPEG(t, picturetest.Quadrants(16, 12)), "JPEG", "rlbw", 255},
		"a grey JPEG":                 {asJPEG(t, grey), "JPEG", "wwww", 255},
		"a progressive JPEG":          {fromTestdata(t, "progressive.jpg"), "JPEG", "rlbw", 255},
		"a YCCK JPEG":                 {fromTestdata(t, "cmyk.jpg"), "JPEG", "rlbw", 255},
		"a CMYK JPEG":                 {jpegOfPlanes(t, append(planesOf(picturetest.Quadrants(16, 12)), picturetest.Filled(image.Pt(16, 12), 255))...), "JPEG", "rlbw", 255},
		"an RGB JPEG":                 {jpegOfPlanes(t, planesOf(picturetest.Quadrants(16, 12))...), "JPEG", "rlbw", 255},
		"PNG":                         {asPNG(t, picturetest.Quadrants(16, 12)), "PNG", "rlbw", 255},
		"an interlaced PNG":           {fromTestdata(t, "interlaced.png"), "PNG", "rlbw", 255},
		"a PNG of 16 bits":            {asPNG(t, sixteenBit), "PNG", "rlbw", 255},
		"a grey PNG":                  {asPNG(t, grey), "PNG", "wwww", 255},
		"a grey PNG of 16 bits":       {asPNG(t, grey16), "PNG", "wwww", 255},
		"a PNG with a palette":        {asPNG(t, palette), "PNG", "rlbw", 255},
		"a transparent PNG":           {asPNG(t, half), "PNG", "rlbw", 128},
		"an animated GIF, first":      {animation.Bytes(), "GIF", "...b", 255},
		"a lossy WebP":                {fromTestdata(t, "lossy.webp"), "WebP", "rlbw", 255},
		"a lossless WebP":             {fromTestdata(t, "lossless.webp"), "WebP", "rlbw", 255},
		"a transparent WebP":          {fromTestdata(t, "alpha.webp"), "WebP", "rlbw", 128},
		"an animated WebP, first":     {fromTestdata(t, "animated.webp"), "WebP", "...b", 255},
		"bytes behind a JPEG's end":   {append(asJPEG(t, picturetest.Quadrants(16, 12)), "trailer"...), "JPEG", "rlbw", 255},
		"a first frame, then nothing": {animation.Bytes()[:animation.Len()-20], "GIF", "...b", 255},
	}
}

func TestDecode(t *testing.T) {
	for name, tc := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, tc.data, Limits{})
			want := Picture{Source: image.Pt(16, 12), Orientation: 1, Format: tc.format}
			assert.Equal(t, want, Picture{Source: got.Source, Orientation: got.Orientation, Format: got.Format})
			if got.Image.Rect != image.Rect(0, 0, 16, 12) {
				t.Errorf("bounds %v", got.Image.Rect)
			}
			if c := picturetest.Corners(got.Image); c != tc.corners {
				t.Errorf("corners %s, want %s", c, tc.corners)
			}
			if a := got.Image.RGBAAt(12, 9).A; a != tc.alpha {
				t.Errorf("alpha %d, want %d", a, tc.alpha)
			}
		})
	}
}

func TestDecodeFits(t *testing.T) {
	for name, tc := range map[string]struct {
		source image.Point
		limits Limits
		want   image.Point
	}{
		"one pixel stays one pixel":                {image.Pt(1, 1), Limits{}, image.Pt(1, 1)},
		"a panorama is cut down to the long side":  {image.Pt(30_000, 100), Limits{}, image.Pt(4096, 14)},
		"a line keeps one pixel of height":         {image.Pt(30_000, 1), Limits{}, image.Pt(4096, 1)},
		"the long side that is asked for":          {image.Pt(400, 300), Limits{LongSide: 100}, image.Pt(100, 75)},
		"nothing is enlarged":                      {image.Pt(40, 30), Limits{LongSide: 100}, image.Pt(40, 30)},
		"no side over 4096, even when asked for":   {image.Pt(5000, 20), Limits{LongSide: 10_000}, image.Pt(4096, 16)},
		"an unsmoothed one has the same size":      {image.Pt(400, 300), Limits{LongSide: 100, Unsmoothed: true}, image.Pt(100, 75)},
		"exactly as many pixels as allowed may be": {image.Pt(40, 30), Limits{MaxPixels: 1200}, image.Pt(40, 30)},
	} {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, asPNG(t, picturetest.Quadrants(tc.source.X, tc.source.Y)), tc.limits)
			if got.Image.Rect.Size() != tc.want || got.Source != tc.source {
				t.Errorf("got %v of %v, want %v of %v", got.Image.Rect.Size(), got.Source, tc.want, tc.source)
			}
		})
	}

	t.Run("unsmoothed, no value appears that was not there", func(t *testing.T) {
		stripes := image.NewGray(image.Rect(0, 0, 300, 3))
		for x := range 300 {
			stripes.SetGray(x, 1, color.Gray{Y: uint8(255 * (x % 2))})
			stripes.SetGray(x, 0, color.Gray{Y: uint8(255 * (x % 2))})
			stripes.SetGray(x, 2, color.Gray{Y: uint8(255 * (x % 2))})
		}
		mixed := func(limits Limits) bool {
			got := decoded(t, asPNG(t, stripes), limits)
			for _, v := range got.Image.Pix {
				if v != 0 && v != 255 {
					return true
				}
			}
			return false
		}
		if mixed(Limits{LongSide: 100, Unsmoothed: true}) {
			t.Error("unsmoothed pixels were mixed")
		}
		if !mixed(Limits{LongSide: 100}) {
			t.Error("a photo is to be smoothed when it shrinks")
		}
	})
}

func TestDecodeTurnsUpright(t *testing.T) {
	// Where the stored corners end up, from the EXIF standard's words: 6 is "the 0th row is the visual right-hand side,
	// the 0th column is the visual top".
	upright := map[int]string{1: "rlbw", 2: "lrwb", 3: "wblr", 4: "bwrl", 5: "rblw", 6: "brwl", 7: "wlbr", 8: "lwrb"}
	for orientation, want := range upright {
		for kind, data := range map[string][]byte{
			"JPEG": jpegWithExif(asJPEG(t, picturetest.Quadrants(16, 12)), exif(orientation)),
			"PNG":  pngWithExif(asPNG(t, picturetest.Quadrants(16, 12)), exif(orientation)),
			"WebP": webPWithExif(fromTestdata(t, "lossless.webp"), exif(orientation)),
		} {
			t.Run(fmt.Sprintf("%s orientation %d", kind, orientation), func(t *testing.T) {
				got := decoded(t, data, Limits{})
				size := image.Pt(16, 12)
				if orientation >= 5 {
					size = image.Pt(12, 16)
				}
				if got.Orientation != orientation || got.Source != size || got.Image.Rect != (image.Rectangle{Max: size}) {
					t.Errorf("orientation %d, source %v, bounds %v", got.Orientation, got.Source, got.Image.Rect)
				}
				if c := picturetest.Corners(got.Image); c != want {
					t.Errorf("corners %s, want %s", c, want)
				}
				if c := picturetest.Corners(Layer(picturetest.Quadrants(160, 120), orientation, size.X, size.Y)); c != want {
					t.Errorf("a heatmap's corners %s, want %s as the photo's", c, want)
				}
			})
		}
	}
	for name, block := range map[string]string{
		"an orientation of 9":      exif(9),
		"an orientation of 0":      exif(0),
		"metadata that breaks off": exif(6)[:15],
		"metadata that is noise":   "no metadata at all, but quite long",
	} {
		t.Run(name+" counts as none", func(t *testing.T) {
			got := decoded(t, jpegWithExif(asJPEG(t, picturetest.Quadrants(16, 12)), block), Limits{})
			if got.Orientation != 1 || picturetest.Corners(got.Image) != "rlbw" {
				t.Errorf("orientation %d, corners %s", got.Orientation, picturetest.Corners(got.Image))
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	jpegFile, pngFile := asJPEG(t, picturetest.Quadrants(160, 120)), asPNG(t, picturetest.Quadrants(160, 120))
	arithmetic := bytes.Replace(jpegFile, []byte{0xff, 0xc0}, []byte{0xff, 0xc9}, 1)
	crooked := append([]byte{}, pngFile...)
	crooked[len(crooked)-20] ^= 0xff // within the pixels
	gifWithoutCanvas := []byte("GIF89a\x00\x00\x00\x00\x00\x00\x00;")

	for name, tc := range map[string]struct {
		data   []byte
		limits Limits
		reason Reason
		says   string
	}{
		"nothing":                      {nil, Limits{}, Empty, "This file is empty"},
		"a text":                       {[]byte("Dear editor,"), Limits{}, UnknownFormat, "JPEG, PNG, GIF, WebP, HEIC, TIFF and BMP"},
		"a TIFF without a page":        {[]byte("II*\x00\x08\x00\x00\x00\x00\x00"), Limits{}, Damaged, "This TIFF picture is damaged"},
		"a BMP cut in its header":      {[]byte("BM\x1e\x00\x00\x00\x00\x00\x00\x00"), Limits{}, BreaksOff, "This BMP picture breaks off"},
		"a PNG of 60,000 × 60,000":     {pngClaiming(t, 60_000, 60_000), Limits{}, TooManyPixels, "claims 60,000 × 60,000 pixels. That is over the limit of 120,000,000 pixels"},
		"a PNG of 2^31-1 square":       {pngClaiming(t, 1<<31-1, 1<<31-1), Limits{}, Damaged, "PNG"},
		"one pixel too many":           {asPNG(t, picturetest.Quadrants(40, 30)), Limits{MaxPixels: 1199}, TooManyPixels, "claims 40 × 30 pixels. That is over the limit of 1,199 pixels"},
		"one byte too many":            {pngFile, Limits{MaxBytes: int64(len(pngFile)) - 1}, TooManyBytes, "larger than"},
		"a JPEG that breaks off":       {jpegFile[:len(jpegFile)/2], Limits{}, BreaksOff, "This JPEG picture breaks off"},
		"a JPEG cut in its header":     {jpegFile[:30], Limits{}, BreaksOff, "This JPEG picture breaks off"},
		"a PNG that breaks off":        {pngFile[:len(pngFile)/2], Limits{}, BreaksOff, "This PNG picture breaks off"},
		"a GIF that breaks off":        {[]byte("GIF89a\x10"), Limits{}, BreaksOff, "This GIF picture breaks off"},
		"a WebP that breaks off":       {fromTestdata(t, "lossy.webp")[:90], Limits{}, BreaksOff, "This WebP picture breaks off"},
		"an animation that breaks off": {fromTestdata(t, "animated.webp")[:80], Limits{}, BreaksOff, "This WebP picture breaks off"},
		"a PNG with broken pixels":     {crooked, Limits{}, Damaged, "damaged"},
		"a JPEG of an odd kind":        {arithmetic, Limits{}, Damaged, "of an unusual kind"},
		"a GIF of no pixels":           {gifWithoutCanvas, Limits{}, Damaged, "This GIF picture is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(t.Context(), bytes.NewReader(tc.data), tc.limits)
			var unreadable *Unreadable
			if !errors.As(err, &unreadable) {
				t.Fatalf("error %v, want an *Unreadable", err)
			}
			if unreadable.Reason != tc.reason {
				t.Errorf("reason %d (%v: %v), want %d", unreadable.Reason, err, unreadable.Err, tc.reason)
			}
			if !strings.Contains(err.Error(), tc.says) || !strings.HasSuffix(err.Error(), ".") {
				t.Errorf("says %q, want a sentence with %q", err, tc.says)
			}
		})
	}
	t.Run("the sentence for a size names megabytes", func(t *testing.T) {
		u := &Unreadable{Reason: TooManyBytes, Limits: DefaultLimits}
		if !strings.Contains(u.Error(), "50 MB") {
			t.Errorf("says %q", u)
		}
	})
	t.Run("a frame outside of its animation", func(t *testing.T) {
		data := fromTestdata(t, "animated.webp")
		data[bytes.Index(data, []byte("ANMF"))+8] = 200 // its X
		_, err := Decode(t.Context(), bytes.NewReader(data), Limits{})
		if reasonOf(err) != Damaged {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a decoder's panic", func(t *testing.T) {
		for name, broken := range map[string]codec{
			"in the header": {config: func(io.Reader) (image.Config, error) { panic("index out of range") }},
			"in the pixels": {
				config: codecs[container.PNG].config,
				decode: func(io.Reader) (image.Image, error) { panic(errors.New("index out of range")) },
			},
		} {
			_, err := decodeWith(t.Context(), map[container.Format]codec{container.PNG: broken}, bytes.NewReader(pngFile), Limits{})
			var unreadable *Unreadable
			if !errors.As(err, &unreadable) || unreadable.Reason != Damaged || !strings.Contains(fmt.Sprint(unreadable.Err), "index out of range") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
	t.Run("a reader that fails keeps its own error", func(t *testing.T) {
		broken := errors.New("the share went away")
		_, err := Decode(t.Context(), io.MultiReader(bytes.NewReader(pngFile[:50]), iotest.ErrReader(broken)), Limits{})
		if !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
	})
}

func TestDecodeStopsWithItsContext(t *testing.T) {
	data := asPNG(t, picturetest.Quadrants(16, 12))
	plain := codecs[container.PNG]
	for name, stopAt := range map[string]func(stop func()) codec{
		"while the header is read": func(stop func()) codec {
			return codec{config: func(r io.Reader) (image.Config, error) { stop(); return plain.config(r) }}
		},
		"while pixels are decoded, at the next read": func(stop func()) codec {
			return codec{plain.config, func(r io.Reader) (image.Image, error) { stop(); return plain.decode(r) }}
		},
		"after the pixels": func(stop func()) codec {
			return codec{plain.config, func(r io.Reader) (image.Image, error) { defer stop(); return plain.decode(r) }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err := decodeWith(ctx, map[container.Format]codec{container.PNG: stopAt(cancel)}, bytes.NewReader(data), Limits{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want %v", err, context.Canceled)
			}
		})
	}
	t.Run("before anything is read", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Decode(ctx, bytes.NewReader(data), Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("GIF89a\x00\x00\x00\x00\x00\x00\x00;"))
	f.Add(asPNG(f, picturetest.Quadrants(16, 12)))
	f.Add(pngWithExif(asPNG(f, picturetest.Quadrants(3, 2)), exif(7)))
	f.Add(pngClaiming(f, 60_000, 60_000))
	f.Add(jpegWithExif(asJPEG(f, picturetest.Quadrants(16, 12)), exif(6)))
	f.Add(webPWithExif(fromTestdata(f, "lossless.webp"), exif(5)))
	for _, name := range []string{"420.jpg", "444.jpg", "alpha.webp", "animated.webp", "cmyk.jpg", "interlaced.png", "lossless.webp", "lossy.webp", "progressive.jpg"} {
		f.Add(fromTestdata(f, name))
	}
	limits := Limits{MaxPixels: 1 << 16, MaxBytes: 1 << 16, LongSide: 32}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(t.Context(), bytes.NewReader(data), limits)
		if err != nil {
			var unreadable *Unreadable
			if !errors.As(err, &unreadable) {
				t.Errorf("error %v is no *Unreadable", err)
			}
			return
		}
		size := got.Image.Rect.Size()
		if got.Image.Rect.Min != (image.Point{}) || size.X < 1 || size.Y < 1 || max(size.X, size.Y) > limits.LongSide {
			t.Errorf("bounds %v", got.Image.Rect)
		}
		if got.Source.X*got.Source.Y > limits.MaxPixels || got.Orientation < 1 || got.Orientation > 8 {
			t.Errorf("source %v, orientation %d", got.Source, got.Orientation)
		}
		if Layer(got.Image, got.Orientation, 5, 3).Rect.Size() != image.Pt(5, 3) {
			t.Error("a layer of another size than asked for")
		}
		full, err := Open(t.Context(), bytes.NewReader(data), limits)
		if err != nil {
			t.Fatalf("Decode shows it, Open does not: %v", err)
		}
		if full.Size() != got.Source || full.Orientation() != got.Orientation || full.Format() != got.Format {
			t.Errorf("Open says %v, %d, %s", full.Size(), full.Orientation(), full.Format())
		}
		part := image.Rect(-1, size.Y/3, 2+size.X/2, size.Y+1)
		for _, shown := range []image.Point{{3, 2}, {40, 50}} {
			if full.Region(t.Context(), part, shown.X, shown.Y).Rect.Size() != shown ||
				full.LayerRegion(t.Context(), 6, image.Pt(70, 50), part, shown.X, shown.Y).Rect.Size() != shown {
				t.Error("a region of another size than asked for")
			}
		}
	})
}
