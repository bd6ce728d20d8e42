package poll_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/intake/poll"
)

// fixture is a poller and the service that it asks, on a clock on which each wait passes at once.
type fixture struct {
	*poll.Poller
	t      *testing.T
	answer func(id string) (*client.Result, error) // to a request for one result
	list   func() ([]*client.Result, error)        // to one for the list; nil: it is refused
	told   chan string                             // what comes of a result, in a word

	mu    sync.Mutex
	now   time.Time
	asked []string // request IDs, "list" for the list
}

func setup(t *testing.T, answer func(id string) (*client.Result, error)) *fixture {
	f := &fixture{t: t, answer: answer, told: make(chan string, 100), now: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	f.Poller = poll.New(poll.Params{Service: f, Shortest: 2 * time.Second, Longest: 30 * time.Second, Jitter: func() float64 { return 0.5 },
		Pacer: new(client.Pacer), Now: f.Now, Wait: f.Wait})
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.Run(ctx)
	}()
	t.Cleanup(func() {
		end()
		<-ended
	})
	return f
}

func (f *fixture) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) Wait(ctx context.Context, d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
	return ctx.Err()
}

func (f *fixture) note(asked string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, asked)
}

func (f *fixture) Result(_ context.Context, id string) (*client.Result, error) {
	f.note(id)
	return f.answer(id)
}

func (f *fixture) List(context.Context, client.ListQuery) ([]*client.Result, error) {
	f.note("list")
	if f.list != nil {
		return f.list()
	}
	return nil, &client.Error{Op: "t", Kind: client.KindRefused, Status: 400}
}

// wait waits for results from now on, and returns what ends that.
func (f *fixture) wait(concernsAll func(error) bool, ids ...string) (end context.CancelFunc) {
	ctx, end := context.WithCancel(f.t.Context())
	for _, id := range ids {
		f.Add(&poll.Result{Context: ctx, ID: id, RequestID: id, Uploaded: f.Now().Add(-time.Minute), Failed: concernsAll, Report: func(o poll.Outcome) {
			word := "goes on"
			switch {
			case o.Final:
				word = "final"
			case o.Failed != nil:
				word = "failed"
			case o.Delay != nil:
				word = "delayed"
			}
			select {
			case f.told <- id + " " + word:
			case <-f.t.Context().Done(): // nobody listens any more
			}
		}})
	}
	return end
}

func nothing(error) bool { return false }

func status(s client.Status) (*client.Result, error) { return &client.Result{OverallStatus: s}, nil }

func (f *fixture) tells(want ...string) {
	f.t.Helper()
	var got []string
	for range want {
		got = append(got, <-f.told)
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		f.t.Errorf("it tells %v, want %v", got, want)
	}
}

func TestPoller(t *testing.T) {
	t.Run("asks until a result is final", func(t *testing.T) {
		looks := 0
		f := setup(t, func(string) (*client.Result, error) {
			if looks++; looks < 3 {
				return status(client.Analyzing)
			}
			return status(client.Fake)
		})
		f.wait(nothing, "one")
		f.tells("one goes on")
		f.tells("one goes on")
		f.tells("one final")
	})
	t.Run("says why it waits, and asks again", func(t *testing.T) {
		looks := 0
		f := setup(t, func(string) (*client.Result, error) {
			if looks++; looks < 2 {
				return nil, &client.Error{Op: "t", Kind: client.KindBusy, Status: 503}
			}
			return status(client.Fake)
		})
		f.wait(nothing, "one")
		f.tells("one delayed")
		f.tells("one final")
	})
	t.Run("gives up what is refused", func(t *testing.T) {
		f := setup(t, func(string) (*client.Result, error) {
			return nil, &client.Error{Op: "t", Kind: client.KindRefused, Status: 400}
		})
		f.wait(nothing, "one")
		f.tells("one failed")
	})
	t.Run("makes four requests at once, and not a fifth", func(t *testing.T) {
		asked, release := make(chan string, 10), make(chan struct{})
		f := setup(t, func(id string) (*client.Result, error) {
			asked <- id
			<-release
			return status(client.Fake)
		})
		f.wait(nothing, "a", "b", "c", "d", "e")
		for range 4 {
			<-asked
		}
		if len(asked) != 0 {
			t.Error("a fifth is under way")
		}
		close(release)
		f.tells("a final", "b final", "c final", "d final", "e final")
	})
	t.Run("tells nothing of an error that concerns all, and asks again what is added again", func(t *testing.T) {
		refused := errors.New("no key")
		looks := 0
		f := setup(t, func(string) (*client.Result, error) {
			if looks++; looks == 1 {
				return nil, refused
			}
			return status(client.Fake)
		})
		over := make(chan struct{})
		f.wait(func(err error) bool {
			if !errors.Is(err, refused) {
				return false
			}
			f.Remove("one") // as one does who halts everything
			close(over)
			return true
		}, "one")
		<-over
		f.wait(nothing, "one")
		f.tells("one final")
	})
	t.Run("tells nothing of what was removed while it was asked", func(t *testing.T) {
		asked, release := make(chan struct{}, 10), make(chan struct{})
		f := setup(t, func(id string) (*client.Result, error) {
			if id == "one" {
				asked <- struct{}{}
				<-release
			}
			return status(client.Fake)
		})
		end := f.wait(nothing, "one")
		<-asked
		f.Remove("one")
		end()
		close(release)
		f.wait(nothing, "two")
		f.tells("two final")
	})
	t.Run("asks again for what was given up and added again while it was asked", func(t *testing.T) {
		var f *fixture
		var end context.CancelFunc
		given, looks := make(chan struct{}), 0
		f = setup(t, func(string) (*client.Result, error) {
			if looks++; looks > 1 {
				return status(client.Fake)
			}
			<-given
			end()
			f.wait(nothing, "one")
			return nil, &client.Error{Op: "t", Kind: client.KindRefused, Status: 400}
		})
		end = f.wait(nothing, "one")
		close(given)
		f.tells("one final")
	})
	t.Run("tells nothing to who has gone while the list was asked", func(t *testing.T) {
		gate := make(chan struct{})
		f := setup(t, func(string) (*client.Result, error) {
			<-gate
			return status(client.Fake)
		})
		f.wait(nothing, "w", "x", "y", "z") // all requests that are made at once
		gone := f.wait(nothing, "0")
		f.list = func() (page []*client.Result, err error) {
			gone()
			for i := range 6 {
				page = append(page, &client.Result{RequestID: fmt.Sprint(i), OverallStatus: client.Analyzing})
			}
			return page, nil
		}
		f.wait(nothing, "1", "2", "3", "4", "5")
		close(gate)
		var told []string
		for range 14 { // of the nine others, the five of the page twice
			told = append(told, <-f.told)
		}
		if slices.ContainsFunc(told, func(s string) bool { return s[0] == '0' }) {
			t.Errorf("it tells %v", told)
		}
	})
	t.Run("asks for six that are due by the list, and for each where that is refused", func(t *testing.T) {
		gate := make(chan struct{})
		f := setup(t, func(string) (*client.Result, error) {
			<-gate
			return status(client.Fake)
		})
		f.wait(nothing, "w", "x", "y", "z") // all requests that are made at once
		var ids, want []string
		for i := range 6 {
			ids = append(ids, fmt.Sprint(i))
			want = append(want, fmt.Sprintf("%d final", i))
		}
		f.wait(nothing, ids...)
		close(gate)
		f.tells(append(want, "w final", "x final", "y final", "z final")...)
		f.mu.Lock()
		defer f.mu.Unlock()
		if !slices.Contains(f.asked, "list") || len(f.asked) != 11 {
			t.Errorf("it asked for %v", f.asked)
		}
	})
}
