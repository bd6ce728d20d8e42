package store_test

import (
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/submission"
)

func TestTheNewestAnswerOfEachContent(t *testing.T) {
	s := setup(t)
	shows := scanned(t, "shows", "aa", client.Fake, 5)
	shows.Earlier, shows.Result = "again", nil
	again := scanned(t, "on its way", "", client.Fake, 6)
	again.State, again.Result, again.Recheck = submission.Waiting, nil, "bb"
	add(t, s, scanned(t, "first", "aa", client.Fake, 0), scanned(t, "other", "bb", client.Fake, 1), scanned(t, "unknown", "", client.Authentic, 2),
		scanned(t, "again", "aa", client.Authentic, 3), shows, again)
	for name, c := range map[string]struct {
		ids    []string
		before time.Duration
		want   []string
	}{
		"of all":                 {nil, 0, []string{"other", "unknown", "again"}},
		"of all, older":          {nil, 3 * time.Hour, []string{"other", "unknown"}},
		"of none":                {[]string{}, 0, nil},
		"of some, in order":      {[]string{"unknown", "shows", "first", "again", "other"}, 0, []string{"unknown", "again", "other"}},
		"of some, older":         {[]string{"unknown", "first", "other"}, 2 * time.Hour, []string{"other"}},
		"without an answer":      {[]string{"on its way"}, 0, []string{"on its way"}},
		"without one, older":     {[]string{"on its way"}, 99 * time.Hour, nil},
		"of one that is unknown": {[]string{"nobody"}, 0, nil},
	} {
		before := time.Time{}
		if c.before > 0 {
			before = noon.Add(c.before)
		}
		got, err := s.NewestAnswers(t.Context(), c.ids, before)
		assert.NoError(t, err)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
	contents, err := s.Rechecking(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, map[string]bool{"bb": true}, contents)
}
