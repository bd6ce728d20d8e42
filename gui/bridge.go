package gui

import (
	"context"
	"time"

	"assay/client/events"
	"assay/gui/inbox"
)

// pace is the least time between two updates of the screen. The first shows at once; more than ten a second nobody reads, and where no graphics card
// draws the window, each costs what an upload does.
const pace = 100 * time.Millisecond

// source is a part of the screen: which topics it follows, and how it is updated. gather runs off the UI thread and may read the disk; the closure
// that it returns runs on the UI thread, nil is none.
type source struct {
	topics []events.Topic
	gather func(context.Context, events.Changes) func()
}

// bridge brings changes to the screen: it gathers off the UI thread and hands over one closure, at most ten times a second. Its cost grows with what has
// changed, not with what there is.
type bridge struct {
	changes *events.Subscription
	onUI    func(func())
	wait    func(context.Context, time.Duration) error
}

// newBridge collects changes from now on, until run carries them.
func newBridge(p Params) *bridge {
	return &bridge{changes: p.Events.Subscribe(), onUI: p.OnUI, wait: p.Wait}
}

// run carries the first changes and then all that follow, until ctx ends.
func (b *bridge) run(ctx context.Context, sources []source, first events.Changes) {
	for changed := first; ; {
		var updates []func()
		for _, s := range sources {
			if !changed.Has(s.topics...) {
				continue
			}
			if update := s.gather(ctx, changed); update != nil {
				updates = append(updates, update)
			}
		}
		shown := make(chan struct{})
		b.onUI(func() {
			for _, update := range updates {
				update()
			}
			close(shown)
		})
		select {
		case <-shown:
		case <-ctx.Done():
			return
		}
		if b.wait(ctx, pace) != nil {
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

// opening is what the screen shows at first: all but the service's list, which can wait.
func (a *app) opening() events.Changes {
	first := events.Changes{{Topic: events.Inbox}, {Topic: events.Folders}, {Topic: events.Keys}, {Topic: events.Handed}, {Topic: events.Batch}}
	if !a.Notice().IsZero() {
		first = append(first, events.Event{Topic: events.Notice})
	}
	for _, id := range a.Queue.Order() {
		first = append(first, events.Event{Topic: events.Submission, ID: id})
	}
	return first
}

// update is what has changed of the queue since the last update, ready to be shown.
type update struct {
	rows    []inbox.Row // of the submissions that changed
	order   []string    // of the inbox, where it changed; else nil
	summary inbox.Summary
	answers bool     // the store has other results
	changed []string // IDs of what has changed, or is gone
}

func (a *app) gatherQueue(ctx context.Context, changed events.Changes) func() {
	u := update{summary: inbox.SummaryOf(a.Queue.Totals(), a.Queue.QueueStatus()), answers: changed.Has(events.Results), changed: changed.IDs(events.Submission)}
	if changed.Has(events.Inbox) {
		u.order = a.Queue.Order()
		if u.order == nil {
			u.order = []string{} // it has changed, and is empty
		}
	}
	for _, id := range changed.IDs(events.Submission, events.Nearly) { // "" is none of them
		if s, ok := a.Queue.Get(id); ok && !s.Filed {
			row := inbox.RowOf(voiced(ctx, a.Store, s))
			if c, ok := a.checked(ctx, s); ok {
				row.SetChecked(c, s, a.Now())
			}
			row.SetHint(a.hintOf(s))
			u.rows = append(u.rows, row)
		}
	}
	return func() { a.apply(u) }
}
