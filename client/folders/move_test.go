package folders_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/submission"
)

// look is what a folder holds: contents by path below it. It fails where files come and go meanwhile.
func look(folder string) (map[string]string, error) {
	all, files := map[string]string{}, os.DirFS(folder)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		all[path] = string(content)
		return err
	})
	return all, err
}

// tree is look at a folder in which nothing moves.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	all, err := look(folder)
	assert.NoError(t, err)
	return all
}

// holds waits for a folder to hold just this.
func (d *fixture) holds(folder string, want map[string]string) {
	d.t.Helper()
	d.until("the folder holds what it should", func() bool {
		got, err := look(folder)
		return err == nil && maps.Equal(got, want)
	})
}

// moving are settings with which files are moved to a folder once they are done.
func moving(t *testing.T, in, to string) folders.Settings {
	t.Helper()
	for _, folder := range []string{in, to} {
		assert.NoError(t, os.MkdirAll(folder, 0o700))
	}
	s := sends(in)
	s.MoveTo = to
	return s
}

func TestFilesThatAreDoneAreMoved(t *testing.T) {
	t.Run("once they are answered, and not before", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.service.hold()
		id := d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "sub", "a.txt"), "a statement")
		d.becomes("a.txt analysing")
		if got := tree(t, root); len(got) != 1 || got["in/sub/a.txt"] == "" {
			t.Errorf("there is %v", got)
		}
		d.service.release()
		d.holds(root, map[string]string{"done/a.txt": "a statement"})
		d.until("the submission says so", func() bool { return d.named("a.txt").Path == filepath.Join(done, "a.txt") })
		d.until("the store says so", func() bool {
			s, _, err := d.kept.Get(t.Context(), d.named("a.txt").ID)
			return err == nil && s.Path == filepath.Join(done, "a.txt")
		})
		if f := d.folder(id); !f.Problem.IsZero() {
			t.Error(f.Problem)
		}
	})
	t.Run("never what waits for the person, or never leaves, or failed", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, never, done := filepath.Join(root, "in"), filepath.Join(root, "never"), filepath.Join(root, "done")
		s := moving(t, in, done)
		s.Gate = submission.GateAsk
		d.add(s, folders.OnlyNew)
		s = moving(t, never, done)
		s.Gate = submission.GateNever
		d.add(s, folders.OnlyNew)
		write(t, filepath.Join(in, "allowed.txt"), "a")
		write(t, filepath.Join(in, "held.txt"), "b")
		write(t, filepath.Join(never, "kept.txt"), "c")
		d.becomes("allowed.txt held", "held.txt held", "kept.txt stays")
		d.queue.Approve(intake.ApproveOptions{}, d.named("allowed.txt").ID)
		d.holds(root, map[string]string{"done/allowed.txt": "a", "in/held.txt": "b", "never/kept.txt": "c"})
	})
	t.Run("never over another file", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		s := moving(t, in, done)
		write(t, filepath.Join(done, "a.txt"), "the first")
		write(t, filepath.Join(done, "a (2).txt"), "the second")
		d.add(s, folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "the third")
		d.holds(root, map[string]string{"done/a.txt": "the first", "done/a (2).txt": "the second", "done/a (3).txt": "the third"})
	})
	t.Run("never with other bytes than those that were answered", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.service.hold()
		d.add(moving(t, in, done), folders.OnlyNew)
		path := write(t, filepath.Join(in, "a.txt"), "first bytes")
		d.becomes("a.txt analysing")
		write(t, path, "other bytes")
		d.becomes("a.txt analysing", "a.txt analysing")
		d.service.release()
		d.becomes("a.txt done", "a.txt done")
		d.holds(root, map[string]string{"done/a.txt": "other bytes"})
		if got := d.service.contents(); !slices.Equal(got, []string{"first bytes", "other bytes"}) {
			t.Errorf("%q was sent", got)
		}
		d.until("the one that was moved says so", func() bool { return d.queue.All()[1].Path == filepath.Join(done, "a.txt") })
		if first := d.queue.All()[0]; first.Path != path {
			t.Errorf("the one whose bytes are no more lies at %s", first.Path)
		}
	})
	t.Run("into a folder in it, and are not announced there", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		done := filepath.Join(in, "done")
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.holds(in, map[string]string{"done/a.txt": "a"})
		write(t, filepath.Join(in, "b.txt"), "b")
		d.holds(in, map[string]string{"done/a.txt": "a", "done/b.txt": "b"})
		d.becomes("a.txt done", "b.txt done")
		d = d.again()
		write(t, filepath.Join(in, "c.txt"), "c")
		d.holds(in, map[string]string{"done/a.txt": "a", "done/b.txt": "b", "done/c.txt": "c"})
		d.becomes("a.txt done", "b.txt done", "c.txt done")
	})
	t.Run("into another watched folder, and are not announced there", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.add(moving(t, in, done), folders.OnlyNew)
		d.add(sends(done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.holds(root, map[string]string{"done/a.txt": "a"})
		write(t, filepath.Join(done, "b.txt"), "b")
		d.becomes("a.txt done", "b.txt done")
	})
	t.Run("those that show an earlier answer, too", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		byHand := write(t, filepath.Join(root, "by hand.txt"), "a")
		if _, err := d.queue.Accept(t.Context(), intake.Inputs(byHand), intake.Options{Source: submission.Dropped}); err != nil {
			t.Fatal(err)
		}
		d.becomes("by hand.txt done")
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.holds(root, map[string]string{"done/a.txt": "a", "by hand.txt": "a"})
		if sent := d.service.contents(); len(sent) != 1 {
			t.Errorf("%q was sent", sent)
		}
	})
	t.Run("and those who were handed the same file know where it lies", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.service.hold()
		d.add(moving(t, in, done), folders.OnlyNew)
		path := write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt analysing")
		accepted, err := d.queue.Accept(t.Context(), intake.Inputs(path), intake.Options{Source: submission.Dropped})
		assert.NoError(t, err)
		d.becomes("a.txt analysing", "a.txt analysing")
		d.service.release()
		d.holds(root, map[string]string{"done/a.txt": "a"})
		d.until("it does", func() bool {
			s, _ := d.queue.Get(accepted.IDs[0])
			return s.Path == filepath.Join(done, "a.txt")
		})
	})
	t.Run("but not while something else goes on with them", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.service.hold()
		d.add(moving(t, in, done), folders.OnlyNew)
		path := write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt analysing")
		accepted, err := d.queue.Accept(t.Context(), intake.Inputs(path), intake.Options{Source: submission.Dropped, Again: true})
		assert.NoError(t, err)
		d.queue.Pause(accepted.IDs...)
		d.until("it is paused", func() bool { s, _ := d.queue.Get(accepted.IDs[0]); return s.Paused })
		d.service.release()
		d.until("the watched one is answered", func() bool { return slices.Contains(d.inbox(), "a.txt done") })
		write(t, filepath.Join(in, "b.txt"), "b")
		d.holds(root, map[string]string{"in/a.txt": "a", "done/b.txt": "b"})
		d.queue.Cancel(accepted.IDs...)
		d.holds(root, map[string]string{"done/a.txt": "a", "done/b.txt": "b"})
	})
	t.Run("also where its submission is taken out of the inbox in the moment in which it is answered", func(t *testing.T) {
		busy, over := make(chan struct{}), make(chan struct{})
		d, root := setup(t, func(p *folders.Params) {
			p.Batch = func(folders.Batch) { // changes wait until it has returned
				close(busy)
				<-over
			}
		}), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.until("a batch is told", func() bool {
			d.clock.advance(time.Second)
			select {
			case <-busy:
				return true
			default:
				return false
			}
		})
		write(t, filepath.Join(in, "b.txt"), "b")
		d.until("the other one is answered", func() bool { return slices.Contains(d.inbox(), "b.txt done") })
		id := d.named("b.txt").ID
		d.queue.Remove(id)
		d.until("the queue knows nothing of it any more", func() bool { _, known := d.queue.Get(id); return !known })
		close(over)
		d.holds(root, map[string]string{"done/a.txt": "a", "done/b.txt": "b"})
	})
	t.Run("and nothing is remembered of it once it is out of the inbox", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.add(moving(t, in, done), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.holds(root, map[string]string{"done/a.txt": "a"})
		d.queue.Remove(d.named("a.txt").ID)
		d.until("all is forgotten", func() bool { return d.Remembered() == 0 })
	})
	t.Run("whatever the clock says", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		d.add(moving(t, in, done), folders.OnlyNew)
		d.clock.advance(-3 * time.Hour)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.holds(root, map[string]string{"done/a.txt": "a"})
	})
	t.Run("from when that was wished on", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		s := moving(t, in, done)
		id := d.add(sends(in), folders.OnlyNew)
		write(t, filepath.Join(in, "before.txt"), "before")
		d.becomes("before.txt done")
		assert.NoError(t, d.Change(t.Context(), id, s))
		write(t, filepath.Join(in, "after.txt"), "after")
		d.holds(root, map[string]string{"in/before.txt": "before", "done/after.txt": "after"})
	})
	t.Run("later, where the target was away", func(t *testing.T) {
		d, root := setup(t), t.TempDir()
		in, done := filepath.Join(root, "in"), filepath.Join(root, "done")
		id := d.add(moving(t, in, done), folders.OnlyNew)
		assert.NoError(t, os.Remove(done))
		write(t, filepath.Join(in, "a.txt"), "a")
		d.until("the folder says so", func() bool {
			problem := d.folder(id).Problem.String()
			return strings.Contains(problem, "“a.txt” is done") && strings.Contains(problem, "is not there")
		})
		assert.NoError(t, os.Mkdir(done, 0o700))
		d.until("it is tried again", func() bool {
			d.clock.advance(folders.MoveRetry)
			got, err := look(done)
			return err == nil && len(got) == 1
		})
		d.until("the folder says nothing of it any more", func() bool { return d.folder(id).Problem.IsZero() })
	})
}

func TestRenamingNeverReplacesAFile(t *testing.T) {
	folder := t.TempDir()
	from, to := write(t, filepath.Join(folder, "from"), "from"), write(t, filepath.Join(folder, "to"), "to")
	if err := folders.RenameAlone(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if err := folders.RenameAlone(filepath.Join(folder, "none"), filepath.Join(folder, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := folders.RenameAlone(from, filepath.Join(folder, "new")); err != nil {
		t.Error(err)
	}
	if got := tree(t, folder); len(got) != 2 || got["to"] != "to" || got["new"] != "from" {
		t.Errorf("there is %v", got)
	}
}
