package folders

import (
	"sync"
	"time"

	"assay/client/submission"
)

// moveRetry is how long a move that failed waits for another attempt.
const moveRetry = 30 * time.Second

// moveQueue collects submissions whose files may have to be moved, and knows which files are still needed where they are. Its methods may be called
// on any goroutine.
type moveQueue struct {
	wake chan struct{}

	mu      sync.Mutex
	pending []string                   // submissions to check, in the order in which they were answered
	queued  map[string]bool            // the same, as a set
	folders map[string]bool            // paths of folders for which the store is to be asked what is outstanding
	ended   map[string]bool            // submissions that were seen to end in this run, until settled
	failed  map[string]string          // submissions whose move failed, with the path of their folder
	blocked map[string][]string        // by path of a file: submissions whose move waits until no submission needs that file
	paths   map[string]string          // by submission, for those that were seen
	at      map[string]map[string]bool // by path: the submissions of this file, and whether they go on
}

func newMoveQueue() *moveQueue {
	return &moveQueue{wake: make(chan struct{}, 1), queued: map[string]bool{}, folders: map[string]bool{}, failed: map[string]string{}, ended: map[string]bool{},
		blocked: map[string][]string{}, paths: map[string]string{}, at: map[string]map[string]bool{}}
}

func (m *moveQueue) rouse() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// see notes the state of a submission, of a watched folder or not.
func (m *moveQueue) see(s submission.Submission) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.paths[s.ID] != s.Path {
		m.drop(s.ID)
	}
	if s.Path == "" {
		return
	}
	m.paths[s.ID] = s.Path
	if m.at[s.Path] == nil {
		m.at[s.Path] = map[string]bool{}
	}
	m.at[s.Path][s.ID] = !s.State.Ended()
	m.free(s.Path)
}

// forget drops what was seen of a submission, and reports whether its end was.
func (m *moveQueue) forget(id string) (ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	path, known := m.paths[id]
	ended = known && !m.at[path][id]
	m.drop(id)
	return ended
}

func (m *moveQueue) drop(id string) {
	path, known := m.paths[id]
	if !known {
		return
	}
	delete(m.paths, id)
	delete(m.at[path], id)
	if len(m.at[path]) == 0 {
		delete(m.at, path)
	}
	m.free(path)
}

// free queues what waited for a file, once no submission needs it there; m.mu is held.
func (m *moveQueue) free(path string) {
	if len(m.blocked[path]) == 0 || m.busy(path) {
		return
	}
	m.add(m.blocked[path]...)
	delete(m.blocked, path)
}

func (m *moveQueue) busy(path string) bool {
	for _, goesOn := range m.at[path] {
		if goesOn {
			return true
		}
	}
	return false
}

func (m *moveQueue) add(ids ...string) {
	for _, id := range ids {
		if !m.queued[id] {
			m.queued[id] = true
			m.pending = append(m.pending, id)
		}
	}
	m.rouse()
}

// offer queues an answered submission to be checked; now says that it has ended just now, and is to be moved whatever the clock says.
func (m *moveQueue) offer(id string, now bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now {
		m.ended[id] = true
	}
	m.add(id)
}

// seenToEnd reports whether a submission was seen to end.
func (m *moveQueue) seenToEnd(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended[id]
}

// look queues a folder: the store is to be asked what is outstanding in it.
func (m *moveQueue) look(folder string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.folders[folder] = true
	m.rouse()
}

// again queues everything whose move failed.
func (m *moveQueue) again() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.failed {
		m.add(id)
	}
}

// next is what to do next: ask the store about a folder, or else check a submission; both are "" for nothing.
func (m *moveQueue) next() (folder, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for folder := range m.folders {
		delete(m.folders, folder)
		return folder, ""
	}
	if len(m.pending) == 0 {
		return "", ""
	}
	id, m.pending = m.pending[0], m.pending[1:]
	delete(m.queued, id)
	return "", id
}

// wait has a submission wait until no other needs its file; it returns false if none does.
func (m *moveQueue) wait(id, path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.busy(path) {
		return false
	}
	m.blocked[path] = append(m.blocked[path], id)
	return true
}

// fail notes that a move of a folder's file failed, settle that one succeeded; failing reports whether a failed one waits for another attempt.
func (m *moveQueue) fail(id, folder string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed[id] = folder
}

func (m *moveQueue) settle(id, folder string) (failing bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.failed, id)
	delete(m.ended, id)
	for _, other := range m.failed {
		failing = failing || other == folder
	}
	return failing
}

// failing reports whether any move waits for another attempt.
func (m *moveQueue) failing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.failed) > 0
}

// others are the submissions that are known to have the same file as another.
func (m *moveQueue) others(id, path string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for other := range m.at[path] {
		if other != id {
			ids = append(ids, other)
		}
	}
	return ids
}
