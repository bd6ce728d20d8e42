package command

import (
	"context"
	"errors"
	"time"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
)

// errLeft is why a scan stops working itself: a window opens, and the rest is done through that.
var errLeft = errors.New("a window opens")

// scanStart is a start of `assay scan`: it works by itself where it can hold the folder, and else through the process that
// does, and goes over from one to the other as often as that changes.
type scanStart struct {
	dir  string
	wait session.Waiting
	// open opens the session, as here.open; the folder is this process's.
	open func(ctx context.Context) (q queue, closing func(ctx context.Context), err error)
	own  func() session.SandboxAddress // the embedded sandbox, once the session is open; nil: there is none
	emit func(scanEvent) error         // prints
	warn func(error)                   // logs: later starts can't reach this one

	after func(time.Duration) <-chan time.Time // lets time pass while it is waited for answers
	now   func() time.Time

	job      scanJob
	ends     time.Time // when job.Timeout is over
	accepted bool      // job.Follow is what is left
	problem  string    // a sentence: not all that was given was accepted
}

// timeoutGrace is how much longer than its timeout a scan waits for the lines of the process that it works through, or for that to take
// the job.
const timeoutGrace = 2 * time.Second

// run returns once every item was emitted, or with why not.
func (s *scanStart) run(ctx context.Context) error {
	if s.job.Timeout == 0 {
		return s.work(ctx, ctx)
	}
	s.ends, s.job.TimeoutSaid = s.now().Add(s.job.Timeout), s.job.Timeout
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	over := s.after(s.job.Timeout + timeoutGrace)
	go func() {
		select {
		case <-over:
			stop(errOutOfTime)
		case <-within.Done():
		}
	}()
	given, timeout := s.job.Given, s.job.Timeout
	err := s.work(ctx, within)
	switch {
	case errors.Is(err, errOutOfTime):
		return nil // it has its lines
	case err == nil || ctx.Err() != nil || !errors.Is(context.Cause(within), errOutOfTime):
		return err
	case s.accepted:
		return &ipc.Refusal{Sentence: noAnswerWithin(timeout) + " " + i18n.T("The next scan goes on with what is left.")}
	case s.job.Again:
		// They may have been accepted all the same, and to ask again would be to submit twice.
		return &ipc.Refusal{Sentence: i18n.T("It is not known whether Assay took these. See in its window before you scan them again.")}
	}
	for _, path := range given {
		e, err := notTaken(path, noAnswerWithin(timeout))
		if err == nil {
			err = s.emit(scanEvent{Item: e})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// work does all that is left. within ends with ctx, or once the timeout is long over.
func (s *scanStart) work(ctx, within context.Context) error {
	for leaving := false; !s.accepted || len(s.job.Follow) > 0; {
		err := s.try(ctx, within, leaving)
		leaving = errors.Is(err, errLeft)
		if err != nil && !leaving && !errors.Is(err, ipc.ErrLost) {
			return err
		}
		if !s.accepted && s.job.Again {
			// Whether it was accepted can't be known, and to ask again might be to submit twice.
			return &ipc.Refusal{Sentence: i18n.T("Assay ended before it said whether it took these. See in its window before you scan them again.")}
		}
	}
	if s.problem != "" {
		return &ipc.Refusal{Sentence: s.problem}
	}
	return nil
}

// try does what is left, here or through the process that holds the folder. It returns errLeft where a window wants the folder.
// What is followed here has its lines at the end of the timeout, however long they take: within does not end that.
func (s *scanStart) try(ctx, within context.Context, leaving bool) error {
	s.takeTimeLeft()
	note, stop := s.watchSilence()
	h, err := there(within, ipc.Start{
		Dir:     s.dir,
		Request: ipc.Request{Op: opScan, Given: s.job.Given},
		GiveWay: leaving,
		Wait:    s.wait,
	}, s.job, note)
	stop()
	if h == nil {
		return err
	}
	open := func(context.Context) (queue, func(context.Context), error) { return s.open(within) }
	return here{open: open, own: s.own, warn: s.warn}.work(ctx, h, func(working context.Context, o *operations) error {
		if !s.accepted {
			if _, err := accept(within, o.queue, s.job, s.note); err != nil { // to its end, even where a window waits
				return err
			}
		}
		what := followed{ids: s.job.Follow, noWait: s.job.NoWait, alone: true, timeout: s.job.TimeoutSaid, after: s.after}
		if s.takeTimeLeft(); s.job.Timeout > 0 {
			what.over = s.after(s.job.Timeout)
		}
		return follow(working, o.queue, what, s.note)
	})
}

// takeTimeLeft makes the job's timeout what is left of it.
func (s *scanStart) takeTimeLeft() {
	if s.job.Timeout > 0 {
		s.job.Timeout = max(s.ends.Sub(s.now()), time.Millisecond)
	}
}

// note keeps what is left to do, and passes the event on.
func (s *scanStart) note(e scanEvent) error {
	switch {
	case e.Accepted != nil:
		s.accepted, s.job.Given, s.job.Follow, s.problem = true, nil, e.Accepted.IDs, e.Accepted.Problem
	case e.Item != nil && len(s.job.Follow) > 0:
		s.job.Follow = s.job.Follow[1:]
	}
	return s.emit(e)
}
