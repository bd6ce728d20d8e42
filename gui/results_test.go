package gui

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/results"
)

var shelfNow = time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	assert.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // one test closes it itself
	return s
}

// answered is a submission that is done, days old.
func answered(t *testing.T, id string, days int, answer string) submission.Submission {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(answer), r))
	at := shelfNow.AddDate(0, 0, -days)
	return submission.Submission{ID: id, Name: id + ".jpg", Source: submission.Dropped, State: submission.Done, Step: submission.Answered, Filed: true,
		Type: r.MediaType, RequestID: "request-" + id, Accepted: at, Answered: at.Add(time.Minute), Result: r}
}

func TestWhatContradictsItselfIsListedWithWhatNeedsAHuman(t *testing.T) {
	s := openStore(t)
	if _, err := s.Add(t.Context(), []submission.Submission{
		answered(t, "authentic", 0, `{"overallStatus":"AUTHENTIC"}`), answered(t, "fake", 1, `{"overallStatus":"FAKE"}`), answered(t, "suspicious", 2, `{"overallStatus":"SUSPICIOUS"}`),
		answered(t, "contrary", 3, `{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"}}`),
	}); err != nil {
		t.Fatal(err)
	}
	a := newAnswers(s, func() time.Time { return shelfNow })
	for name, c := range map[string]struct {
		query results.Query
		want  []string
	}{
		"not among those without a sign":     {results.Query{Statuses: []client.Status{client.Authentic}}, []string{"authentic"}},
		"with what is suspicious":            {results.Query{Statuses: []client.Status{client.Suspicious}}, []string{"suspicious", "contrary"}},
		"first where a human is needed":      {results.Query{Order: results.HumanFirst}, []string{"suspicious", "contrary", "fake", "authentic"}},
		"nor among those that are likely so": {results.Query{Statuses: []client.Status{client.Fake}}, []string{"fake"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := a.Rows(t.Context(), c.query, 0, 9)
			assert.NoError(t, err)
			var got []string
			for _, row := range rows {
				got = append(got, row.ID)
			}
			assert.Equal(t, c.want, got)
			want := results.Counts{Shown: len(c.want), All: 4, ByStatus: map[client.Status]int{client.Authentic: 1, client.Fake: 1, client.Suspicious: 2}}
			if counts, err := a.Counts(t.Context(), c.query); err != nil || !cmp.Equal(want, counts) {
				t.Errorf("counted %+v, %v", counts, err)
			}
		})
	}
}

func TestTheListReadsTheStore(t *testing.T) {
	s := openStore(t)
	fake := answered(t, "fake", 0, `{"overallStatus":"FAKE","mediaType":"IMAGE","resultsSummary":{"metadata":{"finalScore":88.4}}}`)
	suspicious := answered(t, "suspicious", 3, `{"overallStatus":"SUSPICIOUS","mediaType":"AUDIO"}`)
	link := answered(t, "link", 20, `{"overallStatus":"AUTHENTIC","mediaType":"VIDEO"}`)
	link.Link, link.Name, link.Source = "https://clips.example/42", "clips.example/42", submission.Pasted
	elsewhere := answered(t, "elsewhere", 400, `{"overallStatus":"NEWLY_INVENTED","mediaType":"TEXT"}`)
	elsewhere.Source = submission.Service
	if _, err := s.Add(t.Context(), []submission.Submission{elsewhere, link, suspicious, fake}); err != nil {
		t.Fatal(err)
	}
	a := newAnswers(s, func() time.Time { return shelfNow })

	for name, c := range map[string]struct {
		query results.Query
		want  []string
	}{
		"all, the newest first":           {results.Query{}, []string{"fake", "suspicious", "link", "elsewhere"}},
		"the oldest first":                {results.Query{Order: results.OldestFirst}, []string{"elsewhere", "link", "suspicious", "fake"}},
		"by name":                         {results.Query{Order: results.ByName}, []string{"link", "elsewhere", "fake", "suspicious"}},
		"what needs a human first":        {results.Query{Order: results.HumanFirst}, []string{"suspicious", "elsewhere", "fake", "link"}},
		"by text":                         {results.Query{Text: "clips"}, []string{"link"}},
		"by verdicts":                     {results.Query{Statuses: []client.Status{client.Fake, client.Authentic}}, []string{"fake", "link"}},
		"by type":                         {results.Query{Medium: present.Recording}, []string{"suspicious"}},
		"today":                           {results.Query{Dates: results.Today}, []string{"fake"}},
		"last 7 days":                     {results.Query{Dates: results.LastWeek}, []string{"fake", "suspicious"}},
		"last 30 days":                    {results.Query{Dates: results.LastMonth}, []string{"fake", "suspicious", "link"}},
		"this year":                       {results.Query{Dates: results.ThisYear}, []string{"fake", "suspicious", "link"}},
		"own files":                       {results.Query{Source: results.OwnFiles}, []string{"fake", "suspicious"}},
		"own links":                       {results.Query{Source: results.OwnLinks}, []string{"link"}},
		"from another device":             {results.Query{Source: results.AnotherDevice}, []string{"elsewhere"}},
		"several at once, and none match": {results.Query{Source: results.AnotherDevice, Dates: results.Today}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := a.Rows(t.Context(), c.query, 0, 50)
			assert.NoError(t, err)
			var got []string
			for i, row := range rows {
				got = append(got, row.ID)
				at, ok, err := a.Place(t.Context(), c.query, row.ID)
				if err != nil || !ok || at != i {
					t.Errorf("%s stands at %d (%v, %v), want %d", row.ID, at, ok, err, i)
				}
			}
			assert.Equal(t, c.want, got)
			counts, err := a.Counts(t.Context(), c.query)
			if err != nil || counts.Shown != len(rows) {
				t.Errorf("counted %d of %d, %v", counts.Shown, len(rows), err)
			}
		})
	}
	t.Run("counts of verdicts ignore which are chosen", func(t *testing.T) {
		counts, err := a.Counts(t.Context(), results.Query{Statuses: []client.Status{client.Fake}})
		assert.NoError(t, err)
		want := results.Counts{Shown: 1, All: 4,
			ByStatus: map[client.Status]int{client.Fake: 1, client.Suspicious: 1, client.Authentic: 1, "NEWLY_INVENTED": 1}}
		assert.Equal(t, want, counts)
	})
	t.Run("rows say what the kept answer says", func(t *testing.T) {
		rows, err := a.Rows(t.Context(), results.Query{}, 0, 1)
		assert.NoError(t, err)
		v := verdict.Of(fake.Result)
		if rows[0].Words != v.Short || rows[0].Score != v.Score.Text() || rows[0].Line != v.Line() || rows[0].RequestID != "request-fake" {
			t.Errorf("%+v", rows[0])
		}
	})
	t.Run("a store that fails is told in a sentence", func(t *testing.T) {
		assert.NoError(t, s.Close())
		_, err := a.Rows(t.Context(), results.Query{}, 0, 1)
		var sentence interface{ Sentence() string }
		if !errors.As(err, &sentence) || sentence.Sentence() == "" || !errors.Is(err, store.ErrClosed) {
			t.Errorf("%v", err)
		}
	})
}
