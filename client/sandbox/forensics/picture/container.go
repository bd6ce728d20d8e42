package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"assay/client/media/container"
)

// source returns the file as a container.Source, to visit its parts.
func (p *picture) source() *container.Source { return container.SourceOf(p.data) }

// content returns the bytes of a part of the file.
func (p *picture) content(b container.Block) []byte { return p.data[b.Content.Start:b.Content.End] }

// webpAnimated reports whether the extended header's animation flag is set.
func (p *picture) webpAnimated() (animated bool) {
	const flag = 0x02
	p.source().RIFFChunks(func(b container.Block) bool {
		content := p.content(b)
		animated = b.Kind == "VP8X" && len(content) > 0 && content[0]&flag != 0
		return false
	})
	return animated
}

// webpShort reports whether the file is shorter than its RIFF header claims.
func (p *picture) webpShort() bool {
	end, ok := p.source().RIFFEnd()
	return !ok || end > int64(len(p.data))
}

// gifFrames counts the frames of a GIF without decoding them. A GIF that ends before its trailer returns io.ErrUnexpectedEOF.
func (p *picture) gifFrames() (frames int, err error) {
	const extension, separator, screen = 0x21, 0x2c, 13
	src := p.source()
	end, whole := src.GIFParts(func(b container.Block) bool {
		if b.Kind == container.GIFPicture {
			frames++
		}
		return true
	})
	next, ok := src.Head(end, 1)
	switch {
	case whole:
		return frames, nil
	case !ok || end < screen || next[0] == extension || next[0] == separator:
		return frames, io.ErrUnexpectedEOF
	}
	return frames, errors.New("unknown GIF block")
}

// jpegEnds reports whether an end marker follows the beginning of the first scan. If it does not, a decoder's error about an invalid code may
// only mean that the JPEG is cut short.
func (p *picture) jpegEnds() bool {
	scan := p.source().JPEGSegments(2, func(container.Block) bool { return true })
	return bytes.Contains(p.data[min(scan, int64(len(p.data))):], []byte{0xff, 0xd9})
}

// zigzag is the place, row by row, of each coefficient in a JPEG's order.
var zigzag = [64]int{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// jpegLumaTable reads quantisation table 0, which encoders use for luma, row by row; nil where there is none.
func (p *picture) jpegLumaTable() (table *[64]int) {
	const defineTables = "\xdb"
	p.source().JPEGSegments(2, func(b container.Block) bool {
		if b.Kind == defineTables {
			table = lumaTable(p.content(b))
		}
		return table == nil
	})
	return table
}

// lumaTable reads table 0 from a segment of tables.
func lumaTable(content []byte) *[64]int {
	for len(content) > 0 {
		wide, number := int(content[0]>>4), content[0]&0x0f
		size := 64 * (1 + min(wide, 1))
		if len(content) < 1+size {
			break
		}
		if number == 0 {
			var table [64]int
			for i, place := range zigzag {
				if wide == 0 {
					table[place] = int(content[1+i])
				} else {
					table[place] = int(binary.BigEndian.Uint16(content[1+2*i:]))
				}
			}
			return &table
		}
		content = content[1+size:]
	}
	return nil
}
