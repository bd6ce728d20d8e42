package client

import (
	"context"
	"errors"
	"testing"
)

func TestWhoStopsDoesNotWaitForWhatIsBeingDecoded(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	_, err := unlessDone(ctx, opList, func() (int, error) {
		stop()
		<-release // as long as it takes
		return 1, nil
	})
	var failed *Error
	if !errors.As(err, &failed) || !errors.Is(err, context.Canceled) || failed.Op != opList {
		t.Errorf("got %v", err)
	}
}
