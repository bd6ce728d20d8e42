package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Tabs is a row of words of which one is underlined: the one whose page is shown. When it has the focus, left and right choose.
type Tabs struct {
	widget.BaseWidget
	// OnChanged is called when another tab was chosen, by hand or by Select.
	OnChanged func(i int)

	names    []string
	selected int
	hovered  int
	focused  bool
}

var (
	_ fyne.Focusable     = (*Tabs)(nil)
	_ fyne.Tappable      = (*Tabs)(nil)
	_ desktop.Hoverable  = (*Tabs)(nil)
	_ desktop.Cursorable = (*Tabs)(nil)
	_ fyne.Accessible    = (*Tabs)(nil)
)

const (
	tabGap    float32 = 26
	tabHeight float32 = 34
	tabLine   float32 = 2
)

// NewTabs makes the row with its first tab selected, of which onChanged is not told.
func NewTabs(names []string, onChanged func(i int)) *Tabs {
	t := &Tabs{OnChanged: onChanged, names: names, hovered: -1}
	t.ExtendBaseWidget(t)
	return t
}

// SetNames replaces the tabs and selects one, without telling OnChanged.
func (t *Tabs) SetNames(names []string, selected int) {
	t.names, t.selected, t.hovered = names, min(max(selected, 0), max(len(names)-1, 0)), -1
	t.Refresh()
}

// Names returns the tabs.
func (t *Tabs) Names() []string { return t.names }

// Selected returns the index of the selected tab.
func (t *Tabs) Selected() int { return t.selected }

// Select selects a tab; an index that does not exist is ignored.
func (t *Tabs) Select(i int) {
	if i < 0 || i >= len(t.names) || i == t.selected {
		return
	}
	t.selected = i
	t.Refresh()
	if t.OnChanged != nil {
		t.OnChanged(i)
	}
}

// Tapped implements fyne.Tappable.
func (t *Tabs) Tapped(e *fyne.PointEvent) { t.Select(t.tabAt(e.Position.X)) }

// TypedKey implements fyne.Focusable.
func (t *Tabs) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyRight, fyne.KeyDown:
		t.Select(t.selected + 1)
	case fyne.KeyLeft, fyne.KeyUp:
		t.Select(t.selected - 1)
	case fyne.KeyHome:
		t.Select(0)
	case fyne.KeyEnd:
		t.Select(len(t.names) - 1)
	default:
		PassOnKey(t, e)
	}
}

// TypedRune implements fyne.Focusable.
func (t *Tabs) TypedRune(char rune) { PassOn(t, char) }

// FocusGained implements fyne.Focusable.
func (t *Tabs) FocusGained() { t.focused = true; t.Refresh() }

// FocusLost implements fyne.Focusable.
func (t *Tabs) FocusLost() { t.focused = false; t.Refresh() }

// MouseIn implements desktop.Hoverable.
func (t *Tabs) MouseIn(e *desktop.MouseEvent) { t.hover(t.tabAt(e.Position.X)) }

// MouseMoved implements desktop.Hoverable.
func (t *Tabs) MouseMoved(e *desktop.MouseEvent) { t.hover(t.tabAt(e.Position.X)) }

// MouseOut implements desktop.Hoverable.
func (t *Tabs) MouseOut() { t.hover(-1) }

func (t *Tabs) hover(i int) {
	if i != t.hovered {
		t.hovered = i
		t.Refresh()
	}
}

// Cursor implements desktop.Cursorable.
func (t *Tabs) Cursor() desktop.Cursor {
	if t.hovered >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Tabs) AccessibilityLabel() string {
	if len(t.names) == 0 {
		return ""
	}
	return t.names[t.selected]
}

// AccessibilityRole implements fyne.Accessible.
func (t *Tabs) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// tabWidth is that of the heavier weight, so that nothing moves when another is selected.
func tabWidth(name string) float32 {
	return look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width
}

func (t *Tabs) tabAt(x float32) int {
	left := -tabGap / 2
	for i, name := range t.names {
		right := left + tabWidth(name) + tabGap
		if x >= left && x < right {
			return i
		}
		left = right
	}
	return -1
}

// CreateRenderer implements fyne.Widget.
func (t *Tabs) CreateRenderer() fyne.WidgetRenderer {
	ring := newFrame(look.RadiusControl)
	line := canvas.NewRectangle(nil)
	r := &renderer{}
	var labels []*canvas.Text
	r.layout = func(size fyne.Size) {
		x := float32(0)
		for i, name := range t.names {
			w := tabWidth(name)
			place(labels[i], x, 0, w, size.Height-tabLine)
			if i == t.selected {
				place(line, x, size.Height-tabLine, w, tabLine)
				ring.place(x-6, 3, w+12, size.Height-tabLine-6)
			}
			x += w + tabGap
		}
	}
	r.minSize = func() fyne.Size {
		width := float32(0)
		for _, name := range t.names {
			width += tabWidth(name) + tabGap
		}
		return fyne.NewSize(max(0, width-tabGap), tabHeight)
	}
	r.refresh = func() {
		for len(labels) < len(t.names) {
			labels = append(labels, &canvas.Text{})
		}
		labels = labels[:len(t.names)]
		r.objects = append(ring.objects(), line)
		ring.paint("", "", 0)
		if t.focused {
			ring.paint(look.ColorBackground, look.ColorAccent, 2)
		}
		line.FillColor = look.Color(look.ColorAccent)
		line.Hidden = len(t.names) == 0
		for i, name := range t.names {
			ink, weight := look.ColorMuted, look.WeightRegular
			switch i {
			case t.selected:
				ink, weight = look.ColorText, look.WeightBold
			case t.hovered:
				ink = look.ColorText
			}
			label := labels[i]
			look.SetText(label, name, weight.Style())
			label.TextSize, label.Color = look.Size(look.SizeText), look.Color(ink)
			label.Refresh()
			r.objects = append(r.objects, label)
		}
		line.Refresh()
		r.layout(t.Size())
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}
