package store_test

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/submission"
)

// scanned is a submission of a content with its answer, so many hours after noon.
func scanned(t *testing.T, id, sha256 string, status client.Status, hours int) submission.Submission {
	t.Helper()
	sub := answered(t, id, status)
	sub.SHA256, sub.Again = sha256, hours > 0
	sub.Accepted = noon.Add(time.Duration(hours) * time.Hour)
	sub.Answered = sub.Accepted.Add(time.Minute)
	return sub
}

func TestTheAnswersOnOneContent(t *testing.T) {
	s := setup(t)
	shows := scanned(t, "shows", "aa", client.Fake, 5)
	shows.Earlier = "later"
	shows.Result = nil
	add(t, s, scanned(t, "later", "aa", client.Fake, 3), scanned(t, "first", "aa", client.Suspicious, 0), scanned(t, "other", "bb", client.Authentic, 1),
		scanned(t, "unknown", "", client.Authentic, 1), scanned(t, "unknown too", "", client.Fake, 2), shows)
	anew := get(t, s, "first")
	anew.Result, anew.Answered = result(t, `{"overallStatus": "AUTHENTIC", "releaseVersion": "2.2"}`), noon.Add(2*time.Hour)
	assert.NoError(t, s.Answer(t.Context(), anew, custody.Answered))
	unfinished := waiting("unfinished")
	unfinished.SHA256, unfinished.State, unfinished.Result = "aa", submission.Analysing, result(t, `{"overallStatus": "ANALYZING"}`)
	add(t, s, unfinished)

	type one struct {
		id      string
		status  client.Status
		release string
		hours   int
		current bool
	}
	of := func(id string) (got []one) {
		all, err := s.ContentAnswers(t.Context(), id)
		assert.NoError(t, err)
		for _, a := range all {
			got = append(got, one{a.Submission, a.Status, a.Release, int(a.At.Sub(noon).Hours()), a.Current})
			kept, ok, err := s.EarlierAnswer(t.Context(), a.Submission, a.RawSHA256)
			assert.NoError(t, err)
			assert.True(t, ok && kept.Status() == a.Status, "the answer of %s can't be read: %+v", a.Submission, kept)
		}
		return got
	}
	want := []one{{"first", client.Suspicious, "2.1", 0, false}, {"first", client.Authentic, "2.2", 2, true}, {"later", client.Fake, "2.1", 3, true}}
	for _, id := range []string{"first", "later", "unfinished", "shows"} {
		if got := of(id); len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Errorf("by %s: %+v, want %+v", id, got, want)
		}
	}
	if got := of("unknown"); len(got) != 1 || got[0].id != "unknown" {
		t.Errorf("contents that are not known pass for one: %+v", got)
	}
	if got := of("nobody"); got != nil {
		t.Errorf("an unknown ID: %+v", got)
	}
}
