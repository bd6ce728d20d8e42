// Package wait lets time pass in a way that a context ends. It imports the standard library.
package wait

import (
	"context"
	"time"
)

// For returns after d, or at once with ctx's error when that ends.
func For(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
