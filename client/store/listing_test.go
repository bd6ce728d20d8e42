package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// What is remembered of an order, and put right as results come, change and go, is compared with what a query finds that
// remembers nothing.
func TestWhatIsRememberedFollowsEveryChange(t *testing.T) {
	s := setup(t)
	assert.NoError(t, storetest.Fill(t.Context(), s, 260))
	links := false
	queries := []store.Query{
		{}, {Text: "jpg"}, {Text: "q"}, {Statuses: []client.Status{client.Suspicious, client.Fake}}, {Types: []client.MediaType{client.Image}},
		{Links: &links, From: noon.AddDate(-1, 0, 0)},
	}
	random := rand.New(rand.NewPCG(4, 8)) //nolint:gosec // the same changes each time
	statuses := []client.Status{client.Fake, client.Suspicious, client.Authentic, client.NotApplicable, client.UnableToEvaluate, "NEW"}
	var ids []string
	for n := range 120 {
		for range random.IntN(4) {
			changeSomething(t, s, random, &ids, statuses[random.IntN(len(statuses))])
		}
		if n == 60 { // more than is put right one by one
			var many []submission.Submission
			for i := range 600 {
				many = append(many, answered(t, fmt.Sprintf("many-%d", i), statuses[i%len(statuses)]))
			}
			add(t, s, many...)
		}
		q := queries[random.IntN(len(queries))]
		q.Order = everyOrder()[random.IntN(4)]
		remembersRightly(t, s, q)
	}
}

// changeSomething adds a submission, or answers, reopens, renames or notes one of ids, which are those that it added.
func changeSomething(t *testing.T, s *store.Store, random *rand.Rand, ids *[]string, status client.Status) {
	t.Helper()
	if len(*ids) == 0 || random.IntN(3) == 0 {
		id := fmt.Sprintf("sub-%d", len(*ids))
		sub := waiting(id)
		if random.IntN(2) == 0 {
			sub = answered(t, id, status)
		}
		sub.Accepted = noon.Add(time.Duration(random.IntN(1000)-500) * 24 * time.Hour)
		*ids = append(*ids, id)
		add(t, s, sub)
		return
	}
	id := (*ids)[random.IntN(len(*ids))]
	sub := get(t, s, id)
	switch random.IntN(4) {
	case 0:
		assert.NoError(t, s.SetNote(t.Context(), id, fmt.Sprint("q ", random.IntN(100))))
	case 1:
		sub.State, sub.Step = submission.Waiting, submission.Seen
		assert.NoError(t, s.Save(t.Context(), sub, ""))
	case 2:
		sub.Name = fmt.Sprint(random.IntN(100), ".png")
		assert.NoError(t, s.Save(t.Context(), sub, ""))
	default:
		done := answered(t, id, status)
		done.Accepted, done.Name = sub.Accepted, sub.Name
		assert.NoError(t, s.Answer(t.Context(), done, "answered"))
	}
}

func remembersRightly(t *testing.T, s *store.Store, q store.Query) {
	t.Helper()
	want, _, err := s.Page(t.Context(), q, store.Cursor{}, 10_000)
	assert.NoError(t, err)
	const from = 200 // what lies before is read without what is remembered
	got, err := s.PageAt(t.Context(), q, from, 10_000)
	assert.NoError(t, err)
	same(t, append([]store.Row(nil), want[min(from, len(want)):]...), got)
	for i := 0; i < len(want); i += 7 {
		if at, ok, err := s.Place(t.Context(), q, want[i].ID); at != i || !ok || err != nil {
			t.Errorf("%+v: the place of %d is %d (%v, %v)", q, i, at, ok, err)
		}
	}
	byStatus := map[client.Status]int{}
	q.Statuses = nil
	all, _, err := s.Page(t.Context(), q, store.Cursor{}, 10_000)
	assert.NoError(t, err)
	for _, row := range all {
		byStatus[row.Status]++
	}
	counted, err := s.CountByStatus(t.Context(), q)
	assert.NoError(t, err)
	if !maps.Equal(byStatus, counted) {
		t.Errorf("%+v: counted %v, want %v", q, counted, byStatus)
	}
}
