package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/client"
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
func (q *Queue) copyOf(ctx context.Context, e *entry, withoutMetadata bool, part submission.Part) (submission.Copy, error) {
	if q.Copier == nil {
		return submission.Copy{}, errNoCopier
	}
	now := q.snapshot(e)
	return q.Copier.Copy(ctx, FileOf(now), e.ID, submission.Copying{WithoutMetadata: withoutMetadata, Need: now.Needs, Part: part, Most: q.Limits.Cap(now.Type)})
}

// ShowCopy makes the copy that a file needs, with its metadata, to show it to the person before they decide: show gets it open, as long as it runs. Nothing
// of it is kept. Its errors are those of the copying, and show's.
func (q *Queue) ShowCopy(ctx context.Context, id string, show func(made submission.Copy, file *os.File) error) error {
	if q.Copier == nil {
		return errNoCopier
	}
	s, ok := q.Get(id)
	if !ok {
		return os.ErrNotExist
	}
	shown := id + "-shown" + strconv.FormatInt(q.shown.Add(1), 10) // the one before may still be in the making
	made, err := q.Copier.Copy(ctx, FileOf(s), shown, submission.Copying{Need: s.Needs, Part: s.Part, Most: q.Limits.Cap(s.Type)})
	if err != nil {
		return err
	}
	defer q.removeCopy(shown)
	file, err := os.Open(made.Path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read from
	return show(made, file)
}

func noCopy(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("No copy could be made of this file."))
}

// needOf is what must be done to a file before any of it can be sent. Its error is for one of which that can't be done, or shall not.
func (q *Queue) needOf(file media.File, rule submission.CopyRule) (need submission.Need, err error) {
	switch {
	case file.TooLarge && rule == submission.CopiesNever:
		return need, tooLarge(file, q.Limits)
	case file.TooLarge:
		need = submission.NeedsPart
	case file.Copied:
		need = submission.NeedsCopy
	default:
		return need, nil
	}
	switch {
	case q.Copier == nil && file.TooLarge:
		return need, tooLarge(file, q.Limits)
	case rule == submission.CopiesNever || q.Copier == nil:
		return need, &media.Refusal{Code: media.Unsupported, Path: file.Path}
	}
	return need, q.Copier.Able(file, need)
}

func tooLarge(file media.File, limits media.Limits) error {
	return &media.Refusal{Code: media.TooLarge, Path: file.Path, Type: file.Type, Size: file.Size, Cap: limits.Cap(file.Type)}
}

// copyInto sets the copy that is sent in a submission's place. The name to send has the copy's extension.
func copyInto(s *submission.Submission, made submission.Copy) {
	if s.Copy = made; made.Format == "" && made.Part == (submission.Part{}) {
		return
	}
	extension := filepath.Ext(made.Path)
	s.SendName = strings.TrimSuffix(s.SendName, filepath.Ext(s.SendName)) + extension
	if mediaType, ok := media.TypeOf(extension); ok {
		s.Type = mediaType // a clip may turn out to have no picture
	}
}

// makeCopy makes the copy that a submission needs and is sent without asking, and writes that to disk before anything is sent.
func (q *Queue) makeCopy(j *job) error {
	e := j.entry
	now := q.snapshot(e)
	if now.Needs == submission.NeedsNothing || now.Copy.SHA256 != "" || !now.Uploaded.IsZero() {
		return nil
	}
	slot := q.copying.reserve()
	defer slot.Release()
	if err := slot.Acquire(j.ctx); err != nil {
		return err
	}
	q.change(e, func(s *submission.Submission) { s.Delay = makingCopy(*s) })
	made, err := q.copyOf(j.ctx, e, false, now.Part)
	if err == nil {
		err = q.commit(e, custody.CopyMade, func(s *submission.Submission) { copyInto(s, made) })
	}
	q.change(e, func(s *submission.Submission) { s.Delay = i18n.Message{} })
	return err
}

// makingCopy says that a submission's copy is being made.
func makingCopy(s submission.Submission) i18n.Message {
	switch {
	case s.Needs == submission.NeedsNothing:
		return i18n.M("Assay first makes a copy without metadata.")
	case s.Needs == submission.NeedsPart:
		return i18n.M("Assay is cutting out the part.")
	case s.Type == client.Image:
		return i18n.M("Assay is making a JPEG copy.")
	}
	return i18n.M("Assay is making a copy.")
}

// refusing is an error of a Copier that may say that there will be no copy, however often it is tried.
type refusing interface{ Refuses() bool }

// removeCopy deletes the copy of a submission. One that can't be deleted is deleted by sweepCopies at the next start.
func (q *Queue) removeCopy(id string) {
	if q.Copier == nil {
		return
	}
	if err := q.Copier.Remove(id); err != nil {
		q.Log.Warn("a copy was not deleted", "id", id, "error", err)
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
		st.Log.Warn("copies were not deleted", "error", err)
	}
}

// toSend opens what is sent: the person's file, or the copy in its place, whose size and hash must be those on record. A copy that is missing or
// differs is made again.
func (q *Queue) toSend(j *job, file media.File) (media.File, *os.File, error) {
	now := q.snapshot(j.entry)
	wanted := now.Copy
	if wanted.SHA256 == "" && now.Needs != submission.NeedsNothing {
		return media.File{}, nil, &unsendable{i18n.M("The service does not take this file as it is.")}
	}
	if wanted.SHA256 == "" {
		opened, err := media.Open(file)
		return file, opened, err
	}
	if sent, opened, ok := q.openCopy(j, file, wanted); ok {
		return sent, opened, nil
	}
	made, err := q.copyOf(j.ctx, j.entry, !wanted.Metadata, now.Part)
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
		return media.File{}, nil, &unsendable{i18n.M("The copy was gone and could not be made again as it was.")}
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
		return &unsendable{i18n.M("The copy was changed while it was sent.")}
	}
	return nil
}
