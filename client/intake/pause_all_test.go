package intake_test

import (
	"slices"
	"testing"

	"assay/client/intake"
	"assay/client/submission"
)

func TestPauseAll(t *testing.T) {
	t.Run("while everything is at work, also after a restart", func(t *testing.T) {
		d := setup(t)
		put, look := d.server.shut("put"), d.server.shut("look")
		q := d.open()
		first := q.accept([]string{post}, submission.Pasted)[0]
		q.until(first, submission.Analysing)
		<-look.reached
		ids := append(q.accept(pictures(t, 8), submission.Dropped), first)
		<-put.reached
		<-put.reached
		q.PauseAll()
		if got := q.QueueStatus(); got.Cause != intake.PausedAll || !got.Reason.IsZero() || !got.Stopped() {
			t.Errorf("standing %+v", got)
		}
		q.when("nothing goes on", func() bool { return q.quiet() })
		q.Close()
		calls := d.server.forgetCalls()
		q = d.open()
		if got := q.QueueStatus(); got.Cause != intake.PausedAll {
			t.Errorf("standing after a restart: %+v", got)
		}
		late := q.accept([]string{pictureFile(t, "late.png", 200)}, submission.Dropped)
		q.Close()
		if asked := d.server.forgetCalls(); len(asked) != 0 {
			t.Errorf("asked for %v, after %v", asked, calls)
		}
		put.release()
		look.release()
		q = d.open()
		q.ResumeAll()
		for _, id := range slices.Concat(ids, late) {
			q.until(id, submission.Done)
		}
		d.wantSubmissions(10)
		q.Close()
		q = d.open()
		if got := q.QueueStatus(); got.Cause != intake.Running {
			t.Errorf("standing at last: %+v", got)
		}
	})
	t.Run("leaves what was paused by itself so", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		q.PauseAll()
		ids := q.accept(pictures(t, 2), submission.Dropped)
		q.Pause(ids[0])
		q.ResumeAll()
		q.until(ids[1], submission.Done)
		if got, _ := q.Get(ids[0]); !got.Paused || got.State.Ended() {
			t.Errorf("%+v", got)
		}
	})
	t.Run("the last word is what a restart finds", func(t *testing.T) {
		for range 50 {
			d := setup(t)
			q := d.open()
			for range 5 {
				q.PauseAll()
				q.ResumeAll()
			}
			q.Close()
			if value := d.store.facts["queue.paused"]; value != "" {
				t.Fatalf("it would start paused: %q", value)
			}
		}
	})
}
