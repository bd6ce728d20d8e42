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
	w.buttons[RetryFailed].SetLabel(i18n.F("Retry failed (%s)", i18n.Count(o.Failed)))
	w.buttons[ClearDone].SetLabel(i18n.F("Clear done (%s)", i18n.Count(o.Answered)))
	for what, button := range w.buttons {
		kit.SetVisible(button, o.Offers(what))
	}
	kit.Relayout(w.object)
}

// summaryLayout lays out the words, the buttons at the right with their own size, and the bar in the room between.
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

// heldNotice says what waits for the person's approval, with the decisions on all of it at once. It takes no room where nothing waits.
type heldNotice struct {
	object        *fyne.Container
	words, detail *kit.Text
	send, keep    *kit.Button
	rows          *List
}

// newHeldNotice makes it. send and keep are called with the IDs of all that wait.
func newHeldNotice(rows *List, send, keep func(ids []string)) *heldNotice {
	h := &heldNotice{rows: rows}
	h.words = kit.NewText("", kit.TextStyle{Weight: look.WeightBold})
	h.detail = kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	h.send = kit.NewButton(kit.Plain, "", look.IconArrowUp, func() { send(rows.HeldIDs()) })
	h.keep = kit.NewButton(kit.Plain, "", look.IconLock, func() { keep(rows.HeldIDs()) })
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), h.send, h.keep)
	card := kit.NewCard(container.New(heldLayout{}, kit.NewIcon(look.IconQuestion, look.ColorText, kit.RowSign), h.words, h.detail, buttons))
	card.SetPadding(2 * look.Space)
	h.object = container.NewStack(card)
	h.object.Hide()
	return h
}

// show updates it, and reports whether its height has changed.
func (h *heldNotice) show() (changed bool) {
	held, was := h.rows.Held(), h.object.Visible()
	kit.SetVisible(h.object, held.Files > 0)
	h.words.SetText(held.Words())
	h.detail.SetText(held.Detail())
	send, keep := held.Buttons()
	h.send.SetLabel(send)
	h.keep.SetLabel(keep)
	return was != h.object.Visible()
}

// heldLayout lays out a sign, words, their detail after them or, without room there, below, and buttons at the right with their own size.
type heldLayout struct{}

// detailLeast is the least width at which the detail is after the words.
const detailLeast float32 = 190

// Layout implements fyne.Layout.
func (heldLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 2 * look.Space
	sign, words, detail, buttons := objects[0], objects[1], objects[2], objects[3]
	kit.PlaceInRow(sign, gap, size.Height, kit.RowSign, kit.RowSign)
	x := gap + kit.RowSign + gap
	right := buttons.MinSize()
	kit.PlaceInRow(buttons, size.Width-right.Width, size.Height, right.Width, right.Height)
	if room := size.Width - right.Width - gap - x; room-words.MinSize().Width-1.5*gap < detailLeast {
		kit.StackLines(x, max(0, room), size.Height, words, detail)
		return
	}
	for _, text := range []fyne.CanvasObject{words, detail} {
		width := max(0, size.Width-right.Width-gap-x)
		if text == words {
			width = min(width, words.MinSize().Width)
		}
		kit.PlaceInRow(text, x, size.Height, width, text.MinSize().Height)
		x += width + 1.5*gap
	}
}

// MinSize implements fyne.Layout.
func (heldLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, buttons := objects[1].MinSize(), objects[3].MinSize()
	return fyne.NewSize(2*look.Space+kit.RowSign+4*look.Space+words.Width+buttons.Width, max(words.Height, buttons.Height))
}
