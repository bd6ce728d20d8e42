package intake_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/plain"
	"assay/client/submission"
)

func answered(r *client.Result) func() (*client.Result, error) {
	return func() (*client.Result, error) { return r, nil }
}

func status(s client.Status) func() (*client.Result, error) {
	return answered(&client.Result{OverallStatus: s})
}

func notFound() (*client.Result, error) {
	return nil, &client.Error{Op: "t", Kind: client.KindRefused, Status: 404, Message: i18n.Verbatim("No such result.")}
}

func TestStatusesEndTheWaitOrNot(t *testing.T) {
	for _, s := range []client.Status{client.Authentic, client.Fake, client.Suspicious, client.NotApplicable, client.UnableToEvaluate} {
		t.Run("R5 "+string(s)+" ends the wait", func(t *testing.T) {
			q := newQueue(t, &service{results: []func() (*client.Result, error){status(s)}})
			got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
			if got.State != submission.Done || got.Result.OverallStatus != s || q.service.looked != 1 {
				t.Errorf("%q after %d looks", got.State, q.service.looked)
			}
		})
	}
	t.Run("R5 a summary's status ends it where the overall one is missing", func(t *testing.T) {
		q := newQueue(t, &service{results: []func() (*client.Result, error){answered(&client.Result{ResultsSummary: &client.Summary{Status: client.Fake}})}})
		q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
	})
	for name, unfinished := range map[string]*client.Result{
		"ANALYZING":           {OverallStatus: client.Analyzing},
		"DOWNLOADING":         {OverallStatus: client.Downloading},
		"an empty one":        {ResultsSummary: &client.Summary{}},
		"a null summary":      {},
		"one that is unknown": {OverallStatus: "QUEUED"},
	} {
		t.Run("R5 "+name+" means not finished", func(t *testing.T) {
			q := newQueue(t, &service{results: []func() (*client.Result, error){answered(unfinished), answered(unfinished), status(client.Fake)}})
			got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
			if got.State != submission.Done || q.service.looked != 3 {
				t.Errorf("%q after %d looks", got.State, q.service.looked)
			}
		})
	}
	t.Run("R5 until the polling limit", func(t *testing.T) {
		q := newQueue(t, &service{results: []func() (*client.Result, error){status("QUEUED")}})
		got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
		if got.State != submission.Failed || !strings.Contains(got.Problem.String(), "within an hour") || got.Result.OverallStatus != "QUEUED" {
			t.Errorf("%q: %s", got.State, got.Problem)
		}
	})
}

func TestAVerdictWaitsForItsModels(t *testing.T) {
	running := &client.Result{OverallStatus: client.Fake, Models: []client.Model{{Name: plain.From("a"), Status: client.Fake}, {Name: plain.From("b"), Status: client.Analyzing}}}
	ended := &client.Result{OverallStatus: client.Fake, Models: []client.Model{{Name: plain.From("a"), Status: client.Fake}, {Name: plain.From("b"), Status: client.Fake}}}
	t.Run("R18 a verdict with a running model is shown, but is not final", func(t *testing.T) {
		hold, release := make(chan struct{}), make(chan struct{})
		q := newQueue(t, &service{results: []func() (*client.Result, error){
			answered(running),
			func() (*client.Result, error) { close(hold); <-release; return ended, nil },
		}})
		id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
		<-hold
		if got, _ := q.Get(id); got.State != submission.Analysing || got.Result != running {
			t.Errorf("%q with %+v", got.State, got.Result)
		}
		close(release)
		if got := q.until(id, submission.Done); got.Result != ended {
			t.Errorf("%+v", got.Result)
		}
	})
	t.Run("R18 it becomes final five minutes after it came", func(t *testing.T) {
		clock := newClock()
		q := newQueueWith(t, &service{results: []func() (*client.Result, error){answered(running)}}, intake.Params{Now: clock.Now, Wait: clock.Wait})
		got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
		waited := got.Answered.Sub(got.Uploaded)
		if got.State != submission.Done || waited < 5*time.Minute || waited > 6*time.Minute {
			t.Errorf("%q after %v", got.State, waited)
		}
	})
}

func TestPollingGoesOnAsLongAsItTakes(t *testing.T) {
	t.Run("R19 it slows as it waits", func(t *testing.T) {
		clock := newClock()
		var looks []time.Time
		s := &service{}
		for n := range 60 {
			s.results = append(s.results, func() (*client.Result, error) {
				looks = append(looks, clock.Now())
				if n == 59 {
					return &client.Result{OverallStatus: client.Fake}, nil
				}
				return &client.Result{OverallStatus: client.Analyzing}, nil
			})
		}
		q := newQueueWith(t, s, intake.Params{Now: clock.Now, Wait: clock.Wait, Jitter: func() float64 { return 0.5 }})
		q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
		var pauses []time.Duration
		for i := range looks[1:] {
			pauses = append(pauses, looks[i+1].Sub(looks[i]))
		}
		if !slices.IsSorted(pauses) || pauses[0] != 2*time.Second || pauses[len(pauses)-1] != 30*time.Second {
			t.Errorf("pauses %v", pauses)
		}
	})
	t.Run("R19 it stops on a terminal status", func(t *testing.T) {
		var first, other int
		s := &lookup{service: &service{}, result: func(id string) *client.Result {
			if id == "id-1" {
				first++
				return &client.Result{OverallStatus: client.Fake}
			}
			if other++; other < 20 {
				return &client.Result{OverallStatus: client.Analyzing}
			}
			return &client.Result{OverallStatus: client.Fake}
		}}
		clock := newClock()
		q := newQueueWith(t, s.service, intake.Params{Service: s, Now: clock.Now, Wait: clock.Wait})
		q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
		q.until(q.accept([]string{pictureFile(t, "b.png", 50)}, submission.Dropped)[0], submission.Done)
		if first != 1 || other != 20 {
			t.Errorf("%d looks at the first, %d at the other", first, other)
		}
	})
	t.Run("R19 a result that is not there yet is waited for", func(t *testing.T) {
		q := newQueue(t, &service{results: []func() (*client.Result, error){notFound, notFound, status(client.Fake)}})
		q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
	})
	t.Run("one that is not there five minutes after the upload is not coming", func(t *testing.T) {
		clock := newClock()
		q := newQueueWith(t, &service{results: []func() (*client.Result, error){notFound}}, intake.Params{Now: clock.Now, Wait: clock.Wait})
		got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
		if waited := clock.Now().Sub(got.Uploaded); got.State != submission.Failed || waited < 5*time.Minute || waited > 6*time.Minute {
			t.Errorf("%q after %v", got.State, waited)
		}
	})
}

// lookup answers for each result as it is asked for, and lists them all.
type lookup struct {
	*service
	mu     sync.Mutex
	result func(id string) *client.Result
	ids    []string // as uploaded
	single []string
}

func (l *lookup) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	taken, err := l.service.SubmitLink(ctx, link)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = append(l.ids, taken.RequestID)
	return taken, err
}

func (l *lookup) Result(_ context.Context, id string) (*client.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.single = append(l.single, id)
	return l.result(id), nil
}

func (l *lookup) List(context.Context, client.ListQuery) ([]*client.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed++
	var page []*client.Result
	for _, id := range slices.Backward(l.ids) {
		r := *l.result(id)
		r.RequestID = id
		page = append(page, &r)
	}
	return page, nil
}

func TestResultsThatShareAPage(t *testing.T) {
	clock := newClock()
	s := &lookup{service: &service{}}
	s.result = func(string) *client.Result { // all end after a minute
		r := &client.Result{OverallStatus: client.Analyzing, Models: []client.Model{{Name: plain.From("a"), Status: client.Analyzing}}}
		if clock.Now().Sub(start) > time.Minute {
			r.OverallStatus, r.Models[0].Status = client.Fake, client.Fake
		}
		return r
	}
	hold := make(chan struct{})
	q := newQueueWith(t, s.service, intake.Params{Service: s, Now: clock.Now, Wait: func(ctx context.Context, d time.Duration) error {
		<-hold // until all are in flight
		return clock.Wait(ctx, d)
	}})
	var links []string
	for i := range 12 {
		links = append(links, fmt.Sprintf("https://x.com/post/%d", i))
	}
	ids := q.accept(links, submission.Chosen)
	for _, id := range ids {
		q.until(id, submission.Analysing)
	}
	if err := clock.Wait(t.Context(), 10*time.Second); err != nil { // so that all are due
		t.Fatal(err)
	}
	close(hold)
	for _, id := range ids {
		q.until(id, submission.Done)
	}
	t.Run("are looked at by the list", func(t *testing.T) {
		if s.listed == 0 {
			t.Error("it was not asked for")
		}
	})
	t.Run("each is confirmed by a look of its own", func(t *testing.T) {
		got := slices.Compact(slices.Sorted(slices.Values(s.single)))
		if diff := cmp.Diff(slices.Sorted(slices.Values(s.ids)), got); diff != "" {
			t.Error(diff)
		}
	})
}

// paced is a service whose looks at results go through a real client.
type paced struct {
	*service
	client *client.Client
}

func (p *paced) Result(ctx context.Context, id string) (*client.Result, error) {
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
	clock, pacer := newClock(), client.NewPacer(0.001, places) // which no place comes back to within this test
	c, err := client.New(client.Options{BaseURL: server.URL, Pacer: pacer, Now: clock.Now, Wait: clock.Wait})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := &service{}
	q := newQueueWith(t, s, intake.Params{Service: &paced{service: s, client: c}, Pacer: c.Pacer(), Now: clock.Now, Wait: clock.Wait})
	q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done)
	left := 0
	for pacer.Take(clock.Now()) == 0 {
		left++
	}
	if taken := places - left; requests.Load() < 12 || taken != int(requests.Load()) {
		t.Errorf("%d requests took %d places", requests.Load(), taken)
	}
}

func TestWaitingEndsAtOnce(t *testing.T) {
	asleep := make(chan struct{}, 100)
	sleep := func(ctx context.Context, _ time.Duration) error {
		asleep <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	waiting := func(t *testing.T) (testQueue, string) {
		q := newQueueWith(t, &service{}, intake.Params{Now: newClock().Now, Wait: sleep})
		id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
		q.until(id, submission.Analysing)
		<-asleep
		return q, id
	}
	t.Run("by Cancel, and Retry goes on", func(t *testing.T) {
		q, id := waiting(t)
		q.Cancel(id)
		if got, _ := q.Get(id); got.State != submission.Cancelled {
			t.Fatalf("state %q", got.State)
		}
		for got, _ := q.Get(id); got.State == submission.Cancelled; got, _ = q.Get(id) {
			q.Retry(id) // the run may still be on its way out
		}
		q.until(id, submission.Analysing)
		if len(q.service.puts) != 1 {
			t.Errorf("sent %d times", len(q.service.puts))
		}
	})
	t.Run("by Close", func(t *testing.T) {
		q, id := waiting(t)
		q.Close()
		if got, _ := q.Get(id); got.State != submission.Analysing {
			t.Errorf("state %q", got.State)
		}
	})
	t.Run("by Cancel of a request that hangs", func(t *testing.T) {
		s := &hanging{service: &service{}, asked: make(chan struct{})}
		clock := newClock()
		q := newQueueWith(t, s.service, intake.Params{Service: s, Now: clock.Now, Wait: clock.Wait})
		id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
		<-s.asked
		q.Cancel(id)
		got := q.until(id, submission.Cancelled)
		for ok := true; ok; _, ok = q.Get(id) {
			q.Remove(id)
		}
		if !got.Problem.IsZero() || !got.Delay.IsZero() {
			t.Errorf("it says %q %q", got.Problem, got.Delay)
		}
	})
}

// hanging never answers for a result.
type hanging struct {
	*service
	asked chan struct{}
}

func (h *hanging) Result(ctx context.Context, _ string) (*client.Result, error) {
	close(h.asked)
	<-ctx.Done()
	return nil, ctx.Err()
}
