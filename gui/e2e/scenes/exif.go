package scenes

import (
	"encoding/binary"
	"slices"
)

// exifField is an entry of a directory (IFD) in EXIF.
type exifField struct {
	tag, kind uint16
	count     uint32
	value     []byte
}

const (
	exifKindText, exifKindLong, exifKindRational = 2, 4, 5
)

func exifText(tag uint16, text string) exifField {
	value := append([]byte(text), 0)
	return exifField{tag, exifKindText, uint32(len(value)), value}
}

func exifLong(tag uint16, value uint32) exifField {
	return exifField{tag, exifKindLong, 1, binary.BigEndian.AppendUint32(nil, value)}
}

// exifRational makes an entry of numbers given in hundredths.
func exifRational(tag uint16, hundredths ...uint32) exifField {
	var value []byte
	for _, n := range hundredths {
		value = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(value, n), 100)
	}
	return exifField{tag, exifKindRational, uint32(len(hundredths)), value}
}

// exifList encodes a directory at an offset; values that do not fit into its entries follow them.
func exifList(at int, fields ...exifField) []byte {
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

// WithOwner adds place, time, author and camera to a JPEG, as a phone or a camera does.
func WithOwner(content []byte) []byte {
	const placeTag, cameraTag = 0x8825, 0x8769
	first := func(camera, place uint32) []byte {
		return exifList(exifHeader, exifText(0x010f, "Fujifilm"), exifText(0x0110, "X-T5"), exifText(0x0131, "Digital Camera X-T5 Ver2.04"),
			exifText(0x0132, "2026:11:19 08:32:11"), exifText(0x013b, "Amélie Durand-Lefèvre"), exifText(0x8298, "© Agence du Nord"),
			exifLong(cameraTag, camera), exifLong(placeTag, place))
	}
	cameraAt := exifHeader + len(first(0, 0))
	camera := exifList(cameraAt, exifText(0x9003, "2026:11:19 08:32:11"), exifText(0xa430, "A. Durand-Lefèvre"), exifText(0xa431, "25A04417"),
		exifText(0xa434, "XF35mmF1.4 R"), exifText(0xa435, "9BA02216"))
	placeAt := cameraAt + len(camera)
	place := exifList(placeAt, exifText(1, "N"), exifRational(2, 5000, 2700, 642), exifText(3, "E"), exifRational(4, 3000, 3100, 2418), exifText(29, "2026:11:19"))
	return withEXIF(content, first(uint32(cameraAt), uint32(placeAt)), camera, place)
}

// exifHeader is the number of bytes before the first directory.
const exifHeader = 8

// withEXIF adds directories to a JPEG; the first one follows the header.
func withEXIF(content []byte, lists ...[]byte) []byte {
	segment := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08"), slices.Concat(lists...)...)
	marker := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(segment)+2))
	return slices.Concat(content[:2], marker, segment, content[2:])
}
