package intake

import (
	"errors"
	"os"
	"time"

	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// errStaysHere ends a run whose submission may not leave any more.
var errStaysHere = errors.New("it stays on this computer")

// unsendable is why a submission can't leave as the person allowed it: they are asked again.
type unsendable struct{ problem i18n.Message }

func (u *unsendable) Error() string { return u.problem.String() }

// takeBack makes the person's word on how a submission leaves none; another name to send goes with what is sent next.
func takeBack(s *submission.Submission) {
	if s.Neutral || s.Copy != (submission.Copy{}) {
		s.SendName = media.SendNameWith(s.Name, token())
	}
	s.Allowed, s.Neutral, s.Copy = time.Time{}, false, submission.Copy{}
}

// copyNeeded reports whether a submission's copy may still be sent. A copy that is gone is made again.
func copyNeeded(s submission.Submission) bool {
	if s.Earlier != "" {
		return false
	}
	switch s.State {
	case submission.Done, submission.Refused, submission.Cancelled, submission.Stays, submission.Held:
		return false
	case submission.Failed:
		return !s.Filed
	}
	return s.Copy.SHA256 != "" && s.Uploaded.IsZero()
}

// sweepCopies deletes the copies of an earlier run that are not sent any more.
func (q *Queue) sweepCopies() {
	if q.Copier == nil {
		return
	}
	var kept []string
	for id, e := range q.entries {
		if copyNeeded(e.Submission) {
			kept = append(kept, id)
		}
	}
	if err := q.Copier.Sweep(kept); err != nil {
		q.Log.Warn("copies without metadata were not deleted", "error", err)
	}
}

// toSend opens what leaves: the person's file, or the copy in its place, of which size and hash are those that were written down. A
// copy that is gone, or is not what it was, is made again.
func (q *Queue) toSend(j *job, file media.File) (media.File, *os.File, error) {
	q.mu.Lock()
	said := j.entry.Copy
	q.mu.Unlock()
	if said.SHA256 == "" {
		opened, err := media.Open(file)
		return file, opened, err
	}
	if sent, opened, ok := q.openCopy(j, file, said); ok {
		return sent, opened, nil
	}
	made, err := q.copyOf(j.ctx, j.entry)
	var changed *media.Changed
	var refusal *media.Refusal
	switch {
	case j.ctx.Err() != nil:
		return media.File{}, nil, j.ctx.Err()
	case errors.As(err, &changed), errors.As(err, &refusal):
		return media.File{}, nil, err
	case err != nil:
		return media.File{}, nil, &unsendable{noCopy(err)}
	}
	if made.SHA256 == said.SHA256 && made.Path != said.Path {
		if err := q.commit(j.entry, "", func(s *submission.Submission) { s.Copy.Path = made.Path }); err != nil {
			return media.File{}, nil, err
		}
	}
	sent, opened, ok := q.openCopy(j, file, submission.Copy{Path: made.Path, SHA256: said.SHA256, Size: said.Size})
	if !ok {
		q.removeCopy(j.entry.ID)
		return media.File{}, nil, &unsendable{i18n.M("The copy without metadata was gone and could not be made again as it was.")}
	}
	return sent, opened, nil
}

// openCopy opens a copy of a file; ok is false where it is not there as it was made.
func (q *Queue) openCopy(j *job, file media.File, made submission.Copy) (sent media.File, opened *os.File, ok bool) {
	info, err := os.Stat(made.Path)
	if err != nil || info.Size() != made.Size {
		return sent, nil, false
	}
	sent = media.File{Path: made.Path, Name: file.Name, SendName: file.SendName, Type: file.Type, Size: made.Size, ModTime: info.ModTime(), SHA256: made.SHA256}
	if opened, err = media.Open(sent); err != nil {
		return sent, nil, false
	}
	if sum, err := q.Hashes.Hash(j.ctx, opened, nil); err != nil || sum != made.SHA256 {
		_ = opened.Close() // only read from
		return sent, nil, false
	}
	return sent, opened, true
}

// sameAsSent says whether what was sent is still what was hashed. Of a copy, that is the copy itself: the file that it was made of may
// have changed since.
func (q *Queue) sameAsSent(j *job, file, sent media.File) error {
	if sent.Path == file.Path {
		return j.unchanged(file)
	}
	if err := media.Unchanged(sent); err != nil {
		return &unsendable{i18n.M("The copy without metadata was changed while it was sent.")}
	}
	return nil
}

// heldAgain asks the person once more about a submission that can't leave as they allowed it. What was asked of the service for it is
// forgotten.
func (q *Queue) heldAgain(e *entry, why *unsendable) error {
	q.Log.Info("it waits for the person's word again", "id", e.ID, "problem", why.problem)
	err := q.commit(e, deedHeld, func(s *submission.Submission) {
		dropUpload(s)
		takeBack(s)
		s.State, s.Step, s.Paused, s.Problem = submission.Held, submission.Settled, false, why.problem
	})
	q.mu.Lock()
	defer q.mu.Unlock()
	if content := e.Content(); err == nil && q.firsts[content] == e {
		delete(q.firsts, content)
	}
	return err
}
