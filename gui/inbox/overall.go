package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/results"
)

// summaryBar is the line for the whole: how much is done, and what can be done with all.
type summaryBar struct {
	object       *fyne.Container
	done, detail *kit.Text
	progress     *kit.Progress
	buttons      map[QueueAction]*kit.Button
}

func newSummaryBar(doing func(QueueAction) func()) *summaryBar {
	w := &summaryBar{
		done:     kit.NewText("", kit.TextStyle{Weight: look.WeightBold}),
		detail:   kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		progress: kit.NewProgress(),
		buttons: map[QueueAction]*kit.Button{
			PauseAll:    kit.NewButton(kit.Plain, i18n.T("Pause all"), look.IconPause, doing(PauseAll)),
			ResumeAll:   kit.NewButton(kit.Plain, i18n.T("Resume all"), look.IconPlay, doing(ResumeAll)),
			RetryFailed: kit.NewButton(kit.Plain, "", look.IconRetry, doing(RetryFailed)),
			ClearDone:   kit.NewButton(kit.Plain, "", look.IconCheck, doing(ClearDone)),
		},
	}
	w.buttons[ClearDone].SetToolTip(i18n.T("Take what was answered out of this list: it stands among the results"))
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), w.buttons[PauseAll], w.buttons[ResumeAll],
		w.buttons[RetryFailed], w.buttons[ClearDone])
	w.object = container.New(summaryLayout{}, w.done, w.detail, w.progress, buttons)
	return w
}

func (w *summaryBar) set(o Summary) {
	w.done.SetText(o.Done)
	w.detail.SetText(o.Detail)
	if o.Progress != nil {
		w.progress.SetValue(*o.Progress)
	}
	kit.SetVisible(w.progress, o.Progress != nil)
	w.buttons[RetryFailed].SetLabel(i18n.F("Retry failed (%s)", results.CountInFull(o.Failed)))
	w.buttons[ClearDone].SetLabel(i18n.F("Clear done (%s)", results.CountInFull(o.Answered)))
	for what, button := range w.buttons {
		kit.SetVisible(button, o.Offers(what))
	}
	kit.Relayout(w.object)
}

// summaryLayout lays out the words, the bar in what is left, and the buttons at the right, which keep their size.
type summaryLayout struct{}

// Layout implements fyne.Layout.
func (summaryLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
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
func (summaryLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	done, buttons := objects[0].MinSize(), objects[3].MinSize()
	return fyne.NewSize(done.Width+3*look.Space+buttons.Width, max(done.Height, buttons.Height))
}
