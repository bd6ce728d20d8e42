package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer/text"
)

// textsPane shows a text with the marks of one of two answers, and of the other at a press of a button.
type textsPane struct {
	root  *fyne.Container
	panes [2]*text.Pane
	which *kit.Segmented
}

// NewTexts makes the pane for texts.
func NewTexts(params text.Params) Pane {
	t := &textsPane{panes: [2]*text.Pane{text.New(params), text.New(params)}}
	t.which = kit.NewSegmented([]string{i18n.T("Earlier"), i18n.T("Later")}, t.choose)
	title := kit.NewText(i18n.T("Marked passages"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	t.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, container.NewBorder(nil, nil, nil, t.which, title),
		container.NewStack(t.panes[0].Object(), t.panes[1].Object()))
	return t
}

func (t *textsPane) choose(which int) {
	for i, pane := range t.panes {
		kit.SetVisible(pane.Object(), i == which)
	}
	t.root.Refresh()
}

// Object implements Pane.
func (t *textsPane) Object() fyne.CanvasObject { return t.root }

// ShowBoth implements Pane.
func (t *textsPane) ShowBoth(first, second present.Viewer, names [2]string) {
	t.which.SetOptions(names[:])
	t.choose(0)
	for i, v := range []present.Viewer{first, second} {
		t.panes[i].Show(v)
	}
}

// Clear implements Pane.
func (t *textsPane) Clear() {
	for _, pane := range t.panes {
		pane.Clear()
	}
}

// shown is the pane in sight.
func (t *textsPane) shown() *text.Pane { return t.panes[max(t.which.Selected(), 0)] }

// TypedRune implements Pane: 1 and 2 choose the answer, the others are the text's.
func (t *textsPane) TypedRune(r rune) bool {
	if r == '1' || r == '2' {
		t.which.Select(int(r - '1'))
		return true
	}
	return t.shown().TypedRune(r)
}

// TypedKey implements Pane.
func (t *textsPane) TypedKey(e *fyne.KeyEvent) bool { return t.shown().TypedKey(e) }

// Shortcuts implements Pane.
func (t *textsPane) Shortcuts() []present.Shortcut {
	return append([]present.Shortcut{{Keys: "1, 2", Does: i18n.T("The marks of the first or of the second answer")}}, t.panes[0].Shortcuts()...)
}

// noPane is the pane of a medium that Assay does not know.
type noPane struct{ root fyne.CanvasObject }

func newNoPane() *noPane {
	return &noPane{kit.NewParagraph(i18n.T("There is no preview for this kind of file. What the models said is beside it."), kit.TextStyle{Color: look.ColorMuted})}
}

// Object implements Pane.
func (n *noPane) Object() fyne.CanvasObject { return n.root }

// ShowBoth implements Pane; it shows nothing.
func (*noPane) ShowBoth(present.Viewer, present.Viewer, [2]string) {}

// Clear implements Pane.
func (*noPane) Clear() {}

// TypedRune implements Pane.
func (*noPane) TypedRune(rune) bool { return false }

// TypedKey implements Pane.
func (*noPane) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts implements Pane.
func (*noPane) Shortcuts() []present.Shortcut { return nil }
