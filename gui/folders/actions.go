package folders

import (
	"context"
	"time"

	"assay/client/i18n"
	"assay/gui/present"
)

// undoOffered is for how long removing a folder can be undone.
const undoOffered = 10 * time.Second

// Add lets the person choose a folder to watch.
func (f *Screen) Add() { f.Choose(f.Offer) }

// Offer opens the card for a folder that is not watched yet, chosen in a dialog or dropped on the window.
func (f *Screen) Offer(path string) {
	if path == "" {
		return
	}
	f.openCard(newCard(f, "", f.NewForm(path), ""))
}

// change opens the card for a watched folder.
func (f *Screen) change(id string) {
	if at := f.placeOf(id); at >= 0 {
		f.table.MoveTo(at)
		f.openCard(newCard(f, id, f.rows[at].Form, f.rows[at].Problem))
	}
}

func (f *Screen) openCard(c *card) {
	if f.removed == "" { // undoing is offered for its time
		f.Say("")
	}
	if f.card != nil {
		f.card.leave()
		f.root.Remove(f.card.root)
	}
	f.card = c
	f.list.Hide()
	f.root.Add(c.root)
	c.count()
	f.focus(c.first())
}

// closeCard closes the card without saving.
func (f *Screen) closeCard() {
	if f.card == nil {
		return
	}
	f.card.leave()
	f.root.Remove(f.card.root)
	f.card = nil
	f.list.Show()
	if len(f.rows) > 0 {
		f.focus(f.table)
	}
}

// do does something with a folder on a worker, then what follows if it succeeded. Only one action is under way for a folder at a time.
func (f *Screen) do(id, failed string, action func(ctx context.Context) error, then func()) {
	if f.busy[id] {
		return
	}
	f.busy[id] = true
	f.Workers.Do(func(ctx context.Context) func() {
		err := action(ctx)
		return func() {
			delete(f.busy, id)
			switch {
			case err != nil:
				f.Say(failed + " " + present.Problem(err))
			case then != nil:
				then()
			}
		}
	})
}

func (f *Screen) pauseOrResume(id string) {
	at := f.placeOf(id)
	if at < 0 {
		return
	}
	if f.rows[at].Paused() {
		f.do(id, i18n.T("The folder could not be resumed."), func(ctx context.Context) error { return f.Resume(ctx, id) }, nil)
		return
	}
	f.do(id, i18n.T("The folder could not be paused."), func(ctx context.Context) error { return f.Pause(ctx, id) }, nil)
}

// remove stops watching at once, and offers to undo that.
func (f *Screen) remove(id string) {
	at := f.placeOf(id)
	if at < 0 {
		return
	}
	name := f.rows[at].Name
	f.do(id, i18n.T("The folder is still watched."), func(ctx context.Context) error { return f.Remove(ctx, id) }, func() {
		f.say(i18n.F("“%s” is no longer watched. Files already added from it stay.", name), i18n.T("Undo"), func() { f.undo() })
		f.removed = id
		f.unoffer = f.After(undoOffered, func() { f.Say("") })
	})
}

// undo undoes the last removal, if that is still offered.
func (f *Screen) undo() bool {
	id := f.removed
	if id == "" {
		return false
	}
	f.Say("")
	f.do(id, i18n.T("The folder could not be watched again."), func(ctx context.Context) error { return f.Undo(ctx, id) }, nil)
	return true
}
