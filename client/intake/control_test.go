package intake_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
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
	t.Run("an upload under way is cut, and goes on at the same upload URL", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		id := q.drop(pictures(t, 1)...)[0]
		<-g.reached
		q.Pause(id)
		assert.True(t, q.shown(id).Paused, "it is not paused at once")
		q.when("it waits", func() bool { got, _ := q.Get(id); return got.State == submission.Waiting && got.Sent == 0 })
		q.wantSubmissions(0)
		g.release()
		q.Resume(id)
		q.until(id, submission.Done)
		if got := q.server.asked("put /1"); got != 2 || q.server.asked("upload-url") != 1 {
			t.Errorf("sent %d times to the first of %d upload URLs", got, q.server.asked("upload-url"))
		}
		q.wantSubmissions(1)
	})
	t.Run("the others go on, in its place", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		ids := q.drop(pictures(t, 3)...)
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
		q := setup(t)
		g := q.server.shut("put")
		ids := q.drop(pictures(t, 6)...)
		<-g.reached
		q.Pause(ids[:5]...)
		q.Close()
		g.release()
		q.open()
		q.until(ids[5], submission.Done)
		for _, id := range ids[:5] {
			got, _ := q.Get(id)
			assert.True(t, got.Paused && got.State == submission.Waiting, "%+v", got)
		}
		q.wantSubmissions(1)
		q.Resume(ids...)
		q.untilEach(ids, submission.Done)
		q.wantSubmissions(6)
		q.Close()
		for _, id := range ids {
			assert.True(t, !q.store.row(id).Paused, "it is paused on the disk")
		}
	})
	t.Run("of a duplicate acts on the one whose answer it shows", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a, copyOf(t, a, "b.png"))
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Pause(ids[1])
		for _, id := range ids {
			got, _ := q.Get(id)
			assert.True(t, got.Paused, "%q is not paused", got.Name)
		}
		q.when("it waits", func() bool { got, _ := q.Get(ids[0]); return got.State == submission.Waiting })
		g.release()
		q.Resume(ids[1])
		q.until(ids[1], submission.Done)
	})
	t.Run("right after each other, while the old run is on its way out", func(t *testing.T) {
		q := setup(t)
		reached, release := q.server.slowToNotice()
		id := q.drop(pictures(t, 1)...)[0]
		<-reached
		q.Pause(id)
		q.Resume(id)
		close(release)
		q.until(id, submission.Done)
		if q.server.asked("put") != 2 || q.server.asked("put /1") != 2 {
			t.Errorf("asked for %v", q.server.forgetCalls())
		}
	})
	t.Run("while a look at its result is under way say nothing of the network or of a failure", func(t *testing.T) {
		q := setup(t)
		var mu sync.Mutex
		var causes []intake.Cause
		q.store.beforeWrite(func(s submission.Submission, _ custody.Event) error {
			mu.Lock()
			defer mu.Unlock()
			if s.State == submission.Failed {
				causes = append(causes, intake.Cause("failed: "+s.Problem.String()))
			}
			return nil
		})
		g := q.server.shut("look")
		id := q.drop(pictures(t, 1)...)[0]
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
		assert.True(t, len(causes) == 0, "%v", causes)
		q.wantSubmissions(1)
	})
	t.Run("while a request for its result is under way that the key is refused to: nothing stands still over that", func(t *testing.T) {
		asked, release := make(chan struct{}), make(chan struct{})
		var first atomic.Bool
		q := setup(t, func(p *intake.Params) {
			p.Service = aroundService{p.Service, func(name string, do func() error) error {
				if name != "look" || first.Swap(true) {
					return do()
				}
				close(asked)
				<-release
				return &client.Error{Op: "test", Kind: client.KindKey, Status: 401, Message: i18n.Verbatim("The key was not accepted.")}
			}}
		})
		ids := q.drop(pictures(t, 1)...)
		<-asked
		q.Pause(ids...)
		close(release)
		q.untilEach(q.drop(pictures(t, 2)[1]), submission.Done)
		q.Resume(ids...)
		q.untilEach(ids, submission.Done)
	})
	t.Run("of none is needed for the next to be sent while one waits for a busy service", func(t *testing.T) {
		waits, release := make(chan struct{}), make(chan struct{})
		once := sync.OnceFunc(func() { close(waits) })
		q := setup(t, func(p *intake.Params) {
			skip := p.Wait
			p.Uploads = 1
			p.Wait = func(ctx context.Context, d time.Duration) error {
				once()
				select {
				case <-release:
				case <-ctx.Done():
				}
				return skip(ctx, d)
			}
		})
		q.server.fail("put", busy())
		ids := q.drop(pictures(t, 2)...)
		<-waits
		q.until(ids[1], submission.Analysing)
		close(release)
		q.untilEach(ids, submission.Done)
	})
	t.Run("while its failure is written down: it has failed, and nothing goes on", func(t *testing.T) {
		q := setup(t)
		q.server.fail("look", refused("No."))
		writing, release := q.store.holdUp(func(_ submission.Submission, event custody.Event) bool { return event == custody.Failed })
		id := q.drop(pictures(t, 1)...)[0]
		<-writing
		looks := q.server.shut("look")
		q.Pause(id)
		q.Resume(id)
		<-looks.reached // it is asked for again
		release()
		q.until(id, submission.Failed)
		q.when("the request is given up", func() bool { return q.server.gaveUp() == 1 })
		looks.release()
		q.is(submission.Failed, id)
	})
	t.Run("while its answer is written down: it is answered once", func(t *testing.T) {
		answers, told := 0, 0
		q := setup(t, func(p *intake.Params) { p.Answered = func(submission.Submission) { told++ } })
		writing, release := q.store.holdUp(func(_ submission.Submission, event custody.Event) bool {
			if event == custody.Answered {
				answers++
			}
			return event == custody.Answered
		})
		g := q.server.shut("look")
		id := q.drop(pictures(t, 1)...)[0]
		<-g.reached
		g.release()
		<-writing
		q.Pause(id)
		q.Resume(id)
		release()
		q.until(id, submission.Done)
		q.when("all is written", func() bool { return !q.store.row(id).Paused && q.store.row(id).State == submission.Done })
		q.Close()
		assert.True(t, answers == 1 && told == 1, "%d answers were written, %d told", answers, told)
	})
}

func TestCancelAndRetry(t *testing.T) {
	t.Run("an upload under way is cut, also for the next run", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		ids := q.drop(pictures(t, 3)...)
		<-g.reached
		<-g.reached
		q.Cancel(ids[:2]...)
		for _, id := range ids[:2] {
			q.is(submission.Cancelled, id)
		}
		<-g.reached // the third has a place
		q.Close()
		g.release()
		q.wantSubmissions(0)
		q.open()
		q.until(ids[2], submission.Done)
		for _, id := range ids[:2] {
			got, _ := q.Get(id)
			assert.True(t, got.State == submission.Cancelled && got.Problem.IsZero(), "after a restart it is %q: %s", got.State, got.Problem)
		}
		q.Retry(ids[0])
		q.until(ids[0], submission.Done)
		q.wantSubmissions(2)
	})
	t.Run("a paused one can be cancelled, and retried it is not paused", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		id := q.drop(pictures(t, 1)...)[0]
		q.Pause(id)
		q.Cancel(id)
		q.ResumeAll()
		q.Retry(id)
		q.until(id, submission.Done)
	})
	t.Run("what the service has is not sent again", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("look")
		id := q.drop(pictures(t, 1)...)[0]
		<-g.reached
		q.Cancel(id)
		q.Close()
		g.release()
		q.open()
		q.Retry(id)
		q.until(id, submission.Done)
		q.wantSubmissions(1)
		got := q.server.asked("put")
		assert.True(t, got == 1, "sent %d times", got)
	})
	t.Run("an answer that comes while it is cancelled changes nothing", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("look")
		id := q.drop(pictures(t, 1)...)[0]
		<-g.reached
		q.Cancel(id)
		g.release()
		q.Close()
		got := q.store.row(id)
		assert.True(t, got.State == submission.Cancelled, "it is %q", got.State)
	})
	t.Run("of a duplicate acts on itself alone, and Retry shows the answer again", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a, copyOf(t, a, "b.png"))
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Cancel(ids[1])
		g.release()
		q.until(ids[0], submission.Done)
		q.is(submission.Cancelled, ids[1])
		q.Retry(ids[1])
		q.until(ids[1], submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("RetryFailed retries all that failed, and nothing else", func(t *testing.T) {
		q := setup(t)
		q.server.fail("upload-url", repeated(refused("No."), 3)...)
		ids := q.drop(pictures(t, 3)...)
		refused := q.drop(t.TempDir() + "/gone.png")[0]
		q.untilEach(ids, submission.Failed)
		q.until(refused, submission.Refused)
		q.reopen()
		for _, id := range ids {
			got, _ := q.Get(id)
			assert.True(t, got.State == submission.Failed && got.Problem.String() == "No.", "after a restart it is %q: %s", got.State, got.Problem)
		}
		q.RetryFailed()
		q.untilEach(ids, submission.Done)
		q.is(submission.Refused, refused)
	})
}

func TestPauseAll(t *testing.T) {
	t.Run("while everything is at work, also after a restart", func(t *testing.T) {
		q := setup(t)
		put, look := q.server.shut("put"), q.server.shut("look")
		first := q.drop(post)[0]
		q.until(first, submission.Analysing)
		<-look.reached
		ids := append(q.drop(pictures(t, 8)...), first)
		<-put.reached
		<-put.reached
		q.PauseAll()
		assert.True(t, q.QueueStatus().Cause == intake.PausedAll && q.QueueStatus().Reason.IsZero() && q.QueueStatus().Stopped(), "standing %+v", q.QueueStatus())
		q.when("nothing goes on", func() bool { return q.quiet() })
		q.Close()
		calls := q.server.forgetCalls()
		q.open()
		assert.True(t, q.QueueStatus().Cause == intake.PausedAll, "standing after a restart: %+v", q.QueueStatus())
		late := q.drop(pictureFile(t, "late.png", 200))
		q.Close()
		if asked := q.server.forgetCalls(); len(asked) != 0 {
			t.Errorf("asked for %v, after %v", asked, calls)
		}
		put.release()
		look.release()
		q.open()
		q.ResumeAll()
		q.untilEach(slices.Concat(ids, late), submission.Done)
		q.wantSubmissions(10)
		q.reopen()
		assert.True(t, q.QueueStatus().Cause == intake.Running, "standing at last: %+v", q.QueueStatus())
	})
	t.Run("leaves what was paused by itself so", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		ids := q.drop(pictures(t, 2)...)
		q.Pause(ids[0])
		q.ResumeAll()
		q.until(ids[1], submission.Done)
		got, _ := q.Get(ids[0])
		assert.True(t, got.Paused && !got.State.Ended(), "%+v", got)
	})
	t.Run("is written down once the disk can be written to again", func(t *testing.T) {
		written := make(chan error, 10)
		q := setup(t, func(p *intake.Params) {
			p.Store = aroundStore{p.Store, func(name string, do func() error) error {
				err := do()
				if name == "writing queue.paused" {
					written <- err
				}
				return err
			}}
		})
		q.store.setFull(true)
		q.PauseAll()
		if err := <-written; err == nil {
			t.Fatal("the disk was not full")
		}
		q.store.setFull(false)
		select {
		case err := <-written:
			assert.NoError(t, err)
		case <-time.After(time.Minute):
			t.Fatal("it is not written down")
		}
		q.reopen()
		got := q.QueueStatus()
		assert.True(t, got.Cause == intake.PausedAll, "after a restart it is %+v", got)
	})
	t.Run("the last word is what a restart finds", func(t *testing.T) {
		for range 50 {
			q := setup(t)
			for range 5 {
				q.PauseAll()
				q.ResumeAll()
			}
			q.Close()
			if value := q.store.facts["queue.paused"]; value != "" {
				t.Fatalf("it would start paused: %q", value)
			}
		}
	})
}
