package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
)

// table is the toolkit's list of the inbox's rows. It refreshes a single row without the rest, which the toolkit's own
// RefreshItem does not, and takes the keys by which rows are worked through.
type table struct {
	kit.RowList
	object fyne.CanvasObject
	inbox  *Screen
	shown  map[string]*rowWidget // by the ID shown; those out of sight are left in it until they are used again
}

var _ fyne.Focusable = (*table)(nil)

func newTable(b *Screen) *table {
	t := &table{inbox: b, shown: map[string]*rowWidget{}}
	t.RowHeight, t.CursorAt = rowHeight, func() int { return b.rows.Place(b.cursor) }
	t.Length = b.rows.Len
	t.CreateItem = func() fyne.CanvasObject { return newRowWidget(b) }
	t.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { t.fill(o.(*rowWidget), i) }
	t.ExtendBaseWidget(t)
	t.object = container.NewThemeOverride(t, kit.CloseRows{})
	return t
}

// fill shows the row at a place.
func (t *table) fill(o *rowWidget, place int) {
	if place >= t.inbox.rows.Len() {
		return // the list is being shortened
	}
	row := t.inbox.rows.At(place)
	if t.shown[o.row.ID] == o {
		delete(t.shown, o.row.ID)
	}
	t.shown[row.ID] = o
	o.set(row, t.inbox.Thumbs.Get(row.ID, row.Medium, row.Watched()), t.inbox.selection.Has(row.ID), t.inbox.cursor == row.ID)
}

// refreshRow shows one row anew, where it is in sight.
func (t *table) refreshRow(id string) {
	if o := t.shown[id]; o != nil {
		if place := t.inbox.rows.Place(id); place >= 0 {
			t.fill(o, place)
		}
	}
}

// refreshThumb shows a row whose thumbnail was made; "" stands for all rows.
func (t *table) refreshThumb(id string) {
	if id == "" {
		t.refreshRows()
		return
	}
	t.refreshRow(id)
}

// refreshRows shows all rows anew that are in sight, without laying out the list.
func (t *table) refreshRows() {
	for id := range t.shown {
		t.refreshRow(id)
	}
}

// FocusGained implements fyne.Focusable. The row that keys act on is the inbox's, not the toolkit's highlight.
func (t *table) FocusGained() {
	if t.inbox.cursor == "" {
		t.inbox.moveTo(max(t.inbox.place, 0))
	}
}

// FocusLost implements fyne.Focusable.
func (t *table) FocusLost() {}

// TypedKey implements fyne.Focusable.
func (t *table) TypedKey(e *fyne.KeyEvent) { t.inbox.TypedKey(e) }

// TypedRune implements fyne.Focusable.
func (t *table) TypedRune(r rune) {
	if !t.inbox.typed(r) {
		kit.PassOn(t, r)
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (t *table) AccessibilityLabel() string { return i18n.T("Inbox") }

// AccessibilityRole implements fyne.Accessible.
func (t *table) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }
