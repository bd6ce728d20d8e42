package review

import (
	"image"
	"slices"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/gui/present"
)

// Sample is what of a submission is shown beside the question: its picture or a clip's first still, as careful viewing allows, or a text's beginning.
type Sample struct {
	Picture *image.RGBA     // already covered where Preview says so; nil for none
	Preview present.Preview // how Picture is shown
	Text    string
	Problem string // why there is nothing to see, a sentence
}

// Sampled sets what is shown of a submission. Only the latest is kept: pictures are large.
func (l *Review) Sampled(id string, sample Sample) { l.sampled, l.sample = id, sample }

// Sample returns what is shown of the submission that is asked about: nothing yet while it is being read.
func (l *Review) Sample() (sample Sample, medium present.Medium) {
	id := l.Current()
	if id == "" {
		return Sample{}, ""
	}
	s := l.subs[l.at]
	switch {
	case s.Link != "":
		return Sample{Text: plain.From(s.Link).String()}, present.MediumOf(s.Type)
	case l.sampled != id:
		return Sample{}, present.MediumOf(s.Type)
	}
	return l.sample, present.MediumOf(s.Type)
}

// Current is the submission that is asked about; "" where all are together.
func (l *Review) Current() string {
	if len(l.subs) == 0 || l.together && len(l.subs) > 1 {
		return ""
	}
	return l.subs[l.at].ID
}

// SetTogether asks about all submissions at once, or about one after another.
func (l *Review) SetTogether(together bool) { l.together = together }

// Step asks about the next submission, or with -1 about the one before.
func (l *Review) Step(by int) {
	l.at = min(max(0, l.at+by), max(0, len(l.subs)-1))
}

// Decided are the IDs of the submissions that are asked about now.
func (l *Review) Decided() []string {
	if id := l.Current(); id != "" {
		return []string{id}
	}
	return l.IDs()
}

// asked are the submissions that are asked about now.
func (l *Review) asked() []submission.Submission {
	if l.Current() != "" {
		return l.subs[l.at : l.at+1]
	}
	return l.subs
}

// Steps is where several stand, such as "1 of 3", and whether there are others before and after; "" for one, or all together.
func (l *Review) Steps() (words string, before, after bool) {
	if len(l.subs) < 2 || l.Current() == "" {
		return "", false, false
	}
	return i18n.F("%[1]s of %[2]s", i18n.Count(l.at+1), i18n.Count(len(l.subs))), l.at > 0, l.at < len(l.subs)-1
}

// Drop removes submissions that were decided on.
func (l *Review) Drop(ids ...string) {
	before := l.subs[:l.at]
	gone := 0
	for _, s := range before {
		if slices.Contains(ids, s.ID) {
			gone++
		}
	}
	l.at -= gone
	l.subs = slices.DeleteFunc(l.subs, func(s submission.Submission) bool { return slices.Contains(ids, s.ID) })
	l.Step(0)
}

// NeverText says how many files and links will never be sent.
func NeverText(n int) string {
	return i18n.N(n, "%s stays on this computer for good", "%s stay on this computer for good")
}
