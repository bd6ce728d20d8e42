package client

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestStallWatch(t *testing.T) {
	type step struct {
		after   time.Duration // since the step before
		sent    int64
		stalled bool
	}
	const moving, answer = 60 * time.Second, 5 * time.Minute
	for _, c := range []struct {
		name  string
		size  int64
		steps []step
	}{
		{"U3 a byte within the time-out keeps it going, however long it takes", 100,
			[]step{{59 * time.Second, 1, false}, {59 * time.Second, 2, false}, {59 * time.Second, 3, false}, {59 * time.Second, 4, false}}},
		{"U3 no byte for the time-out ends it", 100,
			[]step{{time.Second, 50, false}, {59 * time.Second, 50, false}, {time.Second, 50, true}}},
		{"U3 no first byte ends it as well", 100,
			[]step{{59 * time.Second, 0, false}, {time.Second, 0, true}}},
		{"U3 a byte in the last moment counts", 100,
			[]step{{59 * time.Second, 0, false}, {5 * time.Minute, 1, false}, {59 * time.Second, 1, false}}},
		{"U3 the answer may take longer than a byte", 100,
			[]step{{time.Second, 100, false}, {4 * time.Minute, 100, false}, {59 * time.Second, 100, false}, {time.Second, 100, true}}},
		{"U3 the time for the answer begins with the last byte", 100,
			[]step{{50 * time.Second, 99, false}, {50 * time.Second, 100, false}, {5*time.Minute - 1, 100, false}, {1, 100, true}}},
		{"U3 a count that goes back is no movement", 100,
			[]step{{time.Second, 50, false}, {30 * time.Second, 40, false}, {30 * time.Second, 45, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			w := stallWatch{size: c.size, moving: moving, answer: answer, last: now}
			for i, s := range c.steps {
				now = now.Add(s.after)
				if got := w.at(s.sent, now); got != s.stalled {
					t.Fatalf("step %d, %d bytes at %v: stalled is %v, want %v", i+1, s.sent, now.Format(time.TimeOnly), got, s.stalled)
				}
			}
		})
	}

	t.Run("U3 an answer never has less time than a byte", func(t *testing.T) {
		start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		w := stallWatch{size: 1, moving: time.Minute, answer: time.Second, last: start, sent: 1}
		if w.at(1, start.Add(59*time.Second)) || !w.at(1, start.Add(time.Minute)) {
			t.Error("it did not last the minute, or longer")
		}
	})
}

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
