package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/results"
)

// filterTabs chooses a part of the inbox; each says how many rows it has. With the focus, left and right choose the next.
type filterTabs struct {
	widget.BaseWidget
	changed  func()
	counts   []int
	selected int
	hovered  int
	focused  bool
}

var (
	_ fyne.Focusable    = (*filterTabs)(nil)
	_ fyne.Tappable     = (*filterTabs)(nil)
	_ desktop.Hoverable = (*filterTabs)(nil)
	_ fyne.Accessible   = (*filterTabs)(nil)
)

func newFilterTabs(changed func()) *filterTabs {
	t := &filterTabs{changed: changed, counts: make([]int, len(Filters())), hovered: -1}
	t.ExtendBaseWidget(t)
	return t
}

// Select chooses a tab.
func (t *filterTabs) Select(i int) {
	if i < 0 || i >= len(t.counts) || i == t.selected {
		return
	}
	t.selected = i
	t.Refresh()
	t.changed()
}

// tabPad is the room at both sides of a tab's words.
const tabPad float32 = 10

// words are a tab's name, and how many rows it has where there is room for that.
func (t *filterTabs) words(i int, counted bool) (name, count string) {
	name = Filters()[i].Words()
	if counted && t.counts[i] > 0 {
		count = results.CountInFull(t.counts[i])
	}
	return name, count
}

// widths are those of the tabs: by the heavier weight, so that nothing moves when another one is selected.
func (t *filterTabs) widths(counted bool) (all []float32, sum float32) {
	for i := range t.counts {
		name, count := t.words(i, counted)
		w := look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width + 2*tabPad
		if count != "" {
			w += look.Measure(count, look.Size(look.SizeText), fyne.TextStyle{}).Width + 1.5*look.Space
		}
		all = append(all, w)
		sum += w
	}
	return all, sum
}

// wide is the width at which every number has room.
func (t *filterTabs) wide() float32 {
	_, sum := t.widths(true)
	return sum
}

func (t *filterTabs) counted() bool { return t.Size().Width >= t.wide() }

func (t *filterTabs) tabAt(x float32) int {
	widths, _ := t.widths(t.counted())
	for i, w := range widths {
		if x < w {
			return i
		}
		x -= w
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (t *filterTabs) Tapped(e *fyne.PointEvent) { t.Select(t.tabAt(e.Position.X)) }

// TypedKey implements fyne.Focusable.
func (t *filterTabs) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyRight:
		t.Select(t.selected + 1)
	case fyne.KeyLeft:
		t.Select(t.selected - 1)
	}
}

// TypedRune implements fyne.Focusable.
func (t *filterTabs) TypedRune(char rune) { kit.PassOn(t, char) }

// FocusGained implements fyne.Focusable.
func (t *filterTabs) FocusGained() { t.focused = true; t.Refresh() }

// FocusLost implements fyne.Focusable.
func (t *filterTabs) FocusLost() { t.focused = false; t.Refresh() }

// MouseIn implements desktop.Hoverable.
func (t *filterTabs) MouseIn(e *desktop.MouseEvent) { t.hover(t.tabAt(e.Position.X)) }

// MouseMoved implements desktop.Hoverable.
func (t *filterTabs) MouseMoved(e *desktop.MouseEvent) { t.hover(t.tabAt(e.Position.X)) }

// MouseOut implements desktop.Hoverable.
func (t *filterTabs) MouseOut() { t.hover(-1) }

func (t *filterTabs) hover(i int) {
	if i == t.hovered {
		return
	}
	t.hovered = i
	t.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (t *filterTabs) AccessibilityLabel() string {
	return i18n.F("Show: %s, %s", Filters()[t.selected].Words(), i18n.Count(t.counts[t.selected]))
}

// AccessibilityRole implements fyne.Accessible.
func (t *filterTabs) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (t *filterTabs) CreateRenderer() fyne.WidgetRenderer {
	r := &tabsRenderer{tabs: t}
	for range t.counts {
		ring, ground := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
		ring.CornerRadius, ground.CornerRadius = look.RadiusControl, look.RadiusControl-2
		name, count := canvas.NewText("", nil), canvas.NewText("", nil)
		r.rings, r.grounds = append(r.rings, ring), append(r.grounds, ground)
		r.names, r.counts = append(r.names, name), append(r.counts, count)
	}
	r.Refresh()
	return r
}

type tabsRenderer struct {
	tabs           *filterTabs
	rings, grounds []*canvas.Rectangle
	names, counts  []*canvas.Text
}

func (r *tabsRenderer) Destroy() {}

func (r *tabsRenderer) Objects() []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for i := range r.names {
		objects = append(objects, r.rings[i], r.grounds[i], r.names[i], r.counts[i])
	}
	return objects
}

func (r *tabsRenderer) MinSize() fyne.Size {
	_, sum := r.tabs.widths(false)
	return fyne.NewSize(sum, look.ControlHeight-1.5*look.Space)
}

func (r *tabsRenderer) Layout(size fyne.Size) {
	t := r.tabs
	counted := t.counted()
	widths, _ := t.widths(counted)
	x := float32(0)
	for i, w := range widths {
		name, count := t.words(i, counted)
		look.SetText(r.names[i], name, r.names[i].TextStyle)
		r.counts[i].Text = count
		r.rings[i].Move(fyne.NewPos(x, 0))
		r.rings[i].Resize(fyne.NewSize(w, size.Height))
		inset := float32(0)
		if !r.rings[i].Hidden {
			inset = 2
		}
		r.grounds[i].Move(fyne.NewPos(x+inset, inset))
		r.grounds[i].Resize(fyne.NewSize(w-2*inset, size.Height-2*inset))
		r.names[i].Move(fyne.NewPos(x+tabPad, 0))
		r.names[i].Resize(fyne.NewSize(r.names[i].MinSize().Width, size.Height))
		n := r.counts[i].MinSize().Width
		r.counts[i].Move(fyne.NewPos(x+w-tabPad-n, 0))
		r.counts[i].Resize(fyne.NewSize(n, size.Height))
		x += w
	}
}

func (r *tabsRenderer) Refresh() {
	t := r.tabs
	for i := range r.names {
		chosen := i == t.selected
		r.rings[i].Hidden = !chosen || !t.focused
		r.rings[i].FillColor = look.Color(look.ColorAccent)
		r.grounds[i].Hidden = !chosen && i != t.hovered
		r.grounds[i].FillColor = look.Color(look.ColorHover)
		style, ink := look.WeightRegular.Style(), look.ColorMuted
		if chosen {
			r.grounds[i].FillColor = look.Color(look.ColorSunk)
			style, ink = look.WeightBold.Style(), look.ColorText
		}
		r.names[i].TextStyle, r.names[i].Color, r.names[i].TextSize = style, look.Color(ink), look.Size(look.SizeText)
		r.counts[i].Color, r.counts[i].TextSize = look.Color(look.ColorMuted), look.Size(look.SizeText)
	}
	r.Layout(t.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
	canvas.Refresh(t)
}
