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
func (q *Queue) sendFileOf(r *run) error {
	it := r.item
	if it.Step == submission.SentBytes && !it.Uploaded.IsZero() {
		r.check.leave()
		return q.learnNumber(r, nil)
	}
	file, first, err := q.check(r)
	upload := newPlace(q.uploads) // before the next file is looked at: they are sent in the same order
	r.check.leave()
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

// nameReach is how much older than its address an upload may look in the list, where the clocks differ. No other upload
// has its name, so that it may be long.
const nameReach = 31 * 24 * time.Hour

// learnNumber finds out under which number the service has the bytes, which are up, and writes it down.
func (q *Queue) learnNumber(r *run, place *place) error {
	it := r.item
	id := it.Upload.RequestID
	if id == "" {
		err := q.attempt(r, place, func() (err error) {
			id, err = q.Service.FindUpload(r.ctx, it.SendName, it.Upload.Issued.Add(-nameReach))
			if client.IsKind(err, client.KindAnswer) {
				return &retryLater{err} // it may not be listed yet, and the bytes are up
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
			return &retryNow{err}
		case client.IsKind(err, client.KindExpired) && !unsure: // else Retry asks the list before it takes another
			if failed := q.commit(it, "", forgetAddress); failed != nil {
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
func (q *Queue) askAddress(r *run) error {
	it := r.item
	if leaves, err := q.leaves(it); !leaves {
		return cmp.Or(err, errStaysHere)
	}
	if err := q.hasQuota(it); err != nil {
		return err
	}
	if err := q.commit(it, "", func(s *submission.Submission) {
		if s.MayLeave() {
			s.Step = submission.URLRequested
		}
	}); err != nil {
		return err
	}
	if leaves, err := q.leaves(it); !leaves {
		return cmp.Or(err, errStaysHere)
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
	id, err := q.Service.FindUpload(r.ctx, it.SendName, it.Upload.Issued.Add(-nameReach))
	switch {
	case err == nil:
		now := q.Now()
		if err := q.commit(it, "found in the list", func(s *submission.Submission) {
			s.Step, s.Uploaded, s.Sent = submission.SentBytes, now, s.Sends()
		}); err != nil {
			return true, err
		}
		return true, q.numbered(it, id)
	case !errors.Is(err, client.ErrNotListed):
		return false, err
	case looks < looksForUnsure:
		return false, &retryLater{err}
	}
	return false, q.commit(it, "", forgetAddress)
}

func forgetAddress(s *submission.Submission) {
	forgetUpload(s)
	s.Step = submission.Gated
}

func (q *Queue) put(r *run, file media.File) error {
	it := r.item
	if err := r.unchanged(file); err != nil {
		return err
	}
	sent, opened, err := q.toSend(r, file)
	if err != nil {
		return err
	}
	if err := q.commit(it, "sending", func(s *submission.Submission) { s.Step = submission.SendingBytes }); err != nil {
		return errors.Join(err, opened.Close())
	}
	began := q.Now()
	q.change(it, func(s *submission.Submission) { s.Sent, s.Rate = 0, 0 })
	var last int64
	err = q.Service.Put(r.ctx, it.Upload.SignedURL, opened, sent.Size, func(sent int64) {
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
	if err := q.sameAsSent(r, file, sent); err != nil {
		if r.ctx.Err() != nil {
			return err // it is sent once more to the same address
		}
		// What stands there is not the file that was hashed.
		return errors.Join(err, q.commit(it, "changed while it was sent", func(s *submission.Submission) {
			forgetAddress(s)
			s.SendName = "" // what is sent next gets another
		}))
	}
	now := q.Now()
	return q.commit(it, "sent", func(s *submission.Submission) {
		s.Step, s.Uploaded, s.Sent, s.Rate = submission.SentBytes, now, sent.Size, 0
		s.Upload.SignedURL = "" // it has served
	})
}
