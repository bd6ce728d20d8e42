package intake

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"assay/client"
	"assay/client/submission"
)

// looksAtOnce bounds the requests that are under way together, so that one that hangs does not hold the others up.
const looksAtOnce = 4

// poller waits for the results of all submissions: it makes the requests that the schedule asks for. Its goroutines
// belong to the queue's workers.
type poller struct {
	queue *Queue

	mu       sync.Mutex
	schedule *schedule
	waiting  map[string]*waiting
	underWay int
	rouse    context.CancelFunc // ends the pause under way
}

// waiting is a submission that waits for its result.
type waiting struct {
	ctx   context.Context // ends with the submission's run
	item  *item
	ended chan error // receives once
}

// await returns when a submission's result is final or given up, or ctx ends.
func (p *poller) await(ctx context.Context, it *item) error {
	w := &waiting{ctx: ctx, item: it, ended: make(chan error, 1)}
	p.mu.Lock()
	p.waiting[it.ID] = w
	p.schedule.add(it.ID, it.RequestID, it.Uploaded, p.queue.Now())
	p.wake()
	p.mu.Unlock()
	select {
	case err := <-w.ended:
		return err
	case <-ctx.Done():
		p.mu.Lock()
		delete(p.waiting, it.ID)
		p.schedule.drop(it.ID)
		p.mu.Unlock()
		return ctx.Err()
	}
}

// wake lets the loop look at the schedule anew; p.mu is held.
func (p *poller) wake() {
	if p.rouse != nil {
		p.rouse()
	}
}

// run makes the requests as they fall due, until the queue closes.
func (p *poller) run() {
	q := p.queue
	for q.ctx.Err() == nil {
		pause, cancel := context.WithCancel(q.ctx)
		p.mu.Lock()
		p.rouse = cancel // before the schedule is asked, so that nothing that changes it is missed
		l, wait, ok := look{}, neverDue, false
		if p.underWay < looksAtOnce {
			l, wait, ok = p.schedule.next(q.Now())
		}
		if ok {
			p.underWay++
		}
		p.mu.Unlock()
		switch {
		case ok:
			q.workers.Go(func() { p.look(l) })
		case wait == neverDue:
			<-pause.Done()
		default:
			_ = q.Wait(pause, wait) // early or not, the schedule is looked at anew
		}
		cancel()
	}
}

// look makes one request and tells the submissions what came of it.
func (p *poller) look(l look) {
	q := p.queue
	var outcomes []outcome
	if l.page == singlePage {
		result, err := p.single(l)
		p.mu.Lock()
		outcomes = p.schedule.fetched(l, result, err, q.Now())
	} else {
		results, err := q.Service.List(q.ctx, listQuery(l.page))
		p.mu.Lock()
		outcomes = p.schedule.listed(l, 0, results, err, q.Now())
	}
	p.underWay--
	told := make([]*waiting, len(outcomes))
	for i, o := range outcomes {
		told[i] = p.waiting[o.id]
		if o.final || o.failed != nil {
			delete(p.waiting, o.id)
		}
	}
	p.wake()
	p.mu.Unlock()
	for i, o := range outcomes {
		if told[i] != nil {
			told[i].tell(q, o)
		}
	}
}

func (p *poller) single(l look) (*client.Result, error) {
	p.mu.Lock()
	w := p.waiting[l.ids[0]]
	p.mu.Unlock()
	if w == nil {
		return nil, context.Canceled // the schedule has forgotten it, too
	}
	return p.queue.Service.Result(w.ctx, w.item.RequestID)
}

// listQuery asks for the results down to the end of a page. The list is asked for in the form without a page number:
// whether those begin at 0 or 1 is not known, and a result that moves from one page to the next would be missed.
func listQuery(page int) client.ListQuery { return client.ListQuery{Size: (page + 1) * pageSize} }

// tell writes an outcome down, and ends the wait where it is an end.
func (w *waiting) tell(q *Queue, o outcome) {
	if w.ctx.Err() != nil {
		return
	}
	now := q.Now()
	q.change(w.item, func(s *submission.Submission) {
		if s.State != submission.Analysing {
			return // an answer that was under way longer
		}
		s.Delay = ""
		if o.delay != nil {
			s.Delay = sentence(o.delay) + " Trying again."
		}
		if o.result != nil {
			s.Result = o.result
		}
		if o.final {
			s.State, s.Answered = submission.Done, now
		}
	})
	if o.final || o.failed != nil {
		w.ended <- o.failed
	}
}

// temporary reports whether the same request may succeed later.
func temporary(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Temporary()
}

// unknown reports whether the service knows no such result.
func unknown(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}
