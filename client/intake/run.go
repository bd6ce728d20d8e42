package intake

import (
	"errors"
	"path/filepath"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
)

// Limits of a submission's way.
const (
	maxAttempts    = 5                // at one step, for faults that may pass
	firstRetry     = time.Second      // before the second attempt; doubled before each further one
	maxRetry       = 30 * time.Second // and at most this
	maxAsked       = 10 * time.Minute // or what the service asks for, and of that at most this
	looksForUnsure = 3                // into the list for bytes that may have arrived, before they are sent anew
	urlMargin      = time.Minute      // an upload address is not used in the last minute of its life
	unknownFor     = 5 * time.Minute  // for so long after an upload "no such result" means "not yet"
	modelsFor      = 5 * time.Minute  // a verdict is final that long after it came, even where a model still runs
	pollFor        = time.Hour        // then the service is given up, until Retry
	movingAverage  = 0.3              // weight of the newest rate
)

// sendFileOf takes a file from wherever it stands to where the service has it.
func (q *Queue) sendFileOf(r *run) error {
	it := r.item
	if it.Step == submission.SentBytes && !it.Uploaded.IsZero() {
		q.checks.leave(r.check)
		return q.learnNumber(r, nil)
	}
	file, first, err := q.check(r)
	upload := newPlace(q.uploads) // before the next file is looked at: they are sent in the same order
	q.checks.leave(r.check)
	defer upload.leave()
	if err != nil || !first {
		return err
	}
	if err := upload.come(r.ctx); err != nil {
		return err
	}
	q.change(it, func(s *submission.Submission) { s.State = submission.Sending })
	if err := q.upload(r, upload, file); err != nil || !it.Uploaded.IsZero() && it.Step == submission.Polling {
		return err
	}
	return q.learnNumber(r, upload)
}

// check looks at the file and hashes it; first is false where these bytes were submitted before.
func (q *Queue) check(r *run) (file media.File, first bool, err error) {
	it := r.item
	if err := r.check.come(r.ctx); err != nil {
		return file, false, err
	}
	q.change(it, func(s *submission.Submission) { s.State = submission.Checking })
	if file, err = q.Limits.Inspect(r.ctx, it.Path); err != nil {
		return file, false, err
	}
	file.SendName = media.SendNameWith(filepath.Base(file.Path), token(it.ID))
	q.change(it, func(s *submission.Submission) { s.Size = file.Size })
	opened, err := media.Open(file)
	if err != nil {
		return file, false, err
	}
	defer opened.Close() //nolint:errcheck // only read from
	if file.SHA256, err = q.hashes.Hash(r.ctx, opened, nil); err != nil {
		return file, false, err
	}
	if err := media.StillSame(file, opened); err != nil {
		return file, false, err
	}
	first, err = q.standFor(r, submission.Submission{Step: submission.Gated, Name: file.Name, Type: file.Type, Size: file.Size,
		Modified: file.ModTime, SHA256: file.SHA256, SendName: file.SendName, Warning: file.Warning})
	q.change(it, func(s *submission.Submission) {
		if s.State == submission.Checking {
			s.State = submission.Waiting
		}
	})
	return file, first, err
}

// token is what makes the name that is sent a submission's own: two that share a name stay apart in the service's list.
func token(id string) string { return id[:6] }

// learnNumber finds out under which number the service has the bytes, which are up, and writes it down.
func (q *Queue) learnNumber(r *run, place *place) error {
	it := r.item
	id := it.Upload.RequestID
	if id == "" {
		err := q.attempt(r, place, func() (err error) {
			id, err = q.Service.FindUpload(r.ctx, it.SendName, it.Upload.Issued)
			if client.IsKind(err, client.KindAnswer) {
				return &later{err} // it may not be listed yet, and the bytes are up
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return q.numbered(it, id)
}

// numbered writes down that the service has the bytes, and under which number. The address is not needed any more.
func (q *Queue) numbered(it *item, requestID string) error {
	return q.commit(it, "taken by the service", func(s *submission.Submission) {
		s.State, s.Step, s.RequestID = submission.Analysing, submission.Polling, requestID
		s.Upload = client.Upload{}
	})
}

// upload asks for an address and puts the bytes there. The same address serves again while it lives: what was
// sent in part is overwritten, so that one submission stays one. A denied address is replaced once. Where bytes may
// have arrived at an address that serves no more, the service's list is asked before another is used.
func (q *Queue) upload(r *run, place *place, file media.File) error {
	it := r.item
	unsure := it.Step == submission.SendingBytes // from an earlier run: what became of it is not known
	replaced, looks := false, 0
	replace := func() (arrived bool, err error) {
		if !unsure {
			return false, q.commit(it, "", forgetAddress)
		}
		looks++
		return q.replaceUnsure(r, looks)
	}
	return q.attempt(r, place, func() error {
		if it.Upload.SignedURL != "" && q.Now().Sub(it.Upload.Issued) > client.SignedURLLife-urlMargin {
			if arrived, err := replace(); arrived || err != nil {
				return err
			}
		}
		if it.Upload.SignedURL == "" {
			unsure = false
			if err := q.askAddress(r); err != nil {
				return err
			}
		}
		err := q.put(r, file)
		switch {
		case client.IsKind(err, client.KindExpired) && !replaced:
			if arrived, failed := replace(); arrived || failed != nil {
				return failed
			}
			replaced = true
			return &again{err}
		case client.IsKind(err, client.KindExpired):
			if failed := q.commit(it, "", forgetAddress); failed != nil {
				return failed
			}
		case err != nil:
			unsure = true
		}
		return err
	})
}

// askAddress asks for an address to upload to.
func (q *Queue) askAddress(r *run) error {
	it := r.item
	if err := q.commit(it, "", func(s *submission.Submission) { s.Step = submission.URLRequested }); err != nil {
		return err
	}
	fresh, err := q.Service.RequestUpload(r.ctx, it.SendName)
	if err != nil {
		return err
	}
	return q.commit(it, "address received", func(s *submission.Submission) { s.Step, s.Upload = submission.URLHeld, fresh })
}

// replaceUnsure gives up an address that serves no more, but at which bytes may have arrived: the list is asked first, more
// than once, for what has just arrived may not show yet. arrived reports that they have, which is then written down.
func (q *Queue) replaceUnsure(r *run, looks int) (arrived bool, err error) {
	it := r.item
	id, err := q.Service.FindUpload(r.ctx, it.SendName, it.Upload.Issued)
	switch {
	case err == nil:
		now := q.Now()
		if err := q.commit(it, "found in the list", func(s *submission.Submission) {
			s.Step, s.Uploaded, s.Sent = submission.SentBytes, now, s.Size
		}); err != nil {
			return true, err
		}
		return true, q.numbered(it, id)
	case !errors.Is(err, client.ErrNotListed):
		return false, err
	case looks < looksForUnsure:
		return false, &later{err}
	}
	return false, q.commit(it, "", forgetAddress)
}

func forgetAddress(s *submission.Submission) {
	forgetUpload(s)
	s.Step = submission.Gated
}

func (q *Queue) put(r *run, file media.File) error {
	it := r.item
	opened, err := media.Open(file)
	if err != nil {
		return err
	}
	if err := q.commit(it, "sending", func(s *submission.Submission) { s.Step = submission.SendingBytes }); err != nil {
		return errors.Join(err, opened.Close())
	}
	began := q.Now()
	q.change(it, func(s *submission.Submission) { s.Sent, s.Rate = 0, 0 })
	var last int64
	err = q.Service.Put(r.ctx, it.Upload.SignedURL, opened, file.Size, func(sent int64) {
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
	if err := media.Unchanged(file); err != nil {
		// What stands there is not the file that was hashed.
		return errors.Join(err, q.commit(it, "changed while it was sent", forgetAddress))
	}
	now := q.Now()
	return q.commit(it, "sent", func(s *submission.Submission) {
		s.Step, s.Uploaded, s.Sent, s.Rate = submission.SentBytes, now, file.Size, 0
	})
}

// again marks an error after which the next attempt follows at once.
type again struct{ error }

func (a *again) Unwrap() error { return a.error }

// later marks an error after which the next attempt follows in a while.
type later struct{ error }

func (l *later) Unwrap() error { return l.error }

// attempt calls step until it succeeds or fails for good. What may pass is waited out: a fault of the network and a busy
// service for as long as it takes, another fault for a few attempts. While it waits, the place is another's.
func (q *Queue) attempt(r *run, place *place, step func() error) error {
	it := r.item
	pause := firstRetry
	for n := 1; ; n++ {
		err := step()
		if r.ctx.Err() != nil {
			return err
		}
		q.reached(err)
		if err == nil {
			return nil
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
		if _, all := standingFor(err); all || !passes || n >= maxAttempts && !waitedOut(err) {
			return err
		}
		if place != nil {
			place.leave()
		}
		q.change(it, func(s *submission.Submission) { s.Delay, s.Sent, s.Rate = sentence(err)+" Trying again.", 0, 0 })
		spread := time.Duration(float64(pause) * (1 - jitterShare + 2*jitterShare*q.Jitter()))
		if service != nil {
			spread = max(spread, min(service.RetryAfter, maxAsked))
		}
		if err := q.Wait(r.ctx, spread); err != nil {
			return err
		}
		pause = min(2*pause, maxRetry)
		if place != nil {
			if err := place.come(r.ctx); err != nil {
				return err
			}
		}
		q.change(it, func(s *submission.Submission) { s.Delay = "" })
	}
}

// waitedOut reports whether an error passes by itself, however long that takes.
func waitedOut(err error) bool {
	return client.IsKind(err, client.KindNetwork) || client.IsKind(err, client.KindStalled) || client.IsKind(err, client.KindBusy)
}

// isRefusal reports whether a submission can't be sent as it is.
func isRefusal(err error) bool {
	var (
		refusal *media.Refusal
		unfit   *unfitLink
	)
	return errors.As(err, &refusal) || errors.As(err, &unfit)
}

// sentence is what a person reads of an error.
func sentence(err error) string {
	var (
		refusal *media.Refusal
		changed *media.Changed
		service *client.Error
	)
	switch {
	case errors.As(err, &refusal):
		return refusal.Error()
	case errors.As(err, &changed):
		return changed.Error()
	case errors.As(err, &service):
		return service.Sentence()
	}
	return "Something unexpected went wrong: " + err.Error()
}
