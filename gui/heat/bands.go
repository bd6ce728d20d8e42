package heat

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"
)

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
