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

// selectionBar is shown in place of the summary while rows are selected: the actions for them.
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
	widths [iconAlone + 1]float32
}

func newSelectionBar(act func(present.Action), clearAll func()) *selectionBar {
	p := &selectionBar{many: kit.NewText("", kit.TextStyle{Weight: look.WeightBold})}
	p.layout = &selectionLayout{bar: p}
	p.bar = container.New(p.layout)
	for _, a := range []struct {
		action present.Action
		label  string
		icon   fyne.Resource
		tip    string
	}{
		{present.Approve, i18n.T("Send…"), look.IconArrowUp, i18n.T("Review those that wait for your decision (S)")},
		{present.TakeOver, i18n.T("Use the answers"), nil, i18n.T("Use the answers of colleagues, which sends nothing")},
		{present.Withhold, i18n.T("Keep here"), look.IconLock, i18n.T("Keep those that wait for your decision on this computer")},
		{present.Pause, i18n.T("Pause"), look.IconPause, i18n.T("Pause those under way")},
		{present.Resume, i18n.T("Resume"), look.IconPlay, i18n.T("Resume the paused ones")},
		{present.Retry, i18n.T("Try again"), look.IconRetry, i18n.T("Try again what failed or was cancelled")},
		{present.ScanAgain, i18n.T("Scan again"), nil, i18n.T("Scan the answered ones again")},
		{present.AddToCase, i18n.T("Case…"), look.IconCases, i18n.T("Add them to a case (C)")},
		{present.Cancel, i18n.T("Cancel"), look.IconClose, i18n.T("Cancel those under way. You can try them again later.")},
		{present.Remove, i18n.T("Remove"), look.IconCheck, i18n.T("Remove the finished ones from this list")},
	} {
		button := kit.NewButton(kit.Plain, a.label, a.icon, func() { act(a.action) })
		button.SetToolTip(a.tip)
		action := selectionAction{action: a.action, button: button, label: a.label, icon: a.icon}
		for content := iconAlone; content >= labelAndIcon; content-- {
			action.show(content)
			action.widths[content] = button.MinSize().Width
		}
		p.actions = append(p.actions, action)
		p.bar.Add(button)
	}
	none := kit.NewButton(kit.Bare, "", look.IconClose, clearAll)
	none.SetToolTip(i18n.T("Clear the selection (Esc)"))
	p.object = container.NewBorder(nil, nil,
		container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), container.NewCenter(none), container.NewCenter(p.many)), nil, p.bar)
	return p
}

// set shows how many rows are selected, and the actions that at least one of them offers.
func (p *selectionBar) set(n int, can func(present.Action) bool) {
	p.many.SetText(i18n.N(n, "%s selected", "%s selected"))
	for _, a := range p.actions {
		kit.SetVisible(a.button, can(a.action))
	}
	kit.RelayoutTwice(p.object, p.bar)
}

// selectionLayout lays the buttons out from the right. Without room for both words and icons it shows only the words; without room for those, as in
// languages with long ones, only the icons, where there are any, with tooltips. What then still has no room goes on in further lines.
type selectionLayout struct {
	bar     *selectionBar
	content buttonContent
	high    float32 // at the last width
}

const selectionGap float32 = 2 * look.Space

// buttonContent is what there is room for in the buttons.
type buttonContent int

const (
	labelAndIcon buttonContent = iota
	labelAlone
	iconAlone
)

// show gives the button its label, its icon, or both.
func (a selectionAction) show(content buttonContent) {
	label, icon := a.label, a.icon
	switch {
	case content == labelAlone:
		icon = nil
	case content == iconAlone && icon != nil:
		label = ""
	}
	a.button.SetIcon(icon)
	a.button.SetLabel(label)
}

// width is how much room the visible buttons take with that in them.
func (l *selectionLayout) width(content buttonContent) (width float32) {
	for _, a := range l.bar.actions {
		if !a.button.Visible() {
			continue
		}
		if width > 0 {
			width += selectionGap
		}
		width += a.widths[content]
	}
	return width
}

// Layout implements fyne.Layout.
func (l *selectionLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	content := labelAndIcon
	for content < iconAlone && l.width(content) > size.Width {
		content++
	}
	x, y := max(0, size.Width-l.width(content)), float32(0)
	for _, a := range l.bar.actions {
		if content != l.content {
			a.show(content)
		}
		if !a.button.Visible() {
			continue
		}
		if x > 0 && x+a.widths[content] > size.Width+1 {
			x, y = 0, y+look.ControlHeight+selectionGap
		}
		kit.PlaceAt(a.button, x, y, a.widths[content], look.ControlHeight)
		x += a.widths[content] + selectionGap
	}
	l.content, l.high = content, y+look.ControlHeight
}

// MinSize implements fyne.Layout.
func (l *selectionLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	widest := float32(0)
	for _, a := range l.bar.actions {
		widest = max(widest, a.widths[iconAlone])
	}
	return fyne.NewSize(widest, max(look.ControlHeight, l.high))
}
