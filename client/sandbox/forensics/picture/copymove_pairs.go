package picture

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	alikeTo      = 0.35 // distance of two descriptions up to which points are alike
	pairReach    = 4000 // points compared with each, at most, on either side of it in the order of the search
	leastMove    = 24   // pixels of the reduced luma between a point and its copy
	voteBin      = 4    // pixels of the reduced luma; side of a bin of offsets
	leastVotes   = 3    // for an offset, neighbouring bins included
	checkedPairs = 3000 // pairs with the most votes, which are checked on the full luma
)

// copyOffset is the distance from one place to another in pixels.
type copyOffset struct{ dx, dy int }

// copyPair is two points with similar descriptions, a above b.
type copyPair struct{ a, b int }

// nearestPoints keeps the two points that are most similar to one.
type nearestPoints struct {
	to       [2]int
	distance [2]float32 // squared
}

func (n *nearestPoints) offer(to int, distance float32) {
	switch {
	case distance < n.distance[0]:
		n.to[1], n.distance[1] = n.to[0], n.distance[0]
		n.to[0], n.distance[0] = to, distance
	case distance < n.distance[1]:
		n.to[1], n.distance[1] = to, distance
	}
}

// pairsAlike pairs each point with the two most similar ones, if they are similar enough.
// It stops with ctx's error.
//
// A comparison ends as soon as the distance is too large, and most are not begun:
// points are kept in bands by two frequencies and in the order of a third, and
// only those can be alike that are close in all three.
func pairsAlike(ctx context.Context, points []copyPoint) ([]copyPair, error) {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(points[i].looks[0], points[j].looks[0]) })
	near := make([]nearestPoints, len(points)) // in that order
	var bands [bandsAcross * bandsAcross][]bandPoint
	for rank, at := range order {
		near[rank] = nearestPoints{to: [2]int{-1, -1}, distance: [2]float32{alikeTo * alikeTo, alikeTo * alikeTo}}
		p := &points[at]
		band := &bands[bandOf(p.looks[1])*bandsAcross+bandOf(p.looks[2])]
		*band = append(*band, bandPoint{looks: [6]float32(p.looks[:6]), rank: int32(rank)}) // #nosec G115 -- one of some ten thousand
	}
	compare := func(a, b *bandPoint) {
		i, j := int(a.rank), int(b.rank)
		one, other := &points[order[i]], &points[order[j]]
		reach := max(near[i].distance[1], near[j].distance[1])
		d := looksApart(one, other, reach)
		if d >= reach {
			return
		}
		if dx, dy := one.x-other.x, one.y-other.y; dx*dx+dy*dy >= leastMove*leastMove {
			near[i].offer(j, d)
			near[j].offer(i, d)
		}
	}
	for at := range bands {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for down := 0; down <= bandsBetween; down++ {
			for across := -bandsBetween; across <= bandsBetween; across++ {
				row, col := at/bandsAcross+down, at%bandsAcross+across
				if row >= bandsAcross || col < 0 || col >= bandsAcross || (down == 0 && across < 0) || bandsApart(down, across) >= alikeTo*alikeTo {
					continue
				}
				if down == 0 && across == 0 {
					compareWithin(bands[at], compare)
				} else {
					compareBands(bands[at], bands[row*bandsAcross+col], compare)
				}
			}
		}
	}
	var pairs []copyPair
	for i := range near {
		for _, j := range near[i].to {
			if j < 0 || (j < i && slices.Contains(near[j].to[:], i)) {
				continue // no point, or a pair listed from its other point
			}
			pair := copyPair{order[i], order[j]}
			if p, q := &points[pair.a], &points[pair.b]; q.y < p.y || (q.y == p.y && q.x < p.x) {
				pair.a, pair.b = pair.b, pair.a
			}
			pairs = append(pairs, pair)
		}
	}
	return pairs, nil
}

// looksApart is the squared distance of two descriptions, or any number from limit on.
func looksApart(a, b *copyPoint, limit float32) float32 {
	var sum float32
	for k := 0; k < copyFrequencies; k += 4 {
		d0, d1, d2, d3 := a.looks[k]-b.looks[k], a.looks[k+1]-b.looks[k+1], a.looks[k+2]-b.looks[k+2], a.looks[k+3]-b.looks[k+3]
		sum += d0*d0 + d1*d1 + d2*d2 + d3*d3
		if sum >= limit {
			return sum
		}
	}
	return sum
}

// votedPair is a pair whose offset other pairs share, in pixels of the reduced luma.
type votedPair struct {
	x, y  int
	by    copyOffset
	votes int
}

// votedPairs keeps the pairs whose offset several pairs have, those with the most votes first.
func votedPairs(points []copyPoint, pairs []copyPair) []votedPair {
	bins := map[copyOffset]int{}
	binOf := func(by copyOffset) copyOffset {
		return copyOffset{int(math.Floor(float64(by.dx) / voteBin)), int(math.Floor(float64(by.dy) / voteBin))}
	}
	all := make([]votedPair, len(pairs))
	for i, pair := range pairs {
		a, b := &points[pair.a], &points[pair.b]
		all[i] = votedPair{x: a.x, y: a.y, by: copyOffset{b.x - a.x, b.y - a.y}}
		bins[binOf(all[i].by)]++
	}
	var kept []votedPair
	for _, v := range all {
		bin := binOf(v.by)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				v.votes += bins[copyOffset{bin.dx + dx, bin.dy + dy}]
			}
		}
		if v.votes >= leastVotes {
			kept = append(kept, v)
		}
	}
	slices.SortStableFunc(kept, func(a, b votedPair) int { return cmp.Compare(b.votes, a.votes) })
	return kept[:min(len(kept), checkedPairs)]
}
