package folders

import (
	"sync"
	"time"
)

const (
	countPause = 250 * time.Millisecond // between two countings: what changes meanwhile is counted at once
	countRest  = 9                      // or for so many times as long as the last one took, so that it is a tenth of the work at most
	countLate  = time.Second            // but no longer
	countRetry = 10 * time.Second       // where the store could not be read
)

// tally collects folders, by their paths, whose submissions are to be counted.
type tally struct {
	wake chan struct{}

	mu    sync.Mutex
	paths map[string]bool
}

func newTally() *tally { return &tally{wake: make(chan struct{}, 1), paths: map[string]bool{}} }

func (t *tally) note(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paths[path] = true
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *tally) take() map[string]bool {
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
		f.tell()
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
	counts, name, at, err := f.Store.FolderStanding(f.ctx, path, since)
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
