package cases

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
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
	case fyne.KeyEscape:
		s.Say("")
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
	case 'j', 'J':
		s.list.step(1)
	case 'k', 'K':
		s.list.step(-1)
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of the screen.
func (s *Screen) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "J, K", Does: i18n.T("Next, previous case")},
		{Keys: "/", Does: i18n.T("Find a case")},
		{Keys: "N", Does: i18n.T("New case")},
	}
}

func (s *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.root); c != nil {
		c.Focus(o)
	}
}
