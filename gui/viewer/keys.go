package viewer

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/present"
)

// TypedRune handles a key of one character, and reports whether it does anything.
func (v *Viewer) TypedRune(r rune) bool {
	if !v.body.Visible() {
		return false
	}
	if v.full.on() {
		return v.full.typedRune(r)
	}
	if v.Feedback != nil && v.Feedback.TypedRune(r) { // uses its buttons' keys only while it has the focus
		return true
	}
	if v.pages.current != nil && v.pages.mediumShown() && v.pages.current.TypedRune(r) {
		return true
	}
	if (r == 'f' || r == 'F') && v.full.begin() {
		return true
	}
	if r == 'p' || r == 'P' {
		v.pages.fold()
		return true
	}
	if (r == 'c' || r == 'C') && v.AddToCase != nil {
		v.AddToCase(v.shown.ID)
		return true
	}
	return false
}

// TypedKey handles a key without a character, and reports whether it does anything.
func (v *Viewer) TypedKey(e *fyne.KeyEvent) bool {
	if v.full.on() {
		return v.full.typedKey(e)
	}
	if !v.body.Visible() {
		return false
	}
	if v.pages.current != nil && v.pages.mediumShown() && v.pages.current.TypedKey(e) {
		return true
	}
	return v.Feedback != nil && v.Feedback.TypedKey(e)
}

// Shortcuts are the keys of what is shown.
func (v *Viewer) Shortcuts() []present.Shortcut {
	var all []present.Shortcut
	if v.pages.current != nil {
		all = append(all, v.pages.current.Shortcuts()...)
	}
	if v.Feedback != nil {
		all = append(all, v.Feedback.Shortcuts()...)
	}
	if v.full.offered() {
		all = append(all, present.Shortcut{Keys: "F", Does: i18n.T("Fill the window with it; Esc goes back")})
	}
	all = append(all, present.Shortcut{Keys: "P", Does: i18n.T("Panel with models, details, data and history")})
	if v.AddToCase != nil {
		all = append(all, present.Shortcut{Keys: "C", Does: i18n.T("Add to a case")})
	}
	return all
}
