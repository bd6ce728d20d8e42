package folders

import (
	"path/filepath"
	"time"

	"assay/client/i18n"
	"assay/client/submission"
)

// move moves answered files to their folder's MoveTo, one after the other, until Close. First it finishes the move that an earlier run had begun.
func (f *Folders) move() {
	f.mu.Lock()
	for _, e := range f.order {
		f.moves.look(e.Path)
	}
	f.mu.Unlock()
	var again <-chan time.Time
	unsettled := true // the outcome of the move that is on record as begun is not known
	for f.ctx.Err() == nil {
		if unsettled {
			err, ok := f.await(func() error { return f.endIntent(f.ctx) })
			if !ok {
				return
			}
			if err != nil {
				f.Log.Error("see what has become of a move", "error", err)
				if !f.pause(moveRetry) {
					return
				}
				continue
			}
			unsettled = false
		}
		folder, id := f.moves.next()
		switch {
		case folder != "":
			f.lookForOutstanding(folder)
			continue
		case id != "":
			unsettled = f.moveOne(id) != nil
			continue
		}
		if again == nil && f.moves.failing() {
			again = f.After(moveRetry)
		}
		select {
		case <-f.ctx.Done():
		case <-f.moves.wake:
		case <-again:
			again = nil
			f.moves.again()
		}
	}
}

// closeGrace is how long Close waits for a disk that does not answer.
const closeGrace = 5 * time.Second

// await runs do, which reads or writes the disk, on another goroutine; ok is false if Close was called and the disk did not answer.
func (f *Folders) await(do func() error) (err error, ok bool) { //nolint:revive // ok says whether there is an error to speak of
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err = <-done:
		return err, true
	case <-f.ctx.Done():
	}
	select {
	case err = <-done:
		return err, true
	case <-f.After(closeGrace):
		return nil, false
	}
}

// pause waits; it returns false if Close is called first.
func (f *Folders) pause(d time.Duration) bool {
	select {
	case <-f.ctx.Done():
		return false
	case <-f.After(d):
		return true
	}
}

// lookForOutstanding queues what was answered in a folder since its MoveTo was set.
func (f *Folders) lookForOutstanding(path string) {
	f.mu.Lock()
	e := f.entryAt(path)
	if e == nil || e.MoveTo == "" {
		if e != nil {
			e.unmoved = i18n.Message{}
		}
		f.mu.Unlock()
		return
	}
	since, target := e.moveSince, e.MoveTo
	f.mu.Unlock()
	err := f.Store.FolderAnswered(f.ctx, path, since, func(id, file string) error {
		if filepath.Dir(file) != target { // else it was moved
			f.moves.offer(id, false)
		}
		return f.ctx.Err()
	})
	if err != nil && f.ctx.Err() == nil {
		f.Log.Error("look for files that are to be moved", "error", err)
		if f.pause(moveRetry) {
			f.moves.look(path)
		}
	}
}

// moveOne moves the file of a submission, if it is to be moved. After an error the outcome is not known.
func (f *Folders) moveOne(id string) error {
	s, e, target, wanted, err := f.outstanding(id)
	if e == nil { // it is from no watched folder
		f.moves.settle(id, "")
		return err
	}
	if err == nil && wanted {
		if f.moves.wait(id, s.Path) {
			return nil // another submission still needs it where it is
		}
		answered := false
		if err, answered = f.await(func() error { return f.moveFile(s, target) }); !answered || f.ctx.Err() != nil {
			return err // the next start finishes what was begun
		}
	}
	failing := false
	if err != nil {
		f.Log.Warn("a file that is done was not moved", "error", err)
		f.moves.fail(id, s.Folder)
	} else {
		failing = f.moves.settle(id, s.Folder)
	}
	f.mu.Lock()
	switch {
	case err != nil:
		e.unmoved = whyNotMoved(err, s.Name, target)
	case !failing:
		e.unmoved = i18n.Message{}
	}
	f.mu.Unlock()
	f.notify()
	return err
}

// outstanding reports whether and where the file of a submission is to be moved: it was answered after the folder's target was set, and still is
// where it was found.
func (f *Folders) outstanding(id string) (s submission.Submission, e *entry, target string, wanted bool, err error) {
	s, known := f.Queue.Get(id)
	if !known {
		if s, known, err = f.Store.Get(f.ctx, id); err != nil || !known {
			return s, nil, "", false, err
		}
		if s.Earlier != "" && s.State != submission.Cancelled {
			earlier, known, err := f.Store.Get(f.ctx, s.Earlier)
			if err != nil || !known {
				return s, nil, "", false, err
			}
			s.State, s.Answered = earlier.State, earlier.Answered
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if e = f.entryAt(s.Folder); e == nil {
		return s, nil, "", false, nil
	}
	at := s.Answered
	if s.Accepted.After(at) {
		at = s.Accepted // it shows an answer that was there before
	}
	since := f.moves.seenToEnd(id) || !at.Before(e.moveSince) // if it was seen to end in this run, a clock that was set back does not matter
	wanted = e.MoveTo != "" && s.State == submission.Done && since && s.SHA256 != "" &&
		within(e.Path, s.Path) && filepath.Dir(s.Path) != e.MoveTo
	return s, e, e.MoveTo, wanted, nil
}
