package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// The measures of rows in lists.
const (
	RowThumb float32 = 40
	RowSign  float32 = 16
	RowCheck float32 = 16
	RowEdge  float32 = 4 * look.Space
	RowGap   float32 = 3 * look.Space
)

// Row is the core of a widget that shows a row of a Table: it marks the row at the cursor, selected rows and the row under the pointer. A widget
// embeds it, calls StartRow with itself, and draws its parts by DrawRow.
type Row struct {
	widget.BaseWidget
	ring          *Fill // of the row at the cursor; plain or picked covers all of it but the edge
	plain, picked *Fill
	hover         *Fill
}

var _ desktop.Hoverable = (*Row)(nil)

// StartRow initialises the row for the widget w that embeds it.
func (r *Row) StartRow(w fyne.Widget) {
	r.ring, r.plain, r.picked, r.hover = NewFill(look.ColorAccent), NewFill(look.ColorSurface), NewFill(look.ColorSunk), NewFill(look.ColorHover)
	r.hover.Hide()
	r.ExtendBaseWidget(w)
}

// Mark shows whether keys act on the row, and whether it is selected. Lay out the row again afterwards.
func (r *Row) Mark(cursor, selected bool) {
	SetVisible(r.ring, cursor)
	SetVisible(r.plain, cursor && !selected)
	SetVisible(r.picked, selected)
}

// MouseIn implements desktop.Hoverable.
func (r *Row) MouseIn(*desktop.MouseEvent) { r.hover.Show() }

// MouseMoved implements desktop.Hoverable.
func (r *Row) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (r *Row) MouseOut() { r.hover.Hide() }

// AccessibilityRole implements fyne.Accessible. The widget that embeds the row adds AccessibilityLabel.
func (r *Row) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// PlaceRow lays out the row's marks.
func (r *Row) PlaceRow(size fyne.Size) {
	const ring = 2
	r.ring.Resize(size)
	r.hover.Resize(size)
	inset := float32(0)
	if r.ring.Visible() {
		inset = ring
	}
	for _, middle := range []*Fill{r.plain, r.picked} {
		PlaceAt(middle, inset, inset, size.Width-2*inset, size.Height-2*inset)
	}
}

// DrawRow returns a renderer for the row's marks and, on top of them, its parts, which place lays out.
func (r *Row) DrawRow(least fyne.Size, place func(size fyne.Size), parts ...fyne.CanvasObject) fyne.WidgetRenderer {
	return NewRenderer(append([]fyne.CanvasObject{r.ring, r.plain, r.picked, r.hover}, parts...), least, place, func() { place(r.Size()) })
}

// NewRenderer makes a renderer that draws a widget's parts in their order. The widget is at least as large as least. layout places the parts; refresh
// reads texts and colours again and places the parts too, and all of them are drawn again after it.
func NewRenderer(parts []fyne.CanvasObject, least fyne.Size, layout func(size fyne.Size), refresh func()) fyne.WidgetRenderer {
	return &renderer{objects: parts, layout: layout, minSize: func() fyne.Size { return least }, refresh: func() {
		refresh()
		for _, o := range parts {
			o.Refresh()
		}
	}}
}

// PlaceInRow places an object vertically in the middle of a row.
func PlaceInRow(o fyne.CanvasObject, x, rowHeight, width, height float32) {
	o.Move(fyne.NewPos(x, (rowHeight-height)/2))
	o.Resize(fyne.NewSize(width, height))
}

// StackLines places lines below each other, vertically in the middle of a height; an empty text takes no room.
func StackLines(x, width, height float32, lines ...fyne.CanvasObject) {
	total := float32(0)
	for _, l := range lines {
		total += LineHeight(l)
	}
	y := (height - total) / 2
	for _, l := range lines {
		l.Move(fyne.NewPos(x, y))
		l.Resize(fyne.NewSize(width, l.MinSize().Height))
		y += LineHeight(l)
	}
}

// LineHeight is the height of an object as a line; an empty text has none.
func LineHeight(o fyne.CanvasObject) float32 {
	if text, ok := o.(*Text); ok && text.Text() == "" {
		return 0
	}
	return o.MinSize().Height
}
