package facts

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// pictureBlocks are a picture's metadata blocks in the formats that all containers share.
type pictureBlocks struct {
	exif      [][]byte
	iptc      [][]byte // datasets
	xmp       [][]byte // packets within other blocks; those of the container are read by xmpPackets
	thumbnail bool
	words     []string // texts in other resources of Photoshop
}

const (
	exifInJPEG      = "Exif\x00"
	photoshopInJPEG = "Photoshop 3.0\x00"
	mostBlocks      = 50 // of each kind in one picture
)

// pictureBlocks collects them; whole is false where one is longer than the bound, or there are too many.
func (s *source) pictureBlocks(format Format) (found pictureBlocks, whole bool) {
	whole = true
	read := func(b block) []byte {
		whole = whole && b.Content.Length() <= longestPacket
		return s.Bytes(b.Content, longestPacket)
	}
	room := func() bool {
		whole = whole && len(found.exif) < mostBlocks && len(found.iptc) < mostBlocks
		return whole || len(found.exif) < mostBlocks && len(found.iptc) < mostBlocks
	}
	switch format {
	case JPEG:
		var photoshop []byte // may continue in the next segment
		s.jpegParts(func(b block) bool {
			switch b.Kind {
			case "\xe1":
				// Other readers also accept it a few bytes after the beginning.
				const stray = 4
				data := read(b)
				if at := bytes.Index(bytes.ToLower(data[:min(len(data), stray+len(exifInJPEG))]), bytes.ToLower([]byte(exifInJPEG))); at >= 0 {
					found.addEXIF(data[min(at+len(exifInJPEG)+1, len(data)):])
				}
			case "\xed":
				if data, ok := bytes.CutPrefix(read(b), []byte(photoshopInJPEG)); ok && len(photoshop)+len(data) <= longestPacket {
					photoshop = append(photoshop, data...)
				} else if ok {
					whole = false
				}
			}
			return room()
		})
		whole = found.addPhotoshop(photoshop) && whole
	case PNG:
		s.PNGChunks(func(b block) bool {
			switch b.Kind {
			case "eXIf":
				found.addEXIF(read(b))
			case "tEXt", "zTXt", "iTXt":
				text, ok := s.pngText(b)
				if name := anyText(text.Keyword); strings.HasPrefix(strings.ToLower(name), rawProfile) {
					value, unpacked := text.Text(longestPacket, s.unpackable)
					whole = ok && unpacked && found.addRawProfile(name, anyText(value)) && whole
				}
			}
			return room()
		})
	case WebP:
		s.RIFFChunks(func(b block) bool {
			if b.Kind == "EXIF" {
				found.addEXIF(read(b))
			}
			return room()
		})
	}
	return found, whole
}

// addEXIF keeps a block of EXIF, with or without the prefix that JPEG has. A block that does not begin as EXIF continues the one before.
func (p *pictureBlocks) addEXIF(data []byte) {
	data, _ = bytes.CutPrefix(data, []byte(exifInJPEG+"\x00"))
	if n := len(p.exif); n > 0 && !bytes.HasPrefix(data, []byte("II")) && !bytes.HasPrefix(data, []byte("MM")) && len(p.exif[n-1]) < longestPacket {
		p.exif[n-1] = append(p.exif[n-1], data...)
		return
	}
	p.exif = append(p.exif, data)
}

// addPhotoshop reads Photoshop's resources: each has a signature, a number, a name, a length and the content, and begins at an even offset.
// whole is false where one is cut short.
func (p *pictureBlocks) addPhotoshop(data []byte) (whole bool) {
	const signatures, number, name, iptc, thumbnail4, thumbnail, exif, exif3, xmp = "8BIM 8BPS MeSa PHUT AgHg DCSR", 4, 6, 0x0404, 0x0409, 0x040c, 0x0422, 0x0423, 0x0424
	for len(data) > name && strings.Contains(signatures, string(data[:number])) {
		kind := binary.BigEndian.Uint16(data[number:])
		named := 1 + int(data[name])
		at := name + named + named%2
		if at+4 > len(data) {
			return false
		}
		length := int64(binary.BigEndian.Uint32(data[at:]))
		data = data[at+4:]
		content := data[:min(length, int64(len(data)))]
		switch kind {
		case iptc:
			p.iptc = append(p.iptc, content)
		case thumbnail4, thumbnail:
			p.thumbnail = true
		case exif, exif3:
			p.addEXIF(content)
		case xmp:
			p.xmp = append(p.xmp, content)
		default:
			if words := printable(string(content[:min(len(content), longestValue)])); words != "" {
				p.words = append(p.words, words)
			}
		}
		if length > int64(len(data)) {
			return false
		}
		data = data[min(length+length%2, int64(len(data))):]
	}
	return len(bytes.Trim(data, "\x00")) == 0
}

// addRawProfile reads a profile that ImageMagick and others write as a PNG's text: a name, a length, and the bytes in hexadecimal digits.
// whole is false where the text is not of that form.
func (p *pictureBlocks) addRawProfile(name, value string) (whole bool) {
	kind, ok := strings.CutPrefix(strings.ToLower(name), rawProfile)
	if !ok {
		return true
	}
	_, value, _ = strings.Cut(strings.TrimLeft(value, "\n"), "\n") // the profile's name again
	_, digits, _ := strings.Cut(strings.TrimLeft(value, "\n "), "\n")
	data, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	switch {
	case kind == "icc" || kind == "icm":
		return true
	case bytes.HasPrefix(data, []byte(xmpInJPEG)):
		p.xmp = append(p.xmp, data[len(xmpInJPEG):])
	case kind == "xmp":
		p.xmp = append(p.xmp, data)
	case kind == "exif", kind == "app1":
		p.addEXIF(data)
	case kind == "iptc", kind == "8bim":
		data, _ = bytes.CutPrefix(data, []byte(photoshopInJPEG))
		if !bytes.HasPrefix(data, []byte("8BIM")) {
			p.iptc = append(p.iptc, data)
			return err == nil
		}
		return p.addPhotoshop(data) && err == nil
	default:
		return false
	}
	return err == nil
}

// rawProfile begins the keywords of such texts, in lower case.
const rawProfile = "raw profile type "

// jpegParts visits a JPEG's parts. After damage it continues at the next marker, as other readers do.
func (s *source) jpegParts(visit func(block) bool) {
	const most = 100
	at := int64(2)
	for range most {
		stopped := false
		end, whole := s.JPEGPartsFrom(at, func(b block) bool {
			stopped = !visit(b)
			return !stopped
		})
		if whole || stopped {
			return
		}
		if at = s.NextJPEGMarker(end + 1); at < 0 {
			return
		}
	}
}
