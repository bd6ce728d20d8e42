// Package poll asks the service for results until each is final. A schedule without side effects decides which request is due when; Poller makes the
// requests. It imports client, client/retry and i18n.
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

// Service is the part of the service's interface that a Poller needs; *client.Client implements it.
type Service interface {
	Result(ctx context.Context, requestID string) (*client.Result, error)
	List(ctx context.Context, q client.ListQuery) ([]*client.Result, error)
}

// Params are what a Poller is built from. All are required.
type Params struct {
	Service           Service
	Shortest, Longest time.Duration  // pauses between two requests for the same result
	Jitter            func() float64 // from 0 to under 1
	Pacer             *client.Pacer  // is only asked when it has room: Service takes it
	Now               func() time.Time
	Wait              func(ctx context.Context, d time.Duration) error
}

// Result is a result to be waited for.
type Result struct {
	Context   context.Context // when it ends, the result is not waited for any more
	ID        string          // the submission's
	RequestID string
	Uploaded  time.Time
	// Failed is called after each request that was made for this result, with its error or nil. It returns true if the error concerns all requests,
	// such as a refused key: then nothing follows from the answer for this result. It returns before the next request is made.
	Failed func(error) (concernsAll bool)
	// Report is called with what the answers say of this result, on any goroutine.
	Report func(Outcome)
}

// Outcome is what an answer means for one result.
type Outcome struct {
	Result *client.Result // an interim or final result; nil: nothing new
	Final  bool           // Result is final, and the wait over
	Failed error          // the wait is over without a result
	Delay  error          // why there is no news of it; it is asked for again
	Again  time.Time      // when, with Delay

	id string
}

// Poller waits for results. Its methods may be called on any goroutine and with any lock held: they call no callback.
type Poller struct {
	Params
	mu       sync.Mutex
	schedule *schedule
	waiting  map[string]*Result // by submission
	underWay int

	loop retry.Loop
}

// New returns a poller; Run starts it.
func New(p Params) *Poller {
	return &Poller{Params: p, schedule: newSchedule(p.Shortest, p.Longest, p.Jitter, p.Pacer), waiting: map[string]*Result{}, loop: retry.Loop{Wait: p.Wait}}
}

// Add waits for a result, in place of an earlier one of the same ID, until an outcome ends the wait.
func (p *Poller) Add(r *Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[r.ID] = r
	p.schedule.add(r.ID, r.RequestID, r.Uploaded, p.Now())
	p.loop.Wake()
}

// Remove ends the wait for the result of a submission. Call it before Result.Context ends, or its request may be made once more.
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
		q, wait, ok := p.schedule.next(p.Now())
		if !ok {
			return nil, wait
		}
		p.underWay++
		return func() { requests.Go(func() { p.request(ctx, q) }) }, 0
	})
}

// request makes one request and reports what it says to those that wait.
func (p *Poller) request(ctx context.Context, q query) {
	p.mu.Lock()
	first := p.waiting[q.ids[0]] // nil where it was removed a moment ago
	p.mu.Unlock()
	var outcomes []Outcome
	if q.page == singlePage {
		var result *client.Result
		var err error
		if first != nil {
			result, err = p.Service.Result(first.Context, first.RequestID)
		}
		void := first == nil || first.Failed(err) // called before another request begins
		p.mu.Lock()
		if void || first.Context.Err() != nil { // the error of a cancelled request says nothing
			p.schedule.unanswered(q)
		} else {
			outcomes = p.schedule.fetched(q, result, err, p.Now())
		}
	} else {
		began := p.Now()
		results, err := p.Service.List(ctx, listQuery(q.page))
		void := first == nil || first.Failed(err)
		p.mu.Lock()
		if err == nil { // one that failed, or was slept through, says nothing of how long the next will take
			p.schedule.listTook(p.Now().Sub(began), p.Now())
		}
		if void {
			p.schedule.unanswered(q)
		} else {
			outcomes = p.schedule.listed(q, 0, results, err, p.Now())
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
	p.loop.Wake() // only now is it known why the next request has to wait
}

// listQuery asks for the list from the newest result down to the end of a page, in the form without a page number: it is not known whether the
// service counts pages from 0 or 1, and a result that moves from one page to the next would be missed.
func listQuery(page int) client.ListQuery { return client.ListQuery{Size: (page + 1) * PageSize} }

// Spread moves a pause by up to a fifth, either way, so that what would fall together does not; jitter is from 0 to under 1.
func Spread(pause time.Duration, jitter float64) time.Duration {
	return time.Duration(float64(pause) * (1 - jitterShare + 2*jitterShare*jitter))
}
