package pull_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// gate holds the service's analyses until it is opened.
type gate struct {
	way  chan struct{}
	once sync.Once
}

func newGate() *gate { return &gate{way: make(chan struct{})} }

func (g *gate) open() { g.once.Do(func() { close(g.way) }) }

func (g *gate) options() sandbox.Options {
	return sandbox.Options{Hold: func(ctx context.Context, _, _ string) {
		select {
		case <-g.way:
		case <-ctx.Done():
		}
	}}
}

func TestAPullThatIsKilled(t *testing.T) {
	w := setup(t)
	w.upload(23, 20*time.Hour)
	w.settle()
	whole := newMemory()
	w.puller(whole).pulled()
	if len(whole.subs) != 23 {
		t.Fatalf("%d came without a kill", len(whole.subs))
	}
	for killAt := 1; killAt <= whole.calls; killAt++ {
		for _, carryOut := range []bool{false, true} {
			t.Run(fmt.Sprintf("goes on where it stood, none lost, none doubled: at call %d to the store, carried out: %v", killAt, carryOut), func(t *testing.T) {
				store := newMemory()
				store.killAt, store.carryOut = killAt, carryOut
				first := w.puller(store)
				first.Start()
				if s := first.ended(); s.Phase != pull.Failed || !strings.Contains(s.Problem.String(), "disk") {
					t.Fatalf("it ended as %+v", s)
				}
				first.Close()
				store.killAt = 0
				w.puller(store).pulled()
				diff := cmp.Diff(numbered(0, 23), store.names())
				assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
			})
		}
	}
}

func TestAPullThatIsKilledBeforeTheServiceIsDone(t *testing.T) {
	gate := newGate()
	defer gate.open()
	w := setupWith(t, gate.options())
	w.upload(12, 20*time.Hour)
	whole := newMemory()
	w.puller(whole).pulled()
	for killAt := 1; killAt <= whole.calls; killAt++ {
		for _, carryOut := range []bool{false, true} {
			t.Run(fmt.Sprintf("hands each over once: at call %d to the store, carried out: %v", killAt, carryOut), func(t *testing.T) {
				store := newMemory()
				store.killAt, store.carryOut = killAt, carryOut
				first := w.puller(store)
				first.Start()
				if s := first.ended(); s.Phase != pull.Failed {
					t.Fatalf("it ended as %+v", s)
				}
				store.killAt = 0
				first.pulled()
				diff := cmp.Diff(numbered(0, 12), store.names())
				assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
			})
		}
	}
}

func TestAPullThatIsBrokenOff(t *testing.T) {
	t.Run("asks from the oldest date that it reached, not from the newest again", func(t *testing.T) {
		w, store := setup(t, "list:500@4-6"), newMemory() // three attempts at the fourth page
		w.upload(23, 24*time.Hour)                        // from 14 March to 5 April, 15 of them on three pages: down to 22 March
		w.settle()
		p := w.puller(store)
		p.Start()
		s := p.ended()
		if s.Phase != pull.Failed || s.Added != 15 || s.Problem.IsZero() || len(store.subs) != 15 {
			t.Fatalf("it ended as %+v", s)
		}
		w.queries()
		w.upload(2, 24*time.Hour)
		w.settle()
		if s := p.pulled(); s.Added != 10 || !s.Problem.IsZero() {
			t.Errorf("then it tells of %+v", s)
		}
		asked := w.queries()
		assert.True(t, strings.HasPrefix(asked[0], "/0?endDate=2026-03-24&size=5"), "it asked %s", asked[0])
		last := asked[len(asked)-1]
		assert.True(t, strings.Contains(last, "startDate=2026-04-04"), "what came meanwhile was asked for by %s", last)
		diff := cmp.Diff(numbered(0, 25), store.names())
		assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
	})
	t.Run("a fault that passes is waited out", func(t *testing.T) {
		w, store := setup(t, "list:503@2", "list:reset@4", "list:truncate@6"), newMemory()
		w.upload(12, 24*time.Hour)
		w.settle()
		s := w.puller(store).pulled()
		assert.True(t, s.Added == 12, "it tells of %+v", s)
	})
	t.Run("a key that is not accepted is said", func(t *testing.T) {
		w, store := setup(t, "list:401"), newMemory()
		p := w.puller(store)
		p.Start()
		s := p.ended()
		assert.True(t, s.Phase == pull.Failed && (strings.Contains(s.Problem.String(), "key") || strings.Contains(s.Problem.String(), "asked to answer 401")),
			"it ended as %+v", s)
	})
	t.Run("a list that does not begin with the newest is gone through from its beginning", func(t *testing.T) {
		clock, store := newClock(), newMemory()
		d := &dated{count: 57, most: 100, turned: true, filter: true}
		fail := true
		c := listed(t, func(r *http.Request) (int, string) {
			if !strings.Contains(r.URL.Path, "/pages/") {
				return 404, ``
			}
			page, size := 0, 10
			_, _ = fmt.Sscanf(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:], "%d", &page)
			if fail && page == 3 {
				return 500, ``
			}
			q := r.Clone(r.Context())
			q.URL.Path = "/"
			_, all := d.answer(q)
			entries := strings.Split(strings.Trim(all, "[]"), "},")
			var part []string
			for n, e := range entries {
				if e != "" && n/size == page {
					part = append(part, strings.TrimSuffix(e, "}")+"}")
				}
			}
			return 200, "[" + strings.Join(part, ",") + "]"
		})
		p := newPuller(t, pull.Params{Client: c, Store: store, Now: clock.Now})
		p.Start()
		if s := p.ended(); s.Phase != pull.Failed || s.Added != 30 {
			t.Fatalf("it ended as %+v", s)
		}
		fail = false
		p.pulled()
		assert.True(t, len(store.subs) == 57 && len(store.doubled) == 0, "%d came, doubled %v", len(store.subs), store.doubled)
	})
	t.Run("what is handed over to be waited for is so before the pull goes on", func(t *testing.T) {
		gate := newGate()
		defer gate.open()
		w, store := setupWith(t, gate.options(), "list:500@3-5"), newMemory()
		w.upload(12, 24*time.Hour)
		p := w.puller(store, func(o *pull.Params) {
			o.OnUnfinished = func(ctx context.Context, subs []submission.Submission) error {
				store.mu.Lock()
				assert.True(t, !strings.Contains(store.facts["pull"], subs[0].Accepted.Format(time.RFC3339)), "the progress was written down before")
				store.mu.Unlock()
				return store.adopt(ctx, subs)
			}
		})
		p.Start()
		if s := p.ended(); s.Phase != pull.Failed || s.Unfinished != 10 {
			t.Fatalf("it ended as %+v", s)
		}
		p.pulled()
		diff := cmp.Diff(numbered(0, 12), store.names())
		assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
	})
}

func TestStop(t *testing.T) {
	t.Run("ends the pull under way, which Start goes on with", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(23, 24*time.Hour)
		w.settle()
		var p puller
		p = w.puller(store, func(o *pull.Params) {
			o.OnAdded = func([]submission.Submission) { p.Stop() }
		})
		stopped := 0
		for len(store.names()) < 23 && stopped < 30 {
			p.Start()
			if s := p.ended(); s.Phase != pull.Idle || !s.Problem.IsZero() || !s.Stopped {
				t.Fatalf("it ended as %+v with %d", s, len(store.names()))
			}
			stopped++
		}
		if s := p.pulled(); s.Stopped || stopped < 5 {
			t.Errorf("after %d stops it ended as %+v", stopped, s)
		}
		diff := cmp.Diff(numbered(0, 23), store.names())
		assert.True(t, diff == "" && len(store.doubled) == 0, "doubled %v (-want +got):\n%s", store.doubled, diff)
	})
	t.Run("Close ends it for good", func(t *testing.T) {
		w, store := setup(t), newMemory()
		w.upload(3, time.Hour)
		w.settle()
		p := w.puller(store)
		p.Start()
		p.Close()
		p.Start()
		s := p.State()
		assert.True(t, s.Phase != pull.Running, "it stands at %+v", s)
	})
}

// The child of TestKill9 is told by these where the service is and where its store lies.
const (
	childAddress = "PULL_TEST_ADDRESS"
	childKey     = "PULL_TEST_KEY"
	childFolder  = "PULL_TEST_FOLDER"
)

// pullInto pulls from a service into a real store, and returns what the store holds then.
func pullInto(t *testing.T, address, key, folder string) []store.Row {
	t.Helper()
	kept, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	defer func() {
		err := kept.Close()
		assert.True(t, err == nil, "%v", err)
	}()
	p := newPuller(t, pull.Params{Client: connect(t, address, func() string { return key }), Store: kept, Size: 5, OnUnfinished: func(_ context.Context, subs []submission.Submission) error {
		return fmt.Errorf("handed over: %v", names(subs))
	}})
	p.pulled()
	p.Close()
	if err := kept.VerifyCustody(t.Context()); err != nil {
		t.Errorf("the custody log: %v", err)
	}
	rows, _, err := kept.Page(t.Context(), store.Query{Order: store.Newest}, store.Cursor{}, 1000)
	assert.NoError(t, err)
	inbox, err := kept.Inbox(t.Context())
	assert.True(t, err == nil && len(inbox) == 0, "%d stand in the inbox, %v", len(inbox), err)
	for _, row := range rows {
		answers, err := kept.Answers(t.Context(), []string{row.ID})
		r := answers[row.ID]
		assert.True(t, err == nil && r != nil && r.RequestID == row.RequestID && r.Status() == row.Status, "%s: its answer is %+v, %v", row.Name, r, err)
	}
	return rows
}

func rowNames(rows []store.Row) []string {
	all := []string{}
	for _, row := range rows {
		all = append(all, row.Name)
	}
	return all
}

// newestFirst are the names of so many notes as the results list them.
func newestFirst(count int) []string {
	all := numbered(0, count)
	slices.Reverse(all)
	return all
}

func TestIntoTheStore(t *testing.T) {
	w := setup(t)
	w.upload(23, 20*time.Hour)
	w.settle()
	folder := t.TempDir()
	for n := range 2 {
		rows := pullInto(t, w.address, w.box.Key(), folder)
		diff := cmp.Diff(newestFirst(23), rowNames(rows))
		assert.True(t, diff == "", "pull %d: the results, the newest first (-want +got):\n%s", n+1, diff)
		for _, row := range rows {
			assert.True(t, row.Source == submission.Service && row.Type == "TEXT" && !row.Answered.IsZero() && row.RequestID != "", "%+v", row)
		}
	}
}

// TestKill9Child is the program that TestKill9 kills.
func TestKill9Child(t *testing.T) {
	if os.Getenv(childFolder) == "" {
		t.Skip("it runs as a child of TestKill9")
	}
	pullInto(t, os.Getenv(childAddress), os.Getenv(childKey), os.Getenv(childFolder))
}

func TestKill9(t *testing.T) {
	w := setup(t)
	w.upload(23, 20*time.Hour)
	w.settle()
	self, err := os.Executable()
	assert.NoError(t, err)
	for _, c := range []struct {
		request int  // of the list, from 1: when the program is killed
		after   bool // it has been answered
	}{{1, false}, {1, true}, {2, true}, {3, false}, {3, true}, {4, true}, {5, true}} {
		t.Run(fmt.Sprintf("killed at request %d, answered %v: none is lost, none is doubled", c.request, c.after), func(t *testing.T) {
			var mu sync.Mutex
			asked := 0
			killed := make(chan struct{})
			var child *exec.Cmd
			kill := func() {
				mu.Lock()
				defer mu.Unlock()
				close(killed)
				_ = child.Process.Kill()
			}
			server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked++
				now := asked == c.request
				mu.Unlock()
				if now && !c.after {
					kill()
					return
				}
				w.box.ServeHTTP(answer, r)
				if now {
					_ = http.NewResponseController(answer).Flush()
					kill()
				}
			}))
			defer server.Close()
			folder := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			mu.Lock()
			child = exec.CommandContext(ctx, self, "-test.run=^TestKill9Child$") //nolint:gosec // this very program
			child.Env = append(os.Environ(), childAddress+"="+server.URL, childKey+"="+w.box.Key(), childFolder+"="+folder)
			err := child.Start()
			mu.Unlock()
			assert.NoError(t, err)
			err = child.Wait()
			select {
			case <-killed:
			default:
				t.Fatalf("it ended before it was killed: %v", err)
			}
			assert.Equal(t, newestFirst(23), rowNames(pullInto(t, w.address, w.box.Key(), folder)))
			w.queries()
		})
	}
}

// A link that another device submitted comes with its address, under which it is known here from now on.
func TestALinkFromElsewhere(t *testing.T) {
	kept, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	assert.NoError(t, err)
	defer func() {
		err := kept.Close()
		assert.True(t, err == nil, "%v", err)
	}()
	c := listed(t, func(*http.Request) (int, string) {
		return 200, `[{"requestId":"a","overallStatus":"FAKE","socialLink":"https://X.com","uploadedDate":"2026-03-01T12:00:00Z"}]`
	})
	newPuller(t, pull.Params{Client: c, Store: kept}).pulled()
	sub, ok, err := kept.ByContent(t.Context(), submission.SameLink("https://x.com/"))
	assert.True(t, ok && err == nil && sub.RequestID == "a" && strings.EqualFold(sub.Name, "x.com"), "%+v, %v, %v", sub, ok, err)
}
