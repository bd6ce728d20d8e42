package watch

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestAnnounce(t *testing.T) {
	// begun is a fixture with a folder that is empty and watched.
	begun := func(t *testing.T) *fixture {
		t.Helper()
		h := setup(t)
		add(t, h.w, Folder{ID: "a", Path: h.dir, Quiet: time.Second, Subfolders: true})
		settle(t, h.w)
		return h
	}
	// want passes if these were announced and nothing else.
	want := func(t *testing.T, h *fixture, names ...string) {
		t.Helper()
		settle(t, h.w)
		if got := h.receiver.names(); !slices.Equal(got, names) {
			t.Errorf("announced %q, want %q", got, names)
		}
	}

	t.Run("two files with the same bytes are one announcement, and both are remembered", func(t *testing.T) {
		h := setup(t)
		write(t, "x", h.dir, "a.jpg")
		write(t, "x", h.dir, "b.jpg")
		add(t, h.w, Folder{ID: "a", Path: h.dir, Quiet: time.Second})
		settle(t, h.w)
		h.clock.pass(time.Second)
		settle(t, h.w)
		if names := h.receiver.names(); len(names) != 1 {
			t.Errorf("announced %q", names)
		}
		if known := h.memory.all("a"); len(known) != 2 || known[0].SHA256 != known[1].SHA256 {
			t.Errorf("remembered %+v", known)
		}
	})

	t.Run("what changes while it is read is not announced before it has rested again", func(t *testing.T) {
		h := begun(t)
		grow := true
		h.hash = func(ctx context.Context, f *os.File) (Sum, error) {
			sum, err := fileSum(ctx, f)
			if grow {
				grow = false
				write(t, "the whole", h.dir, "a.jpg")
			}
			return sum, err
		}
		write(t, "half", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		settle(t, h.w)
		h.hint(closed, "a.jpg")
		want(t, h, "a.jpg")
		equal(t, h.receiver.files[0].Size, int64(len("the whole")))
	})

	t.Run("another file that was opened in its place is not taken for it, though it has its size and time", func(t *testing.T) {
		h := setup(t)
		for _, name := range []string{"a.jpg", "b.jpg"} {
			write(t, name, h.dir, name)
			must(t, os.Chtimes(filepath.Join(h.dir, name), time.Time{}, time.Unix(1_700_000_000, 0)))
		}
		f := still(t, h, Folder{ID: "a", Path: h.dir})
		i := inspector{f: f, rules: f.rules}
		seen, _, err := stat(f.rules, "a.jpg")
		must(t, err)
		if seen.file == 0 {
			t.Skip("files have no numbers here")
		}
		for name, want := range map[string]inspected{"a.jpg": complete, "b.jpg": restless} {
			file, err := os.Open(filepath.Join(h.dir, name))
			must(t, err)
			if got := i.steady(&inspection{candidate: candidate{name: "a.jpg", final: true}, entry: seen}, file); got != want {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			must(t, file.Close())
		}
	})

	t.Run("what was refused is offered again in its order, without reading it again", func(t *testing.T) {
		h := begun(t)
		h.receiver.setRefuse(errors.New("full"))
		for _, name := range []string{"c.jpg", "a.jpg", "b.jpg"} {
			write(t, name, h.dir, name)
			h.hint(closed, name)
			settle(t, h.w)
		}
		want(t, h)
		h.receiver.setRefuse(nil)
		h.clock.pass(retryMost)
		want(t, h, "c.jpg", "a.jpg", "b.jpg")
		equal(t, h.read.Load(), 3)
	})

	t.Run("what was refused and is written again to the same size is read again, though nothing was told of it", func(t *testing.T) {
		h := begun(t)
		h.receiver.setRefuse(errors.New("full"))
		write(t, "one", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		want(t, h)
		write(t, "two", h.dir, "a.jpg")
		must(t, os.Chtimes(filepath.Join(h.dir, "a.jpg"), time.Time{}, time.Unix(1_700_000_000, 7)))
		h.receiver.setRefuse(nil)
		h.clock.pass(retryMost)
		want(t, h, "a.jpg")
		equal(t, h.receiver.files[0].SHA256, sha256.Sum256([]byte("two")))
	})

	t.Run("what was refused and has gone since is not announced", func(t *testing.T) {
		h := begun(t)
		h.receiver.setRefuse(errors.New("full"))
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		settle(t, h.w)
		must(t, os.Remove(filepath.Join(h.dir, "a.jpg")))
		h.receiver.setRefuse(nil)
		h.clock.pass(retryMost)
		want(t, h)
	})

	t.Run("that files wait is said until none does", func(t *testing.T) {
		h := begun(t)
		h.receiver.setRefuse(errors.New("full"))
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Problem == nil {
			t.Error("it is not said")
		}
		must(t, os.Remove(filepath.Join(h.dir, "a.jpg")))
		h.hint(left, "a.jpg")
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Problem != nil {
			t.Errorf("after it has gone: %v", s.Problem)
		}
	})

	t.Run("that what was announced can't be remembered is said though no file waits", func(t *testing.T) {
		h := begun(t)
		h.memory.setRefuse(errors.New("full"))
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		h.receiver.wait(t, 1)
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Problem == nil || s.Settling+s.Offered != 0 {
			t.Errorf("%+v", s)
		}
		h.memory.setRefuse(nil)
		h.clock.pass(retryMost)
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Problem != nil || s.Files != 1 {
			t.Errorf("later: %+v", s)
		}
		want(t, h, "a.jpg")
	})

	t.Run("a renamed file is known by its number without being read", func(t *testing.T) {
		h := begun(t)
		write(t, "x", h.dir, "a.jpg")
		h.hint(closed, "a.jpg")
		want(t, h, "a.jpg")
		if h.memory.all("a")[0].File == 0 {
			t.Skip("files have no numbers here")
		}
		must(t, os.Rename(filepath.Join(h.dir, "a.jpg"), filepath.Join(h.dir, "b.jpg")))
		h.hint(left, "a.jpg")
		h.hint(arrived, "b.jpg")
		want(t, h, "a.jpg")
		equal(t, h.read.Load(), 1)
		known := h.memory.all("a")
		if i := slices.IndexFunc(known, func(k Known) bool { return k.Name == "b.jpg" }); i < 0 || known[i].SHA256 == (Sum{}) {
			t.Errorf("remembered %+v", known)
		}
	})

	t.Run("where times are whole seconds, a renamed file is read: it may be another that was given a deleted one's number", func(t *testing.T) {
		h := begun(t)
		write(t, "x", h.dir, "a.jpg")
		must(t, os.Chtimes(filepath.Join(h.dir, "a.jpg"), time.Time{}, time.Unix(1_700_000_000, 0)))
		h.hint(closed, "a.jpg")
		want(t, h, "a.jpg")
		read := h.read.Load()
		must(t, os.Rename(filepath.Join(h.dir, "a.jpg"), filepath.Join(h.dir, "b.jpg")))
		h.hint(arrived, "b.jpg")
		want(t, h, "a.jpg")
		equal(t, h.read.Load()-read, 1)
	})

	t.Run("other bytes of the same size and time are read where a hint tells of a writer", func(t *testing.T) {
		h := begun(t)
		path := filepath.Join(h.dir, "a.jpg")
		for n, content := range []string{"first", "other"} {
			write(t, content, path)
			must(t, os.Chtimes(path, time.Time{}, time.Unix(1_700_000_000, 5)))
			h.hint(closed, "a.jpg")
			settle(t, h.w)
			h.clock.pass(time.Second) // it was announced a moment ago
			h.receiver.wait(t, n+1)
			settle(t, h.w)
		}
	})

	t.Run("what lies in a directory that was moved there is complete with it", func(t *testing.T) {
		h := begun(t)
		away := filepath.Join(t.TempDir(), "day")
		writeAt(t, filepath.Join(away, "night", "a.jpg"), "x")
		must(t, os.Rename(away, filepath.Join(h.dir, "day")))
		h.hint(arrived, "day")
		want(t, h, "a.jpg")
		equal(t, h.source.watched(), 3)
	})

	t.Run("a directory that has gone without a word is watched no more after the next look at everything", func(t *testing.T) {
		h := setup(t)
		must(t, os.Mkdir(filepath.Join(h.dir, "day"), 0o700))
		add(t, h.w, Folder{ID: "a", Path: h.dir, Subfolders: true})
		settle(t, h.w)
		before := h.source.watched()
		must(t, os.Remove(filepath.Join(h.dir, "day")))
		h.clock.pass(scanAgain)
		settle(t, h.w)
		if n := h.source.watched(); before != 2 || n != 1 {
			t.Errorf("%d directories are watched, and %d once one is gone", before, n)
		}
	})

	t.Run("one that was read for too long is no file that rested", func(t *testing.T) {
		h := begun(t)
		write(t, "x", h.dir, "a.jpg")
		h.hint(changed, "a.jpg")
		want(t, h)
		write(t, "xx", h.dir, "a.jpg") // and no hint
		h.clock.pass(time.Second)
		want(t, h)
		h.clock.pass(time.Second)
		want(t, h, "a.jpg")
	})

	t.Run("where nobody can tell who has a file open, one whose time is set after it was closed has to rest, once", func(t *testing.T) {
		h := begun(t)
		h.unknown.Store(true)
		write(t, "x", h.dir, "a.jpg")
		h.hintsAtOnce("a", hint{filepath.Join(h.dir, "a.jpg"), closed}, hint{filepath.Join(h.dir, "a.jpg"), changed})
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Settling != 1 {
			t.Errorf("%+v", s)
		}
		h.clock.pass(time.Second)
		want(t, h, "a.jpg")
	})

	t.Run("what is found by looking is announced in the order in which it was written", func(t *testing.T) {
		h := begun(t)
		for n, name := range []string{"c.jpg", "a.jpg", "d.jpg", "b.jpg"} {
			write(t, name, h.dir, name)
			must(t, os.Chtimes(filepath.Join(h.dir, name), time.Time{}, time.Unix(1_700_000_000, int64(n))))
		}
		h.source.emit(hint{kind: overflow})
		settle(t, h.w)
		h.clock.pass(time.Second)
		want(t, h, "c.jpg", "a.jpg", "d.jpg", "b.jpg")
	})

	t.Run("more files than are taken at once, and hints that were lost, leave none out", func(t *testing.T) {
		h := begun(t)
		const files = inspectedAtOnce*2 + 1
		for i := range files {
			write(t, string(rune('a'+i)), h.dir, string(rune('a'+i))+".jpg")
		}
		h.source.emit(hint{kind: overflow})
		settle(t, h.w)
		h.clock.pass(time.Second)
		settle(t, h.w)
		equal(t, len(h.receiver.names()), files)
	})
}
