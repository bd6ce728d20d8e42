package intake

import (
	"slices"
	"time"

	"assay/client/custody"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// state is what the queue knows. It belongs to one goroutine (Queue.own): to read or change it, others give that goroutine a function, by Queue.do.
// The methods of state run there, so they do no I/O and never wait: workers do that, and come back by Queue.do. A method of state that called
// Queue.do would wait for itself.
type state struct {
	*Queue
	entries map[string]*entry
	order   []string      // IDs of the inbox, in the order of acceptance
	index   *dedupe.Index // which submission is the primary of a content, and its duplicates
	files   pool
	links   pool

	totals    Totals
	status    QueueStatus
	noReads   bool                     // the plan does not allow reading results either; with NoQuota
	delays    time.Time                // since when the service has been slow or failing; zero: it is well
	busy      time.Time                // with Busy: until when the service asked to be left alone, whatever else it answers
	probing   bool                     // the disk is being tried
	unwritten map[*entry]custody.Event // entries whose last write failed, with the custody event; written again once the disk can be
	unpaused  bool                     // likewise for factPaused
	whole     []*entry                 // those with a whole answer, the oldest first
	wholeSize int                      // of these answers' JSON, in bytes

	decisions []*decision // of the person, not carried out yet for all their submissions
	deciding  bool        // a worker carries them out
	copying   string      // the ID of the submission whose copy is being made
	giveUp    func()      // ends the making of that copy
}

// entry is a submission with its job. Its ID, Link, Source, Folder and Recheck never change, and may be read on any goroutine.
type entry struct {
	submission.Submission
	job     *job         // nil: it has none
	refused bool         // the plan has no room for it: it waits while the queue is halted for that
	inInbox bool         //
	keeping int          // writes that are pending, see state.keep
	counted contribution // its share of state.totals
}

// fromDisk is the entry of a submission that is on disk, with what an answer's verdict is made of.
func fromDisk(s submission.Submission) *entry {
	if s.State == submission.Done {
		s.Result = s.Result.Brief()
	}
	return &entry{Submission: s}
}

func newState(q *Queue) *state {
	return &state{
		Queue:     q,
		entries:   map[string]*entry{},
		index:     dedupe.NewIndex(),
		files:     pool{most: jobsAtOnce, send: q.sendFileOf},
		links:     pool{most: jobsAtOnce, send: q.sendLinkOf},
		unwritten: map[*entry]custody.Event{},
	}
}

// command is a function for the goroutine that owns the state.
type command struct {
	run  func(*state)
	done chan struct{}
}

// own owns the state: it calls what is given to Queue.do, one function after another, until the queue is closed and all is written.
func (q *Queue) own(st *state) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		q.writeDown()
	}()
	for {
		select {
		case c := <-q.commands:
			c.run(st)
			close(c.done)
		case <-written:
			q.final = st
			close(q.ended)
			return
		}
	}
}

// do has the goroutine that owns the state call a function, and returns once it has; it returns false where the queue has ended.
func (q *Queue) do(f func(*state)) bool {
	c := command{run: f, done: make(chan struct{})}
	select {
	case q.commands <- c:
		<-c.done
		return true
	case <-q.ended:
		return false
	}
}

// query is do for functions that only read the state: once the queue has ended, they read its last state.
func (q *Queue) query(f func(*state)) {
	if !q.do(f) {
		f(q.final)
	}
}

// snapshot returns a copy of a submission as it is now.
func (q *Queue) snapshot(e *entry) (s submission.Submission) {
	q.query(func(*state) { s = e.Submission })
	return s
}

// Get returns a submission as it is shown now: a duplicate with the answer of its primary. Of an answer that is final it may have client.Result.Brief:
// the store has the whole. ok is false for one that is neither in the inbox nor under way.
func (q *Queue) Get(id string) (s submission.Submission, ok bool) {
	q.query(func(st *state) {
		var e *entry
		if e, ok = st.entries[id]; ok {
			s = st.view(e)
		}
	})
	return s, ok
}

// All returns the inbox, each as by Get, in the order of acceptance.
func (q *Queue) All() (all []submission.Submission) {
	q.query(func(st *state) { all = st.all() })
	return all
}

func (st *state) all() []submission.Submission {
	all := make([]submission.Submission, 0, len(st.order))
	for _, id := range st.order {
		all = append(all, st.view(st.entries[id]))
	}
	return all
}

// Order returns the IDs of the inbox, in the order of acceptance.
func (q *Queue) Order() (ids []string) {
	q.query(func(st *state) { ids = append(ids, st.order...) })
	return ids
}

// Totals returns the sums over the inbox.
func (q *Queue) Totals() (t Totals) {
	q.query(func(st *state) { t = st.totals })
	return t
}

// QueueStatus returns the status of the queue as a whole.
func (q *Queue) QueueStatus() (s QueueStatus) {
	q.query(func(st *state) { s = st.status })
	return s
}

// Stopped reports whether a submission goes no further without the person: it is paused, or halted with the queue.
func (q *Queue) Stopped(id string) (stopped bool) {
	q.query(func(st *state) {
		e := st.shownBy(st.entries[id])
		stopped = e != nil && e.job == nil && !e.State.Ended() && e.State != submission.Held && (e.Paused || st.stops(e))
	})
	return stopped
}

// shownBy returns the entry whose answer an entry shows: its primary, or itself if it is no duplicate or was cancelled. It is nil for nil.
func (st *state) shownBy(e *entry) *entry {
	if e != nil && e.State != submission.Cancelled {
		if primary := st.entries[e.Earlier]; primary != nil {
			return primary
		}
	}
	return e
}

// view returns a submission as it is shown: a duplicate with the answer of its primary.
func (st *state) view(e *entry) submission.Submission {
	s := e.Submission
	if p := st.shownBy(e); p != e {
		s.State, s.Result, s.Problem, s.Delay = p.State, p.Result, p.Problem, p.Delay
		s.Sent, s.Rate, s.Paused = p.Sent, p.Rate, p.Paused
		s.RequestID, s.Uploaded, s.Answered, s.AnsweredBy = p.RequestID, p.Uploaded, p.Answered, p.AnsweredBy
	}
	return s
}

// wholeMost bounds the JSON of the answers in memory that are on disk as well: the inbox may have very many, and a long clip's has megabytes. What has
// just been answered is opened at once, by links that work for some minutes and are not on disk.
const wholeMost = 4 << 20

// keepWhole keeps an answer that is on disk whole, as the newest, and of older ones what their verdicts are made of.
func (st *state) keepWhole(e *entry) {
	if e.State != submission.Done || e.Result == nil || e.Result.Raw == nil || slices.Contains(st.whole, e) {
		return
	}
	st.whole, st.wholeSize = append(st.whole, e), st.wholeSize+len(e.Result.Raw)
	for len(st.whole) > 1 && st.wholeSize > wholeMost {
		oldest := st.whole[0]
		st.whole, st.wholeSize = slices.Delete(st.whole, 0, 1), st.wholeSize-len(oldest.Result.Raw)
		oldest.Result = oldest.Result.Brief()
	}
}

// primary returns the primary of a content, nil where there is none.
func (st *state) primary(content string) *entry { return st.entries[st.index.Primary(content)] }

// duplicates returns the duplicates of an entry.
func (st *state) duplicates(e *entry) []*entry {
	ids := st.index.Duplicates(e.ID)
	all := make([]*entry, 0, len(ids))
	for _, id := range ids {
		if d := st.entries[id]; d != nil {
			all = append(all, d)
		}
	}
	return all
}
