package facts

import (
	"encoding/binary"
	"fmt"
)

// exifBlock is a repaired block of EXIF that imagemeta reads to its end, and the content that imagemeta would skip.
type exifBlock struct {
	data      []byte
	tags      []Tag    // fields that imagemeta would not read, or would misread
	xmp       [][]byte // packets that are the values of fields
	iptc      [][]byte // datasets that are the values of fields
	photoshop []byte   // resources that are the values of fields
	whole     bool     // nothing had to be left out
}

// The tags of EXIF that point to another directory, or hold data of another format.
const (
	exifSubdirectories = 0x014a
	exifPackets        = 0x02bc
	exifIPTC           = 0x83bb
	exifPhotoshop      = 0x8649
	exifMakerNote      = 0x927c
	exifInterop        = 0xa005
)

var exifPointers = map[uint16]bool{exifSubdirectories: true, 0x8769: true, 0x8825: true, exifInterop: true}

// exifSizes are the bytes of one value of each type (TIFF 6.0, 2).
var exifSizes = map[uint16]int64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1}

// exifRepair removes from a block of EXIF what makes imagemeta stop: entries of unknown types, values outside the block, directories
// that form a cycle. imagemeta then reads the rest.
type exifRepair struct {
	exifBlock
	order    binary.ByteOrder
	size     int64           // of the block; data has some zeros after it
	seen     map[int64]bool  // offsets of the directories that were repaired
	pointers map[uint16]bool // tags of the pointers that were met
}

// repairedEXIF returns a block of EXIF that imagemeta can read, without what is damaged.
func repairedEXIF(data []byte) exifBlock {
	const header = 8
	r := &exifRepair{exifBlock: exifBlock{data: append(append([]byte(nil), data...), 0, 0, 0, 0), whole: true}, size: int64(len(data)), seen: map[int64]bool{}, pointers: map[uint16]bool{}}
	switch {
	case len(data) >= header && string(data[:2]) == "II":
		r.order = binary.LittleEndian
	case len(data) >= header && string(data[:2]) == "MM":
		r.order = binary.BigEndian
	default:
		return exifBlock{}
	}
	next, ok := r.directory(int64(r.order.Uint32(r.data[4:])))
	if !ok {
		return r.exifBlock
	}
	// The second directory is that of the thumbnail. imagemeta reads no third.
	if at := r.order.Uint32(r.data[next:]); at != 0 {
		if behind, ok := r.directory(int64(at)); !ok {
			r.order.PutUint32(r.data[next:], 0)
		} else if r.order.Uint32(r.data[behind:]) != 0 {
			r.whole = false
		}
	}
	return r.exifBlock
}

// directory repairs the directory at an offset, and returns where it holds the next one's offset; ok is false if it can't be read.
func (r *exifRepair) directory(at int64) (next int64, ok bool) {
	const count, entry, pointer, most = 2, 12, 4, 30
	const header = 8
	if at < header || at+count > r.size || r.seen[at] || len(r.seen) == most {
		r.whole = false
		return 0, false
	}
	r.seen[at] = true
	n := int64(r.order.Uint16(r.data[at:]))
	if there := (r.size - at - count) / entry; n > there {
		n, r.whole = there, false
	}
	kept := at + count
	for i := range n {
		from := at + count + i*entry
		if r.entry(r.data[from : from+entry]) {
			copy(r.data[kept:kept+entry], r.data[from:from+entry])
			kept += entry
		}
	}
	end := at + count + n*entry
	following := append([]byte(nil), r.data[end:end+pointer]...)
	if end+pointer > r.size {
		clear(following) // some programs leave the next offset out
	}
	copy(r.data[kept:], following)
	r.order.PutUint16(r.data[at:], uint16((kept-at-count)/entry)) //nolint:gosec // no more than before
	return kept, true
}

// entry repairs an entry of a directory; false means that it must be removed.
func (r *exifRepair) entry(e []byte) bool {
	const dataType, count, value, inside, ascii, utf8, bytes, undefined, long, ifd = 2, 4, 8, 4, 2, 129, 1, 7, 4, 13
	tag, kind, number := r.order.Uint16(e), r.order.Uint16(e[dataType:]), int64(r.order.Uint32(e[count:]))
	each, known := exifSizes[kind]
	if !known {
		r.whole = false
		return false
	}
	switch kind {
	case ifd:
		r.order.PutUint16(e[dataType:], long)
	case utf8:
		r.order.PutUint16(e[dataType:], ascii)
	}
	length := each * number
	content := e[value : value+inside]
	if length > inside {
		at := int64(r.order.Uint32(e[value:]))
		if at+length > r.size {
			r.whole = false
			if at >= r.size || each > 1 {
				return false
			}
			length = r.size - at                                                // of a text that is cut short, the rest is read
			if r.order.PutUint32(e[count:], uint32(length)); length <= inside { //nolint:gosec // at most its value before, which has 32 bits
				return false
			}
		}
		content = r.data[at : at+length]
	}
	switch {
	case tag == exifPackets:
		r.xmp = append(r.xmp, content)
		return false
	case tag == exifIPTC:
		r.iptc = append(r.iptc, content)
		return false
	case tag == exifPhotoshop:
		r.photoshop = append(r.photoshop, content...)
		return false
	case exifPointers[tag]:
		return r.follow(tag, kind, content)
	case length > longestTag || number > longestTag:
		if tag != exifMakerNote || kind != undefined && kind != bytes {
			r.whole = false
		} else {
			r.tags = append(r.tags, Tag{"IFD0/ExifIFDP", "MakerNote", make([]byte, length)})
		}
		return false
	}
	return true
}

// follow repairs the directories that an entry points to; false means that the entry must be removed.
func (r *exifRepair) follow(tag, kind uint16, content []byte) bool {
	const long, ifd, each = 4, 13, 4
	if kind != long && kind != ifd || len(content) < each || r.pointers[tag] {
		r.whole = false // of several, imagemeta reads only the first
		return false
	}
	r.pointers[tag] = true
	if tag == exifInterop {
		r.interoperability(int64(r.order.Uint32(content)))
		return false
	}
	for ; len(content) >= each; content = content[each:] {
		if _, ok := r.directory(int64(r.order.Uint32(content))); !ok {
			return false
		}
		if tag != exifSubdirectories {
			break
		}
	}
	return true
}

// interoperability keeps the fields of the directory at an offset that says by which rules a picture can be exchanged. imagemeta would
// take them for fields of a position, which have the same numbers.
func (r *exifRepair) interoperability(at int64) {
	const count, entry, kind, values, value, inside = 2, 12, 2, 4, 8, 4
	next, ok := r.directory(at)
	if !ok {
		return
	}
	for from := at + count; from < next; from += entry {
		e := r.data[from : from+entry]
		content := e[value : value+inside]
		if length := exifSizes[r.order.Uint16(e[kind:])] * int64(r.order.Uint32(e[values:])); length > inside {
			start := int64(r.order.Uint32(e[value:]))
			content = r.data[start : start+length]
		} else {
			content = content[:length]
		}
		r.tags = append(r.tags, Tag{"IFD0/ExifIFDP/InteroperabilityIFD", fmt.Sprintf("Interoperability%d", r.order.Uint16(e)), append([]byte(nil), content...)})
	}
}
