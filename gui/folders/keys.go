package folders

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedKey handles a key without a character, and reports whether it means anything here. The window calls it for keys that nothing else uses while
// this screen is shown.
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
	if f.table.MoveBy(e.Name) {
		return true
	}
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		f.change(f.table.Cursor())
	default:
		return false
	}
	return true
}

// TypedRune handles a character, and reports whether it means anything here. The window calls it for characters that nothing else uses while this
// screen is shown.
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
		f.table.Step(1)
	case 'k', 'K':
		f.table.Step(-1)
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
		{Keys: "O", Does: i18n.T("Open it in the file manager")},
		{Keys: "W", Does: i18n.T("Show what waits for you")},
		{Keys: kit.Shortcut("P"), Does: i18n.T("Pause or resume")},
		{Keys: kit.Shortcut(i18n.T("Delete")), Does: i18n.T("Stop watching")},
		{Keys: "U", Does: i18n.T("Undo the removal")},
	}
}

// RemoveFolder stops watching the folder at the cursor, and offers to undo that.
func (f *Screen) RemoveFolder() {
	if f.card == nil {
		f.remove(f.table.Cursor())
	}
}

// PauseOrResume pauses the folder at the cursor, or lets it go on.
func (f *Screen) PauseOrResume() {
	if f.card == nil {
		f.pauseOrResume(f.table.Cursor())
	}
}

// clicked moves the cursor to a folder.
func (f *Screen) clicked(id string) {
	f.table.MoveTo(f.placeOf(id))
	f.focus(f.table)
}

// focused is what has the focus, nil for nothing.
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
