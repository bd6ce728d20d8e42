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
	all     []string      // every submission's ID in the inbox's order
	overall present.Overall
	results []present.ResultRow
}

// bridge carries changes from the queue to the screen: it computes off the UI thread and hands over at most
// one closure a frame.
type bridge struct {
	queue   *intake.Queue
	changes *intake.Changes
	onUI    func(func())
	now     func() time.Time
	wait    func(context.Context, time.Duration) error
	apply   func(update) // on the UI thread
}

// run carries changes until ctx ends.
func (b *bridge) run(ctx context.Context) {
	for {
		select {
		case <-b.changes.Ready():
		case <-ctx.Done():
			return
		}
		u := b.gather()
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
	}
}

func (b *bridge) gather() update {
	changed := b.changes.Take()
	all := b.queue.All()
	u := update{
		all:     present.InboxOrder(all),
		overall: present.OverallOf(all),
		results: present.Results(all, b.now()),
	}
	for _, id := range changed {
		if s, ok := b.queue.Get(id); ok {
			u.rows = append(u.rows, present.InboxRow(s))
		}
	}
	return u
}
