package intake_test

import (
	"path/filepath"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/submission"
)

func TestAnArrivalIsTakenOnce(t *testing.T) {
	q := setup(t)
	a := pictureFile(t, "a.png", 1)
	arrival := intake.Input{ID: "one", Path: a, Folder: watchedFolder}
	once := func(t *testing.T, arrivals ...intake.Input) {
		t.Helper()
		_, err := q.Accept(t.Context(), arrivals, intake.Options{Source: submission.Watched})
		assert.True(t, err == nil, "%v", err)
		q.store.mu.Lock()
		defer q.store.mu.Unlock()
		n := len(q.store.rows)
		assert.True(t, n == 1, "%d submissions", n)
	}
	t.Run("however often it is named", func(t *testing.T) {
		once(t, arrival, arrival)
		once(t, arrival)
	})
	t.Run("by several at once", func(t *testing.T) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { once(t, arrival) })
		}
		all.Wait()
	})
	t.Run("after it was answered", func(t *testing.T) {
		q.until("one", submission.Done)
		once(t, arrival)
	})
	t.Run("after it was removed from the inbox", func(t *testing.T) {
		q.gone("one")
		once(t, arrival)
	})
	t.Run("after a restart", func(t *testing.T) {
		q.reopen()
		once(t, arrival)
		q.wantSubmissions(1)
	})
	t.Run("and another beside it is", func(t *testing.T) {
		other := intake.Input{ID: "other", Path: pictureFile(t, "b.png", 60), Folder: watchedFolder}
		_, err := q.Accept(t.Context(), []intake.Input{arrival, other}, intake.Options{Source: submission.Watched})
		assert.True(t, err == nil, "%v", err)
		got := q.until("other", submission.Done)
		assert.True(t, got.Source == submission.Watched && got.Folder == watchedFolder && got.Name == "b.png", "%+v", got)
		q.wantSubmissions(2)
	})
	t.Run("not where it can't be written down, which is said", func(t *testing.T) {
		q.store.setFull(true)
		late := intake.Input{ID: "late", Path: a, Folder: watchedFolder}
		if _, err := q.Accept(t.Context(), []intake.Input{late}, intake.Options{Source: submission.Watched}); err == nil {
			t.Error("it was taken")
		}
		q.store.setFull(false)
		q.stands(intake.Running)
		if _, err := q.Accept(t.Context(), []intake.Input{late}, intake.Options{Source: submission.Watched}); err != nil {
			t.Error(err)
		}
		q.until("late", submission.Done)
	})
	t.Run("not once the queue is closed", func(t *testing.T) {
		q.Close()
		_, err := q.Accept(t.Context(), []intake.Input{{ID: "closed", Path: a}}, intake.Options{Source: submission.Watched})
		assert.True(t, err != nil, "it was taken")
	})
}

func TestAFileThatWasMovedIsWhereItIsNow(t *testing.T) {
	q := setup(t)
	a := pictureFile(t, "a.png", 1)
	id := q.arrive(submission.GateSend, a)[0]
	q.until(id, submission.Done)
	moved := func(t *testing.T, to string) {
		t.Helper()
		assert.NoError(t, q.Moved(t.Context(), id, to))
		row := q.store.row(id)
		assert.True(t, row.Path == to && row.State == submission.Done && row.Result != nil, "on the disk it is %+v", row)
		assert.True(t, q.custodyEvents()[len(q.custodyEvents())-1] == "moved", "the custody log says %v", q.custodyEvents())
	}
	t.Run("of one in the inbox", func(t *testing.T) {
		to := filepath.Join(t.TempDir(), "a.png")
		moved(t, to)
		got, _ := q.Get(id)
		assert.True(t, got.Path == to && got.State == submission.Done, "%+v", got)
	})
	t.Run("of one out of it", func(t *testing.T) {
		q.gone(id)
		to := copyOf(t, a, "moved.png")
		moved(t, to)
		_, ok := q.Get(id)
		assert.True(t, !ok, "it is in the inbox again")
		q.ScanAgain(q.store.row(id))
		q.when("it is sent from there", func() bool { return len(q.server.submissions()) == 2 })
	})
	t.Run("of an unknown one is an error", func(t *testing.T) {
		err := q.Moved(t.Context(), "unknown", a)
		assert.True(t, err != nil, "no error")
	})
	t.Run("not where it can't be written down, which is said", func(t *testing.T) {
		q.store.setFull(true)
		defer q.store.setFull(false)
		err := q.Moved(t.Context(), id, a)
		assert.True(t, err != nil, "no error")
	})
}

// TestAMoveIsNotUndone has a file moved while its submission, which was cancelled, is taken out of the inbox: whichever is written first,
// the path is the new one in the end. Which comes first is not in the test's hands, so it is tried several times.
func TestAMoveIsNotUndone(t *testing.T) {
	q := setup(t)
	q.PauseAll()
	for n := range 20 {
		id := q.drop(pictureFile(t, "a.png", uint8(n)))[0]
		writing, release := q.store.holdUp(func(s submission.Submission, event custody.Event) bool {
			return s.ID == id && event == custody.Cancelled
		})
		q.Cancel(id)
		<-writing
		to, moved := filepath.Join(t.TempDir(), "moved.png"), make(chan error)
		go func() { moved <- q.Moved(t.Context(), id, to) }()
		looked := 0
		q.when("the move waits to be written down", func() bool { looked++; return looked > 2 })
		q.Remove(id)
		release()
		assert.NoError(t, <-moved)
		q.when("it is out of the inbox on the disk, too", func() bool { return q.store.row(id).Filed })
		assert.True(t, q.store.row(id).Path == to, "it is at %q", q.store.row(id).Path)
	}
}
