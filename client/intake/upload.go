package intake

import (
	"cmp"
	"errors"
	"time"

	"assay/client"
	"assay/client/media"
	"assay/client/submission"
)

// Limits of a submission's way.
const (
	maxAttempts    = 5                // at one step, for faults that may pass
	firstRetry     = time.Second      // before the second attempt; doubled before each further one
	maxRetry       = 30 * time.Second // and at most this, or what the service asks for
	looksForUnsure = 3                // into the list for bytes that may have arrived, before they are sent anew
	urlMargin      = time.Minute      // an upload address is not used in the last minute of its life
	movingAverage  = 0.3              // weight of the newest rate
)

// sendFileOf takes a file from wherever it stands to where the service has it.
func (q *Queue) sendFileOf(j *job) error {
	e := j.entry
	if e.Step == submission.SentBytes && !e.Uploaded.IsZero() {
		j.check.Release()
		return q.findRequestID(j, nil)
	}
	file, first, err := q.check(j)
	upload := q.uploads.reserve() // before the next file is looked at: they are sent in the same order
	j.check.Release()
	defer upload.Release()
	if err != nil || !first {
		return err
	}
	if err := upload.Acquire(j.ctx); err != nil {
		return err
	}
	q.change(e, func(s *submission.Submission) { s.State = submission.Sending })
	if err := q.upload(j, upload, file); err != nil || !e.Uploaded.IsZero() && e.Step == submission.Polling {
		return err
	}
	return q.findRequestID(j, upload)
}

// nameReach is how much older than its address an upload may look in the list, where the clocks differ. No other upload
// has its name, so that it may be long.
const nameReach = 31 * 24 * time.Hour

// learnNumber finds out under which number the service has the bytes, which are up, and writes it down.
func (q *Queue) findRequestID(j *job, slot *slot) error {
	e := j.entry
	id := e.Upload.RequestID
	if id == "" {
		err := q.attempt(j, slot, func() (err error) {
			id, err = q.Service.FindUpload(j.ctx, e.SendName, e.Upload.Issued.Add(-nameReach))
			if client.IsKind(err, client.KindAnswer) {
				return &retryLater{err} // it may not be listed yet, and the bytes are up
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return q.saveRequestID(e, id)
}

// numbered writes down that the service has the bytes, and under which number. The address is not needed any more.
func (q *Queue) saveRequestID(e *entry, requestID string) error {
	return q.commit(e, "taken by the service", func(s *submission.Submission) {
		s.State, s.Step, s.RequestID = submission.Analysing, submission.Polling, requestID
		s.Upload = client.Upload{}
	})
}

// upload asks for an address and puts the bytes there. The same address serves again while it lives: what was
// sent in part is overwritten, so that one submission stays one. A denied address is replaced once. Where bytes may
// have arrived at an address that serves no more, the service's list is asked before another is used.
func (q *Queue) upload(j *job, slot *slot, file media.File) error {
	e := j.entry
	unsure := e.Step == submission.SendingBytes // from an earlier run: what became of it is not known
	replaced, looks := false, 0
	replace := func() (arrived bool, err error) {
		if !unsure {
			return false, q.commit(e, "", dropUploadURL)
		}
		looks++
		return q.replaceUnsure(j, looks)
	}
	return q.attempt(j, slot, func() error {
		if e.Upload.SignedURL != "" && q.Now().Sub(e.Upload.Issued) > client.SignedURLLife-urlMargin {
			if arrived, err := replace(); arrived || err != nil {
				return err
			}
		}
		if e.Upload.SignedURL == "" {
			unsure = false
			if err := q.requestUploadURL(j); err != nil {
				return err
			}
		}
		err := q.put(j, file)
		switch {
		case client.IsKind(err, client.KindExpired) && !replaced:
			if arrived, failed := replace(); arrived || failed != nil {
				return failed
			}
			replaced = true
			return &retryNow{err}
		case client.IsKind(err, client.KindExpired) && !unsure: // else Retry asks the list before it takes another
			if failed := q.commit(e, "", dropUploadURL); failed != nil {
				return failed
			}
		case client.IsKind(err, client.KindExpired):
		case err != nil:
			unsure = true
		}
		return err
	})
}

// askAddress asks for an address to upload to.
func (q *Queue) requestUploadURL(j *job) error {
	e := j.entry
	if maySend, err := q.maySend(e); !maySend {
		return cmp.Or(err, errStaysHere)
	}
	if err := q.hasQuota(e); err != nil {
		return err
	}
	if err := q.commit(e, "", func(s *submission.Submission) {
		if s.MayLeave() {
			s.Step = submission.URLRequested
		}
	}); err != nil {
		return err
	}
	if maySend, err := q.maySend(e); !maySend {
		return cmp.Or(err, errStaysHere)
	}
	fresh, err := q.Service.RequestUpload(j.ctx, e.SendName)
	if err != nil {
		return err
	}
	return q.commit(e, "address received", func(s *submission.Submission) { s.Step, s.Upload = submission.URLHeld, fresh })
}

// replaceUnsure gives up an address that serves no more, but at which bytes may have arrived: the list is asked first, more
// than once, for what has just arrived may not show yet. arrived reports that they have, which is then written down.
func (q *Queue) replaceUnsure(j *job, looks int) (arrived bool, err error) {
	e := j.entry
	id, err := q.Service.FindUpload(j.ctx, e.SendName, e.Upload.Issued.Add(-nameReach))
	switch {
	case err == nil:
		now := q.Now()
		if err := q.commit(e, "found in the list", func(s *submission.Submission) {
			s.Step, s.Uploaded, s.Sent = submission.SentBytes, now, s.Sends()
		}); err != nil {
			return true, err
		}
		return true, q.saveRequestID(e, id)
	case !errors.Is(err, client.ErrNotListed):
		return false, err
	case looks < looksForUnsure:
		return false, &retryLater{err}
	}
	return false, q.commit(e, "", dropUploadURL)
}

func dropUploadURL(s *submission.Submission) {
	dropUpload(s)
	s.Step = submission.Gated
}

func (q *Queue) put(j *job, file media.File) error {
	e := j.entry
	if err := j.unchanged(file); err != nil {
		return err
	}
	sent, opened, err := q.toSend(j, file)
	if err != nil {
		return err
	}
	if err := q.commit(e, "sending", func(s *submission.Submission) { s.Step = submission.SendingBytes }); err != nil {
		return errors.Join(err, opened.Close())
	}
	began := q.Now()
	q.change(e, func(s *submission.Submission) { s.Sent, s.Rate = 0, 0 })
	var last int64
	err = q.Service.Put(j.ctx, e.Upload.SignedURL, opened, sent.Size, func(sent int64) {
		now := q.Now()
		q.change(e, func(s *submission.Submission) {
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
	if err := q.sameAsSent(j, file, sent); err != nil {
		if j.ctx.Err() != nil {
			return err // it is sent once more to the same address
		}
		// What stands there is not the file that was hashed.
		return errors.Join(err, q.commit(e, "changed while it was sent", func(s *submission.Submission) {
			dropUploadURL(s)
			s.SendName = "" // what is sent next gets another
		}))
	}
	now := q.Now()
	return q.commit(e, "sent", func(s *submission.Submission) {
		s.Step, s.Uploaded, s.Sent, s.Rate = submission.SentBytes, now, sent.Size, 0
		s.Upload.SignedURL = "" // it has served
	})
}
