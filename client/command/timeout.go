package command

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/session"
)

// addTimeout gives a subcommand its --timeout; then says what comes after it.
func addTimeout(cmd *cobra.Command, timeout *time.Duration, then string) {
	cmd.Flags().DurationVar(timeout, "timeout", 0, "how long to wait at most, such as 90s or 10m"+then+" (default: as long as it takes)")
}

func checkTimeout(timeout time.Duration) error {
	if timeout < 0 {
		return &session.Misuse{Sentence: "--timeout is a time such as 90s or 10m, or 0 for none."}
	}
	return nil
}

// lookupTimeout runs a subcommand that asks the service something, within a timeout, 0 for none, and says what it waits for.
func lookupTimeout(ctx context.Context, timeout time.Duration, said io.Writer, do func(context.Context) error) error {
	if err := checkTimeout(timeout); err != nil {
		return err
	}
	within, cancel := context.WithCancel(ctx)
	if timeout > 0 {
		within, cancel = context.WithTimeoutCause(ctx, timeout, errOutOfTime)
	}
	defer cancel()
	within, stop := sayWaits(within, said, time.After)
	err := do(within)
	stop()
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(within), errOutOfTime) {
		return errors.New(noAnswerWithin(timeout))
	}
	return err
}

// sayWaits says what calls with the returned context wait for, once that takes a while, until stop is called.
func sayWaits(ctx context.Context, said io.Writer, after func(time.Duration) <-chan time.Time) (_ context.Context, stop func()) {
	var mu sync.Mutex
	var failed *client.Error
	var until time.Time
	ctx = client.OnWait(ctx, func(err *client.Error, again time.Time) {
		mu.Lock()
		defer mu.Unlock()
		failed, until = err, again
	})
	// why is what is waited for, in a word and in a sentence.
	why := func() (kind, sentence string) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); until.After(now) {
			return string(failed.Kind), failed.WaitMessage(until, now).String()
		}
		return "", i18n.T("Waiting for the service to answer.")
	}
	over := make(chan struct{})
	var saying sync.WaitGroup
	saying.Go(func() {
		var r reminder
		for {
			select {
			case <-after(remindTick):
				if kind, sentence := why(); r.due(kind) {
					say(said, sentence)
				}
			case <-over:
				return
			}
		}
	})
	return ctx, func() {
		close(over)
		saying.Wait()
	}
}
