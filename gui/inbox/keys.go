package inbox

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedKey handles a key; the window calls it for keys that nothing else takes while this screen is in front.
func (b *Screen) TypedKey(e *fyne.KeyEvent) {
	if b.table.MoveBy(e.Name) {
		return
	}
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.act([]string{b.table.Cursor()}, present.Open)
	case fyne.KeySpace:
		b.toggle(b.table.Cursor())
	case fyne.KeyEscape:
		if b.selection.Len() == 0 {
			b.Say("")
		}
		b.clearSelection()
	}
}

// TypedRune handles a character; the window calls it for those that nothing else takes while this screen is in front.
func (b *Screen) TypedRune(r rune) { b.typed(r) }

// typed handles a character, and reports whether it means anything here.
func (b *Screen) typed(r rune) (taken bool) {
	if !b.Filled() {
		return false
	}
	switch r {
	case 'j', 'J':
		b.table.Step(1)
	case 'k', 'K':
		b.table.Step(-1)
	case 'x', 'X':
		b.toggle(b.table.Cursor())
	case 's', 'S':
		b.send(b.targets())
	case 'c', 'C':
		b.act(b.targets(), present.AddToCase)
	case '/':
		b.FocusSearch()
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of the inbox.
func (b *Screen) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "J, K", Does: i18n.T("Next, previous row")},
		{Keys: i18n.T("Enter"), Does: i18n.T("Open the result")},
		{Keys: i18n.T("X, Space"), Does: i18n.T("Select or deselect")},
		{Keys: kit.Shortcut("A"), Does: i18n.T("Select all")},
		{Keys: "S", Does: i18n.T("Review what waits for you")},
		{Keys: "C", Does: i18n.T("Add to a case")},
		{Keys: kit.Shortcut("P"), Does: i18n.T("Pause or resume")},
		{Keys: kit.Shortcut("R"), Does: i18n.T("Try again")},
		{Keys: kit.Shortcut(i18n.T("Delete")), Does: i18n.T("Cancel, or remove the row")},
		{Keys: "/", Does: i18n.T("Search")},
	}
}

// SelectAll selects every row that is shown.
func (b *Screen) SelectAll() { b.selectAll(true) }

// FocusSearch moves the focus to the search.
func (b *Screen) FocusSearch() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(b.filters.search); c != nil {
		c.Focus(b.filters.search)
	}
}

func (b *Screen) focusTable() {
	c := fyne.CurrentApp().Driver().CanvasForObject(b.table)
	switch {
	case c == nil:
	case b.rows.Len() == 0:
		c.Unfocus()
	default:
		c.Focus(b.table)
	}
}

// targets are the rows that a key acts on: the selected ones, or else the one at the cursor.
func (b *Screen) targets() []string {
	if b.selection.Len() == 0 {
		return []string{b.table.Cursor()}
	}
	return b.selection.IDs()
}

// anyCan reports whether one of these rows offers an action.
func (b *Screen) anyCan(ids []string, a present.Action) bool {
	for _, id := range ids {
		if row, ok := b.rows.Row(id); ok && row.Can(a) {
			return true
		}
	}
	return false
}

// Retry tries the rows again that the cursor or the selection is on.
func (b *Screen) Retry() { b.act(b.targets(), present.Retry) }

// PauseOrResume pauses the rows under way; if none is, it resumes the paused ones.
func (b *Screen) PauseOrResume() {
	ids := b.targets()
	if b.anyCan(ids, present.Pause) {
		b.act(ids, present.Pause)
		return
	}
	b.act(ids, present.Resume)
}

// CancelOrRemove cancels the rows under way; if none is, it removes those that have ended: a row that was under way a moment ago must not vanish at
// one stroke.
func (b *Screen) CancelOrRemove() {
	ids := b.targets()
	if b.anyCan(ids, present.Cancel) {
		b.act(ids, present.Cancel)
		return
	}
	b.act(ids, present.Remove)
}

func (b *Screen) toggle(id string) {
	if b.rows.Place(id) < 0 {
		return
	}
	b.selection.Toggle(id)
	b.selectionChanged()
}

// selectAll selects every row that is shown, or none.
func (b *Screen) selectAll(all bool) {
	if !all {
		b.clearSelection()
		return
	}
	b.selection.All()
	b.selectionChanged()
}

func (b *Screen) clearSelection() {
	b.selection.Clear()
	b.selectionChanged()
}

func (b *Screen) selectionChanged() {
	b.table.RefreshRows()
	b.showSelection()
}

// clicked handles a click on a row: with Shift it selects all rows from the last one on; with the shortcuts' modifier, or on the box, it selects or
// unselects this row; else it opens it, if possible.
func (b *Screen) clicked(id string, onBox bool, held fyne.KeyModifier) {
	b.table.MoveTo(b.rows.Place(id))
	b.focusTable()
	switch {
	case held&fyne.KeyModifierShift != 0:
		b.selection.Extend(id)
	case onBox || held&fyne.KeyModifierShortcutDefault != 0:
		b.selection.Toggle(id)
	default:
		b.selection.Anchor(id)
		b.act([]string{id}, present.Open)
		return
	}
	b.selectionChanged()
}
