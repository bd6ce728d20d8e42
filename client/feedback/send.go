package feedback

import (
	"context"

	"assay/client"
	"assay/client/store"
)

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
	s.TryNow()
	for {
		s.mu.Lock()
		changed := s.changed
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
		case <-changed:
		case <-ctx.Done():
			return now, ctx.Err()
		case <-s.ctx.Done():
			return now, ErrClosed
		}
	}
}

// begin keeps a judgement that is not known yet, and returns how often it was tried.
func (s *Sender) begin(ctx context.Context, id string, f client.Feedback) (tried int, err error) {
	s.deeds.Lock()
	defer s.deeds.Unlock()
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
