package feedback

import (
	"context"
	"errors"
	"time"

	"assay/client"
	"assay/client/plain"
	"assay/client/store"
)

// How long a failure is waited for.
const (
	firstPause   = 5 * time.Second // doubled each time
	longestPause = 5 * time.Minute
)

// remedy is what is made of a call's outcome.
type remedy struct {
	state   store.FeedbackState
	problem string        // a sentence for the person
	all     bool          // everything waits, not this one alone
	stop    bool          // until TryNow
	least   time.Duration // to wait
}

// remedyFor decides on the outcome of a call.
func remedyFor(err error) remedy {
	if err == nil {
		return remedy{state: store.FeedbackSent}
	}
	var e *client.Error
	if !errors.As(err, &e) || e.Uncertain {
		return remedy{state: store.FeedbackUnknown, problem: sentenceOf(err)}
	}
	v := remedy{state: store.FeedbackWaiting, problem: e.Sentence()}
	switch {
	case errors.Is(err, context.Canceled): // by Close, before anything was sent
		v.problem = ""
	case e.Kind == client.KindRefused, e.Kind == client.KindSetup:
		v.state = store.FeedbackRefused
	case e.Kind == client.KindKey:
		v.all, v.stop = true, true
	default:
		v.all, v.least = true, e.Pause()
	}
	return v
}

// waitFor has everything wait where a remedy says so, and notes that nothing ails all where it does not.
func (s *Sender) waitFor(v remedy) {
	var waiting []string
	s.mu.Lock()
	switch {
	case v.all:
		s.misses++
		s.failures++
		s.hold, s.stopped, s.reason = s.Now().Add(max(s.pause(), v.least)), s.stopped || v.stop, v.problem
	case v.state == store.FeedbackSent, v.state == store.FeedbackRefused:
		s.misses = 0
	}
	for _, e := range s.pending {
		if v.all && e.State == store.FeedbackWaiting && !e.busy {
			waiting = append(waiting, e.RequestID)
		}
	}
	s.mu.Unlock()
	s.tell(waiting...)
}

// pause is how long the misses are waited for: its lower half stays whatever the jitter. s.mu is held.
func (s *Sender) pause() time.Duration {
	pause := firstPause
	for range s.misses - 1 {
		pause = min(2*pause, longestPause)
	}
	return pause/2 + time.Duration(s.Jitter()*float64(pause/2))
}

// sentenceOf is what a person reads of an error.
func sentenceOf(err error) string {
	var said interface{ Sentence() string }
	if errors.As(err, &said) {
		return said.Sentence()
	}
	return plain.From(err.Error()).String()
}
