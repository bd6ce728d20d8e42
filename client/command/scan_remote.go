package command

import (
	"context"
	"errors"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/submission"
)

// scanJob is what `assay scan` asks for.
type scanJob struct {
	Given  ipc.Paths `json:"given,omitempty"`
	Follow []string  `json:"follow,omitempty"` // in place of Given: submissions that were accepted, whose answers are still to come
	Again  bool      `json:"again,omitempty"`
	// Recheck are the IDs of results to be checked again, in place of Given, and Mark is a text that no other call has: two jobs with the same Mark are one.
	Recheck []string `json:"recheck,omitempty"`
	Mark    string   `json:"mark,omitempty"`
	// Gate is the gate that the person asked for; "": as the settings say.
	Gate submission.Gate `json:"gate,omitempty"`
	// Copies is whether copies in another format are made without asking; "": as the settings say.
	Copies submission.CopyRule `json:"copies,omitempty"`
	// Colleagues is what is done with files that a colleague has checked.
	Colleagues submission.ColleagueRule `json:"colleagues,omitempty"`
	Case       string                   `json:"case,omitempty"`   // the ID of the case that they are added to; "": none
	NoWait     bool                     `json:"noWait,omitempty"` // an item counts as ended once the service has it
	// Timeout is how long to wait for answers, counted from when the job is sent; 0: without limit.
	Timeout time.Duration `json:"timeout,omitempty"`
	// TimeoutSaid is the timeout that the person gave, of which Timeout is what is left; 0: the same.
	TimeoutSaid time.Duration `json:"timeoutSaid,omitempty"`
}

// scanEvent is one event of a scan: exactly one field is set.
type scanEvent struct {
	Accepted *acceptedEvent `json:"accepted,omitempty"` // the first event, unless the job follows submissions
	Progress *progressEvent `json:"progress,omitempty"`
	Item     *itemEvent     `json:"item,omitempty"`  // in the order of the IDs
	Said     string         `json:"said,omitempty"`  // a sentence: what it waits for
	Alive    bool           `json:"alive,omitempty"` // a sign of life for another process, every remindTick
}

// acceptedEvent says that all these are on disk: another process can follow them as well.
type acceptedEvent struct {
	IDs     []string `json:"ids"`
	LeftOut string   `json:"leftOut,omitempty"` // a sentence
	Problem string   `json:"problem,omitempty"` // a sentence: why the inputs after these were not accepted
}

// progressEvent is for the progress bar.
type progressEvent struct {
	Ended  int    `json:"ended"` // of the items that this job still had to answer
	Of     int    `json:"of"`
	Status string `json:"status,omitempty"` // a sentence: why nothing more is sent
}

// itemEvent is an ended item, ready to be printed.
type itemEvent struct {
	JSON     string `json:"json"`              // a line of scan --json
	Line     string `json:"line"`              // of scan
	Answered bool   `json:"answered"`          // or sent, with NoWait
	Changed  bool   `json:"changed,omitempty"` // of what was checked again: its verdict is another one than before
}

// scanStart is a start of `assay scan`: it works itself if it can hold the folder, and else through the process that holds it, and switches between
// the two as often as that changes.
type scanStart struct {
	local
	dir  string
	wait ipc.Wait
	emit func(scanEvent) error // prints

	after func(time.Duration) <-chan time.Time // time.After, except in tests
	now   func() time.Time

	job      scanJob
	ends     time.Time // when job.Timeout has passed
	accepted bool      // job.Follow is what is left to do
	problem  string    // a sentence: not all inputs were accepted
}

// timeoutGrace is how much longer than its timeout a scan waits for the lines of the process that works for it, or for that to accept the job.
const timeoutGrace = 2 * time.Second

// run returns once every item was emitted, or with the reason why not.
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
		// They may have been accepted, so that asking again might submit them twice.
		return &ipc.Refusal{Sentence: i18n.T("Assay may or may not have taken these. Look in its window before you scan them again.")}
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

// errNothingLeft ends a job whose lines are all printed.
var errNothingLeft = errors.New("nothing is left to do")

// work does all that is left. The context within ends with ctx, or a while after the timeout.
func (s *scanStart) work(ctx, within context.Context) error {
	listener := s.listen()
	defer listener.stop()
	tried := false
	err := opScan.Run(within, ipc.Work[scanJob, scanEvent]{
		Dir: s.dir,
		Job: func() (scanJob, error) {
			switch {
			case s.accepted && len(s.job.Follow) == 0:
				return s.job, errNothingLeft
			case tried && !s.accepted && s.job.Again:
				// Whether it was accepted is not known, and asking again might submit it twice.
				return s.job, &ipc.Refusal{Sentence: i18n.T("Assay closed before it said whether it took these. Look in its window before you scan them again.")}
			}
			tried = true
			s.takeTimeLeft()
			return s.job, nil
		},
		Each: listener.take,
		Here: func(_ context.Context, h *ipc.Holder) error {
			listener.alive <- false
			return s.workHere(ctx, within, h)
		},
		Wait: s.wait,
	})
	switch {
	case err != nil && !errors.Is(err, errNothingLeft):
		return err
	case !s.accepted || len(s.job.Follow) > 0: // it ended too early
		return ipc.OtherVersion()
	case s.problem != "":
		return &ipc.Refusal{Sentence: s.problem}
	}
	return nil
}

// workHere does what is left as the process that holds the folder. At the timeout, follow emits lines for what it follows, however long that takes:
// within does not end that.
func (s *scanStart) workHere(ctx, within context.Context, h *ipc.Holder) error {
	l := s.local
	l.open = func(context.Context) (queue, func(context.Context), error) { return s.open(within) }
	return l.work(ctx, h, func(working context.Context, o *operations) error {
		if !s.accepted {
			if _, err := accept(within, o.queue, s.job, s.note); err != nil { // not ended by a window that wants the folder
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

// takeTimeLeft sets the job's timeout to what is left of it.
func (s *scanStart) takeTimeLeft() {
	if s.job.Timeout > 0 {
		s.job.Timeout = max(s.ends.Sub(s.now()), time.Millisecond)
	}
}

// note records what is left to do, and passes the event on.
func (s *scanStart) note(e scanEvent) error {
	switch {
	case e.Accepted != nil:
		s.accepted, s.job.Given, s.job.Follow, s.problem = true, nil, e.Accepted.IDs, e.Accepted.Problem
	case e.Item != nil && len(s.job.Follow) > 0:
		s.job.Follow = s.job.Follow[1:]
	}
	return s.emit(e)
}

// silentFor is how long the working process may give no sign of life, which it does every remindTick, before the person is told that it does not
// answer.
const silentFor = 30 * time.Second

// listener passes on the events of the working process, and tells the person when its signs of life stop.
type listener struct {
	start    *scanStart
	alive    chan bool  // receives signs of life; false: no more are expected
	emitting sync.Mutex // held while an event is emitted
	over     chan struct{}
	work     sync.WaitGroup
}

// listen expects signs of life once the first has come.
func (s *scanStart) listen() *listener {
	l := &listener{start: s, alive: make(chan bool), over: make(chan struct{})}
	l.work.Go(l.run)
	return l
}

func (l *listener) run() {
	var silent <-chan time.Time
	for {
		select {
		case alive := <-l.alive:
			if silent = nil; alive {
				silent = l.start.after(silentFor)
			}
		case <-silent:
			silent = l.start.after(remindRare)
			l.emitting.Lock()
			_ = l.start.emit(scanEvent{Said: i18n.Sentence(ipc.ErrSilent)}) // if this fails, so will the next item, which reports it
			l.emitting.Unlock()
		case <-l.over:
			return
		}
	}
}

func (l *listener) take(e scanEvent) error {
	if e.Alive {
		l.alive <- true
		return nil
	}
	l.emitting.Lock()
	defer l.emitting.Unlock()
	return l.start.note(e)
}

func (l *listener) stop() {
	close(l.over)
	l.work.Wait()
}
