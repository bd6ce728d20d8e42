package picture

import (
	"context"
	"encoding/binary"
	"errors"
	"image"

	"assay/client/media/container"
)

// errNotReduced means that image/jpeg must decode the JPEG: it is of another kind, or faulty, and image/jpeg then returns the error.
var errNotReduced = errors.New("not a common JPEG without faults")

// jpegReduction is the largest of the reductions that blocks of 8 × 8 pixels allow (8, 4, 2) at which a picture of that
// size has at least 95 % of longSide; 1 where there is none.
func jpegReduction(size image.Point, longSide int) int {
	for _, reduction := range []int{8, 4, 2} {
		if max(size.X, size.Y)/reduction*20 >= longSide*19 {
			return reduction
		}
	}
	return 1
}

// reducedJPEG decodes a JPEG of the given size at a fraction of it, which takes less time and memory than the whole. It
// accepts the kind that cameras write (baseline, grey or YCbCr, all colours in one scan), and only without a fault; for
// any other it returns errNotReduced. Pixels are allocated only if the file has the size that was checked.
//
// Assay has its own because jpegn 0.4.0, which reduces too, leaves a fourth to an eighth of the contrast.
func reducedJPEG(ctx context.Context, data []byte, size image.Point, reduction int) (image.Image, error) {
	d := &jpegReducer{data: data, at: 2, size: size, reduction: reduction, blocks: newJPEGBlocks(reduction)}
	src, ok := container.SourceOf(data), true
	at := src.JPEGSegments(int64(d.at), func(b container.Block) bool {
		ok = d.segment(b.Kind[0], data[b.Content.Start:b.Content.End])
		return ok
	})
	head, there := src.Head(at, 4)
	if !ok || !there || head[1] != jpegScan {
		return nil, errNotReduced
	}
	scan := data[at+4:]
	length := int(binary.BigEndian.Uint16(head[2:])) - 2
	if length < 0 || length > len(scan) || !d.startScan(scan[:length]) {
		return nil, errNotReduced
	}
	d.at = int(at) + 4 + length
	return d.scan(ctx)
}

// segment reads a segment before the scan; false if image/jpeg must decode the file.
func (d *jpegReducer) segment(marker byte, segment []byte) bool {
	switch marker {
	case jpegFrame, jpegExtendedFrame:
		return d.readFrame(segment)
	case jpegHuffman:
		return d.readCodes(segment)
	case jpegQuantisation:
		return d.readSteps(segment)
	case jpegRestartEvery:
		if len(segment) != 2 {
			return false
		}
		d.restart = int(binary.BigEndian.Uint16(segment))
		return true
	case jpegAdobe: // Adobe's colour transform: 1 is YCbCr
		return len(segment) < 12 || string(segment[:5]) != "Adobe" || segment[11] == 1
	default:
		return marker == jpegComment || marker >= jpegApplication && marker <= jpegApplication+15
	}
}

// jpegReducer holds what has been read of a JPEG.
type jpegReducer struct {
	data      []byte
	at        int
	size      image.Point
	reduction int
	blocks    *jpegBlocks

	steps      [4]*[64]int32    // quantisation tables, in the file's order
	codes      [2][4]*jpegCodes // Huffman tables: of first coefficients, and of others
	components []jpegComponent
	restart    int // MCUs between restart markers, 0 for none
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
			return nil, errNotReduced // the data broke off
		}
	}
	if !bits.end() || bits.at+1 >= len(d.data) || d.data[bits.at+1] != jpegEnd {
		return nil, errNotReduced
	}
	return d.picture(), nil
}

// restarted reads a restart marker; they are numbered modulo 8.
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
			break // the remaining coefficients are zero
		}
		skipped, length := uint(symbol>>4), uint(symbol&15)
		number += skipped
		switch {
		case number > 63 || length == 0 && skipped != 15:
			return false
		case blocks.needed>>number&1 == 0 || length == 0: // a length of 0 means 16 zeros
			bits.count -= length
		default:
			blocks.add(number, bits.value(length)*c.steps[number])
		}
	}
	blocks.draw(pix, c.stride, c.level*c.steps[0])
	return true
}

// picture combines the planes.
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

// The second bytes of a JPEG's markers, of which 0xff is the first.
const (
	jpegFrame         = 0xc0 // a baseline picture's header
	jpegExtendedFrame = 0xc1 // the same with more tables
	jpegHuffman       = 0xc4
	jpegRestart       = 0xd0 // the first of eight
	jpegEnd           = 0xd9
	jpegScan          = 0xda
	jpegQuantisation  = 0xdb
	jpegRestartEvery  = 0xdd
	jpegApplication   = 0xe0 // the first of sixteen
	jpegAdobe         = 0xee
	jpegComment       = 0xfe
)

// readSteps reads quantisation tables.
func (d *jpegReducer) readSteps(segment []byte) bool {
	for len(segment) > 0 {
		wide, id := int(segment[0]>>4), segment[0]&15
		length := 64 * (1 + wide)
		if wide > 1 || id > 3 || len(segment) < 1+length {
			return false
		}
		d.steps[id] = new([64]int32)
		for i := range 64 {
			if wide == 0 {
				d.steps[id][i] = int32(segment[1+i])
			} else {
				d.steps[id][i] = int32(binary.BigEndian.Uint16(segment[1+2*i:]))
			}
		}
		segment = segment[1+length:]
	}
	return true
}

// readCodes reads Huffman tables.
func (d *jpegReducer) readCodes(segment []byte) bool {
	for len(segment) > 0 {
		if len(segment) < 17 {
			return false
		}
		class, id, total := segment[0]>>4, segment[0]&15, 0
		for _, count := range segment[1:17] {
			total += int(count)
		}
		if class > 1 || id > 3 || total > 256 || len(segment) < 17+total {
			return false
		}
		codes, ok := newJPEGCodes(segment[1:17], segment[17:17+total])
		if !ok {
			return false
		}
		d.codes[class][id] = codes
		segment = segment[17+total:]
	}
	return true
}

// readFrame reads the picture's header.
func (d *jpegReducer) readFrame(segment []byte) bool {
	if d.components != nil || len(segment) < 6 || segment[0] != 8 {
		return false
	}
	size := image.Pt(int(binary.BigEndian.Uint16(segment[3:])), int(binary.BigEndian.Uint16(segment[1:])))
	planes := int(segment[5])
	if size != d.size || planes != 1 && planes != 3 || len(segment) != 6+3*planes {
		return false
	}
	for i := range planes {
		part := segment[6+3*i:]
		d.components = append(d.components, jpegComponent{id: part[0], h: int(part[1] >> 4), v: int(part[1] & 15), stepsID: part[2]})
		if part[2] > 3 || part[1]>>4 < 1 || part[1]>>4 > 4 || part[1]&15 < 1 || part[1]&15 > 4 {
			return false
		}
	}
	first := &d.components[0]
	if planes == 1 {
		first.h, first.v = 1, 1
		return true
	}
	ids := string([]byte{first.id, d.components[1].id, d.components[2].id})
	for _, chroma := range d.components[1:] {
		if chroma.h != 1 || chroma.v != 1 {
			return false
		}
	}
	return ids != "RGB" && chromaSubsampling(first.h, first.v) >= 0
}

// chromaSubsampling is the ratio of a JPEG whose colour planes have one block in an MCU, -1 where package image has none for it.
func chromaSubsampling(h, v int) image.YCbCrSubsampleRatio {
	for ratio := image.YCbCrSubsampleRatio444; ratio <= image.YCbCrSubsampleRatio410; ratio++ {
		if chromaRatio(ratio) == image.Pt(h, v) {
			return ratio
		}
	}
	return -1
}

// startScan reads a scan's header and makes room for the pixels.
func (d *jpegReducer) startScan(segment []byte) bool {
	planes := len(d.components)
	if planes == 0 || len(segment) != 4+2*planes || int(segment[0]) != planes || string(segment[1+2*planes:]) != "\x00\x3f\x00" {
		return false
	}
	units := d.units()
	for i := range d.components {
		c := &d.components[i]
		firstID, othersID := segment[2+2*i]>>4, segment[2+2*i]&15
		if segment[1+2*i] != c.id || firstID > 3 || othersID > 3 {
			return false
		}
		c.steps, c.first, c.others = d.steps[c.stepsID], d.codes[0][firstID], d.codes[1][othersID]
		if c.steps == nil || c.first == nil || c.others == nil {
			return false
		}
	}
	for i := range d.components {
		c := &d.components[i]
		c.stride = units.X * c.h * d.blocks.side
		c.pix = make([]byte, c.stride*units.Y*c.v*d.blocks.side)
	}
	return true
}

// units is the number of MCUs across and down.
func (d *jpegReducer) units() image.Point {
	w, h := 8*d.components[0].h, 8*d.components[0].v
	return image.Pt((d.size.X+w-1)/w, (d.size.Y+h-1)/h)
}
