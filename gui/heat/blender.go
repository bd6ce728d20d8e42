// Package heat lays a heatmap over its photo: the blend at any opacity, and composites with boxes and a legend to save. It may import
// the standard library, imaging and x/image, and of Assay client/media/picture; no toolkit.
//
// Every function here is made for a worker goroutine: none touches a screen, none keeps a goroutine when it returns.
package heat

import (
	"encoding/binary"
	"image"
	"image/draw"
	"runtime"
	"sync"
	"sync/atomic"
)

// Blender mixes a photo with its heatmap at any opacity, for exports and for painting in software; on screen two
// stacked images cost nothing. The composite at 100 % is made once, and of it only the difference to the photo is kept,
// 8 bytes a pixel; a change of opacity then adds a part of that difference.
//
// Any number of goroutines may call Blend at once, each with a dst of its own.
type Blender struct {
	photo       *image.RGBA
	size        image.Point
	differences []uint64 // two words, see difference, for each pair of pixels; a last single pixel of a row is a pair
}

// NewBlender lays layer over photo, corner on corner; what of layer reaches beyond the photo is cut off. The photo is
// kept, not copied: it must not change while the Blender is in use.
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

// pairWords is how many words of differences a row of that many pixels has.
func pairWords(width int) int { return (width + 1) / 2 * 2 }

// Size is the photo's, and the one that Blend expects of its dst.
func (b *Blender) Size() image.Point { return b.size }

// Blend draws the photo with the heatmap at the given opacity into dst, in 256 steps: 0 gives the photo to the byte, 1
// the composite. Values beyond are taken as the nearer end. It uses the processors that are free, returns when all is
// drawn, and does not allocate. A dst of another size than the photo's gets what both have in common; dst must not share
// its pixels with the photo.
func (b *Blender) Blend(dst *image.RGBA, opacity float64) {
	w, h := min(b.size.X, dst.Rect.Dx()), min(b.size.Y, dst.Rect.Dy())
	if w < 1 || h < 1 {
		return
	}
	blendBands(bandJob{Blender: b, to: dst, w: w, h: h, step: opacityStep(opacity)})
}

// opacityStep is the opacity in steps of 1/256. What is no number counts as 0.
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

// mix writes photo + difference*step/256 for every byte, at most one level off the exact value; where there is no
// difference, and at both ends, exactly. to and photo have the same length, a multiple of 4.
func mix(to, photo []byte, differences []uint64, step uint64) {
	photo, differences = photo[:len(to)], differences[:pairWords(len(to)/4)]
	done := 0
	for ; done+32 <= len(to); done += 32 { // four pairs at a time: the slices' bounds are then checked once for all
		to, photo, d := to[done:done+32:done+32], photo[done:done+32:done+32], differences[done/4:done/4+8:done/4+8]
		mixPair(to[0:8], photo[0:8], d[0], d[1], step)
		mixPair(to[8:16], photo[8:16], d[2], d[3], step)
		mixPair(to[16:24], photo[16:24], d[4], d[5], step)
		mixPair(to[24:32], photo[24:32], d[6], d[7], step)
	}
	for ; done+8 <= len(to); done += 8 { // up to three pairs are left
		mixPair(to[done:], photo[done:], differences[done/4], differences[done/4+1], step)
	}
	if done < len(to) { // and one pixel
		one := mixLanes(uint64(binary.LittleEndian.Uint32(photo[done:])), differences[done/4], differences[done/4+1], step)
		binary.LittleEndian.PutUint32(to[done:], uint32(one&0xFFFFFFFF))
	}
}

// mixPair mixes two pixels.
func mixPair(to, photo []byte, low, high, step uint64) {
	binary.LittleEndian.PutUint64(to, mixLanes(binary.LittleEndian.Uint64(photo), low, high, step))
}

// lanes are the low bytes of four lanes of 16 bits: every other byte of eight gets the room for its product.
const lanes = 0x00FF00FF00FF00FF

// difference is what must be added to the eight bytes of a to get b: those in the low bytes of the lanes, and those in
// the high ones. A negative difference borrows from the next lane.
func difference(a, b uint64) (low, high uint64) {
	return b&lanes - a&lanes, b>>8&lanes - a>>8&lanes
}

// mixLanes adds step/256 of the differences to the eight bytes of a.
//
// One multiplication does for four lanes: what a lane borrowed from the next is paid back when a is added, since every
// lane's sum lies within 0 and 65535. In the high half the low bytes of a stay in, below the point: they round, neither
// up nor down as a rule, and save an instruction where every one counts.
func mixLanes(a, low, high, step uint64) uint64 {
	low = a&lanes + low*step>>8
	high = a + high*step
	return high ^ (high^low)&lanes // the low bytes of low, the high ones of high
}

// bandBytes is how much of a picture is one band of work: little enough to share out evenly, much enough to be worth it.
const bandBytes = 256 << 10

// bandJob says what one call of Blend has to mix: w × h pixels from the corner of each picture.
type bandJob struct {
	*Blender
	to   *image.RGBA
	w, h int
	step uint64 // 0 to 256
}

// bandWorkers mixes one job in bands of rows, on several goroutines that end with the job. Each takes the next band when
// it has done one, so that a processor that is busy elsewhere holds nobody up.
type bandWorkers struct {
	bandJob
	bandHeight int
	nextBand   atomic.Int64
	helpers    sync.WaitGroup
	help       func() // made once: starting it as a goroutine then needs no memory
}

// idleWorkers keeps the memory of finished jobs, so that a call of Blend needs none.
var idleWorkers = sync.Pool{New: func() any {
	b := &bandWorkers{}
	b.help = func() {
		defer b.helpers.Done()
		b.work()
	}
	return b
}}

// blendBands does a job and returns when all of it is done.
func blendBands(job bandJob) {
	b := idleWorkers.Get().(*bandWorkers) // the pool holds nothing else
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
	b.bandJob = bandJob{} // keeps no picture alive
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
		run, rows = run*rows, 1 // no gaps between the rows: one run for all
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
