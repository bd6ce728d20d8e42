package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

func TestStarts(t *testing.T) {
	t.Run("of many at once one works and the others hand over", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "new")
		const starts = 8
		var all []*process
		for i := range starts {
			all = append(all, startProcess(t, dir, fmt.Sprintf("%d.jpg", i)))
		}
		var holders []*process
		for _, p := range all {
			switch said := p.line(); said {
			case "holding":
				holders = append(holders, p)
			case "handed over":
			default:
				t.Errorf("a start said %q", said)
			}
		}
		if len(holders) != 1 {
			t.Fatalf("%d of them work", len(holders))
		}
		var got []string
		for range starts {
			got = append(got, holders[0].line())
		}
		slices.Sort(got)
		for i, said := range got {
			if said != fmt.Sprintf("got \"%d.jpg\"", i) {
				t.Errorf("the holder said %q", said)
			}
		}
	})
	t.Run("a killed holder's place is taken with no wait", func(t *testing.T) {
		dir := t.TempDir()
		first := startProcess(t, dir)
		if said := first.line(); said != "holding" {
			t.Fatalf("it said %q", said)
		}
		if second := startProcess(t, dir); second.line() != "handed over" { // so it serves
			t.Fatal("a second start did not hand over")
		}
		assert.NoError(t, first.cmd.Process.Kill())
		_ = first.cmd.Wait() // killed
		if _, err := os.Lstat(filepath.Join(dir, socketName)); err != nil {
			t.Fatalf("this test wants a stale socket: %v", err)
		}
		h, err := TakeOrCall(t.Context(), Start{Dir: dir, Request: Request{Op: "echo", Job: given(nil)}, Each: nothing, Wait: noWait(t)})
		if err != nil || h == nil {
			t.Fatalf("got %v, %v", h, err)
		}
		assert.NoError(t, h.Serve(t.Context(), echo))
		wantEcho(t, dir, "after")
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a holder that ends by itself leaves nothing but the lock's file", func(t *testing.T) {
		dir := t.TempDir()
		p := startProcess(t, dir)
		p.line()
		assert.NoError(t, p.input.Close())
		assert.Equal(t, "", p.line())
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 || left[0].Name() != lockName {
			t.Errorf("left: %v (%v)", left, err)
		}
	})
}

func TestTakeOrCall(t *testing.T) {
	start := func(dir string, wait func(n int) error) Start {
		n := 0
		return Start{Dir: dir, Request: Request{Op: "echo", Job: given(nil)}, Each: nothing, Wait: func(context.Context, time.Duration) error {
			n++
			return wait(n)
		}}
	}
	t.Run("waits for a holder that does not serve yet", func(t *testing.T) {
		dir := t.TempDir()
		holder, called := take(t, dir), false
		h, err := TakeOrCall(t.Context(), start(dir, func(n int) error {
			if n != 3 {
				return nil
			}
			return holder.Serve(t.Context(), func(context.Context, Request, func(any) error) error {
				called = true
				return nil
			})
		}))
		if h != nil || err != nil || !called {
			t.Errorf("got %v, %v, called: %v", h, err, called)
		}
	})
	t.Run("takes over from a holder that ends before it serves", func(t *testing.T) {
		dir := t.TempDir()
		holder := take(t, dir)
		h, err := TakeOrCall(t.Context(), start(dir, func(n int) error {
			if n != 3 {
				return nil
			}
			return holder.Close()
		}))
		if h == nil || err != nil {
			t.Fatalf("got %v, %v", h, err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("says so in the end where a holder never serves", func(t *testing.T) {
		dir := t.TempDir()
		take(t, dir)
		waits := 0
		h, err := TakeOrCall(t.Context(), start(dir, func(n int) error { waits = n; return nil }))
		if h != nil || !errors.Is(err, ErrSilent) || waits != int(takePatience/pollPause) {
			t.Errorf("got %v, %v after %d waits", h, err, waits)
		}
	})
	t.Run("leaves the folder to another process first where it gives way", func(t *testing.T) {
		dir := t.TempDir()
		s := start(dir, func(n int) error {
			if n == 2 {
				serve(t, dir, echo)
			}
			return nil
		})
		s.GiveWay = true
		if h, err := TakeOrCall(t.Context(), s); h != nil || err != nil {
			t.Errorf("got %v, %v", h, err)
		}
	})
	t.Run("takes the folder where nobody comes", func(t *testing.T) {
		s := start(t.TempDir(), func(int) error { return nil })
		s.GiveWay = true
		h, err := TakeOrCall(t.Context(), s)
		if h == nil || err != nil {
			t.Fatalf("got %v, %v", h, err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("ends with its ctx", func(t *testing.T) {
		dir := t.TempDir()
		take(t, dir)
		ctx, stop := context.WithCancel(t.Context())
		_, err := TakeOrCall(ctx, Start{Dir: dir, Each: nothing, Wait: func(ctx context.Context, _ time.Duration) error {
			stop()
			return ctx.Err()
		}})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := Take(ctx, dir); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("says what is wrong with the folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		assert.NoError(t, os.WriteFile(file, nil, 0o600))
		_, err := TakeOrCall(t.Context(), Start{Dir: file, Each: nothing, Wait: noWait(t)})
		if err == nil || !strings.Contains(err.Error(), "make the folder") {
			t.Error(err)
		}
	})
}

func TestTake(t *testing.T) {
	t.Run("is for one at a time", func(t *testing.T) {
		dir := t.TempDir()
		first := take(t, dir)
		if _, err := Take(t.Context(), dir); !errors.Is(err, ErrHeld) {
			t.Errorf("the second got %v", err)
		}
		assert.NoError(t, first.Close())
		take(t, dir)
	})
	t.Run("is refused where the lock's file was removed under a holder that serves", func(t *testing.T) {
		dir := t.TempDir()
		serve(t, dir, echo)
		assert.NoError(t, os.Remove(filepath.Join(dir, lockName)))
		if _, err := Take(t.Context(), dir); !errors.Is(err, ErrHeld) {
			t.Errorf("got %v", err)
		}
		wantEcho(t, dir, "still there")
	})
}

func TestAHolderCanServeAnotherHandlerAfterTheFirst(t *testing.T) {
	dir := t.TempDir()
	h := take(t, dir)
	say := func(word string) Handle {
		return func(_ context.Context, _ Request, answer func(any) error) error { return answer(word) }
	}
	for _, word := range []string{"first", "second"} {
		assert.NoError(t, h.Serve(t.Context(), say(word)))
		if err := h.Serve(t.Context(), say("both")); err == nil {
			t.Error("two serve at once")
		}
		var got string
		if err := Call(t.Context(), dir, Request{Op: "say"}, func(data json.RawMessage) error { return json.Unmarshal(data, &got) }); err != nil || got != word {
			t.Errorf("got %q, %v", got, err)
		}
		h.StopServing()
		if err := Call(t.Context(), dir, Request{Op: "say"}, nothing); !errors.Is(err, ErrNotServing) {
			t.Errorf("after it stopped: %v", err)
		}
		if _, err := Take(t.Context(), dir); !errors.Is(err, ErrHeld) {
			t.Errorf("the folder is free: %v", err)
		}
	}
}
