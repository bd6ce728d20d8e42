package client

import (
	"context"
	"log/slog"
	"time"

	"assay/client/i18n"
	"assay/client/retry"
)

// DefaultAttempts is how often a call is made at most, the first time included.
const DefaultAttempts = 3

// backoff is how long a failed call is waited for, where the service does not say.
var backoff = retry.Backoff{First: time.Second, Longest: 10 * time.Second}

// How long it is waited for where the service says.
const (
	longestAsked  = time.Minute // of what a service asks for by Retry-After: a longer wait is the caller's to plan, and to tell of
	spreadOfAsked = time.Second // added to that at random, so that not all who wait come back at once
)

// retryDecision is what is done about a failed attempt, and why.
type retryDecision struct {
	again bool
	why   string        // for the log: no address and no words of the service
	wait  time.Duration // before the next attempt, where there is one
}

// decideRetry says whether a call is made again after its attempt (counted from 1) of at most most has failed with e.
// once marks a call that must not be done twice: it is repeated only where the service can't have done it.
// jitter is from 0 to 1.
func decideRetry(e *Error, attempt, most int, once bool, jitter float64) retryDecision {
	v := retryDecision{again: true, wait: backoff.Pause(attempt, jitter)}
	switch e.Kind {
	case KindBusy:
		v.why = "the service is busy"
		if e.RetryAfter > 0 {
			v.why = "the service asked for a pause"
			v.wait = e.Pause() + time.Duration(jitter*float64(spreadOfAsked))
		}
	case KindService:
		v.why = "the service failed"
	case KindNetwork:
		v.why = "no answer arrived"
		if isCertificate(e.Err) {
			return retryDecision{why: "a certificate does not become good by waiting"}
		}
	default:
		return retryDecision{why: "the same call would fail again"}
	}
	switch {
	case e.RetryAfter > longestAsked && e.Kind == KindBusy:
		return retryDecision{why: v.why + ", longer than a call waits"}
	case once && e.Uncertain:
		return retryDecision{why: v.why + ", and may have done what must not be done twice"}
	case attempt >= most:
		return retryDecision{why: v.why + ", and this was the last attempt"}
	}
	return v
}

// persist makes attempts until one succeeds, until decideRetry says no, or until ctx ends.
// Waiting takes no goroutine; it ends with ctx at once.
func (c *Client) persist(ctx context.Context, op string, once bool, attempt func() *Error) error {
	for n := 1; ; n++ {
		e := attempt()
		if e == nil {
			return nil
		}
		if ctx.Err() != nil {
			c.log.DebugContext(ctx, "call failed", "call", op, "attempt", n, "again", false, "why", "it was stopped")
			return e
		}
		v := decideRetry(e, n, c.attempts, once, c.jitter())
		c.log.LogAttrs(ctx, slog.LevelDebug, "call failed",
			slog.String("call", op), slog.Int("attempt", n), slog.String("kind", string(e.Kind)), slog.Int("status", e.Status),
			slog.Bool("again", v.again), slog.String("why", v.why), slog.Duration("wait", v.wait))
		if !v.again {
			return e
		}
		tellWait(ctx, e, c.now().Add(v.wait))
		if err := c.wait(ctx, v.wait); err != nil {
			return transportError(op, err)
		}
	}
}

// LongestRetryAfter is the longest wait that a service is granted. Rate limits are counted by the hour at most; what asks for more is
// a mistake, and nobody would wait for it. It is asked again then, and may say the same once more.
const LongestRetryAfter = time.Hour

// Pause is for how long the service wants to be left alone, at most LongestRetryAfter; 0 where it did not say.
func (e *Error) Pause() time.Duration { return min(e.RetryAfter, LongestRetryAfter) }

// WaitReason says why a call waits.
func (e *Error) WaitReason() i18n.Message {
	switch {
	case e.Kind == KindBusy && e.RetryAfter > LongestRetryAfter:
		return i18n.M("The service asked for a wait of %s.", longWait(e.RetryAfter))
	case e.Kind == KindBusy && e.Status != 0:
		return i18n.M("The service is busy (%d).", e.Status)
	}
	return e.UserMessage()
}

// WaitMessage is WaitReason with when the call is made again.
func (e *Error) WaitMessage(until, now time.Time) i18n.Message {
	if left := until.Sub(now); left < time.Minute {
		return i18n.Sentences(e.WaitReason(), i18n.M("Assay asks again in %s.", i18n.WaitMessage(left)))
	}
	return i18n.Sentences(e.WaitReason(), i18n.M("Assay asks again at %s.", i18n.ClockMessage(until)))
}

// longWait is i18n.WaitMessage for what may be years.
func longWait(d time.Duration) i18n.Message {
	const day = 24 * time.Hour
	switch {
	case d >= 100*365*day:
		return i18n.M("more than a hundred years")
	case d >= 2*365*day:
		return i18n.MN(int(d/(365*day)), "%s year", "%s years")
	case d >= 2*day:
		return i18n.MN(int(d/day), "%s day", "%s days")
	}
	return i18n.WaitMessage(d)
}

// onWait is the key of OnWait's function in a context.
type onWait struct{}

// OnWait returns a context whose calls tell why they failed and until when they wait, before they are made again.
func OnWait(ctx context.Context, tell func(err *Error, until time.Time)) context.Context {
	return context.WithValue(ctx, onWait{}, tell)
}

// tellWait tells who wants to know that a call waits.
func tellWait(ctx context.Context, e *Error, until time.Time) {
	if tell, ok := ctx.Value(onWait{}).(func(*Error, time.Time)); ok {
		tell(e, until)
	}
}
