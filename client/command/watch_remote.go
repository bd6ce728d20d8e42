package command

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// watchJob is what `assay watch` asks for.
type watchJob struct {
	Given      ipc.Paths          `json:"given,omitempty"` // absolute
	Gate       submission.Gate    `json:"gate"`
	Types      []client.MediaType `json:"types,omitempty"` // as in folders.Settings, like the next ones
	Only       []string           `json:"only,omitempty"`
	Skip       []string           `json:"skip,omitempty"`
	Subfolders bool               `json:"subfolders,omitempty"`
	Quiet      time.Duration      `json:"quiet,omitempty"`
	Case       string             `json:"case,omitempty"`
	All        bool               `json:"all,omitempty"` // accept what is in a folder when it is watched for the first time

	// Began says that these folders were being watched already: one that can't be watched any more is tried again and again.
	Began bool `json:"began,omitempty"`
	// Said has the states of submissions of which nothing more is to be said. nil: those of the submissions there are now.
	Said map[string]submission.State `json:"said"`
}

// settings are the settings for a folder.
func (j *watchJob) settings(path string) folders.Settings {
	return folders.Settings{Path: path, Gate: j.Gate, Types: j.Types, Only: j.Only, Skip: j.Skip, Subfolders: j.Subfolders, Quiet: j.Quiet, Case: j.Case}
}

// watchEvent is one event of `assay watch`: exactly one field is set.
type watchEvent struct {
	Folder *folderEvent  `json:"folder,omitempty"`
	Item   *watchedEvent `json:"item,omitempty"`
	Queue  *statusEvent  `json:"queue,omitempty"`
	Said   string        `json:"said,omitempty"` // a sentence
}

// folderEvent is the state of a folder.
type folderEvent struct {
	Given    []byte `json:"given"` // the folder, as it was given
	Sentence string `json:"sentence"`
	// Failed says that the folder is not watched; Sentence says why.
	Failed bool `json:"failed,omitempty"`
	// Begins says that it is watched from now on; Sentence says how.
	Begins bool `json:"begins,omitempty"`
	// Said has, with Begins, the states of the submissions from earlier runs; see watchJob.
	Said map[string]submission.State `json:"said,omitempty"`
	// Without Failed and Begins, Sentence says what is wrong with it now, "" for nothing.
}

// statusEvent says why the queue waits, "" where it does not.
type statusEvent struct {
	Sentence string `json:"sentence"`
}

// watchedEvent is a file that has ended or is held; of one that goes on again, only ID and state are set.
type watchedEvent struct {
	itemEvent
	ID    string           `json:"id"`
	State submission.State `json:"state"`
}

// hasEnd reports whether there is anything to say of a submission in this state.
func hasEnd(s submission.State) bool { return s.Ended() || s == submission.Held }

// newWatchedEvent is the outcome of a file; kept: its folder is one of the window's, with its own gate.
func newWatchedEvent(s submission.Submission, kept, fromSandbox bool) (*watchedEvent, error) {
	e := &watchedEvent{ID: s.ID, State: s.State}
	switch {
	case !hasEnd(s.State):
		return e, nil
	case s.State == submission.Held:
		text, err := oneLine(answerOf(s, fromSandbox))
		e.JSON, e.Line = text, heldLine(s, kept)
		return e, err
	}
	item, err := newItemEvent(s, nil, fromSandbox)
	e.itemEvent = *item
	return e, err
}

// watchStart is a start of `assay watch`: like scanStart, it works itself if it can hold the folder, and else through the process that holds it.
type watchStart struct {
	local
	dir  string
	wait ipc.Wait
	// before returns the states of the submissions from watched folders as they are on disk, before any goes on; this process holds the folder.
	before func(ctx context.Context) (map[string]submission.State, error)
	emit   func(watchEvent) error // prints

	job      watchJob
	order    []string // the IDs of job.Said, the oldest first
	problems []string // sentences: why folders are not watched, kept until one is watched
}

// saidAtMost bounds what one process passes on to the next. Of a larger inbox, the submissions that ended first are said once more.
const saidAtMost = 200_000

// run watches until ctx ends, which is no error, or until it can't watch.
func (s *watchStart) run(ctx context.Context) error {
	here := s.local
	here.open = s.openAfter
	for {
		err := opWatch.Run(ctx, ipc.Work[watchJob, watchEvent]{
			Dir:  s.dir,
			Job:  func() (watchJob, error) { return s.job, nil },
			Each: s.note,
			Here: func(ctx context.Context, h *ipc.Holder) error {
				return here.work(ctx, h, func(working context.Context, o *operations) error {
					err := o.watch(working, s.job, s.note)
					if err == nil && !errors.Is(context.Cause(working), ipc.ErrGaveWay) {
						err = working.Err() // it was asked to end, and must not begin anew
					}
					return err
				})
			},
			Wait: s.wait,
		})
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil, s.job.Began && errors.Is(err, ipc.ErrSilent): // the process that holds the folder is ending, or hangs
			if s.wait(ctx, session.LeavePause) != nil {
				return nil
			}
		default:
			return err
		}
	}
}

// openAfter opens the session after it has read the states from before.
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

// note records what the next process must know, and passes the event on. It fails where no folder can be watched.
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
		if s.job.Said == nil { // there were none, so that whatever the next process finds is new
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

// keep records what was said of a submission.
func (s *watchStart) keep(id string, state submission.State) {
	if _, known := s.job.Said[id]; !known {
		s.order = append(s.order, id)
	}
	s.job.Said[id] = state // also of one that goes on: it is said again once it has ended
	for len(s.order) > saidAtMost {
		delete(s.job.Said, s.order[0])
		s.order = s.order[1:]
	}
}
