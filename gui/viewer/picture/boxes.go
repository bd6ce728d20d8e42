package picture

import (
	"strconv"

	"assay/client"
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
		p.say(p.boxNotice, counted(len(boxes))+" left out: the answer marks them on a picture of another shape, "+
			number(p.aggregation.Width)+" × "+number(p.aggregation.Height)+" pixels.", "", nil)
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
		p.say(p.boxNotice, "The first "+strconv.Itoa(maxMarks)+" of "+strconv.Itoa(len(marks))+" boxes are drawn; the others are in the data.", "", nil)
	}
	p.stage.arrange()
	p.tools.showBoxes()
	p.root.Refresh()
}

func counted(n int) string {
	if n == 1 {
		return "1 box is"
	}
	return strconv.Itoa(n) + " boxes are"
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
