package watch

import "context"

// idle returns once no folder has anything to do but wait: for hints, or for time to pass.
func (w *Watcher) idle(ctx context.Context) error {
	for {
		w.mu.Lock()
		parked, busy := w.parked, false
		for _, f := range w.folders {
			busy = busy || !f.isIdle()
		}
		w.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-parked:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isIdle reports whether there is nothing to do but wait.
func (f *folder) isIdle() bool {
	now := f.w.passed()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.parked && !f.changing && len(f.pending.list) == 0 && !f.pending.lost && (f.until == atNoTime || f.until > now)
}
