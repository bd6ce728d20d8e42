package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// noPreview stands for a medium that Assay does not know.
type noPreview struct{ root *fyne.Container }

func newNoPreview() *noPreview {
	return &noPreview{container.NewVBox(kit.NewNotice(look.IconInfo, i18n.T("There is no preview for this kind of file. What the models said of it stands beside."), "", nil))}
}

// Object is the pane's root.
func (n *noPreview) Object() fyne.CanvasObject { return n.root }

// Show has nothing more to show.
func (*noPreview) Show(present.Viewer) {}

// Clear has nothing to clear.
func (*noPreview) Clear() {}

// TypedRune knows no key.
func (*noPreview) TypedRune(rune) bool { return false }

// TypedKey knows no key.
func (*noPreview) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts are none.
func (*noPreview) Shortcuts() []present.Shortcut { return nil }
