package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/media/picture/picturetest"
)

func TestJPEGReduction(t *testing.T) {
	for name, tc := range map[string]struct {
		size     image.Point
		longSide int
		want     int
	}{
		"48 MP for a large window":       {image.Pt(8000, 6000), 1600, 4},
		"48 MP for a thumbnail":          {image.Pt(8000, 6000), 160, 8},
		"48 MP for the largest texture":  {image.Pt(8000, 6000), 4096, 2}, // 4000 is near enough
		"upright counts the longer side": {image.Pt(6000, 8000), 1600, 4},
		"exactly twice":                  {image.Pt(3200, 100), 1600, 2},
		"a little less than twice":       {image.Pt(3000, 100), 1600, 1},
		"as large as wanted":             {image.Pt(1600, 1200), 1600, 1},
		"one pixel":                      {image.Pt(1, 1), 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := jpegReduction(tc.size, tc.longSide); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}

// decodeReduced gives a JPEG reduced, and whole as image/jpeg decodes it.
func decodeReduced(t *testing.T, file []byte, reduction int) (small, whole image.Image) {
	t.Helper()
	whole, err := jpeg.Decode(bytes.NewReader(file))
	assert.NoError(t, err)
	small, err = reducedJPEG(t.Context(), file, whole.Bounds().Size(), reduction)
	assert.NoError(t, err)
	side := func(s int) int { return (s + reduction - 1) / reduction }
	if small.Bounds() != image.Rect(0, 0, side(whole.Bounds().Dx()), side(whole.Bounds().Dy())) {
		t.Fatalf("bounds %v", small.Bounds())
	}
	return small, whole
}

func TestReducedJPEG(t *testing.T) {
	for _, reduction := range []int{2, 4, 8} {
		for _, name := range []string{"410.jpg", "411.jpg", "420.jpg", "422.jpg", "440.jpg", "444.jpg"} {
			t.Run(fmt.Sprintf("every sample is the average of those it stands for: %s at 1/%d", name, reduction), func(t *testing.T) {
				small, whole := decodeReduced(t, fromTestdata(t, name), reduction)
				a, b := small.(*image.YCbCr), whole.(*image.YCbCr)
				if a.SubsampleRatio != b.SubsampleRatio {
					t.Fatalf("%v, want %v", a.SubsampleRatio, b.SubsampleRatio)
				}
				ratio := chromaRatio(b.SubsampleRatio)
				sameAverages(t, "Y", a.Y, a.YStride, b.Y, b.YStride, image.Pt(71, 53), reduction)
				chroma := image.Pt(71/ratio.X, 53/ratio.Y)
				sameAverages(t, "Cb", a.Cb, a.CStride, b.Cb, b.CStride, chroma, reduction)
				sameAverages(t, "Cr", a.Cr, a.CStride, b.Cr, b.CStride, chroma, reduction)
			})
		}
		t.Run(fmt.Sprintf("a grey one at 1/%d, of the noise that is hardest", reduction), func(t *testing.T) {
			noise := image.NewGray(image.Rect(0, 0, 67, 45))
			for i := range noise.Pix {
				noise.Pix[i] = byte(64 + i*i*7919%97) // stays clear of black and white, where image/jpeg cuts off
			}
			small, whole := decodeReduced(t, asJPEG(t, noise), reduction)
			a, b := small.(*image.Gray), whole.(*image.Gray)
			sameAverages(t, "grey", a.Pix, a.Stride, b.Pix, b.Stride, image.Pt(67, 45), reduction)
		})
	}
	t.Run("restarts are numbered from 0 to 7, again and again", func(t *testing.T) {
		levels := []byte{10, 60, 90, 200, 120, 250, 30, 80, 180, 20, 240, 130}
		file := jpegWithRestarts(t, levels...)
		small, whole := decodeReduced(t, file, 8)
		for x := range levels {
			if got, want := small.(*image.Gray).GrayAt(x, 0).Y, whole.At(8*x+4, 4).(color.Gray).Y; got != want {
				t.Errorf("block %d: %d, want %d", x, got, want)
			}
		}
		wrong := bytes.Replace(file, []byte{0xff, 0xd3}, []byte{0xff, 0xd4}, 1)
		if _, err := reducedJPEG(t.Context(), wrong, image.Pt(96, 8), 8); !errors.Is(err, errNotReduced) {
			t.Errorf("one that is missing: error %v", err)
		}
	})
	t.Run("what it cannot do, or is at fault, is left to image/jpeg", func(t *testing.T) {
		file := fromTestdata(t, "420.jpg")
		claims := append([]byte{}, file...)
		binary.BigEndian.PutUint16(claims[bytes.Index(claims, []byte{0xff, 0xc0})+5:], 60_000)
		for name, data := range map[string][]byte{
			"progressive":           fromTestdata(t, "progressive.jpg"),
			"YCCK":                  fromTestdata(t, "cmyk.jpg"),
			"CMYK, scan by scan":    jpegOfPlanes(t, append(planesOf(picturetest.Quadrants(16, 12)), picturetest.Filled(image.Pt(16, 12), 255))...),
			"RGB":                   jpegOfPlanes(t, planesOf(picturetest.Quadrants(16, 12))...),
			"another size":          claims,
			"bytes before its end":  append(append([]byte{}, file[:len(file)-2]...), 0, 1, 2, 0xff, 0xd9),
			"an end that came soon": append(append([]byte{}, file[:len(file)-100]...), 0xff, 0xd9),
			"two headers":           slices.Concat(file[:2], file[bytes.Index(file, []byte{0xff, 0xc0}):][:19], file[2:]),
		} {
			size := image.Pt(16, 12)
			if name == "another size" || len(data) > 700 {
				size = image.Pt(71, 53)
			}
			if _, err := reducedJPEG(t.Context(), data, size, 2); !errors.Is(err, errNotReduced) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		for length := 2; length < len(file)-1; length++ {
			if _, err := reducedJPEG(t.Context(), file[:length], image.Pt(71, 53), 4); !errors.Is(err, errNotReduced) {
				t.Errorf("cut to %d bytes: error %v", length, err)
			}
		}
	})
	t.Run("an ended context stops it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := reducedJPEG(ctx, fromTestdata(t, "444.jpg"), image.Pt(71, 53), 2); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// sameAverages compares the samples of a reduced plane with the averages of the whole one, as far as whole blocks go.
func sameAverages(t *testing.T, name string, small []byte, smallStride int, whole []byte, stride int, size image.Point, reduction int) {
	t.Helper()
	for y := range size.Y / reduction {
		for x := range size.X / reduction {
			sum := 0
			for i := range reduction * reduction {
				sum += int(whole[(y*reduction+i/reduction)*stride+x*reduction+i%reduction])
			}
			if got, want := int(small[y*smallStride+x]), sum/(reduction*reduction); got < want-2 || got > want+2 {
				t.Fatalf("%s at %d,%d: %d, want %d", name, x, y, got, want)
			}
		}
	}
}

func TestDecodeReducesJPEG(t *testing.T) {
	photo := picturetest.Quadrants(1601, 1199)
	file := asJPEG(t, photo)
	for _, longSide := range []int{800, 400, 333, 200, 190, 100} {
		t.Run(fmt.Sprintf("to %d: the edges stay where they are, beneath a heatmap of any size", longSide), func(t *testing.T) {
			got := decoded(t, file, Limits{LongSide: longSide})
			size := got.Image.Rect.Size()
			if got.Source != image.Pt(1601, 1199) || size.X != longSide {
				t.Errorf("%v of %v", size, got.Source)
			}
			heatmap := Layer(picturetest.Quadrants(31, 23), 1, size.X, size.Y)
			for x := range size.X {
				if off := 2*x - size.X; off > -4 && off < 4 || x*31/size.X == 15 {
					continue // the edge itself, and the heatmap's coarser one
				}
				for _, y := range []int{size.Y / 4, 3 * size.Y / 4} {
					if a, b := picturetest.ColourName(got.Image.RGBAAt(x, y)), picturetest.ColourName(heatmap.RGBAAt(x, y)); a != b {
						t.Fatalf("at %d,%d: %c under %c", x, y, a, b)
					}
				}
			}
		})
	}
	t.Run("turned upright", func(t *testing.T) {
		got, err := Decode(t.Context(), bytes.NewReader(jpegWithExif(file, exif(6))), Limits{LongSide: 200})
		if err != nil || picturetest.Corners(got.Image) != "brwl" || got.Source != image.Pt(1199, 1601) || got.Image.Rect.Dy() != 200 {
			t.Errorf("error %v, %+v", err, got)
		}
	})
	t.Run("a heatmap is never reduced by mixing", func(t *testing.T) {
		stripes := image.NewGray(image.Rect(0, 0, 800, 8))
		for i := range stripes.Pix {
			stripes.Pix[i] = byte(i % 2 * 255)
		}
		got := decoded(t, asJPEG(t, stripes), Limits{LongSide: 100, Unsmoothed: true})
		if c := got.Image.RGBAAt(50, 0).R; c > 60 && c < 195 {
			t.Errorf("level %d", c)
		}
	})
	t.Run("one that breaks off still says so", func(t *testing.T) {
		_, err := Decode(t.Context(), bytes.NewReader(file[:len(file)/2]), Limits{LongSide: 200})
		if reasonOf(err) != BreaksOff {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a progressive one is left whole", func(t *testing.T) {
		got, err := Decode(t.Context(), bytes.NewReader(fromTestdata(t, "progressive.jpg")), Limits{LongSide: 8})
		if err != nil || picturetest.Corners(got.Image) != "rlbw" || got.Image.Rect.Dx() != 8 {
			t.Errorf("error %v, %+v", err, got)
		}
	})
	t.Run("too many pixels are refused before room is made", func(t *testing.T) {
		claims := append([]byte{}, file...)
		at := bytes.Index(claims, []byte{0xff, 0xc0})
		binary.BigEndian.PutUint32(claims[at+5:], 0xffffffff)
		_, err := Decode(t.Context(), bytes.NewReader(claims), Limits{LongSide: 200})
		if reasonOf(err) != TooManyPixels {
			t.Errorf("error %v", err)
		}
	})
}

// FuzzReducedJPEG holds the reducing decoder to image/jpeg: what it takes, that takes too.
func FuzzReducedJPEG(f *testing.F) {
	for _, name := range []string{"410.jpg", "420.jpg", "444.jpg", "cmyk.jpg", "progressive.jpg"} {
		f.Add(fromTestdata(f, name), 4)
	}
	f.Add(asJPEG(f, picturetest.Filled(image.Pt(20, 20), 99)), 8)
	f.Add(jpegWithRestarts(f, 1, 2, 3), 2)
	f.Fuzz(func(t *testing.T, data []byte, reduction int) {
		if reduction != 2 && reduction != 4 && reduction != 8 || len(data) > 1<<16 {
			return
		}
		config, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width*config.Height > 1<<16 {
			return
		}
		small, err := reducedJPEG(t.Context(), data, image.Pt(config.Width, config.Height), reduction)
		if err != nil {
			return
		}
		whole, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("image/jpeg refuses it: %v", err)
		}
		if want := (whole.Bounds().Dx() + reduction - 1) / reduction; small.Bounds().Dx() != want {
			t.Errorf("width %d, want %d", small.Bounds().Dx(), want)
		}
		averaged(t.Context(), small, whole.Bounds(), image.Pt(3, 2), reduction)
	})
}
