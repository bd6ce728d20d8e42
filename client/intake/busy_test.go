package intake_test

import (
	"context"
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// TestWhatIsWaitedForIsSaid holds that the queue as a whole says why it waits and until when, and says so no more once that is over.
func TestWhatIsWaitedForIsSaid(t *testing.T) {
	failing := func(kind client.Kind, status int, after time.Duration) error {
		return &client.Error{Op: "t", Kind: kind, Status: status, Message: i18n.Verbatim("No luck."), RetryAfter: after}
	}
	for _, c := range []struct {
		name   string
		err    error
		times  int
		waits  time.Duration // at the least, the last time
		cause  intake.Cause
		reason func(until time.Time) string // of the queue
	}{
		{"a pause of 20 s", failing(client.KindBusy, 503, 20*time.Second), 1, 20 * time.Second, intake.Busy,
			func(time.Time) string { return "The service is busy (503). Assay asks again in 20 s." }},
		{"a pause of ten minutes", failing(client.KindBusy, 429, 10*time.Minute), 1, 10 * time.Minute, intake.Busy,
			func(until time.Time) string {
				return "The service is busy (429). Assay asks again at " + i18n.Clock(until.Local()) + "."
			}},
		{"a pause of three years is one of an hour", failing(client.KindBusy, 503, 3*365*24*time.Hour), 1, time.Hour, intake.Busy,
			func(until time.Time) string {
				return "The service asked for a wait of 3 years. Assay asks again at " + i18n.Clock(until.Local()) + "."
			}},
		{"pauses that are short, and come again and again", failing(client.KindBusy, 503, 0), 4, 5 * time.Second, intake.Busy,
			func(time.Time) string { return "The service is busy (503). Assay asks again in 8 s." }},
		{"one short pause is not worth a word", failing(client.KindBusy, 503, 0), 1, 0, intake.Running, func(time.Time) string { return "" }},
		{"no network", failing(client.KindNetwork, 0, 0), 4, 5 * time.Second, intake.NoNetwork,
			func(time.Time) string { return "No luck. Assay asks again in 8 s." }},
		{"what is about one submission alone", failing(client.KindService, 500, 0), 4, 5 * time.Second, intake.Running, func(time.Time) string { return "" }},
	} {
		for _, during := range []string{"address", "look"} {
			if during == "look" && c.times > 1 {
				continue // the pauses between looks are others
			}
			t.Run(c.name+", "+during, func(t *testing.T) {
				d := setup(t)
				d.server.fail(during, repeated(c.err, c.times)...)
				began, waited := make(chan time.Duration), make(chan struct{})
				q := newQueueWith(t, nil, intake.Params{Service: d.server, Store: d.store, Now: d.clock.Now, Jitter: func() float64 { return 0.5 },
					Wait: func(ctx context.Context, pause time.Duration) error {
						select {
						case began <- pause:
						case <-ctx.Done():
							return ctx.Err()
						}
						select {
						case <-waited:
						case <-ctx.Done():
							return ctx.Err()
						}
						return d.clock.Wait(ctx, pause)
					}})
				id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
				if during == "look" {
					<-began // the first look is not at once
					waited <- struct{}{}
				}
				var pause time.Duration
				for n := range c.times {
					if pause = <-began; n < c.times-1 {
						waited <- struct{}{}
					}
				}
				until := d.clock.Now().Add(pause)
				got, _ := q.Get(id)
				if standing := q.QueueStatus(); standing.Cause != c.cause || standing.Reason.String() != c.reason(until) || pause < c.waits || pause > c.waits+4*time.Second {
					t.Errorf("it waits for %v, and says %+v", pause, standing)
				}
				if got.Delay.IsZero() || c.cause == intake.Busy && got.Delay.String() != c.reason(until) {
					t.Errorf("the submission says %q", got.Delay)
				}
				go func() {
					for {
						select {
						case waited <- struct{}{}:
						case <-began:
						case <-t.Context().Done():
							return
						}
					}
				}()
				q.until(id, submission.Done)
				if standing := q.QueueStatus(); standing != (intake.QueueStatus{}) {
					t.Errorf("afterwards it says %+v", standing)
				}
			})
		}
	}
}
