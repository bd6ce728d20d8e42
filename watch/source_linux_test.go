package watch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestInotify(t *testing.T) {
	open := func(t *testing.T) (*inotify, *hintRecorder) {
		t.Helper()
		s, h := openTestSource(t, openSource)
		return s.(*inotify), h
	}
	t.Run("a file is closed when its writer closes it, not before", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		must(t, s.add(root))
		file := filepath.Join(root, "a.jpg")
		f, err := os.Create(file)
		must(t, err)
		for range 3 {
			_, err = f.WriteString("one")
			must(t, err)
			got := h.upTo(t, root)
			announced(t, got, hint{file, changed})
			if slices.Contains(got, hint{file, closed}) {
				t.Fatal("closed, they say")
			}
		}
		must(t, f.Close())
		h.await(t, hint{file, closed})
		if !s.closes() {
			t.Error("it does not say that it tells of that")
		}
	})
	t.Run("where the system's queue breaks, all that was watched is dead, and nothing more is watched", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		must(t, s.add(root))
		must(t, s.queue.Close())
		h.await(t, hint{root, dead})
		if err := s.add(root); !errors.Is(err, errNoEvents) {
			t.Error(err)
		}
	})
	t.Run("reading a file is no hint", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		file := filepath.Join(root, "a.jpg")
		writeAt(t, file, "one")
		must(t, s.add(root))
		_, err := os.ReadFile(file)
		must(t, err)
		untold(t, h.upTo(t, root), file)
	})
	t.Run("files and folders renamed to a name have arrived", func(t *testing.T) {
		s, h := open(t)
		root, outside := t.TempDir(), t.TempDir()
		writeAt(t, filepath.Join(outside, "a.jpg"), "one")
		writeAt(t, filepath.Join(outside, "sub", "b.jpg"), "two")
		must(t, s.add(root))
		for _, name := range []string{"a.jpg", "sub"} {
			must(t, os.Rename(filepath.Join(outside, name), filepath.Join(root, name)))
			h.await(t, hint{filepath.Join(root, name), arrived})
		}
	})
	t.Run("names are bytes", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		must(t, s.add(root))
		for _, name := range oddTestNames {
			file := filepath.Join(root, name)
			writeAt(t, file, "one")
			h.await(t, hint{file, closed})
		}
	})
	t.Run("a folder added under two names is told of under both, until one is removed", func(t *testing.T) {
		s, h := open(t)
		root, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
		must(t, os.Symlink(root, link))
		must(t, s.add(root))
		must(t, s.add(link))
		writeAt(t, filepath.Join(root, "a.jpg"), "one")
		announced(t, h.upTo(t, root), hint{filepath.Join(root, "a.jpg"), closed}, hint{filepath.Join(link, "a.jpg"), closed})
		s.remove(root)
		writeAt(t, filepath.Join(root, "b.jpg"), "one")
		got := h.upTo(t, link)
		announced(t, got, hint{filepath.Join(link, "b.jpg"), closed})
		untold(t, got, filepath.Join(root, "b.jpg"))
	})
	t.Run("a folder added under two names is dead under both when it is renamed or removed", func(t *testing.T) {
		for _, end := range []func(dir string) error{os.Remove, func(dir string) error { return os.Rename(dir, dir+"-2") }} {
			s, h := open(t)
			root, link := filepath.Join(t.TempDir(), "root"), filepath.Join(t.TempDir(), "link")
			must(t, os.Mkdir(root, 0o750))
			must(t, os.Symlink(root, link))
			must(t, s.add(root))
			must(t, s.add(link))
			must(t, end(root))
			h.await(t, hint{root, dead})
			h.await(t, hint{link, dead})
		}
	})
	t.Run("a name that leads to another folder now is told of that one alone, once it was added again", func(t *testing.T) {
		s, h := open(t)
		one, two, link := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "link")
		must(t, os.Symlink(one, link))
		must(t, s.add(link))
		must(t, os.Remove(link))
		must(t, os.Symlink(two, link))
		must(t, s.add(link))
		writeAt(t, filepath.Join(one, "a.jpg"), "one")
		writeAt(t, filepath.Join(two, "b.jpg"), "two")
		got := h.upTo(t, link)
		announced(t, got, hint{filepath.Join(link, "b.jpg"), closed})
		untold(t, got, filepath.Join(link, "a.jpg"))
	})
	t.Run("what lies below a renamed root is told of no more", func(t *testing.T) {
		s, h := open(t)
		root, other := filepath.Join(t.TempDir(), "root"), t.TempDir()
		sub := filepath.Join(root, "sub")
		must(t, os.MkdirAll(sub, 0o750))
		for _, dir := range []string{root, sub, other} {
			must(t, s.add(dir))
		}
		must(t, os.Rename(root, root+"-2"))
		h.await(t, hint{root, dead})
		writeAt(t, filepath.Join(root+"-2", "sub", "a.jpg"), "one")
		untold(t, h.upTo(t, other), filepath.Join(sub, "a.jpg"))
	})
	t.Run("a folder added under its new name before its renaming was read is watched there", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		old, now := filepath.Join(root, "old"), filepath.Join(root, "new")
		must(t, os.Mkdir(old, 0o750))
		must(t, s.add(root))
		must(t, s.add(old))
		h.upTo(t, root)

		s.mu.Lock() // the reader waits
		number := s.numbers[old]
		must(t, os.Rename(old, now))
		s.folders[number] = append(s.folders[number], now) // as add does
		s.numbers[now] = number
		s.mu.Unlock()

		h.await(t, hint{old, left})
		file := filepath.Join(now, "a.jpg")
		writeAt(t, file, "one")
		got := h.upTo(t, now)
		announced(t, got, hint{file, closed})
		untold(t, got, filepath.Join(old, "a.jpg"))
		if slices.Contains(got, hint{now, dead}) {
			t.Error("its renaming was taken for another one")
		}
		must(t, os.Rename(now, old))
		h.await(t, hint{now, dead})
	})
	t.Run("a folder renamed while it is being added is asked for again", func(t *testing.T) {
		s, h := open(t)
		root := t.TempDir()
		dir := filepath.Join(root, "in")
		must(t, os.Mkdir(dir, 0o750))
		must(t, s.add(root))
		ask, first := s.ask, true
		s.ask = func(dir string) (int32, error) {
			number, err := ask(dir)
			if first {
				first = false
				must(t, os.Rename(dir, dir+"-2"))
				must(t, os.Mkdir(dir, 0o750))
				h.upTo(t, root) // the reader has seen it
			}
			return number, err
		}
		must(t, s.add(dir))
		writeAt(t, filepath.Join(dir, "a.jpg"), "one")
		writeAt(t, filepath.Join(dir+"-2", "b.jpg"), "one")
		got := h.upTo(t, root)
		announced(t, got, hint{filepath.Join(dir, "a.jpg"), closed})
		untold(t, got, filepath.Join(dir, "b.jpg"))
	})
	t.Run("a disk that does not answer while a folder is added holds up neither the others nor close", func(t *testing.T) {
		s, h := open(t)
		root, dead := t.TempDir(), t.TempDir()
		must(t, s.add(root))
		ask, asked, answer := s.ask, make(chan struct{}), make(chan struct{})
		s.ask = func(dir string) (int32, error) {
			if dir == dead {
				close(asked)
				<-answer
			}
			return ask(dir)
		}
		ended := make(chan error)
		go func() { ended <- s.add(dead) }()
		<-asked
		other := filepath.Join(root, "sub")
		must(t, os.Mkdir(other, 0o750))
		must(t, s.add(other))
		writeAt(t, filepath.Join(other, "a.jpg"), "one")
		h.await(t, hint{filepath.Join(other, "a.jpg"), closed})
		must(t, s.close())
		close(answer)
		if err := <-ended; !errors.Is(err, errNoEvents) {
			t.Errorf("added to a closed source: %v", err)
		}
	})
	t.Run("the system's limits", func(t *testing.T) {
		s, _ := open(t)
		for _, full := range []error{unix.ENOSPC, unix.EMFILE, unix.ENFILE, unix.ENOMEM} {
			s.ask = func(string) (int32, error) { return -1, full }
			if err := s.add("/somewhere"); !errors.Is(err, errNoRoom) || !errors.Is(err, full) {
				t.Errorf("%v: %v", full, err)
			}
		}
		s.ask = func(string) (int32, error) { return -1, unix.EACCES }
		if err := s.add("/somewhere"); errors.Is(err, errNoRoom) || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("no access: %v", err)
		}
	})
	t.Run("a file is no folder", func(t *testing.T) {
		s, _ := open(t)
		file := filepath.Join(t.TempDir(), "a.jpg")
		writeAt(t, file, "one")
		if err := s.add(file); !errors.Is(err, unix.ENOTDIR) {
			t.Error(err)
		}
	})
}

func TestInotifyInBulk(t *testing.T) {
	limit := func(t *testing.T) int {
		t.Helper()
		text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
		must(t, err)
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		must(t, err)
		return n
	}
	t.Run("what comes while the hints are not taken waits in the system's queue: none is lost", func(t *testing.T) {
		count := min(10_000, limit(t)-100)
		free, h := make(chan struct{}), newHintRecorder()
		s, err := openSource(func(got hint) { <-free; h.emit(got) })
		must(t, err)
		defer s.close() //nolint:errcheck // it was read to its end
		root := t.TempDir()
		must(t, s.add(root))
		want := map[hint]bool{}
		for n := range count {
			name := filepath.Join(root, fmt.Sprint(n))
			must(t, os.Symlink("nowhere", name)) // one event each
			want[hint{name, changed}] = true
		}
		close(free)
		for _, got := range h.upTo(t, root) {
			delete(want, got)
		}
		if len(want) > 0 {
			t.Errorf("%d of %d were lost", len(want), count)
		}
	})
	t.Run("where the system's queue is full it says so, and goes on", func(t *testing.T) {
		free, h := make(chan struct{}), newHintRecorder()
		s, err := openSource(func(got hint) { <-free; h.emit(got) })
		must(t, err)
		defer s.close() //nolint:errcheck // it was read to its end
		root := t.TempDir()
		must(t, s.add(root))
		one, two := filepath.Join(root, "1"), filepath.Join(root, "2")
		writeAt(t, one, "one")
		writeAt(t, two, "two")
		for range limit(t) + atOnce/unix.SizeofInotifyEvent {
			must(t, os.Chmod(one, 0o600))
			must(t, os.Chmod(two, 0o600))
		}
		close(free)
		h.await(t, hint{"", overflow})
		h.upTo(t, root)
	})
	t.Run("a file written in thousands of pieces gives few hints", func(t *testing.T) {
		s, h := openTestSource(t, openSource)
		root := t.TempDir()
		must(t, s.add(root))
		f, err := os.Create(filepath.Join(root, "a.jpg"))
		must(t, err)
		began := time.Now()
		for range 4000 {
			_, err := f.WriteString("a piece of it")
			must(t, err)
		}
		must(t, f.Close())
		took := time.Since(began)
		got := h.await(t, hint{f.Name(), closed})
		// One when it begins, and one for each time that events were left to gather.
		if most := 10 + int(took/gather); len(got) > most {
			t.Errorf("%d hints in %v, at most %d were expected", len(got), took, most)
		}
	})
}

func TestInotifyUnmounted(t *testing.T) {
	t.Run("by the system's word for it", func(t *testing.T) {
		opened, h := openTestSource(t, openSource)
		s := opened.(*inotify)
		root := t.TempDir()
		must(t, s.add(root))
		b := newBatch()
		s.mu.Lock()
		number := s.numbers[root]
		for _, mask := range []uint32{unix.IN_UNMOUNT, unix.IN_IGNORED} {
			if rest := s.take(rawEvent(number, mask, ""), b); len(rest) > 0 {
				t.Errorf("%d bytes left", len(rest))
			}
		}
		s.mu.Unlock()
		b.flush(h.emit)
		if got := h.await(t, hint{root, dead}); len(got) != 1 {
			t.Errorf("told %v", got)
		}
		must(t, s.add(root))
	})
	t.Run("a real one", func(t *testing.T) {
		s, h := openTestSource(t, openSource)
		root := t.TempDir()
		if err := syscall.Mount("none", root, "tmpfs", 0, "size=64k"); err != nil {
			t.Skipf("mounting is not allowed here (%v): the test before stands for it", err)
		}
		mounted := true
		t.Cleanup(func() {
			if mounted {
				_ = syscall.Unmount(root, syscall.MNT_DETACH)
			}
		})
		before, err := os.Stat(root)
		must(t, err)
		sub := filepath.Join(root, "sub")
		must(t, os.Mkdir(sub, 0o750))
		must(t, s.add(root))
		must(t, s.add(sub))
		must(t, syscall.Unmount(root, 0))
		mounted = false
		if got := h.await(t, hint{root, dead}); !slices.Contains(got, hint{sub, dead}) {
			h.await(t, hint{sub, dead})
		}
		after, err := os.Stat(root)
		must(t, err)
		if os.SameFile(before, after) {
			t.Error("the folder that the share was mounted on is taken for the share")
		}
		must(t, s.add(root))
		writeAt(t, filepath.Join(root, "a.jpg"), "one")
		h.await(t, hint{filepath.Join(root, "a.jpg"), closed})
	})
	t.Run("an event of a number that is not known", func(t *testing.T) {
		opened, _ := openTestSource(t, openSource)
		s, b := opened.(*inotify), newBatch()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.take(rawEvent(77, unix.IN_CLOSE_WRITE, "a.jpg"), b)
		s.take(rawEvent(77, unix.IN_IGNORED, ""), b)
		if len(b.hints) > 0 || len(s.lost) > 0 {
			t.Errorf("told %v, lost %v", b.hints, s.lost)
		}
	})
}

// rawEvent is a struct inotify_event.
func rawEvent(number int32, mask uint32, name string) []byte {
	padded := []byte(name)
	if name != "" {
		padded = append(padded, make([]byte, 16-len(name)%16)...)
	}
	raw := binary.NativeEndian.AppendUint32(nil, uint32(number))
	raw = binary.NativeEndian.AppendUint32(raw, mask)
	raw = binary.NativeEndian.AppendUint32(raw, 0)
	raw = binary.NativeEndian.AppendUint32(raw, uint32(len(padded)))
	return append(raw, padded...)
}

func TestOfAFilesEventsThatSayTheSameOneIsEnough(t *testing.T) {
	s, b := &inotify{folders: map[int32][]string{1: {"/w"}}, lost: map[int32]bool{}}, newBatch()
	for _, e := range [][]byte{
		rawEvent(1, unix.IN_CREATE, "a"), rawEvent(1, unix.IN_MODIFY, "b"), rawEvent(1, unix.IN_MODIFY, "a"), rawEvent(1, unix.IN_CLOSE_WRITE, "a"),
		rawEvent(1, unix.IN_ATTRIB, "b"), rawEvent(1, unix.IN_MODIFY, "a"), rawEvent(1, unix.IN_MODIFY, "a"),
	} {
		s.take(e, b)
	}
	var got []hint
	b.flush(func(h hint) { got = append(got, h) })
	want := []hint{{"/w/a", changed}, {"/w/b", changed}, {"/w/a", closed}, {"/w/a", changed}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, not %v: what was said of a file last is not said again, all else is, in its order", got, want)
	}
	s.take(rawEvent(1, unix.IN_MODIFY, "a"), b)
	if len(b.hints) != 1 {
		t.Error("what was handed on is left out of the next batch")
	}
}
