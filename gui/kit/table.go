package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// RowList is the toolkit's list, which has objects only for the rows in sight, with rows of one height and a cursor on one of them.
type RowList struct {
	widget.List
	RowHeight float32
	CursorAt  func() int // index of the row, -1 for none
}

// Pitch is the distance from the top of one row to the top of the next.
func (l *RowList) Pitch() float32 { return l.RowHeight + look.Hairline }

// Reveal scrolls as little as possible to bring a row into sight. The toolkit's own ScrollTo fills all rows again.
func (l *RowList) Reveal(i int) {
	top := float32(i) * l.Pitch()
	bottom := top + l.RowHeight
	switch offset, height := l.GetScrollOffset(), l.Size().Height; {
	case top < offset:
		l.ScrollToOffset(top)
	case bottom > offset+height:
		l.ScrollToOffset(bottom - height)
	}
}

// Shows reports whether a row is wholly in sight.
func (l *RowList) Shows(i int) bool {
	top, offset := float64(i)*float64(l.Pitch()), float64(l.GetScrollOffset())
	return i >= 0 && top >= offset && top+float64(l.RowHeight) <= offset+float64(l.Size().Height)
}

// Resize implements fyne.CanvasObject. If the row at the cursor was in sight, it still is afterwards.
func (l *RowList) Resize(size fyne.Size) {
	i := l.CursorAt()
	seen := l.Shows(i)
	l.List.Resize(size)
	if seen {
		l.Reveal(i)
	}
}

// PageRows is the number of rows in sight less one, which stays in sight from one page to the next.
func (l *RowList) PageRows() int { return max(1, int(l.Size().Height/l.Pitch())-1) }

// TableRow is the widget of a row. The table reuses it for another row when that comes into sight in its place.
type TableRow interface {
	comparable
	fyne.CanvasObject
}

// TableRows says what a Table shows. A row keeps its ID wherever it moves.
type TableRows[R TableRow] struct {
	Name   string // of the table, for screen readers
	Height float32
	Len    func() int
	ID     func(i int) string
	Index  func(id string) int // -1 if there is none
	New    func() R
	// Fill shows the row with an index in o; cursor says whether it is the row that keys act on.
	Fill func(o R, i int, cursor bool)
	// Key and Rune handle keys other than those that move the cursor. What they don't handle goes on to the window.
	Key  func(e *fyne.KeyEvent) (taken bool)
	Rune func(char rune) (taken bool)
}

// Table shows rows below each other, with a cursor on the row that keys act on. When rows come and go, the cursor stays on its row; if that is gone,
// on its index. Unlike the toolkit's list it can refresh single rows, and never refreshes rows out of sight.
type Table[R TableRow] struct {
	RowList
	rows   TableRows[R]
	object fyne.CanvasObject
	cursor string       // ID of the row at the cursor, "" for none
	place  int          // index of the cursor now or last; -1 if it was never set
	shown  map[string]R // by the ID of the row shown; rows out of sight stay in it until they are reused
	ids    map[R]string // the inverse of shown
}

// NewTable makes a table of rows; lay out its Object.
func NewTable[R TableRow](rows TableRows[R]) *Table[R] {
	t := &Table[R]{rows: rows, place: -1, shown: map[string]R{}, ids: map[R]string{}}
	t.RowHeight, t.CursorAt = rows.Height, func() int { return rows.Index(t.cursor) }
	t.Length = rows.Len
	t.CreateItem = func() fyne.CanvasObject { return rows.New() }
	t.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { t.fill(o.(R), i) }
	t.ExtendBaseWidget(t)
	t.object = container.NewThemeOverride(t, CloseRows{})
	return t
}

func (t *Table[R]) fill(o R, i int) {
	if i >= t.rows.Len() {
		return // the list is getting shorter
	}
	if before, ok := t.ids[o]; ok && t.shown[before] == o {
		delete(t.shown, before)
	}
	id := t.rows.ID(i)
	t.shown[id], t.ids[o] = o, id
	t.rows.Fill(o, i, id == t.cursor)
}

// Object returns the table as an object to lay out, with its rows a hairline apart.
func (t *Table[R]) Object() fyne.CanvasObject { return t.object }

// Cursor returns the ID of the row that keys act on, "" for none.
func (t *Table[R]) Cursor() string { return t.cursor }

// RefreshRow fills one row again, if it is in sight.
func (t *Table[R]) RefreshRow(id string) {
	if o, ok := t.shown[id]; ok {
		if i := t.rows.Index(id); i >= 0 {
			t.fill(o, i)
		}
	}
}

// AnyShown reports whether a row in sight is so.
func (t *Table[R]) AnyShown(is func(R) bool) bool {
	for _, o := range t.shown {
		if is(o) {
			return true
		}
	}
	return false
}

// RefreshRows fills all rows in sight again, without laying out the list.
func (t *Table[R]) RefreshRows() {
	for id := range t.shown {
		t.RefreshRow(id)
	}
}

// RowsMoved updates the list after rows were added, removed or moved.
func (t *Table[R]) RowsMoved() {
	if i := t.rows.Index(t.cursor); i >= 0 {
		t.place = i
	} else {
		t.cursor = ""
		if n := t.rows.Len(); t.place >= 0 && n > 0 {
			t.place = min(t.place, n-1)
			t.cursor = t.rows.ID(t.place)
		}
	}
	t.Refresh()
}

// Reset removes the cursor and shows the rows from the top.
func (t *Table[R]) Reset() {
	t.cursor, t.place = "", -1
	t.RowsMoved()
	t.ScrollToOffset(0)
}

// Step moves the cursor by some rows. Without a cursor, it appears at the first row in that direction.
func (t *Table[R]) Step(steps int) {
	at := t.rows.Index(t.cursor)
	switch {
	case at >= 0:
		at += steps
	case steps > 0:
		at = 0
	default:
		at = t.rows.Len() - 1
	}
	t.MoveTo(at)
}

// MoveTo moves the cursor to the row with an index, or to the nearest one.
func (t *Table[R]) MoveTo(i int) {
	if t.rows.Len() == 0 {
		return
	}
	before := t.cursor
	t.place = min(max(i, 0), t.rows.Len()-1)
	t.cursor = t.rows.ID(t.place)
	t.Reveal(t.place)
	t.RefreshRow(before)
	t.RefreshRow(t.cursor)
}

// MoveBy moves the cursor if the key is one of those that do, and reports that.
func (t *Table[R]) MoveBy(key fyne.KeyName) (taken bool) {
	switch key {
	case fyne.KeyDown:
		t.Step(1)
	case fyne.KeyUp:
		t.Step(-1)
	case fyne.KeyPageDown:
		t.Step(t.PageRows())
	case fyne.KeyPageUp:
		t.Step(-t.PageRows())
	case fyne.KeyHome:
		t.MoveTo(0)
	case fyne.KeyEnd:
		t.MoveTo(t.rows.Len() - 1)
	default:
		return false
	}
	return true
}

// FocusGained implements fyne.Focusable. The table marks the row at its cursor by itself, without the toolkit's highlight.
func (t *Table[R]) FocusGained() {
	if t.cursor == "" {
		t.MoveTo(max(t.place, 0))
	}
}

// FocusLost implements fyne.Focusable.
func (t *Table[R]) FocusLost() {}

// TypedKey implements fyne.Focusable.
func (t *Table[R]) TypedKey(e *fyne.KeyEvent) {
	if !t.rows.Key(e) {
		PassOnKey(t, e)
	}
}

// TypedRune implements fyne.Focusable.
func (t *Table[R]) TypedRune(char rune) {
	if !t.rows.Rune(char) {
		PassOn(t, char)
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Table[R]) AccessibilityLabel() string { return t.rows.Name }

// AccessibilityRole implements fyne.Accessible.
func (t *Table[R]) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// CloseRows is the app's theme with a hairline between rows.
type CloseRows struct {
	Shadow bool // the toolkit's, over the edges of what scrolls; a card has none
}

// Size implements fyne.Theme.
func (CloseRows) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNamePadding {
		return look.Hairline
	}
	return look.Size(name)
}

// Color implements fyne.Theme.
func (c CloseRows) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameShadow && !c.Shadow {
		return color.Transparent
	}
	return look.Color(name)
}

// Font implements fyne.Theme.
func (CloseRows) Font(style fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(style)
}

// Icon implements fyne.Theme.
func (CloseRows) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(name)
}
