package heat

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"runtime"
	"testing"

	"assay/client/media/picture"

	"github.com/disintegration/imaging"
)

// firstLongSide is the size to which the first picture for a large window is fitted.
const firstLongSide = 1600

// BenchmarkB5FirstPicture measures by turns, as B4 does, how long the first picture of a 48 MP JPEG takes, from its bytes
// to pixels that fit a large window, and how much memory is asked for on the way.
func BenchmarkB5FirstPicture(b *testing.B) {
	file := largePhoto(b)
	first := func() {
		if _, err := picture.Decode(b.Context(), bytes.NewReader(file), picture.Limits{LongSide: firstLongSide}); err != nil {
			b.Fatal(err)
		}
	}
	whole := func() image.Image {
		img, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		return img
	}
	decodeAlone := func() { whole() }
	decodeAndFit := func() { picture.Fit(whole(), firstLongSide, firstLongSide) }

	times := alternately(5, median, timed{first, 1}, timed{decodeAlone, 1}, timed{decodeAndFit, 1})
	memory := []float64{allocated(first), allocated(decodeAlone), allocated(decodeAndFit)}
	printLine(b, "") // ends the line on which the benchmark's name stands
	time, room := times[0]/times[2], memory[0]/memory[2]
	printLine(b, "B5 first picture of a 48 MP JPEG vs image/jpeg: time %.2fx (aim 0.65x) %s; memory %.2fx (aim 0.3x) %s",
		time, met(time <= 0.65), room, met(room <= 0.3))
	printLine(b, "B5 in figures: %.0f ms and %.0f MB, of which %.0f MB are the file; image/jpeg and the same fitting %.0f ms and %.0f MB",
		times[0]*1e3, memory[0]/1e6, float64(len(file))/1e6, times[2]*1e3, memory[2]/1e6)
	printLine(b, "B5 vs image/jpeg that fits nothing: time %.2fx; memory %.2fx", times[0]/times[1], memory[0]/memory[1])
	b.ReportMetric(time, "x-time")
	b.ReportMetric(room, "x-memory")
	for b.Loop() {
		first()
	}
}

// BenchmarkB5OpenToZoom measures what lies between a 48 MP JPEG and the first view of a part of it, and every view after.
func BenchmarkB5OpenToZoom(b *testing.B) {
	file := largePhoto(b)
	window := image.Rect(2000, 2000, 2000+viewSize.X, 2000+viewSize.Y)
	all := image.Rect(0, 0, 8000, 6000)
	open := func() *picture.Full {
		full, err := picture.Open(b.Context(), bytes.NewReader(file), picture.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		return full
	}
	toRGBA := func() *image.RGBA {
		img, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		rgba := image.NewRGBA(img.Bounds())
		draw.Draw(rgba, rgba.Rect, img, image.Point{}, draw.Src)
		return rgba
	}
	ours := func() { open().Region(b.Context(), window, viewSize.X, viewSize.Y) }
	obvious := func() { imaging.Crop(toRGBA(), window) }
	times := alternately(3, median, timed{ours, 1}, timed{obvious, 1})
	printLine(b, "")
	printLine(b, "B5 opening a 48 MP picture to zoom vs decoding to RGBA and imaging.Crop: time %.2fx; memory %.2fx; %.0f ms against %.0f ms",
		times[0]/times[1], allocated(ours)/allocated(obvious), times[0]*1e3, times[1]*1e3)
	runtime.GC()

	full, rgba, ctx := open(), toRGBA(), context.Background()
	for _, view := range []struct {
		name    string
		part    image.Rectangle
		obvious func()
	}{
		{"pixel by pixel", window, func() { imaging.Crop(rgba, window) }},
		{"all of it", all, func() { imaging.Resize(rgba, viewSize.X, viewSize.Y, imaging.Box) }},
		{"a pixel as 8 x 8", image.Rect(2000, 2000, 2200, 2125), func() {
			imaging.Resize(imaging.Crop(rgba, image.Rect(2000, 2000, 2200, 2125)), viewSize.X, viewSize.Y, imaging.NearestNeighbor)
		}},
	} {
		times := alternately(5, median,
			timed{func() { full.Region(ctx, view.part, viewSize.X, viewSize.Y) }, 1}, timed{view.obvious, 1})
		printLine(b, "B5 a view of 1600 x 1000 out of 48 MP, %s, vs imaging on RGBA: time %.2fx; %.0f ms against %.0f ms",
			view.name, times[0]/times[1], times[0]*1e3, times[1]*1e3)
	}
	for b.Loop() {
		full.Region(ctx, window, viewSize.X, viewSize.Y)
	}
}

// largePhoto encodes 48 million pixels with shapes, gradients and the noise of a sensor: 10 MB, as a phone makes them.
func largePhoto(b *testing.B) []byte {
	b.Helper()
	photo := image.NewYCbCr(image.Rect(0, 0, 8000, 6000), image.YCbCrSubsampleRatio420)
	random := uint32(1)
	for i := range photo.Y {
		x, y := i%8000, i/8000
		random = random*1664525 + 1013904223
		photo.Y[i] = byte((x/31+y/17+(x/400^y/300)*9+int(random>>28))%200 + 20)
	}
	for i := range photo.Cb {
		x, y := i%4000, i/4000
		photo.Cb[i], photo.Cr[i] = byte(96+x/64), byte(96+(x+y)/160)
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photo, &jpeg.Options{Quality: 85}); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}
