package heat

import (
	"context"
	"encoding/binary"
	"errors"
	"image"
)

// errNotReduced says that a JPEG is of a kind that is left to image/jpeg, or faulty, which is for image/jpeg to say.
var errNotReduced = errors.New("not a common JPEG without faults")

// jpegReduction is the largest reduction, of those that blocks of 8 × 8 pixels allow, that still gives a picture of that
// size the long side that is asked for, or nearly: 1 where there is none.
func jpegReduction(size image.Point, longSide int) int {
	for _, reduction := range []int{8, 4, 2} {
		if max(size.X, size.Y)/reduction*20 >= longSide*19 {
			return reduction
		}
	}
	return 1
}

// reducedJPEG decodes a JPEG of the given size at a fraction of it, which takes less time and memory than the whole. It
// takes the kind that cameras write (baseline, grey or YCbCr, all colours in one scan), and only without a fault:
// everything else gives errNotReduced. No room is made for pixels but where the file has the size that was checked.
//
// It is Assay's own because jpegn 0.4.0, which reduces too, leaves a fourth to an eighth of the contrast.
func reducedJPEG(ctx context.Context, data []byte, size image.Point, reduction int) (image.Image, error) {
	d := &jpegReducer{data: data, at: 2, size: size, reduction: reduction, blocks: newJPEGBlocks(reduction)}
	for {
		marker, segment, ok := d.segment()
		if !ok {
			return nil, errNotReduced
		}
		switch marker {
		case jpegFrame, jpegExtendedFrame:
			ok = d.readFrame(segment)
		case jpegHuffman:
			ok = d.readCodes(segment)
		case jpegQuantisation:
			ok = d.readSteps(segment)
		case jpegRestartEvery:
			ok = len(segment) == 2
			if ok {
				d.restart = int(binary.BigEndian.Uint16(segment))
			}
		case jpegScan:
			if !d.startScan(segment) {
				return nil, errNotReduced
			}
			return d.scan(ctx)
		case jpegAdobe: // Adobe's word on the colours: 1 is YCbCr
			ok = len(segment) < 12 || string(segment[:5]) != "Adobe" || segment[11] == 1
		default:
			ok = marker == jpegComment || marker >= jpegApplication && marker <= jpegApplication+15
		}
		if !ok {
			return nil, errNotReduced
		}
	}
}

// jpegReducer is what was read of a JPEG so far.
type jpegReducer struct {
	data      []byte
	at        int
	size      image.Point
	reduction int
	blocks    *jpegBlocks

	steps      [4]*[64]int32    // what a coefficient counts in, in the file's order
	codes      [2][4]*jpegCodes // for first coefficients, and for others
	components []jpegComponent
	restart    int // MCUs between restarts, 0 for none
}

// jpegComponent is one plane.
type jpegComponent struct {
	id, stepsID byte
	h, v        int // blocks across and down in an MCU, the smallest unit of a scan
	pix         []byte
	stride      int

	steps         *[64]int32
	first, others *jpegCodes
	level         int32 // the last block's first coefficient
}

// scan decodes the pixels.
func (d *jpegReducer) scan(ctx context.Context) (image.Image, error) {
	bits := &jpegBits{data: d.data, at: d.at}
	units := d.units()
	left, restarts := d.restart, 0
	for y := range units.Y {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for x := range units.X {
			if d.restart > 0 && left == 0 {
				if !d.restarted(bits, restarts) {
					return nil, errNotReduced
				}
				left = d.restart
				restarts++
			}
			left--
			if !d.unit(bits, x, y) {
				return nil, errNotReduced
			}
		}
		if bits.padded > bits.count {
			return nil, errNotReduced // it breaks off
		}
	}
	if !bits.end() || bits.at+1 >= len(d.data) || d.data[bits.at+1] != jpegEnd {
		return nil, errNotReduced
	}
	return d.picture(), nil
}

// restarted reads the marker of a restart, which are numbered.
func (d *jpegReducer) restarted(bits *jpegBits, number int) bool {
	if !bits.end() || bits.at+1 >= len(d.data) || d.data[bits.at+1] != jpegRestart+byte(number%8) {
		return false
	}
	bits.at += 2
	for i := range d.components {
		d.components[i].level = 0
	}
	return true
}

// unit decodes one MCU.
func (d *jpegReducer) unit(bits *jpegBits, x, y int) bool {
	for i := range d.components {
		c := &d.components[i]
		for down := range c.v {
			for across := range c.h {
				at := ((y*c.v+down)*c.stride + x*c.h + across) * d.blocks.side
				if !c.block(bits, d.blocks, c.pix[at:]) {
					return false
				}
			}
		}
	}
	return true
}

// block decodes one block.
func (c *jpegComponent) block(bits *jpegBits, blocks *jpegBlocks, pix []byte) bool {
	if bits.count < bitsNeeded {
		bits.fill()
	}
	length, ok := bits.symbol(c.first)
	if !ok || length > 15 {
		return false
	}
	c.level += bits.value(uint(length))
	for number := uint(1); number < 64; number++ {
		if bits.count < bitsNeeded {
			bits.fill()
		}
		symbol, ok := bits.symbol(c.others)
		if !ok {
			return false
		}
		if symbol == 0 {
			break // the rest is zero
		}
		skipped, length := uint(symbol>>4), uint(symbol&15)
		number += skipped
		switch {
		case number > 63 || length == 0 && skipped != 15:
			return false
		case blocks.needed>>number&1 == 0 || length == 0: // length 0: 16 are zero
			bits.count -= length
		default:
			blocks.add(number, bits.value(length)*c.steps[number])
		}
	}
	blocks.draw(pix, c.stride, c.level*c.steps[0])
	return true
}

// picture puts the planes together.
func (d *jpegReducer) picture() image.Image {
	frame := image.Rect(0, 0, (d.size.X+d.reduction-1)/d.reduction, (d.size.Y+d.reduction-1)/d.reduction)
	first := d.components[0]
	if len(d.components) == 1 {
		return &image.Gray{Pix: first.pix, Stride: first.stride, Rect: frame}
	}
	return &image.YCbCr{
		Y: first.pix, Cb: d.components[1].pix, Cr: d.components[2].pix,
		YStride: first.stride, CStride: d.components[1].stride,
		SubsampleRatio: chromaSubsampling(first.h, first.v), Rect: frame,
	}
}
