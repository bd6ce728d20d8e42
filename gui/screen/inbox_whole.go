package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// inboxWhole is the line for the whole: how much is done, and what can be done with all.
type inboxWhole struct {
	object       *fyne.Container
	done, detail *kit.Text
	progress     *kit.Progress
	buttons      map[present.Whole]*kit.Button
}

func newInboxWhole(doing func(present.Whole) func()) *inboxWhole {
	w := &inboxWhole{
		done:     kit.NewText("", kit.TextStyle{Weight: look.WeightBold}),
		detail:   kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		progress: kit.NewProgress(),
		buttons: map[present.Whole]*kit.Button{
			present.PauseAll:    kit.NewButton(kit.Plain, i18n.T("Pause all"), look.IconPause, doing(present.PauseAll)),
			present.ResumeAll:   kit.NewButton(kit.Plain, i18n.T("Resume all"), look.IconPlay, doing(present.ResumeAll)),
			present.RetryFailed: kit.NewButton(kit.Plain, "", look.IconRetry, doing(present.RetryFailed)),
			present.ClearDone:   kit.NewButton(kit.Plain, "", look.IconCheck, doing(present.ClearDone)),
		},
	}
	w.buttons[present.ClearDone].SetToolTip(i18n.T("Take what was answered out of this list: it stands among the results"))
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), w.buttons[present.PauseAll], w.buttons[present.ResumeAll],
		w.buttons[present.RetryFailed], w.buttons[present.ClearDone])
	w.object = container.New(wholeLayout{}, w.done, w.detail, w.progress, buttons)
	return w
}

func (w *inboxWhole) set(o present.Overall) {
	w.done.SetText(o.Done)
	w.detail.SetText(o.Detail)
	if o.Progress != nil {
		w.progress.SetValue(*o.Progress)
	}
	kit.SetVisible(w.progress, o.Progress != nil)
	w.buttons[present.RetryFailed].SetLabel(i18n.F("Retry failed (%s)", present.CountInFull(o.Failed)))
	w.buttons[present.ClearDone].SetLabel(i18n.F("Clear done (%s)", present.CountInFull(o.Answered)))
	for what, button := range w.buttons {
		kit.SetVisible(button, o.Offers(what))
	}
	kit.Relayout(w.object)
}

// wholeLayout lays out the words, the bar in what is left, and the buttons at the right, which keep their size.
type wholeLayout struct{}

// Layout implements fyne.Layout.
func (wholeLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, barMost, barLeast = 3 * look.Space, 260, 40
	done, detail, bar, buttons := objects[0], objects[1].(*kit.Text), objects[2], objects[3]
	middle := func(o fyne.CanvasObject, x, width, height float32) {
		o.Move(fyne.NewPos(x, (size.Height-height)/2))
		o.Resize(fyne.NewSize(width, height))
	}
	right := buttons.MinSize()
	middle(buttons, size.Width-right.Width, right.Width, right.Height)
	end := size.Width - right.Width - gap
	middle(done, 0, done.MinSize().Width, done.MinSize().Height)
	x := done.MinSize().Width + gap
	wide := look.Measure(detail.Text(), look.Size(look.SizeText), fyne.TextStyle{}).Width
	wide = max(0, min(wide, end-x))
	middle(detail, x, wide, detail.MinSize().Height)
	if wide > 0 {
		x += wide + gap
	}
	room := min(end-x, barMost)
	if room < barLeast {
		room = 0
	}
	middle(bar, x, room, bar.MinSize().Height)
}

// MinSize implements fyne.Layout.
func (wholeLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	done, buttons := objects[0].MinSize(), objects[3].MinSize()
	return fyne.NewSize(done.Width+3*look.Space+buttons.Width, max(done.Height, buttons.Height))
}
