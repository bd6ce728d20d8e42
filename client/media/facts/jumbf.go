package facts

import (
	"bytes"
	"encoding/binary"
)

// superbox is a box of JUMBF (ISO/IEC 19566-5) with a label, contents, and boxes inside.
type superbox struct {
	Label    string
	Contents map[string][]byte // by type ("cbor", "json"), the first of each type
	Boxes    []*superbox

	kind    string // the type's 16 bytes
	raw     []byte // what hashes of the box are computed over: all that follows its header
	repeats bool   // a content type occurs twice
	damaged bool   // its content breaks off, or is more than the bounds allow
}

const (
	deepestBox = 12    // nesting depth
	mostBoxes  = 2_000 // in one manifest store
)

// superboxes reads the JUMBF superboxes in data, except malformed ones.
func superboxes(data []byte) []*superbox {
	left := mostBoxes
	found, _ := readSuperboxes(data, 0, &left)
	return found
}

// readSuperboxes also reports whether something was left out. left is how many more boxes may be read.
func readSuperboxes(data []byte, depth int, left *int) (found []*superbox, damaged bool) {
	rest := data
	for {
		kind, content, behind, ok := nextBox(rest)
		if !ok {
			return found, len(bytes.TrimLeft(rest, "\x00")) > 0
		}
		rest = behind
		if kind != "jumb" {
			continue
		}
		if depth >= deepestBox || *left <= 0 {
			return found, true
		}
		*left--
		found = append(found, readSuperbox(content, depth, left))
	}
}

func readSuperbox(content []byte, depth int, left *int) *superbox {
	b := &superbox{Contents: map[string][]byte{}, raw: content}
	for rest := content; ; {
		kind, value, behind, ok := nextBox(rest)
		if !ok {
			break
		}
		rest = behind
		switch kind {
		case "jumd":
			b.kind, b.Label = describe(value)
		case "jumb":
		default:
			if _, seen := b.Contents[kind]; seen {
				b.repeats = true
			} else {
				b.Contents[kind] = value
			}
		}
	}
	b.Boxes, b.damaged = readSuperboxes(content, depth+1, left)
	return b
}

// nextBox splits the first box off data.
func nextBox(data []byte) (kind string, content, rest []byte, ok bool) {
	if len(data) < 8 {
		return "", nil, data, false
	}
	size, header := uint64(binary.BigEndian.Uint32(data)), uint64(8)
	switch size {
	case 0: // up to the end of data
		size = uint64(len(data))
	case 1:
		if len(data) < 16 {
			return "", nil, data, false
		}
		size, header = binary.BigEndian.Uint64(data[8:]), 16
	}
	if size < header || size > uint64(len(data)) {
		return "", nil, data, false
	}
	return string(data[4:8]), data[header:size], data[size:], true
}

// describe reads a description box: a type of 16 bytes, flags, a zero-terminated label.
func describe(description []byte) (kind, label string) {
	const flagsAt, hasLabel = 16, 0x02
	if len(description) <= flagsAt {
		return "", ""
	}
	kind = string(description[:flagsAt])
	if description[flagsAt]&hasLabel == 0 {
		return kind, ""
	}
	text, _, _ := bytes.Cut(description[flagsAt+1:], []byte{0})
	return kind, string(text)
}

// find returns the superboxes below b, at any depth, whose label in accepts.
func (b *superbox) find(in func(label string) bool) []*superbox {
	var found []*superbox
	for _, inner := range b.Boxes {
		if in(inner.Label) {
			found = append(found, inner)
		}
		found = append(found, inner.find(in)...)
	}
	return found
}

// only returns the box directly inside b with a label; nil where there is none, or more than one.
func (b *superbox) only(label string) *superbox {
	var found *superbox
	for _, inner := range b.Boxes {
		if inner.Label == label {
			if found != nil {
				return nil
			}
			found = inner
		}
	}
	return found
}
