package poll

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

func TestSchedule(t *testing.T) {
	t.Run("a result is due at a tenth of its age, from 2 to 30 s, give or take a fifth", func(t *testing.T) {
		for _, c := range []struct{ age, least, most time.Duration }{
			{0, 1600 * time.Millisecond, 2400 * time.Millisecond},
			{100 * time.Second, 8 * time.Second, 12 * time.Second},
			{time.Hour, 24 * time.Second, 36 * time.Second},
		} {
			for _, jitter := range []float64{0, 0.5, 0.999} {
				s := newSchedule(2*time.Second, 30*time.Second, func() float64 { return jitter }, new(client.Pacer))
				if got := s.pause(c.age); got < c.least || got > c.most {
					t.Errorf("aged %v: %v", c.age, got)
				}
			}
		}
	})
	t.Run("jitter spreads what would fall together", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer)).schedule
		if a, b := s.pause(time.Minute), s.pause(time.Minute); a == b {
			t.Errorf("twice %v", a)
		}
	})
	t.Run("what is due waits for a place in the pacer, and planning takes none", func(t *testing.T) {
		pacer := client.NewPacer(60, 2)
		s := newSimulation(t, pacer)
		for range 3 {
			s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		}
		for range 2 {
			if _, wait, ok := s.schedule.next(began); !ok {
				t.Fatalf("waits %v", wait)
			}
		}
		for range 2 { // planned, and now made
			if wait := pacer.Take(began); wait != 0 {
				t.Fatalf("planning took a place: the next is free in %v", wait)
			}
		}
		if q, wait, ok := s.schedule.next(began); ok || wait != time.Second {
			t.Errorf("asks for %v, or in %v", q.ids, wait)
		}
	})
	t.Run("five results are looked at one by one, six by one page", func(t *testing.T) {
		for results, pages := range map[int]bool{pageWorth - 1: false, pageWorth: true} {
			s := newSimulation(t, new(client.Pacer))
			for range results {
				s.submit(began.Add(-time.Minute), began.Add(time.Hour))
			}
			if q, _, ok := s.schedule.next(began); !ok || (q.page != singlePage) != pages {
				t.Errorf("%d results: %+v", results, q)
			}
		}
	})
	t.Run("the earliest due comes first", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began, began.Add(time.Hour))                     // due in 2 s
		s.submit(began.Add(-time.Hour), began.Add(2*time.Second)) // due now
		first, _, _ := s.schedule.next(began.Add(3 * time.Second))
		second, _, _ := s.schedule.next(began.Add(3 * time.Second))
		if first.ids[0] != "1" || second.ids[0] != "0" {
			t.Errorf("%v before %v", first, second)
		}
	})
	t.Run("what a request tells of already is not asked again meanwhile", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		s.schedule.next(began)
		if q, wait, ok := s.schedule.next(began.Add(time.Hour)); ok || wait != neverDue {
			t.Errorf("asked for %v", q)
		}
	})
	t.Run("results far down the list are looked at alone", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for i := range listReach + pageWorth {
			s.submit(began.Add(time.Duration(i-2000)*time.Second), began.Add(time.Hour))
		}
		if q, _, _ := s.schedule.next(began); q.page != singlePage {
			q.ids = nil
			t.Errorf("%+v", q)
		}
	})
	t.Run("a page is asked for down to the one that is due first, and shows those above it, too", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for i := range PageSize + 1 { // the first stands on the second page
			s.submit(began.Add(time.Duration(i-2000)*time.Second), began.Add(time.Hour))
		}
		if q, _, _ := s.schedule.next(began); q.page != 1 || len(q.ids) != PageSize+1 {
			t.Errorf("page %d for %v", q.page, q.ids)
		}
	})
	t.Run("one list is asked for at a time, and after one that took long there is a pause, but not for what is looked at alone", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for i := range listReach {
			s.submit(began.Add(time.Duration(i-2000)*time.Second), began.Add(time.Hour))
		}
		q, _, _ := s.schedule.next(began)
		if q.page == singlePage {
			t.Fatalf("looks at %v alone", q.ids)
		}
		for range 2 * pageWorth { // they are due, and on the list's first page
			s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		}
		if more, _, ok := s.schedule.next(began); ok {
			t.Errorf("while the list is under way, it asks for %+v", more)
		}
		const took = 2 * time.Second
		read := began.Add(took)
		s.schedule.listTook(took, read)
		s.schedule.listed(q, 0, nil, &client.Error{Kind: client.KindNetwork}, read)
		if more, wait, ok := s.schedule.next(read); ok || wait > listPauses*took {
			t.Errorf("asks for %+v, or in %v", more, wait)
		}
		s.schedule.add("beyond the list", "beyond the list", began.Add(-time.Hour), read.Add(-time.Second))
		if alone, _, ok := s.schedule.next(read); !ok || alone.page != singlePage || alone.ids[0] != "beyond the list" {
			t.Errorf("asks for %+v", alone)
		}
		if again, _, ok := s.schedule.next(read.Add(listPauses * took)); !ok || again.page == singlePage {
			t.Errorf("after the pause it asks for %+v", again)
		}
	})
	t.Run("what has to be looked at alone makes no page worth it", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for range pageWorth + 1 {
			s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		}
		q, _, _ := s.schedule.next(began)
		s.schedule.listed(q, 0, []*client.Result{s.result(0)}, nil, began) // the others are due at once, alone
		s.schedule.add("first", "first", began.Add(-time.Minute), began.Add(-time.Second))
		for range pageWorth + 1 {
			if q, _, ok := s.schedule.next(began); !ok || q.page != singlePage {
				t.Errorf("%+v", q)
			}
		}
	})
	t.Run("every result becomes final, each by a single look", func(t *testing.T) {
		s := newSimulation(t, client.NewPacer(client.DefaultPace, client.DefaultBurst))
		for i := range 40 {
			s.submit(began.Add(time.Duration(-i)*time.Second), began.Add(time.Duration(i*10)*time.Second))
		}
		singles := map[string]int{}
		s.service = func(s *simulation, q query) []Outcome {
			if q.page == singlePage {
				singles[q.ids[0]]++
			}
			out := s.answer(q)
			for _, o := range out {
				if o.Final && q.page != singlePage {
					t.Errorf("%s is final by the list alone", o.id)
				}
			}
			return out
		}
		s.run()
		if len(s.lags) != 40 || len(singles) != 40 || s.pages == 0 {
			t.Errorf("%d final, %d looked at alone, %d pages", len(s.lags), len(singles), s.pages)
		}
		if most := s.busiestMinute(); most > client.DefaultPace+client.DefaultBurst {
			t.Errorf("%d requests in a minute", most)
		}
	})
}

func TestAScheduleRemembersOnlyTheLatestUploads(t *testing.T) {
	s := newSimulation(t, new(client.Pacer))
	for i := range 2*uploadsKept + 1 {
		s.submit(began.Add(time.Duration(i)*time.Second), began)
		if i > 0 {
			s.schedule.drop(fmt.Sprint(i)) // all but the oldest have their answers
		}
	}
	assert.Equal(t, uploadsKept, len(s.schedule.uploads))
	assert.Equal(t, uploadsKept, len(s.schedule.known))
	now := began.Add(2 * time.Hour)
	assert.Equal(t, singlePage, s.schedule.page(s.schedule.watched["0"], now))
	s.submit(now, now)
	assert.Equal(t, 0, s.schedule.page(s.schedule.watched[fmt.Sprint(2*uploadsKept+1)], now))
}

func TestAListThatIsOfNoUseIsLeftAlone(t *testing.T) {
	twenty := func(t *testing.T) *simulation {
		s := newSimulation(t, client.NewPacer(30, 4)) // so that several are due at a time
		for i := range 20 {
			s.submit(began.Add(time.Duration(-i-60)*time.Second), began.Add(time.Duration(60+i)*time.Second))
		}
		return s
	}
	for name, list := range map[string]func(s *simulation, q query) []Outcome{
		"it shows no unfinished results": func(s *simulation, q query) []Outcome {
			return s.schedule.listed(q, 0, []*client.Result{{RequestID: "foreign", OverallStatus: client.Fake}}, nil, s.now)
		},
		"it is empty": func(s *simulation, q query) []Outcome { return s.schedule.listed(q, 0, nil, nil, s.now) },
		"it is refused": func(s *simulation, q query) []Outcome {
			return s.schedule.listed(q, 0, nil, &client.Error{Kind: client.KindRefused, Status: 400}, s.now)
		},
		"it keeps back the models": func(s *simulation, q query) []Outcome {
			var brief []*client.Result
			for i := range s.results {
				r := s.result(i)
				r.Models = nil
				brief = append(brief, r)
			}
			return s.schedule.listed(q, 0, brief, nil, s.now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := twenty(t)
			s.schedule.fetched(query{page: singlePage, ids: []string{"0"}}, s.result(0), nil, s.now) // with its models
			last := 0                                                                                // the request that was the last for a page
			s.service = func(s *simulation, q query) []Outcome {
				if q.page == singlePage {
					return s.answer(q)
				}
				last = len(s.requests)
				return list(s, q)
			}
			s.run()
			if len(s.lags) != 20 {
				t.Errorf("%d of 20 became final", len(s.lags))
			}
			if s.pages != 1 || len(s.requests)-last < 20 {
				t.Errorf("%d pages, the last of them request %d of %d", s.pages, last, len(s.requests))
			}
		})
	}
	t.Run("one result that it does not show is looked at alone, the others by the page", func(t *testing.T) {
		s := twenty(t)
		alone := map[string]int{}
		s.service = func(s *simulation, q query) []Outcome {
			if q.page == singlePage {
				alone[q.ids[0]]++
				return s.answer(q)
			}
			var page []*client.Result
			for i := 19; i > 0; i-- { // without the first
				page = append(page, s.result(i))
			}
			return s.schedule.listed(q, 0, page, nil, s.now)
		}
		s.run()
		if len(s.lags) != 20 || alone["0"] < 4 || alone["1"] > alone["0"] {
			t.Errorf("%d final; looked at alone: %v", len(s.lags), alone)
		}
	})
	t.Run("one that it shows now and then is looked for there again", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for range 2 {
			s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		}
		both, alone := query{page: 0, ids: []string{"0", "1"}}, query{page: singlePage, ids: []string{"0"}}
		for _, shows := range []bool{false, false, true, false} {
			page := []*client.Result{s.result(1)}
			if shows {
				page = append(page, s.result(0))
			}
			s.schedule.listed(both, 0, page, nil, began)
			s.schedule.fetched(alone, s.result(0), nil, began)
		}
		if got := s.schedule.page(s.schedule.watched["0"], began); got != 0 {
			t.Errorf("it is looked for on page %d", got)
		}
	})
	t.Run("a result that it shows twice is told of once", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began.Add(-time.Minute), began.Add(time.Hour))
		if got := s.schedule.listed(query{ids: []string{"0"}}, 0, []*client.Result{s.result(0), s.result(0)}, nil, began); len(got) != 1 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a verdict that has no models anywhere is no sign that it keeps them back", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for range 2 {
			s.submit(began.Add(-time.Minute), began)
		}
		bare := s.result(0)
		bare.Models = nil
		s.schedule.listed(query{ids: []string{"0", "1"}}, 0, []*client.Result{bare, s.result(1)}, nil, began)
		s.schedule.fetched(query{page: singlePage, ids: []string{"0"}}, bare, nil, began)
		s.submit(began.Add(-time.Minute), began)
		if got := s.schedule.page(s.schedule.watched["2"], began); got != 0 {
			t.Errorf("the next is looked for on page %d", got)
		}
	})
	t.Run("foreign results before ours do not hide ours", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for i := range 20 {
			s.submit(began.Add(time.Duration(i-60)*time.Second), began.Add(time.Hour))
		}
		foreign := func(n int) (page []*client.Result) {
			for range n {
				page = append(page, &client.Result{RequestID: "foreign"})
			}
			return page
		}
		q, _, _ := s.schedule.next(began)
		page := foreign(90)
		for i := 19; i >= 10; i-- { // then the page is full
			page = append(page, s.result(i))
		}
		s.schedule.listed(q, 0, page, nil, began)
		if got := s.schedule.page(s.schedule.watched["19"], began); got != 0 {
			t.Errorf("the newest is looked for on page %d", got)
		}
		w := s.schedule.watched["0"]
		s.schedule.fetched(query{page: singlePage, ids: []string{"0"}}, s.result(0), nil, began)
		if got := s.schedule.page(w, began); got != 1 {
			t.Errorf("the oldest is looked for on page %d", got)
		}
	})
}

func TestFaultsOfALook(t *testing.T) {
	passing := &client.Error{Kind: client.KindNetwork}
	t.Run("one that may pass is asked again", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began.Add(-time.Minute), began)
		q, _, _ := s.schedule.next(began)
		got := s.schedule.fetched(q, nil, passing, began)
		if len(got) != 1 || !errors.Is(got[0].Delay, passing) || got[0].Failed != nil {
			t.Errorf("got %+v", got)
		}
		if _, wait, ok := s.schedule.next(began); ok || wait < time.Second {
			t.Errorf("asked again in %v", wait)
		}
	})
	t.Run("one of a page holds back its results alone", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		for range pageWorth {
			s.submit(began.Add(-time.Minute), began)
		}
		q, _, _ := s.schedule.next(began)
		if got := s.schedule.listed(q, 0, nil, passing, began); len(got) != pageWorth {
			t.Errorf("got %+v", got)
		}
		s.run()
		if len(s.lags) != pageWorth {
			t.Errorf("%d became final", len(s.lags))
		}
	})
	t.Run("429 slows all down", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "40")
			w.WriteHeader(http.StatusTooManyRequests)
		}))
		defer server.Close()
		pacer := client.NewPacer(client.DefaultPace, client.DefaultBurst)
		c, err := client.New(client.Options{BaseURL: server.URL, Attempts: 1, Pacer: pacer, Now: func() time.Time { return began }})
		assert.NoError(t, err)
		defer c.Close()
		s := newSimulation(t, c.Pacer())
		s.submit(began.Add(-time.Minute), began)
		s.submit(began.Add(-time.Minute), began)
		q, _, _ := s.schedule.next(began)
		_, err = c.Result(t.Context(), q.ids[0])
		if !client.IsKind(err, client.KindBusy) {
			t.Fatal(err)
		}
		s.schedule.fetched(q, nil, err, began)
		if _, wait, ok := s.schedule.next(began); ok || wait != 40*time.Second {
			t.Errorf("the other one is asked for in %v", wait)
		}
	})
	t.Run("time without a network does not count to the hour that a result is waited for", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began, began.Add(24*time.Hour))
		for at := began; at.Before(began.Add(3 * time.Hour)); at = at.Add(time.Minute) {
			if got := s.schedule.fetched(query{page: singlePage, ids: []string{"0"}}, nil, passing, at); len(got) != 1 || got[0].Failed != nil {
				t.Fatalf("given up %v after its upload: %+v", at.Sub(began), got)
			}
		}
	})
	t.Run("R5 the service is given up after an hour", func(t *testing.T) {
		s := newSimulation(t, new(client.Pacer))
		s.submit(began, began.Add(24*time.Hour))
		var last []Outcome
		s.service = func(s *simulation, q query) []Outcome {
			last = s.answer(q)
			return last
		}
		s.run()
		if waited := s.now.Sub(began); last[0].Failed == nil || waited < time.Hour || waited > time.Hour+time.Minute {
			t.Errorf("after %v: %+v", waited, last)
		}
	})
}
