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

// Primary returns the primary of a content, "" where there is none.
func (x *Index) Primary(content string) string { return x.primaries[content] }

// Register makes a submission the primary of a content, in place of any other. An empty content is ignored: it is not known yet.
func (x *Index) Register(content, id string) {
	if content != "" {
		x.primaries[content] = id
	}
}

// Unregister removes a submission as the primary of a content. If the primary is another one, nothing changes.
func (x *Index) Unregister(content, id string) {
	if x.primaries[content] == id {
		delete(x.primaries, content)
	}
}

// Add makes a submission a duplicate of a primary.
func (x *Index) Add(primary, duplicate string) {
	x.duplicates[primary] = append(x.duplicates[primary], duplicate)
}

// Remove removes a submission from the duplicates of a primary.
func (x *Index) Remove(primary, duplicate string) {
	left := slices.DeleteFunc(x.duplicates[primary], func(id string) bool { return id == duplicate })
	if x.duplicates[primary] = left; len(left) == 0 {
		delete(x.duplicates, primary)
	}
}

// Duplicates returns the duplicates of a primary, in the order in which they were added. The slice is the index's own: use it before the index
// changes.
func (x *Index) Duplicates(primary string) []string { return x.duplicates[primary] }

// Release removes all duplicates of a primary and returns them.
func (x *Index) Release(primary string) []string {
	released := x.duplicates[primary]
	delete(x.duplicates, primary)
	return released
}

// Lasts reports whether a submission in this state can have duplicates: one that is refused, or held back, will not have an answer for them.
func Lasts(s submission.State) bool {
	return s != submission.Refused && s != submission.Held && s != submission.Stays
}

// CanBePrimary reports whether later submissions of the same content are to show the answer of this one. A colleague's that was taken over needed nothing to
// be sent.
func CanBePrimary(s submission.Submission) bool {
	return (s.MayLeave() || s.AnsweredBy != submission.Colleague{}) && s.State != submission.Cancelled && Lasts(s.State)
}

// MaySend reports whether a submission may be sent with this content: an approval holds for the bytes that the file had then.
func MaySend(s submission.Submission, content string) bool {
	return s.MayLeave() && (!s.Asks() || s.Content() == content)
}

// GivesWay reports whether s becomes a duplicate of to, which has the given content. If the person wanted the content analysed again, an earlier
// submission that is on its way goes on beside the new one. A submission that waits for approval shows an answer that exists already, since nothing
// is sent for that; one that is never sent shows none.
func GivesWay(s, to submission.Submission, content string) bool {
	if to.ID == s.ID || to.Earlier != "" || s.Again || to.Content() != content || !CanBePrimary(to) {
		return false
	}
	if !MaySend(s, content) {
		// Nothing of it leaves where it only needs a copy, and the person allowed that copy for another one.
		return s.Gate == submission.GateSend || s.Gate == submission.GateAsk && to.State == submission.Done
	}
	onItsWay := s.Step != submission.Seen && s.Content() == content
	return !to.Again || !onItsWay
}

// Shows reports whether a duplicate may still show the answer of its primary.
func Shows(duplicate, primary submission.Submission) bool {
	return primary.Earlier == "" && Lasts(primary.State) && primary.Content() == duplicate.Content()
}

// OnItsOwn returns a duplicate as an independent submission, which is checked from the beginning. One that was removed from the inbox is cancelled.
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

// Succeed returns the duplicates of a primary as independent submissions, when the primary has other bytes than they do by now, or is never sent. If
// the primary was refused, the first of them that may be sent goes on from the primary's Step, since their bytes are the same.
func Succeed(primary submission.Submission, duplicates []submission.Submission) []submission.Submission {
	open := primary.State == submission.Refused && primary.Copy == (submission.Copy{}) // with a copy, the bytes at its URL may not be theirs
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
