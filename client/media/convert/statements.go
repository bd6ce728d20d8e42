package convert

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"assay/client/i18n"
)

// statements are what a picture says of itself besides its pixels.
type statements struct {
	exif    []byte // as TIFF has it
	xmp     []byte
	profile []byte // ICC

	av1  bool         // its pixels are AV1's
	note i18n.Message // what of the file is not in a copy; may be empty
}

const (
	exifName    = "Exif\x00\x00"
	xmpName     = "http://ns.adobe.com/xap/1.0/\x00"
	profileName = "ICC_PROFILE\x00"

	mostInSegment = math.MaxUint16 - 2
	mostParts     = 255 // of a profile
)

// segments are the statements as segments of a JPEG. What is too long for one is left out, a profile is shared out.
func (s statements) segments() []byte {
	var all []byte
	add := func(marker byte, name string, data ...[]byte) {
		content := append([]byte(name), bytes.Join(data, nil)...)
		if len(content) > mostInSegment {
			return
		}
		all = append(all, 0xff, marker)
		all = binary.BigEndian.AppendUint16(all, uint16(len(content)+2)) //nolint:gosec // mostInSegment
		all = append(all, content...)
	}
	if len(s.exif) > 0 {
		add(0xe1, exifName, s.exif)
	}
	if len(s.xmp) > 0 {
		add(0xe1, xmpName, s.xmp)
	}
	parts := slices.Collect(slices.Chunk(s.profile, mostInSegment-len(profileName)-2))
	if len(parts) > mostParts {
		parts = nil
	}
	for i, part := range parts {
		add(0xe2, profileName, []byte{byte(i + 1), byte(len(parts))}, part) //nolint:gosec // mostParts
	}
	return all
}

// withSegments puts segments behind the first two bytes of a JPEG that is written to it.
type withSegments struct {
	w        io.Writer
	segments []byte
	written  int
}

func (s *withSegments) Write(p []byte) (n int, err error) {
	const start = 2
	if s.written < start && s.written+len(p) >= start {
		head := start - s.written
		if n, err = s.w.Write(p[:head]); err != nil {
			return n, err
		}
		if _, err := s.w.Write(s.segments); err != nil {
			return n, err
		}
	}
	more, err := s.w.Write(p[n:])
	n += more
	s.written += n
	return n, err
}

func byteReader(data []byte) io.Reader { return bytes.NewReader(data) }

// profileOf makes a colour profile for primaries that are not those of sRGB, by their number in ITU-T H.273; nil where none is needed, or the number is
// not known. Its curve is that of sRGB, which phones use with Display P3, too.
func profileOf(primaries int) []byte {
	const p3, bt2020 = 12, 9
	var columns [3][3]float64 // red, green and blue in XYZ, adapted to D50 as ICC wants them
	switch primaries {
	case p3:
		columns = [3][3]float64{{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}}
	case bt2020:
		columns = [3][3]float64{{0.67348, 0.27904, -0.00194}, {0.16566, 0.67534, 0.02997}, {0.12505, 0.04561, 0.79684}}
	default:
		return nil
	}
	fixed := func(numbers ...float64) (all []byte) {
		for _, n := range numbers {
			all = binary.BigEndian.AppendUint32(all, uint32(int32(math.Round(n*(1<<16))))) //nolint:gosec // negative numbers as ICC has them
		}
		return all
	}
	xyz := func(c [3]float64) []byte { return append([]byte("XYZ \x00\x00\x00\x00"), fixed(c[:]...)...) }
	text := func(letters string) []byte { // one record of ASCII in "en", "US"
		const header, record = 16, 12
		all := append([]byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS"), 0, 0, 0, byte(2*len(letters)), 0, 0, 0, header+record)
		for _, r := range letters {
			all = append(all, 0, byte(r))
		}
		return all
	}
	curve := append([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), fixed(2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)...)
	white := [3]float64{0.9642, 1, 0.8249}
	names := []string{"desc", "cprt", "wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"}
	values := [][]byte{text("RGB"), text("CC0"), xyz(white), xyz(columns[0]), xyz(columns[1]), xyz(columns[2]), curve, curve, curve}
	const header, entry = 128, 12
	at := header + 4 + entry*len(names)
	table := binary.BigEndian.AppendUint32(nil, uint32(len(names))) //nolint:gosec // nine
	var body []byte
	for i, name := range names {
		for len(values[i])%4 != 0 {
			values[i] = append(values[i], 0)
		}
		table = append(table, name...)
		table = binary.BigEndian.AppendUint32(table, uint32(at+len(body)))   //nolint:gosec // small
		table = binary.BigEndian.AppendUint32(table, uint32(len(values[i]))) //nolint:gosec // small
		body = append(body, values[i]...)
	}
	head := make([]byte, header)
	binary.BigEndian.PutUint32(head, uint32(header+len(table)+len(body))) //nolint:gosec // small
	copy(head[8:], "\x04\x30\x00\x00mntrRGB XYZ ")
	copy(head[36:], "acsp")
	copy(head[68:], fixed(white[:]...))
	return slices.Concat(head, table, body)
}
