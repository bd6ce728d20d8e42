package store

import (
	"context"
	"time"
)

// lastKey is the largest that the orders have room for: the year 4253.
const lastKey = 1<<56 - 1

// keyOf is the key of a date, in microseconds; what lies before 1970, the zero time too, shares the first one.
func keyOf(t time.Time) int64 { return min(max(t.UnixMicro(), 1), lastKey) }

// freeKey is the date's key, or the first one that is free after the row of those that were accepted at that instant, so
// that they stay in the order in which they were added. A thousand of the same date cost a dozen looks each.
func (t *transaction) freeKey(ctx context.Context, accepted time.Time) (int64, error) {
	first := keyOf(accepted)
	taken := func(key int64) (bool, error) {
		n, err := t.number(ctx, "SELECT count(*) FROM submissions WHERE key = ?", key)
		return n > 0, err
	}
	last, step := first-1, int64(1) // last is taken, or before the first
	for {
		is, err := taken(last + step)
		if err != nil {
			return 0, err
		}
		if !is {
			break
		}
		last, step = last+step, 2*step
	}
	for free := last + step; ; { // between the two lies where the row ends
		if free == last+1 {
			return free, t.shifted(ctx, free-first)
		}
		middle := last + (free-last)/2
		is, err := taken(middle)
		if err != nil {
			return 0, err
		}
		if is {
			last = middle
		} else {
			free = middle
		}
	}
}

// shifted remembers the farthest that a key lies from its date, which a search by date must reckon with.
func (t *transaction) shifted(ctx context.Context, by int64) error {
	if by <= t.store.longest.Load() {
		return nil
	}
	if _, err := t.exec(ctx, "UPDATE shift SET longest = ?", by); err != nil {
		return err
	}
	t.store.longest.Store(by) // too far where the transaction fails, which only costs time
	return nil
}
