package intake_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

func TestNoNetworkIsWaitedOut(t *testing.T) {
	for _, call := range []string{"upload-url", "put", "look", "link"} {
		t.Run("for as long as it takes: "+call, func(t *testing.T) {
			var queue atomic.Pointer[intake.Queue]
			var told atomic.Bool
			q := setup(t, func(p *intake.Params) {
				skip := p.Wait
				p.Wait = func(ctx context.Context, pause time.Duration) error {
					if q := queue.Load(); q != nil {
						if s := q.QueueStatus(); s.Cause == intake.NoNetwork && !s.Reason.IsZero() && !s.Stopped() {
							told.Store(true)
						}
					}
					return skip(ctx, pause)
				}
			})
			q.server.fail(call, repeated(offline(), 300)...)
			queue.Store(q.Queue)
			given := pictureFile(t, "a.png", 1)
			if call == "link" {
				given = post
			}
			id := q.drop(given)[0]
			if got := q.until(id, submission.Done, submission.Failed); got.State != submission.Done {
				t.Fatalf("it is %q: %s", got.State, got.Problem)
			}
			assert.True(t, told.Load() && q.QueueStatus().Cause == intake.Running, "told %v, standing %+v", told.Load(), q.QueueStatus())
			assert.True(t, q.server.asked(call) == 301, "asked %d times", q.server.asked(call))
			q.wantSubmissions(1)
		})
	}
	t.Run("the next answer ends it, whatever it says", func(t *testing.T) {
		q := setup(t)
		q.server.fail("upload-url", offline(), busy())
		g := q.server.shut("put")
		q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 30))
		<-g.reached
		<-g.reached
		got := q.QueueStatus()
		assert.True(t, got.Cause == intake.Running, "standing %+v", got)
		g.release()
	})
	t.Run("past the life of an upload URL at which the bytes arrived: found in the list", func(t *testing.T) {
		q := setup(t)
		q.server.lose("put", offline())
		q.server.fail("put", offlineFromTheSecond...)
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		got := q.until(id, submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Done && got.RequestID == "id-1" && q.server.asked("upload-url") == 1,
			"%q: %s, %d upload URLs", got.State, got.Problem, q.server.asked("upload-url"))
		q.wantSubmissions(1)
	})
	t.Run("past the life of an upload URL, where the service's clock is an hour behind", func(t *testing.T) {
		q := setup(t)
		q.server.behind = time.Hour
		q.server.lose("put", offline())
		q.server.fail("put", offlineFromTheSecond...)
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
		q.wantSubmissions(1)
	})
	t.Run("past the life of an upload URL at which no byte arrived: sent to another after three looks", func(t *testing.T) {
		q := setup(t)
		q.server.fail("put", repeated(offline(), 60)...)
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		got := q.until(id, submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Done && q.server.asked("find") >= 3 && q.server.asked("upload-url") >= 2,
			"%q: %s, %d looks, %d upload URLs", got.State, got.Problem, q.server.asked("find"), q.server.asked("upload-url"))
		q.wantSubmissions(1)
	})
	t.Run("other faults are counted by themselves", func(t *testing.T) {
		q := setup(t)
		failed := &client.Error{Op: "t", Kind: client.KindService, Status: 500, Message: i18n.Verbatim("Broken.")}
		q.server.fail("upload-url", slices.Concat(repeated(offline(), 20), repeated(failed, 4))...)
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
		q.server.fail("upload-url", repeated(failed, 5)...)
		got := q.until(q.drop(pictureFile(t, "b.png", 30))[0], submission.Failed)
		assert.True(t, got.Problem.String() == "Broken.", "%q", got.Problem)
	})
	t.Run("a link that the list does not show yet is looked for more than once after it", func(t *testing.T) {
		q := setup(t)
		q.server.silent = true
		q.server.fail("list", append(repeated(offline(), 20), nil)...)
		q.server.hidden = 1000
		id := q.drop(post)[0]
		got := q.until(id, submission.Failed)
		looks := q.server.asked("list") - 20
		assert.True(t, looks >= 3 && strings.Contains(got.Problem.String(), "does not know whether"), "%d looks: %s", looks, got.Problem)
		q.wantSubmissions(1)
	})
}

// offlineFromTheSecond takes the network away from the second upload on.
var offlineFromTheSecond = append([]error{nil}, repeated(offline(), 60)...)

func TestBytesThatMayHaveArrivedAreNotSentElsewhere(t *testing.T) {
	t.Run("before the list was asked, where a second upload URL is denied, too", func(t *testing.T) {
		q := setup(t)
		q.server.fail("put", denied(), nil, denied()) // the second arrives, and its answer is lost
		q.server.lose("put", offline())
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		got := q.until(id, submission.Done, submission.Failed)
		for got.State == submission.Failed {
			q.Retry(id)
			got = q.until(id, submission.Done, submission.Failed)
		}
		q.wantSubmissions(1)
	})
	t.Run("while the list can't be read", func(t *testing.T) {
		q := setup(t)
		q.server.lose("put", offline())
		q.server.fail("put", offlineFromTheSecond...)
		q.server.fail("find", repeated(busy(), 50)...)
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		got := q.until(id, submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Done && q.server.asked("upload-url") == 1, "%q: %s, %d upload URLs", got.State, got.Problem, q.server.asked("upload-url"))
		q.wantSubmissions(1)
	})
}

// TestWhatIsWaitedForIsSaid holds that the queue as a whole says why it waits and until when, and says so no more once that is over.
func TestWhatIsWaitedForIsSaid(t *testing.T) {
	failing := func(kind client.Kind, status int, after time.Duration) error {
		return &client.Error{Op: "t", Kind: kind, Status: status, Message: i18n.Verbatim("No luck."), RetryAfter: after}
	}
	for _, c := range []struct {
		name   string
		err    error
		times  int
		waits  time.Duration // at the least, the last time
		cause  intake.Cause
		reason func(until time.Time) string // of the queue
	}{
		{"a pause of 20 s", failing(client.KindBusy, 503, 20*time.Second), 1, 20 * time.Second, intake.Busy,
			func(time.Time) string { return "The service is busy (503). Assay asks again in 20 s." }},
		{"a pause of ten minutes", failing(client.KindBusy, 429, 10*time.Minute), 1, 10 * time.Minute, intake.Busy,
			func(until time.Time) string {
				return "The service is busy (429). Assay asks again at " + i18n.Clock(until.Local()) + "."
			}},
		{"a pause of three years is one of an hour", failing(client.KindBusy, 503, 3*365*24*time.Hour), 1, time.Hour, intake.Busy,
			func(until time.Time) string {
				return "The service asked Assay to wait 3 years. Assay asks again at " + i18n.Clock(until.Local()) + "."
			}},
		{"pauses that are short, and come again and again", failing(client.KindBusy, 503, 0), 4, 5 * time.Second, intake.Busy,
			func(time.Time) string { return "The service is busy (503). Assay asks again in 8 s." }},
		{"one short pause is not worth a word", failing(client.KindBusy, 503, 0), 1, 0, intake.Running, func(time.Time) string { return "" }},
		{"no network", failing(client.KindNetwork, 0, 0), 4, 5 * time.Second, intake.NoNetwork,
			func(time.Time) string { return "No luck. Assay asks again in 8 s." }},
		{"what is about one submission alone", failing(client.KindService, 500, 0), 4, 5 * time.Second, intake.Running, func(time.Time) string { return "" }},
	} {
		for _, during := range []string{"upload-url", "look"} {
			if during == "look" && c.times > 1 {
				continue // the pauses between looks are others
			}
			t.Run(c.name+", "+during, func(t *testing.T) {
				began, waited := make(chan time.Duration), make(chan struct{})
				q := setup(t, func(p *intake.Params) {
					skip := p.Wait
					p.Jitter = func() float64 { return 0.5 }
					p.Wait = func(ctx context.Context, pause time.Duration) error {
						select {
						case began <- pause:
						case <-ctx.Done():
							return ctx.Err()
						}
						select {
						case <-waited:
						case <-ctx.Done():
							return ctx.Err()
						}
						return skip(ctx, pause)
					}
				})
				q.server.fail(during, repeated(c.err, c.times)...)
				id := q.drop(pictureFile(t, "a.png", 1))[0]
				if during == "look" {
					<-began // the first look is not at once
					waited <- struct{}{}
				}
				var pause time.Duration
				for n := range c.times {
					if pause = <-began; n < c.times-1 {
						waited <- struct{}{}
					}
				}
				until := q.clock.Now().Add(pause)
				got, _ := q.Get(id)
				assert.True(t, q.QueueStatus().Cause == c.cause && q.QueueStatus().Reason.String() == c.reason(until) && pause >= c.waits && pause <= c.waits+4*time.Second,
					"it waits for %v, and says %+v", pause, q.QueueStatus())
				assert.True(t, !got.Delay.IsZero() && (c.cause != intake.Busy || got.Delay.String() == c.reason(until)), "the submission says %q", got.Delay)
				go func() {
					for {
						select {
						case waited <- struct{}{}:
						case <-began:
						case <-t.Context().Done():
							return
						}
					}
				}()
				q.until(id, submission.Done)
				assert.True(t, q.QueueStatus() == (intake.QueueStatus{}), "afterwards it says %+v", q.QueueStatus())
			})
		}
	}
}

func TestALogInPageInPlaceOfTheServiceIsWaitedOut(t *testing.T) {
	page := &client.Error{Op: "t", Kind: client.KindAnswer, Status: 200, Message: i18n.Verbatim("A web page answered instead of the service."), Err: client.ErrPage}
	for _, call := range []string{"upload-url", "put", "look", "link"} {
		t.Run(call, func(t *testing.T) {
			q := setup(t)
			for range 20 {
				q.server.fail(call, page)
			}
			given := pictureFile(t, "a.png", 1)
			if call == "link" {
				given = post
			}
			id := q.drop(given)[0]
			q.when("it is answered", func() bool {
				s, _ := q.Get(id)
				if s.State.Ended() && s.State != submission.Done {
					t.Fatalf("it ended as %s: %s", s.State, s.Problem)
				}
				return s.State == submission.Done
			})
			standing := q.QueueStatus()
			assert.True(t, standing.Cause == intake.Running, "it stands at %+v in the end", standing)
			q.wantSubmissions(1)
		})
	}
}
