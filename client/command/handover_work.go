package command

import (
	"context"
	"errors"

	"assay/client/intake"
	"assay/client/submission"
)

// accept takes over what scan was given, and emits which submissions that makes. They are on disk then.
func accept(ctx context.Context, t taker, job scanJob, emit func(scanEvent) error) (ids []string, err error) {
	accepted, err := t.Accept(ctx, job.Given, submission.Scanned, intake.Wish{Anew: job.Again, Gate: job.Gate})
	e := &acceptedEvent{IDs: accepted.IDs, LeftOut: leftOut(accepted)}
	switch {
	case err != nil && (len(accepted.IDs) == 0 || ctx.Err() != nil):
		return nil, err
	case err != nil: // what was taken before is answered all the same
		e.Problem = err.Error()
	}
	return accepted.IDs, emit(scanEvent{Accepted: e})
}

// follow emits what comes of these submissions, until all have ended. alone says that no window is open: where the queue
// waits for a person, nobody would ever come.
func follow(ctx context.Context, t taker, ids []string, noWait, alone bool, emit func(scanEvent) error) error {
	f := follower{taker: t, noWait: noWait, alone: alone, emit: emit, changes: t.Watch(), ids: ids, ended: map[string]bool{}}
	defer f.changes.Close() // since before the first look: no change is missed
	return f.run(ctx)
}

// follower is one call of follow.
type follower struct {
	taker   taker
	noWait  bool
	alone   bool
	emit    func(scanEvent) error
	changes changes
	ids     []string
	ended   map[string]bool // of ids; false for one that goes on
	count   int             // of those that have ended
	said    progressEvent
}

func (f *follower) run(ctx context.Context) error {
	for _, id := range f.ids {
		f.ended[id] = false
	}
	for _, id := range f.ids {
		if err := f.look(ctx, id); err != nil {
			return err
		}
	}
	for n := 0; n < len(f.ids); {
		if f.ended[f.ids[n]] {
			if err := f.answer(ctx, f.ids[n]); err != nil {
				return err
			}
			n++
			continue
		}
		if err := f.sayProgress(); err != nil {
			return err
		}
		select {
		case <-f.changes.Ready():
		case <-ctx.Done():
			return ctx.Err()
		}
		for _, id := range f.changes.Take().IDs {
			if err := f.look(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// look notes whether an item has ended. One that is gone has.
func (f *follower) look(ctx context.Context, id string) error {
	if ended, ours := f.ended[id]; !ours || ended {
		return nil
	}
	item, known, err := f.taker.Get(ctx, id)
	if err != nil {
		return err
	}
	if !known || endedFor(item, f.noWait) {
		f.ended[id] = true
		f.count++
	}
	return nil
}

func (f *follower) answer(ctx context.Context, id string) error {
	item, known, err := f.taker.Get(ctx, id)
	if err != nil {
		return err
	}
	var e *itemEvent
	if known {
		e, err = newItemEvent(item, f.taker.FromSandbox())
	} else {
		e, err = unknownItem(id)
	}
	if err != nil {
		return err
	}
	return f.emit(scanEvent{Item: e})
}

// sayProgress emits how far it is, where that has changed. Where all waits for a person and none is there, it ends the job.
func (f *follower) sayProgress() error {
	reason, stopped := f.taker.Standing()
	if stopped && f.alone {
		return errors.New(reason)
	}
	now := progressEvent{Ended: f.count, Of: len(f.ids), Standing: reason}
	if now == f.said {
		return nil
	}
	f.said = now
	return f.emit(scanEvent{Progress: &now})
}
