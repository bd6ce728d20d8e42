package heat

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

// noise is an opaque photo and a layer of every alpha, the same in every run.
func noise(size image.Point) (photo, layer *image.RGBA) {
	source := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // pixels, not secrets
	photo, layer = image.NewRGBA(image.Rectangle{Max: size}), image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			v := source.Uint64()
			photo.SetRGBA(x, y, color.RGBA{uint8(v), uint8(v >> 8), uint8(v >> 16), 255})
			layer.Set(x, y, color.NRGBA{uint8(v >> 24), uint8(v >> 32), uint8(v >> 40), uint8(v >> 48)})
		}
	}
	return photo, layer
}

// allocations counts them per run, on all processors: testing.AllocsPerRun leaves but one.
func allocations(runs int, do func()) float64 {
	do()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		do()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(runs)
}

func TestBlend(t *testing.T) {
	photo, layer := noise(image.Pt(37, 23)) // an odd number of pixels, and rows that are no multiple of 32 bytes
	blender := NewBlender(photo, layer)
	composite := image.NewRGBA(photo.Rect)
	draw.Draw(composite, composite.Rect, photo, image.Point{}, draw.Src)
	draw.Draw(composite, composite.Rect, layer, image.Point{}, draw.Over)
	dst := image.NewRGBA(photo.Rect)

	for opacity, want := range map[float64]*image.RGBA{
		0: photo, -1: photo, math.Inf(-1): photo, math.NaN(): photo, 0.001: photo,
		1: composite, 2: composite, math.Inf(1): composite, 0.999: composite,
	} {
		t.Run(fmt.Sprintf("a true end at %v", opacity), func(t *testing.T) {
			blender.Blend(dst, opacity)
			if !bytes.Equal(dst.Pix, want.Pix) {
				t.Error("pixels differ")
			}
		})
	}
	t.Run("every step is the mean of photo and composite, less than one level off", func(t *testing.T) {
		for step := range 257 {
			opacity := float64(step) / 256
			blender.Blend(dst, opacity)
			for i := range dst.Pix {
				want := float64(photo.Pix[i])*(1-opacity) + float64(composite.Pix[i])*opacity
				if math.Abs(float64(dst.Pix[i])-want) >= 1 {
					t.Fatalf("step %d byte %d: %d, want %v", step, i, dst.Pix[i], want)
				}
			}
		}
	})
	t.Run("every pair of values at every step, whatever the neighbours", func(t *testing.T) {
		const odd, even = 0xFF00FF00FF00FF00, 0x00FF00FF00FF00FF
		for a := range uint64(256) {
			for b := range uint64(256) {
				for step := range uint64(257) {
					least := (a*(256-step) + b*step) / 256
					most := least
					if step != 0 && step != 256 && a != b {
						most = (a*(256-step) + b*step + 255) / 256
					}
					const all = 0x0101010101010101
					for _, beside := range []uint64{0, odd, even} { // neighbours that rise, fall or stay
						from := a * all &^ beside
						low, high := difference(from, b*all|beside)
						got := mixLanes(from, low, high, step)
						for i := range 8 {
							if beside>>(8*i)&0xFF != 0 {
								continue
							}
							if v := got >> (8 * i) & 0xFF; v < least || v > most {
								t.Fatalf("%d and %d at %d: %x, want %x to %x in byte %d", a, b, step, got, least, most, i)
							}
						}
					}
				}
			}
		}
	})
	t.Run("pictures that are parts of larger ones", func(t *testing.T) {
		part := image.Rect(3, 2, 30, 20)
		wide := image.NewRGBA(image.Rect(0, 0, 60, 40))
		to := wide.SubImage(image.Rect(11, 7, 38, 25)).(*image.RGBA)
		NewBlender(photo.SubImage(part).(*image.RGBA), layer.SubImage(part).(*image.RGBA)).Blend(to, 0.25)
		blender.Blend(dst, 0.25)
		for y := range part.Dy() {
			for x := range part.Dx() {
				if got, want := to.RGBAAt(11+x, 7+y), dst.RGBAAt(3+x, 2+y); got != want {
					t.Fatalf("at %d,%d: %v, want %v", x, y, got, want)
				}
			}
		}
		if wide.RGBAAt(10, 7) != (color.RGBA{}) || wide.RGBAAt(38, 7) != (color.RGBA{}) || wide.RGBAAt(11, 25) != (color.RGBA{}) {
			t.Error("something was drawn beside the part")
		}
	})
	t.Run("a dst of another size gets what both have in common", func(t *testing.T) {
		blender.Blend(dst, 0.5)
		for _, size := range []image.Point{{10, 90}, {90, 10}, {0, 0}, {5, 5}} {
			to := image.NewRGBA(image.Rectangle{Max: size})
			blender.Blend(to, 0.5)
			for y := range size.Y {
				for x := range size.X {
					want := dst.RGBAAt(x, y) // nothing beyond the photo
					if to.RGBAAt(x, y) != want {
						t.Fatalf("size %v at %d,%d: %v, want %v", size, x, y, to.RGBAAt(x, y), want)
					}
				}
			}
		}
	})
	t.Run("a layer smaller or larger than the photo lies on its corner", func(t *testing.T) {
		cover := image.NewRGBA(image.Rect(0, 0, 10, 100))
		draw.Draw(cover, cover.Rect, image.Black, image.Point{}, draw.Src)
		NewBlender(photo, cover).Blend(dst, 1)
		if dst.RGBAAt(9, 22) != (color.RGBA{A: 255}) || dst.RGBAAt(10, 22) != photo.RGBAAt(10, 22) {
			t.Error("the layer covers something else")
		}
	})
	t.Run("no allocation", func(t *testing.T) {
		if testing.Short() {
			t.Skip("counts for long, and the race detector has no part in it")
		}
		photo, layer := noise(image.Pt(800, 600)) // large enough for several goroutines
		blender, dst := NewBlender(photo, layer), image.NewRGBA(photo.Rect)
		least := math.Inf(1) // on a busy machine the runtime itself allocates at times; what Blend allocates is there each time
		for range 5 {
			least = min(least, allocations(100, func() { blender.Blend(dst, 0.4) }))
		}
		if least >= 1 {
			t.Errorf("%v allocations", least)
		}
	})
	t.Run("a picture of many bands, the last one short", func(t *testing.T) {
		photo, layer := noise(image.Pt(701, 503))
		dst, want := image.NewRGBA(photo.Rect), image.NewRGBA(photo.Rect)
		NewBlender(photo, layer).Blend(dst, 0.3)
		for y := range 503 {
			row := func(img *image.RGBA) *image.RGBA { return img.SubImage(image.Rect(0, y, 701, y+1)).(*image.RGBA) }
			NewBlender(row(photo), row(layer)).Blend(row(want), 0.3)
		}
		if !bytes.Equal(dst.Pix, want.Pix) {
			t.Error("pixels differ from those of its rows")
		}
	})
	t.Run("from several goroutines", func(t *testing.T) {
		blender.Blend(dst, 0.7)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				own := image.NewRGBA(photo.Rect)
				blender.Blend(own, 0.7)
				if !bytes.Equal(own.Pix, dst.Pix) {
					t.Error("pixels differ")
				}
			})
		}
		wait.Wait()
	})
}
