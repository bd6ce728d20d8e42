package heat

import "encoding/binary"

// jpegBits reads the bits of a JPEG's scan. Behind its end, where a marker stands, it gives zeros and counts them.
type jpegBits struct {
	data   []byte
	at     int
	bits   uint64 // the lowest count of them are still to be read
	count  uint
	padded uint // zeros that were added
}

// bitsNeeded are enough for one code and the value behind it.
const bitsNeeded = 32

// fill provides bitsNeeded; it is only called where they are not there.
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
		case b.at+1 < len(b.data) && b.data[b.at+1] == 0: // how 0xff is written among pixels
			b.bits |= 0xff
			b.at += 2
		default:
			b.padded += 8
		}
	}
}

// take reads so many bits, which fill has provided.
func (b *jpegBits) take(count uint) int {
	b.count -= count
	return int(b.bits>>(b.count&63)) & (1<<(count&15) - 1) // the masks change nothing but what the compiler knows
}

// value reads a number of so many bits, of which the lower half stands for the negative ones.
func (b *jpegBits) value(bits uint) int32 {
	v := b.take(bits)
	if v < 1<<(bits&15)>>1 {
		v += -1<<(bits&15) + 1
	}
	return int32(v)
}

// end leaves the scan at the marker behind it, and says whether everything up to there was read and nothing more.
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
	quick   [1 << quickBits]uint16 // by the next bits: a code's length, and its symbol in the lower byte; 0 for long codes
	highest [17]int                // the highest code of each length, -1 where there is none
	offset  [17]int                // what to add to a code of that length for the place of its symbol
	symbols []byte
}

const quickBits = 10

// newJPEGCodes makes a table of how many codes of each length there are and what they stand for, in order.
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

// symbol reads the next code, whose bits fill has provided; ok is false where it is none of the table's.
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
