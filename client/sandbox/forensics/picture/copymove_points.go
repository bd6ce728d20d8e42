package picture

import (
	"context"
	"math"
	"slices"
)

const (
	searchedPixels  = 2_000_000 // of the reduced luma at most
	cornerReach     = 3         // pixels to each side over which texture is measured
	leastCorner     = 5.0       // mean square difference across two pixels, in the direction in which it is least
	pointsTile      = 32        // pixels; points are spread over tiles of this side
	pointsPerTile   = 12        // strongest points that a tile keeps
	describedReach  = 8         // pixels to each side that describe a point
	copyFrequencies = 24        // that describe a point
)

// copyPoint is a place of the reduced luma that can be recognised, and its
// description: the low frequencies of the 16 × 16 pixels around it, without the
// mean, of length 1.
type copyPoint struct {
	x, y  int
	looks [copyFrequencies]float32
}

// reducedPlane averages whole squares of pixels, times of them to each side, so that
// the search takes no longer on a large picture. A small one is returned as it is.
func reducedPlane(p *plane) (small *plane, times int) {
	times = max(int(math.Ceil(math.Sqrt(float64(p.w)*float64(p.h)/searchedPixels))), 1)
	if times == 1 {
		return p, 1
	}
	small = &plane{w: p.w / times, h: p.h / times}
	small.pix = make([]uint8, small.w*small.h)
	sums := make([]int, small.w)
	for y := range small.h {
		clear(sums)
		for i := range times {
			row := p.row(y*times + i)
			for x := range sums {
				for _, v := range row[x*times : (x+1)*times] {
					sums[x] += int(v)
				}
			}
		}
		out := small.row(y)
		for x, sum := range sums {
			out[x] = uint8((sum + times*times/2) / (times * times)) // #nosec G115 -- a mean of bytes
		}
	}
	return small, times
}

// copyPoints finds the points in the order of their tiles. It stops with ctx's error.
func copyPoints(ctx context.Context, p *plane) ([]copyPoint, error) {
	strengths, err := cornersOf(ctx, p)
	if err != nil {
		return nil, err
	}
	type corner struct {
		x, y     int
		strength float32
	}
	var tile []corner
	edge := describedReach + 1
	points := make([]copyPoint, 0, (p.w/pointsTile+1)*(p.h/pointsTile+1)*pointsPerTile)
	for ty := 0; ty < p.h; ty += pointsTile {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for tx := 0; tx < p.w; tx += pointsTile {
			tile = tile[:0]
			for y := max(ty, edge); y < min(ty+pointsTile, p.h-edge); y++ {
				for x := max(tx, edge); x < min(tx+pointsTile, p.w-edge); x++ {
					if s := strengths[y*p.w+x]; s >= leastCorner && isTop(strengths, p.w, x, y) {
						tile = append(tile, corner{x, y, s})
					}
				}
			}
			slices.SortStableFunc(tile, func(a, b corner) int { return compare(float64(b.strength), float64(a.strength)) })
			for _, c := range tile[:min(len(tile), pointsPerTile)] {
				if point := (copyPoint{x: c.x, y: c.y}); point.describe(p) {
					points = append(points, point)
				}
			}
		}
	}
	return points, nil
}

// cornersOf returns, for each pixel, the smaller eigenvalue of its structure tensor (J. Shi,
// C. Tomasi, Good Features to Track, CVPR 1994), the tensor averaged over a square:
// how much the picture changes in the direction in which it changes least.
func cornersOf(ctx context.Context, p *plane) ([]float32, error) {
	const side = 2*cornerReach + 1
	out := make([]float32, p.w*p.h)
	columns := make([][3]int32, p.w) // of xx, yy, xy, summed over the rows of the square
	add := func(y int, sign int32) {
		above, line, below := p.row(y-1), p.row(y), p.row(y+1)
		for x := 1; x < p.w-1; x++ {
			gx, gy := int32(line[x+1])-int32(line[x-1]), int32(below[x])-int32(above[x])
			c := &columns[x]
			c[0] += sign * gx * gx
			c[1] += sign * gy * gy
			c[2] += sign * gx * gy
		}
	}
	for y := 1; y < p.h-1; y++ {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		add(y, 1)
		if y > side {
			add(y-side, -1)
		}
		if y < side {
			continue
		}
		row := out[(y-cornerReach)*p.w:][:p.w]
		var xx, yy, xy int32
		for x := 1; x < p.w-1; x++ {
			xx, yy, xy = xx+columns[x][0], yy+columns[x][1], xy+columns[x][2]
			if x > side {
				gone := &columns[x-side]
				xx, yy, xy = xx-gone[0], yy-gone[1], xy-gone[2]
			}
			if x >= side {
				row[x-cornerReach] = float32(leastChange(float64(xx), float64(yy), float64(xy)) / (side * side))
			}
		}
	}
	return out, nil
}

// leastChange is the smaller eigenvalue of the matrix (xx, xy; xy, yy).
func leastChange(xx, yy, xy float64) float64 {
	half := (xx - yy) / 2
	return (xx+yy)/2 - math.Sqrt(half*half+xy*xy)
}

// grainyPoints counts the points whose surroundings on the full luma have grain,
// as they do in a photograph and do not where shapes were drawn. It stops with ctx's error.
func grainyPoints(ctx context.Context, pic *picture, points []copyPoint, times int) (grainy int, err error) {
	patches, err := pic.patches(ctx)
	if err != nil {
		return 0, err
	}
	cols, rows := pic.luma.w/patchSide, pic.luma.h/patchSide
	for _, c := range points {
		col, row := min(c.x*times/patchSide, cols-1), min(c.y*times/patchSide, rows-1)
		if patches[row*cols+col].grain > leastGrain {
			grainy++
		}
	}
	return grainy, nil
}

// isTop reports whether no pixel near is stronger; of equal ones the first is the top.
func isTop(strengths []float32, w, x, y int) bool {
	at := y*w + x
	s := strengths[at]
	if strengths[at+1] > s || strengths[at-1] > s || strengths[at+w] > s || strengths[at-w] > s {
		return false // as of nearly all
	}
	for ny := y - cornerReach; ny <= y+cornerReach; ny++ {
		for nx := x - cornerReach; nx <= x+cornerReach; nx++ {
			other := strengths[ny*w+nx]
			if other > s || (other == s && (ny < y || (ny == y && nx < x))) {
				return false
			}
		}
	}
	return true
}

// describe sets looks from 8 × 8 means of 2 × 2 pixels, and returns false for a patch
// that is flat.
func (c *copyPoint) describe(p *plane) bool {
	var half [8][8]float32 // [frequency across][row]
	for i := range 8 {
		upper, lower := p.row(c.y-describedReach+2*i), p.row(c.y-describedReach+2*i+1)
		var means [8]float32
		for j := range means {
			x := c.x - describedReach + 2*j
			means[j] = float32(int(upper[x])+int(upper[x+1])+int(lower[x])+int(lower[x+1])) / 4
		}
		for k := range half {
			for j, v := range means {
				half[k][i] += v * cosines[k][j]
			}
		}
	}
	var squares float32
	n := 0
	for order := 1; n < copyFrequencies; order++ { // diagonal by diagonal, the lowest first
		for u := 0; u <= order && n < copyFrequencies; u++ {
			var v float32
			for i := range 8 {
				v += half[u][i] * cosines[order-u][i]
			}
			c.looks[n] = v
			squares += v * v
			n++
		}
	}
	if squares < 1 {
		return false
	}
	scale := float32(1 / math.Sqrt(float64(squares)))
	for i := range c.looks {
		c.looks[i] *= scale
	}
	return true
}
