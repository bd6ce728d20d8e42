package feedback

import (
	"context"
	"errors"
	"strings"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/store"
)

// Error is why feedback can't be given, changed or undone: a sentence for the person.
type Error struct{ Message i18n.Key }

func (e *Error) Error() string { return string(e.Message) }

// Sentence is what the person reads.
func (e *Error) Sentence() string { return i18n.T(e.Message) }

// The errors of actions.
var (
	ErrGone    = &Error{"This feedback is no longer there."}
	ErrSending = &Error{"This feedback is being sent: it can't be taken back or changed any more."}
	ErrSent    = &Error{"The service has this feedback: it can't be taken back or changed any more."}
	ErrUnclear = &Error{"The service may have this feedback: it can't be taken back or changed any more."}
	ErrRefused = &Error{"The service did not take this feedback: sending it again would change nothing."}
	ErrClosed  = &Error{"Assay is closing. It keeps the feedback and sends it at the next start."}
)

// Give keeps a feedback, to be sent when UndoFor has passed. It is on disk when Give returns.
func (s *Sender) Give(ctx context.Context, f client.Feedback) (store.Feedback, error) {
	s.actions.Lock()
	defer s.actions.Unlock()
	return s.give(ctx, "", f, s.Now().Add(UndoFor))
}

// give keeps a feedback; s.actions is held.
func (s *Sender) give(ctx context.Context, id string, f client.Feedback, due time.Time) (store.Feedback, error) {
	f.Comment = strings.TrimSpace(f.Comment)
	if err := check(f); err != nil {
		return store.Feedback{}, err
	}
	kept, err := s.Store.AddFeedback(ctx, store.Feedback{ID: id, Feedback: f, Given: s.Now(), Due: due})
	if err != nil {
		return store.Feedback{}, err
	}
	s.mu.Lock()
	s.pending = append(s.pending, &entry{Feedback: kept})
	s.loop.Wake()
	s.mu.Unlock()
	s.notify(f.RequestID)
	return kept, nil
}

// check returns an error for what the service would not accept.
func check(f client.Feedback) error {
	switch {
	case strings.TrimSpace(f.RequestID) == "":
		return &Error{"The service has not given a result to judge yet."}
	case !f.Label.Valid():
		return &Error{"Choose what your desk says it is."}
	case !f.Category.Valid():
		return &Error{"Choose whether your desk agrees with the result."}
	}
	return nil
}

// Undo removes a feedback without a trace. It can be done as long as it certainly was not sent.
func (s *Sender) Undo(ctx context.Context, id string) error {
	return s.alter(id, func(e *entry) error {
		err := s.Store.RemoveFeedback(ctx, id)
		switch {
		case errors.Is(err, store.ErrKept):
			return ErrUnclear
		case err != nil && !errors.Is(err, store.ErrUnknown):
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.forget(e)
		return nil
	})
}

// Change changes label, category and comment of a feedback that was not sent. It can then be undone for UndoFor again.
func (s *Sender) Change(ctx context.Context, id string, f client.Feedback) error {
	f.Comment = strings.TrimSpace(f.Comment)
	return s.alter(id, func(e *entry) error {
		f.RequestID = e.RequestID
		if err := check(f); err != nil {
			return err
		}
		changed := e.Feedback
		changed.Feedback, changed.Due = f, s.Now().Add(UndoFor)
		return s.replace(ctx, e, changed)
	})
}

// Hold keeps a feedback from being sent for HoldFor, or until it is changed or released: the person is writing a comment.
func (s *Sender) Hold(ctx context.Context, id string) error { return s.postpone(ctx, id, HoldFor) }

// Release ends a Hold: the feedback can be undone for UndoFor again, and is sent then.
func (s *Sender) Release(ctx context.Context, id string) error { return s.postpone(ctx, id, UndoFor) }

func (s *Sender) postpone(ctx context.Context, id string, d time.Duration) error {
	return s.alter(id, func(e *entry) error {
		changed := e.Feedback
		changed.Due = s.Now().Add(d)
		return s.replace(ctx, e, changed)
	})
}

// Retry sends a feedback again, at the person's wish, of which it is not known whether the service has it. One that waits for the network or the key
// is tried now.
func (s *Sender) Retry(ctx context.Context, id string) error {
	s.mu.Lock()
	e := s.find(id)
	unknown := e != nil && e.State == store.FeedbackUnknown
	s.mu.Unlock()
	if unknown {
		err := s.alterAs(id, store.FeedbackUnknown, func(e *entry) error {
			changed := e.Feedback
			changed.State, changed.Due, changed.Problem = store.FeedbackWaiting, s.Now(), i18n.Message{}
			return s.replace(ctx, e, changed)
		})
		if err != nil {
			return err
		}
	} else if err := s.alter(id, func(*entry) error { return nil }); err != nil {
		return err
	}
	s.TryNow()
	return nil
}

// alter runs action on an entry that is waiting.
func (s *Sender) alter(id string, action func(e *entry) error) error {
	return s.alterAs(id, store.FeedbackWaiting, action)
}

// alterAs runs action on an entry in a state; nobody else changes the entry meanwhile. s.mu is not held in action.
func (s *Sender) alterAs(id string, state store.FeedbackState, action func(e *entry) error) error {
	s.actions.Lock()
	defer s.actions.Unlock()
	s.mu.Lock()
	e := s.find(id)
	if e == nil {
		s.mu.Unlock()
		return s.whyGone(id)
	}
	if e.State != state || e.busy {
		defer s.mu.Unlock()
		if e.State == state {
			return ErrSending
		}
		return whyNot(e.State)
	}
	e.busy = true
	s.mu.Unlock()
	err := action(e)
	s.mu.Lock()
	e.busy = false
	s.loop.Wake()
	s.mu.Unlock()
	s.notify(e.RequestID)
	return err
}

// replace saves what an entry is from now on.
func (s *Sender) replace(ctx context.Context, e *entry, f store.Feedback) error {
	if err := s.Store.SaveFeedback(ctx, f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.Feedback, e.unsaved = f, false
	return nil
}

// whyGone says what became of a feedback that is not pending any more.
func (s *Sender) whyGone(id string) error {
	f, ok, err := s.Store.FeedbackByID(s.ctx, id)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrGone
	}
	return whyNot(f.State)
}

// whyNot says why nothing can be done with a feedback in a state.
func whyNot(state store.FeedbackState) error {
	switch state {
	case store.FeedbackSent:
		return ErrSent
	case store.FeedbackRefused:
		return ErrRefused
	case store.FeedbackUnknown:
		return ErrUnclear
	}
	return ErrSending
}

// Send keeps a feedback and sends it now, without time to undo it, and returns it after one attempt, or after an attempt at an earlier one failed for
// which all have to wait. The caller chooses id: a feedback of an ID that is known is not kept twice, so that a caller who lost the answer may call
// again. The error is why it could not be kept, or ctx's, or ErrClosed: then it was kept and is sent later.
func (s *Sender) Send(ctx context.Context, id string, f client.Feedback) (store.Feedback, error) {
	tried, err := s.begin(ctx, id, f)
	if err != nil {
		return store.Feedback{}, err
	}
	s.mu.Lock()
	failures := s.failures
	s.mu.Unlock()
	changed := s.Events.Subscribe(events.Feedback)
	defer changed.Close()
	s.TryNow()
	for {
		s.mu.Lock()
		e := s.find(id)
		var now store.Feedback
		waits := false
		if e != nil {
			now = s.view(e)
			waits = e.busy || e.State == store.FeedbackWaiting && e.attempts == tried && s.failures == failures
		}
		s.mu.Unlock()
		switch {
		case e == nil:
			f, ok, err := s.Store.FeedbackByID(ctx, id)
			if err == nil && !ok {
				err = ErrGone
			}
			return f, err
		case !waits:
			return now, nil
		}
		select {
		case <-changed.Ready():
			changed.Take()
		case <-ctx.Done():
			return now, ctx.Err()
		case <-s.ctx.Done():
			return now, ErrClosed
		}
	}
}

// begin keeps a feedback that is not known yet, and returns how often it was tried.
func (s *Sender) begin(ctx context.Context, id string, f client.Feedback) (tried int, err error) {
	s.actions.Lock()
	defer s.actions.Unlock()
	s.mu.Lock()
	e := s.find(id)
	if e != nil {
		tried = e.attempts
	}
	s.mu.Unlock()
	if e != nil {
		return tried, nil
	}
	if _, known, err := s.Store.FeedbackByID(ctx, id); err != nil || known {
		return 0, err
	}
	_, err = s.give(ctx, id, f, s.Now())
	return 0, err
}
