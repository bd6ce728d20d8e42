package wait_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"assay/client/wait"
)

func TestFor(t *testing.T) {
	if err := wait.For(t.Context(), time.Millisecond); err != nil {
		t.Errorf("a wait that nothing ends: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, stop)
	if err := wait.For(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("one that its context ends: %v", err)
	}
	if err := wait.For(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("one whose context has ended before: %v", err)
	}
}
