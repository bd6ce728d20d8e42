package command

import (
	"context"
	"errors"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// scanJob is what `assay scan` wants.
type scanJob struct {
	Given  ipc.Paths `json:"given,omitempty"`
	Follow []string  `json:"follow,omitempty"` // instead of Given: submissions that were accepted, whose answers are still to come
	Again  bool      `json:"again,omitempty"`
	// Gate is whether these may leave; nil: as the settings say.
	Gate   *submission.Gate `json:"gate,omitempty"`
	NoWait bool             `json:"noWait,omitempty"` // an item has ended for scan once the service has it
	// Timeout is how long is waited for the answers, from when the job is handed over; 0: for as long as it takes.
	Timeout time.Duration `json:"timeout,omitempty"`
	// TimeoutSaid is the timeout that the person gave, of which Timeout is what is left; 0: the same.
	TimeoutSaid time.Duration `json:"timeoutSaid,omitempty"`
}

// scanEvent is what is reported to `assay scan`: one of its fields is set.
type scanEvent struct {
	Accepted *acceptedEvent `json:"accepted,omitempty"` // the first, unless the job follows
	Progress *progressEvent `json:"progress,omitempty"`
	Item     *itemEvent     `json:"item,omitempty"`  // in the order of the IDs
	Said     string         `json:"said,omitempty"`  // a sentence: what is waited for
	Alive    bool           `json:"alive,omitempty"` // a sign of life for another process, each remindTick
}

// acceptedEvent says that all is on disk: whoever holds the folder next can follow it.
type acceptedEvent struct {
	IDs     []string `json:"ids"`
	LeftOut string   `json:"leftOut,omitempty"` // a sentence
	Problem string   `json:"problem,omitempty"` // a sentence: why what was given after these was not taken
}

// progressEvent is for the person who waits.
type progressEvent struct {
	Ended  int    `json:"ended"` // of the items that this job or followed one still had to answer
	Of     int    `json:"of"`
	Status string `json:"status,omitempty"` // a sentence: why nothing more is sent
}

// itemEvent is an ended item, ready to be printed.
type itemEvent struct {
	JSON     string `json:"json"`     // a line of scan --json
	Line     string `json:"line"`     // of scan
	Answered bool   `json:"answered"` // or sent, where nobody waits
}

// scanStart is a start of `assay scan`: it works by itself where it can hold the folder, and else through the process that
// does, and goes over from one to the other as often as that changes.
type scanStart struct {
	local
	dir  string
	wait ipc.Wait
	emit func(scanEvent) error // prints

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

// errNothingLeft ends a job of which all lines were printed.
var errNothingLeft = errors.New("nothing is left to do")

// work does all that is left. within ends with ctx, or once the timeout is long over.
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
				// Whether it was accepted can't be known, and to ask again might be to submit twice.
				return s.job, &ipc.Refusal{Sentence: i18n.T("Assay ended before it said whether it took these. See in its window before you scan them again.")}
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
	case !s.accepted || len(s.job.Follow) > 0: // it said that it was done, and was not
		return ipc.OtherVersion()
	case s.problem != "":
		return &ipc.Refusal{Sentence: s.problem}
	}
	return nil
}

// workHere does what is left as the process that holds the folder. What is followed has its lines at the end of the timeout, however long
// they take: within does not end that.
func (s *scanStart) workHere(ctx, within context.Context, h *ipc.Holder) error {
	l := s.local
	l.open = func(context.Context) (queue, func(context.Context), error) { return s.open(within) }
	return l.work(ctx, h, func(working context.Context, o *operations) error {
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

// silentFor is how long the process that does the work may give no sign of life before it is said that it does not answer: it gives
// one each remindTick.
const silentFor = 30 * time.Second

// listener passes on the events of the process that does the work, and says where that has begun to give signs of life and gives none
// any more.
type listener struct {
	start    *scanStart
	alive    chan bool  // receives signs of life; false: none are to be expected any more
	emitting sync.Mutex // held while something is emitted
	over     chan struct{}
	work     sync.WaitGroup
}

// listen begins to expect signs of life with the first.
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
			_ = l.start.emit(scanEvent{Said: session.SentenceOf(ipc.ErrSilent)}) // whoever does not take it is told by the next item
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
