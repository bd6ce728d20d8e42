package store

import (
	"context"

	"assay/client"
	"assay/client/custody"
)

// transaction is what a writer does in one go: all of it is on disk when it was committed, or nothing.
type transaction struct {
	*connection
	store   *Store
	head    custody.Head // of the custody log, with what this transaction appended
	results bool         // it changed what is among the results
	changes map[int64]change
}

// write runs do in a transaction of its own. Waiting for another writer ends with the context; a transaction that has
// begun is not interrupted, since how it came out would be unknown. A cause of an error is sorted and wrapped.
func (s *Store) write(ctx context.Context, op string, do func(context.Context, *transaction) error) error {
	if err := ctx.Err(); err != nil {
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
	ctx = context.WithoutCancel(ctx)
	t := &transaction{connection: s.writer, store: s, head: s.head}
	if err := t.run(ctx, do); err != nil {
		s.head = custody.Head{} // read anew: whether a failed commit came through is not known
		if t.results {
			s.listings.forget()
		}
		return s.failed(op, err)
	}
	s.head = t.head
	switch {
	case t.results && len(t.changes) <= mostMended:
		s.listings.settled(t.changes)
	case t.results:
		s.listings.forget()
	}
	return nil
}

// touch notes that the row of a key is changed, and what it is among the results so far; nil: none. It is called before
// the change.
func (t *transaction) touch(key int64, was *client.Status) {
	if t.changes == nil {
		t.changes = map[int64]change{}
	}
	if _, known := t.changes[key]; !known {
		t.changes[key] = change{was: was}
	}
}

// settle sees what has become of the rows that were changed, and tells the listings that they are about to be.
func (t *transaction) settle(ctx context.Context) error {
	if len(t.changes) <= mostMended {
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
	_, _ = t.exec(ctx, "ROLLBACK") // SQLite has rolled back already where the disk failed, and says so
	return err
}

// failed wraps an error, and remembers where it says that the file is damaged.
func (s *Store) failed(op string, err error) error {
	err = failure(op, err)
	if kindOf(err) == ErrDamaged { //nolint:errorlint // kindOf gives this very error
		suspect(s.folder)
		s.options.Log.Error("the history is damaged: it is checked at the next start", "error", err)
	}
	return err
}

// read sorts and wraps what went wrong with a reading.
func (s *Store) read(op string, err error) error {
	if err == nil {
		return nil
	}
	return s.failed(op, err)
}
