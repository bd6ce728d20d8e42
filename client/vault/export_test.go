package vault

import "context"

// Idle waits until nothing is left to be kept, or ctx ends, or the fetcher is closed.
func (f *Fetcher) Idle(ctx context.Context) error {
	return f.until(ctx, func() bool { return len(f.jobs) == 0 })
}
