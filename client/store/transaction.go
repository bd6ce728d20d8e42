package store

import (
	"context"
	"slices"

	"assay/client"
	"assay/client/custody"
	"assay/client/events"
)

// transaction is one transaction of a writer: once committed, all of it is on disk, or else nothing.
type transaction struct {
	*connection
	store   *Store
	head    custody.Head  // of the custody log, with what this transaction appended
	tree    *custody.Tree // of the custody log, likewise; nil: not read
	results bool          // it changed what is among the results
	changes map[int64]change
	cases   []string // the IDs of cases that it changed
	shown   []string // the IDs of submissions that show something else now: their mark as graphic, or what is said of their voice
	relist  bool     // lists of results show something else now
	desk    bool     // it changed what is or was shared with the desk
}

// write runs do in a transaction of its own. Waiting for another writer ends with the context; a transaction that has
// begun is not interrupted, since how it came out would be unknown. A cause of an error is sorted and wrapped.
func (s *Store) write(ctx context.Context, op string, do func(context.Context, *transaction) error) error {
	if err := s.mayWrite(ctx, op); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return failure(op, ErrClosed)
	case <-s.writing:
	}
	defer func() { s.writing <- struct{}{} }()
	if s.ctx.Err() != nil {
		return failure(op, ErrClosed)
	}
	return s.read(op, s.transact(ctx, do))
}

func (s *Store) mayWrite(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.newer != nil {
		return failure(op, ErrReadOnly)
	}
	return nil
}

// transact runs do in a transaction; s.writing is held.
func (s *Store) transact(ctx context.Context, do func(context.Context, *transaction) error) error {
	s.written.Add(1)
	t := &transaction{connection: s.writer, store: s, head: s.head, tree: s.tree}
	if err := t.run(context.WithoutCancel(ctx), do); err != nil {
		s.head, s.tree = custody.Head{}, nil // read anew: whether a failed commit came through is not known
		if t.results {
			s.listings.forget()
		}
		return err
	}
	s.head, s.tree = t.head, t.tree
	switch {
	case t.results && len(t.changes) <= mostUpdates:
		s.listings.settled(t.changes)
	case t.results:
		s.listings.forget()
	}
	t.publish() // now that whoever reads finds it
	return nil
}

// joined is a write that shares a transaction with others.
type joined struct {
	do   func(context.Context, *transaction) error
	done chan struct{} // closed once err is set
	err  error
}

// join is write for what many do at the same time: those that wait while another one is written share the next transaction, and with it the wait for the
// disk. Where one of them fails, each is made alone, so that do may be called twice.
func (s *Store) join(ctx context.Context, op string, do func(context.Context, *transaction) error) error {
	if err := s.mayWrite(ctx, op); err != nil {
		return err
	}
	j := &joined{do: do, done: make(chan struct{})}
	s.joining.Lock()
	s.waiting = append(s.waiting, j)
	s.joining.Unlock()
	select {
	case <-j.done:
	case <-ctx.Done():
		if s.leave(j) {
			return ctx.Err()
		}
	case <-s.ctx.Done():
		if s.leave(j) {
			return failure(op, ErrClosed)
		}
	case <-s.writing:
		s.joining.Lock()
		all := s.waiting
		s.waiting = nil
		s.joining.Unlock()
		if len(all) > 0 {
			s.together(ctx, all)
		}
		s.writing <- struct{}{}
	}
	<-j.done // another one may have taken it along
	return s.read(op, j.err)
}

// leave takes back a write that waits; it returns false where it is under way.
func (s *Store) leave(j *joined) bool {
	s.joining.Lock()
	defer s.joining.Unlock()
	before := len(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(other *joined) bool { return other == j })
	return len(s.waiting) < before
}

// together makes writes in one transaction, or each in its own where one fails; s.writing is held.
func (s *Store) together(ctx context.Context, all []*joined) {
	var refused error
	err := s.transact(ctx, func(ctx context.Context, t *transaction) error {
		for _, j := range all {
			if refused = j.do(ctx, t); refused != nil {
				return refused
			}
		}
		return nil
	})
	for _, j := range all {
		if j.err = err; refused != nil && len(all) > 1 {
			j.err = s.transact(ctx, j.do)
		}
		close(j.done)
	}
}

// publish says what a committed transaction has changed and nobody else publishes.
func (t *transaction) publish() {
	for _, id := range t.cases {
		t.store.options.Events.Publish(events.Event{Topic: events.Case, ID: id})
	}
	for _, id := range t.shown {
		t.store.options.Events.Publish(events.Event{Topic: events.Submission, ID: id})
	}
	if t.desk {
		t.store.options.Events.Publish(events.Event{Topic: events.Desk})
	}
	if t.relist {
		t.store.options.Events.Publish(events.Event{Topic: events.Results})
	}
}

// touch records, before a row is changed, the status of the result that it is; nil: it is none.
func (t *transaction) touch(key int64, was *client.Status) {
	if t.changes == nil {
		t.changes = map[int64]change{}
	}
	if _, known := t.changes[key]; !known {
		t.changes[key] = change{was: was}
	}
}

// settle reads what has become of the changed rows, and prepares the listings for the commit.
func (t *transaction) settle(ctx context.Context) error {
	if len(t.changes) <= mostUpdates {
		for key, c := range t.changes {
			var listed bool
			var status client.Status
			found, err := t.one(ctx, []any{&listed, &status}, "SELECT listed, status FROM submissions WHERE key = ?", key)
			if err != nil {
				return err
			}
			if found && listed {
				c.is = &status
			}
			t.changes[key] = c
		}
	}
	t.store.listings.commits()
	return nil
}

func (t *transaction) run(ctx context.Context, do func(context.Context, *transaction) error) error {
	if _, err := t.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do(ctx, t)
	if err == nil && t.results {
		err = t.settle(ctx)
	}
	if err == nil {
		if _, err = t.exec(ctx, "COMMIT"); err == nil {
			return nil
		}
	}
	_, _ = t.exec(ctx, "ROLLBACK") // after a disk error SQLite has rolled back already, and this fails
	return err
}

// failed wraps an error, and leaves the mark of damage if it says that the file is damaged.
func (s *Store) failed(op string, err error) error {
	err = failure(op, err)
	if kindOf(err) == ErrDamaged && s.newer == nil { //nolint:errorlint // kindOf gives this very error
		suspect(s.folder)
		s.options.Log.Error("the history is damaged: it is checked at the next start", "error", err)
	}
	return err
}

// read wraps an error of a read.
func (s *Store) read(op string, err error) error {
	if err == nil {
		return nil
	}
	return s.failed(op, err)
}
