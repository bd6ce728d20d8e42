package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// heard collects hints, and lets a test wait for one.
type hintRecorder struct {
	mu    sync.Mutex
	hints []hint
	more  chan struct{} // closed, and made anew, with each hint
}

func newHintRecorder() *hintRecorder { return &hintRecorder{more: make(chan struct{})} }

func (h *hintRecorder) emit(got hint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hints = append(h.hints, got)
	close(h.more)
	h.more = make(chan struct{})
}

// await gives the hints up to the one that is asked for, and takes them.
func (h *hintRecorder) await(t *testing.T, want hint) []hint {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		h.mu.Lock()
		at, more := slices.Index(h.hints, want), h.more
		if at >= 0 {
			got := h.hints[:at+1]
			h.hints = h.hints[at+1:]
			h.mu.Unlock()
			return got
		}
		all := slices.Clone(h.hints)
		h.mu.Unlock()
		select {
		case <-more:
		case <-limit:
			t.Fatalf("no hint %v among %v", want, all[max(0, len(all)-50):])
		}
	}
}

// upTo gives the hints of all that happened before, by one more file in a watched folder.
func (h *hintRecorder) upTo(t *testing.T, folder string) []hint {
	t.Helper()
	for n := 0; ; n++ {
		there := filepath.Join(folder, fmt.Sprintf(".end-%d", n))
		if _, err := os.Lstat(there); err == nil {
			continue
		}
		must(t, os.Mkdir(there, 0o700))
		return h.await(t, hint{there, changed})
	}
}

// openTestSource opens a source that is closed with the test.
func openTestSource(t *testing.T, open newSource) (source, *hintRecorder) {
	t.Helper()
	h := newHintRecorder()
	s, err := open(h.emit)
	must(t, err)
	t.Cleanup(func() { _ = s.close() })
	return s, h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeAt makes a file, and the folders on the way to it.
func writeAt(t testing.TB, path, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o750))
	must(t, os.WriteFile(path, []byte(content), 0o600))
}

func announced(t *testing.T, got []hint, want ...hint) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no hint %v among %v", w, got)
		}
	}
}

func untold(t *testing.T, got []hint, path string) {
	t.Helper()
	if slices.ContainsFunc(got, func(h hint) bool { return h.path == path }) {
		t.Errorf("a hint of %s among %v", path, got)
	}
}

// TestSources holds for the system's own source and for that of other systems alike.
func TestSources(t *testing.T) {
	for name, open := range map[string]newSource{"system": openSource, "fsnotify": openNotifySource} {
		t.Run(name, func(t *testing.T) { sourceHolds(t, open) })
	}
}

func sourceHolds(t *testing.T, open newSource) {
	t.Run("a new file, a change, a removal", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		must(t, s.add(root))
		file := filepath.Join(root, "a.jpg")
		writeAt(t, file, "one")
		h.await(t, hint{file, changed})
		must(t, os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)))
		announced(t, h.upTo(t, root), hint{file, changed})
		must(t, os.Remove(file))
		h.await(t, hint{file, left})
	})
	t.Run("what lies in a folder below is not told until it is added", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		must(t, s.add(root))
		file := filepath.Join(root, "sub", "a.jpg")
		writeAt(t, file, "one")
		untold(t, h.upTo(t, root), file)
		must(t, s.add(filepath.Dir(file)))
		writeAt(t, file, "two")
		announced(t, h.upTo(t, root), hint{file, changed})
	})
	t.Run("a file renamed out of the folder has left", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		file := filepath.Join(root, "a.jpg")
		writeAt(t, file, "one")
		must(t, s.add(root))
		must(t, os.Rename(file, filepath.Join(t.TempDir(), "a.jpg")))
		h.await(t, hint{file, left})
	})
	t.Run("a folder renamed within the tree is dead, and so are those below; added anew, its paths are right", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		old, now := filepath.Join(root, "old"), filepath.Join(root, "new")
		must(t, os.MkdirAll(filepath.Join(old, "deep"), 0o750))
		for _, dir := range []string{root, old, filepath.Join(old, "deep")} {
			must(t, s.add(dir))
		}
		must(t, os.Rename(old, now))
		h.await(t, hint{old, dead})
		must(t, s.add(now))
		must(t, s.add(filepath.Join(now, "deep")))
		writeAt(t, filepath.Join(now, "deep", "a.jpg"), "one")
		writeAt(t, filepath.Join(now, "b.jpg"), "two")
		got := h.upTo(t, root)
		announced(t, got, hint{filepath.Join(now, "deep", "a.jpg"), changed}, hint{filepath.Join(now, "b.jpg"), changed})
		untold(t, got, filepath.Join(old, "deep", "a.jpg"))
		untold(t, got, filepath.Join(old, "b.jpg"))
	})
	t.Run("a folder that takes a renamed one's place is told of once it was added", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		dir := filepath.Join(root, "in")
		must(t, os.Mkdir(dir, 0o750))
		must(t, s.add(root))
		must(t, s.add(dir))
		for n := range 5 {
			must(t, os.Rename(dir, filepath.Join(root, fmt.Sprintf("in-%d", n))))
			must(t, os.Mkdir(dir, 0o750))
			h.await(t, hint{dir, dead})
			file := filepath.Join(dir, fmt.Sprintf("%d.jpg", n))
			for again := true; again; {
				must(t, s.add(dir))
				writeAt(t, file, "one")
				got := h.upTo(t, root)
				// fsnotify may tell of the renaming twice, once after the new folder was added.
				if again = slices.Contains(got, hint{dir, dead}); !again {
					announced(t, got, hint{file, changed})
				}
			}
		}
	})
	t.Run("a removed folder is dead, and can be added when it is back", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := filepath.Join(t.TempDir(), "root")
		must(t, os.Mkdir(root, 0o750))
		must(t, s.add(root))
		must(t, os.Remove(root))
		h.await(t, hint{root, dead})
		if err := s.add(root); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("added what is not there: %v", err)
		}
		must(t, os.Mkdir(root, 0o750))
		must(t, s.add(root))
		writeAt(t, filepath.Join(root, "a.jpg"), "one")
		h.await(t, hint{filepath.Join(root, "a.jpg"), changed})
	})
	t.Run("a renamed root is dead, though nobody watches the folder it lies in", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := filepath.Join(t.TempDir(), "root")
		must(t, os.Mkdir(root, 0o750))
		must(t, s.add(root))
		must(t, os.Rename(root, root+"-2"))
		h.await(t, hint{root, dead})
	})
	t.Run("no hint of a folder that was removed from the source; a second time does nothing", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root, other := t.TempDir(), t.TempDir()
		must(t, s.add(root))
		must(t, s.add(other))
		s.remove(other)
		s.remove(other)
		s.remove(filepath.Join(root, "never added"))
		h.upTo(t, root) // fsnotify's is removed a moment later
		must(t, s.add(other))
		s.remove(other)
		must(t, s.add(other))
		file := filepath.Join(other, "a.jpg")
		writeAt(t, file, "one")
		announced(t, h.upTo(t, other), hint{file, changed})
	})
	t.Run("a folder added twice is told of once, and removed once", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		must(t, s.add(root))
		must(t, s.add(root))
		file := filepath.Join(root, "a.jpg")
		must(t, os.Mkdir(file, 0o700))
		got := h.upTo(t, root)
		equal(t, len(slices.DeleteFunc(got, func(h hint) bool { return h.path != file })), 1)
	})
	t.Run("a closed source watches nothing and tells nothing", func(t *testing.T) {
		s, h := openTestSource(t, open)
		root := t.TempDir()
		must(t, s.add(root))
		must(t, s.close())
		_ = s.close()
		writeAt(t, filepath.Join(root, "a.jpg"), "one")
		if err := s.add(root); !errors.Is(err, errNoEvents) {
			t.Errorf("added to a closed source: %v", err)
		}
		s.remove(root)
		if len(h.hints) > 0 {
			t.Errorf("told %v", h.hints)
		}
	})
	t.Run("many goroutines add, remove and close at once", func(t *testing.T) {
		s, _ := openTestSource(t, open)
		root := t.TempDir()
		var all sync.WaitGroup
		for n := range 8 {
			dir := filepath.Join(root, fmt.Sprint(n%4))
			_ = os.Mkdir(dir, 0o750)
			all.Go(func() {
				for range 50 {
					_ = s.add(dir)
					_ = os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), []byte("one"), 0o600)
					s.remove(dir)
				}
			})
		}
		must(t, s.close())
		all.Wait()
	})
}

// equal reports what is not as it should be.
func equal[T comparable](t testing.TB, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
