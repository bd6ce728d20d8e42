package picture

// The bands in which pairsAlike keeps points, by the second and the third number of their
// descriptions, which lie between -1 and 1.
const (
	bandWidth    = 0.1
	bandsAcross  = 20
	bandsBetween = 4 // bands to each side of a band that alikeTo reaches
)

// bandPoint is a point in a band. A band is in the order of the ranks, which is that of the
// first number of the descriptions.
type bandPoint struct {
	looks [6]float32 // the first of its description
	rank  int32
}

func bandOf(look float32) int {
	return min(max(int((look+1)/bandWidth), 0), bandsAcross-1)
}

// bandsApart is the square of the least distance that points may have in bands that lie
// so many rows and columns apart.
func bandsApart(down, across int) float32 {
	dy, dx := float32(max(down-1, 0))*bandWidth, float32(max(across-1, -across-1, 0))*bandWidth
	return dx*dx + dy*dy
}

// compareWithin compares the points of a band that may be alike with each other.
func compareWithin(band []bandPoint, compare func(a, b *bandPoint)) {
	for i := range band {
		compareWith(&band[i], band[i+1:], compare)
	}
}

// compareBands compares the points of two bands that may be alike.
func compareBands(one, other []bandPoint, compare func(a, b *bandPoint)) {
	from := 0
	for i := range one {
		a := &one[i]
		for from < len(other) && (a.rank-other[from].rank > pairReach || a.looks[0]-other[from].looks[0] > alikeTo) {
			from++
		}
		compareWith(a, other[from:], compare)
	}
}

// compareWith compares a point with others, as far as they may be alike.
func compareWith(a *bandPoint, others []bandPoint, compare func(a, b *bandPoint)) {
	const limit = alikeTo * alikeTo
	l0, l1, l2, l3 := a.looks[0], a.looks[1], a.looks[2], a.looks[3]
	l4, l5, last := a.looks[4], a.looks[5], a.rank+pairReach
	for i := range others {
		b := &others[i]
		d0, d1, d2, d3, d4, d5 := b.looks[0]-l0, b.looks[1]-l1, b.looks[2]-l2, b.looks[3]-l3, b.looks[4]-l4, b.looks[5]-l5
		if sum := d0*d0 + d1*d1 + d2*d2 + d3*d3 + d4*d4 + d5*d5; sum >= limit {
			if d0 > alikeTo {
				return
			}
			continue
		}
		if b.rank <= last {
			compare(a, b)
		}
	}
}
