package dedupe_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake/dedupe"
	"assay/client/submission"
)

func TestIndex(t *testing.T) {
	for _, c := range []struct {
		name       string
		do         func(*dedupe.Index)
		primary    string   // of "content"
		duplicates []string // of "one"
	}{
		{"nothing is known of a content", func(*dedupe.Index) {}, "", nil},
		{"the one that is registered is its primary", func(x *dedupe.Index) { x.Register("content", "one") }, "one", nil},
		{"of another content it is not", func(x *dedupe.Index) { x.Register("other", "one") }, "", nil},
		{"a later one takes its place", func(x *dedupe.Index) { x.Register("content", "two"); x.Register("content", "one") }, "one", nil},
		{"one without content is nobody's primary", func(x *dedupe.Index) { x.Register("", "one") }, "", nil},
		{"a primary gives its place up", func(x *dedupe.Index) { x.Register("content", "one"); x.Unregister("content", "one") }, "", nil},
		{"nobody gives up another's place", func(x *dedupe.Index) { x.Register("content", "one"); x.Unregister("content", "two") }, "one", nil},
		{"duplicates are in the order in which they came", func(x *dedupe.Index) { x.Add("one", "b"); x.Add("one", "a"); x.Add("two", "c") }, "", []string{"b", "a"}},
		{"one of them leaves", func(x *dedupe.Index) { x.Add("one", "b"); x.Add("one", "a"); x.Remove("one", "b") }, "", []string{"a"}},
		{"all of them leave", func(x *dedupe.Index) { x.Add("one", "b"); x.Remove("one", "b") }, "", nil},
		{"who is none leaves nothing behind", func(x *dedupe.Index) { x.Remove("one", "b") }, "", nil},
		{"released, it has none any more, and others come", func(x *dedupe.Index) { x.Add("one", "b"); x.Release("one"); x.Add("one", "c") }, "", []string{"c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := dedupe.NewIndex()
			c.do(x)
			if got := x.Primary("content"); got != c.primary {
				t.Errorf("the primary is %q, want %q", got, c.primary)
			}
			if x.Primary("") != "" {
				t.Error("there is a primary of no content")
			}
			assert.Equal(t, c.duplicates, x.Duplicates("one"))
			if diff := cmp.Diff(c.duplicates, x.Release("one")); diff != "" {
				t.Errorf("released: %s", diff)
			}
			if left := x.Duplicates("one"); len(left) != 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// of is a submission of the content "bytes", as adjusted.
func of(id string, adjust func(*submission.Submission)) submission.Submission {
	s := submission.Submission{ID: id, SHA256: "bytes", Gate: submission.GateSend, State: submission.Waiting, Step: submission.Gated}
	if adjust != nil {
		adjust(&s)
	}
	return s
}

func TestGivesWay(t *testing.T) {
	seen := func(s *submission.Submission) { s.Step, s.SHA256 = submission.Seen, "" }
	asks := func(s *submission.Submission) { seen(s); s.Gate = submission.GateAsk }
	in := func(state submission.State) func(*submission.Submission) {
		return func(s *submission.Submission) { s.State = state }
	}
	for _, c := range []struct {
		name  string
		s, to submission.Submission
		want  bool
	}{
		{"a new one to one on its way", of("new", seen), of("old", in(submission.Sending)), true},
		{"to one that was answered", of("new", seen), of("old", in(submission.Done)), true},
		{"to one that failed: it is tried again", of("new", seen), of("old", in(submission.Failed)), true},
		{"not to one that was cancelled", of("new", seen), of("old", in(submission.Cancelled)), false},
		{"not to one that was refused", of("new", seen), of("old", in(submission.Refused)), false},
		{"not to one that is held", of("new", seen), of("old", in(submission.Held)), false},
		{"not to one that stays", of("new", seen), of("old", in(submission.Stays)), false},
		{"not to itself", of("one", seen), of("one", nil), false},
		{"not to a duplicate", of("new", seen), of("old", func(s *submission.Submission) { s.Earlier = "first" }), false},
		{"not to other bytes", of("new", seen), of("old", func(s *submission.Submission) { s.SHA256 = "others" }), false},
		{"not where it is to be analysed again", of("new", func(s *submission.Submission) { seen(s); s.Again = true }), of("old", nil), false},
		{"a new one to one that is analysed again", of("new", seen), of("old", func(s *submission.Submission) { s.Again = true }), true},
		{"not one on its way to one that is analysed again", of("first", nil), of("old", func(s *submission.Submission) { s.Again = true }), false},
		{"not to one that may not be sent", of("new", seen), of("old", func(s *submission.Submission) { s.Gate = submission.GateAsk }), false},
		{"one that asks, to an answer that is there", of("new", asks), of("old", in(submission.Done)), true},
		{"not one that asks, to one on its way", of("new", asks), of("old", in(submission.Sending)), false},
		{"not one that is never sent", of("new", func(s *submission.Submission) { seen(s); s.Gate = submission.GateNever }), of("old", in(submission.Done)), false},
		{"one that was approved with these bytes, to one on its way",
			of("new", func(s *submission.Submission) {
				s.Gate, s.Allowed, s.Step = submission.GateAsk, time.Unix(1, 0), submission.Settled
			}), of("old", nil), true},
		{"not one that was approved with other bytes, to one on its way",
			of("new", func(s *submission.Submission) {
				s.Gate, s.Allowed, s.SHA256 = submission.GateAsk, time.Unix(1, 0), "before"
			}), of("old", nil), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dedupe.GivesWay(c.s, c.to, "bytes"); got != c.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}

func TestShows(t *testing.T) {
	for _, c := range []struct {
		name    string
		primary submission.Submission
		want    bool
	}{
		{"of the same bytes", of("p", nil), true},
		{"one that was cancelled: its answer may still come", of("p", func(s *submission.Submission) { s.State = submission.Cancelled }), true},
		{"not of other bytes", of("p", func(s *submission.Submission) { s.SHA256 = "others" }), false},
		{"not a duplicate itself", of("p", func(s *submission.Submission) { s.Earlier = "first" }), false},
		{"not refused", of("p", func(s *submission.Submission) { s.State = submission.Refused }), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dedupe.Shows(of("d", nil), c.primary); got != c.want {
				t.Errorf("it is %v", got)
			}
		})
	}
}

func TestSucceed(t *testing.T) {
	upload := client.Upload{SignedURL: "https://storage.example/1", RequestID: "id-1"}
	primary := func(adjust func(*submission.Submission)) submission.Submission {
		return of("p", func(s *submission.Submission) {
			s.State, s.Step, s.Upload, s.SendName = submission.Refused, submission.SendingBytes, upload, "a-12345678.png"
			adjust(s)
		})
	}
	duplicate := func(adjust func(*submission.Submission)) submission.Submission {
		return of("d", func(s *submission.Submission) { s.Earlier = "p"; adjust(s) })
	}
	as := func(*submission.Submission) {}
	gone := duplicate(func(s *submission.Submission) { s.State = submission.Cancelled })
	for _, c := range []struct {
		name       string
		primary    submission.Submission
		duplicates []submission.Submission
		states     []submission.State
		takesOver  int // the duplicate that goes on where the primary stood; -1: none
	}{
		{"the first takes over from one that is refused", primary(as), []submission.Submission{duplicate(as), duplicate(as)},
			[]submission.State{submission.Waiting, submission.Waiting}, 0},
		{"one that was cancelled does not", primary(as), []submission.Submission{gone, duplicate(as)},
			[]submission.State{submission.Cancelled, submission.Waiting}, 1},
		{"nor one that was removed, which is over", primary(as), []submission.Submission{duplicate(func(s *submission.Submission) { s.Filed = true }), duplicate(as)},
			[]submission.State{submission.Cancelled, submission.Waiting}, 1},
		{"nor one that may not be sent", primary(as), []submission.Submission{duplicate(func(s *submission.Submission) { s.Gate = submission.GateAsk })},
			[]submission.State{submission.Waiting}, -1},
		{"nor one of other bytes", primary(as), []submission.Submission{duplicate(func(s *submission.Submission) { s.SHA256 = "others" })},
			[]submission.State{submission.Waiting}, -1},
		{"nobody does from one that was sent as a copy", primary(func(s *submission.Submission) { s.Copy.SHA256 = "copy" }), []submission.Submission{duplicate(as)},
			[]submission.State{submission.Waiting}, -1},
		{"nobody does from one that goes on with other bytes", primary(func(s *submission.Submission) { s.State = submission.Checking }), []submission.Submission{duplicate(as)},
			[]submission.State{submission.Waiting}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, got := range dedupe.Succeed(c.primary, c.duplicates) {
				if got.Earlier != "" || got.State != c.states[i] {
					t.Errorf("%d is %q, and shows the answer of %q", i, got.State, got.Earlier)
				}
				wantStep, wantUpload := submission.Seen, client.Upload{}
				if i == c.takesOver {
					wantStep, wantUpload = submission.SendingBytes, upload
				}
				if got.Step != wantStep || got.Upload != wantUpload || (got.SendName == c.primary.SendName) != (i == c.takesOver) {
					t.Errorf("%d goes on from %q at %+v as %q", i, got.Step, got.Upload, got.SendName)
				}
			}
		})
	}
}
