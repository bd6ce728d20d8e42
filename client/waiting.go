package client

import (
	"context"
	"time"

	"assay/client/i18n"
)

// LongestRetryAfter is the longest wait that a service is granted. Rate limits are counted by the hour at most; what asks for more is
// a mistake, and nobody would wait for it. It is asked again then, and may say the same once more.
const LongestRetryAfter = time.Hour

// Pause is for how long the service wants to be left alone, at most LongestRetryAfter; 0 where it did not say.
func (e *Error) Pause() time.Duration { return min(e.RetryAfter, LongestRetryAfter) }

// WaitReason says why a call waits.
func (e *Error) WaitReason() string {
	switch {
	case e.Kind == KindBusy && e.RetryAfter > LongestRetryAfter:
		return i18n.F("The service asked for a wait of %s.", longWait(e.RetryAfter))
	case e.Kind == KindBusy && e.Status != 0:
		return i18n.F("The service is busy (%d).", e.Status)
	}
	return e.Sentence()
}

// WaitSentence is WaitReason with when the call is made again.
func (e *Error) WaitSentence(until, now time.Time) string {
	if left := until.Sub(now); left < time.Minute {
		return e.WaitReason() + " " + i18n.F("Assay asks again in %s.", i18n.Wait(left))
	}
	return e.WaitReason() + " " + i18n.F("Assay asks again at %s.", i18n.Clock(until.Local()))
}

// longWait is i18n.Wait for what may be years.
func longWait(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 100*365*day:
		return i18n.T("more than a hundred years")
	case d >= 2*365*day:
		return i18n.N(int(d/(365*day)), "%s year", "%s years")
	case d >= 2*day:
		return i18n.N(int(d/day), "%s day", "%s days")
	}
	return i18n.Wait(d)
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
