package intake_test

import (
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/submission"
)

func TestScanAgainKeepsBoth(t *testing.T) {
	for name, given := range map[string]string{"a file": pictureFile(t, "a.png", 1), "a link": post} {
		t.Run(name, func(t *testing.T) {
			q := setup(t)
			first := q.until(q.drop(given)[0], submission.Done)
			q.ScanAgain(first)
			second := q.another(first.ID)
			assert.True(t, second.Earlier == "" && second.RequestID != first.RequestID && second.Again, "%+v", second)
			q.wantSubmissions(2)
			q.reopen()
			all := q.All()
			assert.True(t, len(all) == 2 && all[0].RequestID == first.RequestID && all[1].RequestID == second.RequestID, "%+v", all)
			third := q.until(q.drop(given)[0], submission.Done)
			assert.True(t, third.Earlier == second.ID, "the third shows %q, want the newest, %q", third.Earlier, second.ID)
			q.wantSubmissions(2)
		})
		t.Run(name+", while the first is on its way", func(t *testing.T) {
			q := setup(t)
			call := map[string]string{"a file": "put", "a link": "link"}[name]
			g := q.server.shut(call)
			id := q.drop(given)[0]
			<-g.reached
			first, _ := q.Get(id)
			q.ScanAgain(first)
			<-g.reached // the second, too
			q.Pause(id)
			close(g.open)
			second := q.another(id)
			q.Resume(id)
			first = q.until(id, submission.Done, submission.Failed)
			assert.True(t, first.Earlier == "" && first.RequestID != second.RequestID, "the first shows the answer of the second: %+v", first)
		})
	}
	t.Run("the first goes on by itself after a restart", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		<-g.reached
		first, _ := q.Get(id)
		q.ScanAgain(first)
		<-g.reached
		q.Close()
		q.server.shut("put").release()
		q.open()
		for _, id := range q.Order() {
			got := q.until(id, submission.Done)
			assert.True(t, got.Earlier == "", "%+v", got)
		}
		q.wantSubmissions(2)
	})
}

// another waits for the answer of the one other submission of the inbox.
func (f *fixture) another(than string) submission.Submission {
	f.t.Helper()
	limit := time.After(time.Minute)
	for {
		for _, id := range f.Order() {
			if id != than {
				return f.until(id, submission.Done)
			}
		}
		select {
		case <-f.changes.Ready():
			f.changes.Take()
		case <-limit:
			f.t.Fatal("there is no other")
		}
	}
}

func TestWhatIsDoneLeavesTheInbox(t *testing.T) {
	t.Run("a day after it was answered, at the next start", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		var ids []string
		for _, path := range []string{a, copyOf(t, a, "b.png"), copyOf(t, a, "c.png"), pictureFile(t, "d.png", 60)} {
			id := q.drop(path)[0]
			q.until(id, submission.Done)
			ids = append(ids, id)
		}
		q.Close()
		q.clock.Advance(23 * time.Hour)
		q.open()
		assert.True(t, len(q.Order()) == len(ids), "%d are left before the day is over", len(q.Order()))
		q.Close()
		q.clock.Advance(2 * time.Hour)
		q.open()
		assert.True(t, len(q.All()) == 0, "left: %+v", q.All())
		q.reopen()
		assert.True(t, len(q.All()) == 0, "back again: %+v", q.All())
	})
	t.Run("by Remove, as a duplicate and a refused file do", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		first := q.drop(a)[0]
		q.until(first, submission.Done)
		same := q.drop(copyOf(t, a, "b.png"))[0]
		q.until(same, submission.Done)
		refused := q.drop(filepath.Join(t.TempDir(), "gone.png"))[0]
		q.until(refused, submission.Refused)
		kept := q.drop(pictureFile(t, "c.png", 60))[0]
		q.until(kept, submission.Done)
		q.Remove(first, same, refused)
		assert.True(t, len(q.Order()) == 1 && q.Order()[0] == kept, "left: %v", q.Order())
		q.reopen()
		assert.True(t, len(q.Order()) == 1 && q.Order()[0] == kept, "left after a restart: %v", q.Order())
	})
	t.Run("not by Remove while it goes on, unless it is a duplicate", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a, copyOf(t, a, "b.png"))
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Remove(ids...)
		got := q.Order()
		assert.True(t, len(got) == 1 && got[0] == ids[0], "left: %v", got)
		g.release()
		q.until(ids[0], submission.Done)
	})
}
