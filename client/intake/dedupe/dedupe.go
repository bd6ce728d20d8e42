// Package dedupe says which submission stands for a content, the primary, and which show its answer, the duplicates: an index without
// side effects, and the rules by which one gives way to another. It imports client/submission.
package dedupe

import (
	"slices"

	"assay/client/submission"
)

// Index holds the primaries and their duplicates by the IDs of submissions. It is for one goroutine at a time.
type Index struct {
	primaries  map[string]string   // by content
	duplicates map[string][]string // by primary, in the order in which they were added
}

// NewIndex returns an empty one.
func NewIndex() *Index {
	return &Index{primaries: map[string]string{}, duplicates: map[string][]string{}}
}

// Primary returns the submission that stands for a content, "" where none does.
func (x *Index) Primary(content string) string { return x.primaries[content] }

// Register makes a submission the primary of a content, in place of any other. What has no content yet is none.
func (x *Index) Register(content, id string) {
	if content != "" {
		x.primaries[content] = id
	}
}

// Unregister makes a submission the primary of a content no more. Where another one is, that stays so.
func (x *Index) Unregister(content, id string) {
	if x.primaries[content] == id {
		delete(x.primaries, content)
	}
}

// Add makes a submission a duplicate of a primary.
func (x *Index) Add(primary, duplicate string) {
	x.duplicates[primary] = append(x.duplicates[primary], duplicate)
}

// Remove makes a submission a duplicate of a primary no more.
func (x *Index) Remove(primary, duplicate string) {
	left := slices.DeleteFunc(x.duplicates[primary], func(id string) bool { return id == duplicate })
	if x.duplicates[primary] = left; len(left) == 0 {
		delete(x.duplicates, primary)
	}
}

// Duplicates returns the duplicates of a submission, in the order in which they were added. They are the index's own: read them before
// it changes.
func (x *Index) Duplicates(primary string) []string { return x.duplicates[primary] }

// Release returns the duplicates of a submission, which has none from then on.
func (x *Index) Release(primary string) []string {
	released := x.duplicates[primary]
	delete(x.duplicates, primary)
	return released
}

// Lasts reports whether duplicates may show what becomes of a submission in this state: they wait for none that is refused, or held back.
func Lasts(s submission.State) bool {
	return s != submission.Refused && s != submission.Held && s != submission.Stays
}

// CanBePrimary reports whether what comes later with the same content shows the answer of this one.
func CanBePrimary(s submission.Submission) bool {
	return s.MayLeave() && s.State != submission.Cancelled && Lasts(s.State)
}

// MaySend reports whether a submission may be sent with this content: what was approved are the bytes that it held then.
func MaySend(s submission.Submission, content string) bool {
	return s.MayLeave() && (s.Gate == submission.GateSend || s.Content() == content)
}

// GivesWay reports whether a submission shows the answer of another that is found for its content. Where the person wanted the content
// analysed again, the one that was on its way before goes on beside that. One that waits for the person's approval shows an answer that
// is there, for which nothing is sent, and one that is never sent shows none.
func GivesWay(s, to submission.Submission, content string) bool {
	if to.ID == s.ID || to.Earlier != "" || s.Again || to.Content() != content || !CanBePrimary(to) {
		return false
	}
	if !MaySend(s, content) {
		return s.Gate == submission.GateAsk && to.State == submission.Done
	}
	onItsWay := s.Step != submission.Seen && s.Content() == content
	return !to.Again || !onItsWay
}

// Shows reports whether a duplicate shows a primary's answer rightly.
func Shows(duplicate, primary submission.Submission) bool {
	return primary.Earlier == "" && Lasts(primary.State) && primary.Content() == duplicate.Content()
}

// OnItsOwn is a duplicate as a submission of its own, which is looked at again from the beginning. One that was removed from the inbox
// is over.
func OnItsOwn(s submission.Submission) submission.Submission {
	s.Earlier, s.Step = "", submission.Seen
	switch {
	case s.State.Ended():
	case s.Filed:
		s.State = submission.Cancelled
	default:
		s.State = submission.Waiting
	}
	return s
}

// Succeed returns the duplicates of a primary as submissions of their own: it stands for other bytes than theirs by now, or is never
// sent. Where it was refused, the first of them that may be sent goes on where it stood, since their bytes are the same.
func Succeed(primary submission.Submission, duplicates []submission.Submission) []submission.Submission {
	open := primary.State == submission.Refused && primary.Copy == (submission.Copy{}) // of a copy, other bytes may be at its URL than theirs
	own := make([]submission.Submission, len(duplicates))
	for i, s := range duplicates {
		s = OnItsOwn(s)
		if open && s.State == submission.Waiting && s.MayLeave() && s.Content() == primary.Content() {
			s.Step, s.Upload, s.Uploaded, s.SendName = primary.Step, primary.Upload, primary.Uploaded, primary.SendName
			open = false
		}
		own[i] = s
	}
	return own
}
