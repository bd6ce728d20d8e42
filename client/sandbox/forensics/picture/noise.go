package picture

import (
	"context"
	"math"
	"slices"

	"assay/client/sandbox/forensics"
)

// noiseLevels is the noise analyser. A sensor, its denoising and a compression
// leave fine grain that depends on brightness and texture and is otherwise alike
// over a picture; a part that was blurred, drawn, enlarged or taken from elsewhere
// often has another amount of it.
//
// The grain of a patch of 16 × 16 pixels is the standard deviation that the
// median absolute response of the 3 × 3 Laplacian difference gives (the operator
// of J. Immerkær, Fast Noise Variance Estimation, CVIU 64(2), 1996; the median
// instead of the mean makes it deaf to single edges). It is compared, as a
// logarithm, with patches of like brightness and texture: 4 × 4 classes with as
// many patches each. Deviations are counted in robust standard deviations of the
// class (1.4826 MAD, at least 0.2 in the natural logarithm) and evened out
// by a median over 3 × 3 patches.
//
// The score follows the strongest connected region that deviates the same way by
// more than 3: s is its mean excess over 3 times the square root of the share of
// the picture that it covers, in per cent, up to 15 %, plus the mean absolute deviation
// of the whole picture (about a half). raw = s² / (s² + 100). A
// region of over 35 % is taken for the scene's own. Scenes differ in grain for
// honest reasons, so this analyser is set to react late and counts less in
// the ensemble.
type noiseLevels struct{}

const (
	patchSide     = 16   // pixels
	noiseClasses  = 4    // of brightness, and within each of texture
	leastPatches  = 200  // to have classes worth comparing
	leastGrain    = 0.25 // grey levels; below, rounding hides the grain
	leastScatter  = 0.2  // natural logarithm
	flatTexture   = 2.0  // grey levels from one square of 4 pixels to the next
	noiseReacts   = 3.0  // deviations
	noiseFull     = 9.0  // deviations at which the heat is full
	largestRegion = 0.35 // of the picture
	leastRegion   = 6    // patches
	noiseHalf     = 10.0 // s at which raw is a half
)

func (noiseLevels) name() string { return noiseName }

// patch is what one square of the picture shows.
type patch struct {
	at                         int  // index in rows of as many as fit into the width
	clipped                    bool // more than a tenth is; then nothing of it was measured
	brightness, texture, grain float64
}

// patches measures the picture's patches, row by row, and keeps them: two analysers ask for them. It stops with ctx's error.
func (p *picture) patches(ctx context.Context) ([]patch, error) {
	if p.measured != nil {
		return p.measured, nil
	}
	cols, rows := p.luma.w/patchSide, p.luma.h/patchSide
	all := make([]patch, 0, cols*rows)
	for row := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for col := range cols {
			one := patchAt(p.luma, col, row)
			one.at = row*cols + col
			all = append(all, one)
		}
	}
	p.measured = all
	return all, nil
}

func (noiseLevels) analyse(ctx context.Context, pic *picture) (forensics.Model, []BBox, error) {
	if why := pic.unfit(); why != "" {
		return forensics.NotApplicableModel(noiseName, why, nil), nil, nil
	}
	p := pic.luma
	cols, rows := p.w/patchSide, p.h/patchSide
	all, err := pic.patches(ctx)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	patches := slices.DeleteFunc(slices.Clone(all), func(one patch) bool { return one.clipped })
	grainy := 0
	for i := range patches {
		if patches[i].grain > leastGrain {
			grainy++
		}
	}
	if len(patches) < leastPatches || grainy < len(patches)/4 {
		return forensics.NotApplicableModel(noiseName, "The picture has too little fine grain to compare.", nil), nil, nil
	}
	deviation, median := deviations(patches, cols*rows)
	deviation = evened(deviation, cols, rows)

	strength, region := strongestNoise(deviation, cols)
	strength += meanAbsolute(deviation)
	m := forensics.ScoredModel(noiseName, strength*strength/(strength*strength+noiseHalf*noiseHalf), map[string]any{
		"strength":       strength,
		"region_patches": len(region),
		"patches":        len(patches),
		"median_sigma":   math.Exp(median),
	})
	h := newHeat(p.w, p.h)
	for i := range h.of {
		x, y := min(i%h.cols*blockSide/patchSide, cols-1), min(i/h.cols*blockSide/patchSide, rows-1)
		h.of[i] = (math.Abs(deviation[y*cols+x]) - noiseReacts/2) / (noiseFull - noiseReacts/2)
	}
	m.Heatmap = h.draw(p.w, p.h)
	if m.Status == forensics.Authentic {
		return m, nil, nil
	}
	return m, boxOf(region, cols, patchSide, p, m), nil
}

// patchAt measures a patch.
func patchAt(p *plane, col, row int) patch {
	x0, y0 := max(col*patchSide, 1), max(row*patchSide, 1)
	x1, y1 := min((col+1)*patchSide, p.w-1), min((row+1)*patchSide, p.h-1)
	var responses [1021]uint16 // how often each absolute response occurs; at most 16 × 255 / 4
	n, sum, cut := 0, 0, 0
	var means [4][4]int
	for y := y0; y < y1; y++ {
		above, line, below := p.row(y - 1)[x0-1:x1+1], p.row(y)[x0-1:x1+1], p.row(y + 1)[x0-1:x1+1]
		above, below = above[:len(line)], below[:len(line)]
		quarters := &means[y%patchSide/4]
		// What the three rows add to a response, by column: it is used three times.
		one, two := int(above[0])+int(below[0])-2*int(line[0]), int(above[1])+int(below[1])-2*int(line[1])
		for i := 2; i < len(line); i++ {
			v := int(line[i-1])
			sum += v
			if clipped(line[i-1]) {
				cut++
			}
			quarters[(x0+i-2)%patchSide/4] += v
			three := int(above[i]) + int(below[i]) - 2*int(line[i])
			r := one + three - 2*two
			one, two = two, three
			responses[min(max(r, -r), len(responses)-1)]++
		}
		n += len(line) - 2
	}
	if n <= 0 || cut*10 > n {
		return patch{clipped: true}
	}
	texture := 0
	for i := range 4 {
		for j := range 3 {
			texture += distance(means[i][j], means[i][j+1]) + distance(means[j][i], means[j+1][i])
		}
	}
	// A normal distribution's median absolute value is 0.6745 sigma, and the
	// operator multiplies sigma by 6.
	grain := medianOf(&responses, n) / (6 * 0.6745)
	// What the grain alone makes the means of 16 pixels differ by (0.28 sigma on
	// average) is taken off, or the grain would choose its own class. What is
	// flat counts as equally flat for the same reason.
	steps, own := float64(texture)/(24*16), 0.28*grain
	return patch{
		brightness: float64(sum) / float64(n),
		texture:    math.Max(math.Sqrt(math.Max(steps*steps-own*own, 0)), flatTexture),
		grain:      grain,
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// medianOf computes the median from a histogram of n whole numbers, interpolated
// within a number so that small amounts of grain are still distinguished.
func medianOf(histogram *[1021]uint16, n int) float64 {
	below := 0
	for v := range histogram {
		count := int(histogram[v])
		if 2*(below+count) >= n && count > 0 {
			return math.Max(float64(v)-0.5+(float64(n)/2-float64(below))/float64(count), 0)
		}
		below += count
	}
	return 0
}

// deviations compares each patch with its class. It returns the signed deviations
// in rows like the patches' indices (0 where there is no patch), and the median
// of the logarithm of the grain.
func deviations(patches []patch, total int) ([]float64, float64) {
	byBrightness := func(a, b patch) int { return compare(a.brightness, b.brightness) }
	byTexture := func(a, b patch) int { return compare(a.texture, b.texture) }
	out := make([]float64, total)
	all := make([]float64, 0, len(patches))
	slices.SortStableFunc(patches, byBrightness)
	for i := range noiseClasses {
		band := patches[i*len(patches)/noiseClasses : (i+1)*len(patches)/noiseClasses]
		slices.SortStableFunc(band, byTexture)
		for j := range noiseClasses {
			class := band[j*len(band)/noiseClasses : (j+1)*len(band)/noiseClasses]
			logs := make([]float64, len(class))
			for k := range class {
				logs[k] = math.Log(math.Max(class[k].grain, leastGrain))
			}
			all = append(all, logs...)
			median, mad := forensics.MedianAndMAD(slices.Clone(logs))
			for k := range class {
				out[class[k].at] = (logs[k] - median) / math.Max(mad, leastScatter)
			}
		}
	}
	median, _ := forensics.MedianAndMAD(all)
	return out, median
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// evened returns the medians over 3 × 3 patches.
func evened(v []float64, cols, rows int) []float64 {
	out := make([]float64, len(v))
	var around [9]float64
	for y := range rows {
		for x := range cols {
			near := around[:0]
			for ny := max(y-1, 0); ny <= min(y+1, rows-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, cols-1); nx++ {
					near = append(near, v[ny*cols+nx])
				}
			}
			slices.Sort(near)
			out[y*cols+x] = near[len(near)/2]
		}
	}
	return out
}

func meanAbsolute(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Abs(v)
	}
	return sum / float64(len(values))
}

// strongestNoise finds the region behind the score.
func strongestNoise(deviation []float64, cols int) (strength float64, region []int) {
	for _, sign := range []float64{1, -1} {
		for _, r := range regions(deviation, cols, func(v float64) bool { return sign*v > noiseReacts }) {
			share := float64(len(r)) / float64(len(deviation))
			if len(r) < leastRegion || share > largestRegion {
				continue
			}
			excess := 0.0
			for _, at := range r {
				excess += sign*deviation[at] - noiseReacts
			}
			if s := excess / float64(len(r)) * math.Sqrt(math.Min(100*share, 15)); s > strength {
				strength, region = s, r
			}
		}
	}
	return strength, region
}
