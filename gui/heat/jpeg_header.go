package heat

import (
	"encoding/binary"
	"image"
)

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

// segment gives the next marker and what belongs to it.
func (d *jpegReducer) segment() (marker byte, segment []byte, ok bool) {
	for d.at+1 < len(d.data) && d.data[d.at] == 0xff && d.data[d.at+1] == 0xff {
		d.at++ // any number of them may fill up
	}
	if d.at+4 > len(d.data) || d.data[d.at] != 0xff {
		return 0, nil, false
	}
	marker = d.data[d.at+1]
	length := int(binary.BigEndian.Uint16(d.data[d.at+2:]))
	from, to := d.at+4, d.at+2+length
	if to < from || to > len(d.data) {
		return 0, nil, false
	}
	d.at = to
	return marker, d.data[from:to], true
}

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

// chromaSubsampling is the ratio of a JPEG whose planes of colour have one block in an MCU, -1 where image has none for it.
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

// units is how many MCUs there are across and down.
func (d *jpegReducer) units() image.Point {
	w, h := 8*d.components[0].h, 8*d.components[0].v
	return image.Pt((d.size.X+w-1)/w, (d.size.Y+h-1)/h)
}
