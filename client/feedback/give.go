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

// Error is why a judgement can't be given, changed or taken back: a sentence for the person.
type Error struct{ Message i18n.Key }

func (e *Error) Error() string { return string(e.Message) }

// Sentence is what a person reads of it.
func (e *Error) Sentence() string { return i18n.T(e.Message) }

// What can stand against an action.
var (
	ErrGone    = &Error{"This feedback is no longer there."}
	ErrSending = &Error{"This feedback is being sent: it can't be taken back or changed any more."}
	ErrSent    = &Error{"The service has this feedback: it can't be taken back or changed any more."}
	ErrUnclear = &Error{"The service may have this feedback: it can't be taken back or changed any more."}
	ErrRefused = &Error{"The service did not take this feedback: sending it again would change nothing."}
	ErrClosed  = &Error{"Assay is closing: the feedback is kept, and sent by the next start."}
)

// Give keeps a judgement, to be sent when UndoFor has passed. It is on disk when Give returns.
func (s *Sender) Give(ctx context.Context, f client.Feedback) (store.Feedback, error) {
	s.actions.Lock()
	defer s.actions.Unlock()
	return s.give(ctx, "", f, s.Now().Add(UndoFor))
}

// give keeps a judgement; s.actions is held.
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

// check refuses what the service could not take.
func check(f client.Feedback) error {
	switch {
	case strings.TrimSpace(f.RequestID) == "":
		return &Error{"There is no result of the service to judge yet."}
	case !f.Label.Valid():
		return &Error{"Choose what your desk holds it to be."}
	case !f.Category.Valid():
		return &Error{"Choose how your desk's judgement stands to the result."}
	}
	return nil
}

// Undo takes a judgement back, as if it had never been given. It can be as long as it certainly was not sent.
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

// Change gives a judgement that was not sent another label, category and comment. It can be taken back for UndoFor again.
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

// Hold keeps a judgement from being sent for HoldFor, or until it is changed or released: a comment is being written.
func (s *Sender) Hold(ctx context.Context, id string) error { return s.postpone(ctx, id, HoldFor) }

// Release ends a Hold: it can be taken back for UndoFor again, and is sent then.
func (s *Sender) Release(ctx context.Context, id string) error { return s.postpone(ctx, id, UndoFor) }

func (s *Sender) postpone(ctx context.Context, id string, d time.Duration) error {
	return s.alter(id, func(e *entry) error {
		changed := e.Feedback
		changed.Due = s.Now().Add(d)
		return s.replace(ctx, e, changed)
	})
}

// Retry sends a judgement again of which it is not known whether the service has it, because the person says so. One that
// waits for the network or the key is tried now.
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

// alter does an action with an entry that waits.
func (s *Sender) alter(id string, action func(e *entry) error) error {
	return s.alterAs(id, store.FeedbackWaiting, action)
}

// alterAs does an action with an entry of a state, which nobody else touches meanwhile. s.mu is not held in action.
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

// replace keeps an entry as it is to be from now on.
func (s *Sender) replace(ctx context.Context, e *entry, f store.Feedback) error {
	if err := s.Store.SaveFeedback(ctx, f); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.Feedback, e.unsaved = f, false
	return nil
}

// whyGone says what became of one that is not pending any more.
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

// whyNot says why nothing is done with a judgement of a state.
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

// Send keeps a judgement and sends it now, without a time to take it back, and returns how it stands once it was tried, or an
// older one before it was in vain, for which all wait. id is
// chosen by the caller: one that is known already is not given again, so that a caller who lost an answer may call again. The
// error is why it could not be kept, or ctx's, or ErrClosed: what was kept is then sent later.
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

// begin keeps a judgement that is not known yet, and returns how often it was tried.
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
