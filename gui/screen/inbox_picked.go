package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// inboxPicked stands in the line's place while rows are selected: what can be done with them.
type inboxPicked struct {
	object  *fyne.Container
	many    *part.Text
	actions []pickedAction
	bar     *fyne.Container
}

type pickedAction struct {
	action present.Action
	button *part.Button
	icon   fyne.Resource // nil for none
}

func newInboxPicked(act func(present.Action), clearAll func()) *inboxPicked {
	p := &inboxPicked{many: part.NewText("", part.TextStyle{Weight: look.WeightBold})}
	p.bar = container.New(&pickedLayout{picked: p})
	for _, a := range []struct {
		action present.Action
		label  string
		icon   fyne.Resource
		tip    string
	}{
		{present.Allow, "Send", look.IconArrowUp, "Send those that wait for your decision (S)"},
		{present.Withhold, "Keep here", look.IconLock, "Keep those on this computer that wait for your decision (H)"},
		{present.Pause, "Pause", look.IconPause, "Pause those that are under way (P)"},
		{present.Resume, "Resume", look.IconPlay, "Let the paused ones go on (P)"},
		{present.Retry, "Retry", look.IconRetry, "Try those again that failed or were cancelled (R)"},
		{present.ScanAgain, "Scan again", nil, "Have those analysed once more that were answered"},
		{present.Cancel, "Cancel", look.IconClose, "Cancel those that are under way (Delete); they can be tried again"},
		{present.Remove, "Remove", look.IconCheck, "Take those that have ended out of this list (Delete)"},
	} {
		button := part.NewButton(part.Plain, a.label, a.icon, func() { act(a.action) })
		button.SetToolTip(a.tip)
		p.actions = append(p.actions, pickedAction{a.action, button, a.icon})
		p.bar.Add(button)
	}
	none := part.NewButton(part.Bare, "", look.IconClose, clearAll)
	none.SetToolTip("Select nothing (Esc)")
	p.object = container.NewBorder(nil, nil,
		container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), container.NewCenter(none), container.NewCenter(p.many)), nil, p.bar)
	return p
}

// set shows how many are selected, and the actions that can be done with at least one of them.
func (p *inboxPicked) set(n int, can func(present.Action) bool) {
	p.many.SetText(present.CountInFull(n) + " selected")
	for _, a := range p.actions {
		show(a.button, can(a.action))
	}
	relayout(p.object)
	relayout(p.bar)
}

// pickedLayout lays the buttons out from the right. Where there is no room for words and icons, the words stand alone.
type pickedLayout struct {
	picked   *inboxPicked
	iconless bool
}

const (
	pickedGap float32 = 2 * look.Space
	// iconRoom is what an icon adds to a button's width.
	iconRoom = look.IconSmall + 7
)

// Layout implements fyne.Layout.
func (l *pickedLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	words, icons := l.widths()
	l.iconless = words+icons > size.Width
	x := size.Width - words
	if !l.iconless {
		x -= icons
	}
	for _, a := range l.picked.actions {
		icon := a.icon
		if l.iconless {
			icon = nil
		}
		a.button.SetIcon(icon)
		if a.button.Visible() {
			width := a.button.MinSize().Width
			put(a.button, x, size.Height, width, a.button.MinSize().Height)
			x += width + pickedGap
		}
	}
}

// MinSize implements fyne.Layout.
func (l *pickedLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	words, _ := l.widths()
	return fyne.NewSize(words, look.ControlHeight)
}

// widths are what the words of the buttons that are shown take, and what their icons add.
func (l *pickedLayout) widths() (words, icons float32) {
	for _, a := range l.picked.actions {
		if !a.button.Visible() {
			continue
		}
		if words > 0 {
			words += pickedGap
		}
		words += a.button.MinSize().Width
		if a.icon == nil {
			continue
		}
		icons += iconRoom
		if !l.iconless {
			words -= iconRoom
		}
	}
	return words, icons
}
