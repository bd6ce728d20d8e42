package intake

import (
	"assay/client/events"
	"assay/client/submission"
)

// tell publishes a change; id is "" where the topic has no IDs.
func (st *state) tell(t events.Topic, id string) { st.Events.Publish(events.Event{Topic: t, ID: id}) }

// touched updates the totals after a change of an entry, and publishes the change of it and its duplicates.
func (st *state) touched(e *entry) {
	for _, changed := range append([]*entry{e}, st.duplicates(e)...) {
		st.count(changed)
		st.tell(events.Submission, changed.ID)
	}
}

func (st *state) count(e *entry) {
	st.totals.subtract(e.counted)
	e.counted = contribution{}
	if e.inInbox {
		e.counted = contributionOf(st.view(e))
	}
	st.totals.add(e.counted)
}

// Totals are the sums over the inbox.
type Totals struct {
	All    int // submissions
	Ended  int // of these, those that do not go on by themselves
	Done   int // of these, those with an answer
	Failed int // of these, those that Retry may help
	Paused int // paused by the person, one by one
	Held   int // waiting for the person's approval

	Refused    int // not accepted, here or by the service
	Unsent     int // held, or ended without being sent
	Unanswered int // sent, but ended without an answer

	Bytes int64   // of the files that were sent or are to be
	Sent  int64   // of these, those that are uploaded
	Rate  float64 // bytes a second, of all uploads under way; 0 until it is known
}

// Active is how many submissions go on by themselves.
func (t Totals) Active() int { return t.All - t.Ended - t.Paused - t.Held }

// contribution is the share of one submission in the totals.
type contribution struct {
	all, ended, done, failed, paused, held int
	refused, unsent, unanswered            int
	bytes, sent                            int64
	rate                                   float64
}

func contributionOf(s submission.Submission) contribution {
	c := contribution{all: 1}
	switch {
	case s.State.Ended():
		c.ended = 1
	case s.State == submission.Held:
		c.held = 1
	case s.Paused:
		c.paused = 1
	}
	switch s.State {
	case submission.Done:
		c.done = 1
	case submission.Failed:
		c.failed = 1
	case submission.Refused:
		c.refused = 1
	}
	if c.held > 0 || c.ended > c.done {
		if s.Uploaded.IsZero() {
			c.unsent = 1
		} else {
			c.unanswered = 1
		}
	}
	if s.Earlier != "" || !s.MayLeave() || s.State == submission.Refused || s.State == submission.Cancelled {
		return c // its bytes are counted with its primary's, or stay here
	}
	c.bytes = s.Sends()
	switch {
	case !s.Uploaded.IsZero():
		c.sent = c.bytes
	case s.State == submission.Sending:
		c.sent, c.rate = s.Sent, s.Rate
	}
	return c
}

func (t *Totals) add(c contribution) {
	t.All += c.all
	t.Ended += c.ended
	t.Done += c.done
	t.Failed += c.failed
	t.Paused += c.paused
	t.Held += c.held
	t.Refused += c.refused
	t.Unsent += c.unsent
	t.Unanswered += c.unanswered
	t.Bytes += c.bytes
	t.Sent += c.sent
	t.Rate += c.rate
}

func (t *Totals) subtract(c contribution) {
	t.add(contribution{-c.all, -c.ended, -c.done, -c.failed, -c.paused, -c.held, -c.refused, -c.unsent, -c.unanswered, -c.bytes, -c.sent, -c.rate})
	if t.Sent == t.Bytes || t.Ended == t.All {
		t.Rate = 0 // removes the rest that rounding left
	}
}
