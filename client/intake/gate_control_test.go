package intake_test

import (
	"slices"
	"testing"
	"time"

	"assay/client/intake"
	"assay/client/submission"
)

func TestHeldAndStaysUnderThePersonsHand(t *testing.T) {
	open := func(t *testing.T) (*fixture, testQueue, string) {
		d := setup(t)
		q := d.open()
		return d, q, q.held(pictureFile(t, "a.png", 1))[0]
	}
	t.Run("Cancel ends one that is held, and Retry holds it again", func(t *testing.T) {
		d, q, id := open(t)
		q.Cancel(id)
		q.until(id, submission.Cancelled)
		q.Approve(intake.ApproveOptions{}, id)
		q.decided()
		q.until(id, submission.Cancelled)
		q.Retry(id)
		q.until(id, submission.Held)
		q.Close()
		q = d.open()
		q.Cancel(id)
		q.Close()
		q = d.open()
		q.Retry(id)
		q.until(id, submission.Held)
		d.nothingAsked()
	})
	t.Run("Cancel before it was looked at, and Retry, hold it, too", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		q.PauseAll()
		id := q.arrive(submission.GateAsk, pictureFile(t, "a.png", 1))[0]
		q.Cancel(id)
		q.ResumeAll()
		q.Retry(id)
		q.until(id, submission.Held)
		d.nothingAsked()
	})
	t.Run("what was allowed and cancelled goes on by Retry", func(t *testing.T) {
		d, q, id := open(t)
		g := d.server.shut("address")
		q.Approve(intake.ApproveOptions{}, id)
		<-g.reached
		q.Cancel(id)
		g.release()
		q.Retry(id)
		q.until(id, submission.Done)
		d.wantSubmissions(1)
	})
	t.Run("Pause has nothing to do", func(t *testing.T) {
		d, q, id := open(t)
		q.Pause(id)
		if got, _ := q.Get(id); got.Paused {
			t.Error("it is paused")
		}
		if sums := q.Totals(); sums != (intake.Totals{All: 1, Held: 1}) {
			t.Errorf("%+v", sums)
		}
		q.Withhold(id)
		q.until(id, submission.Stays)
		q.Pause(id)
		q.Resume(id)
		q.Retry(id)
		q.RetryFailed()
		q.decided()
		if got, _ := q.Get(id); got.State != submission.Stays || got.Paused {
			t.Errorf("%+v", got)
		}
		d.nothingAsked()
	})
	t.Run("Remove takes what stays out of the inbox, also over a restart, and leaves what is held", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60))
		q.Withhold(ids[0])
		q.until(ids[0], submission.Stays)
		q.ClearDone()
		q.Remove(ids...)
		if got := q.Order(); !slices.Equal(got, ids[1:]) {
			t.Errorf("left: %v", got)
		}
		q.Close()
		q = d.open()
		if got := q.Order(); !slices.Equal(got, ids[1:]) {
			t.Errorf("left after a restart: %v", got)
		}
		d.nothingAsked()
	})
	t.Run("ScanAgain asks again", func(t *testing.T) {
		d, q, id := open(t)
		q.Approve(intake.ApproveOptions{}, id)
		q.ScanAgain(q.until(id, submission.Done))
		d.server.forgetCalls()
		q.when("there is another", func() bool { return len(q.Order()) == 2 })
		again := q.until(q.Order()[1], submission.Held)
		if again.Gate != submission.GateAsk || again.Folder != watchedFolder || again.Source != submission.Watched || !again.Allowed.IsZero() {
			t.Errorf("%+v", again)
		}
		d.nothingAsked()
		q.Approve(intake.ApproveOptions{}, again.ID)
		q.until(again.ID, submission.Done)
		d.wantSubmissions(2)
	})
	t.Run("a restart keeps what was decided, and what was not", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60), pictureFile(t, "c.png", 90))
		q.PauseAll()
		ids = append(ids, q.arrive(submission.GateAsk, pictureFile(t, "d.png", 120))...) // not looked at yet
		q.Withhold(ids[1])
		q.Approve(intake.ApproveOptions{}, ids[2])
		q.until(ids[1], submission.Stays)
		q.until(ids[2], submission.Waiting)
		q.Close()
		d.nothingAsked()
		d.clock.advance(48 * time.Hour)
		q = d.open()
		q.ResumeAll()
		for id, want := range map[string]submission.State{ids[0]: submission.Held, ids[1]: submission.Stays, ids[2]: submission.Done, ids[3]: submission.Held} {
			q.until(id, want)
		}
		d.wantSubmissions(1)
		if got := q.Order(); !slices.Equal(got, ids) {
			t.Errorf("order %v, want %v", got, ids)
		}
	})
}
