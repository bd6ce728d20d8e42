package folders

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/present"
)

// TypedKey does what a key without a character means here, and reports whether it means anything; the window calls it for keys
// that nothing else takes while this screen is in front.
func (f *Screen) TypedKey(e *fyne.KeyEvent) (taken bool) {
	if f.card != nil {
		switch {
		case e.Name != fyne.KeyEscape:
		case f.card.choosing():
			f.card.choose(false)
		default:
			f.closeCard()
		}
		return true
	}
	if e.Name == fyne.KeyEscape {
		f.Say("")
		return true
	}
	if len(f.rows) == 0 {
		return false
	}
	switch e.Name {
	case fyne.KeyDown:
		f.move(1)
	case fyne.KeyUp:
		f.move(-1)
	case fyne.KeyPageDown:
		f.move(f.table.PageRows())
	case fyne.KeyPageUp:
		f.move(-f.table.PageRows())
	case fyne.KeyHome:
		f.moveTo(0)
	case fyne.KeyEnd:
		f.moveTo(len(f.rows) - 1)
	case fyne.KeyReturn, fyne.KeyEnter:
		f.change(f.cursor)
	case fyne.KeyDelete, fyne.KeyBackspace:
		f.remove(f.cursor)
	default:
		return false
	}
	return true
}

// TypedRune does what a character means here, and reports whether it means anything; the window calls it for those that nothing
// else takes while this screen is in front.
func (f *Screen) TypedRune(r rune) (taken bool) {
	if f.card != nil {
		return false
	}
	switch r {
	case 'n', 'N':
		f.Add()
		return true
	case 'u', 'U':
		return f.undo()
	}
	if len(f.rows) == 0 {
		return false
	}
	switch r {
	case 'j', 'J':
		f.move(1)
	case 'k', 'K':
		f.move(-1)
	case 'p', 'P':
		f.pauseOrResume(f.cursor)
	case 'o', 'O':
		if row, ok := f.row(); ok {
			f.OpenInFiles(row.Form.Path)
		}
	case 'w', 'W':
		if row, ok := f.row(); ok && row.Held > 0 {
			f.ShowHeld(row.Form.Path)
		}
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of the screen.
func (f *Screen) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "N", Does: i18n.T("Add a folder")},
		{Keys: "J, K", Does: i18n.T("Next, previous folder")},
		{Keys: i18n.T("Enter"), Does: i18n.T("Change its settings")},
		{Keys: "P", Does: i18n.T("Pause, or go on")},
		{Keys: "O", Does: i18n.T("Open it in the file manager")},
		{Keys: "W", Does: i18n.T("Show what waits for you")},
		{Keys: i18n.T("Delete"), Does: i18n.T("Watch it no longer")},
		{Keys: "U", Does: i18n.T("Undo that")},
	}
}

// move moves the cursor by some rows; without a cursor, it appears at the first row in that direction.
func (f *Screen) move(steps int) {
	at := f.placeOf(f.cursor)
	switch {
	case at >= 0:
		at += steps
	case steps > 0:
		at = 0
	default:
		at = len(f.rows) - 1
	}
	f.moveTo(at)
}

// moveTo moves the cursor to a place, or as near to it as there are rows.
func (f *Screen) moveTo(place int) {
	if len(f.rows) == 0 {
		return
	}
	before := f.cursor
	f.place = min(max(place, 0), len(f.rows)-1)
	f.cursor = f.rows[f.place].ID
	f.table.Reveal(f.place)
	f.table.refreshRow(before)
	f.table.refreshRow(f.cursor)
}

// clicked puts the cursor on a folder.
func (f *Screen) clicked(id string) {
	f.moveTo(f.placeOf(id))
	f.focus(f.table)
}

// focused is what has the keyboard, nil for nothing.
func (f *Screen) focused() fyne.Focusable {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.root); c != nil {
		return c.Focused()
	}
	return nil
}

func (f *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.root); c != nil {
		c.Focus(o)
	}
}
