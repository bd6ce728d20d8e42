package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// RailItem is one destination of the Rail.
type RailItem struct {
	Label string
	Icon  fyne.Resource
	// Bottom puts it at the foot of the rail.
	Bottom bool
}

// Rail is the navigation at the window's left: an icon, a word and perhaps a count for each destination. When it has the focus,
// up, down, Home and End move along it and Enter or Space selects.
type Rail struct {
	widget.BaseWidget
	// OnSelected is called when another item was chosen, by hand or by Select.
	OnSelected func(i int)

	items    []RailItem
	badges   []int
	selected int
	cursor   int // where the keyboard is
	hovered  int // under the pointer, or -1
	focused  bool
}

var (
	_ fyne.Focusable     = (*Rail)(nil)
	_ fyne.Tappable      = (*Rail)(nil)
	_ desktop.Hoverable  = (*Rail)(nil)
	_ desktop.Cursorable = (*Rail)(nil)
	_ fyne.Accessible    = (*Rail)(nil)
)

// NewRail makes the rail with its first item selected, of which onSelected is not told. It may be nil.
func NewRail(items []RailItem, onSelected func(i int)) *Rail {
	r := &Rail{items: items, badges: make([]int, len(items)), hovered: -1, OnSelected: onSelected}
	r.ExtendBaseWidget(r)
	return r
}

// Selected returns the index of the selected item.
func (r *Rail) Selected() int { return r.selected }

// Select selects an item; an index that does not exist is ignored.
func (r *Rail) Select(i int) {
	if i < 0 || i >= len(r.items) {
		return
	}
	changed := i != r.selected
	r.selected, r.cursor = i, i
	r.Refresh()
	if changed && r.OnSelected != nil {
		r.OnSelected(i)
	}
}

// SetBadge shows a count at an item; none if it is 0 or less.
func (r *Rail) SetBadge(i, count int) {
	if i < 0 || i >= len(r.items) || r.badges[i] == count {
		return
	}
	r.badges[i] = count
	r.Refresh()
}

// Badge returns the count at an item.
func (r *Rail) Badge(i int) int { return r.badges[i] }

// Tapped implements fyne.Tappable.
func (r *Rail) Tapped(e *fyne.PointEvent) { r.Select(r.itemAt(e.Position)) }

// TypedKey implements fyne.Focusable.
func (r *Rail) TypedKey(e *fyne.KeyEvent) {
	last := len(r.items) - 1
	switch e.Name {
	case fyne.KeyDown:
		r.cursor = min(r.cursor+1, last)
	case fyne.KeyUp:
		r.cursor = max(r.cursor-1, 0)
	case fyne.KeyHome:
		r.cursor = 0
	case fyne.KeyEnd:
		r.cursor = max(last, 0)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		r.Select(r.cursor)
		return
	default:
		return
	}
	r.Refresh()
}

// TypedRune implements fyne.Focusable.
func (r *Rail) TypedRune(char rune) { PassOn(r, char) }

// FocusGained implements fyne.Focusable.
func (r *Rail) FocusGained() { r.focused, r.cursor = true, r.selected; r.Refresh() }

// FocusLost implements fyne.Focusable.
func (r *Rail) FocusLost() { r.focused = false; r.Refresh() }

// MouseIn implements desktop.Hoverable.
func (r *Rail) MouseIn(e *desktop.MouseEvent) { r.hover(r.itemAt(e.Position)) }

// MouseMoved implements desktop.Hoverable.
func (r *Rail) MouseMoved(e *desktop.MouseEvent) { r.hover(r.itemAt(e.Position)) }

// MouseOut implements desktop.Hoverable.
func (r *Rail) MouseOut() { r.hover(-1) }

func (r *Rail) hover(i int) {
	if i == r.hovered {
		return
	}
	r.hovered = i
	r.Refresh()
}

// Cursor implements desktop.Cursorable.
func (r *Rail) Cursor() desktop.Cursor {
	if r.hovered >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (r *Rail) AccessibilityLabel() string {
	if len(r.items) == 0 {
		return ""
	}
	label := r.items[r.cursor].Label
	if n := r.badges[r.cursor]; n > 0 {
		label += ", " + i18n.Count(n)
	}
	return label
}

// AccessibilityRole implements fyne.Accessible.
func (r *Rail) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

const (
	railItemWidth  float32 = 60 // at least: it is as wide as its longest word
	railItemSide   float32 = 4  // on each side of a word
	railItemHeight float32 = 52
	railStep       float32 = 56
	railEdge       float32 = 12 // above the first and below the last item
)

// railSide is the room on each side of the items.
const railSide = (look.RailWidth - railItemWidth) / 2

// itemWidth is that of every item.
func (r *Rail) itemWidth() float32 {
	width := railItemWidth
	for _, item := range r.items {
		words := look.Measure(item.Label, look.Size(look.SizeCaption), look.WeightBold.Style()).Width
		width = max(width, words+2*railItemSide)
	}
	return width
}

// itemTop is where an item begins on a rail of the given height.
func (r *Rail) itemTop(i int, height float32) float32 {
	before, after := 0, 0
	for j, item := range r.items {
		if item.Bottom != r.items[i].Bottom {
			continue
		}
		if j < i {
			before++
		} else if j > i {
			after++
		}
	}
	if r.items[i].Bottom {
		return height - railEdge - railItemHeight - float32(after)*railStep
	}
	return railEdge + float32(before)*railStep
}

func (r *Rail) itemAt(p fyne.Position) int {
	for i := range r.items {
		if top := r.itemTop(i, r.Size().Height); p.Y >= top && p.Y < top+railItemHeight {
			return i
		}
	}
	return -1
}

// CreateRenderer implements fyne.Widget.
func (r *Rail) CreateRenderer() fyne.WidgetRenderer {
	ground, edge := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	objects := []fyne.CanvasObject{ground, edge}
	faces := make([]*railFace, len(r.items))
	for i := range r.items {
		faces[i] = newRailFace()
		objects = append(objects, faces[i].objects()...)
	}
	layout := func(size fyne.Size) {
		place(ground, 0, 0, size.Width, size.Height)
		place(edge, size.Width-look.Hairline, 0, look.Hairline, size.Height)
		for i, face := range faces {
			face.place(railSide, r.itemTop(i, size.Height), r.itemWidth())
		}
	}
	refresh := func() {
		ground.FillColor, edge.FillColor = look.Color(look.ColorSurface), look.Color(look.ColorBorder)
		ground.Refresh()
		edge.Refresh()
		for i, face := range faces {
			face.paint(r.items[i], r.badges[i], i == r.selected, i == r.hovered, r.focused && i == r.cursor)
		}
		layout(r.Size())
		canvas.Refresh(r)
	}
	refresh()
	return &renderer{
		objects: objects,
		layout:  layout,
		refresh: refresh,
		minSize: func() fyne.Size {
			return fyne.NewSize(r.itemWidth()+2*railSide, 2*railEdge+float32(len(r.items))*railStep)
		},
	}
}
