package folders_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/store"
)

// awaitEnd waits for a process to end at its moment.
func (d *fixture) awaitEnd() {
	d.t.Helper()
	select {
	case <-d.store.ended:
	case <-time.After(patience):
		d.t.Fatalf("its moment never came: %+v", d.All())
	}
}

func TestACrashWhileAFileIsTaken(t *testing.T) {
	for name, mortal := range map[string]func(*faultyStore){
		"before it is on disk":                   func(d *faultyStore) { d.before = "add" },
		"after that, before anybody is told":     func(d *faultyStore) { d.after = "add" },
		"before it is remembered as announced":   func(d *faultyStore) { d.before = "remember" },
		"after it was remembered":                func(d *faultyStore) { d.after = "remember" },
		"after it was hashed, before it is sent": func(d *faultyStore) { d.after = "save hashed" },
	} {
		t.Run(name, func(t *testing.T) {
			in, home, s := t.TempDir(), t.TempDir(), newService()
			d := setupAt(t, home, s, nil)
			story, err := d.kept.AddCase(t.Context(), store.Case{Title: "The flood"})
			assert.NoError(t, err)
			settings := sends(in)
			settings.Case = story.ID
			d.add(settings, folders.All) // nothing is remembered yet
			d.close()
			d = setupAt(t, home, s, mortal)
			write(t, filepath.Join(in, "a.txt"), "a statement")
			d.awaitEnd()
			d = d.again()
			write(t, filepath.Join(in, "b.txt"), "another")
			d.becomes("a.txt done", "b.txt done")
			if got, want := s.contents(), []string{"a statement", "another"}; !slices.Equal(got, want) {
				t.Errorf("%q was sent, want %q", got, want)
			}
			d = d.again()
			write(t, filepath.Join(in, "c.txt"), "a third")
			d.becomes("a.txt done", "b.txt done", "c.txt done")
			items, err := d.kept.CaseItems(t.Context(), story.ID)
			assert.NoError(t, err)
			assert.Equal(t, 3, len(items))
		})
	}
}

func TestACrashWhileAFolderIsAdded(t *testing.T) {
	for _, c := range []struct {
		name    string
		mortal  func(*faultyStore)
		watched bool // afterwards
	}{
		{"before anything is kept", func(d *faultyStore) { d.before = "keep" }, false},
		{"after its row is kept, before what stands in it is remembered", func(d *faultyStore) { d.before = "remember" }, false},
		{"after that is remembered", func(d *faultyStore) { d.after = "remember" }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, home, s := t.TempDir(), t.TempDir(), newService()
			for _, name := range []string{"a", "b", "c"} {
				write(t, filepath.Join(in, name+".txt"), name)
			}
			d := setupAt(t, home, s, c.mortal)
			if id, err := d.Add(t.Context(), sends(in), folders.OnlyNew, nil); !errors.Is(err, errDied) {
				t.Fatalf("%q, %v", id, err)
			}
			if all := d.All(); len(all) > 0 {
				t.Errorf("%+v is watched", all)
			}
			d = d.again()
			if got := len(d.All()) > 0; got != c.watched {
				t.Errorf("%+v is watched", d.All())
			}
			if rows, err := d.kept.Folders(t.Context()); err != nil || len(rows) > 0 {
				t.Errorf("%+v is left, %v", rows, err)
			}
			d.add(sends(in), folders.OnlyNew)
			write(t, filepath.Join(in, "new.txt"), "new")
			d.becomes("new.txt done")
		})
	}
}

func TestADiskThatIsFull(t *testing.T) {
	d, in := setup(t), t.TempDir()
	id := d.add(sends(in), folders.OnlyNew)
	d.store.full.Store(true)
	write(t, filepath.Join(in, "a.txt"), "a statement")
	d.until("the folder says so", func() bool { return d.folder(id).Problem.String() == "The disk with Assay's folder is full." })
	write(t, filepath.Join(in, "b.txt"), "another")
	d.store.full.Store(false)
	d.becomes("a.txt done", "b.txt done")
	d.until("the folder says nothing of it any more", func() bool { return d.folder(id).Problem.IsZero() })

	t.Run("until the file that could not be taken is gone", func(t *testing.T) {
		d.store.full.Store(true)
		gone := write(t, filepath.Join(in, "gone.txt"), "taken away again")
		d.until("the folder says so", func() bool { return !d.folder(id).Problem.IsZero() })
		assert.NoError(t, os.Remove(gone))
		d.until("the folder says nothing of it any more", func() bool { return d.folder(id).Problem.IsZero() })
		d.store.full.Store(false)
	})
}

func TestSettingsThatCouldNotBeRead(t *testing.T) {
	home, in, s := t.TempDir(), t.TempDir(), newService()
	d := setupAt(t, home, s, nil)
	id := d.add(sends(in), folders.OnlyNew)
	assert.NoError(t, d.kept.KeepFolder(t.Context(), store.Folder{ID: id, Path: in, Added: d.folder(id).Added, Settings: []byte("{")}))
	d = d.again()
	if d.folder(id).Problem.IsZero() {
		t.Error("nothing is said of it")
	}
	write(t, filepath.Join(in, "a.txt"), "a statement")
	d.becomes("a.txt held")
	assert.NoError(t, d.Change(t.Context(), id, sends(in)))
	assert.Equal(t, "", d.folder(id).Problem.String())
}

func TestAFolderThatIsNotThereAtTheStart(t *testing.T) {
	home, root, s := t.TempDir(), t.TempDir(), newService()
	in := filepath.Join(root, "in")
	write(t, filepath.Join(in, "old.txt"), "old")
	d := setupAt(t, home, s, nil)
	id := d.add(sends(in), folders.OnlyNew)
	d.close()
	assert.NoError(t, os.Rename(in, filepath.Join(root, "away")))
	d = setupAt(t, home, s, nil)
	d.until("the folder says so", func() bool { return !d.folder(id).Problem.IsZero() })
	other := t.TempDir()
	d.add(sends(other), folders.OnlyNew)
	write(t, filepath.Join(other, "a.txt"), "a")
	d.becomes("a.txt done")
	assert.NoError(t, os.Rename(filepath.Join(root, "away"), in))
	write(t, filepath.Join(in, "new.txt"), "new")
	d.becomes("a.txt done", "new.txt done")
	d.until("it says nothing of it any more", func() bool { return d.folder(id).Problem.IsZero() })
}

func TestACrashWhileAFileIsMoved(t *testing.T) {
	for name, mortal := range map[string]func(*faultyStore){
		"before the intention is on disk":           func(d *faultyStore) { d.before = "fact" },
		"after that, before it is moved":            func(d *faultyStore) { d.after = "fact" },
		"after it was moved, before that is noted":  func(d *faultyStore) { d.before = "save moved" },
		"after that is noted":                       func(d *faultyStore) { d.after = "save moved" },
		"after it was answered, before all of that": func(d *faultyStore) { d.after = "answer" },
	} {
		t.Run(name, func(t *testing.T) {
			root, home, s := t.TempDir(), t.TempDir(), newService()
			in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
			d := setupAt(t, home, s, mortal)
			d.add(moving(t, in, done), folders.OnlyNew)
			write(t, filepath.Join(in, "a.txt"), "a statement")
			d.awaitEnd()
			d = d.again()
			d.holds(root, map[string]string{"done/a.txt": "a statement"})
			d.until("the submission says so", func() bool { return d.named("a.txt").Path == filepath.Join(done, "a.txt") })
			write(t, filepath.Join(in, "b.txt"), "another")
			d.holds(root, map[string]string{"done/a.txt": "a statement", "done/b.txt": "another"})
			d.becomes("a.txt done", "b.txt done")
			if sent := s.contents(); !slices.Equal(sent, []string{"a statement", "another"}) {
				t.Errorf("%q was sent", sent)
			}
		})
	}
	t.Run("and was removed from the inbox before the next start", func(t *testing.T) {
		root, home, s := t.TempDir(), t.TempDir(), newService()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d := setupAt(t, home, s, func(d *faultyStore) { d.before = "fact" })
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a statement")
		d.awaitEnd()
		id := d.named("a.txt").ID
		d.close()
		d = setupAt(t, home, s, nil, func(p *folders.Params) { p.TemporaryOnly = true }) // so that nothing is moved yet
		d.queue.Remove(id)
		d.until("it is out of the inbox on disk", func() bool {
			s, _, err := d.kept.Get(t.Context(), id)
			return err == nil && s.Filed
		})
		d = d.again()
		d.holds(root, map[string]string{"done/a.txt": "a statement"})
	})
}

func TestAMoveThatEndedHalfway(t *testing.T) {
	// begin has a process end when its intention to move in/a.txt to done/a.txt is on disk.
	begin := func(t *testing.T) (d *fixture, root string) {
		t.Helper()
		root = t.TempDir()
		d = setupAt(t, t.TempDir(), newService(), func(d *faultyStore) { d.after = "fact" })
		d.add(moving(t, filepath.Join(root, "in"), filepath.Join(root, "done")), folders.OnlyNew)
		write(t, filepath.Join(root, "in", "a.txt"), "a statement")
		d.awaitEnd()
		d.close()
		return d, root
	}
	lies := func(t *testing.T, d *fixture, want map[string]string, root, path string) {
		t.Helper()
		d = d.again()
		d.holds(root, want)
		d.until("the submission says so", func() bool { return d.named("a.txt").Path == filepath.Join(root, filepath.FromSlash(path)) })
		d.holds(root, want)
	}
	t.Run("with the file under both names is ended", func(t *testing.T) {
		d, root := begin(t)
		if err := os.Link(filepath.Join(root, "in", "a.txt"), filepath.Join(root, "done", "a.txt")); err != nil {
			t.Skip("no links here:", err)
		}
		lies(t, d, map[string]string{"done/a.txt": "a statement"}, root, "done/a.txt")
	})
	t.Run("leaves what somebody else put there alone", func(t *testing.T) {
		d, root := begin(t)
		write(t, filepath.Join(root, "done", "a.txt"), "other bytes")
		lies(t, d, map[string]string{"done/a.txt": "other bytes", "done/a (2).txt": "a statement"}, root, "done/a (2).txt")
	})
	t.Run("leaves the same bytes of somebody else alone", func(t *testing.T) {
		d, root := begin(t)
		write(t, filepath.Join(root, "done", "a.txt"), "a statement")
		lies(t, d, map[string]string{"done/a.txt": "a statement", "done/a (2).txt": "a statement"}, root, "done/a (2).txt")
	})
	t.Run("is as if it had never been, where the file has changed meanwhile", func(t *testing.T) {
		d, root := begin(t)
		write(t, filepath.Join(root, "in", "a.txt"), "new bytes")
		d = d.again()
		d.becomes("a.txt done", "a.txt done")
		d.holds(root, map[string]string{"done/a.txt": "new bytes"})
	})
}
