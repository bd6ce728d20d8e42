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

// Watcher watches folders. Its methods are safe on any goroutine.
type Watcher struct {
	p      Params
	epoch  time.Time
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	byDir  foldersByDir
	// source is nil where the system can't tell of changes at all; sourceErr is why.
	source        source
	sourceErr     error
	hashSlots     chan struct{} // a slot for each file that is read to be announced, on this computer's own disks
	baselineSlots chan struct{} // likewise, for files that are read while there is nothing else to do

	// work ends when all goroutines have.
	work sync.WaitGroup

	mu         sync.Mutex
	folders    map[string]*folder
	closed     bool
	idleSignal chan struct{} // closed, and replaced by another, when a folder has come to rest; tests wait for that
}

// How many files are read at the same time: more make no disk faster, and leave the computer to the person.
const (
	hashingAtOnce  = 2
	baselineAtOnce = 1
)

// errClosed answers to calls after Close.
var errClosed = errors.New("watch: the watcher is closed")

// Open builds a watcher of no folders yet. It fails only where Params lack something.
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

// Add begins to watch a folder. It returns at once, whatever the disk does: State says what came of it. The error is a *Problem
// that names a malformed pattern. ID must not be in use.
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

// Change gives a folder, named by its ID, other settings. They take effect at once, without a file's being forgotten or announced
// twice. The error is as Add's.
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

// Remove ends watching a folder. Once it has returned, no file of it is announced any more and nothing of it is remembered: the
// ctx of an Announce under way, however little, is cancelled, and is not waited for; a call of Memory that writes is.
func (w *Watcher) Remove(id string) {
	w.mu.Lock()
	removing := w.folders[id]
	delete(w.folders, id)
	w.mu.Unlock()
	if removing != nil {
		removing.remove()
	}
}

// State says how a folder stands; false: it is not watched.
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

// Close ends watching and waits for it: for calls under way too, whose ctx is cancelled, but not for a disk that does not answer.
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

// passed is the time that has passed since the watcher was opened, by a clock that nobody sets.
func (w *Watcher) passed() time.Duration {
	return w.p.Now().Sub(w.epoch)
}

// notifyIdle wakes those who wait for idleness.
func (w *Watcher) notifyIdle() {
	w.mu.Lock()
	close(w.idleSignal)
	w.idleSignal = make(chan struct{})
	w.mu.Unlock()
}

// foldersByDir say which folders a hint concerns. Several may ask for hints of one directory. The zero value is ready.
type foldersByDir struct {
	// changing is held while an entry and what the source watches are brought into step. emit does not take it: the source may
	// hold a lock of its own then.
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

// remove ends that, and calls last where nobody asks for the directory's hints any more.
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

// of are the folders that a hint concerns.
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
