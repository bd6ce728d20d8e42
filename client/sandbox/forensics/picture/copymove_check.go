package picture

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	copyStep      = 4       // pixels; side of the blocks of which a region is made
	copyWindow    = 16      // pixels; side of what is compared around a block
	seedWindow    = 24      // pixels; side of what is compared around a point
	correlates    = 0.75    // correlation of the gradients from which two windows are the same
	wholly        = 0.95    // correlation at which a window counts in full
	leastTexture  = 4.0     // as leastCorner, on the luma as stored
	leastRatio    = 0.08    // of a window's energy that must lie in the direction that has less of it: an edge fits all along itself
	energyRatio   = 2.0     // of the gradients' energies: a copy keeps its contrast
	leastSeeds    = 2       // points that agree on an offset to the pixel
	triedOffsets  = 24      // offsets with the most points that are followed up
	firstBlocks   = 30_000  // compared for each offset at first: enough to tell a pattern
	wholeBlocks   = 300_000 // compared for the offset that remains, which bounds the time
	leastBlocks   = 16      // of a connected part of a region
	fitsAsked     = 100     // points for which a continuation is checked
	patternAround = 2       // pixels by which the steps of a pattern may differ
)

// copySeeds is an offset and the points of the full luma that have it.
type copySeeds struct {
	by copyOffset
	at []copyOffset // from the picture's corner
}

// copyBlock is a block of copyStep pixels that occurs again at the offset.
type copyBlock struct {
	x, y        int
	correlation float64
	component   int // blocks in its connected part
}

// copied is a region and the offset at which it occurs again.
type copied struct {
	by         copyOffset
	blocks     []copyBlock
	largest    int // blocks in the largest connected part
	evidence   float64
	unfinished bool // the most blocks were compared before its end was reached
}

// sameness is the correlation of the gradients of the square at x, y with those of the
// square at the offset. It is 0 if one leaves the picture, if the energies
// differ too much, or if the texture does not have two directions.
func sameness(p *plane, x, y, side int, by copyOffset) float64 {
	u, v := x+by.dx, y+by.dy
	if min(x, y, u, v) < 1 || max(x, u)+side >= p.w || max(y, v)+side >= p.h {
		return 0
	}
	var xx, yy, xy, other, both int
	for i := range side {
		above, line, below := p.row(y + i - 1)[x:x+side], p.row(y + i)[x-1:x+side+1], p.row(y + i + 1)[x:x+side]
		thereAbove, there, thereBelow := p.row(v + i - 1)[u:u+side], p.row(v + i)[u-1:u+side+1], p.row(v + i + 1)[u:u+side]
		for j := range side {
			gx, gy := int(line[j+2])-int(line[j]), int(below[j])-int(above[j])
			hx, hy := int(there[j+2])-int(there[j]), int(thereBelow[j])-int(thereAbove[j])
			xx += gx * gx
			yy += gy * gy
			xy += gx * gy
			other += hx*hx + hy*hy
			both += gx*hx + gy*hy
		}
	}
	one, two := float64(xx+yy), float64(other)
	if both <= 0 || one > energyRatio*two || two > energyRatio*one {
		return 0
	}
	least := leastChange(float64(xx), float64(yy), float64(xy))
	if least < leastTexture*float64(side*side) || least < leastRatio*one {
		return 0
	}
	return float64(both) / math.Sqrt(one*two)
}

// checkedCopies checks voted pairs on the full luma, where a pixel of the reduced one
// is times pixels wide, and groups those that correlate by their exact offset,
// most points first. It stops with ctx's error.
func checkedCopies(ctx context.Context, p *plane, pairs []votedPair, times int) ([]copySeeds, error) {
	byOffset := map[copyOffset]int{} // index into all
	var all []copySeeds
	for i, pair := range pairs {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := copyOffset{pair.x*times + times/2 - seedWindow/2, pair.y*times + times/2 - seedWindow/2}
		best, by := 0.0, copyOffset{}
		for dy := -times; dy <= times; dy++ {
			for dx := -times; dx <= times; dx++ {
				tried := copyOffset{pair.by.dx*times + dx, pair.by.dy*times + dy}
				if s := sameness(p, at.dx, at.dy, seedWindow, tried); s > best {
					best, by = s, tried
				}
			}
		}
		if best < correlates {
			continue
		}
		n, known := byOffset[by]
		if !known {
			n = len(all)
			byOffset[by] = n
			all = append(all, copySeeds{by: by})
		}
		all[n].at = append(all[n].at, copyOffset{at.dx + seedWindow/2, at.dy + seedWindow/2})
	}
	all = slices.DeleteFunc(all, func(s copySeeds) bool { return len(s.at) < leastSeeds })
	slices.SortStableFunc(all, func(a, b copySeeds) int { return cmp.Compare(len(b.at), len(a.at)) })
	return all, nil
}

// copiesAmong checks the offsets in order and returns the region with the most evidence,
// nil if there is none, and how many were left out as patterns. It stops with
// ctx's error.
func copiesAmong(ctx context.Context, p *plane, seeds []copySeeds) (best *copied, patterns int, err error) {
	var found []*copied
	var steps []copyOffset // of the patterns
	for _, s := range seeds[:min(len(seeds), triedOffsets)] {
		if goesOn(p, s.at, s.by) { // growing over a whole pattern would take long
			steps = append(steps, s.by)
			continue
		}
		c, err := grownCopy(ctx, p, s, firstBlocks)
		switch {
		case err != nil:
			return nil, 0, err
		case len(c.blocks) == 0:
		case goesOn(p, c.sampled(), c.by):
			steps = append(steps, c.by)
		default:
			found = append(found, c)
		}
	}
	found = slices.DeleteFunc(found, func(c *copied) bool {
		return slices.ContainsFunc(steps, func(by copyOffset) bool { return fitsAgain(p, c.sampled(), by) })
	})
	for _, c := range found {
		if best == nil || c.evidence > best.evidence {
			best = c
		}
	}
	like := 0
	for _, c := range found {
		if 2*c.evidence >= best.evidence {
			like++
		}
	}
	switch {
	case like >= patternOffsets:
		return nil, len(steps) + like, nil
	case best != nil && best.unfinished:
		at := slices.IndexFunc(seeds, func(s copySeeds) bool { return s.by == best.by })
		best, err = grownCopy(ctx, p, seeds[at], wholeBlocks)
	}
	return best, len(steps), err
}

// grownCopy spreads from the points over the blocks that correlate at the offset,
// and compares so many at most. It stops with ctx's error.
func grownCopy(ctx context.Context, p *plane, s copySeeds, most int) (*copied, error) {
	c := &copied{by: s.by}
	cols, rows := p.w/copyStep, p.h/copyStep
	seen := make([]bool, cols*rows)
	var part []copyBlock
	visit := func(col, row int) {
		if col < 0 || row < 0 || col >= cols || row >= rows || seen[row*cols+col] {
			return
		}
		if most--; most < 0 {
			c.unfinished = true
			return
		}
		seen[row*cols+col] = true
		x, y := col*copyStep, row*copyStep
		const margin = (copyWindow - copyStep) / 2
		if r := sameness(p, x-margin, y-margin, copyWindow, s.by); r >= correlates {
			part = append(part, copyBlock{x: x, y: y, correlation: r})
		}
	}
	for _, at := range s.at {
		part = part[:0]
		visit(at.dx/copyStep, at.dy/copyStep)
		for i := 0; i < len(part); i++ {
			if i%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			col, row := part[i].x/copyStep, part[i].y/copyStep
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					visit(col+dx, row+dy)
				}
			}
		}
		if len(part) < leastBlocks {
			continue
		}
		c.largest = max(c.largest, len(part))
		for _, b := range part {
			b.component = len(part)
			c.evidence += math.Min((b.correlation-correlates)/(wholly-correlates), 1) * copyStep * copyStep / (copyWindow * copyWindow)
			c.blocks = append(c.blocks, b)
		}
	}
	return c, nil
}

// sampled returns the centres of an evenly chosen part of the region's blocks.
func (c *copied) sampled() []copyOffset {
	var at []copyOffset
	for i := 0; i < len(c.blocks); i += 1 + len(c.blocks)/fitsAsked {
		at = append(at, copyOffset{c.blocks[i].x + copyStep/2, c.blocks[i].y + copyStep/2})
	}
	return at
}

// goesOn reports whether what is around the points continues at a second step of the
// offset, to either side, as the tiles of a roof do. A copy doesn't: if it was
// moved by less than its own size, it hides the original. The offset may be several
// steps of a pattern, so a half and a third of it are tried too.
func goesOn(p *plane, at []copyOffset, by copyOffset) bool {
	return fitsAgain(p, at, copyOffset{2 * by.dx, 2 * by.dy}) || fitsAgain(p, at, copyOffset{-by.dx, -by.dy}) ||
		fitsAgain(p, at, copyOffset{by.dx / 2, by.dy / 2}) || fitsAgain(p, at, copyOffset{by.dx / 3, by.dy / 3})
}

// fitsAgain reports whether a good part of what is around the points also occurs at
// an offset, give or take a few pixels.
func fitsAgain(p *plane, at []copyOffset, by copyOffset) bool {
	fitting, tried := 0, 0
	for i := 0; i < len(at); i += 1 + len(at)/fitsAsked {
		tried++
		if fitsAt(p, at[i].dx-copyWindow/2, at[i].dy-copyWindow/2, by) {
			fitting++
		}
	}
	return float64(fitting) >= patternShare*float64(tried)
}

func fitsAt(p *plane, x, y int, by copyOffset) bool {
	for dy := -patternAround; dy <= patternAround; dy++ {
		for dx := -patternAround; dx <= patternAround; dx++ {
			if sameness(p, x, y, copyWindow, copyOffset{by.dx + dx, by.dy + dy}) >= correlates {
				return true
			}
		}
	}
	return false
}
