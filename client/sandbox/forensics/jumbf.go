package forensics

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// box is a JUMBF superbox (ISO/IEC 19566-5): a label, contents, and boxes inside.
type box struct {
	label    string
	contents map[string][]byte // by type ("cbor", "json"), the first of each
	boxes    []*box
}

const (
	deepestBox = 12    // levels of boxes inside boxes
	mostBoxes  = 2_000 // in one manifest store
)

// jumbfOf collects the bytes of the JUMBF boxes of a picture where C2PA puts
// them (C2PA specification, annex A): APP11 in JPEG, caBX in PNG, the chunk C2PA
// in WebP.
func jumbfOf(p *picture) [][]byte {
	switch p.format {
	case formatJPEG:
		return jpegJUMBF(p.data)
	case formatPNG:
		for name, content := range pngChunks(p.data) {
			if name == "caBX" {
				return [][]byte{content}
			}
		}
	case formatWebP:
		for name, content := range webpChunks(p.data) {
			if name == "C2PA" {
				return [][]byte{content}
			}
		}
	}
	return nil
}

// jpegJUMBF joins the APP11 segments of each box. A segment begins with "JP",
// the number of the box (2 bytes) and of the packet (4); every packet repeats the
// box's header, which is kept from the first alone.
func jpegJUMBF(data []byte) [][]byte {
	const app11, prefix = 0xeb, 8
	type packet struct {
		number  uint32
		content []byte
	}
	byBox := map[uint16][]packet{}
	var order []uint16
	for marker, content := range jpegSegments(data) {
		if marker != app11 || len(content) < prefix+8 || string(content[:2]) != "JP" {
			continue
		}
		n := binary.BigEndian.Uint16(content[2:])
		if _, seen := byBox[n]; !seen {
			order = append(order, n)
		}
		byBox[n] = append(byBox[n], packet{binary.BigEndian.Uint32(content[4:]), content[prefix:]})
	}
	var all [][]byte
	for _, n := range order {
		packets := byBox[n]
		slices.SortStableFunc(packets, func(a, b packet) int { return compare(float64(a.number), float64(b.number)) })
		header := 8
		if binary.BigEndian.Uint32(packets[0].content) == 1 {
			header = 16 // the length is in the eight bytes that follow
		}
		joined := slices.Clone(packets[0].content)
		for _, more := range packets[1:] {
			joined = append(joined, more.content[min(header, len(more.content)):]...)
		}
		all = append(all, joined)
	}
	return all
}

// superboxes reads the JUMBF superboxes in data. What is malformed is left out.
func superboxes(data []byte) []*box {
	left := mostBoxes
	return readSuperboxes(data, 0, &left)
}

func readSuperboxes(data []byte, depth int, left *int) []*box {
	var found []*box
	for kind, content := range boxesIn(data) {
		if kind != "jumb" || depth >= deepestBox || *left <= 0 {
			continue
		}
		*left--
		b := &box{contents: map[string][]byte{}}
		for inner, value := range boxesIn(content) {
			switch inner {
			case "jumd":
				b.label = labelOf(value)
			case "jumb":
			default:
				if _, seen := b.contents[inner]; !seen {
					b.contents[inner] = value
				}
			}
		}
		b.boxes = readSuperboxes(content, depth+1, left)
		found = append(found, b)
	}
	return found
}

// boxesIn goes through the boxes in data, by type and content.
func boxesIn(data []byte) func(func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for len(data) >= 8 {
			size, header := uint64(binary.BigEndian.Uint32(data)), uint64(8)
			switch size {
			case 0: // to the end
				size = uint64(len(data))
			case 1:
				if len(data) < 16 {
					return
				}
				size, header = binary.BigEndian.Uint64(data[8:]), 16
			}
			if size < header || size > uint64(len(data)) || !yield(string(data[4:8]), data[header:size]) {
				return
			}
			data = data[size:]
		}
	}
}

// labelOf reads a description box: a type of 16 bytes, flags, a label that ends
// with a zero.
func labelOf(description []byte) string {
	const flagsAt, hasLabel = 16, 0x02
	if len(description) <= flagsAt || description[flagsAt]&hasLabel == 0 {
		return ""
	}
	label, _, _ := bytes.Cut(description[flagsAt+1:], []byte{0})
	return string(label)
}

// find gives the superboxes below b, at any depth, whose label in accepts.
func (b *box) find(in func(label string) bool) []*box {
	var found []*box
	for _, inner := range b.boxes {
		if in(inner.label) {
			found = append(found, inner)
		}
		found = append(found, inner.find(in)...)
	}
	return found
}
