package gui

import (
	"context"
	"time"

	"assay/client/intake"
	"assay/gui/present"
)

// frame is the least time between two updates of the screen: more often nobody sees.
const frame = 33 * time.Millisecond

// update is what has changed since the last frame, ready to be shown.
type update struct {
	rows    []present.Row // of the submissions that changed
	order   []string      // of the inbox, where it changed; else nil
	overall present.Overall
	answers bool     // the store holds other results
	changed []string // IDs of what changed, or is gone
}

// bridge carries changes from the queue to the screen: it computes off the UI thread and hands over at most
// one closure a frame. What it costs grows with what changed, not with what there is.
type bridge struct {
	queue   *intake.Queue
	changes *intake.Changes
	onUI    func(func())
	wait    func(context.Context, time.Duration) error
	apply   func(update) // on the UI thread
}

// run carries what there is and then each change, until ctx ends.
func (b *bridge) run(ctx context.Context) {
	news := intake.News{IDs: b.queue.Order(), Order: true, Status: true}
	for {
		u := b.gather(news)
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
			news = b.changes.Take()
		case <-ctx.Done():
			return
		}
	}
}

func (b *bridge) gather(news intake.News) update {
	u := update{overall: present.OverallOf(b.queue.Totals(), b.queue.QueueStatus()), answers: news.Answers, changed: news.IDs}
	if news.Order {
		u.order = b.queue.Order()
		if u.order == nil {
			u.order = []string{} // changed, and empty
		}
	}
	for _, id := range news.IDs {
		if s, ok := b.queue.Get(id); ok && !s.Filed {
			u.rows = append(u.rows, present.InboxRow(s))
		}
	}
	return u
}
