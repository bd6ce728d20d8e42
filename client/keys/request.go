package keys

import (
	"context"
	"errors"
	"time"
)

// request is one request to the keychain. Requests of all accounts are made one after the other, in their order, so that a keychain which asks the
// person asks one thing at a time.
type request struct {
	account string
	reads   bool                                        // changes nothing in the keychain
	ask     func(context.Context) (got string, _ error) // calls the keychain
	apply   func(s *secret, got string)                 // applies the outcome; the ring's mu is held

	cleared int           // secret.cleared when the request was made
	before  *request      // the request before it; nil: none
	slow    chan struct{} // closed when its caller stops waiting
	done    chan struct{} // closed at its end; nothing here changes afterwards
	err     error

	late, begun, over, withdrawn bool // guarded by the ring's mu
}

// load reads an account's secret, unless the environment gave one.
func (r *Ring) load(ctx context.Context, account string, clean func(string) string) error {
	r.mu.Lock()
	given := r.secret(account).environment != ""
	r.mu.Unlock()
	if given {
		return nil
	}
	return r.request(ctx, &request{
		account: account,
		reads:   true,
		ask: func(ctx context.Context) (string, error) {
			got, err := r.keychain.get(ctx, 0, account, clean)
			return got, err
		},
		apply: func(s *secret, got string) { s.kept = got },
	})
}

// set keeps a clean secret.
func (r *Ring) set(ctx context.Context, account, given string) error {
	r.mu.Lock()
	before := r.secret(account).thisRun
	r.mu.Unlock()
	return r.request(ctx, &request{
		account: account,
		ask:     func(ctx context.Context) (string, error) { return "", r.keychain.set(ctx, 0, account, given) },
		apply: func(s *secret, _ string) {
			s.kept = given
			if s.thisRun == given || s.thisRun == before { // not one that was given since
				s.thisRun = ""
			}
		},
	})
}

func (r *Ring) keepForThisRun(account, given string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(func() { r.secret(account).thisRun = given })
}

func (r *Ring) clear(ctx context.Context, account string) error {
	r.mu.Lock()
	r.change(func() {
		s := r.secret(account)
		s.thisRun, s.kept, s.problem = "", "", nil
		s.cleared++
	})
	r.mu.Unlock()
	return r.request(ctx, &request{
		account: account,
		ask: func(ctx context.Context) (string, error) {
			err := r.keychain.remove(ctx, 0, account)
			if IsProblem(err, Missing) {
				err = nil
			}
			return "", err
		},
		apply: func(s *secret, _ string) { s.kept = "" },
	})
}

// request makes a request, and waits for it within the ring's patience and ctx.
func (r *Ring) request(ctx context.Context, q *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.mu.Lock()
	if err := r.ctx.Err(); err != nil {
		r.mu.Unlock()
		return err
	}
	q.cleared, q.before = r.secret(q.account).cleared, r.last
	q.slow, q.done = make(chan struct{}), make(chan struct{})
	r.last = q
	r.running.Add(1)
	r.mu.Unlock()
	go r.run(q)

	select {
	case <-q.done:
		return q.err
	case <-q.slow:
		return errWaiting
	case <-ctx.Done():
		r.mu.Lock()
		q.withdrawn = !q.reads && !q.begun // a write that has not begun is withdrawn when its caller gives up
		r.mu.Unlock()
		return ctx.Err()
	}
}

// run makes a request when it is its turn, and applies the outcome.
func (r *Ring) run(q *request) {
	defer r.running.Done()
	slow := time.AfterFunc(r.patience, func() { r.markLate(q) })
	defer slow.Stop()
	got, err := r.askInOrder(q)

	r.mu.Lock()
	defer r.mu.Unlock()
	q.over, q.err = true, err
	r.change(func() { r.settle(q, got, err) })
	if r.last == q {
		r.last = nil
	}
	close(q.done)
}

// markLate stops the waiting of a request's caller.
func (r *Ring) markLate(q *request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.over {
		return
	}
	r.change(func() {
		q.late = true
		r.secret(q.account).late++
	})
	close(q.slow)
}

// askInOrder waits for the requests before this one, and calls the keychain.
func (r *Ring) askInOrder(q *request) (got string, err error) {
	if q.before != nil {
		select {
		case <-q.before.done:
		case <-r.ctx.Done():
			return "", r.ctx.Err()
		}
		if q.reads && IsProblem(q.before.err, Locked) {
			return "", q.before.err // the person has just declined, or could not be asked: they are not asked again at once
		}
		q.before = nil
	}
	r.mu.Lock()
	q.begun = true
	withdrawn := q.withdrawn
	r.mu.Unlock()
	if withdrawn {
		return "", context.Canceled
	}
	return q.ask(r.ctx)
}

// settle applies the outcome of a request; r.mu is held.
func (r *Ring) settle(q *request, got string, err error) {
	s := r.secret(q.account)
	if q.late {
		s.late--
	}
	if q.cleared != s.cleared {
		return
	}
	var p *Problem
	switch {
	case err == nil:
		s.problem = nil
		q.apply(s, got)
	case IsProblem(err, Missing):
		s.problem = nil
		s.kept = ""
	case errors.As(err, &p):
		s.problem = p
		r.log.DebugContext(r.ctx, "the keychain did not do it", "reads", q.reads, "cause", string(p.Cause), "error", p.Err)
		if q.reads && p.Cause == Locked {
			r.startProbing()
		}
	}
}
