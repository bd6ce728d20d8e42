package picture

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"runtime"
	"sync"
	"sync/atomic"
)

// averaged returns one part of a picture at a smaller size: every pixel is the average of what it covers, weighted by area.
// part is in the pixels of the whole picture; each pixel of src stands for reduction × reduction of them (1 where src is
// the whole picture). A YCbCr or grey picture is averaged plane by plane and converted to RGBA at the end; any other one is
// converted first, row by row. If ctx ends, the remaining rows stay transparent.
func averaged(ctx context.Context, src image.Image, part image.Rectangle, size image.Point, reduction int) *image.RGBA {
	target := image.NewRGBA(image.Rectangle{Max: size})
	job := averageJob{part: part, size: size, reduction: reduction}
	switch img := src.(type) {
	case *image.YCbCr:
		ratio := chromaRatio(img.SubsampleRatio)
		corner := image.Pt(img.Rect.Min.X/ratio.X, img.Rect.Min.Y/ratio.Y)
		planes := []averagePlane{
			job.plane(img.Y, img.YStride, img.Rect.Min, image.Pt(1, 1)),
			job.plane(img.Cb, img.CStride, corner, ratio),
			job.plane(img.Cr, img.CStride, corner, ratio),
		}
		job.run(ctx, planes, func(y int, rows [][]byte) {
			to := target.Pix[y*target.Stride:][:4*size.X]
			for x := range size.X {
				to[4*x], to[4*x+1], to[4*x+2] = color.YCbCrToRGB(rows[0][x], rows[1][x], rows[2][x])
				to[4*x+3] = 255
			}
		})
	case *image.Gray:
		job.run(ctx, []averagePlane{job.plane(img.Pix, img.Stride, img.Rect.Min, image.Pt(1, 1))}, func(y int, rows [][]byte) {
			to := target.Pix[y*target.Stride:][:4*size.X]
			for x, v := range rows[0] {
				to[4*x], to[4*x+1], to[4*x+2], to[4*x+3] = v, v, v, 255
			}
		})
	default:
		job.run(ctx, []averagePlane{job.colours(src)}, func(y int, rows [][]byte) {
			copy(target.Pix[y*target.Stride:], rows[0])
		})
	}
	return target
}

// chromaRatio returns how many pixels across and down share one sample of colour.
func chromaRatio(ratio image.YCbCrSubsampleRatio) image.Point {
	switch ratio {
	case image.YCbCrSubsampleRatio422:
		return image.Pt(2, 1)
	case image.YCbCrSubsampleRatio420:
		return image.Pt(2, 2)
	case image.YCbCrSubsampleRatio440:
		return image.Pt(1, 2)
	case image.YCbCrSubsampleRatio411:
		return image.Pt(4, 1)
	case image.YCbCrSubsampleRatio410:
		return image.Pt(4, 2)
	default:
		return image.Pt(1, 1)
	}
}

// averageJob is a part to average, and the size of the result.
type averageJob struct {
	part      image.Rectangle
	size      image.Point
	reduction int
}

// averagePlane reads the rows of one plane of a picture, or of all its channels interleaved.
type averagePlane struct {
	channels      int
	columns, rows []span
	// reader returns a function that reads row y, from the first sample that columns need. The slice that it returns is
	// valid until the next call. Every goroutine calls reader for a function of its own.
	reader func() func(y int) []byte
}

// plane describes a plane of bytes whose first sample is at corner, in samples; each sample covers ratio pixels.
func (j averageJob) plane(pix []byte, stride int, corner, ratio image.Point) averagePlane {
	ratio = ratio.Mul(j.reduction)
	plane := averagePlane{
		channels: 1,
		columns:  spans(j.part.Min.X, j.part.Dx(), j.size.X, ratio.X),
		rows:     spans(j.part.Min.Y, j.part.Dy(), j.size.Y, ratio.Y),
	}
	left := plane.columns[0].from - corner.X
	plane.reader = func() func(int) []byte {
		return func(y int) []byte { return pix[(y-corner.Y)*stride+left:] }
	}
	return plane
}

// colours describes a picture of any other kind, as rows of RGBA.
func (j averageJob) colours(src image.Image) averagePlane {
	plane := averagePlane{
		channels: 4,
		columns:  spans(j.part.Min.X, j.part.Dx(), j.size.X, j.reduction),
		rows:     spans(j.part.Min.Y, j.part.Dy(), j.size.Y, j.reduction),
	}
	left, right := plane.columns[0].from, plane.columns[j.size.X-1].to+1
	plane.reader = func() func(int) []byte {
		row := image.NewRGBA(image.Rect(0, 0, right-left, 1))
		return func(y int) []byte {
			draw.Draw(row, row.Rect, src, image.Pt(left, y), draw.Src)
			return row.Pix
		}
	}
	return plane
}

// run averages the planes row by row, and calls finish with row y of all of them, on several goroutines.
func (j averageJob) run(ctx context.Context, planes []averagePlane, finish func(y int, rows [][]byte)) {
	shareRows(ctx, j.size.Y, func(next func() (int, bool)) {
		rows, sums, readers := make([][]byte, len(planes)), make([][]uint64, len(planes)), make([]func(int) []byte, len(planes))
		for i, plane := range planes {
			rows[i] = make([]byte, plane.channels*j.size.X)
			sums[i] = make([]uint64, plane.channels*(plane.columns[j.size.X-1].to+1-plane.columns[0].from))
			readers[i] = plane.reader()
		}
		for y, ok := next(); ok; y, ok = next() {
			for i, plane := range planes {
				plane.average(rows[i], sums[i], readers[i], plane.rows[y])
			}
			finish(y, rows)
		}
	})
}

// average computes one row of the result. sums is scratch space with one element for each sample of a row.
func (p averagePlane) average(to []byte, sums []uint64, read func(y int) []byte, row span) {
	clear(sums)
	addRow(sums, read(row.from), row.first)
	for inner := row.from + 1; inner < row.to; inner++ {
		addRow(sums, read(inner), spanUnit)
	}
	if row.last > 0 {
		addRow(sums, read(row.to), row.last)
	}
	left := p.columns[0].from
	for x, column := range p.columns {
		area := row.whole * column.whole
		first, last := (column.from-left)*p.channels, (column.to-left)*p.channels
		for c := range p.channels {
			sum, inner := sums[first+c]*column.first+sums[last+c]*column.last, uint64(0)
			for i := first + p.channels + c; i < last; i += p.channels {
				inner += sums[i]
			}
			to[x*p.channels+c] = byte((sum + inner*spanUnit + area/2) / area)
		}
	}
}

// addRow adds a row's samples, weighted, to the sums.
func addRow(sums []uint64, row []byte, weight uint64) {
	row = row[:len(sums)]
	for i, v := range row {
		sums[i] += uint64(v) * weight
	}
}

// span is what one pixel of a result covers along a side of its source: from the sample first to the sample last, either
// of which may be covered in part only. Where they are the same sample, first alone counts.
type span struct {
	from, to           int
	first, last, whole uint64 // in 256ths of a sample
}

const (
	spanBits = 8
	spanUnit = 1 << spanBits
)

// spans divides length pixels, from start on, into count spans. Each sample of the source covers ratio pixels.
func spans(start, length, count, ratio int) []span {
	shared := make([]span, count)
	edge := func(i int) int { return start*spanUnit/ratio + length*i*spanUnit/(count*ratio) }
	for i := range shared {
		low := edge(i)
		high := max(edge(i+1), low+1)
		from, to := low>>spanBits, (high-1)>>spanBits
		one := span{from: from, to: to, first: uint64(high - low), whole: uint64(high - low)}
		if from < to {
			one.first, one.last = uint64((from+1)*spanUnit-low), uint64(high-to*spanUnit)
		}
		shared[i] = one
	}
	return shared
}

// shareRows does work on as many goroutines as there are processors, and returns when all rows are done. Each call of
// work takes rows from next until ok is false; if ctx ends, that is early.
func shareRows(ctx context.Context, rows int, work func(next func() (row int, ok bool))) {
	var taken atomic.Int64
	next := func() (int, bool) {
		row := int(taken.Add(1)) - 1
		return row, row < rows && ctx.Err() == nil
	}
	var helpers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), rows) - 1 {
		helpers.Go(func() { work(next) })
	}
	work(next)
	helpers.Wait()
}
