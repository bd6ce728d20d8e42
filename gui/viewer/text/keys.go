package text

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedRune implements the pane's keys of one character; it reports whether the key stands for anything here.
func (p *Pane) TypedRune(r rune) bool {
	switch {
	case len(p.prose.Passages) == 0:
	case r == 'n' || r == 'N':
		p.step(1)
		return true
	case r == 'p' || r == 'P':
		p.step(-1)
		return true
	}
	return false
}

// TypedKey scrolls the text by pages; it reports whether the key stands for anything here. Arrows do only where the text has the focus.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyUp || e.Name == fyne.KeyDown {
		return false
	}
	return p.sheet.typedKey(e.Name)
}

// Shortcuts are the pane's keys, for the sheet on "?".
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "N", Does: i18n.T("Next marked passage")},
		{Keys: "P", Does: i18n.T("Previous marked passage")},
		{Keys: kit.Shortcut("C"), Does: i18n.T("Copy what is selected in the text")},
		{Keys: i18n.T("Page Up, Page Down, Home, End"), Does: i18n.T("Scroll the text")},
	}
}
