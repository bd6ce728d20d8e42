package heat

import "math"

// A JPEG's block is 64 coefficients of waves. jpegZigzag gives the place of each in the file's order: 8 × its wave down
// plus its wave across.
var jpegZigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// jpegBlocks makes a block's reduced pixels of its coefficients: each is the average of the pixels that it stands for, so
// that a reduced picture lies on the whole one without a shift. Waves that average out are never looked at.
type jpegBlocks struct {
	side   int         // pixels along a reduced block: 4, 2 or 1
	waves  [8][4]int32 // what each wave adds to each pixel along a side, in 4096ths
	needed uint64      // a bit for each coefficient, in the file's order, that adds something

	sums [8][4]int32 // across, by the wave down
	used uint8       // a bit for each of sums that is not zero
}

const (
	waveBits = 12
	sumBits  = 5 // of waveBits, those that sums keep
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

// add takes a coefficient beside the first into account, by its number in the file's order.
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

// draw writes the block's pixels, and forgets what was added.
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
