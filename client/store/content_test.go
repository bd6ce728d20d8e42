package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/store/storetest"
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

func TestWhatHasChangedNeedsAHuman(t *testing.T) {
	s := setup(t)
	folderOf := func(q store.Query) (ids []string) {
		rows, _, err := s.Page(t.Context(), q, store.Cursor{}, 99)
		assert.NoError(t, err)
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	changed := func(want ...string) {
		t.Helper()
		for _, order := range everyOrder() {
			got := folderOf(store.Query{Changed: true, Order: order})
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("changed, by %s: %q, want %q", order, got, want)
			}
		}
		if n := count(t, s, store.Query{Changed: true}); n != len(want) {
			t.Errorf("%d are counted as changed, want %d", n, len(want))
		}
		c, err := s.Changes(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, len(want), c.Count)
	}
	add(t, s, scanned(t, "first", "aa", client.Fake, 0), scanned(t, "other", "bb", client.Fake, 0), scanned(t, "unknown", "", client.Authentic, 0))
	changed()
	add(t, s, scanned(t, "other again", "bb", client.Fake, 1), scanned(t, "unknown too", "", client.Fake, 1))
	changed()
	again := scanned(t, "again", "aa", client.Authentic, 2)
	again.State, again.Result, again.Step = submission.Waiting, nil, submission.Seen
	add(t, s, again)
	changed()
	add(t, s, scanned(t, "in between", "cc", client.Fake, 1))
	assert.NoError(t, s.Answer(t.Context(), scanned(t, "again", "aa", client.Authentic, 2), custody.Answered))
	changed("again")
	add(t, s, scanned(t, "third", "aa", client.Fake, 3), scanned(t, "fourth", "aa", client.Fake, 4))
	changed("again", "third")

	t.Run("the row says what it was, and the difference names the answer before", func(t *testing.T) {
		rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 99)
		assert.NoError(t, err)
		for _, r := range rows {
			if want := map[string]client.Status{"again": client.Fake, "third": client.Authentic}[r.ID]; r.Was != want {
				t.Errorf("%s was %q, want %q", r.ID, r.Was, want)
			}
		}
		d, ok, err := s.Difference(t.Context(), "again")
		assert.NoError(t, err)
		assert.True(t, ok && d.Was.Submission == "first" && d.Was.Status == client.Fake && d.Was.Release == "2.1" && d.Was.RawSHA256 != "" && d.Was.Current && d.Seen.IsZero(), "%+v", d)
		_, ok, err = s.Difference(t.Context(), "fourth")
		assert.True(t, err == nil && !ok, "the fourth differs from the third")
	})
	t.Run("until a person has seen it, which the custody log says", func(t *testing.T) {
		n, err := s.MarkSeen(t.Context(), []string{"again", "first", "nobody"}, "Inês")
		assert.NoError(t, err)
		assert.Equal(t, 1, n)
		changed("third")
		d, _, err := s.Difference(t.Context(), "again")
		assert.NoError(t, err)
		assert.True(t, d.Seen.Equal(noon) && d.SeenBy == "Inês", "%+v", d)
		log, err := s.Custody(t.Context(), "again")
		assert.NoError(t, err)
		last := log[len(log)-1]
		assert.True(t, last.Event == custody.Seen && strings.Contains(string(last.Facts), `"person":"Inês"`), "%s: %s", last.Event, last.Facts)
		assert.NoError(t, s.VerifyCustody(t.Context()))
	})
	t.Run("the newest stands for those before it", func(t *testing.T) {
		add(t, s, scanned(t, "fifth", "aa", client.Suspicious, 5))
		changed("fifth", "third")
		n, err := s.MarkSeen(t.Context(), []string{"fifth"}, "Inês")
		assert.NoError(t, err)
		assert.Equal(t, 2, n)
		changed()
	})
	t.Run("an answer that the service gives anew differs from its own", func(t *testing.T) {
		anew := scanned(t, "other again", "bb", client.Authentic, 7)
		assert.NoError(t, s.Answer(t.Context(), anew, custody.Answered))
		changed("other again")
		d, _, err := s.Difference(t.Context(), "other again")
		assert.NoError(t, err)
		assert.True(t, d.Was.Submission == "other again" && d.Was.Status == client.Fake && !d.Was.Current, "%+v", d)
	})
	t.Run("in every order of a long list", func(t *testing.T) {
		assert.NoError(t, storetest.Fill(t.Context(), s, 700))
		changed("other again")
		for _, order := range everyOrder() {
			at, ok, err := s.Place(t.Context(), store.Query{Changed: true, Order: order}, "other again")
			assert.True(t, err == nil && ok && at == 0, "by %s it is at %d: %v", order, at, err)
		}
	})
}
