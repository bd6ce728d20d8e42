package feedback

import (
	"context"
	"errors"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
)

// run saves and sends what is due, until the sender closes.
func (s *Sender) run() {
	s.loop.Run(s.ctx, func() (work func(), wait time.Duration) {
		s.mu.Lock()
		defer s.mu.Unlock()
		e, wait := s.next(s.Now())
		if e == nil {
			return nil, wait
		}
		e.busy = true
		return func() { s.work(e) }, 0
	})
	s.settleAll()
}

// next is the entry to work on now, or nil and the time until there is one; s.mu is held.
func (s *Sender) next(now time.Time) (*entry, time.Duration) {
	wait := retry.Forever
	for _, e := range s.pending {
		at := s.hold.Until // a pause for the disk, or for the service
		switch {
		case e.busy, s.stopped && !e.unsaved:
			continue
		case e.unsaved:
		case e.State != store.FeedbackWaiting:
			continue
		case e.Due.After(at):
			at = e.Due
		}
		left := at.Sub(now)
		if left <= 0 {
			return e, 0
		}
		if wait == retry.Forever || left < wait {
			wait = left
		}
	}
	return nil, wait
}

// work takes the next step for an entry, which is busy meanwhile.
func (s *Sender) work(e *entry) {
	if e.unsaved {
		s.settle(e)
		return
	}
	f := e.Feedback
	f.State, f.Problem = store.FeedbackSending, i18n.Message{}
	if err := s.Store.SaveFeedback(context.WithoutCancel(s.ctx), f); err != nil {
		s.cannotSave(e, err)
		return
	}
	s.mu.Lock()
	e.Feedback = f
	s.mu.Unlock()
	s.notify(f.RequestID)
	record, err := s.Client.SendFeedback(s.calls, f.Feedback)
	v := remedyFor(err)
	f.State, f.Problem = v.state, v.problem
	if v.state == store.FeedbackSent {
		f.Sent, f.Record = s.Now(), record.Raw
	}
	if err != nil {
		s.Log.Warn("a feedback was not sent", "requestId", f.RequestID, "then", string(v.state), "error", err)
	}
	s.waitFor(v) // before it is seen to have failed: a TryNow that comes then is not lost
	s.mu.Lock()
	e.Feedback, e.unsaved = f, true
	s.mu.Unlock()
	s.settle(e)
}

// settle saves the outcome for an entry, and ends the work on it.
func (s *Sender) settle(e *entry) {
	if err := s.Store.SaveFeedback(context.WithoutCancel(s.ctx), e.Feedback); err != nil {
		s.cannotSave(e, err)
		return
	}
	s.mu.Lock()
	e.unsaved, e.busy = false, false
	e.attempts++
	if e.State == store.FeedbackSent || e.State == store.FeedbackRefused {
		s.forget(e)
	}
	s.mu.Unlock()
	s.notify(e.RequestID)
}

// cannotSave has everything wait for the disk: without saving, nothing is sent.
func (s *Sender) cannotSave(e *entry, err error) {
	s.Log.Error("what became of a feedback could not be kept", "requestId", e.RequestID, "state", string(e.State), "error", err)
	said := messageOf(err)
	s.waitFor(remedy{all: true, problem: said})
	s.mu.Lock()
	if e.State == store.FeedbackWaiting {
		e.Problem = said
	}
	e.busy = false
	e.attempts++
	s.mu.Unlock()
	s.notify(e.RequestID)
}

// settleAll tries once more, before the sender ends, to save what the disk did not take.
func (s *Sender) settleAll() {
	s.actions.Lock()
	defer s.actions.Unlock()
	s.mu.Lock()
	var unsaved []*entry
	for _, e := range s.pending {
		if e.unsaved {
			unsaved = append(unsaved, e)
		}
	}
	s.mu.Unlock()
	for _, e := range unsaved {
		s.settle(e)
	}
}

// backoff is the pauses after failures.
var backoff = retry.Backoff{First: 5 * time.Second, Longest: 5 * time.Minute}

// remedy is what is done after a call.
type remedy struct {
	state   store.FeedbackState
	problem i18n.Message
	all     bool          // all wait, not only this one
	stop    bool          // until TryNow
	least   time.Duration // the least pause
}

// remedyFor returns what is done after a call with this error.
func remedyFor(err error) remedy {
	if err == nil {
		return remedy{state: store.FeedbackSent}
	}
	var e *client.Error
	if !errors.As(err, &e) || e.Uncertain {
		return remedy{state: store.FeedbackUnknown, problem: messageOf(err)}
	}
	v := remedy{state: store.FeedbackWaiting, problem: e.UserMessage()}
	switch {
	case errors.Is(err, context.Canceled): // Close came before anything was sent
		v.problem = i18n.Message{}
	case e.Kind == client.KindRefused, e.Kind == client.KindSetup:
		v.state = store.FeedbackRefused
	case e.Kind == client.KindKey:
		v.all, v.stop = true, true
	default:
		v.all, v.least = true, e.Pause()
	}
	return v
}

// waitFor makes all wait if a remedy says so; else no failure is common to all.
func (s *Sender) waitFor(v remedy) {
	var waiting []string
	s.mu.Lock()
	switch {
	case v.all:
		s.failures++
		s.hold.Failed(s.Now(), backoff, s.Jitter(), v.least)
		s.stopped, s.reason = s.stopped || v.stop, v.problem
	case v.state == store.FeedbackSent, v.state == store.FeedbackRefused:
		s.hold.Over()
	}
	for _, e := range s.pending {
		if v.all && e.State == store.FeedbackWaiting && !e.busy {
			waiting = append(waiting, e.RequestID)
		}
	}
	s.mu.Unlock()
	s.notify(waiting...)
}

// messageOf is the message of an error for the person.
func messageOf(err error) i18n.Message { return i18n.MessageOf(err, i18n.Verbatim(err.Error())) }
