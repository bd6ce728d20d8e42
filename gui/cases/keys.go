package cases

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedKey handles a key without a character, and reports whether it means anything here. The window calls it for keys that nothing else uses while
// this screen is shown.
func (s *Screen) TypedKey(e *fyne.KeyEvent) (taken bool) {
	switch e.Name {
	case fyne.KeyDown:
		s.list.step(1)
	case fyne.KeyUp:
		s.list.step(-1)
	case fyne.KeyHome:
		s.list.step(-len(s.all))
	case fyne.KeyEnd:
		s.list.step(len(s.all))
	case fyne.KeyReturn, fyne.KeyEnter:
		s.enter(true)
	case fyne.KeyEscape:
		s.Say("")
		s.enter(false)
		if c := fyne.CurrentApp().Driver().CanvasForObject(s.root); c != nil {
			c.Unfocus()
		}
	default:
		return false
	}
	return true
}

// TypedRune handles a character, and reports whether it means anything here. The window calls it for characters that nothing else uses while this
// screen is shown.
func (s *Screen) TypedRune(r rune) (taken bool) {
	switch r {
	case 'n', 'N':
		s.NewCase()
	case '/':
		s.focus(s.list.search)
	case 'a', 'A':
		s.AddItems()
	case 'q', 'Q':
		s.askQuestion()
	case 'c', 'C':
		s.conclude()
	case 'e', 'E':
		s.rename()
	case 't', 'T':
		s.tag()
	case 's', 'S':
		s.ShareOrPeople()
	case 'l', 'L':
		s.LookElsewhere()
	case 'm', 'M':
		s.pane.writeNote()
	case 'u', 'U':
		s.undo()
	case 'j', 'J':
		s.list.step(1)
	case 'k', 'K':
		s.list.step(-1)
	default:
		return false
	}
	return true
}

// TakeOut takes the item that has the focus out of the case, and offers to undo that.
func (s *Screen) TakeOut() {
	c := fyne.CurrentApp().Driver().CanvasForObject(s.root)
	if c != nil && c.Focused() == fyne.Focusable(s.pane.items) {
		s.pane.items.remove(s.pane.items.cursor)
	}
}

// Shortcuts are the keys of the screen.
func (s *Screen) Shortcuts() []present.Shortcut {
	all := []present.Shortcut{
		{Keys: "J, K", Does: i18n.T("Next, previous case")},
		{Keys: "/", Does: i18n.T("Find a case")},
		{Keys: "N", Does: i18n.T("New case")},
		{Keys: "A", Does: i18n.T("Add items")},
		{Keys: i18n.T("Arrows"), Does: i18n.T("Move through the items when they have the focus")},
		{Keys: kit.Shortcut(i18n.T("Delete")), Does: i18n.T("Remove the item from the case")},
		{Keys: "U", Does: i18n.T("Undo the removal")},
		{Keys: "Q", Does: i18n.T("Ask a question")},
		{Keys: "C", Does: i18n.T("Write the conclusion")},
		{Keys: "M", Does: i18n.T("Write a note")},
		{Keys: "L", Does: i18n.T("Look it up elsewhere")},
		{Keys: "E, T", Does: i18n.T("Rename the case, change its tags")},
		{Keys: kit.Shortcut("E"), Does: i18n.T("Create a report")},
	}
	if s.joined {
		all = append(all, present.Shortcut{Keys: "S", Does: i18n.T("Share the case, or see who is in it")})
	}
	return all
}

func (s *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.root); c != nil {
		c.Focus(o)
	}
}
