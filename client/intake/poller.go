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

	mu       sync.Mutex // may be taken while Queue.mu is held, never the other way round
	schedule *schedule
	waiting  map[string]*run // by submission
	underWay int
	rouse    context.CancelFunc // ends the pause under way
}

// watch looks at a run's result until it is final or given up, or the run is halted; then the run is finished.
// Queue.mu is held.
func (p *poller) watch(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	it := r.item
	p.waiting[it.ID] = r
	p.schedule.add(it.ID, it.RequestID, it.Uploaded, p.queue.Now())
	p.wake()
}

// forget no longer looks at a run's result. Queue.mu is held.
func (p *poller) forget(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, r.item.ID)
	p.schedule.drop(r.item.ID)
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
		result, r, err := p.single(l)
		held := r == nil || q.holdForLook(r, err) // before another look begins
		p.mu.Lock()
		if !held && r.ctx.Err() == nil {
			outcomes = p.schedule.fetched(l, result, err, q.Now())
		} else {
			p.schedule.unanswered(l)
		}
	} else {
		r := p.first(l)
		results, err := q.Service.List(q.ctx, listQuery(l.page))
		held := r == nil || q.holdForLook(r, err)
		p.mu.Lock()
		if held {
			p.schedule.unanswered(l)
		} else {
			outcomes = p.schedule.listed(l, 0, results, err, q.Now())
		}
	}
	p.underWay--
	told := make([]*run, len(outcomes))
	for i, o := range outcomes {
		told[i] = p.waiting[o.id]
		if o.final || o.failed != nil {
			delete(p.waiting, o.id)
		}
	}
	p.wake()
	p.mu.Unlock()
	for i, o := range outcomes {
		if r := told[i]; r != nil && r.ctx.Err() == nil {
			q.looked(r, o)
		}
	}
}

// single looks at one result, for a run; there is none where it was halted a moment ago. Where it is halted meanwhile, an
// error says nothing about it.
func (p *poller) single(l look) (result *client.Result, r *run, err error) {
	p.mu.Lock()
	requestID := p.schedule.requestID(l.ids[0])
	r = p.waiting[l.ids[0]]
	p.mu.Unlock()
	if r == nil {
		return nil, nil, nil
	}
	result, err = p.queue.Service.Result(r.ctx, requestID)
	return result, r, err
}

// first is the first of the runs for which a look is made, nil where it was halted.
func (p *poller) first(l look) *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[l.ids[0]]
}

// listQuery asks for the results down to the end of a page. The list is asked for in the form without a page number:
// whether those begin at 0 or 1 is not known, and a result that moves from one page to the next would be missed.
func listQuery(page int) client.ListQuery { return client.ListQuery{Size: (page + 1) * pageSize} }

// looked takes what a look at a result said: for the moment, or as the end of its run.
func (q *Queue) looked(r *run, o outcome) {
	q.reached(errors.Join(o.delay, o.failed))
	if o.final {
		q.finish(r, q.answer(r, o.result))
		return
	}
	delay := ""
	if o.delay != nil {
		delay = q.delayed(o.delay, o.again)
	}
	q.change(r.item, func(s *submission.Submission) {
		if s.State != submission.Analysing {
			return // an answer that was under way longer
		}
		s.Delay = delay
		if o.result != nil {
			s.Result = o.result
		}
	})
	if o.failed != nil {
		q.finish(r, q.unanswered(r, o.failed))
	}
}

// answer writes the final answer down, and tells of it.
func (q *Queue) answer(r *run, result *client.Result) error {
	it := r.item
	now, written := q.Now(), false
	if err := q.write(it, "answered", q.Store.Answer, func(s *submission.Submission) {
		written = true
		s.State, s.Step, s.Result, s.Answered, s.Problem, s.Delay = submission.Done, submission.Answered, result, now, "", ""
	}); err != nil {
		return err
	}
	if !written {
		return nil // it was answered already
	}
	q.mu.Lock()
	answered := it.Submission
	q.tellAnswers()
	q.mu.Unlock()
	q.Log.Info("answered", "id", it.ID, "status", result.Status())
	q.Answered(answered)
	return nil
}

// unanswered notes of a link that the service could not fetch that another attempt is another submission.
func (q *Queue) unanswered(r *run, failed error) error {
	if none := (*notFetched)(nil); !errors.As(failed, &none) {
		return failed
	}
	if err := q.commit(r.item, "", func(s *submission.Submission) { s.Asking = submission.Asking{Refetch: true} }); err != nil {
		return err
	}
	return failed
}

// temporary reports whether the same request may succeed later.
func temporary(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Temporary() || errors.Is(err, client.ErrPage)
}

// unknown reports whether the service knows no such result.
func unknown(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}
