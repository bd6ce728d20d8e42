package intake_test

import (
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

func TestCancelAndRetry(t *testing.T) {
	t.Run("an upload under way is cut, also for the next run", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("put")
		q := d.open()
		ids := q.accept(pictures(t, 3), submission.Dropped)
		<-g.reached
		<-g.reached
		q.Cancel(ids[:2]...)
		for _, id := range ids[:2] {
			if got, _ := q.Get(id); got.State != submission.Cancelled {
				t.Errorf("it is %q", got.State)
			}
		}
		<-g.reached // the third has a place
		q.Close()
		g.release()
		d.wantSubmissions(0)
		q = d.open()
		q.until(ids[2], submission.Done)
		for _, id := range ids[:2] {
			if got, _ := q.Get(id); got.State != submission.Cancelled || !got.Problem.IsZero() {
				t.Errorf("after a restart it is %q: %s", got.State, got.Problem)
			}
		}
		q.Retry(ids[0])
		q.until(ids[0], submission.Done)
		d.wantSubmissions(2)
	})
	t.Run("a paused one can be cancelled, and retried it is not paused", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		q.PauseAll()
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		q.Pause(id)
		q.Cancel(id)
		q.ResumeAll()
		q.Retry(id)
		q.until(id, submission.Done)
	})
	t.Run("what the service has is not sent again", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("look")
		q := d.open()
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		<-g.reached
		q.Cancel(id)
		q.Close()
		g.release()
		q = d.open()
		q.Retry(id)
		q.until(id, submission.Done)
		d.wantSubmissions(1)
		if got := d.server.asked("put"); got != 1 {
			t.Errorf("sent %d times", got)
		}
	})
	t.Run("an answer that comes while it is cancelled changes nothing", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("look")
		q := d.open()
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		<-g.reached
		q.Cancel(id)
		g.release()
		q.Close()
		if got := d.store.row(id); got.State != submission.Cancelled {
			t.Errorf("it is %q", got.State)
		}
	})
	t.Run("of a duplicate acts on itself alone, and Retry shows the answer again", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		g := d.server.shut("put")
		a := pictureFile(t, "a.png", 1)
		ids := q.accept([]string{a, copyOf(t, a, "b.png")}, submission.Dropped)
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Cancel(ids[1])
		g.release()
		q.until(ids[0], submission.Done)
		if got, _ := q.Get(ids[1]); got.State != submission.Cancelled {
			t.Errorf("it is %q", got.State)
		}
		q.Retry(ids[1])
		q.until(ids[1], submission.Done)
		d.wantSubmissions(1)
	})
	t.Run("RetryFailed retries all that failed, and nothing else", func(t *testing.T) {
		d := setup(t)
		d.server.fail("address", repeated(&client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No.")}, 3)...)
		q := d.open()
		ids := q.accept(pictures(t, 3), submission.Dropped)
		refused := q.accept([]string{t.TempDir() + "/gone.png"}, submission.Dropped)[0]
		for _, id := range ids {
			q.until(id, submission.Failed)
		}
		q.until(refused, submission.Refused)
		q.Close()
		q = d.open()
		for _, id := range ids {
			if got, _ := q.Get(id); got.State != submission.Failed || got.Problem.String() != "No." {
				t.Errorf("after a restart it is %q: %s", got.State, got.Problem)
			}
		}
		q.RetryFailed()
		for _, id := range ids {
			q.until(id, submission.Done)
		}
		if got, _ := q.Get(refused); got.State != submission.Refused {
			t.Errorf("what was refused is %q", got.State)
		}
	})
}
