package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// NeutralName is the name that a hashed file is sent under where the person wants one that tells nothing.
func NeutralName(s submission.Submission) string {
	return media.NeutralName(s.Type, s.SendName, tokenIn(s.SendName))
}

// tokenIn is the token at the end of a name to send, or a new one where it has none.
func tokenIn(sendName string) string {
	const length = 8
	stem := strings.TrimSuffix(sendName, filepath.Ext(sendName))
	if at := len(stem) - length; at > 0 && stem[at-1] == '-' {
		return stem[at:]
	}
	return token()
}

// errNoCopier is why no copy can be made where Params.Copier is nil.
var errNoCopier = errors.New("nothing makes copies here")

// copyOf makes the copy that is sent in a file's place, from the bytes that were hashed.
func (q *Queue) copyOf(ctx context.Context, e *entry) (submission.Copy, error) {
	if q.Copier == nil {
		return submission.Copy{}, errNoCopier
	}
	return q.Copier.Copy(ctx, FileOf(q.snapshot(e)), e.ID)
}

func noCopy(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("No copy without metadata could be made of this file."))
}

// removeCopy deletes the copy of a submission. One that can't be deleted is deleted by sweepCopies at the next start.
func (q *Queue) removeCopy(id string) {
	if q.Copier == nil {
		return
	}
	if err := q.Copier.Remove(id); err != nil {
		q.Log.Warn("a copy without metadata was not deleted", "id", id, "error", err)
	}
}

// unsendable is why a submission can't be sent as the person approved it: they are asked again.
type unsendable struct{ problem i18n.Message }

func (u *unsendable) Error() string { return u.problem.String() }

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

// sweepCopies deletes copies of earlier runs that will not be sent any more.
func (st *state) sweepCopies() {
	if st.Copier == nil {
		return
	}
	var kept []string
	for id, e := range st.entries {
		if copyNeeded(e.Submission) {
			kept = append(kept, id)
		}
	}
	if err := st.Copier.Sweep(kept); err != nil {
		st.Log.Warn("copies without metadata were not deleted", "error", err)
	}
}

// toSend opens what is sent: the person's file, or the copy in its place, whose size and hash must be those on record. A copy that is missing or
// differs is made again.
func (q *Queue) toSend(j *job, file media.File) (media.File, *os.File, error) {
	wanted := q.snapshot(j.entry).Copy
	if wanted.SHA256 == "" {
		opened, err := media.Open(file)
		return file, opened, err
	}
	if sent, opened, ok := q.openCopy(j, file, wanted); ok {
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
	if made.SHA256 == wanted.SHA256 && made.Path != wanted.Path {
		if err := q.commit(j.entry, custody.None, func(s *submission.Submission) { s.Copy.Path = made.Path }); err != nil {
			return media.File{}, nil, err
		}
	}
	sent, opened, ok := q.openCopy(j, file, submission.Copy{Path: made.Path, SHA256: wanted.SHA256, Size: wanted.Size})
	if !ok {
		q.removeCopy(j.entry.ID)
		return media.File{}, nil, &unsendable{i18n.M("The copy without metadata was gone and could not be made again as it was.")}
	}
	return sent, opened, nil
}

// openCopy opens the copy of a file; ok is false where it is missing or is not what was made.
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

// sameAsSent checks, after an upload, that what was read is still what was hashed. For a copy that is the copy: the file that it was made from may
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
