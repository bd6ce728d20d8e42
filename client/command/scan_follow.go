package command

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"assay/client/events"
	"assay/client/intake"
	"assay/client/session"
	"assay/client/submission"
)

// accept accepts the files and links of a scan, into its case if it has one, and emits the IDs of their submissions, which are on disk then.
func accept(ctx context.Context, q queue, job scanJob, emit func(scanEvent) error) (ids []string, err error) {
	if len(job.Recheck) > 0 {
		return acceptAgain(ctx, q, job, emit)
	}
	accepted, err := q.Accept(ctx, intake.Inputs(job.Given...), intake.Options{Source: submission.Scanned, Again: job.Again, Gate: job.Gate, Copies: job.Copies, Colleagues: job.Colleagues,
		Case: job.Case, By: session.Person()})
	e := &acceptedEvent{IDs: accepted.IDs, LeftOut: session.LeftOut(accepted)}
	switch {
	case err != nil && (len(accepted.IDs) == 0 || ctx.Err() != nil):
		return nil, err
	case err != nil: // what was accepted before the error is still followed
		e.Problem = err.Error()
	}
	return accepted.IDs, emit(scanEvent{Accepted: e})
}

// scan does a job for another process.
func (o *operations) scan(ctx context.Context, job scanJob, emit func(scanEvent) error) error {
	var over <-chan time.Time
	if job.Timeout > 0 {
		over = o.after(job.Timeout) // before a large folder is walked: the caller waits hardly longer than this
	}
	ids := job.Follow
	if len(ids) == 0 {
		var err error
		if ids, err = accept(ctx, o.queue, job, emit); err != nil {
			return err
		}
	}
	err := follow(ctx, o.queue, followed{
		ids: ids, noWait: job.NoWait, alone: !o.window, over: over, timeout: cmp.Or(job.TimeoutSaid, job.Timeout), alive: true, after: o.after,
	}, emit)
	if errors.Is(err, errOutOfTime) {
		return nil // the caller has all its lines
	}
	return err
}

// followed is what follow is given.
type followed struct {
	ids     []string
	noWait  bool
	alone   bool             // no window is open: nobody can resume a queue that waits for the person
	over    <-chan time.Time // receives when the time for the answers has passed; nil: no limit
	timeout time.Duration    // that limit, as the person gave it
	alive   bool             // another process follows, which expects signs of life
	after   func(time.Duration) <-chan time.Time
}

// errOutOfTime ends a scan at its timeout. By then there is a line for each of its items.
var errOutOfTime = errors.New("the time that was given has passed")

// follow emits the outcomes of submissions until all have ended or nothing more can come of them. The error is errOutOfTime if the time has passed
// before.
func follow(ctx context.Context, q queue, what followed, emit func(scanEvent) error) error {
	f := tracker{followed: what, queue: q, emit: emit, changes: q.Hub().Subscribe(events.Submission, events.Queue), ended: map[string]bool{}}
	defer f.changes.Close() // subscribed before the first check, so that no change is missed
	return f.run(ctx)
}

// tracker is one call of follow.
type tracker struct {
	followed
	queue    queue
	emit     func(scanEvent) error
	changes  *events.Subscription
	ended    map[string]bool // by ID; false for a submission that goes on
	count    int             // how many have ended
	reported progressEvent
	reminder reminder
}

func (f *tracker) run(ctx context.Context) error {
	for _, id := range f.ids {
		f.ended[id] = false
	}
	for _, id := range f.ids {
		if err := f.look(ctx, id); err != nil {
			return err
		}
	}
	tick := f.after(remindTick)
	for n := 0; n < len(f.ids); {
		ended := f.ended[f.ids[n]]
		if !ended {
			if err := f.sayProgress(); err != nil {
				return err
			}
		}
		if ended || f.alone && f.queue.Stopped(f.ids[n]) {
			if err := f.answer(ctx, f.ids[n], ""); err != nil {
				return err
			}
			n++
			continue
		}
		select {
		case <-f.changes.Ready():
		case <-tick:
			if f.alive {
				if err := f.emit(scanEvent{Alive: true}); err != nil {
					return err
				}
			}
			if err := f.remind(ctx, f.ids[n]); err != nil {
				return err
			}
			tick = f.after(remindTick)
			continue
		case <-f.over:
			for _, id := range f.ids[n:] {
				if err := f.answer(ctx, id, noAnswerWithin(f.timeout)); err != nil {
					return err
				}
			}
			return errOutOfTime
		case <-ctx.Done():
			return ctx.Err()
		}
		for _, id := range f.changes.Take().IDs(events.Submission) {
			if err := f.look(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// look checks whether an item has ended. One that is gone has.
func (f *tracker) look(ctx context.Context, id string) error {
	if ended, ours := f.ended[id]; !ours || ended {
		return nil
	}
	item, known, err := f.queue.Get(ctx, id)
	if err != nil {
		return err
	}
	if !known || endedFor(item, f.noWait) {
		f.ended[id] = true
		f.count++
		f.reminder.ended()
	}
	return nil
}

// answer emits the line of an item. If it has not ended, why says why it is not waited for.
func (f *tracker) answer(ctx context.Context, id, why string) error {
	item, known, err := f.queue.Get(ctx, id)
	if err != nil {
		return err
	}
	var e *itemEvent
	switch {
	case !known:
		e, err = unknownItem(id)
	case endedFor(item, f.noWait):
		var by []checked
		if desk, able := f.queue.(colleagues); able {
			if by, err = desk.checked(ctx, item); err != nil {
				return err
			}
		}
		e, err = newItemEvent(item, by, f.queue.FromSandbox())
		if again, able := f.queue.(rechecker); able && err == nil && item.Recheck != "" && item.State == submission.Done {
			err = again.compare(ctx, item, e)
		}
	default:
		e, err = leftItem(item, strings.TrimSpace(why+" "+f.queue.QueueStatus().Why.String()), f.queue.FromSandbox())
	}
	if err != nil {
		return err
	}
	return f.emit(scanEvent{Item: e})
}

// sayProgress emits the progress, if it has changed.
func (f *tracker) sayProgress() error {
	now := progressEvent{Ended: f.count, Of: len(f.ids)}
	if status := f.queue.QueueStatus(); status.Stopped() {
		now.Status = status.Reason.String()
	}
	if now == f.reported {
		return nil
	}
	if now.Status != f.reported.Status {
		f.reminder.said(string(f.queue.QueueStatus().Cause))
	}
	f.reported = now
	return f.emit(scanEvent{Progress: &now})
}

// remind emits what an item waits for, when it is time to.
func (f *tracker) remind(ctx context.Context, id string) error {
	status := f.queue.QueueStatus()
	if !f.reminder.due(string(status.Cause)) {
		return nil
	}
	item, known, err := f.queue.Get(ctx, id)
	if err != nil || !known {
		return err
	}
	return f.emit(scanEvent{Said: waitText(item, status)})
}
