package intake_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// pictures makes so many different ones.
func pictures(t *testing.T, n int) []string {
	t.Helper()
	var paths []string
	for i := range n {
		paths = append(paths, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(8*i)))
	}
	return paths
}

func TestPauseAndResume(t *testing.T) {
	t.Run("an upload under way is cut, and goes on at the same address", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("put")
		q := d.open()
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		<-g.reached
		q.Pause(id)
		if got, _ := q.Get(id); !got.Paused {
			t.Error("it is not paused at once")
		}
		q.when("it waits", func() bool { got, _ := q.Get(id); return got.State == submission.Waiting && got.Sent == 0 })
		d.wantSubmissions(0)
		g.release()
		q.Resume(id)
		q.until(id, submission.Done)
		if got := d.server.asked("put /1"); got != 2 || d.server.asked("address") != 1 {
			t.Errorf("sent %d times to the first of %d addresses", got, d.server.asked("address"))
		}
		d.wantSubmissions(1)
	})
	t.Run("the others go on, in its place", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("put")
		q := d.open()
		ids := q.accept(pictures(t, 3), submission.Dropped)
		<-g.reached
		<-g.reached
		q.Pause(ids[0])
		<-g.reached // the third
		g.release()
		q.until(ids[1], submission.Done)
		q.until(ids[2], submission.Done)
		q.when("it waits", func() bool { got, _ := q.Get(ids[0]); return got.Paused && got.State == submission.Waiting })
	})
	t.Run("many, also after a restart", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("put")
		q := d.open()
		ids := q.accept(pictures(t, 6), submission.Dropped)
		<-g.reached
		q.Pause(ids[:5]...)
		q.Close()
		g.release()
		q = d.open()
		q.until(ids[5], submission.Done)
		for _, id := range ids[:5] {
			if got, _ := q.Get(id); !got.Paused || got.State != submission.Waiting {
				t.Errorf("%+v", got)
			}
		}
		d.wantSubmissions(1)
		q.Resume(ids...)
		for _, id := range ids {
			q.until(id, submission.Done)
		}
		d.wantSubmissions(6)
		q.Close()
		for _, id := range ids {
			if d.store.row(id).Paused {
				t.Error("it is paused on the disk")
			}
		}
	})
	t.Run("of a duplicate acts on the one whose answer it shows", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("put")
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		ids := q.accept([]string{a, copyOf(t, a, "b.png")}, submission.Dropped)
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Pause(ids[1])
		for _, id := range ids {
			if got, _ := q.Get(id); !got.Paused {
				t.Errorf("%q is not paused", got.Name)
			}
		}
		q.when("it waits", func() bool { got, _ := q.Get(ids[0]); return got.State == submission.Waiting })
		g.release()
		q.Resume(ids[1])
		q.until(ids[1], submission.Done)
	})
	t.Run("right after each other, while the old run is on its way out", func(t *testing.T) {
		reached, release := make(chan struct{}), make(chan struct{})
		s := &service{put: []func(*os.File) error{
			func(*os.File) error { close(reached); <-release; return context.Canceled }, // it is slow to notice
			func(*os.File) error { return nil },
		}}
		q := newQueue(t, s)
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		<-reached
		q.Pause(id)
		q.Resume(id)
		close(release)
		q.until(id, submission.Done)
		if len(s.puts) != 2 || s.puts[0] != s.puts[1] {
			t.Errorf("sent to %v", s.puts)
		}
	})
	t.Run("while a look at its result is under way say nothing of the network or of a failure", func(t *testing.T) {
		d := setup(t)
		var mu sync.Mutex
		var causes []intake.Cause
		d.store.asked = func(s submission.Submission, _ custody.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if s.State == submission.Failed {
				causes = append(causes, intake.Cause("failed: "+s.Problem.String()))
			}
			return nil
		}
		q := d.open()
		g := d.server.shut("look")
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		for range 200 {
			<-g.reached
			q.Pause(id)
			q.Resume(id)
			if got := q.QueueStatus(); got.Cause != intake.Running {
				t.Fatalf("standing %+v", got)
			}
		}
		g.release()
		q.until(id, submission.Done)
		mu.Lock()
		defer mu.Unlock()
		if len(causes) != 0 {
			t.Errorf("%v", causes)
		}
		d.wantSubmissions(1)
	})
	t.Run("while its answer is written down: it is answered once", func(t *testing.T) {
		d := setup(t)
		writing, release := make(chan struct{}, 10), make(chan struct{})
		answers := 0
		d.store.asked = func(_ submission.Submission, event custody.Event) error {
			if event == "answered" {
				answers++ // one at a time is written
				writing <- struct{}{}
				<-release
			}
			return nil
		}
		var told int
		q := newQueueWith(t, nil, intake.Params{Service: d.server, Store: d.store, Now: d.clock.Now, Wait: d.clock.Wait,
			Answered: func(submission.Submission) { told++ }})
		g := d.server.shut("look")
		id := q.accept(pictures(t, 1), submission.Dropped)[0]
		<-g.reached
		g.release()
		<-writing
		q.Pause(id)
		q.Resume(id)
		close(release)
		q.until(id, submission.Done)
		q.when("all is written", func() bool { return !d.store.row(id).Paused && d.store.row(id).State == submission.Done })
		q.Close()
		if answers != 1 || told != 1 {
			t.Errorf("%d answers were written, %d told", answers, told)
		}
	})
}

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
	t.Run("is written down once the disk can be written to again", func(t *testing.T) {
		d := setup(t)
		written := make(chan error, 10)
		p := d.params()
		p.Store = aroundStore{d.store, func(name string, do func() error) error {
			err := do()
			if name == "writing queue.paused" {
				written <- err
			}
			return err
		}}
		q := newQueueWith(t, nil, p)
		d.store.setFull(true)
		q.PauseAll()
		if err := <-written; err == nil {
			t.Fatal("the disk was not full")
		}
		d.store.setFull(false)
		select {
		case err := <-written:
			must(t, err)
		case <-time.After(20 * time.Second):
			t.Fatal("it is not written down")
		}
		q.Close()
		if got := d.open().QueueStatus(); got.Cause != intake.PausedAll {
			t.Errorf("after a restart it is %+v", got)
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
