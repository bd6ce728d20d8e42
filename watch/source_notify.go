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
