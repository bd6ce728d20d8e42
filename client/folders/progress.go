package folders

import (
	"context"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/submission"
)

// follow follows the changes of submissions from watched folders, until Close: it keeps the counts, the batches and the moves up to date.
func (f *Folders) follow(changed *events.Subscription) {
	defer changed.Close()
	for _, s := range f.Queue.All() { // from an earlier run
		if s.Folder != "" {
			f.batches.resume(s)
		}
		f.observe(s, false)
	}
	var ring <-chan time.Time
	var set time.Time // the time that the timer is set for
	for {
		if at, ok := f.batches.due(); !ok {
			ring, set = nil, time.Time{}
		} else if !at.Equal(set) {
			ring, set = f.After(max(0, at.Sub(f.Now()))), at
		}
		select {
		case <-f.ctx.Done():
			return
		case <-f.batches.wake:
		case <-ring:
			ring, set = nil, time.Time{}
			if b, ok := f.batches.take(f.Now()); ok {
				f.Batch(b)
			}
		case <-changed.Ready():
			f.takeChanges(changed)
		case done := <-f.catchUp:
			f.takeChanges(changed)
			close(done)
		}
	}
}

// takeChanges handles all changes of submissions until now.
func (f *Folders) takeChanges(changed *events.Subscription) {
	for _, id := range changed.Take().IDs(events.Submission) {
		s, ok := f.Queue.Get(id)
		if !ok { // it was removed from the inbox
			f.batches.lose(id)
			if !f.moves.forget(id) { // its answer and its removal came together
				f.moves.offer(id, false)
			}
			continue
		}
		f.observe(s, s.Folder != "" && f.batches.see(f.Now(), s))
	}
}

// caughtUp returns once all changes of submissions until now were handled, by the settings that the folders have now.
func (f *Folders) caughtUp(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case f.catchUp <- done:
	case <-f.ctx.Done():
		return f.ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
	case <-f.ctx.Done():
		return f.ctx.Err()
	}
	return nil
}

// observe passes a submission's state to the counts and the moves; ended says that it has ended just now.
func (f *Folders) observe(s submission.Submission, ended bool) {
	f.moves.see(s)
	if s.Folder == "" {
		return
	}
	f.counts.note(s.Folder)
	if s.State == submission.Done {
		f.moves.offer(s.ID, ended && f.movesNow(s.Folder))
	}
}

// movesNow reports whether answered files of a folder, named by its path, are to be moved.
func (f *Folders) movesNow(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.entryAt(path)
	return e != nil && e.MoveTo != ""
}

const (
	countPause = 250 * time.Millisecond // between two counts: all changes in between are counted at once
	countRest  = 9                      // or this many times the duration of the last count, so that counting is at most a tenth of the time
	countLate  = time.Second            // but no longer
	countRetry = 10 * time.Second       // after the store could not be read
)

// countQueue collects folders, by their paths, whose submissions are to be counted.
type countQueue struct {
	wake chan struct{}

	mu    sync.Mutex
	paths map[string]bool
}

func newCountQueue() *countQueue {
	return &countQueue{wake: make(chan struct{}, 1), paths: map[string]bool{}}
}

func (t *countQueue) note(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paths[path] = true
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *countQueue) take() map[string]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	paths := t.paths
	t.paths = map[string]bool{}
	return paths
}

// count keeps the counts of the folders up to date, until Close.
func (f *Folders) count() {
	for {
		select {
		case <-f.ctx.Done():
			return
		case <-f.counts.wake:
		}
		began, failed := time.Now(), false
		for path := range f.counts.take() {
			if err := f.countOne(path); err != nil && f.ctx.Err() == nil {
				f.Log.Error("count the submissions of a folder", "error", err)
				f.counts.note(path)
				failed = true
			}
		}
		f.notify()
		pause := max(countPause, min(countRest*time.Since(began), countLate))
		if failed {
			pause = countRetry
		}
		select {
		case <-f.ctx.Done():
			return
		case <-f.After(pause):
		}
	}
}

func (f *Folders) countOne(path string) error {
	f.mu.Lock()
	e := f.entryAt(path)
	if e == nil { // it was removed
		f.mu.Unlock()
		return nil
	}
	var since time.Time
	if e.again {
		since = e.added
	}
	f.mu.Unlock()
	counts, name, at, err := f.Store.FolderCounts(f.ctx, path, since)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	e.counted = counts
	if at.After(e.lastAt) {
		e.lastName, e.lastAt = name, at
	}
	return nil
}
