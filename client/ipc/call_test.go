package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestCall(t *testing.T) {
	t.Run("brings a job with names of any bytes whole, and its answers", func(t *testing.T) {
		type job struct {
			Names Paths `json:"names"`
			Again bool  `json:"again"`
		}
		list := Operation[job, Paths]("list")
		dir := t.TempDir()
		serve(t, dir, list.Handle(func(_ context.Context, j job, answer func(Paths) error) error {
			if !j.Again {
				return errors.New("not again")
			}
			return answer(j.Names)
		}))
		names := Paths{"/a\nb.jpg", "/\xff\xfe.jpg", "/ä \u202e gpj.exe", "", "https://example.org/?a=b&c=<d>", strings.Repeat("/long", 100_000)}
		var got Paths
		if err := list.Call(t.Context(), dir, job{Names: names, Again: true}, func(all Paths) error { got = all; return nil }); err != nil || !slices.Equal(got, names) {
			t.Errorf("%v, got %.100q", err, got)
		}
		var refusal *Refusal
		if err := list.Call(t.Context(), dir, job{}, func(Paths) error { return nil }); !errors.As(err, &refusal) || refusal.Sentence != "not again" {
			t.Errorf("got %v", err)
		}
		if err := Operation[string, int]("list").Call(t.Context(), dir, "another version's", func(int) error { return nil }); !errors.As(err, &refusal) || *refusal != *OtherVersion() {
			t.Errorf("another version's job: %v", err)
		}
	})
	t.Run("takes paths of 16 MB and refuses more in words", func(t *testing.T) {
		dir := t.TempDir()
		serve(t, dir, func(context.Context, Request, func(any) error) error { return nil })
		path := strings.Repeat("x", 1<<20)
		paths := make([]string, 16)
		for i := range paths {
			paths[i] = path
		}
		if err := Call(t.Context(), dir, Request{Op: "open", Job: given(paths)}, nothing); err != nil {
			t.Error(err)
		}
		var refusal *Refusal
		if err := Call(t.Context(), dir, Request{Op: "open", Job: given(append(paths, paths...))}, nothing); !errors.As(err, &refusal) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("returns the sentence that the holder ends with", func(t *testing.T) {
		dir := t.TempDir()
		serve(t, dir, func(_ context.Context, _ Request, answer func(any) error) error {
			return errors.Join(answer(1), errors.New("Not today.")) //nolint:revive // a sentence
		})
		answers := 0
		err := Call(t.Context(), dir, Request{Op: "open"}, func(json.RawMessage) error { answers++; return nil })
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Sentence != "Not today." || answers != 1 {
			t.Errorf("got %v and %d answers", err, answers)
		}
	})
	t.Run("says that nobody serves", func(t *testing.T) {
		if err := Call(t.Context(), t.TempDir(), Request{Op: "open"}, nothing); !errors.Is(err, ErrNotServing) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("ends with an error of the one who reads, and the handler with it", func(t *testing.T) {
		dir, ended := t.TempDir(), make(chan error, 1)
		serve(t, dir, func(ctx context.Context, _ Request, answer func(any) error) error {
			if err := answer(1); err != nil {
				return err
			}
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		})
		full := errors.New("the disk is full")
		if err := Call(t.Context(), dir, Request{Op: "open"}, func(json.RawMessage) error { return full }); !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the handler's ctx: %v", err)
		}
	})
	t.Run("ends with its ctx, and the handler with it", func(t *testing.T) {
		dir, ended := t.TempDir(), make(chan struct{})
		ctx, stop := context.WithCancel(t.Context())
		serve(t, dir, func(ctx context.Context, _ Request, _ func(any) error) error {
			stop()
			<-ctx.Done()
			close(ended)
			return ctx.Err()
		})
		if err := Call(ctx, dir, Request{Op: "open"}, nothing); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		<-ended
	})
	t.Run("is lost where the holder closes, or its ctx ends, before it is done", func(t *testing.T) {
		for _, how := range []string{"close", "ctx"} {
			dir, handling := t.TempDir(), make(chan struct{})
			ctx, stop := context.WithCancel(t.Context())
			h := take(t, dir)
			assert.NoError(t, h.Serve(ctx, func(ctx context.Context, _ Request, _ func(any) error) error {
				close(handling)
				<-ctx.Done()
				return ctx.Err()
			}))
			called := make(chan error, 1)
			go func() { called <- Call(context.Background(), dir, Request{Op: "open"}, nothing) }()
			<-handling
			if how == "close" {
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			}
			stop()
			if err := <-called; !errors.Is(err, ErrLost) {
				t.Errorf("%s: got %v", how, err)
			}
		}
	})
	t.Run("is answered to its end where the holder closes because of it", func(t *testing.T) {
		dir, asked := t.TempDir(), make(chan struct{})
		h := take(t, dir)
		if err := h.Serve(t.Context(), func(ctx context.Context, _ Request, answer func(any) error) error {
			if err := answer("gives way"); err != nil {
				return err
			}
			close(asked)
			<-ctx.Done() // the holder closes already
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		closed := make(chan error, 1)
		go func() {
			<-asked
			closed <- h.Close()
		}()
		answers := 0
		if err := Call(t.Context(), dir, Request{Op: "yield"}, func(json.RawMessage) error { answers++; return nil }); err != nil || answers != 1 {
			t.Errorf("got %v and %d answers", err, answers)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
}

func TestServe(t *testing.T) {
	t.Run("is once, and not after Close", func(t *testing.T) {
		h := serve(t, t.TempDir(), echo)
		if err := h.Serve(t.Context(), echo); err == nil {
			t.Error("it serves twice")
		}
		closed := take(t, t.TempDir())
		assert.NoError(t, closed.Close())
		if err := closed.Serve(t.Context(), echo); err == nil {
			t.Error("it serves after Close")
		}
	})
	t.Run("StopServing ends the calls and keeps the folder", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		h.StopServing()
		if err := Call(t.Context(), dir, Request{Op: "echo"}, nothing); !errors.Is(err, ErrNotServing) {
			t.Errorf("a call: %v", err)
		}
		if _, err := Take(t.Context(), dir); !errors.Is(err, ErrHeld) {
			t.Errorf("another start: %v", err)
		}
		h.StopServing() // a second time is no harm
	})
	t.Run("Close waits for what is being handled", func(t *testing.T) {
		dir, handling, done := t.TempDir(), make(chan struct{}), false
		h := take(t, dir)
		if err := h.Serve(t.Context(), func(ctx context.Context, _ Request, _ func(any) error) error {
			close(handling)
			<-ctx.Done()
			done = true // a data race, were it not waited for
			return ctx.Err()
		}); err != nil {
			t.Fatal(err)
		}
		called := make(chan error, 1)
		go func() { called <- Call(context.Background(), dir, Request{Op: "open"}, nothing) }()
		<-handling
		if err := h.Close(); err != nil || !done {
			t.Errorf("%v, handled: %v", err, done)
		}
		if err := <-called; !errors.Is(err, ErrLost) {
			t.Errorf("the call: %v", err)
		}
	})
}
