package intake_test

import (
	"path/filepath"
	"testing"
	"time"

	"assay/client/submission"
)

func TestScanAgainKeepsBoth(t *testing.T) {
	for name, given := range map[string]string{"a file": pictureFile(t, "a.png", 1), "a link": post} {
		t.Run(name, func(t *testing.T) {
			d := setup(t)
			q := d.open()
			first := q.until(q.accept([]string{given}, submission.Dropped)[0], submission.Done)
			q.ScanAgain(first)
			second := q.another(first.ID)
			if second.Earlier != "" || second.RequestID == first.RequestID || !second.Again {
				t.Errorf("%+v", second)
			}
			d.wantSubmissions(2)
			q.Close()
			q = d.open()
			if all := q.All(); len(all) != 2 || all[0].RequestID != first.RequestID || all[1].RequestID != second.RequestID {
				t.Errorf("%+v", all)
			}
			if third := q.until(q.accept([]string{given}, submission.Dropped)[0], submission.Done); third.Earlier != second.ID {
				t.Errorf("the third shows %q, want the newest, %q", third.Earlier, second.ID)
			}
			d.wantSubmissions(2)
		})
		t.Run(name+", while the first is on its way", func(t *testing.T) {
			d := setup(t)
			q := d.open()
			call := map[string]string{"a file": "put", "a link": "link"}[name]
			g := d.server.shut(call)
			id := q.accept([]string{given}, submission.Dropped)[0]
			<-g.reached
			first, _ := q.Get(id)
			q.ScanAgain(first)
			<-g.reached // the second, too
			q.Pause(id)
			close(g.open)
			second := q.another(id)
			q.Resume(id)
			first = q.until(id, submission.Done, submission.Failed)
			if first.Earlier != "" || first.RequestID == second.RequestID {
				t.Errorf("the first shows the answer of the second: %+v", first)
			}
		})
	}
	t.Run("the first goes on by itself after a restart", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		g := d.server.shut("put")
		id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
		<-g.reached
		first, _ := q.Get(id)
		q.ScanAgain(first)
		<-g.reached
		q.Close()
		d.server.shut("put").release()
		q = d.open()
		for _, id := range q.Order() {
			if got := q.until(id, submission.Done); got.Earlier != "" {
				t.Errorf("%+v", got)
			}
		}
		d.wantSubmissions(2)
	})
}

// another waits for the answer of the one other submission of the inbox.
func (s testQueue) another(than string) submission.Submission {
	s.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		for _, id := range s.Order() {
			if id != than {
				return s.until(id, submission.Done)
			}
		}
		select {
		case <-s.changes.Ready():
			s.changes.Take()
		case <-limit:
			s.t.Fatal("there is no other")
		}
	}
}

func TestWhatIsDoneLeavesTheInbox(t *testing.T) {
	t.Run("a day after it was answered, at the next start", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		var ids []string
		for _, path := range []string{a, copyOf(t, a, "b.png"), copyOf(t, a, "c.png"), pictureFile(t, "d.png", 60)} {
			id := q.accept([]string{path}, submission.Dropped)[0]
			q.until(id, submission.Done)
			ids = append(ids, id)
		}
		q.Close()
		d.clock.advance(23 * time.Hour)
		q = d.open()
		if got := q.Order(); len(got) != len(ids) {
			t.Errorf("%d are left before the day is over", len(got))
		}
		q.Close()
		d.clock.advance(2 * time.Hour)
		q = d.open()
		if got := q.All(); len(got) != 0 {
			t.Errorf("left: %+v", got)
		}
		q.Close()
		q = d.open()
		if got := q.All(); len(got) != 0 {
			t.Errorf("back again: %+v", got)
		}
	})
	t.Run("by ClearDone, and duplicates with it", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		first := q.accept([]string{a}, submission.Dropped)[0]
		q.until(first, submission.Done)
		q.until(q.accept([]string{copyOf(t, a, "b.png")}, submission.Dropped)[0], submission.Done)
		refused := q.accept([]string{filepath.Join(t.TempDir(), "gone.png")}, submission.Dropped)[0]
		q.until(refused, submission.Refused)
		q.ClearDone()
		if got := q.Order(); len(got) != 1 || got[0] != refused {
			t.Errorf("left: %v", got)
		}
		q.Close()
		q = d.open()
		if got := q.Order(); len(got) != 1 || got[0] != refused {
			t.Errorf("left after a restart: %v", got)
		}
	})
	t.Run("not by Remove while it goes on, unless it is a duplicate", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		g := d.server.shut("put")
		a := pictureFile(t, "a.png", 1)
		ids := q.accept([]string{a, copyOf(t, a, "b.png")}, submission.Dropped)
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Remove(ids...)
		if got := q.Order(); len(got) != 1 || got[0] != ids[0] {
			t.Errorf("left: %v", got)
		}
		g.release()
		q.until(ids[0], submission.Done)
	})
}
