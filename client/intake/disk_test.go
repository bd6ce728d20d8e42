package intake_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/intake"
	"assay/client/submission"
)

func TestADiskThatIsFull(t *testing.T) {
	t.Run("nothing is taken, and that is said", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		d.store.setFull(true)
		accepted, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", 1)), intake.Options{Source: submission.Dropped})
		if err == nil || !strings.Contains(err.Error(), "nothing was taken") || len(accepted.IDs)+len(q.Order()) != 0 {
			t.Errorf("error %v, accepted %+v, inbox %v", err, accepted, q.Order())
		}
		if got := q.QueueStatus(); got.Cause != intake.NoDisk || !strings.Contains(got.Reason.String(), "can't write to its folder") {
			t.Errorf("standing %+v", got)
		}
		d.store.setFull(false)
		q.when("the disk is tried again", func() bool { return q.QueueStatus().Cause == intake.Running })
		q.until(q.accept([]string{pictureFile(t, "b.png", 30)}, submission.Dropped)[0], submission.Done)
	})
	for _, c := range []struct {
		step submission.Step
		seen []string // what the service was asked before
	}{
		{submission.Gated, nil},
		{submission.URLRequested, nil},
		{submission.URLHeld, []string{"address"}},
		{submission.SendingBytes, []string{"address"}},
		{submission.SentBytes, []string{"address", "put /1"}},
		{submission.Polling, []string{"address", "put /1"}},
		{submission.Answered, []string{"address", "put /1", "look id-1"}},
	} {
		t.Run("from "+string(c.step)+" on: nothing more is asked of the service, and it goes on by itself", func(t *testing.T) {
			d := setup(t)
			var mu sync.Mutex
			full, healed := false, false
			d.store.asked = func(s submission.Submission, _ string) error {
				mu.Lock()
				defer mu.Unlock()
				if full = !healed && (full || s.Step == c.step); full {
					d.store.setFull(true)
				}
				return nil
			}
			q := d.open()
			id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
			q.when("the queue stands still", func() bool { return q.QueueStatus().Cause == intake.NoDisk })
			q.when("nothing goes on", func() bool { return q.quiet() })
			if diff := cmp.Diff(c.seen, d.server.forgetCalls()); diff != "" {
				t.Error(diff)
			}
			if got, _ := q.Get(id); got.State.Ended() || stepOf(got) == c.step || stepOf(d.store.row(id)) == c.step {
				t.Errorf("it is %q at %q; on the disk at %q", got.State, got.Step, d.store.row(id).Step)
			}
			mu.Lock()
			healed = true
			d.store.setFull(false)
			mu.Unlock()
			q.until(id, submission.Done)
			if got := q.QueueStatus(); got.Cause != intake.Running {
				t.Errorf("standing %+v", got)
			}
			d.wantSubmissions(1)
		})
	}
	t.Run("what the person said meanwhile is written down afterwards", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		g := d.server.shut("put")
		ids := q.accept([]string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 30), pictureFile(t, "c.png", 60)}, submission.Dropped)
		<-g.reached
		<-g.reached
		d.store.setFull(true)
		q.Cancel(ids[0])
		q.when("it is noticed", func() bool { return q.QueueStatus().Cause == intake.NoDisk })
		q.Pause(ids[1])
		q.PauseAll()
		d.store.setFull(false)
		q.when("it is written down", func() bool {
			paused, err := d.store.Fact(t.Context(), "queue.paused")
			return err == nil && paused != "" && d.store.row(ids[0]).State == submission.Cancelled && d.store.row(ids[1]).Paused
		})
		q.Close()
		g.release()
		q = d.open()
		if got, _ := q.Get(ids[0]); got.State != submission.Cancelled {
			t.Errorf("what was cancelled is %q", got.State)
		}
		if q.QueueStatus().Cause != intake.PausedAll {
			t.Errorf("standing %+v", q.QueueStatus())
		}
		q.ResumeAll()
		q.until(ids[2], submission.Done)
		if got, _ := q.Get(ids[1]); !got.Paused || got.State.Ended() {
			t.Errorf("what was paused is %+v", got)
		}
		d.wantSubmissions(1)
	})
	t.Run("it stands still again where the disk is full again", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		for i := range 30 {
			d.store.setFull(true)
			if _, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", uint8(i))), intake.Options{Source: submission.Dropped}); err == nil {
				t.Fatal("it was taken")
			}
			d.store.setFull(false)
			q.when("it goes on", func() bool { return q.QueueStatus().Cause == intake.Running })
		}
	})
}

func stepOf(s submission.Submission) submission.Step { return s.Step }
