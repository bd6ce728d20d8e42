package folders

import (
	"sync"
	"time"

	"assay/client"
	"assay/client/submission"
)

// Batch counts the outcomes of files that arrived about the same time, in all folders together.
type Batch struct {
	Arrived       int // files accepted
	Held          int // of these, those that wait for the person's approval
	Answered      int // with a final answer
	Fake          int // of these, by their status
	Suspicious    int
	Contradictory int // answers that contradict themselves
	Authentic     int
	Other         int // other statuses
	Failed        int // refused, or failed
}

// When a batch is reported.
const (
	batchRest   = 3 * time.Second  // after its last event, if nothing is under way any more
	batchPeriod = 60 * time.Second // after the batch before it, at least
)

// progress is how far a submission has come, for the purpose of batches.
type progress uint8

const (
	expected progress = iota // it is being accepted
	underWay
	resting // it waits for the person
)

// gathering counts the outcomes of submissions until they are reported as a batch. It has no clock of its own; its methods may be called on any
// goroutine.
type gathering struct {
	wake chan struct{} // receives when it may be due at another time

	mu       sync.Mutex
	open     map[string]progress // by submission, those that have not ended
	moving   int                 // how many of these are under way
	since    Batch               // the last report
	held     map[string]bool     // of these, those counted in since.Held
	began    time.Time           // when its first event happened; zero: none did
	latest   time.Time           // when its last event happened
	toldLast time.Time
}

func newGathering() *gathering {
	return &gathering{wake: make(chan struct{}, 1), open: map[string]progress{}, held: map[string]bool{}}
}

func (g *gathering) set(id string, to progress) {
	if was, known := g.open[id]; known && was == underWay {
		g.moving--
	}
	if to == underWay {
		g.moving++
	}
	g.open[id] = to
}

func (g *gathering) end(id string) {
	if g.open[id] == underWay {
		g.moving--
	}
	delete(g.open, id)
}

func (g *gathering) happened(now time.Time) {
	if g.began.IsZero() {
		g.began = now
	}
	g.latest = now
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// resume notes a submission of an earlier run, of which nothing has happened in this one.
func (g *gathering) resume(s submission.Submission) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.open[s.ID]; !known && !s.State.Ended() {
		g.set(s.ID, progressOf(s))
	}
}

func progressOf(s submission.Submission) progress {
	if s.State == submission.Held || s.Paused {
		return resting
	}
	return underWay
}

// expect notes submissions that are about to be accepted, so that the end of none is missed.
func (g *gathering) expect(ids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		if _, known := g.open[id]; !known {
			g.set(id, expected)
		}
	}
}

// accepted notes which of the expected submissions were accepted.
func (g *gathering) accepted(now time.Time, ids []string, taken func(id string) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	arrived := 0
	for _, id := range ids {
		was, open := g.open[id]
		waits := open && was == expected
		switch is := taken(id); {
		case is && waits:
			g.set(id, underWay)
			arrived++
		case is:
			arrived++ // it has come further already
		case waits:
			g.end(id)
		}
	}
	if arrived > 0 {
		g.since.Arrived += arrived
		g.happened(now)
	}
}

// see notes the state of a submission, and reports whether it has ended just now.
func (g *gathering) see(now time.Time, s submission.Submission) (ended bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was, known := g.open[s.ID]
	if s.State != submission.Held {
		g.decided(s.ID)
	}
	if !s.State.Ended() {
		if is := progressOf(s); !known || was != is {
			g.set(s.ID, is)
			if s.State == submission.Held {
				g.since.Held++
				g.held[s.ID] = true
				g.happened(now)
			}
		}
		return false
	}
	if !known {
		return false // it was counted when it ended
	}
	g.end(s.ID)
	switch s.State {
	case submission.Done:
		g.since.answered(s.Result)
	case submission.Refused, submission.Failed:
		g.since.Failed++
	default:
	}
	if g.since != (Batch{}) {
		g.happened(now)
	}
	return true
}

// decided notes that a submission does not wait for the person any more, so that the report does not say that it does; g.mu is held.
func (g *gathering) decided(id string) {
	if g.held[id] {
		delete(g.held, id)
		g.since.Held--
	}
}

// lose notes that a submission will not be seen any more.
func (g *gathering) lose(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.decided(id)
	if g.open[id] != expected {
		g.end(id)
	}
}

func (b *Batch) answered(r *client.Result) {
	b.Answered++
	var status client.Status
	if r != nil {
		status = r.FiledStatus()
	}
	switch status {
	case client.Fake:
		b.Fake++
	case client.Suspicious:
		b.Suspicious++
	case client.Authentic:
		b.Authentic++
	case client.Contradictory:
		b.Contradictory++
	default:
		b.Other++
	}
}

// due is when the batch is to be reported, as far as is known now; ok is false where there is none.
func (g *gathering) due() (at time.Time, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.dueAt()
}

func (g *gathering) dueAt() (at time.Time, ok bool) {
	came := g.since
	came.Arrived = 0
	switch {
	case g.since == (Batch{}), g.moving > 0 && came == (Batch{}):
		return time.Time{}, false
	case g.moving > 0: // files that keep coming
		at = g.began.Add(batchPeriod)
	default:
		at = g.latest.Add(batchRest)
	}
	if next := g.toldLast.Add(batchPeriod); !g.toldLast.IsZero() && next.After(at) {
		at = next
	}
	return at, true
}

// take returns the batch that is due, and begins the next one.
func (g *gathering) take(now time.Time) (Batch, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at, ok := g.dueAt(); !ok || at.After(now) {
		return Batch{}, false
	}
	b := g.since
	g.since, g.began, g.latest = Batch{}, time.Time{}, time.Time{}
	clear(g.held)
	if b != (Batch{Arrived: b.Arrived}) { // else there is nothing to report, and the next one need not wait
		g.toldLast = now
	}
	return b, true
}
