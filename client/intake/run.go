package intake

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
)

// Limits of a submission's way.
const (
	maxAttempts   = 5                // at one step, for faults that may pass
	firstRetry    = time.Second      // before the second attempt; doubled before each further one
	maxRetry      = 30 * time.Second // and at most this
	urlMargin     = time.Minute      // an upload address is not used in the last minute of its life
	unknownFor    = 5 * time.Minute  // for so long after an upload "no such result" means "not yet"
	modelsFor     = 5 * time.Minute  // a verdict is final that long after it came, even where a model still runs
	pollFor       = time.Hour        // then the service is given up, until Retry
	movingAverage = 0.3              // weight of the newest rate
)

// run takes an item from wherever it stands to its end. It owns the item's file, upload and the states of its way, and
// gives the check up.
func (q *Queue) run(ctx context.Context, it *item, check turn) error {
	if it.RequestID != "" {
		q.checks.leave(check)
		return q.await(ctx, it)
	}
	first, err := q.check(ctx, it, check)
	upload := q.uploads.stand() // before the next file is looked at: they are sent in the same order
	q.checks.leave(check)
	if err == nil && first {
		err = q.send(ctx, it, upload)
	}
	q.uploads.leave(upload)
	if err != nil || !first {
		return err
	}
	return q.await(ctx, it)
}

// check looks at the file and hashes it; first is false where these bytes were submitted before.
func (q *Queue) check(ctx context.Context, it *item, place turn) (first bool, err error) {
	if err := place.come(ctx); err != nil {
		return false, err
	}
	q.change(it, func(s *submission.Submission) { s.State = submission.Checking })
	file, err := q.Limits.Inspect(ctx, it.Path)
	if err != nil {
		return false, err
	}
	file.SendName = media.SendNameWith(filepath.Base(file.Path), token(it.ID))
	q.change(it, func(s *submission.Submission) {
		s.Name, s.Type, s.Size, s.Warning = file.Name, file.Type, file.Size, file.Warning
	})
	opened, err := media.Open(file)
	if err != nil {
		return false, err
	}
	defer opened.Close() //nolint:errcheck // only read from
	file.SHA256, err = q.hashes.Hash(ctx, opened, nil)
	if err != nil {
		return false, err
	}
	if err := media.StillSame(file, opened); err != nil {
		return false, err
	}
	first = q.claim(it, file)
	q.change(it, func(s *submission.Submission) { s.State = submission.Waiting })
	return first, nil
}

// token is what makes the name that is sent a submission's own: two that share a name stay apart in the service's list.
func token(id string) string { return id[:6] }

// claim makes an item stand for its bytes, as standFor says.
func (q *Queue) claim(it *item, file media.File) (first bool) {
	q.mu.Lock()
	if it.SHA256 != file.SHA256 {
		it.upload, it.Uploaded = client.Upload{}, time.Time{} // what was sent before were other bytes
	}
	it.file, it.SHA256 = file, file.SHA256
	q.mu.Unlock()
	return q.standFor(it)
}

// standFor makes an item stand for its content, unless another does already: then it shows that one's answer, and
// sets it going again where it had failed. One that the person cancelled gives its place up, and with it the memory of a
// link that the service may have taken.
func (q *Queue) standFor(it *item) (first bool) {
	q.mu.Lock()
	content := it.Content()
	earlier := q.items[q.firsts[content]]
	if earlier == nil || earlier == it || earlier.State == submission.Cancelled {
		if earlier != nil && it.Asking.At.IsZero() {
			it.Asking.At = earlier.Asking.At
		}
		q.firsts[content] = it.ID
		q.mu.Unlock()
		return true
	}
	it.Earlier = earlier.ID
	failed := earlier.State == submission.Failed
	q.mu.Unlock()
	if failed {
		q.Retry(earlier.ID)
	}
	return false
}

// send gets the bytes to the service and learns their identifier.
func (q *Queue) send(ctx context.Context, it *item, place turn) error {
	if err := place.come(ctx); err != nil {
		return err
	}
	q.change(it, func(s *submission.Submission) { s.State = submission.Sending })
	if it.Uploaded.IsZero() {
		if err := q.upload(ctx, it); err != nil {
			return err
		}
	}
	id := it.upload.RequestID
	if id == "" {
		err := q.attempt(ctx, it, func() (err error) {
			id, err = q.Service.FindUpload(ctx, it.file.SendName, it.upload.Issued)
			if client.IsKind(err, client.KindAnswer) {
				return &later{err} // it may not be listed yet, and the bytes are up
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	q.change(it, func(s *submission.Submission) { s.State, s.RequestID = submission.Analysing, id })
	return nil
}

// upload asks for an address and puts the bytes there. The same address serves again while it lives: what was
// sent in part is overwritten, so that one submission stays one. A denied address is replaced once.
func (q *Queue) upload(ctx context.Context, it *item) error {
	replaced := false
	return q.attempt(ctx, it, func() error {
		if it.upload.SignedURL == "" || q.Now().Sub(it.upload.Issued) > client.SignedURLLife-urlMargin {
			fresh, err := q.Service.RequestUpload(ctx, it.file.SendName)
			if err != nil {
				return err
			}
			it.upload = fresh
		}
		err := q.put(ctx, it)
		if client.IsKind(err, client.KindExpired) {
			it.upload = client.Upload{}
			if !replaced {
				replaced = true
				return &again{err}
			}
		}
		return err
	})
}

func (q *Queue) put(ctx context.Context, it *item) error {
	opened, err := media.Open(it.file)
	if err != nil {
		return err
	}
	began := q.Now()
	q.change(it, func(s *submission.Submission) { s.Sent, s.Rate = 0, 0 })
	var last int64
	err = q.Service.Put(ctx, it.upload.SignedURL, opened, it.file.Size, func(sent int64) {
		now := q.Now()
		q.change(it, func(s *submission.Submission) {
			s.Sent = sent
			if elapsed := now.Sub(began).Seconds(); elapsed > 0 {
				rate := float64(sent-last) / elapsed
				if s.Rate > 0 {
					rate = movingAverage*rate + (1-movingAverage)*s.Rate
				}
				s.Rate = rate
			}
		})
		began, last = now, sent
	})
	if err != nil {
		return err
	}
	if err := media.Unchanged(it.file); err != nil {
		it.upload = client.Upload{} // what stands there is not the file that was hashed
		return err
	}
	q.change(it, func(s *submission.Submission) { s.Sent, s.Uploaded = it.file.Size, q.Now() })
	return nil
}

// again marks an error after which the next attempt follows at once.
type again struct{ error }

func (a *again) Unwrap() error { return a.error }

// later marks an error after which the next attempt follows in a while.
type later struct{ error }

func (l *later) Unwrap() error { return l.error }

// attempt calls step until it succeeds, fails for good, or has failed maxAttempts times.
func (q *Queue) attempt(ctx context.Context, it *item, step func() error) error {
	pause := firstRetry
	for n := 1; ; n++ {
		err := step()
		if err == nil || ctx.Err() != nil {
			return err
		}
		var (
			now     *again
			soon    *later
			service *client.Error
		)
		if errors.As(err, &now) {
			continue
		}
		passes := errors.As(err, &service) && service.Temporary() || errors.As(err, &soon)
		if !passes || n == maxAttempts {
			return err
		}
		q.change(it, func(s *submission.Submission) { s.Delay = sentence(err) + " Trying again." })
		spread := time.Duration(float64(pause) * (1 - jitterShare + 2*jitterShare*q.Jitter()))
		if service != nil {
			spread = max(spread, min(service.RetryAfter, maxRetry))
		}
		if err := q.Wait(ctx, spread); err != nil {
			return err
		}
		pause = min(2*pause, maxRetry)
		q.change(it, func(s *submission.Submission) { s.Delay = "" })
	}
}

// await waits for the result, which the service has been given.
func (q *Queue) await(ctx context.Context, it *item) error {
	q.change(it, func(s *submission.Submission) { s.State = submission.Analysing })
	return q.poller.await(ctx, it)
}
