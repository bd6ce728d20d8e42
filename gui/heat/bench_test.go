package heat

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/disintegration/imaging"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/media/picture"
)

// viewSize is how large a picture is seen in a large window.
var viewSize = image.Pt(1600, 1000)

// peers are the sizes at which imaging.Overlay has to redo its work for every change of opacity.
var peers = []struct {
	name string
	size image.Point
	aim  float64 // how many times faster an opacity change is to be
}{
	{"12 MP", image.Pt(4000, 3000), 80},
	{"48 MP", image.Pt(8000, 6000), 300},
}

func BenchmarkB4OpacityChange(b *testing.B) {
	blender, dst := viewBlender()
	b.SetBytes(int64(len(dst.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		blender.Blend(dst, 0.37)
	}
}

func BenchmarkB4Copy(b *testing.B) {
	from, to := image.NewRGBA(image.Rectangle{Max: viewSize}), image.NewRGBA(image.Rectangle{Max: viewSize})
	b.SetBytes(int64(len(to.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		copy(to.Pix, from.Pix)
	}
}

func BenchmarkB4Overlay(b *testing.B) {
	for _, peer := range peers {
		b.Run(peer.name, func(b *testing.B) {
			photo, layer := overlayInput(peer.size)
			b.ReportAllocs()
			for b.Loop() {
				imaging.Overlay(photo, layer, image.Point{}, 0.37)
			}
		})
	}
}

// BenchmarkB4Ratios measures the opacity change and its peers by turns, so that a busy machine troubles all alike, and
// prints the ratios beside the aims of B4.
func BenchmarkB4Ratios(b *testing.B) {
	blender, dst := viewBlender()
	from := make([]byte, len(dst.Pix))
	change := func() { blender.Blend(dst, 0.37) }

	benchtest.Print(b, "")
	for _, peer := range peers {
		photo, layer := overlayInput(peer.size)
		overlay := func() { imaging.Overlay(photo, layer, image.Point{}, 0.37) }
		times := alternately(5, benchtest.Median, timed{change, 40}, timed{overlay, 1})
		ratio := times[1] / times[0]
		benchtest.Print(b, "B4 opacity change vs imaging.Overlay %s: 1/%.0f (aim 1/%.0f) %s; %.2f ms against %.0f ms",
			peer.name, ratio, peer.aim, benchtest.Met(ratio >= peer.aim), times[0]*1e3, times[1]*1e3)
		b.ReportMetric(ratio, "x-faster-than-overlay-"+peer.name[:2]+"MP")
		benchtest.Print(b, "B4 allocations of imaging.Overlay %s, for comparison: %.0f MB", peer.name, allocated(overlay)/(1<<20))
		runtime.GC() // the next size needs the room
	}

	// These two are short, so that on a busy machine some rounds go undisturbed: the best of each are compared.
	times := alternately(60, slices.Min[[]float64], timed{change, 4}, timed{func() { copy(dst.Pix, from) }, 30})
	ratio := times[0] / times[1]
	benchtest.Print(b, "B4 opacity change vs memcpy: %.1fx (aim 8x) %s", ratio, benchtest.Met(ratio <= 8))
	b.ReportMetric(ratio, "x-memcpy")
	perChange := allocations(200, change)
	benchtest.Print(b, "B4 opacity change allocations: %.0f (aim 0) %s", perChange, benchtest.Met(perChange < 0.5))

	for b.Loop() {
		change()
	}
}

func viewBlender() (*Blender, *image.RGBA) {
	photo, layer := noise(viewSize)
	return NewBlender(photo, layer), image.NewRGBA(image.Rectangle{Max: viewSize})
}

// overlayInput gives imaging its favourite type, so that it need not convert.
func overlayInput(size image.Point) (photo, layer *image.NRGBA) {
	photo, layer = image.NewNRGBA(image.Rectangle{Max: size}), image.NewNRGBA(image.Rectangle{Max: size})
	for i := range photo.Pix {
		photo.Pix[i], layer.Pix[i] = byte(i*7), byte(i*13)
		if i%4 == 3 {
			photo.Pix[i] = 255
		}
	}
	return photo, layer
}

// timed is something to measure, and how often it is done within one measurement.
type timed struct {
	do    func()
	times int
}

// alternately runs everything by turns and gives the time of one run of each, in seconds, as picked from all the rounds.
func alternately(rounds int, picked func([]float64) float64, all ...timed) []float64 {
	seconds := make([][]float64, len(all))
	for _, one := range all {
		one.do() // touches the memory for the first time
	}
	for range rounds {
		for i, one := range all {
			start := time.Now()
			for range one.times {
				one.do()
			}
			seconds[i] = append(seconds[i], time.Since(start).Seconds()/float64(one.times))
		}
	}
	result := make([]float64, len(all))
	for i := range seconds {
		result[i] = picked(seconds[i])
	}
	return result
}

// allocated gives the bytes that one run allocates.
func allocated(do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

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
		assert.NoError(b, err)
		return img
	}
	decodeAlone := func() { whole() }
	decodeAndFit := func() { picture.Fit(whole(), firstLongSide, firstLongSide) }

	times := alternately(5, benchtest.Median, timed{first, 1}, timed{decodeAlone, 1}, timed{decodeAndFit, 1})
	memory := []float64{allocated(first), allocated(decodeAlone), allocated(decodeAndFit)}
	benchtest.Print(b, "")
	time, room := times[0]/times[2], memory[0]/memory[2]
	benchtest.Print(b, "B5 first picture of a 48 MP JPEG vs image/jpeg: time %.2fx (aim 0.65x) %s; memory %.2fx (aim 0.3x) %s",
		time, benchtest.Met(time <= 0.65), room, benchtest.Met(room <= 0.3))
	benchtest.Print(b, "B5 in figures: %.0f ms and %.0f MB, of which %.0f MB are the file; image/jpeg and the same fitting %.0f ms and %.0f MB",
		times[0]*1e3, memory[0]/1e6, float64(len(file))/1e6, times[2]*1e3, memory[2]/1e6)
	benchtest.Print(b, "B5 vs image/jpeg that fits nothing: time %.2fx; memory %.2fx", times[0]/times[1], memory[0]/memory[1])
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
		assert.NoError(b, err)
		return full
	}
	toRGBA := func() *image.RGBA {
		img, err := jpeg.Decode(bytes.NewReader(file))
		assert.NoError(b, err)
		rgba := image.NewRGBA(img.Bounds())
		draw.Draw(rgba, rgba.Rect, img, image.Point{}, draw.Src)
		return rgba
	}
	ours := func() { open().Region(b.Context(), window, viewSize.X, viewSize.Y) }
	obvious := func() { imaging.Crop(toRGBA(), window) }
	times := alternately(3, benchtest.Median, timed{ours, 1}, timed{obvious, 1})
	benchtest.Print(b, "")
	benchtest.Print(b, "B5 opening a 48 MP picture to zoom vs decoding to RGBA and imaging.Crop: time %.2fx; memory %.2fx; %.0f ms against %.0f ms",
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
		times := alternately(5, benchtest.Median,
			timed{func() { full.Region(ctx, view.part, viewSize.X, viewSize.Y) }, 1}, timed{view.obvious, 1})
		benchtest.Print(b, "B5 a view of 1600 x 1000 out of 48 MP, %s, vs imaging on RGBA: time %.2fx; %.0f ms against %.0f ms",
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
	assert.NoError(b, jpeg.Encode(&file, photo, &jpeg.Options{Quality: 85}))
	return file.Bytes()
}
