package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// fill fills a folder with files that stand there when it is added, each a second newer than the one before.
func fill(t *testing.T, h *fixture, names ...string) {
	t.Helper()
	for i, name := range names {
		write(t, name, h.dir, name)
		must(t, os.Chtimes(filepath.Join(h.dir, name), time.Time{}, time.Unix(1_700_000_000+int64(i), 7)))
	}
	f := Folder{ID: "a", Path: h.dir, Quiet: time.Second}
	must(t, List(t.Context(), f, nil, func(k Known) error { return h.memory.Remember(t.Context(), "a", []Known{k}) }))
	add(t, h.w, f)
}

func TestBaseline(t *testing.T) {
	unread := func(h *fixture) (names []string) {
		for _, k := range h.memory.all("a") {
			if k.SHA256 == (Sum{}) {
				names = append(names, k.Name)
			}
		}
		return names
	}

	t.Run("what stood there is read while there is nothing else to do, the newest first, and not announced", func(t *testing.T) {
		h := setup(t)
		var read []string
		h.hash = func(ctx context.Context, f *os.File) (Sum, error) {
			read = append(read, filepath.Base(f.Name()))
			return fileSum(ctx, f)
		}
		fill(t, h, "a.jpg", "b.jpg", "c.jpg")
		settle(t, h.w)
		if want := []string{"c.jpg", "b.jpg", "a.jpg"}; !slices.Equal(read, want) {
			t.Errorf("read %q, want %q", read, want)
		}
		if names := unread(h); len(names) != 0 || len(h.receiver.names()) != 0 {
			t.Errorf("not read: %q; announced: %q", names, h.receiver.names())
		}
	})

	t.Run("then a copy of one, or the same bytes written again, are no new file", func(t *testing.T) {
		h := setup(t)
		fill(t, h, "a.jpg")
		settle(t, h.w)
		write(t, "a.jpg", h.dir, "copy.jpg")
		write(t, "a.jpg", h.dir, "a.jpg")
		h.hint(closed, "copy.jpg")
		h.hint(closed, "a.jpg")
		settle(t, h.w)
		if names := h.receiver.names(); len(names) != 0 {
			t.Errorf("announced %q", names)
		}
	})

	t.Run("a new file interrupts it, and it goes on later", func(t *testing.T) {
		h := setup(t)
		reading, interrupted := make(chan struct{}, 1), false
		h.hash = func(ctx context.Context, f *os.File) (Sum, error) {
			if filepath.Base(f.Name()) == "old.jpg" && !interrupted {
				interrupted = true
				reading <- struct{}{}
				<-ctx.Done()
				return Sum{}, ctx.Err()
			}
			return fileSum(ctx, f)
		}
		fill(t, h, "old.jpg")
		await(t, reading)
		write(t, "new", h.dir, "new.jpg")
		h.hint(closed, "new.jpg")
		h.receiver.wait(t, 1)
		settle(t, h.w)
		if names := unread(h); !slices.Equal(names, []string{"old.jpg"}) {
			t.Errorf("without a pause, not read: %q", names)
		}
		h.clock.pass(baselinePause)
		settle(t, h.w)
		if names := unread(h); len(names) != 0 {
			t.Errorf("not read: %q", names)
		}
	})

	t.Run("another file that takes the name of one that was not read yet is new, though it has its size and time", func(t *testing.T) {
		h := setup(t)
		reading, interrupted := make(chan struct{}, 1), false
		h.hash = func(ctx context.Context, f *os.File) (Sum, error) {
			if !interrupted {
				interrupted = true
				reading <- struct{}{}
				<-ctx.Done()
				return Sum{}, ctx.Err()
			}
			return fileSum(ctx, f)
		}
		fill(t, h, "old.jpg")
		await(t, reading)
		old, other := filepath.Join(h.dir, "old.jpg"), filepath.Join(t.TempDir(), "other.jpg")
		was, err := os.Stat(old)
		must(t, err)
		write(t, "new.jpg", other)
		must(t, os.Chtimes(other, time.Time{}, was.ModTime()))
		must(t, os.Rename(other, old))
		h.hint(arrived, "old.jpg")
		h.receiver.wait(t, 1)
	})

	t.Run("one that has changed since is left to be announced", func(t *testing.T) {
		h := setup(t)
		write(t, "x", h.dir, "a.jpg")
		must(t, h.memory.Remember(t.Context(), "a", []Known{{Name: "a.jpg", Size: 7, Time: 7}}))
		add(t, h.w, Folder{ID: "a", Path: h.dir, Quiet: time.Second})
		settle(t, h.w)
		h.clock.pass(time.Second)
		h.receiver.wait(t, 1)
	})

	t.Run("more than its share is not read", func(t *testing.T) {
		h := setup(t)
		write(t, "x", h.dir, "small.jpg")
		write(t, "larger", h.dir, "large.jpg")
		settings := Folder{ID: "a", Path: h.dir}
		must(t, List(t.Context(), settings, nil, func(k Known) error { return h.memory.Remember(t.Context(), "a", []Known{k}) }))
		f := newFolder(h.w, settings) // no actor runs
		f.takeSettings()
		f.load()(t.Context())()
		f.baseline.left = 5
		for f.baseline.wants() {
			f.readBaseline(0)(t.Context())()
		}
		if names := unread(h); !slices.Equal(names, []string{"large.jpg"}) {
			t.Errorf("not read: %q", names)
		}
	})
}
