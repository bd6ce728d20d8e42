package picture

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"assay/client"
	"assay/client/plain"
)

// Box is a region that a picture's aggregation JSON reports; it may be rotated.
type Box struct {
	Number  int             // from 1, in the order sent
	Field   string          // its field in the aggregation JSON, such as "bboxes[0]"
	Corners [4]client.Point // in order round the box, in pixels of the picture size that the JSON declares
	Words   []string        // what each model reports of it, as sent: "svc-oak-img: ARTIFICIAL"
}

// BoxesOf returns the boxes of a picture, none if a is nil.
func BoxesOf(a *client.AggregationData) []Box {
	if a == nil {
		return nil
	}
	boxes := make([]Box, 0, len(a.Boxes))
	for _, b := range a.Boxes {
		box := Box{Number: b.Index + 1, Field: fmt.Sprintf("bboxes[%d]", b.Index), Corners: b.Corners}
		for _, model := range slices.SortedFunc(maps.Keys(b.Decisions), plain.Text.Compare) {
			box.Words = append(box.Words, fmt.Sprintf("%s: %s", model, b.Decisions[model]))
		}
		boxes = append(boxes, box)
	}
	return boxes
}

// BoxGround is the picture whose pixels the boxes refer to.
type BoxGround struct {
	Size    image.Point // in pixels
	Upright bool        // whether the EXIF orientation is already applied to it
}

// BoxGroundOf returns the picture that the boxes refer to, for a file with a stored and an upright size. A JSON without a size means the stored
// pixels. Another size of the same shape means a scaled copy; for one of another shape, ok is false.
func BoxGroundOf(a *client.AggregationData, stored, upright image.Point) (ground BoxGround, ok bool) {
	if a.Width <= 0 || a.Height <= 0 {
		return BoxGround{Size: stored}, true
	}
	declared := image.Pt(int(math.Round(a.Width)), int(math.Round(a.Height)))
	switch {
	case declared.X < 1 || declared.Y < 1:
		return BoxGround{}, false
	case sameShape(declared, stored):
		return BoxGround{Size: declared}, true
	case sameShape(declared, upright):
		return BoxGround{Size: declared, Upright: true}, true
	}
	return BoxGround{}, false
}

// sameShape reports whether the aspect ratios are within 1 % of each other.
func sameShape(a, b image.Point) bool {
	if a.X < 1 || a.Y < 1 || b.X < 1 || b.Y < 1 {
		return false
	}
	one, other := float64(a.X)*float64(b.Y), float64(b.X)*float64(a.Y)
	return 100*max(one, other) <= 101*min(one, other)
}
