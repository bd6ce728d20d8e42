// Package poll asks the service for results until each is final: what is due for how long is decided by a schedule without side effects,
// and the requests are made here. It imports client, client/retry and i18n.
package poll

import (
	"context"
	"sync"
	"time"

	"assay/client"
	"assay/client/retry"
)

// requestsAtOnce bounds the requests that are under way together, so that one that hangs does not hold the others up.
const requestsAtOnce = 4

// Service is what answers; *client.Client is one.
type Service interface {
	Result(ctx context.Context, requestID string) (*client.Result, error)
	List(ctx context.Context, q client.ListQuery) ([]*client.Result, error)
}

// Params are what a Poller is built from. All are required.
type Params struct {
	Service           Service
	Shortest, Longest time.Duration  // between two looks at a result
	Jitter            func() float64 // from 0 to under 1
	Pacer             *client.Pacer  // is only asked when it has a place: Service takes it
	Now               func() time.Time
	Wait              func(ctx context.Context, d time.Duration) error
}

// Result is one that is waited for.
type Result struct {
	Context   context.Context // when it ends, nobody waits any more
	ID        string          // the submission's
	RequestID string
	Uploaded  time.Time
	// Failed is told of each answer to a request that was made for this result, with its error or nil, and reports whether that concerns
	// all requests: nothing follows from the answer then. It returns before the next request is made.
	Failed func(error) (concernsAll bool)
	// Told is told what the answers say of this result, on any goroutine.
	Report func(Outcome)
}

// Outcome is what an answer means for a result.
type Outcome struct {
	Result *client.Result // to be shown; nil: nothing new
	Final  bool           // Result ends the wait
	Failed error          // ends the wait without a result
	Delay  error          // why nothing is known now; it is asked again
	Again  time.Time      // when, with Delay

	id string
}

// Poller waits for results. Its methods may be called on any goroutine, with any lock held: they call nobody back.
type Poller struct {
	Params
	mu       sync.Mutex
	schedule *schedule
	waiting  map[string]*Result // by submission
	underWay int

	loop retry.Loop
}

// New returns a poller that Run sets going.
func New(p Params) *Poller {
	return &Poller{Params: p, schedule: newSchedule(p.Shortest, p.Longest, p.Jitter, p.Pacer), waiting: map[string]*Result{}, loop: retry.Loop{Wait: p.Wait}}
}

// Add waits for a result, in place of another of the same ID, until an outcome ends that.
func (p *Poller) Add(r *Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[r.ID] = r
	p.schedule.add(r.ID, r.RequestID, r.Uploaded, p.Now())
	p.loop.Wake()
}

// Remove no longer waits for the result of a submission. Call it before Result.Context ends, or its request may be made once more.
func (p *Poller) Remove(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, id)
	p.schedule.drop(id)
}

// Run makes the requests as they fall due, until ctx ends, and returns once none is under way.
func (p *Poller) Run(ctx context.Context) {
	var requests sync.WaitGroup
	defer requests.Wait()
	p.loop.Run(ctx, func() (request func(), wait time.Duration) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.underWay >= requestsAtOnce {
			return nil, retry.Forever
		}
		l, wait, ok := p.schedule.next(p.Now())
		if !ok {
			return nil, wait
		}
		p.underWay++
		return func() { requests.Go(func() { p.request(ctx, l) }) }, 0
	})
}

// request makes one request and tells who waits what came of it.
func (p *Poller) request(ctx context.Context, l look) {
	p.mu.Lock()
	first := p.waiting[l.ids[0]] // nil where nobody waits for it since a moment ago
	p.mu.Unlock()
	var outcomes []Outcome
	if l.page == singlePage {
		var result *client.Result
		var err error
		if first != nil {
			result, err = p.Service.Result(first.Context, first.RequestID)
		}
		void := first == nil || first.Failed(err) // before another request begins
		p.mu.Lock()
		if void || first.Context.Err() != nil { // an error of a request that was given up says nothing
			p.schedule.unanswered(l)
		} else {
			outcomes = p.schedule.fetched(l, result, err, p.Now())
		}
	} else {
		results, err := p.Service.List(ctx, listQuery(l.page))
		void := first == nil || first.Failed(err)
		p.mu.Lock()
		if void {
			p.schedule.unanswered(l)
		} else {
			outcomes = p.schedule.listed(l, 0, results, err, p.Now())
		}
	}
	p.underWay--
	waiters := make([]*Result, len(outcomes))
	for i, o := range outcomes {
		waiters[i] = p.waiting[o.id]
		if o.Final || o.Failed != nil {
			delete(p.waiting, o.id)
		}
	}
	p.mu.Unlock()
	for i, o := range outcomes {
		if r := waiters[i]; r != nil && r.Context.Err() == nil {
			r.Report(o)
		}
	}
	p.loop.Wake() // once it is known why the next look waits
}

// listQuery asks for the results down to the end of a page. The list is asked for in the form without a page number:
// whether those begin at 0 or 1 is not known, and a result that moves from one page to the next would be missed.
func listQuery(page int) client.ListQuery { return client.ListQuery{Size: (page + 1) * PageSize} }

// Spread moves a pause by up to a fifth, either way, so that what would fall together does not; jitter is from 0 to under 1.
func Spread(pause time.Duration, jitter float64) time.Duration {
	return time.Duration(float64(pause) * (1 - jitterShare + 2*jitterShare*jitter))
}
