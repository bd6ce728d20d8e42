package intake

import (
	"errors"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/media"
	"assay/client/submission"
)

// Limits of an upload.
const (
	listReadsIfUnsure = 3           // requests of the list for bytes that may have arrived, before they are sent again
	urlMargin         = time.Minute // an upload URL is not used in the last minute of its life
	movingAverage     = 0.3         // weight of the newest rate
	// nameReach is how much older than its upload URL an upload in the list may appear, where the clocks differ. It can be this long because no other
	// upload has the same name.
	nameReach = 31 * 24 * time.Hour
)

// sendFileOf takes a file from whatever Step it is at until the service has it.
func (q *Queue) sendFileOf(j *job) error {
	e := j.entry
	if s := q.snapshot(e); s.Step == submission.SentBytes && !s.Uploaded.IsZero() {
		j.check.Release()
		return q.findRequestID(j, nil)
	}
	file, primary, err := q.check(j)
	if err == nil && primary && q.snapshot(e).Needs != submission.NeedsNothing {
		j.check.Release() // to make a copy may take minutes: those behind it are sent meanwhile
		err = q.makeCopy(j)
	}
	upload := q.uploads.reserve() // reserved before the next file is checked, so that files are sent in the order of acceptance
	j.check.Release()
	defer upload.Release()
	if err != nil || !primary {
		return err
	}
	if err := upload.Acquire(j.ctx); err != nil {
		return err
	}
	q.change(e, func(s *submission.Submission) { s.State = submission.Sending })
	if err := q.upload(j, upload, file); err != nil {
		return err
	}
	if s := q.snapshot(e); !s.Uploaded.IsZero() && s.Step == submission.Polling {
		return nil
	}
	return q.findRequestID(j, upload)
}

// upload requests an upload URL and puts the bytes there. While the URL lives, every attempt uses the same one and overwrites what was sent in part,
// so that there is one submission only. A URL that is denied is replaced once. If bytes may have arrived at a URL that does not work any more, the
// service's list is read before another URL is requested.
func (q *Queue) upload(j *job, slot *slot, file media.File) error {
	e := j.entry
	unsure := q.snapshot(e).Step == submission.SendingBytes // an earlier run was sending, with unknown outcome
	replaced, reads := false, 0
	replace := func() (arrived bool, err error) {
		if !unsure {
			return false, q.commit(e, custody.None, dropUploadURL)
		}
		reads++
		return q.replaceUnsure(j, reads)
	}
	return q.attempt(j, slot, func() error {
		if u := q.snapshot(e).Upload; u.SignedURL != "" && q.Now().Sub(u.Issued) > client.SignedURLLife-urlMargin {
			if arrived, err := replace(); arrived || err != nil {
				return err
			}
		}
		if q.snapshot(e).Upload.SignedURL == "" {
			unsure = false
			if err := q.requestUploadURL(j); err != nil {
				return err
			}
		}
		err := q.put(j, slot, file)
		switch {
		case client.IsKind(err, client.KindExpired) && !replaced:
			if arrived, failed := replace(); arrived || failed != nil {
				return failed
			}
			replaced = true
			return &retryNow{err}
		case client.IsKind(err, client.KindExpired) && !unsure: // else Retry reads the list before it requests another URL
			if failed := q.commit(e, custody.None, dropUploadURL); failed != nil {
				return failed
			}
		case client.IsKind(err, client.KindExpired):
		case err != nil:
			unsure = true
		}
		return err
	})
}

// requestUploadURL asks for a URL to upload to.
func (q *Queue) requestUploadURL(j *job) error {
	e := j.entry
	if err := q.maySend(e); err != nil {
		return err
	}
	if err := q.hasQuota(e); err != nil {
		return err
	}
	if err := q.commit(e, custody.None, func(s *submission.Submission) {
		if s.MayLeave() {
			s.Step = submission.URLRequested
		}
	}); err != nil {
		return err
	}
	if err := q.maySend(e); err != nil {
		return err
	}
	fresh, err := q.Service.RequestUpload(j.ctx, q.snapshot(e).SendName)
	if err != nil {
		return err
	}
	q.reached(nil) // the upload may take long, and until its end the window would say that there is no network
	return q.commit(e, custody.UploadURLReceived, func(s *submission.Submission) { s.Step, s.Upload = submission.URLHeld, fresh })
}

// replaceUnsure drops an upload URL that does not work any more, but at which bytes may have arrived. First it reads the service's list, and fails
// until it has done so listReadsIfUnsure times, since what has just arrived may not be listed yet; reads says which time this is. arrived is true if
// the bytes are listed, which is then on disk.
func (q *Queue) replaceUnsure(j *job, reads int) (arrived bool, err error) {
	e := j.entry
	id, err := q.findUpload(j)
	switch {
	case err == nil:
		now := q.Now()
		if err := q.commit(e, custody.FoundInList, func(s *submission.Submission) {
			s.Step, s.Uploaded, s.Sent = submission.SentBytes, now, s.Sends()
		}); err != nil {
			return true, err
		}
		return true, q.saveRequestID(e, id)
	case !errors.Is(err, client.ErrNotListed):
		return false, err
	case reads < listReadsIfUnsure:
		return false, &retryLater{err}
	}
	return false, q.commit(e, custody.None, dropUploadURL)
}

// dropUploadURL sets a submission back to the step at which it needs an upload URL.
func dropUploadURL(s *submission.Submission) {
	dropUpload(s)
	s.Step = submission.Gated
}

// dropUpload removes the upload URL from a submission, and with it that its bytes are there.
func dropUpload(s *submission.Submission) {
	s.Upload, s.Uploaded = client.Upload{}, time.Time{}
}

// put sends the bytes to the upload URL, and gives up the slot once they are there: what is left to be done is to write that down.
func (q *Queue) put(j *job, slot *slot, file media.File) error {
	e := j.entry
	if err := slot.Acquire(j.ctx); err != nil {
		return err
	}
	if err := j.unchanged(file); err != nil {
		return err
	}
	sent, opened, err := q.toSend(j, file)
	if err != nil {
		return err
	}
	if err := q.commit(e, custody.SendingBegun, func(s *submission.Submission) { s.Step = submission.SendingBytes }); err != nil {
		return errors.Join(err, opened.Close())
	}
	began := q.Now()
	q.change(e, func(s *submission.Submission) { s.Sent, s.Rate = 0, 0 })
	var last int64
	err = q.Service.Put(j.ctx, q.snapshot(e).Upload.SignedURL, opened, sent.Size, func(sent int64) {
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
	slot.Release()
	if err := q.sameAsSent(j, file, sent); err != nil {
		if j.ctx.Err() != nil {
			return err // the bytes are sent once more, to the same URL
		}
		// What was sent is not the file that was hashed.
		return errors.Join(err, q.commit(e, custody.ChangedWhileSent, func(s *submission.Submission) {
			dropUploadURL(s)
			s.SendName = "" // what is sent next has another name
		}))
	}
	now := q.Now()
	return q.commit(e, custody.Sent, func(s *submission.Submission) {
		s.Step, s.Uploaded, s.Sent, s.Rate = submission.SentBytes, now, sent.Size, 0
		s.Upload.SignedURL = "" // it is not needed any more
	})
}

// findRequestID finds the request ID of bytes that are uploaded, and writes it to disk.
func (q *Queue) findRequestID(j *job, slot *slot) error {
	id := q.snapshot(j.entry).Upload.RequestID
	if id == "" {
		err := q.attempt(j, slot, func() (err error) {
			if slot != nil { // so that no more read the list at a time than send
				if err := slot.Acquire(j.ctx); err != nil {
					return err
				}
			}
			id, err = q.findUpload(j)
			if client.IsKind(err, client.KindAnswer) {
				return &retryLater{err} // it may not be listed yet
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return q.saveRequestID(j.entry, id)
}

// findUpload looks the upload up in the service's list.
func (q *Queue) findUpload(j *job) (requestID string, err error) {
	s := q.snapshot(j.entry)
	return q.Service.FindUpload(j.ctx, s.SendName, s.Upload.Issued.Add(-nameReach))
}

// saveRequestID writes the request ID to disk. The upload URL is not needed any more.
func (q *Queue) saveRequestID(e *entry, requestID string) error {
	return q.commit(e, custody.TakenByService, func(s *submission.Submission) {
		s.State, s.Step, s.RequestID = submission.Analysing, submission.Polling, requestID
		s.Upload = client.Upload{}
	})
}
