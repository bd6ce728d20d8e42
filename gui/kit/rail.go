package kit

import (
	"strconv"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// RailItem is one destination of the Rail.
type RailItem struct {
	Label string
	Icon  fyne.Resource
	// Bottom puts it at the bottom of the rail.
	Bottom bool
}

// Rail is the navigation at the left of the window: an icon, a word and perhaps a count for each destination. When it has the focus, Up, Down, Home
// and End move the cursor, and Enter or Space selects.
type Rail struct {
	Choice
	items  []RailItem
	badges []int
	cursor int // index of the item that keys act on
	narrow bool
}

// NewRail makes the rail with its first item selected. onSelected is not called for that, and may be nil.
func NewRail(items []RailItem, onSelected func(i int)) *Rail {
	r := &Rail{items: items, badges: make([]int, len(items))}
	labels := make([]string, len(items))
	for i, item := range items {
		labels[i] = item.Label
	}
	r.start(r, labels, onSelected)
	return r
}

// Select selects an item; an index that does not exist is ignored.
func (r *Rail) Select(i int) {
	if i < 0 || i >= len(r.items) {
		return
	}
	r.cursor = i
	if i == r.selected {
		r.Refresh()
		return
	}
	r.Choice.Select(i)
}

// SetNarrow shows the icons alone, for a window with little room, or the words below them too.
func (r *Rail) SetNarrow(narrow bool) {
	if r.narrow != narrow {
		r.narrow = narrow
		r.Refresh()
	}
}

// SetBadge shows a count at an item, or none if it is 0 or less.
func (r *Rail) SetBadge(i, count int) {
	if i < 0 || i >= len(r.items) || r.badges[i] == count {
		return
	}
	r.badges[i] = count
	r.Refresh()
}

// Tapped implements fyne.Tappable.
func (r *Rail) Tapped(e *fyne.PointEvent) { r.Select(r.optionAt(e.Position)) }

// MouseIn implements desktop.Hoverable.
func (r *Rail) MouseIn(e *desktop.MouseEvent) {
	r.Choice.MouseIn(e)
	r.tell(e)
}

// MouseMoved implements desktop.Hoverable.
func (r *Rail) MouseMoved(e *desktop.MouseEvent) {
	before := r.pointed
	if r.Choice.MouseMoved(e); r.pointed != before {
		r.tell(e)
	}
}

// tell has an item without its word say it by a tooltip.
func (r *Rail) tell(e *desktop.MouseEvent) {
	r.HideToolTip()
	r.SetToolTip("")
	if r.narrow && r.pointed >= 0 {
		r.SetToolTip(r.items[r.pointed].Label)
		r.ToolTipWidget.MouseIn(e)
	}
}

// TypedKey implements fyne.Focusable. Keys that mean nothing here are not for the screen beside it.
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

// FocusGained implements fyne.Focusable.
func (r *Rail) FocusGained() {
	r.cursor = r.selected
	r.Choice.FocusGained()
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
	railItemNarrow float32 = 40 // both sides of an item without a word
)

// itemHeight and step are the height of an item, and that from one to the next.
func (r *Rail) itemHeight() float32 {
	if r.narrow {
		return railItemNarrow
	}
	return railItemHeight
}

func (r *Rail) step() float32 { return r.itemHeight() + railStep - railItemHeight }

// railSide is the room on each side of the items.
const railSide = (look.RailWidth - railItemWidth) / 2

// itemWidth is the width of every item.
func (r *Rail) itemWidth() float32 {
	width := railItemWidth
	if r.narrow {
		return railItemNarrow
	}
	for _, item := range r.items {
		words := look.Measure(item.Label, look.Size(look.SizeCaption), look.WeightBold.Style()).Width
		width = max(width, words+2*railItemSide)
	}
	return width
}

// itemTop is the top of an item on a rail of the given height.
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
		return height - railEdge - r.itemHeight() - float32(after)*r.step()
	}
	return railEdge + float32(before)*r.step()
}

// CreateRenderer implements fyne.Widget.
func (r *Rail) CreateRenderer() fyne.WidgetRenderer {
	background, edge := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	objects := []fyne.CanvasObject{background, edge}
	views := make([]*railItemView, len(r.items))
	for i := range r.items {
		views[i] = newRailItemView()
		objects = append(objects, views[i].objects()...)
	}
	layout := func(size fyne.Size) {
		PlaceAt(background, 0, 0, size.Width, size.Height)
		PlaceAt(edge, size.Width-look.Hairline, 0, look.Hairline, size.Height)
		r.areas = r.areas[:0]
		for i, background := range views {
			top := r.itemTop(i, size.Height)
			background.place(railSide, top, r.itemWidth(), r.itemHeight())
			r.areas = append(r.areas, area{0, top, size.Width, r.itemHeight()})
		}
	}
	refresh := func() {
		background.FillColor, edge.FillColor = look.Color(look.ColorSurface), look.Color(look.ColorBorder)
		background.Refresh()
		edge.Refresh()
		for i, background := range views {
			background.paint(r.items[i], r.badges[i], i == r.selected, i == r.pointed, r.ring() && i == r.cursor)
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
			return fyne.NewSize(r.itemWidth()+2*railSide, 2*railEdge+float32(len(r.items))*r.step())
		},
	}
}

// railItemView draws one item of the Rail.
type railItemView struct {
	frame     *frame
	icon      *look.Glyph
	label     *canvas.Text
	badge     *canvas.Rectangle
	badgeText *canvas.Text
}

func newRailItemView() *railItemView {
	return &railItemView{
		frame:     newFrame(look.RadiusControl),
		icon:      look.NewGlyph(),
		label:     &canvas.Text{Alignment: fyne.TextAlignCenter},
		badge:     canvas.NewRectangle(nil),
		badgeText: &canvas.Text{Alignment: fyne.TextAlignCenter},
	}
}

func (f *railItemView) objects() []fyne.CanvasObject {
	return append(f.frame.objects(), f.icon.Raster, f.label, f.badge, f.badgeText)
}

func (f *railItemView) paint(item RailItem, count int, selected, hovered, focused bool) {
	fill, outline, ink, weight := fyne.ThemeColorName(""), fyne.ThemeColorName(""), look.ColorMuted, look.WeightRegular
	switch {
	case selected:
		fill, ink, weight = look.ColorSunk, look.ColorText, look.WeightBold
	case hovered:
		fill, ink = look.ColorHover, look.ColorText
	}
	if focused {
		outline = look.ColorAccent
		if fill != look.ColorSunk {
			fill = look.ColorSurface // opaque, so that the frame's outline does not show through
		}
	}
	f.frame.paint(fill, outline, 2)
	f.icon.Set(look.Tinted(item.Icon, ink))
	paintText(f.label, item.Label, look.SizeCaption, weight, ink)
	f.badge.Hidden, f.badgeText.Hidden = count <= 0, count <= 0
	f.badge.FillColor, f.badgeText.Color = look.Color(look.ColorAccent), look.Color(look.ColorOnAccent)
	look.SetText(f.badgeText, badgeText(count), look.WeightBold.Style())
	f.badgeText.TextSize = 10
	f.badge.Refresh()
	f.badgeText.Refresh()
}

func badgeText(count int) string {
	if count > 99 {
		return "99+"
	}
	return strconv.Itoa(count)
}

func (f *railItemView) place(x, y, width, height float32) {
	f.frame.place(x, y, width, height)
	f.label.Hidden = height < railItemHeight
	icon := y + 8
	if f.label.Hidden {
		icon = y + (height-look.IconSize)/2
	}
	PlaceAt(f.icon.Raster, x+(width-look.IconSize)/2, icon, look.IconSize, look.IconSize)
	PlaceAt(f.label, x, y+30, width, 16)
	w := max(f.badgeText.MinSize().Width+8, 17)
	left := x + width/2 + 14 - w/2
	f.badge.CornerRadius = 7
	PlaceAt(f.badge, left, y+4, w, 14)
	PlaceAt(f.badgeText, left, y+4, w, 14)
}
