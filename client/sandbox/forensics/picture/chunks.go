package picture

import (
	"bytes"
	"encoding/binary"
	"iter"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngChunks goes through a PNG's chunks, by type and content, up to the first
// that is cut short. Checksums are left to the decoder.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest := data[min(len(pngSignature), len(data)):]
		for len(rest) >= 12 {
			n := uint64(binary.BigEndian.Uint32(rest))
			if n > uint64(len(rest))-12 || !yield(string(rest[4:8]), rest[8:8+n]) {
				return
			}
			rest = rest[12+n:]
		}
	}
}

// webpChunks goes through a WebP's RIFF chunks likewise.
func webpChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest := data[min(12, len(data)):]
		for len(rest) >= 8 {
			n := uint64(binary.LittleEndian.Uint32(rest[4:]))
			if n > uint64(len(rest))-8 || !yield(string(rest[:4]), rest[8:8+n]) {
				return
			}
			rest = rest[min(8+n+n%2, uint64(len(rest))):]
		}
	}
}

// webpAnimated tells whether the extended header's animation flag is set.
func webpAnimated(data []byte) bool {
	for name, content := range webpChunks(data) {
		return name == "VP8X" && len(content) > 0 && content[0]&0x02 != 0
	}
	return false
}

// webpShort tells whether fewer bytes are there than the RIFF header announces.
func webpShort(data []byte) bool {
	return len(data) < 12 || uint64(binary.LittleEndian.Uint32(data[4:]))+8 > uint64(len(data))
}

// jpegSegments goes through a JPEG's marker segments before the first scan, by
// marker and content.
func jpegSegments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		const startOfScan, endOfImage = 0xda, 0xd9
		rest := data[min(2, len(data)):]
		for len(rest) >= 4 && rest[0] == 0xff {
			marker := rest[1]
			if marker == 0xff { // fill byte
				rest = rest[1:]
				continue
			}
			if marker == startOfScan || marker == endOfImage {
				return
			}
			n := int(binary.BigEndian.Uint16(rest[2:]))
			if n < 2 || n+2 > len(rest) || !yield(marker, rest[4:2+n]) {
				return
			}
			rest = rest[2+n:]
		}
	}
}

// jpegEnds tells whether an end marker follows the beginning of the first scan. A
// decoder that meets the end of a JPEG cut short may call its last code invalid.
func jpegEnds(data []byte) bool {
	scan := 2
	for _, content := range jpegSegments(data) {
		scan += 4 + len(content) // fill bytes, which are rare, only make this too small
	}
	return bytes.Contains(data[min(scan, len(data)):], []byte{0xff, 0xd9})
}

// zigzag gives the place, row by row, of the coefficients in a JPEG's order.
var zigzag = [64]int{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// jpegLumaTable reads the quantisation table with number 0, which encoders give
// to luma, row by row; nil where there is none.
func jpegLumaTable(data []byte) *[64]int {
	const defineTables = 0xdb
	for marker, content := range jpegSegments(data) {
		for marker == defineTables && len(content) > 0 {
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
	}
	return nil
}
