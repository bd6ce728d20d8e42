package intake

import (
	"errors"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake/poll"
	"assay/client/media"
	"assay/client/submission"
)

// Limits of retries.
const (
	maxAttempts = 5                // of one step, for faults that may pass
	firstRetry  = time.Second      // before the second attempt; doubled before each further one
	maxRetry    = 30 * time.Second // the longest pause, unless the service asks for more
)

// retryNow wraps an error after which the next attempt follows at once.
type retryNow struct{ error }

func (r *retryNow) Unwrap() error { return r.error }

// retryLater wraps an error after which the next attempt follows after a pause.
type retryLater struct{ error }

func (r *retryLater) Unwrap() error { return r.error }

// attempt calls step until it succeeds or fails for good. Without a network, or while the service is busy, it tries for as long as it takes; other
// faults that may pass get a few attempts. During a pause it gives up the slot.
func (q *Queue) attempt(j *job, slot *slot, step func() error) error {
	e := j.entry
	pause, faults := firstRetry, 0
	for {
		err := step()
		if j.ctx.Err() != nil {
			return err
		}
		q.reached(err)
		if err == nil {
			return nil
		}
		var (
			now     *retryNow
			soon    *retryLater
			service *client.Error
		)
		if errors.As(err, &now) {
			continue
		}
		errors.As(err, &service)
		passes := client.IsTemporary(err) || errors.As(err, &soon)
		if !client.PassesByItself(err) {
			faults++
		}
		if q.haltForJob(j, err) || !passes || faults >= maxAttempts { // halted before the slot is released to another job
			return err
		}
		if slot != nil {
			slot.Release()
		}
		spread := poll.Spread(pause, q.Jitter())
		if service != nil {
			spread = max(spread, service.Pause())
		}
		delay := q.delayed(err, q.Now().Add(spread))
		q.change(e, func(s *submission.Submission) { s.Delay, s.Sent, s.Rate = delay, 0, 0 })
		if err := q.Wait(j.ctx, spread); err != nil {
			return err
		}
		pause = min(2*pause, maxRetry)
		if slot != nil {
			if err := slot.Acquire(j.ctx); err != nil {
				return err
			}
		}
		q.change(e, func(s *submission.Submission) { s.Delay = i18n.Message{} })
	}
}

// isRefusal reports whether a submission can't be sent as it is.
func isRefusal(err error) bool {
	var (
		refusal *media.Refusal
		unfit   *unfitLink
	)
	var copied refusing
	return errors.As(err, &copied) && copied.Refuses() || errors.As(err, &refusal) || errors.As(err, &unfit) || errors.Is(err, errOtherContent)
}

// messageOf is the message of an error for the person.
func messageOf(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("Something unexpected went wrong: %s", err.Error()))
}
