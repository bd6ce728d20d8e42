//go:build e2e && linux

package main

import (
	"encoding/binary"
	"slices"
)

// tiffField is an entry of a list in EXIF.
type tiffField struct {
	tag, kind uint16
	count     uint32
	value     []byte
}

const (
	tiffText, tiffLong, tiffRational = 2, 4, 5
)

func textField(tag uint16, text string) tiffField {
	value := append([]byte(text), 0)
	return tiffField{tag, tiffText, uint32(len(value)), value}
}

func longField(tag uint16, value uint32) tiffField {
	return tiffField{tag, tiffLong, 1, binary.BigEndian.AppendUint32(nil, value)}
}

// rationalField has its numbers in hundredths.
func rationalField(tag uint16, hundredths ...uint32) tiffField {
	var value []byte
	for _, n := range hundredths {
		value = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(value, n), 100)
	}
	return tiffField{tag, tiffRational, uint32(len(hundredths)), value}
}

// tiffList is a list that stands at an offset; what has no room in its entries comes after them.
func tiffList(at int, fields ...tiffField) []byte {
	const entry, room = 12, 4
	list := binary.BigEndian.AppendUint16(nil, uint16(len(fields)))
	var behind []byte
	end := at + 2 + entry*len(fields) + 4
	for _, f := range fields {
		list = binary.BigEndian.AppendUint16(list, f.tag)
		list = binary.BigEndian.AppendUint16(list, f.kind)
		list = binary.BigEndian.AppendUint32(list, f.count)
		if len(f.value) <= room {
			list = append(list, append(slices.Clone(f.value), make([]byte, room-len(f.value))...)...)
			continue
		}
		list = binary.BigEndian.AppendUint32(list, uint32(end+len(behind)))
		behind = append(behind, f.value...)
	}
	return slices.Concat(list, make([]byte, 4), behind)
}

// withOwner puts into a JPEG where, when, by whom and with which camera it was taken, as a telephone or a camera does.
func withOwner(content []byte) []byte {
	const header = 8
	const placeTag, cameraTag = 0x8825, 0x8769
	first := func(camera, place uint32) []byte {
		return tiffList(header, textField(0x010f, "Fujifilm"), textField(0x0110, "X-T5"), textField(0x0131, "Digital Camera X-T5 Ver2.04"),
			textField(0x0132, "2026:11:19 08:32:11"), textField(0x013b, "Amélie Durand-Lefèvre"), textField(0x8298, "© Agence du Nord"),
			longField(cameraTag, camera), longField(placeTag, place))
	}
	cameraAt := header + len(first(0, 0))
	camera := tiffList(cameraAt, textField(0x9003, "2026:11:19 08:32:11"), textField(0xa430, "A. Durand-Lefèvre"), textField(0xa431, "25A04417"),
		textField(0xa434, "XF35mmF1.4 R"), textField(0xa435, "9BA02216"))
	placeAt := cameraAt + len(camera)
	place := tiffList(placeAt, textField(1, "N"), rationalField(2, 5000, 2700, 642), textField(3, "E"), rationalField(4, 3000, 3100, 2418), textField(29, "2026:11:19"))
	tiff := slices.Concat([]byte("MM\x00*\x00\x00\x00\x08"), first(uint32(cameraAt), uint32(placeAt)), camera, place)
	segment := slices.Concat([]byte("Exif\x00\x00"), tiff)
	marker := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(segment)+2))
	return slices.Concat(content[:2], marker, segment, content[2:])
}
