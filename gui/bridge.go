package gui

import (
	"context"
	"time"

	"assay/client/events"
	"assay/client/intake"
	"assay/gui/inbox"
)

// frame is the least time between two updates of the screen: more often nobody sees.
const frame = 33 * time.Millisecond

// update is what has changed since the last frame, ready to be shown.
type update struct {
	rows    []inbox.Row // of the submissions that changed
	order   []string    // of the inbox, where it changed; else nil
	overall inbox.Summary
	answers bool     // the store holds other results
	changed []string // IDs of what changed, or is gone
}

// bridge carries changes from the queue to the screen: it computes off the UI thread and hands over at most
// one closure a frame. What it costs grows with what changed, not with what there is.
type bridge struct {
	queue   *intake.Queue
	changes *events.Subscription
	onUI    func(func())
	wait    func(context.Context, time.Duration) error
	apply   func(update) // on the UI thread
}

// run carries what there is and then each change, until ctx ends.
func (b *bridge) run(ctx context.Context) {
	changed := events.Changes{{Topic: events.Inbox}}
	for _, id := range b.queue.Order() {
		changed = append(changed, events.Event{Topic: events.Submission, ID: id})
	}
	for {
		u := b.gather(changed)
		shown := make(chan struct{})
		b.onUI(func() {
			b.apply(u)
			close(shown)
		})
		select {
		case <-shown:
		case <-ctx.Done():
			return
		}
		if b.wait(ctx, frame) != nil {
			return
		}
		select {
		case <-b.changes.Ready():
			changed = b.changes.Take()
		case <-ctx.Done():
			return
		}
	}
}

func (b *bridge) gather(changed events.Changes) update {
	u := update{overall: inbox.SummaryOf(b.queue.Totals(), b.queue.QueueStatus()), answers: changed.Has(events.Results), changed: changed.IDs(events.Submission)}
	if changed.Has(events.Inbox) {
		u.order = b.queue.Order()
		if u.order == nil {
			u.order = []string{} // changed, and empty
		}
	}
	for _, id := range u.changed {
		if s, ok := b.queue.Get(id); ok && !s.Filed {
			u.rows = append(u.rows, inbox.RowOf(s))
		}
	}
	return u
}
