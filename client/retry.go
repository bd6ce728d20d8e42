package client

import (
	"context"
	"log/slog"
	"time"

	"assay/client/i18n"
	"assay/client/retry"
)

// DefaultAttempts is how often a call is made at most, counting the first.
const DefaultAttempts = 3

// backoff is the pause after a failed call, if the service asks for none.
var backoff = retry.Backoff{First: time.Second, Longest: 10 * time.Second}

// The pause if the service asks for one.
const (
	longestAsked  = time.Minute // of what is asked for by Retry-After: a longer pause is for the caller to plan and to show
	spreadOfAsked = time.Second // added at random, so that not all callers return at once
)

// retryDecision is what is done after a failed attempt, and why.
type retryDecision struct {
	again bool
	why   string        // for the log: no URL and nothing that the service sent
	wait  time.Duration // before the next attempt, if there is one
}

// decideRetry decides whether a call is made again whose attempt number attempt (counted from 1, of at most most) has failed with e. once marks a
// call that must not be done twice: it is repeated only where the service can't have done it. jitter is from 0 to 1.
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

// withRetries makes attempts until one succeeds, decideRetry says no, or ctx ends, also during a pause. It starts no goroutine.
func (c *Client) withRetries(ctx context.Context, op string, once bool, attempt func() *Error) error {
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
		reportWait(ctx, e, c.now().Add(v.wait))
		if err := c.wait(ctx, v.wait); err != nil {
			return transportError(op, err)
		}
	}
}

// LongestRetryAfter is the longest pause that a service is granted. Rate limits are counted by the hour at most; a longer pause is a mistake, and
// nobody would wait for it. After it the service is asked again, and may ask for the same once more.
const LongestRetryAfter = time.Hour

// Pause is how long the service asked to be left alone, at most LongestRetryAfter; 0 where it did not ask.
func (e *Error) Pause() time.Duration { return min(e.RetryAfter, LongestRetryAfter) }

// WaitReason says why a call waits.
func (e *Error) WaitReason() i18n.Message {
	switch {
	case e.Kind == KindBusy && e.RetryAfter > LongestRetryAfter:
		return i18n.M("The service asked Assay to wait %s.", longWait(e.RetryAfter))
	case e.Kind == KindBusy && e.Status != 0:
		return i18n.M("The service is busy (%d).", e.Status)
	}
	return e.UserMessage()
}

// WaitMessage is WaitReason with the time of the next attempt.
func (e *Error) WaitMessage(until, now time.Time) i18n.Message {
	if left := until.Sub(now); left < time.Minute {
		return i18n.Sentences(e.WaitReason(), i18n.M("Assay asks again in %s.", i18n.WaitMessage(left)))
	}
	return i18n.Sentences(e.WaitReason(), i18n.M("Assay asks again at %s.", i18n.ClockMessage(until)))
}

// longWait is i18n.WaitMessage for a pause that may be years.
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

// OnWait returns a context whose calls report, before each pause, why the attempt failed and until when they wait.
func OnWait(ctx context.Context, report func(err *Error, until time.Time)) context.Context {
	return context.WithValue(ctx, onWait{}, report)
}

// reportWait calls OnWait's function, if there is one.
func reportWait(ctx context.Context, e *Error, until time.Time) {
	if report, ok := ctx.Value(onWait{}).(func(*Error, time.Time)); ok {
		report(e, until)
	}
}
