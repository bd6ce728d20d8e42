package folders_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/folders"
	"assay/client/submission"
)

// pass watches a folder as `assay watch` does.
func (d *fixture) pass(s folders.Settings, begin folders.Begin) string {
	d.t.Helper()
	id, err := d.AddTemporary(d.t.Context(), s, begin)
	assert.NoError(d.t, err)
	return id
}

func temporaryOnly(p *folders.Params) { p.TemporaryOnly = true }

func TestATemporaryFolder(t *testing.T) {
	t.Run("is not taken up at the next start, and knows what was new then", func(t *testing.T) {
		d, in := setup(t, temporaryOnly), t.TempDir()
		write(t, filepath.Join(in, "old.txt"), "old")
		id := d.pass(sends(in), folders.OnlyNew)
		if f := d.folder(id); !f.Temporary {
			t.Errorf("it stands as %+v", f)
		}
		write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt done")
		d = d.again()
		if all := d.All(); len(all) > 0 {
			t.Errorf("%+v is watched", all)
		}
		write(t, filepath.Join(in, "b.txt"), "b")
		d = d.again(temporaryOnly)
		s := sends(in)
		s.Gate = submission.GateNever
		if got := d.pass(s, folders.All); got != id || d.folder(id).Gate != s.Gate {
			t.Errorf("it stands as %+v, and its ID was %s", d.folder(got), id)
		}
		d.becomes("a.txt done", "b.txt stays")
		write(t, filepath.Join(in, "c.txt"), "c")
		d.becomes("a.txt done", "b.txt stays", "c.txt stays")
	})
	t.Run("is watched until the last has let go of it", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		id := d.pass(sends(in), folders.OnlyNew)
		assert.Equal(t, id, d.pass(sends(in), folders.OnlyNew))
		assert.NoError(t, d.Release(t.Context(), id))
		write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt done")
		for range 2 {
			assert.NoError(t, d.Release(t.Context(), id))
		}
		if all := d.All(); len(all) > 0 {
			t.Errorf("%+v is watched", all)
		}
	})
	t.Run("is as it was added for good, where it was", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		s := sends(in)
		s.Gate = submission.GateNever
		id := d.add(s, folders.OnlyNew)
		if got := d.pass(sends(in), folders.All); got != id || d.folder(id).Temporary || d.folder(id).Gate != submission.GateNever {
			t.Errorf("it stands as %+v", d.folder(id))
		}
		assert.NoError(t, d.Release(t.Context(), id))
		write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt stays")

		d = d.again(temporaryOnly)
		if all := d.All(); len(all) > 0 {
			t.Errorf("%+v is watched", all)
		}
		if got := d.pass(sends(in), folders.All); got != id || d.folder(id).Temporary || d.folder(id).Gate != submission.GateNever {
			t.Errorf("it stands as %+v", d.folder(id))
		}
		write(t, filepath.Join(in, "b.txt"), "b")
		d.becomes("a.txt stays", "b.txt stays")
		assert.NoError(t, d.Release(t.Context(), id))
		if all := d.All(); len(all) > 0 {
			t.Errorf("%+v is watched", all)
		}
		d = d.again()
		write(t, filepath.Join(in, "c.txt"), "c")
		d.becomes("a.txt stays", "b.txt stays", "c.txt stays")
	})
	t.Run("can be added for good meanwhile", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		id := d.pass(sends(in), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt done")
		s := sends(in)
		s.Gate = submission.GateNever
		assert.Equal(t, id, d.add(s, folders.OnlyNew))
		assert.NoError(t, d.Release(t.Context(), id))
		write(t, filepath.Join(in, "b.txt"), "b")
		d.becomes("a.txt done", "b.txt stays")
		d = d.again()
		write(t, filepath.Join(in, "c.txt"), "c")
		d.becomes("a.txt done", "b.txt stays", "c.txt stays")
	})
	t.Run("can be added for good afterwards, as if it never had been", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		id := d.pass(sends(in), folders.OnlyNew)
		write(t, filepath.Join(in, "a.txt"), "a")
		d.becomes("a.txt done")
		assert.NoError(t, d.Release(t.Context(), id))
		write(t, filepath.Join(in, "b.txt"), "b")
		d.add(sends(in), folders.OnlyNew)
		write(t, filepath.Join(in, "c.txt"), "c")
		d.becomes("a.txt done", "c.txt done")
	})
}

func TestWhatArrivesWhileOtherFilesComeToCountIsNew(t *testing.T) {
	home, in := t.TempDir(), t.TempDir()
	for n := range 1000 { // so that looking through them takes a while
		write(t, filepath.Join(in, fmt.Sprintf("old %d.txt", n)), fmt.Sprint("old ", n))
	}
	s := sends(in)
	s.Gate, s.Types = submission.GateNever, []client.MediaType{client.Text}
	d := setupAt(t, home, newService(), nil, temporaryOnly)
	d.pass(s, folders.OnlyNew)
	d = d.again(temporaryOnly)
	stop, written := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		defer func() { written <- n }()
		for ; n < 600; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("new %d.txt", n)), fmt.Append(nil, "new ", n), 0o600); err != nil {
				t.Error(err)
			}
		}
	}()
	s.Types = nil
	d.pass(s, folders.OnlyNew)
	close(stop)
	n := <-written
	d.until(fmt.Sprintf("all %d are taken", n), func() bool { return len(d.queue.Order()) == n })
}

func TestAPassingFolderThatIsRemovedAndBroughtBack(t *testing.T) {
	d, in := setup(t), t.TempDir()
	id := d.pass(sends(in), folders.OnlyNew)
	again := func(release bool) error {
		t.Helper()
		assert.NoError(t, d.Remove(t.Context(), id))
		if release {
			assert.NoError(t, d.Release(t.Context(), id))
		}
		return d.Restore(t.Context(), id)
	}
	assert.NoError(t, again(false))
	d.pass(sends(in), folders.OnlyNew)
	assert.NoError(t, again(true))
	if len(d.All()) != 1 {
		t.Fatalf("%+v is watched", d.All())
	}
	if err := again(true); sentence(t, err) == "" || len(d.All()) != 0 {
		t.Errorf("it is watched for nobody: %+v", d.All())
	}
}
