package watch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestWatcher(t *testing.T) {
	t.Run("a file is announced soon after its writer has closed it, and not again when it is touched, renamed or written anew", func(t *testing.T) {
		dir, d := t.TempDir(), newReceiver()
		w := open(t, Params{Memory: newTestMemory(), Announce: d.announce})
		add(t, w, Folder{ID: "a", Path: dir, Quiet: 50 * time.Millisecond})
		settle(t, w)
		write(t, "first", dir, "a.jpg")
		got := d.wait(t, 1)[0]
		want := File{Folder: "a", Path: filepath.Join(dir, "a.jpg"), Size: 5, Time: got.Time, SHA256: sha256.Sum256([]byte("first"))}
		if got != want {
			t.Errorf("announced %+v, want %+v", got, want)
		}
		write(t, "first", dir, "a.jpg")
		must(t, os.Chtimes(filepath.Join(dir, "a.jpg"), time.Time{}, time.Unix(1, 0)))
		must(t, os.Rename(filepath.Join(dir, "a.jpg"), filepath.Join(dir, "b.jpg")))
		write(t, "second", dir, "c.jpg")
		if all := d.wait(t, 2); len(all) != 2 || filepath.Base(all[1].Path) != "c.jpg" {
			t.Errorf("announced %v", d.names())
		}
	})

	t.Run("a hundred folders are watched side by side", func(t *testing.T) {
		d := newReceiver()
		w := open(t, Params{Memory: newTestMemory(), Announce: d.announce})
		base := t.TempDir()
		for i := range 100 {
			dir := filepath.Join(base, fmt.Sprint(i))
			must(t, os.Mkdir(dir, 0o700))
			add(t, w, Folder{ID: fmt.Sprint(i), Path: dir, Quiet: 50 * time.Millisecond})
		}
		settle(t, w)
		for i := range 100 {
			write(t, fmt.Sprint("content ", i), base, fmt.Sprint(i), "a.jpg")
		}
		for _, f := range d.wait(t, 100) {
			if filepath.Base(filepath.Dir(f.Path)) != f.Folder {
				t.Errorf("%s was announced for folder %s", f.Path, f.Folder)
			}
		}
	})

	t.Run("a folder inside another one does no harm: each announces what is in it", func(t *testing.T) {
		h := setup(t)
		inner := filepath.Join(h.dir, "inner")
		must(t, os.Mkdir(inner, 0o700))
		add(t, h.w, Folder{ID: "outer", Path: h.dir, Subfolders: true})
		add(t, h.w, Folder{ID: "inner", Path: inner})
		settle(t, h.w)
		write(t, "x", inner, "a.jpg")
		h.source.emit(hint{filepath.Join(inner, "a.jpg"), closed})
		settle(t, h.w)
		var folders []string
		for _, f := range h.receiver.wait(t, 2) {
			folders = append(folders, f.Folder)
		}
		if slices.Sort(folders); !slices.Equal(folders, []string{"inner", "outer"}) {
			t.Errorf("announced for %v", folders)
		}
		h.w.Remove("inner")
		h.w.Close()
		equal(t, h.source.watched(), 0)
	})

	t.Run("a pattern that can't be used is refused, and so is an ID in use", func(t *testing.T) {
		h := setup(t)
		var problem *Problem
		if err := h.w.Add(Folder{ID: "a", Path: h.dir, Only: []string{"["}}); !errors.As(err, &problem) || !errors.Is(err, ErrBadPattern) {
			t.Errorf("%v", err)
		}
		add(t, h.w, Folder{ID: "a", Path: h.dir})
		if err := h.w.Add(Folder{ID: "a", Path: h.dir}); err == nil {
			t.Error("the ID was taken twice")
		}
		if err := h.w.Change(Folder{ID: "a", Path: h.dir, Skip: []string{"["}}); !errors.Is(err, ErrBadPattern) {
			t.Errorf("%v", err)
		}
		if err := h.w.Change(Folder{ID: "b", Path: h.dir}); err == nil {
			t.Error("a folder was changed that is not there")
		}
		if _, watched := h.w.State("b"); watched {
			t.Error("a folder has a state that is not there")
		}
	})

	t.Run("once Remove has returned, nothing of the folder is announced or remembered, and an Announce under way is told", func(t *testing.T) {
		h := setup(t)
		under, ended, let := make(chan struct{}), make(chan error, 1), make(chan struct{})
		h.announce = func(ctx context.Context, _ []File) error {
			close(under) // a second call would panic
			<-ctx.Done()
			<-let
			ended <- ctx.Err()
			return nil
		}
		add(t, h.w, Folder{ID: "a", Path: h.dir})
		settle(t, h.w)
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		await(t, under)
		h.w.Remove("a")
		close(let)
		if err := await(t, ended); err == nil {
			t.Error("the ctx was not cancelled")
		}
		write(t, "y", h.dir, "b.jpg")
		h.hint(closed, "b.jpg")
		settle(t, h.w)
		h.w.Close()
		if known := h.memory.all("a"); len(known) != 0 {
			t.Errorf("remembered after it was removed: %+v", known)
		}
	})

	t.Run("a folder that was removed can be added again at once", func(t *testing.T) {
		h := setup(t)
		for i := range 20 {
			add(t, h.w, Folder{ID: "a", Path: h.dir})
			settle(t, h.w)
			write(t, fmt.Sprint(i), h.dir, "a.jpg")
			h.hint(closed, "a.jpg")
			h.receiver.wait(t, i+1)
			h.w.Remove("a")
		}
	})

	t.Run("while one folder's files are not taken over, the others' are", func(t *testing.T) {
		h := setup(t)
		under := make(chan struct{})
		h.announce = func(ctx context.Context, files []File) error {
			if files[0].Folder == "a" {
				close(under)
				<-ctx.Done()
				return ctx.Err()
			}
			return h.receiver.announce(ctx, files)
		}
		other := t.TempDir()
		add(t, h.w, Folder{ID: "a", Path: h.dir})
		add(t, h.w, Folder{ID: "b", Path: other})
		settle(t, h.w)
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		await(t, under)
		write(t, "y", other, "b.jpg")
		h.source.emit(hint{filepath.Join(other, "b.jpg"), closed})
		h.receiver.wait(t, 1)
	})

	t.Run("a disk that does not answer is said to, and holds up no other", func(t *testing.T) {
		h := setup(t)
		asked, answer := make(chan struct{}, 3), make(chan struct{})
		h.hash = func(ctx context.Context, f *os.File) (Sum, error) {
			if filepath.Dir(f.Name()) != h.dir {
				asked <- struct{}{}
				<-answer // whatever ctx says, as a disk does
			}
			return fileSum(ctx, f)
		}
		defer close(answer)
		dead := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		for _, dir := range append(dead, h.dir) {
			add(t, h.w, Folder{ID: dir, Path: dir})
		}
		settle(t, h.w)
		for _, dir := range dead {
			write(t, "x", dir, "a.jpg")
			h.source.emit(hint{filepath.Join(dir, "a.jpg"), closed})
			await(t, asked)
			h.passUntil(t, dir, noAnswer, func(s State) bool { return s.Phase == Stuck && errors.Is(s.Problem, ErrNotAnswering) })
		}
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		h.receiver.wait(t, 1)
	})

	t.Run("its state tells what is there and what was announced, and Changed is called for it", func(t *testing.T) {
		h := setup(t)
		write(t, "x", h.dir, "old.jpg")
		add(t, h.w, Folder{ID: "a", Path: h.dir, Quiet: time.Second})
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Phase != Watching || s.Files != 1 || s.Settling != 1 || s.Offered != 0 || s.Problem != nil {
			t.Errorf("before: %+v", s)
		}
		h.receiver.setRefuse(errors.New("full"))
		h.clock.pass(time.Second)
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Settling != 0 || s.Offered != 1 || !errors.Is(s.Problem, ErrNotTaken) {
			t.Errorf("while it is refused: %+v", s)
		}
		h.receiver.setRefuse(nil)
		h.clock.pass(time.Second)
		settle(t, h.w)
		s, _ := h.w.State("a")
		if s.Files != 1 || s.Offered != 0 || s.Problem != nil || filepath.Base(s.Last.Path) != "old.jpg" || s.LastAt.IsZero() {
			t.Errorf("after: %+v", s)
		}
		await(t, h.changed)
	})

	t.Run("after Close nothing is added, and closing twice does no harm", func(t *testing.T) {
		h := setup(t)
		add(t, h.w, Folder{ID: "a", Path: h.dir})
		h.w.Close()
		h.w.Close()
		if err := h.w.Add(Folder{ID: "b", Path: h.dir}); err == nil {
			t.Error("a folder was added")
		}
	})

	t.Run("it asks for what it can't do without", func(t *testing.T) {
		if _, err := Open(Params{}); err == nil {
			t.Error("it was opened without memory")
		}
	})
}

// idle returns once no folder has anything to do but wait: for hints, or for time to pass.
func (w *Watcher) waitIdle(ctx context.Context) error {
	for {
		w.mu.Lock()
		idle, busy := w.idleSignal, false
		for _, f := range w.folders {
			busy = busy || !f.isIdle()
		}
		w.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isIdle reports whether there is nothing to do but wait.
func (f *folder) isIdle() bool {
	now := f.w.passed()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.resting && !f.changing && len(f.pending.list) == 0 && !f.pending.lost && (f.until == atNoTime || f.until > now)
}

// fakeSource gives the hints that a test makes up.
type fakeSource struct {
	emit   func(hint)
	refuse map[string]error // directories that can't be watched
	during func(dir string) // happens while one is added

	mu   sync.Mutex
	dirs map[string]bool
}

// opener opens it as Params.source.
func (s *fakeSource) opener(emit func(hint)) (source, error) {
	s.emit, s.dirs = emit, make(map[string]bool)
	return s, nil
}

func (s *fakeSource) add(dir string) error {
	if err := s.refuse[dir]; err != nil {
		return err
	}
	if s.during != nil {
		s.during(dir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirs[dir] = true
	return nil
}

func (s *fakeSource) remove(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.dirs, dir)
}

// watched is how many directories are watched.
func (s *fakeSource) watched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dirs)
}

func (s *fakeSource) closes() bool { return true }
func (s *fakeSource) close() error { return nil }
