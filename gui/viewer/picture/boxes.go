package picture

import (
	"strconv"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/heat"
	"assay/gui/present"
)

// takeBoxes keeps what is recognised of the aggregation JSON, and draws it once the photo is there.
func (p *Pane) takeBoxes(a *client.AggregationData) {
	p.aggregation = a
	p.applyBoxes()
}

// applyBoxes lays the boxes over the photo.
func (p *Pane) applyBoxes() {
	boxes := present.BoxesOf(p.aggregation)
	photo := p.stage.photo
	if len(boxes) == 0 || photo == nil {
		return
	}
	stored := heat.Upright(photo.Source, photo.Orientation) // turning the sides back is the same as turning them
	ground, ok := present.BoxGroundOf(p.aggregation, stored, photo.Source)
	if !ok {
		p.say(p.boxNotice, i18n.N(len(boxes),
			"%s box is left out: the answer marks them on a picture of another shape, %s × %s pixels.",
			"%s boxes are left out: the answer marks them on a picture of another shape, %s × %s pixels.",
			number(p.aggregation.Width), number(p.aggregation.Height)), "", nil)
		return
	}
	orientation, size := photo.Orientation, ground.Size
	if ground.Upright {
		orientation = 1
	}
	upright := heat.Upright(size, orientation)
	marks := make([]mark, len(boxes))
	for i, box := range boxes {
		marks[i] = mark{number: box.Number, field: box.Field, words: box.Words}
		for k, c := range box.Corners {
			x, y := heat.TurnPoint(c.X, c.Y, size, orientation)
			marks[i].corners[k] = spot{x / float64(upright.X), y / float64(upright.Y)}
		}
	}
	p.stage.boxes.set(marks)
	if len(marks) > maxMarks {
		p.say(p.boxNotice, i18n.F("The first %s of %s boxes are drawn; the others are in the data.", i18n.Count(maxMarks), i18n.Count(len(marks))), "", nil)
	}
	p.stage.arrange()
	p.tools.showBoxes()
	p.root.Refresh()
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
