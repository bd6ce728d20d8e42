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

// Box is a region that the aggregation JSON of a picture marks; it may be rotated.
type Box struct {
	Number  int             // from 1, in the order sent
	Field   string          // where it stands in the aggregation JSON: "bboxes[0]"
	Corners [4]client.Point // in order round the box, in pixels of the picture that the JSON declares
	Words   []string        // what each model says of it, as sent: "svc-oak-img: ARTIFICIAL"; none where nothing was said
}

// BoxesOf lists the boxes of a picture, none where a is nil.
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

// BoxGround is the picture in whose pixels boxes are told, and how they reach the picture that is shown.
type BoxGround struct {
	Size    image.Point // in whole pixels
	Upright bool        // the EXIF orientation is applied to it already
}

// BoxGroundOf tells it for a picture of the size that its file has, as it is stored and upright. A JSON that declares no size means
// the stored pixels. One that declares another size of the same shape means a copy made smaller or larger; one of another shape
// fits nowhere (ok is false).
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
