package poll

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/plain"
)

var began = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// answerTime is what a request takes in a simulation.
const answerTime = 200 * time.Millisecond

// simulation drives a schedule on a clock of its own, against a service that knows when each result ends.
type simulation struct {
	t        testing.TB
	schedule *schedule
	now      time.Time
	results  []simulated // in the order of their uploads
	requests []time.Time
	pages    int
	lags     []time.Duration // from a result's end until it was known to be final
	service  func(s *simulation, q query) []Outcome
}

type simulated struct{ uploaded, ends time.Time }

func newSimulation(t testing.TB, pacer *client.Pacer) *simulation {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a simulation that is the same each time
	return &simulation{
		t: t, now: began, service: (*simulation).answer,
		schedule: newSchedule(2*time.Second, 30*time.Second, random.Float64, pacer),
	}
}

// submit adds a result that ends in a while.
func (s *simulation) submit(uploaded, ends time.Time) {
	id := fmt.Sprint(len(s.results))
	s.results = append(s.results, simulated{uploaded, ends})
	s.schedule.add(id, id, uploaded, s.now)
}

// result is what the service says of a result now.
func (s *simulation) result(i int) *client.Result {
	r := &client.Result{RequestID: fmt.Sprint(i), OverallStatus: client.Analyzing, Models: []client.Model{{Name: plain.From("a"), Status: client.Analyzing}}}
	if !s.results[i].ends.After(s.now) {
		r.OverallStatus, r.Models[0].Status = client.Fake, client.Fake
	}
	return r
}

// answer is a service that lists all results, the newest first.
func (s *simulation) answer(q query) []Outcome {
	if q.page == singlePage {
		var i int
		if _, err := fmt.Sscan(q.ids[0], &i); err != nil {
			s.t.Fatal(err)
		}
		return s.schedule.fetched(q, s.result(i), nil, s.now)
	}
	var page []*client.Result
	for i := len(s.results) - 1; i >= 0 && len(page) < listQuery(q.page).Size; i-- {
		page = append(page, s.result(i))
	}
	return s.schedule.listed(q, 0, page, nil, s.now)
}

// run lets time pass until everything is final.
func (s *simulation) run() {
	for range 1_000_000 {
		q, wait, ok := s.schedule.next(s.now)
		switch {
		case !ok && wait == neverDue:
			return
		case !ok:
			s.now = s.now.Add(wait)
			continue
		}
		if wait := s.schedule.pacer.Take(s.now); wait > 0 { // as the client does
			s.t.Fatalf("a request was planned %v before there was a place for it", wait)
		}
		s.requests = append(s.requests, s.now)
		if q.page != singlePage {
			s.pages++
		}
		s.now = s.now.Add(answerTime)
		for _, o := range s.service(s, q) {
			var i int
			if _, err := fmt.Sscan(o.id, &i); err != nil {
				s.t.Fatal(err)
			}
			if o.Final {
				s.lags = append(s.lags, s.now.Sub(s.results[i].ends))
			}
		}
	}
	s.t.Fatal("it never ends")
}

// busiestMinute is the most requests within any 60 s.
func (s *simulation) busiestMinute() int {
	most, first := 0, 0
	for i, at := range s.requests {
		for at.Sub(s.requests[first]) >= time.Minute {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// lag is the share-th smallest of the lags.
func (s *simulation) lag(share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(s.lags))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// fiveHundred is a busy newsroom's afternoon: 500 results in flight at once, which the service finishes one after
// another within 20 minutes.
func fiveHundred(t testing.TB) *simulation {
	s := newSimulation(t, client.NewPacer(client.DefaultPace, client.DefaultBurst))
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // likewise
	for i := range 500 {
		uploaded := s.now.Add(time.Duration(i-500) * 500 * time.Millisecond)
		s.submit(uploaded, s.now.Add(time.Duration(random.Float64()*20*float64(time.Minute))))
	}
	return s
}
