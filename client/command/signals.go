package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endPatience is how long the end may take once it was asked for. A display that is gone can hold the window for ever, and
// with it the folder; what is done is on disk whenever it ends.
const endPatience = 20 * time.Second

// EndBySignal returns a context that ends with the first signal to stop. With a second one exit is called, whatever hangs: it ends the
// process.
func EndBySignal(ctx context.Context, exit func()) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		cancel()
		select {
		case <-signals:
		case <-time.After(endPatience):
		}
		exit()
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
