package intake

import (
	"context"
	"errors"

	"assay/client"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake/dedupe"
	"assay/client/intake/poll"
	"assay/client/submission"
)

// jobsAtOnce bounds how many submissions of a pool are with workers at a time. Most of those wait for a slot; the rest, however many there are, cost
// nothing but their row.
const jobsAtOnce = 32

// pool has the jobs of one kind: those that wait for a worker, and how many are with one.
type pool struct {
	pending []*job
	behind  []*job // of many that are checked again (submission.Recheck): one at a time, while none of the others is pending
	active  int
	again   int // of active, those of behind
	most    int
	send    func(*job) error // takes the job's submission to the service, on a worker
}

// phase is where a job is.
type phase int

const (
	pendingJob phase = iota // in its pool
	activeJob               // with a worker
	polledJob               // with the poller
)

// job takes a submission on from its Step until it ends or is halted. Its entry, context and pool never change.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	entry  *entry
	pool   *pool
	phase  phase
	check  *slot // of a file: its slot for being hashed; for the worker alone
	hashed int64 // of a file: its media.ChangeTime when it was hashed; for the worker alone
}

// wanted reports whether a submission should have a job.
func (st *state) wanted(e *entry) bool {
	return st.ctx.Err() == nil && !st.stops(e) && e.Earlier == "" && !e.Paused && e.State != submission.Held && !e.State.Ended()
}

// stops reports whether the halted queue stops a submission. Where the plan has no room for more, answers are still fetched for what was sent, and
// the others go on to just before they would be sent.
func (st *state) stops(e *entry) bool {
	return st.status.Stopped() && (st.status.Cause != NoQuota || st.noReads || e.refused)
}

// start gives a submission a job, if nothing keeps it from going on and it has none.
func (st *state) start(e *entry) {
	if e.job != nil || !st.wanted(e) {
		return
	}
	j := &job{entry: e, pool: &st.files}
	j.ctx, j.cancel = context.WithCancel(st.ctx)
	e.job = j
	if e.Link != "" {
		j.pool = &st.links
	}
	if e.RequestID != "" && !e.Asking.Refetch {
		st.poll(j)
		return
	}
	if e.Recheck != "" {
		j.pool.behind = append(j.pool.behind, j)
	} else {
		j.pool.pending = append(j.pool.pending, j)
	}
	st.startPending(j.pool)
}

// startAll starts every submission that should go on.
func (st *state) startAll() {
	for _, id := range st.order {
		st.start(st.entries[id])
	}
	for _, e := range st.entries { // also those outside the inbox
		st.start(e)
	}
}

// next takes the job that is to be started next out of the pool, nil where there is none.
func (p *pool) next() (j *job) {
	from := &p.pending
	if len(p.pending) == 0 && p.again == 0 {
		from = &p.behind
	}
	if len(*from) > 0 {
		j = (*from)[0]
		(*from)[0] = nil
		*from = (*from)[1:]
	}
	return j
}

// startPending hands pending jobs of a pool to workers, as many as there is room for.
func (st *state) startPending(p *pool) {
	q := st.Queue
	for p.active < p.most {
		j := p.next()
		if j == nil {
			return
		}
		if j.ctx.Err() != nil {
			continue // it was halted while it waited
		}
		if j.entry.Recheck != "" {
			p.again++
		}
		j.phase = activeJob
		p.active++
		if p == &st.files {
			j.check = st.checks.reserve() // reserved here, so that files are hashed in the order in which they were accepted
		}
		st.workers.Go(func() { q.workerDone(j, p.send(j)) })
	}
}

// workerDone is called when a worker is done with a job: the poller goes on with it, or it has ended.
func (q *Queue) workerDone(j *job, err error) {
	polled := false
	q.do(func(st *state) {
		e := j.entry
		if polled = err == nil && j.ctx.Err() == nil && e.Earlier == "" && e.RequestID != "" && !e.State.Ended(); polled {
			st.poll(j)
		}
	})
	if !polled {
		q.finish(j, err) // before another starts: writing its end may have to wait for the disk
	}
	q.do(func(st *state) {
		j.pool.active--
		if j.entry.Recheck != "" {
			j.pool.again--
		}
		st.startPending(j.pool)
	})
}

// poll hands a job to the poller.
func (st *state) poll(j *job) {
	q, e := st.Queue, j.entry
	j.phase = polledJob
	e.State = submission.Analysing
	st.touched(e)
	q.poller.Add(&poll.Result{Context: j.ctx, ID: e.ID, RequestID: e.RequestID, Uploaded: e.Uploaded,
		Failed: func(err error) bool { return q.haltForPoll(j, err) },
		Report: func(o poll.Outcome) { q.polled(j, o) }})
}

// halt stops a submission's job. If that takes a moment, finish starts it again where it should go on by then.
func (st *state) halt(e *entry) {
	j := e.job
	if j == nil {
		return
	}
	if j.phase == polledJob {
		st.poller.Remove(e.ID) // before its context is cancelled, or the poller makes the request once more
	}
	j.cancel()
	if j.phase == activeJob {
		return // finish will be called
	}
	e.job = nil
	e.rest()
	st.touched(e)
}

// rest sets the state of a submission whose job was halted. The Delay of one that waits for the person's approval is left alone: it is not from its
// job.
func (e *entry) rest() {
	if e.Sent, e.Rate = 0, 0; !approvable(e.Submission) {
		e.Delay = i18n.Message{}
	}
	e.prepareToResume()
}

// prepareToResume sets the state from which a submission goes on, after a restart or after it was halted.
func (e *entry) prepareToResume() {
	switch {
	case e.State.Ended(), e.State == submission.Held:
	case e.RequestID != "":
		e.State = submission.Analysing
	default:
		e.State = submission.Waiting
	}
}

// polled takes an outcome from the poller: an interim result, or what ends the job.
func (q *Queue) polled(j *job, o poll.Outcome) {
	q.reached(errors.Join(o.Delay, o.Failed))
	if o.Final {
		q.finish(j, q.answer(j, o.Result))
		return
	}
	var delay i18n.Message
	if o.Delay != nil {
		delay = q.delayed(o.Delay, o.Again)
	}
	q.change(j.entry, func(s *submission.Submission) {
		if s.State != submission.Analysing {
			return // the answer was on its way when the job had ended
		}
		s.Delay = delay
		if o.Result != nil {
			s.Result = o.Result
		}
	})
	if o.Failed != nil {
		q.finish(j, q.unanswered(j, o.Failed))
	}
}

// answer writes the final answer to disk and publishes that. Whoever waits for the end of a submission finds that Answered was called.
func (q *Queue) answer(j *job, result *client.Result) error {
	e := j.entry
	now, written := q.Now(), false
	save := func(ctx context.Context, s submission.Submission, event custody.Event) error {
		if err := q.Store.Answer(ctx, s, event); err != nil {
			return err
		}
		q.Answered(s)
		return nil
	}
	if err := q.write(e, custody.Answered, save, func(s *submission.Submission) {
		written = true
		s.State, s.Step, s.Result, s.Answered, s.Problem, s.Delay = submission.Done, submission.Answered, result, now, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	if !written {
		return nil // it had an answer already
	}
	q.do(func(st *state) { st.tell(events.Results, "") })
	q.Log.Info("answered", "id", e.ID, "status", result.Status())
	return nil
}

// unanswered records of a link that the service could not fetch that another attempt is another submission.
func (q *Queue) unanswered(j *job, failed error) error {
	if none := (*poll.NotFetched)(nil); !errors.As(failed, &none) {
		return failed
	}
	if err := q.commit(j.entry, custody.None, func(s *submission.Submission) { s.Asking = submission.Asking{Refetch: true} }); err != nil {
		return err
	}
	return failed
}

// finish ends a job and writes its outcome.
func (q *Queue) finish(j *job, err error) {
	defer j.cancel()
	e := j.entry
	halted := j.ctx.Err() != nil
	var undone *unsendable
	switch {
	case err == nil || halted || errors.Is(err, errStaysHere), errors.Is(err, errNoQuota):
	case errors.As(err, &undone):
		if failed := q.heldAgain(e, undone); failed != nil {
			q.haltFor(failed)
		}
	case !q.haltForJob(j, err):
		state, event := submission.Failed, custody.Failed
		if isRefusal(err) {
			state, event = submission.Refused, custody.Refused
		}
		problem := messageOf(err)
		q.Log.Info("submission ended", "id", e.ID, "state", state, "problem", problem, "error", err)
		if failed := q.commit(e, event, func(s *submission.Submission) {
			s.State, s.Problem = state, problem
		}); failed != nil {
			q.haltFor(failed)
		}
	}
	q.do(func(st *state) {
		if e.job == j {
			e.job = nil
		}
		if !dedupe.CanBePrimary(e.Submission) {
			st.index.Unregister(e.Content(), e.ID)
		}
		if e.State.Ended() {
			st.halt(e) // it may have been started again while its end was written
		}
		e.rest()
		st.touched(e)
		st.start(e) // it was halted and may go on already, or it is no duplicate any more
		st.forget(e)
	})
}
