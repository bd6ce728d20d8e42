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

// hint is an event of the system for a path: a reason to inspect it, and never more.
type hint struct {
	path string // absolute; "" with overflow
	kind hintKind
}

type hintKind uint8

const (
	changed  hintKind = iota // a file or folder is new or has changed
	closed                   // a writer has closed the file
	arrived                  // a file or folder was renamed to this name
	left                     // it is gone
	overflow                 // events were lost: everything has to be scanned
	// dead: this folder is not watched any more, nor are those below it: it was removed, renamed or unmounted, or another has taken its name. It has
	// to be scanned, and what is there added again.
	dead
)

// source gives hints for folders, but not for folders inside them: each is added by itself. Its methods may be called on any goroutine.
type source interface {
	// add watches a folder; whatever happens after it has returned gives a hint. It may block for as long as the disk does, without blocking other
	// calls. Adding a folder again changes nothing: one remove ends it. errNoRoom: the system's limit is reached; errNoEvents: the system has no
	// events for that folder.
	add(dir string) error
	// remove stops watching a folder, if it is watched. Hints under way may still come.
	remove(dir string)
	// closes reports whether a hint of kind closed comes when a file's writer closes it.
	closes() bool
	// close stops everything and waits until emit is not called any more; emit must not call it.
	close() error
}

// newSource opens a source, which calls emit with each hint, on a goroutine that does nothing but read the system's queue: emit must return at once.
type newSource func(emit func(hint)) (source, error)

// Both may be wrapped.
var (
	errNoRoom   = errors.New("the system watches no more folders")
	errNoEvents = errors.New("the system tells of no changes there")
)

// notify is the source for systems other than Linux, by fsnotify. It can't tell that a file was closed, nor a renamed file from a new one.
//
// It takes no folders on shares: on some systems fsnotify asks the disk on the goroutine that delivers events, so that a share that does not answer
// would hold up all others.
type notify struct {
	watcher *fsnotify.Watcher
	emit    func(hint)
	work    sync.WaitGroup
	wake    chan struct{} // holds one value while there are drops
	ended   chan struct{} // closed when the reader has returned

	changing sync.Mutex // held while the watcher is called
	closed   bool

	mu    sync.Mutex
	dirs  map[string]bool // folders that are watched
	drops []string        // folders that the watcher must still remove
}

// openNotifySource opens a source by fsnotify. errNoRoom: the system's limit is reached.
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

// notifyError translates an error to errNoRoom or errNoEvents. Errors of the folder itself stay as they are.
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
	_ = s.watcher.Remove(dir) // a part of it may have been added
	return notifyError(dir, err)
}

func (s *notify) remove(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirs[dir] {
		s.drop(dir)
	}
}

// drop forgets a folder; another goroutine has the watcher remove it: on some systems that waits for the goroutine that delivers events, which waits
// for the reader.
func (s *notify) drop(dir string) {
	delete(s.dirs, dir)
	s.drops = append(s.drops, dir)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// dropAll has the watcher remove the drops; changing is held.
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
			_ = s.watcher.Remove(dir) // the system may have removed it by itself
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

// read reads the system's queue until it is closed.
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
			s.emit(hint{"", overflow}) // whatever it was, events may be lost
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

// forget drops a folder that was renamed or removed, and those below it. It reports whether it was watched.
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
