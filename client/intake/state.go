package intake

import (
	"time"

	"assay/client/custody"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

// state is what the queue knows. One goroutine owns it (Queue.own): whoever wants to read or change it hands that one a function, by
// Queue.do. The methods of state run there. They do no I/O and never wait: workers do, and come back by Queue.do. A method of state that
// called Queue.do would wait for itself.
type state struct {
	*Queue
	entries map[string]*entry
	order   []string      // IDs of the inbox, as accepted
	index   *dedupe.Index // which submission stands for a content
	files   pool
	links   pool

	totals   Totals
	status   QueueStatus
	noReads  bool                     // the plan does not let results be asked for either; with NoQuota
	delays   time.Time                // since when the service has not answered as it should; zero: it does
	busy     time.Time                // with Busy: until when the service asked for time, whatever else it answers
	probing  bool                     // it is being tried whether the disk can be written to again
	unkept   map[*entry]custody.Event // what could not be written down, by its custody event; it is as soon as the disk can be written to
	unpaused bool                     // likewise of factPaused

	decisions []*decision // of the person, that were not carried out yet, or not for all
	deciding  bool        // a worker carries them out
	copying   string      // the ID of the submission of which a copy is made
	giveUp    func()      // ends that
}

// entry is a submission with the job that takes it on its way. Its ID, Link, Source and Folder never change, and may be read anywhere.
type entry struct {
	submission.Submission
	job     *job         // nil: nothing goes on with it
	refused bool         // the plan has no room for it: it waits while the queue stands still over that
	inInbox bool         //
	keeping int          // writes that are to come, see state.keep
	counted contribution // its part of state.totals
}

func newState(q *Queue) *state {
	return &state{
		Queue:   q,
		entries: map[string]*entry{},
		index:   dedupe.NewIndex(),
		files:   pool{most: jobsAtOnce, send: q.sendFileOf},
		links:   pool{most: jobsAtOnce, send: q.sendLinkOf},
		unkept:  map[*entry]custody.Event{},
	}
}

// command is a function for another goroutine.
type command struct {
	run  func(*state) // of Queue.writes, without the state
	done chan struct{}
}

// own calls what comes by Queue.do, one function after another, until the queue is closed and what is written down is.
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

// do has the goroutine that owns the state call a function, and returns once it has; false where there is none any more.
func (q *Queue) do(f func(*state)) bool { return q.hand(q.commands, f) }

// query is do for what only reads the state: when the queue was closed, as it was in the end.
func (q *Queue) query(f func(*state)) {
	if !q.do(f) {
		f(q.final)
	}
}

func (q *Queue) hand(to chan command, f func(*state)) bool {
	c := command{run: f, done: make(chan struct{})}
	select {
	case to <- c:
		<-c.done
		return true
	case <-q.ended:
		return false
	}
}

// snapshot is a submission as it stands.
func (q *Queue) snapshot(e *entry) (s submission.Submission) {
	q.query(func(*state) { s = e.Submission })
	return s
}

// Get returns a submission as it stands; ok is false for one that is neither in the inbox nor goes on. One of content
// that was submitted before shows what has become of that.
func (q *Queue) Get(id string) (s submission.Submission, ok bool) {
	q.query(func(st *state) {
		var e *entry
		if e, ok = st.entries[id]; ok {
			s = st.view(e)
		}
	})
	return s, ok
}

// All returns the inbox, in the order in which it was accepted.
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

// Order returns the IDs of the inbox, in the order in which they were accepted.
func (q *Queue) Order() (ids []string) {
	q.query(func(st *state) { ids = append(ids, st.order...) })
	return ids
}

// Totals returns the sums over the inbox.
func (q *Queue) Totals() (t Totals) {
	q.query(func(st *state) { t = st.totals })
	return t
}

// QueueStatus returns how the queue as a whole stands.
func (q *Queue) QueueStatus() (s QueueStatus) {
	q.query(func(st *state) { s = st.status })
	return s
}

// Stopped reports whether nothing goes on with a submission until a person comes: it is paused, or stands still with the queue.
func (q *Queue) Stopped(id string) (stopped bool) {
	q.query(func(st *state) {
		e := st.shownBy(st.entries[id])
		stopped = e != nil && e.job == nil && !e.State.Ended() && e.State != submission.Held && (e.Paused || st.stops(e))
	})
	return stopped
}

// shownBy is the entry whose answer another one shows: itself, where it is no duplicate or was cancelled. nil for nil.
func (st *state) shownBy(e *entry) *entry {
	if e != nil && e.State != submission.Cancelled {
		if primary := st.entries[e.Earlier]; primary != nil {
			return primary
		}
	}
	return e
}

// view copies a submission as it is shown.
func (st *state) view(e *entry) submission.Submission {
	s := e.Submission
	if p := st.shownBy(e); p != e {
		s.State, s.Result, s.Problem, s.Delay = p.State, p.Result, p.Problem, p.Delay
		s.Sent, s.Rate, s.Paused = p.Sent, p.Rate, p.Paused
		s.RequestID, s.Uploaded, s.Answered = p.RequestID, p.Uploaded, p.Answered
	}
	return s
}

// primary is the submission that stands for a content, nil where none does.
func (st *state) primary(content string) *entry { return st.entries[st.index.Primary(content)] }

// duplicates are the entries that show an entry's answer.
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
