package command

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// watchStart is a start of `assay watch`: like scanStart it works by itself where it can hold the folder, and else through the
// process that does.
type watchStart struct {
	dir  string
	wait session.Waiting
	// before says how the submissions of watched folders stand on the disk, before any goes on; the folder is this process's.
	before func(ctx context.Context) (map[string]submission.State, error)
	// open opens the session, as here.open; the folder is this process's.
	open func(ctx context.Context) (q queue, closing func(ctx context.Context), err error)
	own  func() session.SandboxAddress // the embedded sandbox, once the session is open; nil: there is none
	emit func(watchEvent) error        // prints
	warn func(error)                   // logs: later starts can't reach this one

	job      watchJob
	order    []string // the IDs of job.Said, the oldest first
	problems []string // sentences: why folders are not watched, until it is known that others are
}

// saidAtMost bounds what one process tells the next. An inbox that holds more has those said once more that ended first.
const saidAtMost = 200_000

// run watches until ctx ends, which is no error, or until it can't.
func (s *watchStart) run(ctx context.Context) error {
	for leaving := false; ; {
		err := s.try(ctx, leaving)
		leaving = errors.Is(err, errLeft)
		switch {
		case ctx.Err() != nil:
			return nil
		case leaving, errors.Is(err, ipc.ErrLost):
		case err == nil, s.job.Began && errors.Is(err, ipc.ErrSilent): // what holds the folder is on its way out, or hangs
			if s.wait(ctx, session.LeavePause) != nil {
				return nil
			}
		default:
			return err
		}
	}
}

// try watches here or through the process that holds the folder. It returns errLeft where a window wants the folder.
func (s *watchStart) try(ctx context.Context, leaving bool) error {
	h, err := there(ctx, ipc.Start{
		Dir:     s.dir,
		Request: ipc.Request{Op: opWatch, Given: s.job.Given},
		GiveWay: leaving,
		Wait:    s.wait,
	}, s.job, s.note)
	if h == nil {
		return err
	}
	return here{open: s.openAfter, own: s.own, warn: s.warn}.work(ctx, h, func(working context.Context, o *operations) error {
		return o.watch(working, s.job, s.note)
	})
}

// openAfter opens the session once it is known how all stood before.
func (s *watchStart) openAfter(ctx context.Context) (q queue, closing func(ctx context.Context), err error) {
	if !s.job.Began {
		before, err := s.before(ctx)
		if err != nil {
			return nil, nil, err
		}
		s.job.Said, s.order = map[string]submission.State{}, nil
		for id, state := range before {
			s.keep(id, state)
		}
	}
	return s.open(ctx)
}

// note keeps what the next process must know, and passes the event on. It fails where no folder can be watched.
func (s *watchStart) note(e watchEvent) error {
	switch {
	case e.Folder != nil && e.Folder.Failed:
		s.job.Given = slices.DeleteFunc(slices.Clone(s.job.Given), func(given string) bool { return given == string(e.Folder.Given) })
		s.problems = append(s.problems, e.Folder.Sentence)
		if len(s.job.Given) == 0 && !s.job.Began {
			return &session.Misuse{Sentence: strings.Join(s.problems, "\nassay: ")}
		}
	case e.Folder != nil && e.Folder.Begins:
		s.job.Began = true
		if s.job.Said == nil { // there was nothing: what the next process finds there is new
			s.job.Said = map[string]submission.State{}
		}
		for id, state := range e.Folder.Said {
			s.keep(id, state)
		}
	case e.Item != nil:
		s.keep(e.Item.ID, e.Item.State)
	}
	if s.job.Began {
		for _, problem := range s.problems {
			if err := s.emit(watchEvent{Said: problem}); err != nil {
				return err
			}
		}
		s.problems = nil
	}
	if e.Folder != nil && e.Folder.Failed {
		return nil
	}
	return s.emit(e)
}

// keep remembers what was said of a submission.
func (s *watchStart) keep(id string, state submission.State) {
	if _, known := s.job.Said[id]; !known {
		s.order = append(s.order, id)
	}
	s.job.Said[id] = state // of one that goes on as well: it is not said until it has ended
	for len(s.order) > saidAtMost {
		delete(s.job.Said, s.order[0])
		s.order = s.order[1:]
	}
}
