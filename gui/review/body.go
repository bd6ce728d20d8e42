package review

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
)

// parts are what the sheet shows.
type parts struct {
	asked   fyne.CanvasObject // the question
	shown   fyne.CanvasObject // what would be sent, and what identifies in it
	sent    fyne.CanvasObject // the table
	choices []*kit.Button
	sample  *sampleView // in shown
}

// body lays the parts out: what would be sent at the left, the question at the right; in a narrow window all in one column. The choices stay in sight below
// what scrolls.
type body struct {
	parts
	object      *fyne.Container
	panel       *canvas.Rectangle // behind what is at the left
	left, right *fyne.Container   // what scrolls
	scrolls     [2]fyne.CanvasObject
	line        fyne.CanvasObject // above the choices
	explain     func()            // called when low has changed

	narrow, low bool
}

func newBody(p parts, explain func()) *body {
	b := &body{parts: p, panel: canvas.NewRectangle(nil), line: kit.NewLine(), explain: explain}
	b.panel.TopLeftCornerRadius, b.panel.BottomLeftCornerRadius = look.RadiusCard, look.RadiusCard
	column := kit.Column{Gap: 4 * look.Space, Grow: -1}
	b.left, b.right = container.New(column, p.shown), container.New(column, p.asked, p.sent)
	for i, content := range []*fyne.Container{b.left, b.right} {
		b.scrolls[i] = kit.NewScroll(container.New(inset(5*look.Space), content))
	}
	b.object = container.New(bodyLayout{b}, b.panel, b.scrolls[0], b.scrolls[1], b.line)
	for _, choice := range p.choices {
		b.object.Add(choice)
	}
	return b
}

// The measures at which the sheet changes.
const (
	sideBySide float32 = 680                               // the least width for both sides, at which a table with two hashes still fits
	explained  float32 = 460                               // the least height at which each choice has a line that explains it
	oneLine    float32 = look.ControlHeight + 2*look.Space // the most height of a choice whose words do not wrap
	twoLines   float32 = oneLine + 6*look.Space            // and of one whose words take two lines
)

// layOut lays the body out again after its content has changed.
func (b *body) layOut() {
	for range 2 { // heights follow from the widths of the first pass
		kit.RelayoutDeep(b.left)
		kit.RelayoutDeep(b.right)
		kit.Relayout(b.object)
	}
	b.object.Refresh()
}

// arrange puts the parts where they belong for a size.
func (b *body) arrange(size fyne.Size) {
	if narrow := size.Width < sideBySide; narrow != b.narrow {
		b.narrow = narrow
		b.left.Objects, b.right.Objects = []fyne.CanvasObject{b.shown}, []fyne.CanvasObject{b.asked, b.sent}
		if narrow {
			b.left.Objects, b.right.Objects = nil, []fyne.CanvasObject{b.asked, b.shown, b.sent}
		}
	}
	if low := size.Height < explained; low != b.low {
		b.low = low
		b.explain()
	}
	b.sample.setHeight(sampleHeight)
	if b.low {
		b.sample.setHeight(sampleHeightLow)
	} else if size.Height >= height-2 {
		b.sample.setHeight(sampleHeightHigh)
	}
	kit.SetVisible(b.panel, !b.narrow)
	kit.SetVisible(b.scrolls[0], !b.narrow)
	b.panel.FillColor = look.Color(look.ColorSunk)
}

type bodyLayout struct{ b *body }

// MinSize implements fyne.Layout: the sheet decides.
func (bodyLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout implements fyne.Layout.
func (l bodyLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const edge, gap = 5 * look.Space, 2 * look.Space
	b := l.b
	if size.Width <= 0 || size.Height <= 0 { // it is not shown yet
		return
	}
	b.arrange(size)
	x := float32(0)
	if !b.narrow {
		x = size.Width * 0.45
		kit.PlaceAt(b.panel, 0, 0, x, size.Height)
		kit.PlaceAt(b.scrolls[0], 0, 0, x, size.Height)
	}
	bottom, room := size.Height-edge, size.Width-x-2*edge
	for _, row := range slices.Backward(b.rows(room, gap)) {
		width, high := rowWidth(room, gap, len(row)), float32(0)
		for _, c := range row {
			high = max(high, kit.WrappedHeight(c, width))
		}
		bottom -= high
		for i, c := range row {
			kit.PlaceAt(c, x+edge+float32(i)*(width+gap), bottom, width, high)
		}
		bottom -= gap
	}
	bottom -= gap
	kit.PlaceAt(b.line, x, bottom, size.Width-x, look.Hairline)
	kit.PlaceAt(b.scrolls[1], x, 0, size.Width-x, max(0, bottom))
}

// rowWidth is the width of each of so many choices side by side.
func rowWidth(room, gap float32, n int) float32 { return (room - float32(n-1)*gap) / float32(n) }

// rows are the choices below each other; in a low window two or three share a row. One that says at length why it can't be chosen has its own row, so that no
// other is as high beside it.
func (b *body) rows(room, gap float32) (rows [][]*kit.Button) {
	var beside []*kit.Button
	flush := func() {
		columns := 2
		if len(beside) == 3 && !slices.ContainsFunc(beside, func(c *kit.Button) bool { return kit.WrappedHeight(c, rowWidth(room, gap, 3)) > oneLine }) {
			columns = 3
		}
		rows = slices.AppendSeq(rows, slices.Chunk(beside, columns))
		beside = nil
	}
	for _, c := range b.choices {
		switch {
		case !c.Visible():
		case b.low && kit.WrappedHeight(c, rowWidth(room, gap, 2)) <= twoLines:
			beside = append(beside, c)
		default:
			flush()
			rows = append(rows, []*kit.Button{c})
		}
	}
	flush()
	return rows
}

// inset is a layout with room around its object, whose height follows from the width of the last layout.
type inset float32

// Layout implements fyne.Layout.
func (i inset) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.PlaceAt(objects[0], float32(i), float32(i), size.Width-2*float32(i), max(0, size.Height-2*float32(i)))
}

// MinSize implements fyne.Layout.
func (i inset) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height+2*float32(i))
}
