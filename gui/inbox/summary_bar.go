package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// summaryBar shows the summary: how much is done, and the actions for all.
type summaryBar struct {
	object       *fyne.Container
	done, detail *kit.Text
	progress     *kit.Progress
	buttons      map[QueueAction]*kit.Button
	labels       map[QueueAction]string // of the buttons, where there is room for them
}

func newSummaryBar(doing func(QueueAction) func()) *summaryBar {
	w := &summaryBar{
		done:     kit.NewText("", kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
		detail:   kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		progress: kit.NewProgress(),
		buttons: map[QueueAction]*kit.Button{
			PauseAll:    kit.NewButton(kit.Plain, i18n.T("Pause all"), look.IconPause, doing(PauseAll)),
			ResumeAll:   kit.NewButton(kit.Plain, i18n.T("Resume all"), look.IconPlay, doing(ResumeAll)),
			RetryFailed: kit.NewButton(kit.Plain, "", look.IconRetry, doing(RetryFailed)),
			ClearDone:   kit.NewButton(kit.Plain, "", look.IconCheck, doing(ClearDone)),
		},
	}
	w.labels = map[QueueAction]string{PauseAll: i18n.T("Pause all"), ResumeAll: i18n.T("Resume all")}
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), w.buttons[PauseAll], w.buttons[ResumeAll],
		w.buttons[RetryFailed], w.buttons[ClearDone])
	w.object = container.New(summaryLayout{w}, w.done, w.detail, w.progress, buttons)
	return w
}

func (w *summaryBar) set(o Summary) {
	w.done.SetText(o.Counts)
	w.detail.SetText(o.Detail)
	if o.Progress != nil {
		w.progress.SetValue(*o.Progress)
	}
	kit.SetVisible(w.progress, o.Progress != nil)
	w.labels[RetryFailed] = i18n.F("Try failed again (%s)", i18n.Count(o.Failed))
	w.labels[ClearDone] = i18n.F("Clear done (%s)", i18n.Count(o.Answered))
	tips := map[QueueAction]string{ClearDone: i18n.T("Remove answered files from this list. They stay in Results.")}
	for what, button := range w.buttons {
		tip := w.labels[what]
		if more := tips[what]; more != "" {
			tip += ". " + more
		}
		button.SetToolTip(tip)
		kit.SetVisible(button, o.Offers(what))
	}
	kit.Relayout(w.object)
}

// show gives the buttons their labels, or their icons alone.
func (w *summaryBar) show(labels bool) {
	for what, button := range w.buttons {
		label := ""
		if labels {
			label = w.labels[what]
		}
		if button.Label() != label {
			button.SetLabel(label)
		}
	}
}

// summaryLayout lays out the words, the buttons at the right with their own size, and the bar in the room between. Where the counts have no room beside
// the buttons' labels, the buttons are icons, with tooltips.
type summaryLayout struct{ bar *summaryBar }

// Layout implements fyne.Layout.
func (l summaryLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, detailLeast, barMost, barLeast = 3 * look.Space, 60, 260, 40
	done, detail, bar, buttons := objects[0].(*kit.Text), objects[1].(*kit.Text), objects[2], objects[3]
	l.bar.show(true)
	if done.FullWidth()+gap+buttons.MinSize().Width > size.Width {
		l.bar.show(false)
	}
	middle := func(o fyne.CanvasObject, x, width, height float32) {
		o.Move(fyne.NewPos(x, (size.Height-height)/2))
		o.Resize(fyne.NewSize(width, height))
	}
	right := buttons.MinSize()
	kit.Relayout(buttons.(*fyne.Container)) // its size may be as before where its buttons' are not
	middle(buttons, size.Width-right.Width, right.Width, right.Height)
	end := size.Width - right.Width - gap
	counts := max(0, min(done.FullWidth(), end))
	middle(done, 0, counts, done.MinSize().Height)
	x := counts + gap
	wide := look.Measure(detail.Text(), look.Size(look.SizeText), fyne.TextStyle{}).Width
	if room := end - x; wide > room && room < detailLeast {
		wide = 0 // a letter and "…" would say nothing
	}
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
	return fyne.NewSize(4*(look.ControlHeight+2*look.Space), max(done.Height, buttons.Height))
}
