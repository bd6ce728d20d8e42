package folders_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/folders"
)

func TestACrashWhileAFileIsMoved(t *testing.T) {
	for name, mortal := range map[string]func(*disk){
		"before the intention is on disk":           func(d *disk) { d.before = "fact" },
		"after that, before it is moved":            func(d *disk) { d.after = "fact" },
		"after it was moved, before that is noted":  func(d *disk) { d.before = "save moved" },
		"after that is noted":                       func(d *disk) { d.after = "save moved" },
		"after it was answered, before all of that": func(d *disk) { d.after = "answer" },
	} {
		t.Run(name, func(t *testing.T) {
			root, home, s := t.TempDir(), t.TempDir(), newService()
			in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
			d := sitAt(t, home, s, mortal)
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
		d := sitAt(t, home, s, func(d *disk) { d.before = "fact" })
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a statement")
		d.awaitEnd()
		id := d.named("a.txt").ID
		d.close()
		d = sitAt(t, home, s, nil, func(p *folders.Params) { p.PassingOnly = true }) // so that nothing is moved yet
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
	begin := func(t *testing.T) (d *desk, root string) {
		t.Helper()
		root = t.TempDir()
		d = sitAt(t, t.TempDir(), newService(), func(d *disk) { d.after = "fact" })
		d.add(moving(t, filepath.Join(root, "in"), filepath.Join(root, "done")), folders.OnlyNew)
		write(t, filepath.Join(root, "in", "a.txt"), "a statement")
		d.awaitEnd()
		d.close()
		return d, root
	}
	lies := func(t *testing.T, d *desk, want map[string]string, root, path string) {
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
