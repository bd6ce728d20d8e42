package heat

import (
	"fmt"
	"image"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/disintegration/imaging"
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

	printLine(b, "") // ends the line on which the benchmark's name stands
	for _, peer := range peers {
		photo, layer := overlayInput(peer.size)
		overlay := func() { imaging.Overlay(photo, layer, image.Point{}, 0.37) }
		times := alternately(5, median, timed{change, 40}, timed{overlay, 1})
		ratio := times[1] / times[0]
		printLine(b, "B4 opacity change vs imaging.Overlay %s: 1/%.0f (aim 1/%.0f) %s; %.2f ms against %.0f ms",
			peer.name, ratio, peer.aim, met(ratio >= peer.aim), times[0]*1e3, times[1]*1e3)
		b.ReportMetric(ratio, "x-faster-than-overlay-"+peer.name[:2]+"MP")
		printLine(b, "B4 allocations of imaging.Overlay %s, for comparison: %.0f MB", peer.name, allocated(overlay)/(1<<20))
		runtime.GC() // the next size needs the room
	}

	// These two are short, so that on a busy machine some rounds go undisturbed: the best of each are compared.
	times := alternately(60, slices.Min[[]float64], timed{change, 4}, timed{func() { copy(dst.Pix, from) }, 30})
	ratio := times[0] / times[1]
	printLine(b, "B4 opacity change vs memcpy: %.1fx (aim 8x) %s", ratio, met(ratio <= 8))
	b.ReportMetric(ratio, "x-memcpy")
	perChange := allocations(200, change)
	printLine(b, "B4 opacity change allocations: %.0f (aim 0) %s", perChange, met(perChange < 0.5))

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

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// allocated gives the bytes that one run allocates.
func allocated(do func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// printLine writes to standard output, where "make bench" reads the ratios.
func printLine(b *testing.B, format string, values ...any) {
	b.Helper()
	if _, err := fmt.Fprintf(os.Stdout, format+"\n", values...); err != nil {
		b.Fatal(err)
	}
}

func met(is bool) string {
	if is {
		return "met"
	}
	return "missed"
}
