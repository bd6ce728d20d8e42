package folders

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
)

// table is the toolkit's list of the folders, which makes objects for visible rows alone. It refreshes a single row without
// the rest, and takes the keys by which rows are worked through.
type table struct {
	kit.RowList
	object fyne.CanvasObject
	screen *Screen
	shown  map[string]*rowWidget // by the ID shown; those out of sight are left in it until they are used again
}

var _ fyne.Focusable = (*table)(nil)

func newTable(f *Screen) *table {
	t := &table{screen: f, shown: map[string]*rowWidget{}}
	t.RowHeight, t.CursorAt = rowHeight, func() int { return f.placeOf(f.cursor) }
	t.Length = func() int { return len(f.rows) }
	t.CreateItem = func() fyne.CanvasObject { return newRowWidget(f) }
	t.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { t.fill(o.(*rowWidget), i) }
	t.ExtendBaseWidget(t)
	t.object = container.NewThemeOverride(t, kit.CloseRows{})
	return t
}

// fill shows the row at a place.
func (t *table) fill(o *rowWidget, place int) {
	if place >= len(t.screen.rows) {
		return // the list is being shortened
	}
	row := t.screen.rows[place]
	if t.shown[o.row.ID] == o {
		delete(t.shown, o.row.ID)
	}
	t.shown[row.ID] = o
	o.set(row, t.screen.cursor == row.ID, t.screen.Now())
}

// refreshRow shows one row anew, where it is in sight.
func (t *table) refreshRow(id string) {
	if o := t.shown[id]; o != nil {
		if place := t.screen.placeOf(id); place >= 0 {
			t.fill(o, place)
		}
	}
}

// refreshRows shows all rows anew that are in sight, without laying out the list.
func (t *table) refreshRows() {
	for id := range t.shown {
		t.refreshRow(id)
	}
}

// FocusGained implements fyne.Focusable. The row that keys act on is the screen's, not the toolkit's highlight.
func (t *table) FocusGained() {
	if t.screen.cursor == "" {
		t.screen.moveTo(max(t.screen.place, 0))
	}
}

// FocusLost implements fyne.Focusable.
func (t *table) FocusLost() {}

// TypedKey implements fyne.Focusable.
func (t *table) TypedKey(e *fyne.KeyEvent) {
	if !t.screen.TypedKey(e) {
		kit.PassOnKey(t, e)
	}
}

// TypedRune implements fyne.Focusable.
func (t *table) TypedRune(r rune) {
	if !t.screen.TypedRune(r) {
		kit.PassOn(t, r)
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (t *table) AccessibilityLabel() string { return i18n.T("Watched folders") }

// AccessibilityRole implements fyne.Accessible.
func (t *table) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }
