package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Watcher watches folders. Its methods may be called on any goroutine.
type Watcher struct {
	p      Params
	epoch  time.Time
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	byDir  foldersByDir
	// source is nil where the system can't report changes at all; sourceErr is why.
	source        source
	sourceErr     error
	hashSlots     chan struct{} // a slot for each file on a local disk that is being read to be announced
	baselineSlots chan struct{} // the same for files that are read while there is nothing else to do

	// work is all goroutines.
	work sync.WaitGroup

	mu         sync.Mutex
	folders    map[string]*folder
	closed     bool
	idleSignal chan struct{} // closed, and replaced, when a folder becomes idle; for tests
}

// How many files are read at the same time: more would not be faster, and would slow the computer down for the person.
const (
	hashingAtOnce  = 2
	baselineAtOnce = 1
)

// errClosed is the error of calls after Close.
var errClosed = errors.New("watch: the watcher is closed")

// Open makes a watcher without folders. It fails only if something is missing in Params.
func Open(p Params) (*Watcher, error) {
	if p.Memory == nil || p.Announce == nil {
		return nil, errors.New("watch: Memory and Announce are required")
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.After == nil {
		p.After = time.After
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Changed == nil {
		p.Changed = func(string) {}
	}
	if p.source == nil {
		p.source = openSource
	}
	if p.beingWritten == nil {
		p.beingWritten = beingWritten
	}
	w := &Watcher{
		p:             p,
		epoch:         p.Now(),
		hashSlots:     make(chan struct{}, hashingAtOnce),
		baselineSlots: make(chan struct{}, baselineAtOnce),
		folders:       make(map[string]*folder),
		idleSignal:    make(chan struct{}),
	}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.source, w.sourceErr = p.source(w.emit)
	if w.sourceErr != nil {
		w.source = nil
		p.Log.Warn("the system tells of no changes in folders", "error", w.sourceErr)
	}
	return w, nil
}

// Add begins to watch a folder. It returns at once, whatever the disk does; see State. The error is a *Problem that names a malformed pattern. ID
// must not be in use.
func (w *Watcher) Add(f Folder) error {
	if _, err := newRules(f.Path, f, w.p.Own); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	if _, used := w.folders[f.ID]; used {
		return fmt.Errorf("watch: a folder with the ID %q is being watched", f.ID)
	}
	added := newFolder(w, f)
	w.folders[f.ID] = added
	w.work.Go(added.run)
	return nil
}

// Change gives a folder, by its ID, other settings. They hold at once; no file is forgotten or announced twice. The error is as Add's.
func (w *Watcher) Change(f Folder) error {
	if _, err := newRules(f.Path, f, w.p.Own); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	changing := w.folders[f.ID]
	if changing == nil {
		return fmt.Errorf("watch: no folder with the ID %q is being watched", f.ID)
	}
	changing.change(f)
	return nil
}

// Remove stops watching a folder. Once it has returned, no file of it is announced any more and nothing is remembered: it cancels the ctx of an
// Announce under way without waiting for it, but it waits for a call of Memory that writes.
func (w *Watcher) Remove(id string) {
	w.mu.Lock()
	removing := w.folders[id]
	delete(w.folders, id)
	w.mu.Unlock()
	if removing != nil {
		removing.remove()
	}
}

// State returns the state of a folder; false: it is not watched.
func (w *Watcher) State(id string) (State, bool) {
	w.mu.Lock()
	f := w.folders[id]
	w.mu.Unlock()
	if f == nil {
		return State{}, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state, true
}

// Close stops watching and waits for it: also for calls under way, whose ctx is cancelled, but not for a disk that does not answer.
func (w *Watcher) Close() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		w.work.Wait()
		return
	}
	w.closed = true
	w.mu.Unlock()
	w.cancel()
	if w.source != nil {
		if err := w.source.close(); err != nil {
			w.p.Log.Warn("close the source of hints", "error", err)
		}
	}
	w.work.Wait()
}

// emit takes a hint from the source. It is called some 10,000 times a second, and returns at once.
func (w *Watcher) emit(h hint) {
	now := w.passed()
	for _, f := range w.byDir.concernedBy(h) {
		f.hint(h, now)
	}
}

// passed is the time since the watcher was opened, by the monotonic clock.
func (w *Watcher) passed() time.Duration {
	return w.p.Now().Sub(w.epoch)
}

// notifyIdle wakes those that wait for a folder to become idle.
func (w *Watcher) notifyIdle() {
	w.mu.Lock()
	close(w.idleSignal)
	w.idleSignal = make(chan struct{})
	w.mu.Unlock()
}

// foldersByDir says which folders a hint is for. Several may watch one directory. The zero value is ready.
type foldersByDir struct {
	// changing is held until an entry and what the source watches agree. emit does not take it: the source may hold a lock of its own then.
	changing sync.Mutex

	mu    sync.RWMutex
	byDir map[string][]*folder
}

// add sends a directory's hints to a folder.
func (r *foldersByDir) add(dir string, f *folder) {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byDir == nil {
		r.byDir = make(map[string][]*folder)
	}
	if !slices.Contains(r.byDir[dir], f) {
		r.byDir[dir] = append(slices.Clip(r.byDir[dir]), f)
	}
}

// remove stops that, and calls last if no folder needs the directory's hints any more.
func (r *foldersByDir) remove(dir string, f *folder, last func()) {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	rest := slices.DeleteFunc(slices.Clone(r.byDir[dir]), func(o *folder) bool { return o == f })
	if len(rest) > 0 {
		r.byDir[dir] = rest
	} else {
		delete(r.byDir, dir)
	}
	r.mu.Unlock()
	if len(rest) == 0 {
		last()
	}
}

// concernedBy returns the folders that a hint is for.
func (r *foldersByDir) concernedBy(h hint) []*folder {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if h.kind != overflow {
		at := r.byDir[filepath.Dir(h.path)]
		self := r.byDir[h.path]
		switch {
		case len(self) == 0:
			return at
		case len(at) == 0:
			return self
		}
		return union(at, self)
	}
	var all []*folder
	for _, folders := range r.byDir {
		all = union(all, folders)
	}
	return all
}

func union(a, b []*folder) []*folder {
	all := slices.Clone(a)
	for _, f := range b {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}
