package folders

import (
	"sync"
	"time"

	"assay/client"
	"assay/client/submission"
)

// Batch is what came of files that arrived about the same time, in all folders together.
type Batch struct {
	Arrived       int // files taken
	Held          int // of these, those that wait for the person's word
	Answered      int // with a final answer
	Fake          int // of these, by their status
	Suspicious    int
	Contradictory int // answers that contradict themselves
	Authentic     int
	Other         int // answered otherwise
	Failed        int // refused, or failed
}

// When a batch is told of.
const (
	batchRest   = 3 * time.Second  // after the last that happened, where nothing is under way any more
	batchPeriod = 60 * time.Second // after the one before, at least
)

// progress is how far a submission is known to have come, as far as batches go.
type progress uint8

const (
	expected progress = iota // it is being taken
	underWay
	resting // it waits for the person
)

// gathering counts what becomes of submissions until it is told as a batch. It knows no clock of its own, and is safe on any
// goroutine.
type gathering struct {
	wake chan struct{} // receives after it may fall due at another time

	mu       sync.Mutex
	open     map[string]progress // by submission, those that have not ended
	moving   int                 // of these, those under way
	since    Batch               // the last one
	held     map[string]bool     // of these, those that since.Held counts
	began    time.Time           // when the first of it happened; zero: nothing did
	latest   time.Time           // and the last
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

// takeUp notes a submission of an earlier run, of which nothing has happened in this one.
func (g *gathering) takeUp(s submission.Submission) {
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

// expect notes submissions that are about to be taken, so that none comes to an end unseen.
func (g *gathering) expect(ids []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		if _, known := g.open[id]; !known {
			g.set(id, expected)
		}
	}
}

// accepted notes which of those that were expected were taken.
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
			arrived++ // and has come further already
		case waits:
			g.end(id)
		}
	}
	if arrived > 0 {
		g.since.Arrived += arrived
		g.happened(now)
	}
}

// see notes how a submission stands, and reports whether it has ended this very moment.
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

// decided notes that a submission waits for the person no more: nothing is to be said of it that is not so by then; g.mu is held.
func (g *gathering) decided(id string) {
	if g.held[id] {
		delete(g.held, id)
		g.since.Held--
	}
}

// lose notes that a submission is not to be seen any more.
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

// due is when there is a batch to tell, as far as is known now; ok is false where there is none.
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
	case g.moving > 0: // a stream that never rests
		at = g.began.Add(batchPeriod)
	default:
		at = g.latest.Add(batchRest)
	}
	if next := g.toldLast.Add(batchPeriod); !g.toldLast.IsZero() && next.After(at) {
		at = next
	}
	return at, true
}

// take gives the batch that is due, and begins the next one.
func (g *gathering) take(now time.Time) (Batch, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at, ok := g.dueAt(); !ok || at.After(now) {
		return Batch{}, false
	}
	b := g.since
	g.since, g.began, g.latest = Batch{}, time.Time{}, time.Time{}
	clear(g.held)
	if b != (Batch{Arrived: b.Arrived}) { // else there is nothing in it to say, and the next one need not wait
		g.toldLast = now
	}
	return b, true
}
