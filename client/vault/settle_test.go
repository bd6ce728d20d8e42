package vault_test

import (
	"context"
	"io"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/vault"
)

// TestSettle is about what a program that ends with its work waits for.
func TestSettle(t *testing.T) {
	// endless is a wait that only ctx ends.
	endless := func(ctx context.Context, _ time.Duration) error {
		<-ctx.Done()
		return ctx.Err()
	}
	waiting := func(wait func(context.Context, time.Duration) error) func(*vault.Params) {
		return func(p *vault.Params) { p.Wait = wait }
	}
	for _, c := range []struct {
		what string
		fail func(responseWriter)
	}{{"storage that fails", status(500)}, {"storage that is busy", status(503)}, {"no answer", noAnswer}, {"a download that is cut off", cutOff}} {
		t.Run("it waits for what is being kept, and not for what keeps failing: "+c.what, func(t *testing.T) {
			k := setup(t, waiting(endless))
			sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
			k.service.stored["r1/aggregation"] = failing(always, c.fail, "")
			k.Fetch(sub)
			k.Settle(t.Context())
			got := k.vault("r1")
			delete(got, "original") // it comes last, beside what fails
			assert.Equal(t, whole("r1", "thumbnail", "heatmap oak", "explainability"), got)
		})
	}
	t.Run("it gives up where nothing moves for a while, and not before", func(t *testing.T) {
		passed := make(chan struct{})
		k := setup(t, waiting(func(ctx context.Context, _ time.Duration) error {
			select {
			case passed <- struct{}{}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}))
		moved, hang := make(chan struct{}), make(chan struct{})
		defer close(hang)
		k.service.stored["r1/thumbnail"] = func(w responseWriter, _ *request) {
			_, _ = io.WriteString(w, "half")
			flush(w)
			moved <- struct{}{}
			<-hang
		}
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			k.Settle(t.Context())
		}()
		<-moved
		looks := 0
		for {
			select {
			case <-passed:
				looks++
				continue
			case <-ended:
			case <-time.After(time.Minute):
				t.Fatal("it waits for ever")
			}
			break
		}
		assert.True(t, looks != 0, "it gave up before it had looked whether anything moves")
		assert.True(t, k.Waiting() == 1, "%d submissions are left", k.Waiting())
	})
	t.Run("it ends with its context, at once", func(t *testing.T) {
		k := setup(t, waiting(endless))
		hang, asked := make(chan struct{}), make(chan struct{})
		defer close(hang)
		k.service.stored["r1/thumbnail"] = func(responseWriter, *request) {
			asked <- struct{}{}
			<-hang
		}
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		<-asked
		ctx, stop := context.WithCancel(t.Context())
		stop()
		k.Settle(ctx)
	})
	t.Run("with nothing to keep it does not wait", func(t *testing.T) {
		setup(t, waiting(endless)).Settle(t.Context())
	})
}
