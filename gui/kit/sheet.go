package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/look"
)

// SheetContent is what a Sheet shows.
type SheetContent struct {
	Title   string            // "": the body has its own
	Body    fyne.CanvasObject // scrolls if the window is too low; wraps at the sheet's width
	Left    fyne.CanvasObject // to the left of the buttons, such as a sentence; nil for nothing
	Buttons []*Button         // at the bottom, from left to right
	First   fyne.Focusable    // focused at first; nil: the last of the buttons
	Width   float32           // at most; 0: 560
	// Height is of a body that fills the card and scrolls by itself: as much of it as the window has room for, whatever is in it. Title, Left and Buttons are
	// not shown then. 0: the sheet is as high as its content.
	Height float32
	// TypedKey and TypedRune get keys that no control of the sheet uses, before Escape closes it; they may be nil.
	TypedKey  func(*fyne.KeyEvent) (taken bool)
	TypedRune func(rune) (taken bool)
	Closed    func() // called after the sheet was closed in any way; may be nil
}

// Sheet covers the window until it is closed by one of its buttons or Escape. Meanwhile nothing below it can be clicked or typed into; afterwards the
// focus goes back to what had it. Each window has one. It must be used on the UI thread. Nothing in it shows tooltips, so let long texts wrap.
type Sheet struct {
	canvas  fyne.Canvas
	content SheetContent
	layer   *sheetLayer // nil while it is not shown
}

// NewSheet makes the sheet of a window's canvas, closed.
func NewSheet(c fyne.Canvas) *Sheet { return &Sheet{canvas: c} }

// Canvas returns the window's canvas, which the sheet covers.
func (s *Sheet) Canvas() fyne.Canvas { return s.canvas }

// Open reports whether it is shown.
func (s *Sheet) Open() bool { return s.layer != nil }

// Foremost reports whether it is shown with nothing over it, such as a menu or a dialog for files.
func (s *Sheet) Foremost() bool {
	return s.layer != nil && s.canvas.Overlays().Top() == fyne.CanvasObject(s.layer)
}

// Show opens the sheet with some content, or replaces its content.
func (s *Sheet) Show(c SheetContent) {
	s.Close()
	s.content, s.layer = c, newSheetLayer(c)
	s.canvas.Overlays().Add(s.layer)
	first := c.First
	if first == nil && len(c.Buttons) > 0 {
		first = c.Buttons[len(c.Buttons)-1]
	}
	if first != nil {
		s.canvas.Focus(first)
	}
}

// OnClosed replaces the function that is called after the sheet was closed in any way.
func (s *Sheet) OnClosed(closed func()) { s.content.Closed = closed }

// Close closes the sheet, if it is open.
func (s *Sheet) Close() {
	if s.layer == nil {
		return
	}
	layer, closed := s.layer, s.content.Closed
	s.layer, s.content = nil, SheetContent{}
	s.canvas.Overlays().Remove(layer)
	if closed != nil {
		closed()
	}
}

// Refit lays the sheet out again after the height of its content has changed.
func (s *Sheet) Refit() {
	if s.layer != nil {
		s.layer.Refresh()
	}
}

// TypedKey handles a key that nothing else uses; the window calls it while the sheet is open.
func (s *Sheet) TypedKey(e *fyne.KeyEvent) {
	switch {
	case s.layer == nil:
	case s.content.TypedKey != nil && s.content.TypedKey(e):
	case e.Name == fyne.KeyEscape:
		s.Close()
	}
}

// TypedRune handles a character that nothing else uses; the window calls it while the sheet is open.
func (s *Sheet) TypedRune(r rune) {
	if s.layer != nil && s.content.TypedRune != nil {
		s.content.TypedRune(r)
	}
}

// Ask shows a question, and calls do if it is answered with the button yes. Escape and Cancel close it without; Cancel has the focus at first.
func (s *Sheet) Ask(title, text, yes string, do func()) {
	cancel := NewButton(Plain, i18n.T("Cancel"), nil, s.Close)
	s.Show(SheetContent{
		Title: title,
		Body:  NewParagraph(text, TextStyle{}),
		Buttons: []*Button{cancel, NewButton(Primary, yes, nil, func() {
			s.Close()
			do()
		})},
		First: cancel,
		Width: 480,
	})
}

// sheetLayer is an open sheet: the layer that dims the window, and the card in its middle.
type sheetLayer struct {
	widget.BaseWidget
	width  float32
	height float32           // of own; 0 where there is none
	own    fyne.CanvasObject // a body that fills the card; else nil
	dim    *canvas.Rectangle
	card   *Card
	title  *Paragraph
	body   *fyne.Container // the content of the scroll
	scroll fyne.CanvasObject
	lines  [2]fyne.CanvasObject // above and below the body, while it scrolls
	foot   *fyne.Container
}

// The measures of a sheet.
const (
	sheetWidth float32 = 560
	SheetEdge  float32 = 6 * look.Space // between the card and the window's edge, at least
	SheetPad   float32 = 6 * look.Space
	SheetGap   float32 = 2 * look.Space // around the scroll
	SheetInset float32 = 2 * look.Space // above and below the body, within the scroll
)

// dimmed lies over the window below a sheet.
var dimmed = color.NRGBA{A: 0x73}

func newSheetLayer(c SheetContent) *sheetLayer {
	if c.Height > 0 {
		l := &sheetLayer{width: c.Width, height: c.Height, own: c.Body, dim: canvas.NewRectangle(dimmed), card: NewCard(container.NewWithoutLayout())}
		l.ExtendBaseWidget(l)
		return l
	}
	l := &sheetLayer{
		width: c.Width,
		dim:   canvas.NewRectangle(dimmed),
		card:  NewCard(container.NewWithoutLayout()),
		title: NewParagraph(c.Title, TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		body:  container.New(layout.NewCustomPaddedLayout(SheetInset, SheetInset, SheetPad, SheetPad), c.Body),
		foot:  container.New(&ButtonRows{Left: c.Left != nil}),
		lines: [2]fyne.CanvasObject{NewLine(), NewLine()},
	}
	if l.width == 0 {
		l.width = sheetWidth
	}
	SetVisible(l.title, c.Title != "")
	if c.Left != nil {
		l.foot.Add(c.Left)
	}
	for _, b := range c.Buttons {
		l.foot.Add(b)
	}
	l.scroll = NewScroll(l.body)
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *sheetLayer) CreateRenderer() fyne.WidgetRenderer { return &sheetRenderer{layer: l} }

type sheetRenderer struct{ layer *sheetLayer }

func (r *sheetRenderer) Destroy() {}

func (r *sheetRenderer) Objects() []fyne.CanvasObject {
	l := r.layer
	if l.own != nil {
		return []fyne.CanvasObject{l.dim, l.card, l.own}
	}
	return []fyne.CanvasObject{l.dim, l.card, l.title, l.scroll, l.lines[0], l.lines[1], l.foot}
}

// MinSize implements fyne.WidgetRenderer. It is zero: the window decides.
func (r *sheetRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *sheetRenderer) Layout(size fyne.Size) {
	l := r.layer
	l.dim.Resize(size)
	width := min(l.width, size.Width-2*SheetEdge)
	if l.own != nil {
		height := min(l.height, size.Height-2*SheetEdge)
		x, y := (size.Width-width)/2, (size.Height-height)/2
		PlaceAt(l.card, x, y, width, height)
		PlaceAt(l.own, x+look.Hairline, y+look.Hairline, width-2*look.Hairline, height-2*look.Hairline)
		return
	}
	inner := width - 2*SheetPad
	title := WrappedHeight(l.title, inner)
	if !l.title.Visible() {
		title = -SheetGap // the body begins at the edge
	}
	foot := WrappedHeight(l.foot, inner)
	if len(l.foot.Objects) > 0 {
		foot += SheetGap
	}
	body := WrappedHeight(l.body, width)
	most := max(0, size.Height-2*SheetEdge-2*SheetPad-title-SheetGap-foot)
	scrolled := body > most
	body = min(body, most)
	height := SheetPad + title + SheetGap + body + foot + SheetPad
	x, y := (size.Width-width)/2, max(SheetEdge, (size.Height-height)/2)
	PlaceAt(l.card, x, y, width, height)
	PlaceAt(l.title, x+SheetPad, y+SheetPad, inner, title)
	top := y + SheetPad + title + SheetGap
	PlaceAt(l.scroll, x, top, width, body)
	for i, line := range l.lines {
		SetVisible(line, scrolled)
		PlaceAt(line, x, top+float32(i)*body, width, look.Hairline)
	}
	PlaceAt(l.foot, x+SheetPad, top+body+SheetGap, inner, max(0, foot-SheetGap))
}

// Refresh lays out twice, since the heights of wrapping texts follow from the widths of the first pass.
func (r *sheetRenderer) Refresh() {
	for range 2 {
		r.Layout(r.layer.Size())
	}
	for _, o := range r.Objects() {
		o.Refresh()
	}
	canvas.Refresh(r.layer)
}

// ButtonRows lays buttons out side by side at the right, and in further lines when the width ends. If Left is set, the first object is at the left,
// or above the buttons if there is too little room.
type ButtonRows struct {
	Left  bool
	width float32
}

const buttonRowsGap float32 = 2 * look.Space

// Layout implements fyne.Layout.
func (f *ButtonRows) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.each(objects, PlaceAt)
}

// MinSize implements fyne.Layout.
func (f *ButtonRows) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, f.each(objects, func(fyne.CanvasObject, float32, float32, float32, float32) {}))
}

// each places all visible objects, and returns their height together.
func (f *ButtonRows) each(objects []fyne.CanvasObject, place func(o fyne.CanvasObject, x, y, width, height float32)) float32 {
	buttons, y := objects, float32(0)
	if f.Left && len(objects) > 0 {
		buttons = objects[1:]
		if left := objects[0]; left.Visible() {
			room := f.width - rowWidth(buttons) - buttonRowsGap
			height := left.MinSize().Height
			if room >= 160 {
				place(left, 0, max(0, (look.ControlHeight-height)/2), room, height)
				return max(height, f.rows(buttons, 0, place))
			}
			place(left, 0, 0, f.width, height)
			y = height + buttonRowsGap
		}
	}
	return f.rows(buttons, y, place)
}

// rows places the buttons from y on, and returns where they end.
func (f *ButtonRows) rows(buttons []fyne.CanvasObject, y float32, place func(o fyne.CanvasObject, x, y, width, height float32)) float32 {
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
			x += minimum.Width + buttonRowsGap
			high = max(high, minimum.Height)
		}
		if high > 0 {
			end = y + high
			y = end + buttonRowsGap
		}
		buttons = buttons[n:]
	}
	return end
}

// rowWidth is the width of objects side by side.
func rowWidth(objects []fyne.CanvasObject) (width float32) {
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		if width > 0 {
			width += buttonRowsGap
		}
		width += o.MinSize().Width
	}
	return width
}
