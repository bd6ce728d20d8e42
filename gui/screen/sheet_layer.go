package screen

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
)

// sheetLayer is an open sheet: what dims the window, and the card in its middle.
type sheetLayer struct {
	widget.BaseWidget
	width  float32
	dim    *canvas.Rectangle
	card   *kit.Card
	title  *kit.Paragraph
	body   *fyne.Container // what is scrolled
	scroll fyne.CanvasObject
	lines  [2]fyne.CanvasObject // above and below what is scrolled, where it is
	foot   *fyne.Container
}

const (
	sheetWidth float32 = 560
	sheetEdge  float32 = 6 * look.Space // between the card and the window's edge, at least
	sheetPad   float32 = 6 * look.Space
	sheetGap   float32 = 2 * look.Space // round what is scrolled, beside its own inset
	sheetInset float32 = 2 * look.Space // above and below the body, within what is scrolled
)

func newSheetLayer(c SheetContent) *sheetLayer {
	l := &sheetLayer{
		width: c.Width,
		dim:   canvas.NewRectangle(color.NRGBA{A: 0x73}),
		card:  kit.NewCard(container.NewWithoutLayout()),
		title: kit.NewParagraph(c.Title, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		body:  container.New(layout.NewCustomPaddedLayout(sheetInset, sheetInset, sheetPad, sheetPad), c.Body),
		foot:  container.New(&sheetFoot{left: c.Left != nil}),
		lines: [2]fyne.CanvasObject{newLine(), newLine()},
	}
	if l.width == 0 {
		l.width = sheetWidth
	}
	if c.Left != nil {
		l.foot.Add(c.Left)
	}
	for _, b := range c.Buttons {
		l.foot.Add(b)
	}
	l.scroll = kit.NewScroll(l.body)
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *sheetLayer) CreateRenderer() fyne.WidgetRenderer { return &sheetRenderer{layer: l} }

type sheetRenderer struct{ layer *sheetLayer }

func (r *sheetRenderer) Destroy() {}

func (r *sheetRenderer) Objects() []fyne.CanvasObject {
	l := r.layer
	return []fyne.CanvasObject{l.dim, l.card, l.title, l.scroll, l.lines[0], l.lines[1], l.foot}
}

// MinSize asks for nothing: the window decides.
func (r *sheetRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *sheetRenderer) Layout(size fyne.Size) {
	l := r.layer
	l.dim.Resize(size)
	width := min(l.width, size.Width-2*sheetEdge)
	inner := width - 2*sheetPad
	title := wrappedHeight(l.title, inner)
	foot := wrappedHeight(l.foot, inner)
	if len(l.foot.Objects) > 0 {
		foot += sheetGap
	}
	body := wrappedHeight(l.body, width)
	most := max(0, size.Height-2*sheetEdge-2*sheetPad-title-sheetGap-foot)
	scrolled := body > most
	body = min(body, most)
	height := sheetPad + title + sheetGap + body + foot + sheetPad
	x, y := (size.Width-width)/2, max(sheetEdge, (size.Height-height)/2)
	placeAt(l.card, x, y, width, height)
	placeAt(l.title, x+sheetPad, y+sheetPad, inner, title)
	top := y + sheetPad + title + sheetGap
	placeAt(l.scroll, x, top, width, body)
	for i, line := range l.lines {
		show(line, scrolled)
		placeAt(line, x, top+float32(i)*body, width, look.Hairline)
	}
	placeAt(l.foot, x+sheetPad, top+body+sheetGap, inner, max(0, foot-sheetGap))
}

// Refresh lays out twice: heights of wrapping texts follow from the widths of the first pass.
func (r *sheetRenderer) Refresh() {
	for range 2 {
		r.Layout(r.layer.Size())
	}
	for _, o := range r.Objects() {
		o.Refresh()
	}
	canvas.Refresh(r.layer)
}

// wrappedHeight is how high an object that wraps is at a width.
func wrappedHeight(o fyne.CanvasObject, width float32) float32 {
	for range 2 { // what is nested knows its width only after the first
		o.Resize(fyne.NewSize(width, o.MinSize().Height))
	}
	return o.MinSize().Height
}

func placeAt(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}

// sheetFoot lays buttons out side by side at the right, in further lines where the width ends; left says that the first object
// stands at the left of them, or above them where it has no room.
type sheetFoot struct {
	left  bool
	width float32
}

const sheetFootGap float32 = 2 * look.Space

// Layout implements fyne.Layout.
func (f *sheetFoot) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.each(objects, placeAt)
}

// MinSize implements fyne.Layout.
func (f *sheetFoot) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, f.each(objects, func(fyne.CanvasObject, float32, float32, float32, float32) {}))
}

// each places every visible object, and returns how high they are together.
func (f *sheetFoot) each(objects []fyne.CanvasObject, place func(o fyne.CanvasObject, x, y, width, height float32)) float32 {
	buttons, y := objects, float32(0)
	if f.left && len(objects) > 0 {
		buttons = objects[1:]
		if left := objects[0]; left.Visible() {
			room := f.width - rowWidth(buttons) - sheetFootGap
			height := left.MinSize().Height
			if room >= 160 {
				place(left, 0, max(0, (look.ControlHeight-height)/2), room, height)
				return max(height, f.rows(buttons, 0, place))
			}
			place(left, 0, 0, f.width, height)
			y = height + sheetFootGap
		}
	}
	return f.rows(buttons, y, place)
}

// rows places the buttons from y on, and returns where they end.
func (f *sheetFoot) rows(buttons []fyne.CanvasObject, y float32, place func(o fyne.CanvasObject, x, y, width, height float32)) float32 {
	end := y
	for len(buttons) > 0 {
		n := 1
		for n < len(buttons) && rowWidth(buttons[:n+1]) <= f.width {
			n++
		}
		x, high := f.width-rowWidth(buttons[:n]), float32(0)
		for _, b := range buttons[:n] {
			if !b.Visible() {
				continue
			}
			minimum := b.MinSize()
			place(b, x, y, minimum.Width, minimum.Height)
			x += minimum.Width + sheetFootGap
			high = max(high, minimum.Height)
		}
		if high > 0 {
			end = y + high
			y = end + sheetFootGap
		}
		buttons = buttons[n:]
	}
	return end
}

// rowWidth is how wide objects are side by side.
func rowWidth(objects []fyne.CanvasObject) (width float32) {
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		if width > 0 {
			width += sheetFootGap
		}
		width += o.MinSize().Width
	}
	return width
}
