package convert

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The tags of TIFF and EXIF that are used here.
const (
	tagOrientation = 0x0112
	tagXMP         = 700
	tagProfile     = 34675
	tagEXIF        = 0x8769
	tagGPS         = 0x8825
	tagMakerNote   = 0x927c // it and tagInterop hold offsets of their own, which would be wrong elsewhere
	tagInterop     = 0xa005
)

// described are the tags of a TIFF's first directory that are about the picture as a whole, and not about how its pixels are stored.
var described = []uint16{0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x013c, 0x8298, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f}

const (
	mostEntries = 2000
	mostPages   = 10_000
	mostValue   = 4 << 20
	// mostKept bounds the bytes that go into a copy: a JPEG's segment has room for little more.
	mostKept = 60_000
)

// sizes are the bytes of a value of each of TIFF's types.
var sizes = [...]int{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

// entry is a tag with its value, as stored.
type entry struct {
	tag, kind uint16
	count     uint32
	value     []byte
}

// tiffFile is a TIFF whose directories are read.
type tiffFile struct {
	data  []byte
	order binary.ByteOrder
	first []entry
	next  uint32 // where the second page's directory is; 0: there is one page
}

func readTIFF(data []byte) tiffFile {
	t := tiffFile{data: data, order: binary.LittleEndian}
	if bytes.HasPrefix(data, []byte("MM")) {
		t.order = binary.BigEndian
	}
	if len(data) >= 8 {
		t.first, t.next = t.directory(t.order.Uint32(data[4:]))
	}
	return t
}

// directory reads the directory at an offset, and where the next one is. An entry that lies outside of the file is left out.
func (t tiffFile) directory(offset uint32) (entries []entry, next uint32) {
	const head, each = 2, 12
	at := int64(offset)
	if at < 8 || at+head > int64(len(t.data)) {
		return nil, 0
	}
	count := int64(t.order.Uint16(t.data[at:]))
	at += head
	if count > mostEntries || at+count*each > int64(len(t.data)) {
		return nil, 0
	}
	for range count {
		raw := t.data[at : at+each]
		at += each
		e := entry{tag: t.order.Uint16(raw), kind: t.order.Uint16(raw[2:]), count: t.order.Uint32(raw[4:])}
		if int(e.kind) >= len(sizes) {
			continue
		}
		length, from := int64(sizes[e.kind])*int64(e.count), int64(t.order.Uint32(raw[8:]))
		switch {
		case length <= 0 || length > mostValue:
			continue
		case length <= 4:
			e.value = raw[8 : 8+length]
		case from+length > int64(len(t.data)):
			continue
		default:
			e.value = t.data[from : from+length]
		}
		entries = append(entries, e)
	}
	if at+4 <= int64(len(t.data)) {
		next = t.order.Uint32(t.data[at:])
	}
	return entries, next
}

// pages counts the pages.
func (t tiffFile) pages() int {
	n, seen := 1, map[uint32]bool{}
	for next := t.next; next != 0 && !seen[next] && n < mostPages; n++ {
		seen[next] = true
		var entries []entry
		if entries, next = t.directory(next); len(entries) == 0 {
			break
		}
	}
	return n
}

// value is the value of a tag of the first page, nil where there is none.
func (t tiffFile) value(tag uint16) []byte { return valueIn(t.first, tag) }

func valueIn(entries []entry, tag uint16) []byte {
	for _, e := range entries {
		if e.tag == tag {
			return e.value
		}
	}
	return nil
}

// below reads the directory that a tag of the first page points to.
func (t tiffFile) below(tag uint16) (entries []entry) {
	if at := t.value(tag); len(at) == 4 {
		entries, _ = t.directory(t.order.Uint32(at))
	}
	return slices.DeleteFunc(entries, func(e entry) bool { return e.tag == tagMakerNote || e.tag == tagInterop })
}

// exif is a block of EXIF with what the TIFF says of its first page; nil where it says nothing.
func (t tiffFile) exif() []byte {
	own := slices.DeleteFunc(slices.Clone(t.first), func(e entry) bool { return !slices.Contains(described, e.tag) })
	camera, place := t.below(tagEXIF), t.below(tagGPS)
	if len(own)+len(camera)+len(place) == 0 {
		return nil
	}
	pointer := func(tag uint16) entry { return entry{tag, 4, 1, make([]byte, 4)} }
	if len(camera) > 0 {
		own = append(own, pointer(tagEXIF))
	}
	if len(place) > 0 {
		own = append(own, pointer(tagGPS))
	}
	const head = 8
	at := uint32(head) + length(own)
	for _, sub := range []struct {
		tag     uint16
		entries []entry
	}{{tagEXIF, camera}, {tagGPS, place}} {
		if len(sub.entries) > 0 {
			t.order.PutUint32(valueIn(own, sub.tag), at)
			at += length(sub.entries)
		}
	}
	if at > mostKept {
		return nil
	}
	block := []byte("II*\x00\x08\x00\x00\x00")
	if t.order == binary.BigEndian {
		block = []byte("MM\x00*\x00\x00\x00\x08")
	}
	for _, entries := range [][]entry{own, camera, place} {
		if len(entries) > 0 {
			block = t.append(block, entries)
		}
	}
	return block
}

// length is how many bytes a directory takes, with its values.
func length(entries []entry) uint32 {
	n := 2 + 12*len(entries) + 4
	for _, e := range entries {
		if len(e.value) > 4 {
			n += len(e.value) + len(e.value)%2
		}
	}
	return uint32(min(n, mostKept+1)) //nolint:gosec // as bounded
}

// append writes a directory, and its values behind it.
func (t tiffFile) append(block []byte, entries []entry) []byte {
	slices.SortStableFunc(entries, func(a, b entry) int { return int(a.tag) - int(b.tag) })
	appendNumber := t.order.(binary.AppendByteOrder)
	block = appendNumber.AppendUint16(block, uint16(len(entries))) //nolint:gosec // mostEntries
	values := len(block) + 12*len(entries) + 4
	var behind []byte
	for _, e := range entries {
		block = appendNumber.AppendUint16(block, e.tag)
		block = appendNumber.AppendUint16(block, e.kind)
		block = appendNumber.AppendUint32(block, e.count)
		if len(e.value) <= 4 {
			block = append(append(block, e.value...), make([]byte, 4-len(e.value))...)
			continue
		}
		block = appendNumber.AppendUint32(block, uint32(values+len(behind))) //nolint:gosec // mostKept
		behind = append(append(behind, e.value...), make([]byte, len(e.value)%2)...)
	}
	return append(append(block, 0, 0, 0, 0), behind...)
}

// upright returns a block of EXIF that says that the picture needs no turning: its pixels are turned already.
func upright(block []byte) []byte {
	block = bytes.Clone(block)
	t := readTIFF(block)
	if turn := t.value(tagOrientation); len(turn) == 2 {
		t.order.PutUint16(turn, 1) // the value is a part of the block
	}
	return block
}
