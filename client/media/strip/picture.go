package strip

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"

	"assay/client/media/container"
	"assay/client/media/facts"
)

// planJPEG keeps what decoding needs, the colour profile and the orientation.
func planJPEG(src *container.Source, f facts.Facts) (*plan, error) {
	const app0, app2, app14, scan = "\xe0", "\xe2", "\xee", "\xda"
	p := &plan{}
	p.put(0xff, 0xd8)
	var rest plan
	var profile jpegProfile
	picture := false
	end, whole := src.JPEGParts(func(b container.Block) bool {
		switch {
		case b.Kind == app0 && !picture:
			// JFIF's thumbnail is left out, since it may show what was cropped.
			const withoutThumbnail = 12
			head := src.Bytes(b.Content, withoutThumbnail)
			if len(head) == withoutThumbnail && strings.HasPrefix(string(head), "JFIF\x00") && len(p.pieces) == 1 {
				p.put(append([]byte{0xff, 0xe0, 0, 16}, append(head, 0, 0)...)...)
			}
		case b.Kind == app2:
			profile.add(src, b, &rest)
		case b.Kind == app14:
			const adobe = 12
			if head, ok := src.Head(b.Content.Start, adobe); ok && b.Content.Length() >= adobe && strings.HasPrefix(string(head), "Adobe") {
				rest.put(append([]byte{0xff, 0xee, 0, adobe + 2}, head...)...)
			}
		case decodes(b.Kind[0]):
			picture = picture || b.Kind == scan
			rest.keep(b.Whole)
		}
		return true
	})
	if !whole || !picture {
		return nil, ErrDamaged
	}
	profile.finish(&rest)
	p.trailing = end < src.Size()
	if turned := orientation(f); turned != nil {
		const name = "Exif\x00\x00"
		p.put(append([]byte{0xff, 0xe1, 0, byte(2 + len(name) + len(turned))}, append([]byte(name), turned...)...)...)
	}
	p.pieces, p.own = append(p.pieces, rest.pieces...), p.own+rest.own
	p.put(0xff, 0xd9)
	return p, nil
}

// decodes reports whether a decoder needs the segment of a marker: frames, tables, intervals, scans.
func decodes(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf || marker >= 0xda && marker <= 0xdf
}

// pngKept are the chunks that are needed for pixels, colours and animation.
var pngKept = []string{
	"IHDR", "PLTE", "IDAT", "tRNS", "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
}

func planPNG(src *container.Source, f facts.Facts) (*plan, error) {
	p := &plan{}
	p.keep(container.Between(0, int64(len(container.PNGSignature))))
	header, pixels, ended, unknown := false, false, false, false
	end := src.PNGChunks(func(b container.Block) bool {
		switch {
		case ended || unknown:
			return false
		case b.Kind == "IEND":
			ended = true
			p.put(pngChunk("IEND", nil)...)
			return true
		case b.Kind == "iCCP":
			p.put(pngProfile(src, b)...)
		case slices.Contains(pngKept, b.Kind):
			pixels = pixels || b.Kind == "IDAT"
			p.keep(b.Whole)
		default:
			const ancillary = 0x20
			unknown = b.Kind[0]&ancillary == 0 // the chunk is critical for decoding, but its meaning is unknown
		}
		if !header {
			if header = b.Kind == "IHDR"; !header {
				return false
			}
			if turned := orientation(f); turned != nil {
				p.put(pngChunk("eXIf", turned)...)
			}
		}
		return true
	})
	switch {
	case unknown:
		return nil, ErrUnusual
	case !header || !pixels || !ended:
		return nil, ErrDamaged
	}
	p.trailing = end < src.Size()
	return p, nil
}

func pngChunk(kind string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content))) //nolint:gosec // a few bytes
	chunk = append(append(chunk, kind...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// planGIF keeps the pictures, their delays, and the number of repetitions.
func planGIF(src *container.Source, _ facts.Facts) (*plan, error) {
	p := &plan{}
	picture, broken := false, false
	var control container.Span // of the next picture
	end, whole := src.GIFParts(func(b container.Block) bool {
		switch b.Kind {
		case container.GIFScreen:
			p.keep(b.Whole)
		case container.GIFPicture:
			picture = true
			p.keep(control)
			p.keep(b.Whole)
			control = container.Span{}
		case container.GIFPlainText:
			control = container.Span{} // it belonged to the text
		case container.GIFControl:
			const length = 8 // introducer, label, 4, four bytes, 0
			head, ok := src.Head(b.Whole.Start, length)
			broken = broken || !ok || b.Whole.Length() != length || head[2] != 4
			control = b.Whole
		case container.GIFApplication:
			const length, times = 19, 16 // "!", label, 11, the name, 3, 1, two bytes of times, 0
			loop, ok := src.Head(b.Whole.Start, length)
			if !ok || b.Whole.Length() < length {
				break
			}
			if name := string(loop[3:14]); (name == "NETSCAPE2.0" || name == "ANIMEXTS1.0") && loop[14] == 3 && loop[15] == 1 {
				p.put(append(loop[:times+2:times+2], 0)...)
			}
		}
		return true
	})
	if !whole || !picture || broken {
		return nil, ErrDamaged
	}
	p.trailing = end < src.Size()
	p.put(0x3b)
	return p, nil
}
