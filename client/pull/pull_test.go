package pull_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
	"assay/client/pull"
	"assay/client/submission"
)

func TestPull(t *testing.T) {
	t.Run("all that is on the service comes here, each once, as what it is", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(12, time.Hour)
		w.settle()
		s := w.puller(store).pulled()
		if diff := cmp.Diff(numbered(0, 12), store.names()); diff != "" || len(store.doubled) != 0 {
			t.Errorf("doubled %v (-want +got):\n%s", store.doubled, diff)
		}
		assert.True(t, s.Found == 12 && s.Added == 12 && s.Unfinished == 0 && s.Skipped == 0 && s.Problem.IsZero(), "it tells of %+v", s)
		subs := slices.SortedFunc(maps.Values(store.subs), byDate)
		for i, sub := range subs {
			r, err := w.Result(t.Context(), sub.RequestID)
			assert.NoError(t, err)
			uploaded, _ := r.Uploaded()
			want := submission.Submission{
				ID: sub.ID, Key: sub.Key, Name: noteName(i), Source: submission.Service, Gate: submission.GateSend, State: submission.Done, Step: submission.Answered, Filed: true,
				Type: client.Text, RequestID: r.RequestID, Result: sub.Result, Accepted: uploaded, Uploaded: uploaded, Answered: w.clock.Now(),
			}
			diff := cmp.Diff(want, sub, byRaw)
			assert.True(t, diff == "" && sub.ID != "", "note %d (-want +got):\n%s", i, diff)
			assert.True(t, sub.Result.Status() == r.Status() && len(sub.Result.Raw) != 0, "note %d: its result is %s, kept as %s", i, r.Status(), sub.Result.Raw)
		}
	})
	t.Run("what is known here stays as it is, answered or not", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(3, time.Hour)
		w.settle()
		first := w.puller(store)
		first.pulled()
		store.mu.Lock()
		for id, sub := range store.subs {
			sub.State, sub.Result, sub.Name = submission.Analysing, nil, "ours, "+sub.Name
			store.subs[id] = sub
		}
		before := maps.Clone(store.subs)
		store.mu.Unlock()
		p := w.puller(store, func(o *pull.Params) {
			o.OnUnfinished = func(_ context.Context, subs []submission.Submission) error {
				return fmt.Errorf("handed over: %v", names(subs))
			}
		})
		p.Start()
		s := p.ended()
		assert.True(t, s.Phase == pull.Idle && s.Found == 3 && s.Added == 0, "it tells of %+v", s)
		assert.Equal(t, before, store.subs, byRaw)
	})
	t.Run("what the service still works on is handed over to be waited for, and not filed", func(t *testing.T) {
		gate := newGate()
		w, store := setupWith(t, gate.options()), newMemory()
		w.upload(3, time.Hour)
		p := w.puller(store)
		s := p.pulled()
		if s.Unfinished != 3 || s.Added != 0 || len(store.subs) != 3 {
			t.Fatalf("it tells of %+v", s)
		}
		for _, sub := range store.subs {
			assert.True(t, sub.State == submission.Analysing && sub.Step == submission.Polling && !sub.Filed && sub.Answered.IsZero() && sub.RequestID != "" && sub.ID != "",
				"%+v", sub)
		}
		gate.open()
		w.settle()
		if s := p.pulled(); s.Unfinished != 0 || s.Added != 0 || s.Found != 3 || len(store.doubled) != 0 {
			t.Errorf("the second pull tells of %+v, doubled %v", s, store.doubled)
		}
	})
	t.Run("what a submission on its way here may be waiting for is left to it", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(3, time.Hour)
		w.settle()
		w.puller(store, func(o *pull.Params) {
			o.Claimed = func(r *client.Result) bool { return r.OriginalFileName == plain.From(noteName(1)) }
		}).pulled()
		assert.Equal(t, []string{noteName(0), noteName(2)}, store.names())
		w.puller(store).pulled()
		if diff := cmp.Diff(numbered(0, 3), store.names()); diff != "" {
			t.Errorf("the next time (-want +got):\n%s", diff)
		}
	})
	t.Run("a result whose links have expired is kept as sent", func(t *testing.T) {
		w, store := setup(t, "list:expired"), newMemory()
		w.upload(1, time.Hour)
		w.settle()
		w.puller(store).pulled()
		for _, sub := range store.subs {
			assert.True(t, strings.Contains(string(sub.Result.Raw), sub.Result.StorageLocation) && sub.Result.StorageLocation != "", "kept: %s", sub.Result.Raw)
		}
	})
	for _, shape := range []string{"list:bare-list", "list:old-list", "list:pages-from-1"} {
		t.Run("all comes, whatever the list's form: "+shape, func(t *testing.T) {
			w, store := setup(t, shape), newMemory()
			w.upload(23, 7*time.Hour)
			w.settle()
			w.puller(store).pulled()
			diff := cmp.Diff(numbered(0, 23), store.names())
			assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
		})
	}
	t.Run("uploads of the meantime shift the pages and lose nothing that was there", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(23, 7*time.Hour)
		w.settle()
		added := 0
		p := w.puller(store, func(o *pull.Params) {
			o.OnAdded = func([]submission.Submission) {
				if added++; added == 2 {
					w.upload(3, time.Hour)
				}
			}
		})
		p.pulled()
		got := store.names()
		assert.True(t, subset(numbered(0, 23), got) && len(store.doubled) == 0, "got %v, doubled %v", got, store.doubled)
		w.settle()
		p.pulled()
		diff := cmp.Diff(numbered(0, 26), store.names())
		assert.True(t, diff == "" && len(store.doubled) == 0, "the next time, doubled %v (-want +got):\n%s", store.doubled, diff)
	})
	t.Run("the next pull asks from the day before the newest on, all again only when told", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(23, 24*time.Hour) // from 14 March to 5 April
		w.settle()
		p := w.puller(store)
		p.pulled()
		w.queries()
		w.upload(2, 24*time.Hour) // to 7 April
		w.settle()
		if s := p.pulled(); s.Added != 2 || s.Found != 4 { // of 4 to 7 April
			t.Errorf("it tells of %+v", s)
		}
		for _, q := range w.queries() {
			assert.True(t, strings.Contains(q, "startDate=2026-04-04"), "asked %s", q)
		}
	})
	t.Run("another account begins from the beginning", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(3, 240*time.Hour)
		w.settle()
		of := func(account string) func(*pull.Params) { return func(o *pull.Params) { o.Account = account } }
		w.puller(store, of("one")).pulled()
		if s := w.puller(store, of("one")).pulled(); s.Found != 1 {
			t.Errorf("the same: %+v", s)
		}
		if s := w.puller(store, of("two")).pulled(); s.Found != 3 {
			t.Errorf("another: %+v", s)
		}
	})
	t.Run("nothing on the service is nothing here", func(t *testing.T) {
		w, store := setup(t), newMemory()
		s := w.puller(store).pulled()
		assert.True(t, s.Found == 0 && len(w.queries()) == 1, "it tells of %+v", s)
	})
}

// listed is a service that answers lists of these entries, whatever is asked for.
func listed(t *testing.T, entries func(r *http.Request) (status int, body string)) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := entries(r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // a client that is gone needs none
	}))
	t.Cleanup(server.Close)
	return connect(t, server.URL, func() string { return "key" })
}

func TestOddEntries(t *testing.T) {
	clock := newClock()
	now := clock.Now()
	pulled := func(t *testing.T, entries string) (map[string]submission.Submission, pull.State) {
		t.Helper()
		store := newMemory()
		c := listed(t, func(*http.Request) (int, string) {
			return 200, `{"totalPages":1,"currentPage":0,"mediaList":[` + entries + `]}`
		})
		s := newPuller(t, pull.Params{Client: c, Store: store, Now: clock.Now, OnUnfinished: store.adopt}).pulled()
		return store.subs, s
	}
	t.Run("an identifier that appears twice is one submission, the first", func(t *testing.T) {
		got, s := pulled(t, `{"requestId":"a","originalFileName":"one.jpg","overallStatus":"FAKE"},{"requestId":"a","originalFileName":"two.jpg","overallStatus":"FAKE"}`)
		assert.True(t, len(got) == 1 && got["a"].Name == "one.jpg" && s.Found == 1 && s.Added == 1, "%+v, %+v", got, s)
	})
	t.Run("an entry without an identifier is skipped and counted, what is no entry is none", func(t *testing.T) {
		got, s := pulled(t, `null,7,{"filename":"x.jpg","overallStatus":"FAKE"},{"filename":"y.jpg"},{"requestId":"a","overallStatus":"FAKE"}`)
		assert.True(t, len(got) == 1 && s.Found == 1 && s.Added == 1 && s.Skipped == 2, "%+v, %+v", got, s)
	})
	for _, date := range []string{``, `"uploadedDate":"yesterday",`, `"uploadedDate":12,`, `"uploadedDate":"0001-01-01T00:00:00Z",`, `"uploadedDate":"1970-01-01T00:00:00Z",`} {
		t.Run("a date that is none leaves the present one: "+date, func(t *testing.T) {
			got, _ := pulled(t, `{`+date+`"requestId":"a","overallStatus":"FAKE"}`)
			sub := got["a"]
			assert.True(t, sub.Accepted.Equal(now) && sub.Uploaded.IsZero() && sub.Answered.Equal(now), "%+v", sub)
		})
	}
	t.Run("a date to come does not put a result before all others", func(t *testing.T) {
		got, _ := pulled(t, `{"uploadedDate":"2099-01-01T00:00:00Z","requestId":"a","overallStatus":"FAKE"}`)
		sub := got["a"]
		assert.True(t, sub.Accepted.Equal(now) && sub.Uploaded.Year() == 2099, "%+v", sub)
	})
	t.Run("a date to come does not hide what is uploaded until then", func(t *testing.T) {
		var since string
		c := listed(t, func(r *http.Request) (int, string) {
			since = r.URL.Query().Get("startDate")
			return 200, `{"totalPages":1,"currentPage":0,"mediaList":[{"uploadedDate":"2099-01-01T00:00:00Z","requestId":"a","overallStatus":"FAKE"}]}`
		})
		store := newMemory()
		for range 2 {
			newPuller(t, pull.Params{Client: c, Store: store, Now: clock.Now}).pulled()
		}
		assert.True(t, since == "2026-03-13", "it asked from %q on", since)
	})
	for _, c := range []struct{ what, entry, name, link string }{
		{"its own name", `"originalFileName":"Día 1.jpg","filename":"D_a_1.jpg"`, "Día 1.jpg", ""},
		{"the upload's where it has none", `"originalFileName":" ","filename":"D_a_1.jpg"`, "D_a_1.jpg", ""},
		{"its identifier where there is no name", `"filename":null`, "a", ""},
		{"made safe for the screen", `"originalFileName":"a\u202egpj.exe\n2"`, "a\ufffdgpj.exe\ufffd2", ""},
		{"a link's", `"originalFileName":"clip.mp4","socialLink":"https://x.com/p/1?a=b"`, "x.com/p/1?a=b", "https://x.com/p/1?a=b"},
		{"what only calls itself a link is none", `"socialLink":"javascript:alert(1)"`, "javascript:alert(1)", ""},
	} {
		t.Run("a result is named by "+c.what, func(t *testing.T) {
			got, _ := pulled(t, `{`+c.entry+`,"requestId":"a","overallStatus":"FAKE"}`)
			sub := got["a"]
			assert.True(t, sub.Name == c.name && sub.Link == c.link, "named %q, link %q", sub.Name, sub.Link)
		})
	}
	t.Run("an unknown status and a running model are not the end", func(t *testing.T) {
		got, s := pulled(t, `{"requestId":"a","overallStatus":"PROCESSING"},{"requestId":"b","overallStatus":"FAKE","models":[{"name":"m","status":"ANALYZING"}]}`)
		assert.True(t, s.Unfinished == 2 && s.Added == 0 && got["a"].State == submission.Analysing && got["b"].State == submission.Analysing, "%+v, %+v", got, s)
	})
}

// dated is a service with so many results, a day between two, the newest first unless it begins in the middle. It keeps to dates
// or not, and answers at most so many, without pages.
type dated struct {
	count, most    int
	turned, filter bool
	total          bool // it says how many there are
	asked          []string
}

func (d *dated) answer(r *http.Request) (int, string) {
	if strings.Contains(r.URL.Path, "/pages/") {
		return 404, ``
	}
	since, until := r.URL.Query().Get("startDate"), r.URL.Query().Get("endDate")
	d.asked = append(d.asked, until)
	newest := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var entries []string
	total := 0
	for n := range d.count {
		if d.turned {
			n = (n + d.count*2/3) % d.count
		}
		at := newest.AddDate(0, 0, -n)
		if day := at.Format(time.DateOnly); d.filter && (until != "" && day > until || day < since) {
			continue
		}
		if total++; len(entries) < d.most {
			entries = append(entries, fmt.Sprintf(`{"requestId":"r%03d","overallStatus":"FAKE","uploadedDate":%q}`, n, at.Format(time.RFC3339)))
		}
	}
	list := "[" + strings.Join(entries, ",") + "]"
	if d.total {
		list = fmt.Sprintf(`{"totalItems":%d,"data":%s}`, total, list)
	}
	return 200, list
}

func TestAServiceWithoutPages(t *testing.T) {
	clock := newClock()
	start := func(t *testing.T, d *dated) (pull.State, *memory) {
		t.Helper()
		store := newMemory()
		p := newPuller(t, pull.Params{Client: listed(t, d.answer), Store: store, Now: clock.Now})
		p.Start()
		return p.ended(), store
	}
	for _, total := range []bool{true, false} {
		t.Run(fmt.Sprintf("P4 what a list leaves out is asked for by date, until nothing new comes: it tells the total %v", total), func(t *testing.T) {
			d := &dated{count: 57, most: 20, filter: true, total: total}
			s, store := start(t, d)
			assert.True(t, s.Phase == pull.Idle && len(store.subs) == 57 && len(store.doubled) == 0 && len(d.asked) <= 6,
				"%d came by %q, doubled %v, %+v", len(store.subs), d.asked, store.doubled, s)
		})
	}
	t.Run("P4 where dates don't help either, what is left out is said", func(t *testing.T) {
		d := &dated{count: 57, most: 20, total: true}
		s, store := start(t, d)
		assert.True(t, s.Phase == pull.Failed && strings.Contains(s.Problem.String(), "only the first 20 of 57") && len(store.subs) == 20,
			"%d came by %q, %+v", len(store.subs), d.asked, s)
	})
	t.Run("P4 a list that keeps to no date and is whole is not read again and again", func(t *testing.T) {
		d := &dated{count: 57, most: 100}
		s, store := start(t, d)
		assert.True(t, s.Phase == pull.Idle && len(store.subs) == 57 && len(d.asked) <= 2, "%d came by %q, %+v", len(store.subs), d.asked, s)
	})
}

func subset(part, whole []string) bool {
	for _, name := range part {
		if !slices.Contains(whole, name) {
			return false
		}
	}
	return true
}
