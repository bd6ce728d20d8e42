package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// SideList is a list of pages under each other, of which one is shown. When it has the focus, up, down, Home and End choose.
type SideList struct {
	widget.BaseWidget
	// OnChanged is called when another one was chosen, by hand or by Select.
	OnChanged func(i int)

	names    []string
	selected int
	hovered  int
	focused  bool
}

var (
	_ fyne.Focusable     = (*SideList)(nil)
	_ fyne.Tappable      = (*SideList)(nil)
	_ desktop.Hoverable  = (*SideList)(nil)
	_ desktop.Cursorable = (*SideList)(nil)
	_ fyne.Accessible    = (*SideList)(nil)
)

const (
	sideListRow  float32 = 36
	sideListSide float32 = 3 * look.Space
)

// NewSideList makes the list with its first page selected, of which onChanged is not told.
func NewSideList(names []string, onChanged func(i int)) *SideList {
	l := &SideList{OnChanged: onChanged, names: names, hovered: -1}
	l.ExtendBaseWidget(l)
	return l
}

// Names returns the pages.
func (l *SideList) Names() []string { return l.names }

// Selected returns the index of the selected page.
func (l *SideList) Selected() int { return l.selected }

// Select selects a page; an index that does not exist is ignored.
func (l *SideList) Select(i int) {
	if i < 0 || i >= len(l.names) || i == l.selected {
		return
	}
	l.selected = i
	l.Refresh()
	if l.OnChanged != nil {
		l.OnChanged(i)
	}
}

// Tapped implements fyne.Tappable.
func (l *SideList) Tapped(e *fyne.PointEvent) { l.Select(l.rowAt(e.Position.Y)) }

// TypedKey implements fyne.Focusable.
func (l *SideList) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		l.Select(l.selected + 1)
	case fyne.KeyUp:
		l.Select(l.selected - 1)
	case fyne.KeyHome:
		l.Select(0)
	case fyne.KeyEnd:
		l.Select(len(l.names) - 1)
	default:
		PassOnKey(l, e)
	}
}

// TypedRune implements fyne.Focusable.
func (l *SideList) TypedRune(char rune) { PassOn(l, char) }

// FocusGained implements fyne.Focusable.
func (l *SideList) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *SideList) FocusLost() { l.focused = false; l.Refresh() }

// MouseIn implements desktop.Hoverable.
func (l *SideList) MouseIn(e *desktop.MouseEvent) { l.hover(l.rowAt(e.Position.Y)) }

// MouseMoved implements desktop.Hoverable.
func (l *SideList) MouseMoved(e *desktop.MouseEvent) { l.hover(l.rowAt(e.Position.Y)) }

// MouseOut implements desktop.Hoverable.
func (l *SideList) MouseOut() { l.hover(-1) }

func (l *SideList) hover(i int) {
	if i != l.hovered {
		l.hovered = i
		l.Refresh()
	}
}

func (l *SideList) rowAt(y float32) int {
	if i := int(y / sideListRow); y >= 0 && i < len(l.names) {
		return i
	}
	return -1
}

// Cursor implements desktop.Cursorable.
func (l *SideList) Cursor() desktop.Cursor {
	if l.hovered >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (l *SideList) AccessibilityLabel() string { return l.names[l.selected] }

// AccessibilityRole implements fyne.Accessible.
func (l *SideList) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (l *SideList) CreateRenderer() fyne.WidgetRenderer {
	rows := make([]*frame, len(l.names))
	words := make([]*canvas.Text, len(l.names))
	r := &renderer{}
	for i := range l.names {
		rows[i], words[i] = newFrame(look.RadiusControl), canvas.NewText("", nil)
		r.objects = append(append(r.objects, rows[i].objects()...), words[i])
	}
	weight := func(i int) look.Weight {
		if i == l.selected {
			return look.WeightBold
		}
		return look.WeightRegular
	}
	r.layout = func(size fyne.Size) {
		for i, name := range l.names {
			y := float32(i) * sideListRow
			rows[i].place(0, y, size.Width, sideListRow)
			style := weight(i).Style()
			look.SetText(words[i], look.Fit(name, size.Width-2*sideListSide, look.Size(look.SizeText), style, look.EllipsisEnd), style)
			place(words[i], sideListSide, y, size.Width-2*sideListSide, sideListRow)
		}
	}
	r.minSize = func() fyne.Size {
		size := fyne.NewSize(0, sideListRow*float32(len(l.names)))
		for _, name := range l.names {
			width := look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width
			size.Width = max(size.Width, width+2*sideListSide)
		}
		return size
	}
	r.refresh = func() {
		for i := range l.names {
			fill, outline, ink := fyne.ThemeColorName(""), fyne.ThemeColorName(""), look.ColorMuted
			switch i {
			case l.selected:
				fill, ink = look.ColorSunk, look.ColorText
			case l.hovered:
				fill, ink = look.ColorHover, look.ColorText
			}
			if i == l.selected && l.focused {
				outline = look.ColorAccent
			}
			rows[i].paint(fill, outline, 2)
			words[i].TextSize, words[i].Color = look.Size(look.SizeText), look.Color(ink)
		}
		r.layout(l.Size())
		for _, w := range words {
			w.Refresh()
		}
		canvas.Refresh(l)
	}
	r.refresh()
	return r
}
