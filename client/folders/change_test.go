package folders_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/folders"
	"assay/client/store"
	"assay/client/submission"
)

func TestChangingAFolder(t *testing.T) {
	t.Run("what counts from then on is what comes from then on", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		s := sends(in)
		s.Types, s.Subfolders = []client.MediaType{client.Text}, false
		id := d.add(s, folders.OnlyNew)
		write(t, filepath.Join(in, "a.mp3"), "an old recording")
		write(t, filepath.Join(in, "sub", "a.txt"), "an old text further down")
		write(t, filepath.Join(in, "a.txt"), "a text")
		d.becomes("a.txt done")
		s.Types, s.Subfolders = nil, true
		assert.NoError(t, d.Change(t.Context(), id, s))
		write(t, filepath.Join(in, "b.mp3"), "a recording")
		write(t, filepath.Join(in, "sub", "b.txt"), "a text further down")
		d.becomes("a.txt done", "b.mp3 done", "b.txt done")
		d = d.again()
		write(t, filepath.Join(in, "c.txt"), "the last text")
		d.becomes("a.txt done", "b.mp3 done", "b.txt done", "c.txt done")
	})
	t.Run("what came while it was paused is taken afterwards", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		s := sends(in)
		id := d.add(s, folders.OnlyNew)
		s.Paused = true
		assert.NoError(t, d.Change(t.Context(), id, s))
		other := t.TempDir()
		d.add(sends(other), folders.OnlyNew)
		write(t, filepath.Join(in, "later.txt"), "later")
		write(t, filepath.Join(other, "now.txt"), "now")
		d.becomes("now.txt done")
		d = d.again()
		if !d.folder(id).Paused {
			t.Error("the pause is forgotten")
		}
		s.Paused = false
		assert.NoError(t, d.Change(t.Context(), id, s))
		d.becomes("now.txt done", "later.txt done")
	})
	t.Run("one that is not there can be paused", func(t *testing.T) {
		d, in := setup(t), filepath.Join(t.TempDir(), "in")
		write(t, filepath.Join(in, "a.txt"), "a")
		s := sends(in)
		id := d.add(s, folders.OnlyNew)
		assert.NoError(t, os.RemoveAll(in))
		d.until("it says so", func() bool { return !d.folder(id).Problem.IsZero() })
		s.Paused = true
		if err := d.Change(t.Context(), id, s); err != nil {
			t.Error(err)
		}
	})
}

func TestRemovingAFolder(t *testing.T) {
	in := t.TempDir()
	d := setup(t)
	id := d.add(sends(in), folders.OnlyNew)
	write(t, filepath.Join(in, "a.txt"), "a")
	d.becomes("a.txt done")
	assert.NoError(t, d.Remove(t.Context(), id))
	if len(d.All()) > 0 {
		t.Errorf("%+v is watched", d.All())
	}
	write(t, filepath.Join(in, "b.txt"), "b")
	other := t.TempDir()
	d.add(sends(other), folders.OnlyNew)
	write(t, filepath.Join(other, "c.txt"), "c")
	d.becomes("a.txt done", "c.txt done")
	if err := d.Remove(t.Context(), id); sentence(t, err) == "" {
		t.Error("it is removed twice")
	}

	t.Run("is taken back, with what came meanwhile", func(t *testing.T) {
		assert.NoError(t, d.Restore(t.Context(), id))
		d.becomes("a.txt done", "b.txt done", "c.txt done")
		if all := d.All(); len(all) != 2 || all[0].ID != id {
			t.Errorf("they stand as %+v", all)
		}
		if err := d.Restore(t.Context(), id); sentence(t, err) == "" {
			t.Error("it is brought back twice")
		}
	})
	t.Run("lasts over a restart, and what was known of it is forgotten", func(t *testing.T) {
		assert.NoError(t, d.Remove(t.Context(), id))
		d = d.again()
		if len(d.All()) != 1 {
			t.Errorf("%+v is watched", d.All())
		}
		if err := d.Restore(t.Context(), id); sentence(t, err) == "" {
			t.Error("it is brought back")
		}
		if rows, err := d.kept.Folders(t.Context()); err != nil || len(rows) != 1 {
			t.Errorf("%+v is kept, %v", rows, err)
		}
	})
	t.Run("lets it be added anew", func(t *testing.T) {
		assert.Equal(t, id, d.add(sends(in), folders.All))
		d.until("all of it is taken once more", func() bool { return d.folder(id).Taken == 2 })
	})
}

func TestNothingIsTakenOnceAFolderIsRemoved(t *testing.T) {
	d, in, other := setup(t), t.TempDir(), t.TempDir()
	s := sends(in)
	s.Gate = submission.GateNever
	id := d.add(s, folders.OnlyNew)
	half, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for n := range 400 {
			if n == 200 {
				close(half)
			}
			if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%d.txt", n)), fmt.Append(nil, n), 0o600); err != nil {
				t.Error(err)
			}
		}
	}()
	<-half
	assert.NoError(t, d.Remove(t.Context(), id))
	taken := len(d.queue.Order())
	<-over
	s.Path = other
	d.add(s, folders.OnlyNew)
	write(t, filepath.Join(other, "last.txt"), "last")
	d.until("the other folder goes on", func() bool { return slices.Contains(d.inbox(), "last.txt stays") })
	if got := len(d.queue.Order()); got != taken+1 {
		t.Errorf("%d more were taken", got-taken-1)
	}
	assert.NoError(t, d.Restore(t.Context(), id))
	d.until("those that are left are taken once it is brought back", func() bool { return len(d.queue.Order()) == 401 })
}

// slowMemory keeps what is remembered waiting, from when a test says so.
type slowMemory struct {
	folders.Store
	slow           atomic.Bool
	entered, until chan struct{}
}

func (m *slowMemory) RememberFiles(ctx context.Context, folder string, files []store.FolderFile) error {
	if m.slow.CompareAndSwap(true, false) {
		close(m.entered)
		<-m.until
	}
	return m.Store.RememberFiles(ctx, folder, files)
}

func TestAFolderThatIsAddedSlowlyHoldsUpNoOther(t *testing.T) {
	memory := &slowMemory{entered: make(chan struct{}), until: make(chan struct{})}
	d := setup(t, func(p *folders.Params) { memory.Store, p.Store = p.Store, memory })
	paused, removed, slow := t.TempDir(), t.TempDir(), t.TempDir()
	first, second := d.add(sends(paused), folders.OnlyNew), d.add(sends(removed), folders.OnlyNew)
	write(t, filepath.Join(slow, "old.txt"), "old")
	memory.slow.Store(true)
	added := make(chan error, 1)
	go func() {
		_, err := d.Add(t.Context(), sends(slow), folders.OnlyNew, nil)
		added <- err
	}()
	<-memory.entered
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := d.SetPaused(ctx, first, true); err != nil {
		t.Errorf("pause: %v", err)
	}
	if err := d.Remove(ctx, second); err != nil {
		t.Errorf("remove: %v", err)
	}
	close(memory.until)
	if err := <-added; err != nil {
		t.Error(err)
	}
	if f := d.folder(first); !f.Paused || len(d.All()) != 2 {
		t.Errorf("they stand as %+v", d.All())
	}
}

func TestPausingLeavesTheOtherSettingsAsTheyAreByThen(t *testing.T) {
	memory := &slowMemory{entered: make(chan struct{}), until: make(chan struct{})}
	d := setup(t, func(p *folders.Params) { memory.Store, p.Store = p.Store, memory })
	in := t.TempDir()
	s := sends(in)
	s.Types = []client.MediaType{client.Audio}
	id := d.add(s, folders.OnlyNew)
	write(t, filepath.Join(in, "old.txt"), "old")
	s.Types, s.Gate = nil, submission.GateNever
	memory.slow.Store(true)
	changed, paused := make(chan error, 1), make(chan error, 1)
	go func() { changed <- d.Change(t.Context(), id, s) }()
	<-memory.entered
	go func() { paused <- d.SetPaused(t.Context(), id, true) }()
	close(memory.until)
	for _, done := range []chan error{changed, paused} {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if f := d.folder(id); f.Gate != submission.GateNever || !f.Paused {
		t.Errorf("it stands as %+v", f)
	}
}

func TestAClockThatIsSetBackChangesNoCount(t *testing.T) {
	d, in := setup(t), t.TempDir()
	id := d.add(sends(in), folders.OnlyNew)
	d.clock.advance(-time.Hour)
	write(t, filepath.Join(in, "a.txt"), "a")
	d.until("it is counted", func() bool { return d.folder(id).Answered == 1 })
	d = d.again()
	d.until("it is counted in the next run", func() bool { return d.folder(id).Answered == 1 })
}
