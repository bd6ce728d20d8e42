package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// selectionBar stands in the line's place while rows are selected: what can be done with them.
type selectionBar struct {
	object  *fyne.Container
	many    *kit.Text
	actions []selectionAction
	bar     *fyne.Container
	layout  *selectionLayout
}

type selectionAction struct {
	action present.Action
	button *kit.Button
	label  string
	icon   fyne.Resource // nil for none
	widths [pickedIcons + 1]float32
}

func newSelectionBar(act func(present.Action), clearAll func()) *selectionBar {
	p := &selectionBar{many: kit.NewText("", kit.TextStyle{Weight: look.WeightBold})}
	p.layout = &selectionLayout{picked: p}
	p.bar = container.New(p.layout)
	for _, a := range []struct {
		action present.Action
		label  string
		icon   fyne.Resource
		tip    string
	}{
		{present.Approve, i18n.T("Send…"), look.IconArrowUp, i18n.T("Look at those that wait for your decision, and send them (S)")},
		{present.Withhold, i18n.T("Keep here"), look.IconLock, i18n.T("Keep those on this computer that wait for your decision (H)")},
		{present.Pause, i18n.T("Pause"), look.IconPause, i18n.T("Pause those that are under way (P)")},
		{present.Resume, i18n.T("Resume"), look.IconPlay, i18n.T("Let the paused ones go on (P)")},
		{present.Retry, i18n.T("Retry"), look.IconRetry, i18n.T("Try those again that failed or were cancelled (R)")},
		{present.ScanAgain, i18n.T("Scan again"), nil, i18n.T("Have those analysed once more that were answered")},
		{present.Cancel, i18n.T("Cancel"), look.IconClose, i18n.T("Cancel those that are under way (Delete); they can be tried again")},
		{present.Remove, i18n.T("Remove"), look.IconCheck, i18n.T("Take those that have ended out of this list (Delete)")},
	} {
		button := kit.NewButton(kit.Plain, a.label, a.icon, func() { act(a.action) })
		button.SetToolTip(a.tip)
		picked := selectionAction{action: a.action, button: button, label: a.label, icon: a.icon}
		for face := pickedIcons; face >= pickedWhole; face-- {
			picked.wear(face)
			picked.widths[face] = button.MinSize().Width
		}
		p.actions = append(p.actions, picked)
		p.bar.Add(button)
	}
	none := kit.NewButton(kit.Bare, "", look.IconClose, clearAll)
	none.SetToolTip(i18n.T("Select nothing (Esc)"))
	p.object = container.NewBorder(nil, nil,
		container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), container.NewCenter(none), container.NewCenter(p.many)), nil, p.bar)
	return p
}

// set shows how many are selected, and the actions that can be done with at least one of them.
func (p *selectionBar) set(n int, can func(present.Action) bool) {
	p.many.SetText(i18n.N(n, "%s selected", "%s selected"))
	for _, a := range p.actions {
		kit.SetVisible(a.button, can(a.action))
	}
	p.layout.least = p.layout.width(pickedIcons)
	kit.Relayout(p.object)
	kit.Relayout(p.bar)
}

// selectionLayout lays the buttons out from the right. Where there is no room for words and icons, the words stand alone; where there is
// none for the words either, as in languages with long ones, the icons stand alone where there are any, and tooltips say the rest.
type selectionLayout struct {
	picked *selectionBar
	least  float32 // the width of what is shown, as icons
	face   buttonLook
}

const selectionGap float32 = 2 * look.Space

// buttonLook is what is shown of the buttons.
type buttonLook int

const (
	pickedWhole buttonLook = iota
	pickedWords
	pickedIcons
)

// wear dresses a button.
func (a selectionAction) wear(face buttonLook) {
	label, icon := a.label, a.icon
	switch {
	case face == pickedWords:
		icon = nil
	case face == pickedIcons && icon != nil:
		label = ""
	}
	a.button.SetIcon(icon)
	a.button.SetLabel(label)
}

// width is what the buttons that are shown take in a face.
func (l *selectionLayout) width(face buttonLook) (width float32) {
	for _, a := range l.picked.actions {
		if !a.button.Visible() {
			continue
		}
		if width > 0 {
			width += selectionGap
		}
		width += a.widths[face]
	}
	return width
}

// Layout implements fyne.Layout.
func (l *selectionLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	face := pickedWhole
	for face < pickedIcons && l.width(face) > size.Width {
		face++
	}
	x := size.Width - l.width(face)
	for _, a := range l.picked.actions {
		if face != l.face {
			a.wear(face)
		}
		if a.button.Visible() {
			kit.PlaceInRow(a.button, x, size.Height, a.widths[face], a.button.MinSize().Height)
			x += a.widths[face] + selectionGap
		}
	}
	l.face = face
}

// MinSize implements fyne.Layout.
func (l *selectionLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.least, look.ControlHeight)
}
