package forensics

// lumaSteps is the luma quantisation table of ISO/IEC 10918-1 (JPEG), annex K.1,
// row by row: the step of coefficient (u across, v down) is lumaSteps[v*8+u].
var lumaSteps = [64]int{
	16, 11, 10, 16, 24, 40, 51, 61,
	12, 12, 14, 19, 26, 58, 60, 55,
	14, 13, 16, 24, 40, 57, 69, 56,
	14, 17, 22, 29, 51, 87, 80, 62,
	18, 22, 37, 56, 68, 109, 103, 77,
	24, 35, 55, 64, 81, 104, 113, 92,
	49, 64, 78, 87, 103, 121, 120, 101,
	72, 92, 95, 98, 112, 100, 103, 99,
}

// frequency names one coefficient of an 8 × 8 block: u cycles across, v down, in
// halves of a cycle per block.
type frequency struct{ u, v int }

// searchFrequencies are those that a search over all 64 grid positions looks at:
// most of what survives a compression is here.
var searchFrequencies = []frequency{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}}

// mapFrequencies are those that the map of one ghost is drawn from: the first 20
// in zigzag order after the mean.
var mapFrequencies = []frequency{
	{1, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {1, 2}, {0, 3}, {0, 4},
	{1, 3}, {2, 2}, {3, 1}, {4, 0}, {5, 0}, {4, 1}, {3, 2}, {2, 3}, {1, 4}, {0, 5},
}

// ladder is the qualities that are tried, in the scale of libjpeg (which Go,
// phones and most web services use). Their steps differ by a sixth from rung to
// rung, so that a quality in between still meets one within a twelfth.
var ladder = [rungs]int{20, 26, 30, 35, 41, 47, 53, 60, 65, 70, 75, 78, 81, 84, 86, 88, 90, 92, 94}

// rungs is how many qualities the ladder has.
const rungs = 19

// stepAt is the step that libjpeg's rule gives a coefficient at a quality.
func stepAt(quality int, f frequency) float32 {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	return float32(min(max((lumaSteps[f.v*8+f.u]*scale+50)/100, 1), 255))
}
