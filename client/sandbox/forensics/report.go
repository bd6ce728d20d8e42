package forensics

// ImageReport is what all analysers together found in one picture.
type ImageReport struct {
	Width, Height int     // pixels as stored, before the EXIF orientation
	Models        []Model // in the order of ImageModels, the ensemble last
	Status        Status  // the ensemble's
	Score         *float64
	Reasons       []Reason          // why there is no score, for NOT_APPLICABLE and UNABLE_TO_EVALUATE
	Conclusions   map[string]string // a sentence by model name
	BBoxes        []BBox            // the regions behind a FAKE or SUSPICIOUS of the pixel analysers; copy-move gives two, the copy and the original
}

// Reason says why a picture got no score.
type Reason struct{ Code, Message string }

// BBox frames a region to which a model reacted, in stored pixels; X1 and Y1 lie
// just outside.
type BBox struct {
	X0, Y0, X1, Y1 float64
	Model          string
	Decision       string
}

// boxOf frames a region of a model, given as indices of squares of side pixels in
// rows of cols. No region gives no box.
func boxOf(region []int, cols, side int, p *plane, m Model) []BBox {
	if len(region) == 0 {
		return nil
	}
	x0, y0, x1, y1 := p.w, p.h, 0, 0
	for _, at := range region {
		x, y := at%cols*side, at/cols*side
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+side), max(y1, y+side)
	}
	decision, _ := m.Data["decision"].(string)
	return []BBox{{
		X0: float64(x0), Y0: float64(y0), X1: float64(min(x1, p.w)), Y1: float64(min(y1, p.h)),
		Model: m.Name, Decision: decision,
	}}
}
