package intake

import (
	"path/filepath"

	"github.com/google/uuid"

	"assay/client/media"
	"assay/client/submission"
)

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
	file.SendName = media.SendNameWith(filepath.Base(file.Path), token())
	q.change(it, func(s *submission.Submission) { s.Size = file.Size })
	opened, err := media.Open(file)
	if err != nil {
		return file, false, err
	}
	defer opened.Close() //nolint:errcheck // only read from
	if info, err := opened.Stat(); err == nil {
		r.hashed = media.ChangeTime(info)
	}
	if file.SHA256, err = q.Hashes.Hash(r.ctx, opened, nil); err != nil {
		return file, false, err
	}
	if err := unchanged(r, file); err != nil {
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

// unchanged says whether what stands at the path holds the bytes that were hashed: a *media.Changed where it does not, a
// *media.Refusal where it is gone. Only where its size and time of change have stayed, but the system has noted a change
// all the same, it is read again: that may have been another name or owner, or other bytes with the time set back.
func unchanged(r *run, file media.File) error {
	if err := media.Unchanged(file); err != nil {
		return err
	}
	opened, err := media.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // only read from
	info, err := opened.Stat()
	if err != nil || media.ChangeTime(info) == r.hashed {
		return err
	}
	r.hashed = media.ChangeTime(info)
	sum, err := media.Hash(r.ctx, opened, nil)
	if err == nil && sum != file.SHA256 {
		err = &media.Changed{Path: file.Path, SizeWas: file.Size, SizeIs: file.Size, TimeWas: file.ModTime, TimeIs: info.ModTime()}
	}
	return err
}

// token makes the name that is sent the own one of these bytes of this submission: what shares a name stays apart in the
// service's list, and so do the bytes that a file held before it changed. Once it is written down it stays.
func token() string { return uuid.NewString()[:8] }
