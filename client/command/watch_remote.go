package command

import (
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/submission"
)

// watchJob is what `assay watch` wants. The folders travel beside it (instance.Request.Given).
type watchJob struct {
	Given      []string           `json:"-"` // absolute
	Gate       submission.Gate    `json:"gate,omitempty"`
	Types      []client.MediaType `json:"types,omitempty"` // see folders.Settings, as what follows
	Only       []string           `json:"only,omitempty"`
	Skip       []string           `json:"skip,omitempty"`
	Subfolders bool               `json:"subfolders,omitempty"`
	Quiet      time.Duration      `json:"quiet,omitempty"`
	All        bool               `json:"all,omitempty"` // take what stands there when a folder is watched for the first time

	// Began says that these folders were being watched: one that can't be any more is tried again and again.
	Began bool `json:"began,omitempty"`
	// Said is how each submission stood of which this start has nothing more to say. nil: of those that stand there now.
	Said map[string]submission.State `json:"said"`
}

// settings are those of a folder.
func (j *watchJob) settings(path string) folders.Settings {
	return folders.Settings{Path: path, Gate: j.Gate, Types: j.Types, Only: j.Only, Skip: j.Skip, Subfolders: j.Subfolders, Quiet: j.Quiet}
}

// watchEvent is one piece of news for `assay watch`: one of its fields is set.
type watchEvent struct {
	Folder *folderEvent   `json:"folder,omitempty"`
	Item   *watchedEvent  `json:"item,omitempty"`
	Queue  *standingEvent `json:"queue,omitempty"`
	Said   string         `json:"said,omitempty"` // a sentence
}

// folderEvent says how a folder stands.
type folderEvent struct {
	Given    []byte `json:"given"` // the folder, as it was given
	Sentence string `json:"sentence"`
	// Failed says that the folder is not watched, and why.
	Failed bool `json:"failed,omitempty"`
	// Begins says that it is watched from now on, and how.
	Begins bool `json:"begins,omitempty"`
	// Said is, with Begins, how the submissions stood that were there before; see watchJob.
	Said map[string]submission.State `json:"said,omitempty"`
	// With neither, Sentence says what is in its way now, "" for nothing.
}

// standingEvent says why the queue waits, "" where it does not.
type standingEvent struct {
	Sentence string `json:"sentence"`
}

// watchedEvent is a file that has ended, or is held; of one that goes on again, only its ID and state are set.
type watchedEvent struct {
	itemEvent
	ID    string           `json:"id"`
	State submission.State `json:"state"`
}

// hasEnd reports whether there is something to be said of a submission in this state.
func hasEnd(s submission.State) bool { return s.Ended() || s == submission.Held }

// newWatchedEvent says what became of a file; kept: its folder is one of the window's, with a gate of its own.
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
	item, err := newItemEvent(s, fromSandbox)
	e.itemEvent = *item
	return e, err
}
