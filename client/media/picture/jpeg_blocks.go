package picture

import (
	"encoding/binary"
	"math"
)

// jpegZigzag is the place of each of a block's 64 coefficients, in the file's order: 8 × its vertical frequency plus its
// horizontal frequency.
var jpegZigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// jpegBlocks computes a block's reduced pixels from its coefficients: each is the average of the pixels that it stands for,
// so that a reduced picture is not shifted against the whole one. Frequencies that average to zero are skipped.
type jpegBlocks struct {
	side   int         // pixels along a reduced block: 4, 2 or 1
	waves  [8][4]int32 // what each frequency adds to each pixel along a side, in 4096ths
	needed uint64      // a bit for each coefficient, in the file's order, that adds anything

	sums [8][4]int32 // of each vertical frequency, for each pixel across
	used uint8       // a bit for each row of sums that is not zero
}

const (
	waveBits = 12
	sumBits  = 5 // how many of waveBits remain in sums
)

func newJPEGBlocks(reduction int) *jpegBlocks {
	b := &jpegBlocks{side: 8 / reduction}
	for wave := range 8 {
		for pixel := range b.side {
			total := 0.0
			for x := pixel * reduction; x < (pixel+1)*reduction; x++ {
				total += math.Cos(float64((2*x+1)*wave) * math.Pi / 16)
			}
			if wave == 0 {
				total *= math.Sqrt2 / 2
			}
			b.waves[wave][pixel] = int32(math.Round(total / float64(2*reduction) * (1 << waveBits)))
		}
	}
	for i, place := range jpegZigzag {
		if b.waves[place/8][0] != 0 && b.waves[place%8][0] != 0 {
			b.needed |= 1 << i
		}
	}
	return b
}

// add adds a coefficient other than the first, by its number in the file's order.
func (b *jpegBlocks) add(number uint, coefficient int32) {
	place := jpegZigzag[number&63]
	down, across := place/8&7, place%8
	sums, wave := &b.sums[down], &b.waves[across]
	sums[0] += coefficient * wave[0]
	sums[1] += coefficient * wave[1]
	if b.side > 2 {
		sums[2] += coefficient * wave[2]
		sums[3] += coefficient * wave[3]
	}
	b.used |= 1 << down
}

// draw writes the block's pixels, and resets the sums.
func (b *jpegBlocks) draw(pix []byte, stride int, first int32) {
	if b.used == 0 { // the first coefficient is 8 times the average
		level := byte(min(max((first+4)>>3+128, 0), 255))
		for y := range b.side {
			row := pix[y*stride:][:b.side]
			for x := range row {
				row[x] = level
			}
		}
		return
	}
	for x := range b.sums[0] {
		b.sums[0][x] += first * b.waves[0][x]
	}
	var pixels [4][4]int32
	for wave, used := 0, b.used|1; used > 0; wave, used = wave+1, used>>1 {
		if used&1 == 0 {
			continue
		}
		sums, levels := b.sums[wave&7], &b.waves[wave&7]
		for x := range sums {
			sums[x] >>= waveBits - sumBits
		}
		for y := range b.side {
			row, level := &pixels[y&3], levels[y&3]
			row[0] += sums[0] * level
			row[1] += sums[1] * level
			if b.side > 2 {
				row[2] += sums[2] * level
				row[3] += sums[3] * level
			}
		}
	}
	for y := range b.side {
		row := pix[y*stride:][:b.side]
		for x := range row {
			const shift = waveBits + sumBits
			row[x] = byte(min(max((pixels[y&3][x&3]+1<<(shift-1))>>shift+128, 0), 255))
		}
	}
	b.sums, b.used = [8][4]int32{}, 0
}

// jpegBits reads the bits of a JPEG's scan. After its end, where a marker stands, it returns zeros and counts them.
type jpegBits struct {
	data   []byte
	at     int
	bits   uint64 // the lowest count bits are still unread
	count  uint
	padded uint // zeros that were added
}

// bitsNeeded is enough for one code and the value after it.
const bitsNeeded = 32

// fill provides bitsNeeded bits. It is called only if there are fewer.
func (b *jpegBits) fill() {
	if b.at+4 <= len(b.data) {
		four := binary.BigEndian.Uint32(b.data[b.at:])
		if (^four-0x01010101)&four&0x80808080 == 0 { // none of the four is 0xff
			b.bits = b.bits<<32 | uint64(four)
			b.count += 32
			b.at += 4
			return
		}
	}
	for ; b.count <= 56; b.count += 8 {
		b.bits <<= 8
		switch {
		case b.at < len(b.data) && b.data[b.at] != 0xff:
			b.bits |= uint64(b.data[b.at])
			b.at++
		case b.at+1 < len(b.data) && b.data[b.at+1] == 0: // 0xff among pixels is followed by a zero
			b.bits |= 0xff
			b.at += 2
		default:
			b.padded += 8
		}
	}
}

// take reads count bits, which fill has provided.
func (b *jpegBits) take(count uint) int {
	b.count -= count
	return int(b.bits>>(b.count&63)) & (1<<(count&15) - 1) // the masks change no result: they spare the compiler's checks of the shifts
}

// value reads a signed number of so many bits, whose lower half codes the negative ones.
func (b *jpegBits) value(bits uint) int32 {
	v := b.take(bits)
	if v < 1<<(bits&15)>>1 {
		v += -1<<(bits&15) + 1
	}
	return int32(v)
}

// end moves to the marker after the scan, and reports whether the scan was read exactly up to it.
func (b *jpegBits) end() bool {
	if b.count < bitsNeeded {
		b.fill()
	}
	whole := b.padded > 0 && b.padded <= b.count && b.count-b.padded < 8
	b.bits, b.count, b.padded = 0, 0, 0
	return whole
}

// jpegCodes is one of a JPEG's Huffman tables.
type jpegCodes struct {
	quick   [1 << quickBits]uint16 // by the next bits: a code's length in the upper byte, its symbol in the lower one; 0 for long codes
	highest [17]int                // the highest code of each length, -1 where there is none
	offset  [17]int                // what to add to a code of that length for the index of its symbol
	symbols []byte
}

const quickBits = 10

// newJPEGCodes makes a table from the number of codes of each length and their symbols, in order.
func newJPEGCodes(counts, symbols []byte) (*jpegCodes, bool) {
	codes := &jpegCodes{symbols: symbols}
	code, place := 0, 0
	for length := 1; length <= 16; length++ {
		count := int(counts[length-1])
		if place+count > len(symbols) || code+count > 1<<length {
			return nil, false
		}
		codes.offset[length] = place - code
		codes.highest[length] = -1
		if count > 0 {
			codes.highest[length] = code + count - 1
		}
		for range count {
			if length <= quickBits {
				first := code << (quickBits - length)
				for i := range 1 << (quickBits - length) {
					codes.quick[first+i] = uint16(length)<<8 | uint16(symbols[place])
				}
			}
			code++
			place++
		}
		code <<= 1
	}
	return codes, true
}

// symbol reads the next code, whose bits fill has provided; ok is false where the table has none such.
func (b *jpegBits) symbol(codes *jpegCodes) (symbol byte, ok bool) {
	if quick := codes.quick[b.bits>>((b.count-quickBits)&63)&(1<<quickBits-1)]; quick != 0 {
		b.count -= uint(quick >> 8)
		return byte(quick), true
	}
	for length := uint(quickBits + 1); length <= 16; length++ {
		code := int(b.bits>>(b.count-length)) & (1<<length - 1)
		if code <= codes.highest[length] {
			b.count -= length
			return codes.symbols[code+codes.offset[length]], true
		}
	}
	return 0, false
}
