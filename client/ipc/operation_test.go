package ipc

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	count := Operation[int, int]("count")
	t.Run("goes on elsewhere where the holder ends in the middle, and here where it gives way, with what is left by then", func(t *testing.T) {
		dir := t.TempDir()
		first := serve(t, dir, count.Handle(func(ctx context.Context, job int, answer func(int) error) error {
			if err := answer(job); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}))
		var done []string
		left := 3
		err := count.Run(t.Context(), Work[int, int]{
			Dir: dir,
			Job: func() (int, error) { return left, nil },
			Each: func(n int) error {
				done, left = append(done, "there"), n-1
				go first.Close() //nolint:errcheck // it ends in the middle
				return nil
			},
			Here: func(_ context.Context, h *Holder) error {
				done = append(done, "here")
				if left--; left > 0 {
					return errors.Join(ErrGaveWay, h.Close())
				}
				return h.Close()
			},
			Wait: func(context.Context, time.Duration) error { return nil },
		})
		if err != nil || !slices.Equal(done, []string{"there", "here", "here"}) {
			t.Errorf("%v, %v", done, err)
		}
	})
	t.Run("ends with what is wrong with the job, or went wrong here", func(t *testing.T) {
		wrong := errors.New("wrong")
		w := Work[int, int]{Dir: t.TempDir(), Job: func() (int, error) { return 0, nil }, Here: func(_ context.Context, h *Holder) error { return errors.Join(wrong, h.Close()) }}
		if err := count.Run(t.Context(), w); !errors.Is(err, wrong) {
			t.Errorf("here: %v", err)
		}
		w.Job = func() (int, error) { return 0, wrong }
		if err := count.Run(t.Context(), w); !errors.Is(err, wrong) {
			t.Errorf("the job: %v", err)
		}
	})
}
