package intake

import (
	"context"

	"assay/client/intake/poll"
	"assay/client/submission"
)

// runsAtOnce bounds the submissions of a lane that are on their way to the service together. Of these most wait for a
// place; the others, however many were handed over, cost nothing but their row.
const runsAtOnce = 32

// lane is where submissions stand before they set out; Queue.mu guards it.
type lane struct {
	pending []*run
	active  int
	most    int
}

// phase is where a run is.
type phase int

const (
	pendingRun phase = iota // in its lane
	activeRun               // on a goroutine
	polledRun               // the poller has it
)

// run is what goes on with a submission, from where it stands until it ends or is halted. Queue.mu guards it.
type run struct {
	ctx    context.Context
	cancel context.CancelFunc
	item   *item
	lane   *lane
	phase  phase
	check  *place // of a file: its place in the order in which files are looked at
	hashed int64  // of a file: its media.ChangeTime when it was hashed; for the run's own goroutine
}

// wanted reports whether a submission should go on; q.mu is held.
func (q *Queue) wanted(it *item) bool {
	return q.ctx.Err() == nil && !q.stops(it) && it.Earlier == "" && !it.Paused && it.State != submission.Held && !it.State.Ended()
}

// stops reports whether a submission stands still with the queue; q.mu is held. Where the plan has no room, what was sent is still
// answered, and each of the others goes on to where it would be sent.
func (q *Queue) stops(it *item) bool {
	return q.status.Stopped() && (q.status.Cause != NoQuota || q.noReads || it.refused)
}

// start lets a submission go on, if nothing keeps it and it does not already; q.mu is held.
func (q *Queue) start(it *item) {
	if it.run != nil || !q.wanted(it) {
		return
	}
	r := &run{item: it, lane: &q.files}
	r.ctx, r.cancel = context.WithCancel(q.ctx)
	it.run = r
	if it.Link != "" {
		r.lane = &q.links
	}
	if it.RequestID != "" && !it.Asking.Refetch {
		q.poll(r)
		return
	}
	r.lane.pending = append(r.lane.pending, r)
	q.pump(r.lane)
}

// startAll lets everything go on that should; q.mu is held.
func (q *Queue) startAll() {
	for _, id := range q.order {
		q.start(q.items[id])
	}
	for _, it := range q.items { // those outside the inbox
		q.start(it)
	}
}

// pump starts what stands in a lane, as far as there is room; q.mu is held.
func (q *Queue) pump(l *lane) {
	for l.active < l.most && len(l.pending) > 0 {
		r := l.pending[0]
		l.pending[0] = nil
		l.pending = l.pending[1:]
		if r.ctx.Err() != nil {
			continue // halted while it stood there
		}
		r.phase = activeRun
		l.active++
		way := q.sendLinkOf
		if l == &q.files {
			r.check = newPlace(q.checks) // here, so that files are looked at in the order in which they were accepted
			way = q.sendFileOf
		}
		q.workers.Go(func() { q.leave(r, way(r)) })
	}
}

// leave ends the part of a run that has a goroutine: the poller takes it on, or it is over.
func (q *Queue) leave(r *run, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	it := r.item
	if err == nil && r.ctx.Err() == nil && it.Earlier == "" && it.RequestID != "" && !it.State.Ended() {
		q.poll(r)
	} else {
		q.mu.Unlock()
		q.finish(r, err) // before another sets out: it may wait for the disk
		q.mu.Lock()
	}
	r.lane.active--
	q.pump(r.lane)
}

// poll hands a run to the poller; q.mu is held.
func (q *Queue) poll(r *run) {
	r.phase = polledRun
	r.item.State = submission.Analysing
	q.touched(r.item)
	it := r.item
	q.poller.Add(&poll.Result{Context: r.ctx, ID: it.ID, RequestID: it.RequestID, Uploaded: it.Uploaded,
		Failed: func(err error) bool { return q.holdForLook(r, err) },
		Told:   func(o poll.Outcome) { q.told(r, o) }})
}

// halt stops what goes on with a submission. Where that takes a moment, it is looked at afterwards whether it should go
// on again; q.mu is held.
func (q *Queue) halt(it *item) {
	r := it.run
	if r == nil {
		return
	}
	if r.phase == polledRun {
		q.poller.Remove(it.ID) // before its request is given up, or the poller makes it once more
	}
	r.cancel()
	if r.phase == activeRun {
		return // finish is called
	}
	it.run = nil
	it.rest()
	q.touched(it)
}

// rest is how a submission stands that is halted. The delay of one that waits for the person's word is not its run's: they may
// have given it while the run came to its end.
func (it *item) rest() {
	if it.Sent, it.Rate = 0, 0; !allowable(it.Submission) {
		it.Delay = ""
	}
	it.takeUp()
}
