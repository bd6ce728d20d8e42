package picture

import (
	"context"
	"math"

	"assay/client/sandbox/forensics"
)

// copyMove is the copy-move analyser. It looks for a part of the picture that
// occurs a second time, moved but neither turned nor scaled, as a clone stamp or
// copy and paste leaves it.
//
// Corner-like points of a reduced luma are described by the low frequencies of
// the patch around them, and points that look alike vote for the offset between
// them (the outline is that of J. Fridrich, D. Soukal, J. Lukáš, Detection of
// Copy-Move Forgery in Digital Images, DFRWS 2003, with points in place of all
// blocks). What voted together is checked pixel by pixel on the luma as
// stored: around each point, then block by block outwards, the gradients on both
// sides of the offset must correlate. Two things that merely look alike, such as
// two windows of a house, do so roughly but not in their grain.
//
// Only windows with texture in two directions count, so that sky, gradients and
// straight edges are not taken for copies of themselves. What continues at a
// second step of the same offset, or fits at many offsets, is a pattern and is
// left out.
//
// The score follows the evidence e: the area that correlates, in windows of
// 16 × 16 pixels, each counted by how far its correlation lies above the limit.
// raw = e² / (e² + 36), so that six whole windows make a half.
type copyMove struct{}

const (
	copyHalf       = 6.0  // e at which raw is a half
	leastPoints    = 30   // points with texture below which there is too little to compare
	copyHeatFrom   = 0.5  // correlation at which the heat begins
	smallComponent = 10   // a part of the region smaller than 1/10 of its largest part is left out of the boxes
	patternOffsets = 4    // a region that fits at so many offsets is a pattern
	patternShare   = 0.25 // of a region's blocks that continue at a second step, from which it is a pattern
)

func (copyMove) name() string { return copyMoveName }

func (copyMove) analyse(ctx context.Context, pic *picture) (forensics.Model, []BBox, error) {
	if why := pic.unfit(); why != "" {
		return forensics.NotApplicableModel(copyMoveName, why, nil), nil, nil
	}
	small, times := reducedPlane(pic.luma)
	points, err := copyPoints(ctx, small)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	if len(points) < leastPoints {
		return forensics.NotApplicableModel(copyMoveName, "Too little of the picture has texture enough to tell a copy.", nil), nil, nil
	}
	grainy, err := grainyPoints(ctx, pic, points, times)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	if 2*grainy < len(points) {
		return forensics.NotApplicableModel(copyMoveName, "The picture looks drawn: it has no grain, and drawings repeat themselves honestly.", nil), nil, nil
	}
	pairs, err := pairsAlike(ctx, points)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	seeds, err := checkedCopies(ctx, pic.luma, votedPairs(points, pairs), times)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	found, patterns, err := copiesAmong(ctx, pic.luma, seeds)
	if err != nil {
		return forensics.Model{}, nil, err
	}
	h := newHeat(pic.luma.w, pic.luma.h)
	data := map[string]any{"points": len(points), "pairs": len(pairs), "repeating_patterns": patterns}
	if found == nil {
		m := forensics.ScoredModel(copyMoveName, 0, data)
		m.Heatmap = h.draw(pic.luma.w, pic.luma.h)
		return m, nil, nil
	}
	data["evidence"] = found.evidence
	data["offset_x"], data["offset_y"] = found.by.dx, found.by.dy
	data["area_pixels"] = len(found.blocks) * copyStep * copyStep
	data["correlation"] = found.meanCorrelation()
	m := forensics.ScoredModel(copyMoveName, found.evidence*found.evidence/(found.evidence*found.evidence+copyHalf*copyHalf), data)
	found.warm(h)
	m.Heatmap = h.draw(pic.luma.w, pic.luma.h)
	if m.Status == forensics.Authentic {
		return m, nil, nil
	}
	return m, found.boxes(pic.luma, m), nil
}

// warm adds both places of the copy to the heat.
func (c *copied) warm(h *heat) {
	for _, b := range c.blocks {
		reaction := math.Min((b.correlation-copyHeatFrom)/(1-copyHeatFrom), 1)
		for _, at := range [2]copyOffset{{b.x, b.y}, {b.x + c.by.dx, b.y + c.by.dy}} {
			for _, y := range [2]int{at.dy, at.dy + copyStep - 1} {
				for _, x := range [2]int{at.dx, at.dx + copyStep - 1} {
					i := y/blockSide*h.cols + x/blockSide
					h.of[i] = math.Max(h.of[i], reaction)
				}
			}
		}
	}
}

// boxes frames both places. Which of them is the original can't be determined.
func (c *copied) boxes(p *plane, m forensics.Model) []BBox {
	x0, y0, x1, y1 := p.w, p.h, 0, 0
	for _, b := range c.blocks {
		if b.component*smallComponent < c.largest {
			continue
		}
		x0, y0, x1, y1 = min(x0, b.x), min(y0, b.y), max(x1, b.x+copyStep), max(y1, b.y+copyStep)
	}
	decision, _ := m.Data["decision"].(string)
	frame := func(dx, dy int) BBox {
		return BBox{
			X0: float64(x0 + dx), Y0: float64(y0 + dy), X1: float64(x1 + dx), Y1: float64(y1 + dy),
			Model: m.Name, Decision: decision,
		}
	}
	return []BBox{frame(0, 0), frame(c.by.dx, c.by.dy)}
}

// meanCorrelation is over all blocks of the region.
func (c *copied) meanCorrelation() float64 {
	sum := 0.0
	for _, b := range c.blocks {
		sum += b.correlation
	}
	return sum / float64(len(c.blocks))
}
