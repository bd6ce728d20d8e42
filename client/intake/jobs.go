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

// jobsAtOnce bounds the submissions of a pool that are on their way to the service together. Of these most wait for a slot; the others,
// however many were handed over, cost nothing but their row.
const jobsAtOnce = 32

// pool has the jobs of one kind: those that wait, and how many are with a worker.
type pool struct {
	pending []*job
	active  int
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

// job takes a submission on its way, from where it stands until it ends or is halted. Its entry, context and pool never change.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	entry  *entry
	pool   *pool
	phase  phase
	check  *slot // of a file: its slot among the files that are hashed; for the worker alone
	hashed int64 // of a file: its media.ChangeTime when it was hashed; for the worker alone
}

// wanted reports whether a submission should go on.
func (st *state) wanted(e *entry) bool {
	return st.ctx.Err() == nil && !st.stops(e) && e.Earlier == "" && !e.Paused && e.State != submission.Held && !e.State.Ended()
}

// stops reports whether a submission stands still with the queue. Where the plan has no room, what was sent is still answered, and each
// of the others goes on to where it would be sent.
func (st *state) stops(e *entry) bool {
	return st.status.Stopped() && (st.status.Cause != NoQuota || st.noReads || e.refused)
}

// start lets a submission go on, if nothing keeps it and it does not already.
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
	j.pool.pending = append(j.pool.pending, j)
	st.startPending(j.pool)
}

// startAll lets everything go on that should.
func (st *state) startAll() {
	for _, id := range st.order {
		st.start(st.entries[id])
	}
	for _, e := range st.entries { // those outside the inbox
		st.start(e)
	}
}

// startPending hands what waits in a pool to workers, as far as there is room.
func (st *state) startPending(p *pool) {
	q := st.Queue
	for p.active < p.most && len(p.pending) > 0 {
		j := p.pending[0]
		p.pending[0] = nil
		p.pending = p.pending[1:]
		if j.ctx.Err() != nil {
			continue // halted while it waited
		}
		j.phase = activeJob
		p.active++
		if p == &st.files {
			j.check = st.checks.reserve() // here, so that files are looked at in the order in which they were accepted
		}
		st.workers.Go(func() { q.workerDone(j, p.send(j)) })
	}
}

// workerDone ends a worker's part of a job: the poller takes it on, or it is over.
func (q *Queue) workerDone(j *job, err error) {
	polled := false
	q.do(func(st *state) {
		e := j.entry
		if polled = err == nil && j.ctx.Err() == nil && e.Earlier == "" && e.RequestID != "" && !e.State.Ended(); polled {
			st.poll(j)
		}
	})
	if !polled {
		q.finish(j, err) // before another sets out: it may wait for the disk
	}
	q.do(func(st *state) {
		j.pool.active--
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
		Failed: func(err error) bool { return q.haltForLook(j, err) },
		Report: func(o poll.Outcome) { q.polled(j, o) }})
}

// halt stops what goes on with a submission. Where that takes a moment, finish looks afterwards whether it should go on again.
func (st *state) halt(e *entry) {
	j := e.job
	if j == nil {
		return
	}
	if j.phase == polledJob {
		st.poller.Remove(e.ID) // before its request is given up, or the poller makes it once more
	}
	j.cancel()
	if j.phase == activeJob {
		return // finish is called
	}
	e.job = nil
	e.rest()
	st.touched(e)
}

// rest is how a submission stands that is halted. The delay of one that waits for the person's approval is not its job's: they may
// have given that while the job came to its end.
func (e *entry) rest() {
	if e.Sent, e.Rate = 0, 0; !approvable(e.Submission) {
		e.Delay = i18n.Message{}
	}
	e.takeUp()
}

// takeUp puts a submission of an earlier run, or one that was halted, into the state from which it goes on.
func (e *entry) takeUp() {
	switch {
	case e.State.Ended(), e.State == submission.Held:
	case e.RequestID != "":
		e.State = submission.Analysing
	default:
		e.State = submission.Waiting
	}
}

// polled takes what the service said of a result: for the moment, or as the end of the job that waits for it.
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
			return // an answer that was under way longer
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

// answer writes the final answer down, and tells of it.
func (q *Queue) answer(j *job, result *client.Result) error {
	e := j.entry
	now, written := q.Now(), false
	if err := q.write(e, custody.Answered, q.Store.Answer, func(s *submission.Submission) {
		written = true
		s.State, s.Step, s.Result, s.Answered, s.Problem, s.Delay = submission.Done, submission.Answered, result, now, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	if !written {
		return nil // it was answered already
	}
	q.do(func(st *state) { st.tell(events.Results, "") })
	q.Log.Info("answered", "id", e.ID, "status", result.Status())
	q.Answered(q.snapshot(e))
	return nil
}

// unanswered notes of a link that the service could not fetch that another attempt is another submission.
func (q *Queue) unanswered(j *job, failed error) error {
	if none := (*poll.NotFetched)(nil); !errors.As(failed, &none) {
		return failed
	}
	if err := q.commit(j.entry, custody.None, func(s *submission.Submission) { s.Asking = submission.Asking{Refetch: true} }); err != nil {
		return err
	}
	return failed
}

// finish ends a job and writes down how it came out.
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
			st.halt(e) // where it was set going again while its end was written down
		}
		e.rest()
		st.touched(e)
		st.start(e) // it was halted, and may go on already; or it is no duplicate any more
		st.forget(e)
	})
}
