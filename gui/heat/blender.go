// Package heat lays a heatmap over its photo: blended at any opacity, and as composites with boxes and a legend to save. It may import the standard
// library, imaging and x/image, and of Assay client/media/picture; no toolkit.
//
// Its functions are slow and belong on a worker goroutine. Goroutines that they start end before they return.
package heat

import (
	"encoding/binary"
	"image"
	"image/draw"
	"runtime"
	"sync"
	"sync/atomic"
)

// Blender mixes a photo with its heatmap at any opacity, for exports and for software rendering; on screen two stacked images do without it. It
// computes the composite at 100 % once and keeps the difference to the photo, 8 bytes a pixel; each Blend adds a share of that difference.
//
// Any number of goroutines may call Blend at once, each with its own dst.
type Blender struct {
	photo       *image.RGBA
	size        image.Point
	differences []uint64 // two words for each pair of pixels, see difference; an odd last pixel of a row counts as a pair
}

// NewBlender lays layer over photo, with their upper left corners together; what is outside the photo is cut off. The photo is not copied: it must
// not change while the Blender is in use.
func NewBlender(photo, layer *image.RGBA) *Blender {
	size := photo.Rect.Size()
	composite := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(composite, composite.Rect, photo, photo.Rect.Min, draw.Src)
	draw.Draw(composite, image.Rectangle{Max: layer.Rect.Size()}, layer, layer.Rect.Min, draw.Over)

	differences := make([]uint64, 0, pairWords(size.X)*size.Y)
	for y := range size.Y {
		from, to := photo.Pix[y*photo.Stride:][:4*size.X], composite.Pix[y*composite.Stride:][:4*size.X]
		for ; len(from) >= 8; from, to = from[8:], to[8:] {
			low, high := difference(binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(to))
			differences = append(differences, low, high)
		}
		if len(from) == 4 {
			low, high := difference(uint64(binary.LittleEndian.Uint32(from)), uint64(binary.LittleEndian.Uint32(to)))
			differences = append(differences, low, high)
		}
	}
	return &Blender{photo: photo, size: size, differences: differences}
}

// pairWords is the number of words of differences for a row of width pixels.
func pairWords(width int) int { return (width + 1) / 2 * 2 }

// Size is the size of the photo, which Blend expects dst to have too.
func (b *Blender) Size() image.Point { return b.size }

// Blend draws the photo with the heatmap at an opacity from 0 to 1 into dst, in 256 steps: 0 gives exactly the photo, 1 the composite. Other values
// are clamped. It uses idle processors, returns when all is drawn, and does not allocate. If dst has another size than the photo, what they have in
// common is drawn. dst must not share pixels with the photo.
func (b *Blender) Blend(dst *image.RGBA, opacity float64) {
	w, h := min(b.size.X, dst.Rect.Dx()), min(b.size.Y, dst.Rect.Dy())
	if w < 1 || h < 1 {
		return
	}
	blendBands(bandJob{Blender: b, to: dst, w: w, h: h, step: opacityStep(opacity)})
}

// opacityStep returns the opacity in steps of 1/256, 0 for NaN.
func opacityStep(opacity float64) uint64 {
	switch {
	case opacity >= 1:
		return 256
	case opacity > 0:
		return uint64(opacity*256 + 0.5)
	default:
		return 0
	}
}

// mix writes photo + difference*step/256 for every byte. The result is off by one at most, and exact if the difference is zero or step is 0 or 256.
// to and photo have the same length, a multiple of 4.
func mix(to, photo []byte, differences []uint64, step uint64) {
	photo, differences = photo[:len(to)], differences[:pairWords(len(to)/4)]
	done := 0
	for ; done+32 <= len(to); done += 32 { // four pairs at a time, so that the bounds of the slices are checked once for all
		to, photo, d := to[done:done+32:done+32], photo[done:done+32:done+32], differences[done/4:done/4+8:done/4+8]
		mixPair(to[0:8], photo[0:8], d[0], d[1], step)
		mixPair(to[8:16], photo[8:16], d[2], d[3], step)
		mixPair(to[16:24], photo[16:24], d[4], d[5], step)
		mixPair(to[24:32], photo[24:32], d[6], d[7], step)
	}
	for ; done+8 <= len(to); done += 8 { // up to three more pairs
		mixPair(to[done:], photo[done:], differences[done/4], differences[done/4+1], step)
	}
	if done < len(to) { // and a last pixel
		one := mixLanes(uint64(binary.LittleEndian.Uint32(photo[done:])), differences[done/4], differences[done/4+1], step)
		binary.LittleEndian.PutUint32(to[done:], uint32(one&0xFFFFFFFF))
	}
}

// mixPair mixes a pair of pixels.
func mixPair(to, photo []byte, low, high, step uint64) {
	binary.LittleEndian.PutUint64(to, mixLanes(binary.LittleEndian.Uint64(photo), low, high, step))
}

// lanes masks the low bytes of four lanes of 16 bits: every second byte of eight, with room for its product.
const lanes = 0x00FF00FF00FF00FF

// difference returns b - a for eight bytes: those in the low bytes of the lanes, and those in the high bytes. A negative difference borrows from the
// next lane.
func difference(a, b uint64) (low, high uint64) {
	return b&lanes - a&lanes, b>>8&lanes - a>>8&lanes
}

// mixLanes adds step/256 of the differences to the eight bytes of a.
//
// One multiplication serves four lanes: adding a pays back what a lane borrowed from the next, since the sum of every lane is within 0 and 65535. In
// the high half, the low bytes of a remain as fractions: they only affect rounding, and keeping them saves an instruction in this inner loop.
func mixLanes(a, low, high, step uint64) uint64 {
	low = a&lanes + low*step>>8
	high = a + high*step
	return high ^ (high^low)&lanes // the low bytes of low, the high bytes of high
}

// bandBytes is the size of a band of work: small enough to be distributed evenly, large enough to be worth it.
const bandBytes = 256 << 10

// bandJob is a call of Blend: w × h pixels from the upper left corner of each picture.
type bandJob struct {
	*Blender
	to   *image.RGBA
	w, h int
	step uint64 // 0 to 256
}

// bandWorkers mixes a job in bands of rows, on several goroutines that end with the job. Each takes the next band when it is done with one, so that a
// busy processor does not hold up the others.
type bandWorkers struct {
	bandJob
	bandHeight int
	nextBand   atomic.Int64
	helpers    sync.WaitGroup
	help       func() // kept, so that starting it as a goroutine does not allocate
}

// idleWorkers keeps the memory of finished jobs, so that Blend does not allocate.
var idleWorkers = sync.Pool{New: func() any {
	b := &bandWorkers{}
	b.help = func() {
		defer b.helpers.Done()
		b.work()
	}
	return b
}}

// blendBands returns when the whole job is done.
func blendBands(job bandJob) {
	b := idleWorkers.Get().(*bandWorkers) // the pool has only this type
	b.bandJob = job
	b.bandHeight = max(1, bandBytes/(4*job.w))
	b.nextBand.Store(0)
	bands := (job.h + b.bandHeight - 1) / b.bandHeight
	helpers := min(runtime.GOMAXPROCS(0), bands) - 1
	b.helpers.Add(helpers)
	for range helpers {
		go b.help()
	}
	b.work()
	b.helpers.Wait()
	b.bandJob = bandJob{} // releases the pictures
	idleWorkers.Put(b)
}

// work mixes bands until none is left.
func (b *bandWorkers) work() {
	for {
		top := (int(b.nextBand.Add(1)) - 1) * b.bandHeight
		if top >= b.h {
			return
		}
		b.mixRows(top, min(top+b.bandHeight, b.h))
	}
}

// mixRows mixes the rows from top to before bottom.
func (b *bandWorkers) mixRows(top, bottom int) {
	run, words, rows := 4*b.w, pairWords(b.size.X), bottom-top // bytes, words and rows
	if b.to.Stride == run && b.photo.Stride == run && b.w%2 == 0 {
		run, rows = run*rows, 1 // no gaps between rows: mix all as one row
	}
	for y := top; y < top+rows; y++ {
		to, photo := b.to.Pix[y*b.to.Stride:][:run], b.photo.Pix[y*b.photo.Stride:][:run]
		if b.step == 0 {
			copy(to, photo)
		} else {
			mix(to, photo, b.differences[y*words:], b.step)
		}
	}
}
