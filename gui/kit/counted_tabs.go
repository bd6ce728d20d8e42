package kit

import (
	"slices"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// CountedTabs choose a part of a list. Each tab shows how many rows its part has, if there is room for the numbers of all of them. Left and right
// choose when it has the focus.
type CountedTabs struct {
	Choice
	counts []int
}

// NewCountedTabs makes tabs without numbers, of which the first is selected. onChanged is not called for that.
func NewCountedTabs(names []string, onChanged func(i int)) *CountedTabs {
	t := &CountedTabs{counts: make([]int, len(names))}
	t.start(t, names, onChanged, fyne.KeyLeft, fyne.KeyRight)
	return t
}

// SetCounts changes the numbers, and reports whether any differs from before.
func (t *CountedTabs) SetCounts(counts []int) (changed bool) {
	if slices.Equal(counts, t.counts) {
		return false
	}
	t.counts = counts
	t.Refresh()
	return true
}

// TypedKey implements fyne.Focusable. Other keys are not for the list below.
func (t *CountedTabs) TypedKey(e *fyne.KeyEvent) {
	if slices.Contains(t.keys, e.Name) {
		t.Choice.TypedKey(e)
	}
}

// Cursor implements desktop.Cursorable.
func (t *CountedTabs) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// AccessibilityLabel implements fyne.Accessible.
func (t *CountedTabs) AccessibilityLabel() string {
	return i18n.F("Show: %s, %s", t.options[t.selected], i18n.Count(t.counts[t.selected]))
}

// WidthWithCounts is the width that all numbers need.
func (t *CountedTabs) WidthWithCounts() float32 { return sum(t.widths(true)) }

// Width is what all tabs need in one line, without numbers.
func (t *CountedTabs) Width() float32 { return sum(t.widths(false)) }

// HeightIn is their height in a width: they take further lines where it has no room for all.
func (t *CountedTabs) HeightIn(width float32) float32 {
	high, x := countedTabHigh, float32(0)
	for _, w := range t.widths(false) {
		if width > 0 && x > 0 && x+w > width {
			x, high = 0, high+countedTabHigh
		}
		x += w
	}
	return high
}

// count is a tab's number in words; "" without a number, or if counted is false.
func (t *CountedTabs) count(i int, counted bool) string {
	if !counted || t.counts[i] <= 0 {
		return ""
	}
	return i18n.Count(t.counts[i])
}

// countedTabSide is the room on both sides of a tab's words, in device-independent pixels, and countedTabHigh the height of a line of tabs.
const (
	countedTabSide float32 = 10
	countedTabHigh float32 = look.ControlHeight - 1.5*look.Space
)

// widths are the tabs' widths in the bold font, so that nothing moves when another tab is selected.
func (t *CountedTabs) widths(counted bool) []float32 {
	all := make([]float32, len(t.options))
	for i, name := range t.options {
		all[i] = look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width + 2*countedTabSide
		if count := t.count(i, counted); count != "" {
			all[i] += look.Measure(count, look.Size(look.SizeText), fyne.TextStyle{}).Width + 1.5*look.Space
		}
	}
	return all
}

func sum(widths []float32) (all float32) {
	for _, w := range widths {
		all += w
	}
	return all
}

// countedTab holds the drawn objects of one tab.
type countedTab struct {
	ring, background *canvas.Rectangle
	name, count      *canvas.Text
}

// CreateRenderer implements fyne.Widget.
func (t *CountedTabs) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{}
	tabs := make([]countedTab, len(t.options))
	for i := range tabs {
		tabs[i] = countedTab{&canvas.Rectangle{CornerRadius: look.RadiusControl}, &canvas.Rectangle{CornerRadius: look.RadiusControl - 2}, &canvas.Text{}, &canvas.Text{}}
		r.objects = append(r.objects, tabs[i].ring, tabs[i].background, tabs[i].name, tabs[i].count)
	}
	r.minSize = func() fyne.Size { return fyne.NewSize(slices.Max(t.widths(false)), t.HeightIn(t.Size().Width)) }
	r.layout = func(size fyne.Size) {
		counted := size.Width >= t.WidthWithCounts()
		t.areas = t.areas[:0]
		x, y, high := float32(0), float32(0), size.Height
		if t.HeightIn(size.Width) > countedTabHigh {
			high = countedTabHigh
		}
		for i, w := range t.widths(counted) {
			tab := tabs[i]
			if x > 0 && x+w > size.Width {
				x, y = 0, y+high
			}
			t.areas = append(t.areas, area{x, y, w, high})
			look.SetText(tab.count, t.count(i, counted), fyne.TextStyle{})
			PlaceAt(tab.ring, x, y, w, high)
			inset := float32(0)
			if tab.ring.Visible() {
				inset = 2
			}
			PlaceAt(tab.background, x+inset, y+inset, w-2*inset, high-2*inset)
			PlaceAt(tab.name, x+countedTabSide, y, tab.name.MinSize().Width, high)
			n := tab.count.MinSize().Width
			PlaceAt(tab.count, x+w-countedTabSide-n, y, n, high)
			x += w
		}
	}
	r.refresh = func() {
		for i, tab := range tabs {
			fill, weight, ink := look.ColorHover, look.WeightRegular, look.ColorMuted
			if i == t.selected {
				fill, weight, ink = look.ColorSunk, look.WeightBold, look.ColorText
			}
			tab.ring.Hidden = i != t.selected || !t.ring()
			tab.ring.FillColor = look.Color(look.ColorAccent)
			tab.background.Hidden = i != t.selected && i != t.pointed
			tab.background.FillColor = look.Color(fill)
			paintText(tab.name, t.options[i], look.SizeText, weight, ink)
			tab.count.Color, tab.count.TextSize = look.Color(look.ColorMuted), look.Size(look.SizeText)
		}
		r.layout(t.Size())
		for _, o := range r.objects {
			o.Refresh()
		}
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}
