package picture

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media/picture"
	"assay/gui/kit"
	"assay/gui/look"
)

// mark is a box on the picture.
type mark struct {
	corners [4]spot // in shares of the picture's sides, 0..1
	number  int
	field   string   // the field of the aggregation JSON
	words   []string // what each model reports of it
}

// maxMarks limits the boxes that are drawn: more would hide the picture.
const maxMarks = 100

// boxMarks draws boxes over a picture: each with its number, and with its words if it is chosen or under the pointer. Outlines are white on dark,
// which is visible on any photo, and have no verdict's colour.
type boxMarks struct {
	room     *fyne.Container
	onChosen func() // called when the chosen box changes

	marks   []mark
	all     int // number of boxes, including those beyond maxMarks
	shown   bool
	chosen  int // index, -1: none
	hovered int // index, -1: none

	drawn  [][4]spot // the corners of each mark on the frame, in screen pixels
	edges  []*canvas.Line
	plates []*canvas.Rectangle
	names  []*canvas.Text
}

func newBoxMarks() *boxMarks {
	b := &boxMarks{onChosen: func() {}, chosen: -1, hovered: -1}
	b.room = &fyne.Container{}
	b.room.Hide()
	return b
}

// set replaces the boxes.
func (b *boxMarks) set(marks []mark) {
	b.all, b.marks, b.chosen, b.hovered, b.drawn = len(marks), marks[:min(len(marks), maxMarks)], -1, -1, nil
	b.room.Objects, b.edges, b.plates, b.names = nil, nil, nil, nil
	for _, m := range b.marks {
		for range 8 { // a dark line below a white one, for each of four sides
			edge := canvas.NewLine(labelInk)
			b.edges = append(b.edges, edge)
		}
		plate := canvas.NewRectangle(labelFill)
		plate.CornerRadius = 4
		name := canvas.NewText("", labelInk)
		look.SetText(name, strconv.Itoa(m.number), fyne.TextStyle{})
		b.plates, b.names = append(b.plates, plate), append(b.names, name)
	}
	for i := range b.marks {
		for _, edge := range b.edges[8*i : 8*i+8] {
			b.room.Objects = append(b.room.Objects, edge)
		}
	}
	for i := range b.marks { // above all lines
		b.room.Objects = append(b.room.Objects, b.plates[i], b.names[i])
	}
}

// show sets whether the boxes are drawn.
func (b *boxMarks) show(shown bool) {
	b.shown, b.chosen, b.hovered = shown, -1, -1
	b.onChosen()
}

func (b *boxMarks) hide() { b.room.Hide() }

// visible reports whether boxes are shown.
func (b *boxMarks) visible() bool { return b.shown && len(b.marks) > 0 }

// place draws the boxes on a picture that is at whole.
func (b *boxMarks) place(v view, whole placed) {
	kit.SetVisible(b.room, b.visible())
	b.drawn = b.drawn[:0]
	if !b.visible() {
		return
	}
	seen := whole.within(v.frame())
	size := look.Size(look.SizeCaption)
	for i, m := range b.marks {
		var corners [4]spot
		for k, c := range m.corners {
			corners[k] = spot{whole.left + c.X*whole.width, whole.top + c.Y*whole.height}
		}
		b.drawn = append(b.drawn, corners)
		some := false
		for k := range corners {
			from, to, ok := clippedLine(corners[k], corners[(k+1)%4], seen)
			some = some || ok
			b.edge(8*i+k, v, from, to, ok, i == b.picked(), true)
			b.edge(8*i+4+k, v, from, to, ok, i == b.picked(), false)
		}
		name, plate := b.names[i], b.plates[i]
		look.SetText(name, name.Text, look.WeightBold.Style())
		name.TextSize = size
		words := look.Measure(name.Text, size, name.TextStyle)
		box := fyne.NewSize(words.Width+8, words.Height+2)
		left, top := v.point(spot{seen.left, seen.top}), v.point(spot{seen.left + seen.width, seen.top + seen.height})
		at := v.point(corners[topmost(corners)])
		at = fyne.NewPos(min(max(at.X, left.X), max(left.X, top.X-box.Width)), min(max(at.Y, left.Y), max(left.Y, top.Y-box.Height)))
		plate.Move(at)
		plate.Resize(box)
		name.Move(at.AddXY(4, 1))
		name.Resize(words)
		plate.FillColor, name.Color = labelFill, labelInk
		if i == b.picked() {
			plate.FillColor, name.Color = labelInk, labelFill
		}
		kit.SetVisible(plate, some)
		kit.SetVisible(name, some)
		plate.Refresh()
		name.Refresh()
	}
}

func (b *boxMarks) edge(at int, v view, from, to spot, visible, picked, under bool) {
	line := b.edges[at]
	line.Position1, line.Position2 = v.point(from), v.point(to)
	line.StrokeColor, line.StrokeWidth = labelInk, 1.5
	if picked {
		line.StrokeWidth = 3
	}
	if under {
		line.StrokeColor = labelFill
		line.StrokeWidth += 2.5
	}
	line.Hidden = !visible
	line.Refresh()
}

// topmost returns the index of the corner for the box's number: the upper one, or the left of two.
func topmost(corners [4]spot) int {
	best := 0
	for i, c := range corners {
		if c.Y < corners[best].Y-0.5 || c.Y < corners[best].Y+0.5 && c.X < corners[best].X {
			best = i
		}
	}
	return best
}

// picked returns the index of the highlighted box: the one under the pointer, else the chosen one; -1 for none.
func (b *boxMarks) picked() int {
	if b.hovered >= 0 {
		return b.hovered
	}
	return b.chosen
}

// words returns what the models report of the highlighted box.
func (b *boxMarks) words() []string {
	if !b.visible() || b.picked() < 0 {
		return nil
	}
	m := b.marks[b.picked()]
	lines := []string{i18n.F("Box %d", m.number) + " · " + m.field}
	if len(m.words) == 0 {
		return append(lines, i18n.T("no model said anything about it"))
	}
	if more := len(m.words) - (maxLabelLines - 2); more > 1 {
		return append(append(lines, m.words[:maxLabelLines-2]...), i18n.N(more, "and %s more", "and %s more"))
	}
	return append(lines, m.words...)
}

// under returns the index of the smallest box around a position in the frame, -1 for none.
func (b *boxMarks) under(at spot) int {
	best := -1
	for i, corners := range b.drawn {
		if inside(at, corners) && (best < 0 || area(corners) < area(b.drawn[best])) {
			best = i
		}
	}
	return best
}

// chooseAt chooses the box around a position, or none, and reports whether there is one.
func (b *boxMarks) chooseAt(at spot) bool {
	if !b.visible() {
		return false
	}
	b.chosen, b.hovered = b.under(at), -1
	b.onChosen()
	return b.chosen >= 0
}

// next chooses the next box, and none after the last one.
func (b *boxMarks) next() bool {
	if !b.visible() {
		return false
	}
	b.hovered = -1
	b.chosen++
	if b.chosen >= len(b.marks) {
		b.chosen = -1
	}
	b.onChosen()
	return true
}

// hover highlights the box under the pointer.
func (b *boxMarks) hover(at spot) {
	if i := b.under(at); b.visible() && i != b.hovered {
		b.hovered = i
		b.onChosen()
	}
}

func (b *boxMarks) hoverNone() {
	if b.hovered >= 0 {
		b.hovered = -1
		b.onChosen()
	}
}

// takeBoxes keeps the aggregation JSON, and draws its boxes once the photo is there.
func (p *Pane) takeBoxes(a *client.AggregationData) {
	p.aggregation = a
	p.applyBoxes()
}

// applyBoxes draws the boxes over the photo.
func (p *Pane) applyBoxes() {
	boxes := BoxesOf(p.aggregation)
	photo := p.stage.photo
	if len(boxes) == 0 || photo == nil {
		return
	}
	stored := picture.Upright(photo.Source, photo.Orientation) // undoes the orientation, as applying it again swaps the sides back
	ground, ok := BoxGroundOf(p.aggregation, stored, photo.Source)
	if !ok {
		p.saying(p.boxNotice, i18n.N(len(boxes),
			"%s box is left out: the answer marks them on a picture of another shape, %s × %s pixels.",
			"%s boxes are left out: the answer marks them on a picture of another shape, %s × %s pixels.",
			number(p.aggregation.Width), number(p.aggregation.Height)))
		return
	}
	orientation, size := photo.Orientation, ground.Size
	if ground.Upright {
		orientation = 1
	}
	upright := picture.Upright(size, orientation)
	marks := make([]mark, len(boxes))
	for i, box := range boxes {
		marks[i] = mark{number: box.Number, field: box.Field, words: box.Words}
		for k, c := range box.Corners {
			x, y := picture.TurnPoint(c.X, c.Y, size, orientation)
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

// clippedLine clips a line to an area; ok is false if it is outside. Boxes may extend far beyond their picture, and a picture far beyond its frame,
// to coordinates that a painter can't handle.
func clippedLine(a, b spot, area placed) (from, to spot, ok bool) {
	first, last := 0.0, 1.0
	delta := spot{b.X - a.X, b.Y - a.Y}
	for _, side := range [4][2]float64{ // the speed towards each side, and the distance to it
		{-delta.X, a.X - area.left}, {delta.X, area.left + area.width - a.X},
		{-delta.Y, a.Y - area.top}, {delta.Y, area.top + area.height - a.Y},
	} {
		speed, way := side[0], side[1]
		switch {
		case speed == 0 && way < 0:
			return spot{}, spot{}, false
		case speed < 0:
			first = max(first, way/speed)
		case speed > 0:
			last = min(last, way/speed)
		}
	}
	if first > last {
		return spot{}, spot{}, false
	}
	return spot{a.X + first*delta.X, a.Y + first*delta.Y}, spot{a.X + last*delta.X, a.Y + last*delta.Y}, true
}

// inside reports whether a point is in a box with its corners in order, in either direction.
func inside(at spot, corners [4]spot) bool {
	in := false
	for i, a := range corners {
		b := corners[(i+1)%4]
		if (a.Y > at.Y) != (b.Y > at.Y) && at.X < a.X+(at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// area returns the area of a box with its corners in order.
func area(corners [4]spot) float64 {
	twice := 0.0
	for i, a := range corners {
		b := corners[(i+1)%4]
		twice += a.X*b.Y - b.X*a.Y
	}
	return max(twice, -twice) / 2
}
