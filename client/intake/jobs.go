package intake

import (
	"context"

	"assay/client/i18n"
	"assay/client/intake/poll"
	"assay/client/submission"
)

// runsAtOnce bounds the submissions of a lane that are on their way to the service together. Of these most wait for a
// place; the others, however many were handed over, cost nothing but their row.
const jobsAtOnce = 32

// lane is where submissions stand before they set out; Queue.mu guards it.
type pool struct {
	pending []*job
	active  int
	most    int
}

// phase is where a run is.
type phase int

const (
	pendingJob phase = iota // in its lane
	activeJob               // on a goroutine
	polledJob               // the poller has it
)

// run is what goes on with a submission, from where it stands until it ends or is halted. Queue.mu guards it.
type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	entry  *entry
	pool   *pool
	phase  phase
	check  *slot // of a file: its place in the order in which files are looked at
	hashed int64 // of a file: its media.ChangeTime when it was hashed; for the run's own goroutine
}

// wanted reports whether a submission should go on; q.mu is held.
func (q *Queue) wanted(e *entry) bool {
	return q.ctx.Err() == nil && !q.stops(e) && e.Earlier == "" && !e.Paused && e.State != submission.Held && !e.State.Ended()
}

// stops reports whether a submission stands still with the queue; q.mu is held. Where the plan has no room, what was sent is still
// answered, and each of the others goes on to where it would be sent.
func (q *Queue) stops(e *entry) bool {
	return q.status.Stopped() && (q.status.Cause != NoQuota || q.noReads || e.refused)
}

// start lets a submission go on, if nothing keeps it and it does not already; q.mu is held.
func (q *Queue) start(e *entry) {
	if e.job != nil || !q.wanted(e) {
		return
	}
	j := &job{entry: e, pool: &q.files}
	j.ctx, j.cancel = context.WithCancel(q.ctx)
	e.job = j
	if e.Link != "" {
		j.pool = &q.links
	}
	if e.RequestID != "" && !e.Asking.Refetch {
		q.poll(j)
		return
	}
	j.pool.pending = append(j.pool.pending, j)
	q.pump(j.pool)
}

// startAll lets everything go on that should; q.mu is held.
func (q *Queue) startAll() {
	for _, id := range q.order {
		q.start(q.entries[id])
	}
	for _, e := range q.entries { // those outside the inbox
		q.start(e)
	}
}

// pump starts what stands in a lane, as far as there is room; q.mu is held.
func (q *Queue) pump(l *pool) {
	for l.active < l.most && len(l.pending) > 0 {
		j := l.pending[0]
		l.pending[0] = nil
		l.pending = l.pending[1:]
		if j.ctx.Err() != nil {
			continue // halted while it stood there
		}
		j.phase = activeJob
		l.active++
		way := q.sendLinkOf
		if l == &q.files {
			j.check = q.checks.reserve() // here, so that files are looked at in the order in which they were accepted
			way = q.sendFileOf
		}
		q.workers.Go(func() { q.leave(j, way(j)) })
	}
}

// leave ends the part of a run that has a goroutine: the poller takes it on, or it is over.
func (q *Queue) leave(j *job, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := j.entry
	if err == nil && j.ctx.Err() == nil && e.Earlier == "" && e.RequestID != "" && !e.State.Ended() {
		q.poll(j)
	} else {
		q.mu.Unlock()
		q.finish(j, err) // before another sets out: it may wait for the disk
		q.mu.Lock()
	}
	j.pool.active--
	q.pump(j.pool)
}

// poll hands a run to the poller; q.mu is held.
func (q *Queue) poll(j *job) {
	j.phase = polledJob
	j.entry.State = submission.Analysing
	q.touched(j.entry)
	e := j.entry
	q.poller.Add(&poll.Result{Context: j.ctx, ID: e.ID, RequestID: e.RequestID, Uploaded: e.Uploaded,
		Failed: func(err error) bool { return q.holdForLook(j, err) },
		Report: func(o poll.Outcome) { q.reported(j, o) }})
}

// halt stops what goes on with a submission. Where that takes a moment, it is looked at afterwards whether it should go
// on again; q.mu is held.
func (q *Queue) halt(e *entry) {
	j := e.job
	if j == nil {
		return
	}
	if j.phase == polledJob {
		q.poller.Remove(e.ID) // before its request is given up, or the poller makes it once more
	}
	j.cancel()
	if j.phase == activeJob {
		return // finish is called
	}
	e.job = nil
	e.rest()
	q.touched(e)
}

// rest is how a submission stands that is halted. The delay of one that waits for the person's word is not its run's: they may
// have given it while the run came to its end.
func (e *entry) rest() {
	if e.Sent, e.Rate = 0, 0; !allowable(e.Submission) {
		e.Delay = i18n.Message{}
	}
	e.takeUp()
}
