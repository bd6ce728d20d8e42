package command

import (
	"context"
	"errors"
	"io"
	"testing"

	"assay/client/assert"
	"assay/client/ipc"
)

func TestRecheckAsks(t *testing.T) {
	for typed, goesOn := range map[string]bool{"yes\n": true, " YES \n": true, "\n": false, "no\n": false, "y\n": false} {
		term := newTerminal(t)
		_, err := io.WriteString(term.keyboard, typed)
		assert.NoError(t, err)
		var refusal *ipc.Refusal
		if err := askToGoOn(t.Context(), term.program, io.Discard, "Nothing was done."); goesOn && err != nil || !goesOn && !errors.As(err, &refusal) {
			t.Errorf("%q: %v", typed, err)
		}
	}
	t.Run("and can be stopped", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := askToGoOn(ctx, newTerminal(t).program, io.Discard, "Nothing was done."); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
