package intake_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/plain"
	"assay/client/submission"
)

func TestStatusesEndTheWaitOrNot(t *testing.T) {
	for _, s := range []client.Status{client.Authentic, client.Fake, client.Suspicious, client.NotApplicable, client.UnableToEvaluate} {
		t.Run("R5 "+string(s)+" ends the wait", func(t *testing.T) {
			q := setup(t)
			q.server.answers(status(s))
			got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
			assert.True(t, got.State == submission.Done && got.Result.OverallStatus == s && q.server.asked("look") == 1, "%q after %d looks", got.State, q.server.asked("look"))
		})
	}
	t.Run("R5 a summary's status ends it where the overall one is missing", func(t *testing.T) {
		q := setup(t)
		q.server.answers(answered(&client.Result{ResultsSummary: &client.Summary{Status: client.Fake}}))
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
	})
	for name, unfinished := range map[string]*client.Result{
		"ANALYZING":           {OverallStatus: client.Analyzing},
		"DOWNLOADING":         {OverallStatus: client.Downloading},
		"an empty one":        {ResultsSummary: &client.Summary{}},
		"a null summary":      {},
		"one that is unknown": {OverallStatus: "QUEUED"},
	} {
		t.Run("R5 "+name+" means not finished", func(t *testing.T) {
			q := setup(t)
			q.server.answers(answered(unfinished), answered(unfinished), status(client.Fake))
			got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
			assert.True(t, got.State == submission.Done && q.server.asked("look") == 3, "%q after %d looks", got.State, q.server.asked("look"))
		})
	}
	t.Run("R5 until the polling limit", func(t *testing.T) {
		q := setup(t)
		q.server.answers(status("QUEUED"))
		got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
		assert.True(t, got.State == submission.Failed && strings.Contains(got.Problem.String(), "within an hour") && got.Result.OverallStatus == "QUEUED",
			"%q: %s", got.State, got.Problem)
	})
}

func TestAVerdictWaitsForItsModels(t *testing.T) {
	running := &client.Result{OverallStatus: client.Fake, Models: []client.Model{{Name: plain.From("a"), Status: client.Fake}, {Name: plain.From("b"), Status: client.Analyzing}}}
	ended := &client.Result{OverallStatus: client.Fake, Models: []client.Model{{Name: plain.From("a"), Status: client.Fake}, {Name: plain.From("b"), Status: client.Fake}}}
	t.Run("R18 a verdict with a running model is shown, but is not final", func(t *testing.T) {
		hold, release := make(chan struct{}), make(chan struct{})
		q := setup(t)
		q.server.answers(answered(running), func(string) (*client.Result, error) { close(hold); <-release; return ended, nil })
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		<-hold
		assert.True(t, q.shown(id).State == submission.Analysing && q.shown(id).Result == running, "%q with %+v", q.shown(id).State, q.shown(id).Result)
		close(release)
		assert.True(t, q.until(id, submission.Done).Result == ended, "%+v", q.until(id, submission.Done).Result)
	})
	t.Run("R18 it becomes final five minutes after it came", func(t *testing.T) {
		q := setup(t)
		q.server.answers(answered(running))
		got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
		waited := got.Answered.Sub(got.Uploaded)
		assert.True(t, got.State == submission.Done && waited >= 5*time.Minute && waited <= 6*time.Minute, "%q after %v", got.State, waited)
	})
}

func TestPollingGoesOnAsLongAsItTakes(t *testing.T) {
	t.Run("R19 it slows as it waits", func(t *testing.T) {
		q := setup(t, func(p *intake.Params) { p.Jitter = func() float64 { return 0.5 } })
		var looks []time.Time
		q.server.answers(func(id string) (*client.Result, error) {
			if looks = append(looks, q.clock.Now()); len(looks) == 60 {
				return status(client.Fake)(id)
			}
			return status(client.Analyzing)(id)
		})
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
		var pauses []time.Duration
		for i := range looks[1:] {
			pauses = append(pauses, looks[i+1].Sub(looks[i]))
		}
		assert.True(t, slices.IsSorted(pauses) && pauses[0] == 2*time.Second && pauses[len(pauses)-1] == 30*time.Second, "pauses %v", pauses)
	})
	t.Run("R19 it stops on a terminal status", func(t *testing.T) {
		q := setup(t)
		other := 0
		q.server.answers(func(id string) (*client.Result, error) {
			if id != "id-1" {
				if other++; other < 20 {
					return status(client.Analyzing)(id)
				}
			}
			return status(client.Fake)(id)
		})
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
		q.until(q.drop(pictureFile(t, "b.png", 50))[0], submission.Done)
		first := q.server.asked("look id-1")
		assert.True(t, first == 1 && other == 20, "%d looks at the first, %d at the other", first, other)
	})
	t.Run("R19 a result that is not there yet is waited for", func(t *testing.T) {
		q := setup(t)
		q.server.answers(notFound, notFound, status(client.Fake))
		q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
	})
	t.Run("one that is not there five minutes after the upload is not coming", func(t *testing.T) {
		q := setup(t)
		q.server.answers(notFound)
		got := q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done, submission.Failed)
		waited := q.clock.Now().Sub(got.Uploaded)
		assert.True(t, got.State == submission.Failed && waited >= 5*time.Minute && waited <= 6*time.Minute, "%q after %v", got.State, waited)
	})
}

func TestResultsThatShareAPage(t *testing.T) {
	hold := make(chan struct{})
	q := setup(t, func(p *intake.Params) {
		skip := p.Wait
		p.Wait = func(ctx context.Context, d time.Duration) error {
			<-hold // until all are in flight
			return skip(ctx, d)
		}
	})
	q.server.page = func(r *client.Result) { // all end after a minute
		r.OverallStatus, r.Models = client.Analyzing, []client.Model{{Name: plain.From("a"), Status: client.Analyzing}}
		if q.clock.Now().Sub(start) > time.Minute {
			r.OverallStatus, r.Models[0].Status = client.Fake, client.Fake
		}
	}
	q.server.answers(func(id string) (*client.Result, error) {
		r := &client.Result{RequestID: id}
		q.server.page(r)
		return r, nil
	})
	var links []string
	for i := range 12 {
		links = append(links, fmt.Sprintf("https://x.com/post/%d", i))
	}
	ids := q.drop(links...)
	q.untilEach(ids, submission.Analysing)
	q.clock.Advance(10 * time.Second) // so that all are due
	close(hold)
	q.untilEach(ids, submission.Done)
	t.Run("are looked at by the list", func(t *testing.T) {
		assert.True(t, q.server.asked("list") != 0, "it was not asked for")
	})
	t.Run("each is confirmed by a look of its own", func(t *testing.T) {
		for _, id := range ids {
			got, _ := q.Get(id)
			assert.True(t, q.server.asked("look "+got.RequestID) != 0, "%q was not looked at by itself", got.RequestID)
		}
	})
}

// paced is a service whose looks at results go through a real client.
type paced struct {
	intake.Service
	client *client.Client
}

func (p paced) Result(ctx context.Context, id string) (*client.Result, error) {
	return p.client.Result(ctx, id)
}

func TestALookTakesOnePlaceInThePacer(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		status := client.Analyzing
		if requests.Add(1) >= 12 {
			status = client.Fake
		}
		_, _ = fmt.Fprintf(w, `{"overallStatus":%q}`, status) // the client notices what went wrong
	}))
	defer server.Close()
	const places = 40
	pacer := client.NewPacer(0.001, places) // which no place comes back to within this test
	q := setup(t, func(p *intake.Params) {
		c, err := client.New(client.Options{BaseURL: server.URL, Pacer: pacer, Now: p.Now, Wait: p.Wait})
		assert.NoError(t, err)
		t.Cleanup(c.Close)
		p.Service, p.Pacer = paced{p.Service, c}, c.Pacer()
	})
	q.until(q.drop(pictureFile(t, "a.png", 1))[0], submission.Done)
	left := 0
	for pacer.Take(q.clock.Now()) == 0 {
		left++
	}
	taken := places - left
	assert.True(t, requests.Load() >= 12 && taken == int(requests.Load()), "%d requests took %d places", requests.Load(), taken)
}

func TestWaitingEndsAtOnce(t *testing.T) {
	waiting := func(t *testing.T) (*fixture, string) {
		asleep := make(chan struct{}, 100)
		q := setup(t, func(p *intake.Params) {
			p.Wait = func(ctx context.Context, _ time.Duration) error {
				asleep <- struct{}{}
				<-ctx.Done()
				return ctx.Err()
			}
		})
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		q.until(id, submission.Analysing)
		<-asleep
		return q, id
	}
	t.Run("by Cancel, and Retry goes on", func(t *testing.T) {
		q, id := waiting(t)
		q.Cancel(id)
		q.is(submission.Cancelled, id)
		q.Retry(id)
		q.until(id, submission.Analysing)
		assert.True(t, q.server.asked("put") == 1, "sent %d times", q.server.asked("put"))
	})
	t.Run("by Close", func(t *testing.T) {
		q, id := waiting(t)
		q.Close()
		q.is(submission.Analysing, id)
	})
	t.Run("by Cancel of a request that hangs", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("look")
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		<-g.reached
		q.Cancel(id)
		got := q.until(id, submission.Cancelled)
		q.gone(id)
		assert.True(t, got.Problem.IsZero() && got.Delay.IsZero(), "it says %q %q", got.Problem, got.Delay)
	})
}
