package undo

import (
	"context"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/guitest"
)

// fixture is a line whose seconds pass when the test says so.
type fixture struct {
	*guitest.UI
	*Acts
	second chan struct{}
	calls  []string
}

func setup(t *testing.T) *fixture {
	f := &fixture{UI: guitest.NewUI(t), second: make(chan struct{})}
	guitest.App(t, "light")
	f.Acts = New(Params{OnUI: f.Do, Wait: func(ctx context.Context, _ time.Duration) error {
		select {
		case <-f.second:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	t.Cleanup(func() {
		f.Flush()
		f.Close()
	})
	return f
}

// pass lets seconds pass.
func (f *fixture) pass(n int) {
	for range n {
		f.second <- struct{}{}
		f.Next()
	}
}

func (f *fixture) noted(call string) func() {
	return func() { f.calls = append(f.calls, call) }
}

func (f *fixture) onScreen() []string { return guitest.Read(f.Object()) }

func TestActs(t *testing.T) {
	t.Run("what was asked for happens after five seconds, not before", func(t *testing.T) {
		f := setup(t)
		f.Later("2 files will be scanned again", f.noted("scan"), f.noted("undo"))
		assert.Equal(t, []string{"2 files will be scanned again", "Undo", "5 s"}, f.onScreen())
		f.pass(4)
		assert.Equal(t, []string{"2 files will be scanned again", "Undo", "1 s"}, f.onScreen())
		if len(f.calls) != 0 {
			t.Fatalf("too early: %v", f.calls)
		}
		f.pass(1)
		assert.Equal(t, []string{"scan"}, f.calls)
		if len(f.onScreen()) > 0 {
			t.Error("the line is still there")
		}
	})
	t.Run("what is taken back never happens", func(t *testing.T) {
		f := setup(t)
		f.Later("1 removed", f.noted("remove"), f.noted("undo"))
		f.pass(2)
		f.Undo()
		f.Undo()
		f.Flush()
		assert.Equal(t, []string{"undo"}, f.calls)
	})
	t.Run("the next one ends the time of the one before", func(t *testing.T) {
		f := setup(t)
		f.Later("1 removed", f.noted("remove"), f.noted("undo"))
		f.Done("1 upload cancelled", f.noted("go on"))
		assert.Equal(t, []string{"remove"}, f.calls)
		f.Undo()
		assert.Equal(t, []string{"remove", "go on"}, f.calls)
	})
	t.Run("closing the window does what waits", func(t *testing.T) {
		f := setup(t)
		f.Later("1 removed", f.noted("remove"), f.noted("undo"))
		f.Flush()
		f.Flush()
		assert.Equal(t, []string{"remove"}, f.calls)
	})
}
