package tree

import (
	"math"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/jsontree"
	"assay/gui/kit"
)

const (
	rowHeight = 24
	barWidth  = 12 // where the scroll bar can be dragged
)

// rows shows an outline, with objects only for what is in sight. Its position is counted in rows, so that millions scroll as exactly as ten.
type rows struct {
	widget.BaseWidget
	// onChosen is called when another row is chosen. onRune and onShortcut are called first and report whether they used it. Each may be nil.
	onChosen   func()
	onRune     func(r rune) bool
	onShortcut func(s fyne.Shortcut) bool

	name     string // name of the whole document
	document *jsontree.Document
	outline  *jsontree.Outline
	matches  []jsontree.Node // of the search, in order
	marked   int             // Start of the value that was revealed, -1 for none

	top      float64 // number of rows above the visible part
	chosen   int
	hovered  int
	focused  bool
	dragging bool
}

var (
	_ fyne.Focusable    = (*rows)(nil)
	_ fyne.Tappable     = (*rows)(nil)
	_ fyne.Scrollable   = (*rows)(nil)
	_ fyne.Draggable    = (*rows)(nil)
	_ fyne.Shortcutable = (*rows)(nil)
	_ desktop.Hoverable = (*rows)(nil)
	_ fyne.Accessible   = (*rows)(nil)
)

func newRows() *rows {
	r := &rows{hovered: -1, marked: -1}
	r.ExtendBaseWidget(r)
	return r
}

// set shows another document from its top; nil for none.
func (r *rows) set(name string, d *jsontree.Document) {
	r.name, r.document, r.outline, r.matches = name, d, nil, nil
	r.top, r.chosen, r.hovered, r.marked = 0, 0, -1, -1
	if d != nil {
		r.outline = jsontree.NewOutline(d)
	}
	r.Refresh()
}

func (r *rows) length() int {
	if r.outline == nil {
		return 0
	}
	return r.outline.Len()
}

// inSight is the number of rows in sight.
func (r *rows) inSight() float64 { return float64(r.Size().Height) / rowHeight }

// page is the number of rows of a page.
func (r *rows) page() int { return max(1, int(r.inSight())-1) }

func (r *rows) scrollTo(top float64) {
	r.top = max(0, min(top, float64(r.length())-r.inSight()))
	r.Refresh()
}

// choose chooses a row and scrolls it into sight.
func (r *rows) choose(i int) {
	if r.length() == 0 {
		return
	}
	r.chosen = max(0, min(i, r.length()-1))
	r.bring(r.chosen)
	if r.onChosen != nil {
		r.onChosen()
	}
}

// bring scrolls as little as possible to bring a row into sight.
func (r *rows) bring(i int) {
	r.scrollTo(min(max(r.top, float64(i+1)-r.inSight()), float64(i)))
}

// reveal opens the parents of a value, chooses and marks it, and shows some rows above it.
func (r *rows) reveal(trail []jsontree.Step) bool {
	if r.outline == nil {
		return false
	}
	row, ok := r.outline.Reveal(trail)
	if !ok {
		return false
	}
	r.marked = trail[len(trail)-1].Node.Start
	if float64(row) < r.top || float64(row+1) > r.top+r.inSight() {
		r.scrollTo(float64(row) - math.Floor(r.inSight()/3))
	}
	r.choose(row)
	return true
}

func (r *rows) chosenRow() jsontree.Row {
	if r.outline == nil {
		return jsontree.Row{}
	}
	return r.outline.Row(r.chosen)
}

// toggle opens or closes a row; what is in sight does not move.
func (r *rows) toggle(i int) {
	grown := r.outline.Toggle(i)
	chosen := r.chosen
	switch {
	case chosen > i && grown < 0 && chosen <= i-grown:
		chosen = i // it was within what closed
	case chosen > i:
		chosen += grown
	}
	r.scrollTo(r.top)
	if chosen != r.chosen {
		r.chosen = chosen
		if r.onChosen != nil {
			r.onChosen()
		}
	}
}

// isMatch reports whether a value is a match of the search.
func (r *rows) isMatch(n jsontree.Node) bool {
	i := sort.Search(len(r.matches), func(i int) bool { return r.matches[i].Start >= n.Start })
	return i < len(r.matches) && r.matches[i].Start == n.Start
}

// matchAt is the index of the chosen match, -1 if the chosen row is none.
func (r *rows) matchAt() int {
	n := r.chosenRow().Node
	if n.Kind == jsontree.None {
		return -1
	}
	i, found := slices.BinarySearchFunc(r.matches, n.Start, func(m jsontree.Node, start int) int { return m.Start - start })
	if !found {
		return -1
	}
	return i
}

// rowAt is the index of the row at a height, -1 if there is none.
func (r *rows) rowAt(y float32) int {
	i := int(math.Floor(r.top + float64(y)/rowHeight))
	if i < 0 || i >= r.length() {
		return -1
	}
	return i
}

// Tapped implements fyne.Tappable: the triangle or a second click opens or closes; a click beside the scroll bar's thumb scrolls by a page.
func (r *rows) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(r); c != nil {
		c.Focus(r)
	}
	if at, size, ok := r.bar(); ok && e.Position.X > r.Size().Width-barWidth {
		switch {
		case e.Position.Y < at:
			r.scrollTo(r.top - float64(r.page()))
		case e.Position.Y > at+size:
			r.scrollTo(r.top + float64(r.page()))
		}
		return
	}
	i := r.rowAt(e.Position.Y)
	if i < 0 {
		return
	}
	again := i == r.chosen
	r.choose(i)
	left := indentOf(r.outline.Row(i).Depth, r.Size().Width)
	if again || e.Position.X >= left && e.Position.X < left+triangleRoom {
		r.toggle(i)
	}
}

// Scrolled implements fyne.Scrollable.
func (r *rows) Scrolled(e *fyne.ScrollEvent) { r.scrollTo(r.top - float64(e.Scrolled.DY)/rowHeight) }

// bar is where the scroll bar's thumb is; ok is false if all rows are in sight.
func (r *rows) bar() (at, size float32, ok bool) {
	height, all := float64(r.Size().Height), float64(r.length())
	if all <= r.inSight() || height <= 0 {
		return 0, 0, false
	}
	long := min(height, max(28, height*r.inSight()/all))
	return float32((height - long) * r.top / (all - r.inSight())), float32(long), true
}

// Dragged implements fyne.Draggable: it drags the scroll bar.
func (r *rows) Dragged(e *fyne.DragEvent) {
	_, size, ok := r.bar()
	if !ok || !r.dragging && e.Position.X-e.Dragged.DX <= r.Size().Width-barWidth {
		return
	}
	r.dragging = true
	r.scrollTo(r.top + float64(e.Dragged.DY)*(float64(r.length())-r.inSight())/max(1, float64(r.Size().Height-size)))
}

// DragEnd implements fyne.Draggable.
func (r *rows) DragEnd() { r.dragging = false }

// MouseIn implements desktop.Hoverable.
func (r *rows) MouseIn(e *desktop.MouseEvent) { r.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (r *rows) MouseMoved(e *desktop.MouseEvent) { r.hover(r.rowAt(e.Position.Y)) }

// MouseOut implements desktop.Hoverable.
func (r *rows) MouseOut() { r.hover(-1) }

func (r *rows) hover(i int) {
	if r.hovered != i {
		r.hovered = i
		r.Refresh()
	}
}

// FocusGained implements fyne.Focusable.
func (r *rows) FocusGained() { r.focused = true; r.Refresh() }

// FocusLost implements fyne.Focusable.
func (r *rows) FocusLost() { r.focused = false; r.Refresh() }

// TypedRune implements fyne.Focusable.
func (r *rows) TypedRune(char rune) {
	if r.onRune == nil || !r.onRune(char) {
		kit.PassOn(r, char)
	}
}

// TypedKey implements fyne.Focusable.
func (r *rows) TypedKey(e *fyne.KeyEvent) {
	if r.key(e.Name) {
		return
	}
	kit.PassOnKey(r, e)
}

// key moves in the tree; it reports whether it used the key.
func (r *rows) key(name fyne.KeyName) bool {
	if r.length() == 0 {
		return false
	}
	row := r.chosenRow()
	switch name {
	case fyne.KeyUp:
		r.choose(r.chosen - 1)
	case fyne.KeyDown:
		r.choose(r.chosen + 1)
	case fyne.KeyPageUp:
		r.choose(r.chosen - r.page())
	case fyne.KeyPageDown:
		r.choose(r.chosen + r.page())
	case fyne.KeyHome:
		r.choose(0)
	case fyne.KeyEnd:
		r.choose(r.length() - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		r.toggle(r.chosen)
	case fyne.KeyRight:
		switch {
		case row.Open:
			r.choose(r.chosen + min(1, r.document.Count(row.Node)))
		case row.Node.HasChildren():
			r.toggle(r.chosen)
		}
	case fyne.KeyLeft:
		switch parent := r.outline.Parent(r.chosen); {
		case row.Open:
			r.toggle(r.chosen)
		case parent >= 0:
			r.choose(parent)
		}
	default:
		return false
	}
	return true
}

// TypedShortcut implements fyne.Shortcutable. It passes shortcuts that are not the tree's on to the window, which does not get them from a focused
// object.
func (r *rows) TypedShortcut(s fyne.Shortcut) {
	r.shortcutIn(fyne.CurrentApp().Driver().CanvasForObject(r), s)
}

func (r *rows) shortcutIn(c fyne.Canvas, s fyne.Shortcut) {
	if r.onShortcut != nil && r.onShortcut(s) {
		return
	}
	kit.PassOnShortcut(c, s)
}

// AccessibilityLabel implements fyne.Accessible: it is the chosen row.
func (r *rows) AccessibilityLabel() string {
	if r.length() == 0 {
		return r.name
	}
	face := r.face(r.chosenRow(), 200)
	return face.key + " " + face.about + " " + face.value
}

// AccessibilityRole implements fyne.Accessible.
func (r *rows) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }
