//go:build linux

package watch

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// scriptRules are what a system's events tell of a folder, and what they do not.
type scriptRules struct {
	name    string
	events  bool // else folders can only be looked at again and again
	closes  bool // a writer that closes a file
	arrives bool // a file that was renamed to a name
	moves   bool // a watched folder that is itself renamed
	parents bool // a change in a folder, as one of the folder too
}

// The systems' rules. Windows lets a watched folder be renamed without a word, and tells of a folder's new time.
var (
	linuxRules   = scriptRules{name: "linux", events: true, closes: true, arrives: true, moves: true}
	windowsRules = scriptRules{name: "windows", events: true, parents: true}
	macosRules   = scriptRules{name: "macos", events: true, moves: true}
	pollingRules = scriptRules{name: "polling"}
)

// rest is the time after which a complete file must have been announced at the latest: at once where the system tells that it
// is complete, else after its quiet time, and a second more, or two where folders are only looked at again and again.
func (r scriptRules) rest(quiet time.Duration) time.Duration {
	switch {
	case r.closes:
		return 0
	case r.events:
		return quiet + time.Second
	default:
		return quiet + 2*time.Second
	}
}

// scriptEvents is a source whose hints are those that a system would give of what a script does. It is told by the script.
type scriptEvents struct {
	rules scriptRules
	emit  func(hint)

	mu   sync.Mutex
	dirs map[string]string // a watched folder's path as it was added, and where it is now: the system follows it, its name does not
}

func newScriptEvents(rules scriptRules, emit func(hint)) *scriptEvents {
	return &scriptEvents{rules: rules, emit: emit, dirs: make(map[string]string)}
}

func (e *scriptEvents) add(dir string) error {
	if !e.rules.events {
		return errNoEvents
	}
	where, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	info, err := os.Lstat(where)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "watch", Path: dir, Err: fs.ErrInvalid}
	}
	if _, err := os.ReadDir(where); err != nil {
		return err // no system tells of what must not be read
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, watched := e.dirs[dir]; watched {
		return nil
	}
	if e.rules.moves {
		for added, at := range e.dirs {
			if at == where { // these systems watch a folder once, and call it by the name they were told last
				delete(e.dirs, added)
			}
		}
	}
	e.dirs[dir] = where
	return nil
}

func (e *scriptEvents) remove(dir string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.dirs, dir)
}

func (e *scriptEvents) closes() bool { return e.rules.closes }
func (e *scriptEvents) close() error { return nil }

// tell gives the hints of a thing that happened to a path.
func (e *scriptEvents) tell(kind hintKind, path string) {
	switch {
	case kind == closed && !e.rules.closes:
		return
	case kind == arrived && !e.rules.arrives:
		kind = changed
	}
	parent := filepath.Dir(path)
	var hints []hint
	e.mu.Lock()
	for added, at := range e.dirs {
		switch {
		case at == parent:
			hints = append(hints, hint{path: filepath.Join(added, filepath.Base(path)), kind: kind})
		case e.rules.parents && at == filepath.Dir(parent):
			hints = append(hints, hint{path: filepath.Join(added, filepath.Base(parent)), kind: changed})
		}
	}
	e.mu.Unlock()
	for _, h := range hints {
		e.emit(h)
	}
}

// moved is called when a folder has gone from one path to another, or from the disk (to is "").
func (e *scriptEvents) moved(from, to string) {
	var hints []hint
	e.mu.Lock()
	for added, at := range e.dirs {
		rest, below := strings.CutPrefix(at, from)
		if !below || rest != "" && rest[0] != filepath.Separator {
			continue
		}
		if to != "" && !e.rules.moves {
			e.dirs[added] = to + rest
			continue
		}
		delete(e.dirs, added)
		if to == "" || rest == "" {
			hints = append(hints, hint{path: added, kind: dead})
		}
	}
	e.mu.Unlock()
	for _, h := range hints {
		e.emit(h)
	}
}

// scriptSource is a source whose hints can be lost, and which can be out of room. With the system's own source, barrier tells
// when all that happened before has been told.
type scriptSource struct {
	source
	emit func(hint)

	barrier string // a folder that is watched too; "": the hints come while the script does what they are of

	mu      sync.Mutex
	deaf    bool
	full    bool
	added   map[string]bool
	passed  int64                    // as passBarrier was told last
	reached map[string]chan struct{} // names in barrier
}

func (s *scriptSource) pass(h hint) {
	s.mu.Lock()
	if s.barrier != "" && filepath.Dir(h.path) == s.barrier {
		if reached := s.reached[filepath.Base(h.path)]; reached != nil {
			delete(s.reached, filepath.Base(h.path))
			close(reached)
		}
		s.mu.Unlock()
		return
	}
	deaf := s.deaf
	s.mu.Unlock()
	if !deaf {
		s.emit(h)
	}
}

func (s *scriptSource) add(dir string) error {
	s.mu.Lock()
	full := s.full && !s.added[dir]
	s.mu.Unlock()
	if full {
		return errNoRoom
	}
	err := s.source.add(dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added[dir] = err == nil
	return err
}

func (s *scriptSource) remove(dir string) {
	s.mu.Lock()
	delete(s.added, dir)
	s.mu.Unlock()
	s.source.remove(dir)
}

// lose loses hints from now on, or no longer: then the system says that it has lost some.
func (s *scriptSource) lose(deaf bool) {
	s.mu.Lock()
	s.deaf = deaf
	s.mu.Unlock()
	if !deaf {
		s.emit(hint{kind: overflow})
	}
}

func (s *scriptSource) fill(full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = full
}

var scriptBarriers atomic.Int64

// passBarrier returns once the hints have come of all that happened up to now. To that end it makes a folder, whose hint comes after
// those, unless changes says that nothing has happened since it was called last.
func (s *scriptSource) passBarrier(ctx context.Context, changes int64) error {
	s.mu.Lock()
	if s.barrier == "" || s.passed == changes {
		s.mu.Unlock()
		return nil
	}
	s.passed = changes
	name, reached := strconv.FormatInt(scriptBarriers.Add(1), 10), make(chan struct{})
	s.reached[name] = reached
	s.mu.Unlock()
	if err := os.Mkdir(filepath.Join(s.barrier, name), 0o700); err != nil {
		return err
	}
	select {
	case <-reached:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// scriptMemory is a memory that can fail, and which a crash cuts off from the process.
type scriptMemory struct {
	*testMemory
	mu        sync.Mutex
	crash     bool // before the next announced content is remembered
	gone      bool // the process, by that crash
	failures  int  // of calls to come
	forgetful int  // times to come that announced contents are not remembered
}

func newScriptMemory() *scriptMemory {
	return &scriptMemory{testMemory: newTestMemory()}
}

func (m *scriptMemory) isGone() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gone
}

func (m *scriptMemory) recover() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.crash, m.gone, m.failures, m.forgetful = false, false, 0, 0
}

func (m *scriptMemory) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return errCrashed
	}
	if m.failures > 0 {
		m.failures--
		return errRefused
	}
	return nil
}

func (m *scriptMemory) Known(ctx context.Context, folder string, each func(Known)) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Known(ctx, folder, each)
}

func (m *scriptMemory) Announced(ctx context.Context, folder string, contents []Sum) ([]bool, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return m.testMemory.Announced(ctx, folder, contents)
}

func (m *scriptMemory) Remember(ctx context.Context, folder string, files []Known) error {
	for _, f := range files {
		if f.SHA256 != (Sum{}) {
			m.mu.Lock()
			m.gone = m.gone || m.crash
			forgetful := m.forgetful > 0
			if forgetful {
				m.forgetful--
			}
			m.mu.Unlock()
			if forgetful {
				return errRefused
			}
		}
	}
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Remember(ctx, folder, files)
}

func (m *scriptMemory) Forget(ctx context.Context, folder string, names []string) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Forget(ctx, folder, names)
}
