package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"assay/client/retry"
	"assay/client/wait"
)

func TestBackoff(t *testing.T) {
	b := retry.Backoff{First: 4 * time.Second, Longest: 10 * time.Second}
	for _, c := range []struct {
		n      int
		jitter float64
		want   time.Duration
	}{
		{1, 0, 2 * time.Second},
		{1, 0.5, 3 * time.Second},
		{1, 1, 4 * time.Second},
		{2, 0, 4 * time.Second},
		{2, 1, 8 * time.Second},
		{3, 1, 10 * time.Second},
		{4, 0, 5 * time.Second},
		{1 << 40, 1, 10 * time.Second},
	} {
		if got := b.Pause(c.n, c.jitter); got != c.want {
			t.Errorf("failure %d with jitter %v: %v in place of %v", c.n, c.jitter, got, c.want)
		}
	}
	if got := (retry.Backoff{First: time.Minute, Longest: time.Second}).Pause(1, 1); got != time.Second {
		t.Errorf("a first pause beyond the longest: %v", got)
	}
}

func TestHold(t *testing.T) {
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	b := retry.Backoff{First: 4 * time.Second, Longest: time.Minute}
	var h retry.Hold
	if !h.Until.IsZero() {
		t.Error("the zero value holds")
	}
	failed := func(least, want time.Duration) {
		t.Helper()
		if h.Failed(now, b, 1, least); !h.Until.Equal(now.Add(want)) {
			t.Errorf("held for %v in place of %v", h.Until.Sub(now), want)
		}
	}
	failed(0, 4*time.Second)
	failed(0, 8*time.Second)
	failed(time.Hour, time.Hour)
	if h.Over(); !h.Until.IsZero() {
		t.Error("it holds on once it is over")
	}
	failed(0, 4*time.Second)
}

func TestLoop(t *testing.T) {
	// run runs a loop whose next gives what is in script, one entry each time, and then waits for ever; it returns when next was asked.
	type entry struct {
		wait time.Duration
		work func(l *retry.Loop)
	}
	run := func(t *testing.T, script []entry, meanwhile func(l *retry.Loop)) (asked []time.Duration) {
		t.Helper()
		began := time.Now()
		ctx, stop := context.WithCancel(t.Context())
		l := &retry.Loop{Wait: wait.For}
		over := make(chan struct{})
		go func() {
			defer close(over)
			l.Run(ctx, func() (func(), time.Duration) {
				asked = append(asked, time.Since(began))
				if len(script) == 0 {
					return nil, retry.Forever
				}
				e := script[0]
				script = script[1:]
				if e.work == nil {
					return nil, e.wait
				}
				return func() { e.work(l) }, 0
			})
		}()
		synctest.Wait()
		meanwhile(l)
		synctest.Wait()
		stop()
		<-over
		return asked
	}
	in := func(name string, test func(t *testing.T)) { t.Run(name, func(t *testing.T) { synctest.Test(t, test) }) }
	pass := func(d time.Duration) { <-time.After(d) }
	want := func(t *testing.T, got []time.Duration, want ...time.Duration) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("asked at %v in place of %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("asked at %v in place of %v", got, want)
			}
		}
	}

	in("asks again after work at once, and after a wait when that is over", func(t *testing.T) {
		done := 0
		asked := run(t, []entry{{work: func(*retry.Loop) { done++ }}, {wait: time.Minute}, {work: func(*retry.Loop) { done++ }}}, func(*retry.Loop) { pass(time.Hour) })
		want(t, asked, 0, 0, time.Minute, time.Minute)
		if done != 2 {
			t.Errorf("%d pieces of work were done", done)
		}
	})
	in("Wake ends a wait, one for ever too", func(t *testing.T) {
		asked := run(t, []entry{{wait: time.Hour}, {wait: retry.Forever}}, func(l *retry.Loop) {
			pass(time.Minute)
			l.Wake()
			pass(time.Minute)
			l.Wake()
			pass(time.Hour)
		})
		want(t, asked, 0, time.Minute, 2*time.Minute)
	})
	in("a Wake during work costs nothing", func(t *testing.T) {
		asked := run(t, []entry{{work: (*retry.Loop).Wake}}, func(*retry.Loop) { pass(time.Hour) })
		want(t, asked, 0, 0)
	})
	in("a Wake while next is asked is not lost", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		l := &retry.Loop{Wait: wait.For}
		l.Wake() // before it runs, there is nothing to wake
		asked := 0
		l.Run(ctx, func() (func(), time.Duration) {
			if asked++; asked == 2 {
				stop()
			}
			l.Wake()
			return nil, retry.Forever
		})
		if asked != 2 {
			t.Errorf("asked %d times", asked)
		}
	})
	in("ends with ctx in the middle of a wait", func(t *testing.T) {
		began := time.Now()
		run(t, []entry{{wait: time.Hour}}, func(*retry.Loop) {})
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}
