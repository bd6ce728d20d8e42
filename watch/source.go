package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// hint is what an event of the system says of a path: a reason to look there, never more.
type hint struct {
	path string // absolute; "" with overflow
	kind hintKind
}

type hintKind uint8

const (
	changed  hintKind = iota // something is new or other there, file or folder
	closed                   // a writer has closed the file
	arrived                  // a file or folder was renamed to this
	left                     // it is there no more
	overflow                 // events were lost: look everywhere
	// dead: this folder, added before, is watched no more, nor are those below it: removed, renamed or unmounted, or another
	// stands under its name now. Look at it again: what is there has to be added again.
	dead
)

// source gives hints of folders, not of those in them: those are added one by one. Its methods are safe on any goroutine.
type source interface {
	// add begins to watch a folder; what happens after it has returned gives a hint. It may block for as long as the disk does
	// not answer, and holds up nobody else meanwhile. Adding one that is watched changes nothing: one remove ends it.
	// errNoRoom: the system's limit is reached; errNoEvents: no events come from there.
	add(dir string) error
	// remove ends it; it does nothing where the folder is not watched. Hints that are under way may still come.
	remove(dir string)
	// closes reports whether a hint of kind closed comes when a file's writer closes it.
	closes() bool
	// close ends all and waits until emit is called no more; emit must not call it.
	close() error
}

// newSource opens a source, which calls emit for each hint, on a goroutine of its own that reads the system's queue and does
// nothing else: emit must return at once.
type newSource func(emit func(hint)) (source, error)

// Both may be wrapped.
var (
	errNoRoom   = errors.New("the system watches no more folders")
	errNoEvents = errors.New("the system tells of no changes there")
)

// notify is the source of the systems other than Linux, by fsnotify. It can't tell that a file was closed, nor what was
// renamed to a name from what was made there.
//
// Folders on shares have no place in it: on some systems it asks the disk on the one goroutine that hands out events, and a
// share that does not answer would hold up all others.
type notify struct {
	watcher *fsnotify.Watcher
	emit    func(hint)
	work    sync.WaitGroup
	wake    chan struct{} // room for one: there are drops
	ended   chan struct{} // closed when the reader has returned

	changing sync.Mutex // held while the watcher is told something
	closed   bool

	mu    sync.Mutex
	dirs  map[string]bool // those that are watched
	drops []string        // those that were, of which the watcher does not know yet
}

// openNotifySource opens a source by fsnotify. errNoRoom: the system has no room for one.
func openNotifySource(emit func(hint)) (source, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, notifyError("", err)
	}
	s := &notify{watcher: watcher, emit: emit, wake: make(chan struct{}, 1), ended: make(chan struct{}), dirs: map[string]bool{}}
	s.work.Go(s.read)
	s.work.Go(func() {
		for {
			select {
			case <-s.wake:
				s.changing.Lock()
				s.dropAll()
				s.changing.Unlock()
			case <-s.ended:
				return
			}
		}
	})
	return s, nil
}

// notifyError says by errNoRoom and errNoEvents what an error means. What speaks of the folder itself stays as it is.
func notifyError(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		err = errors.Join(errNoRoom, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
	default:
		err = errors.Join(errNoEvents, err)
	}
	return &fs.PathError{Op: "watch", Path: dir, Err: err}
}

func (s *notify) closes() bool { return false }

func (s *notify) add(dir string) error {
	if isNetwork(dir) {
		return notifyError(dir, errNoEvents)
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.closed {
		return notifyError(dir, errNoEvents)
	}
	s.dropAll() // else a renamed folder would keep its old name
	s.mu.Lock()
	s.dirs[dir] = true
	s.mu.Unlock()
	err := s.watcher.Add(dir)
	if err == nil {
		return nil
	}
	s.mu.Lock()
	delete(s.dirs, dir)
	s.mu.Unlock()
	_ = s.watcher.Remove(dir) // where there was room for a part of it
	return notifyError(dir, err)
}

func (s *notify) remove(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirs[dir] {
		s.drop(dir)
	}
}

// drop forgets a folder, and has the watcher told on a goroutine of its own: on some systems that waits for the one that
// hands out events, which waits for the reader.
func (s *notify) drop(dir string) {
	delete(s.dirs, dir)
	s.drops = append(s.drops, dir)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// dropAll tells the watcher; changing is held.
func (s *notify) dropAll() {
	s.mu.Lock()
	drops := s.drops
	s.drops = nil
	s.mu.Unlock()
	for _, dir := range drops {
		s.mu.Lock()
		again := s.dirs[dir]
		s.mu.Unlock()
		if !again && !s.closed {
			_ = s.watcher.Remove(dir) // the system may have dropped it by itself
		}
	}
}

func (s *notify) close() error {
	s.changing.Lock()
	s.closed = true
	err := s.watcher.Close()
	s.changing.Unlock()
	s.work.Wait()
	return err
}

// read drains the system's queue until it is closed.
func (s *notify) read() {
	defer close(s.ended)
	for {
		select {
		case event, ok := <-s.watcher.Events:
			if !ok {
				return
			}
			s.take(event)
		case _, ok := <-s.watcher.Errors:
			if !ok {
				return
			}
			s.emit(hint{"", overflow}) // whatever it was, something may have been missed
		}
	}
}

func (s *notify) take(event fsnotify.Event) {
	if !event.Has(fsnotify.Remove) && !event.Has(fsnotify.Rename) {
		s.emit(hint{event.Name, changed})
		return
	}
	if s.forget(event.Name) {
		s.emit(hint{event.Name, dead})
	}
	s.emit(hint{event.Name, left})
}

// forget drops a folder that is somewhere else now, or nowhere, and those below it. It reports whether it was watched.
func (s *notify) forget(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dirs[dir] {
		return false
	}
	prefix := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	for name := range s.dirs {
		if name == dir || strings.HasPrefix(name, prefix) {
			s.drop(name)
		}
	}
	return true
}
