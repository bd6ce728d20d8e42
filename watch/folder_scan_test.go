package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// still is a folder of a fixture, loaded, whose actor does not run.
func still(t *testing.T, h *fixture, settings Folder) *folder {
	t.Helper()
	f := newFolder(h.w, settings)
	f.takeSettings()
	f.load()(t.Context())()
	return f
}

func TestQuiet(t *testing.T) {
	for _, c := range []struct {
		network bool
		set     time.Duration
		want    time.Duration
	}{
		{false, 0, QuietLocal},
		{true, 0, QuietNetwork},
		{false, time.Minute, time.Minute},
		{true, time.Minute, time.Minute},
	} {
		f := &folder{active: Folder{Quiet: c.set}, root: rootState{network: c.network}}
		if got := f.quiet(); got != c.want {
			t.Errorf("on a network %v, set to %v: files rest for %v in place of %v", c.network, c.set, got, c.want)
		}
	}
}

func TestFolderScan(t *testing.T) {
	t.Run("a directory that must not be read takes no other's events away", func(t *testing.T) {
		h := setup(t)
		must(t, os.MkdirAll(filepath.Join(h.dir, "b", "c"), 0o700))
		h.source.refuse = map[string]error{filepath.Join(h.dir, "b"): &fs.PathError{Op: "watch", Err: fs.ErrPermission}}
		add(t, h.w, Folder{ID: "a", Path: h.dir, Subfolders: true})
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Phase != Watching || h.source.watched() != 2 {
			t.Errorf("%s, %d directories are watched", s.Phase, h.source.watched())
		}
	})

	t.Run("one that gives no events is looked at again and again, and the others give theirs", func(t *testing.T) {
		h := setup(t)
		must(t, os.MkdirAll(filepath.Join(h.dir, "b", "c"), 0o700))
		h.source.refuse = map[string]error{filepath.Join(h.dir, "b"): errNoEvents}
		add(t, h.w, Folder{ID: "a", Path: h.dir, Subfolders: true})
		settle(t, h.w)
		if s, _ := h.w.State("a"); s.Phase != Polling || h.source.watched() != 2 {
			t.Errorf("%s, %d directories are watched", s.Phase, h.source.watched())
		}
	})

	t.Run("that a directory went is understood before its adding has returned", func(t *testing.T) {
		h := setup(t)
		f := still(t, h, Folder{ID: "a", Path: h.dir})
		h.source.during = func(dir string) {
			if !f.dirs.has(dir) {
				t.Error("a hint that it went would be taken for a file's")
			}
			f.dirs.removeTree(f, dir)
		}
		must(t, f.dirs.add(f, h.dir, 1))
		if h.source.watched() != 0 || f.dirs.see(h.dir, 2) {
			t.Error("it would not be added again")
		}
	})

	t.Run("files that can't be read leave room for others", func(t *testing.T) {
		h := setup(t)
		f := still(t, h, Folder{ID: "a", Path: h.dir})
		for _, name := range []string{"a.jpg", "b.jpg", "c.jpg"} {
			write(t, name, h.dir, name)
		}
		for _, name := range []string{"a.jpg", "b.jpg"} {
			e, _, err := stat(f.rules, name)
			must(t, err)
			f.candidates.found(e, true, 0)
			f.candidates.fail(f.candidates.take(0, 1, true)[0], errors.New("locked"), 0)
		}
		l, s := f.newDirScan(false), seen{}
		l.room = 1
		must(t, l.scan(t.Context(), "", &s))
		if len(s.found) != 1 || s.found[0].name != "c.jpg" || s.more {
			t.Errorf("found %+v; more: %v", s.found, s.more)
		}
	})

	t.Run("while there is no room, it is not looked for more", func(t *testing.T) {
		h := setup(t)
		f := still(t, h, Folder{ID: "a", Path: h.dir})
		f.scanAll()(t.Context())()
		f.baseline.done = true
		f.scanning.more = true
		if f.nextWork(f.w.passed()) == nil {
			t.Fatal("nothing is looked for though there is room")
		}
		for i := range hintedAtOnce {
			f.candidates.byName[strconv.Itoa(i)] = &candidate{failed: fs.ErrPermission}
		}
		f.candidates.failing = hintedAtOnce
		f.scanning.everywhere, f.scanning.more = false, true
		if f.nextWork(f.w.passed()) != nil {
			t.Error("it is looked for again and again, without a pause")
		}
		f.scanning.more = false
		f.follow(pendingHint{hint: hint{path: filepath.Join(h.dir, "one more.jpg"), kind: closed}, ended: true})
		if !f.scanning.more || len(f.candidates.byName) > hintedAtOnce {
			t.Errorf("it is looked for later: %v; there are %d", f.scanning.more, len(f.candidates.byName))
		}
	})

	t.Run("what was deleted is forgotten though a directory beside it can't be read", func(t *testing.T) {
		h := setup(t)
		must(t, os.Mkdir(filepath.Join(h.dir, "sub"), 0o700))
		names := []string{"a.jpg", "b.jpg", "c.jpg", filepath.Join("sub", "d.jpg"), filepath.Join("sub2", "e.jpg")}
		f := still(t, h, Folder{ID: "a", Path: h.dir, Subfolders: true})
		var known []Known
		for i, name := range names {
			known = append(known, Known{Name: name, Size: 1, Time: 1, SHA256: Sum{byte(i + 1)}})
		}
		must(t, f.remember(t.Context(), known))
		f.index.round++
		for _, k := range known[:2] {
			f.index.compare(entry{name: k.Name, size: k.Size, time: k.Time})
		}
		must(t, f.forget(t.Context(), map[string]bool{"sub": true}))
		left := make(map[string]bool)
		for _, k := range h.memory.all("a") {
			left[k.Name] = true
		}
		if len(left) != 3 || !left["a.jpg"] || !left["b.jpg"] || !left[names[3]] || f.index.here != 3 {
			t.Errorf("remembered: %v, %d stand there", left, f.index.here)
		}
	})

	t.Run("files that are due come first, but not again and again", func(t *testing.T) {
		f := still(t, setup(t), Folder{ID: "a", Path: t.TempDir()})
		f.root.there = true
		for _, before := range []int{0, announceRounds} {
			f.announcing.rounds, f.scanning.everywhere = before, true
			f.candidates.hint("a.jpg", true, true, 0)
			if work := f.nextWork(f.w.passed()); work == nil || f.scanning.everywhere != (before == 0) {
				t.Errorf("after %d rounds: the look at everything still waits: %v", before, f.scanning.everywhere)
			}
			f.candidates = newCandidates(QuietLocal)
		}
	})

	t.Run("a folder that has become the app's own is not looked into", func(t *testing.T) {
		own := t.TempDir()
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(own, link); err != nil {
			t.Skip("this system makes no links for us:", err)
		}
		write(t, "x", own, "a.jpg")
		clock, d := newFakeClock(), newReceiver()
		w := open(t, Params{Memory: newTestMemory(), Announce: d.announce, Own: []string{own}, Now: clock.Now, After: clock.After, source: new(fakeSource).opener})
		add(t, w, Folder{ID: "a", Path: link})
		settle(t, w)
		clock.pass(time.Minute)
		settle(t, w)
		if s, _ := w.State("a"); s.Phase != Unreadable || !errors.Is(s.Problem, ErrOwnFolder) || len(d.names()) != 0 {
			t.Errorf("%+v; announced %q", s, d.names())
		}
	})
}
