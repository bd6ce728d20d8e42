package intake

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
)

// stuckAfter is how long a disk may take to answer, or to give the next bytes, before its file gives its slot to the next one.
const stuckAfter = 20 * time.Second

// stuckDisk is the Delay of a file whose disk does not answer.
var stuckDisk = i18n.M("The disk that this file is on does not answer. Assay waits for it.")

// check reads the file and hashes it; primary is false where these bytes were submitted before.
func (q *Queue) check(j *job) (file media.File, primary bool, err error) {
	e := j.entry
	if err := j.check.Acquire(j.ctx); err != nil {
		return file, false, err
	}
	q.change(e, func(s *submission.Submission) { s.State = submission.Checking })
	if file, err = q.read(j); err != nil {
		return file, false, err
	}
	now := q.snapshot(e)
	rule := cmp.Or(now.Copies, q.Copies())
	need, err := q.needOf(file, rule)
	if err != nil {
		return file, false, err
	}
	// Not on disk yet: the next commit writes it. From here on, it is not sent without its copy.
	q.change(e, func(s *submission.Submission) {
		if s.Needs = need; need != submission.NeedsNothing {
			s.Copies = rule
		}
	})
	if e.Recheck != "" && file.SHA256 != e.Recheck {
		return file, false, errOtherContent
	}
	primary, err = q.becomePrimary(j, submission.Submission{Step: submission.Gated, Name: file.Name, Type: file.Type, Size: file.Size,
		Modified: file.ModTime, SHA256: file.SHA256, SendName: file.SendName, Warning: file.Warning})
	q.change(e, func(s *submission.Submission) {
		if s.State == submission.Checking {
			s.State = submission.Waiting
		}
	})
	return file, primary, err
}

// reading is the outcome of reading a file.
type reading struct {
	file    media.File
	changed int64 // its media.ChangeTime when it was hashed
	err     error
}

// read reads a file on a goroutine of its own. A file on a share that does not answer gives its slot to the next one, and is waited for without a
// slot. Close does not wait for it: the goroutine is left hanging in the system call.
func (q *Queue) read(j *job) (media.File, error) {
	e := j.entry
	var steps atomic.Int64 // how far readFile has come
	done := make(chan reading, 1)
	path := q.snapshot(e).Path
	go func() { done <- q.readFile(j, path, func() { steps.Add(1) }) }()
	patience, seen, stuck := q.patience(), int64(0), false
	for {
		select {
		case got := <-done:
			j.hashed = got.changed
			if stuck {
				q.change(e, func(s *submission.Submission) { s.Delay = i18n.Message{} })
			}
			return got.file, got.err
		case <-j.ctx.Done():
			return media.File{}, j.ctx.Err()
		case <-patience:
			now := steps.Load()
			if stuck = now == seen; stuck {
				j.check.Release()
				q.change(e, func(s *submission.Submission) { s.Delay = stuckDisk })
				patience = nil
				continue
			}
			patience, seen = q.patience(), now
		}
	}
}

// readFile identifies and hashes the file at a path. It calls step as it gets on.
func (q *Queue) readFile(j *job, path string, step func()) (got reading) {
	if got.file, got.err = q.inspect(j.ctx, path); got.err != nil {
		return got
	}
	step()
	got.file.SendName = media.SendNameWith(filepath.Base(got.file.Path), token())
	if j.ctx.Err() == nil {
		q.change(j.entry, func(s *submission.Submission) { s.Size = got.file.Size })
	}
	opened, err := media.Open(got.file)
	if err != nil {
		got.err = err
		return got
	}
	defer opened.Close() //nolint:errcheck // only read from
	if info, err := opened.Stat(); err == nil {
		got.changed = media.ChangeTime(info)
	}
	if got.file.SHA256, got.err = q.Hashes.Hash(j.ctx, opened, func(int64) { step() }); got.err == nil {
		got.changed, got.err = unchanged(j.ctx, got.file, got.changed)
	}
	return got
}

// unchanged reports whether the file still holds the bytes that were hashed: its error is a *media.Changed where it does not, a *media.Refusal where
// it is gone. hashed is the file's media.ChangeTime when it was hashed; the present one is returned. Where size and modification time are the same
// but the change time is not, the file is read again: another name or owner changes that time, but so does writing other bytes and setting the
// modification time back.
func unchanged(ctx context.Context, file media.File, hashed int64) (int64, error) {
	if err := media.Unchanged(file); err != nil {
		return hashed, err
	}
	opened, err := media.Open(file)
	if err != nil {
		return hashed, err
	}
	defer opened.Close() //nolint:errcheck // only read from
	info, err := opened.Stat()
	if err != nil || media.ChangeTime(info) == hashed {
		return hashed, err
	}
	sum, err := media.Hash(ctx, opened, nil)
	if err == nil && sum != file.SHA256 {
		err = &media.Changed{Path: file.Path, SizeWas: file.Size, SizeIs: file.Size, TimeWas: file.ModTime, TimeIs: info.ModTime()}
	}
	return media.ChangeTime(info), err
}

// unchanged is the function unchanged for a job whose file was hashed.
func (j *job) unchanged(file media.File) (err error) {
	j.hashed, err = unchanged(j.ctx, file, j.hashed)
	return err
}

// token makes a suffix of the name that is sent. It keeps apart, in the service's list, submissions whose files share a name, and the earlier and
// later bytes of one file. Once it is on disk it stays.
func token() string { return uuid.NewString()[:8] }

var (
	errNotChecked = errors.New("the file has not been looked at yet")
	errNoFile     = errors.New("it was submitted as a link, so no file of it is on this computer")
)

// OpenFile opens a submission's file, as long as it is unchanged since it was hashed. It reads the disk.
func (q *Queue) OpenFile(id string) (*os.File, error) {
	var s submission.Submission
	q.query(func(st *state) {
		if e := st.entries[id]; e != nil {
			s = e.Submission
		}
	})
	switch {
	case s.Link != "":
		return nil, errNoFile
	case s.SHA256 == "":
		return nil, errNotChecked
	}
	return media.Open(FileOf(s))
}

// FileOf returns a submission's file as it was when it was hashed, for media.Open.
func FileOf(s submission.Submission) media.File {
	return media.File{Path: s.Path, Name: s.Name, SendName: s.SendName, Type: s.Type, Size: s.Size, ModTime: s.Modified, SHA256: s.SHA256}
}
