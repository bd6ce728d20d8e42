package screen

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// inboxHeld says what waits for the person's decision, with what can be decided on all of it at once; in its place, it asks whether
// several are to be sent. It takes no room where there is neither.
type inboxHeld struct {
	object        *fyne.Container
	words, detail *part.Text
	send, keep    *part.Button
	yes, no       *part.Button // while it asks
	sendAll       func(ids []string)
	rows          *present.InboxList
	asked         []string // what is asked about; nil: it does not ask
	keptHere      bool     // that is what the person kept here before
}

// newInboxHeld makes it. ask is called with what is to be sent once the person has confirmed it, keep with what is to stay.
func newInboxHeld(rows *present.InboxList, send, keep func(ids []string), changed func()) *inboxHeld {
	h := &inboxHeld{rows: rows, sendAll: send}
	h.words = part.NewText("", part.TextStyle{Weight: look.WeightBold})
	h.detail = part.NewText("", part.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	h.send = part.NewButton(part.Plain, "", look.IconArrowUp, func() { h.ask(rows.HeldIDs()); changed() })
	h.keep = part.NewButton(part.Plain, "", look.IconLock, func() { keep(rows.HeldIDs()) })
	h.yes = part.NewButton(part.Plain, "Send", look.IconArrowUp, func() { h.confirm(); changed() })
	h.no = part.NewButton(part.Plain, "Not yet", nil, func() { h.ask(nil); changed() })
	h.no.SetToolTip("Nothing is sent (Esc)")
	buttons := container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), h.send, h.keep, h.yes, h.no)
	card := part.NewCard(container.New(heldLayout{}, part.NewIcon(look.IconQuestion, look.ColorText, signSide), h.words, h.detail, buttons))
	card.SetPadding(2 * look.Space)
	h.object = container.NewStack(card)
	h.object.Hide()
	return h
}

// ask asks whether these are to be sent, of which several wait; one alone needs no question. What is handed over while it asks is
// not part of the question, nor of what is sent then. nil takes the question back.
func (h *inboxHeld) ask(ids []string) {
	h.asked, h.keptHere = ids, len(ids) > 0 && !h.waits(ids[0])
	if len(ids) == 1 {
		h.confirm()
	}
}

func (h *inboxHeld) confirm() {
	ids := h.asked
	h.asked = nil
	h.sendAll(ids)
}

func (h *inboxHeld) waits(id string) bool {
	row, ok := h.rows.Row(id)
	return ok && row.Held()
}

// asking reports whether it asks.
func (h *inboxHeld) asking() bool { return h.asked != nil }

// show says what there is now, and reports whether that takes other room.
func (h *inboxHeld) show() (changed bool) {
	held, question := h.rows.Held(), present.Held{}
	if h.asking() {
		h.asked = slices.DeleteFunc(h.asked, func(id string) bool {
			row, ok := h.rows.Row(id)
			return !ok || !row.Can(present.Allow) || row.Held() == h.keptHere // else the person has decided otherwise meanwhile
		})
		if question = h.rows.Allowable(h.asked); question.Files == 0 {
			h.asked = nil // all of it was decided on meanwhile
		}
	}
	was := h.object.Visible()
	show(h.object, h.asking() || held.Files > 0)
	for _, b := range []*part.Button{h.send, h.keep} {
		show(b, !h.asking())
	}
	for _, b := range []*part.Button{h.yes, h.no} {
		show(b, h.asking())
	}
	if h.asking() {
		h.words.SetText(question.Question())
		h.detail.SetText("")
	} else {
		h.words.SetText(held.Words())
		h.detail.SetText(held.Detail())
		send, keep := held.Buttons()
		h.send.SetLabel(send)
		h.keep.SetLabel(keep)
	}
	return was != h.object.Visible()
}

// heldLayout lays out a sign, words, what is cut where there is no room, and buttons at the right, which keep their size.
type heldLayout struct{}

// Layout implements fyne.Layout.
func (heldLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 2 * look.Space
	sign, words, detail, buttons := objects[0], objects[1], objects[2], objects[3]
	put(sign, gap, size.Height, signSide, signSide)
	x := gap + signSide + gap
	right := buttons.MinSize()
	put(buttons, size.Width-right.Width, size.Height, right.Width, right.Height)
	for _, text := range []fyne.CanvasObject{words, detail} {
		width := max(0, size.Width-right.Width-gap-x)
		if text == words {
			width = min(width, words.MinSize().Width)
		}
		put(text, x, size.Height, width, text.MinSize().Height)
		x += width + 1.5*gap
	}
}

// MinSize implements fyne.Layout.
func (heldLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, buttons := objects[1].MinSize(), objects[3].MinSize()
	return fyne.NewSize(2*look.Space+signSide+4*look.Space+words.Width+buttons.Width, max(words.Height, buttons.Height))
}
