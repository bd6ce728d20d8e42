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

	"assay/client/pull"
	"assay/client/store"
	"assay/client/submission"
)

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
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	inbox, err := kept.Inbox(t.Context())
	if err != nil || len(inbox) != 0 {
		t.Errorf("%d stand in the inbox, %v", len(inbox), err)
	}
	for _, row := range rows {
		answers, err := kept.Answers(t.Context(), []string{row.ID})
		if r := answers[row.ID]; err != nil || r == nil || r.RequestID != row.RequestID || r.Status() != row.Status {
			t.Errorf("%s: its answer is %+v, %v", row.Name, r, err)
		}
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
		if diff := cmp.Diff(newestFirst(23), rowNames(rows)); diff != "" {
			t.Errorf("pull %d: the results, the newest first (-want +got):\n%s", n+1, diff)
		}
		for _, row := range rows {
			if row.Source != submission.Service || row.Type != "TEXT" || row.Answered.IsZero() || row.RequestID == "" {
				t.Errorf("%+v", row)
			}
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
	if err != nil {
		t.Fatal(err)
	}
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
			if err != nil {
				t.Fatal(err)
			}
			err = child.Wait()
			select {
			case <-killed:
			default:
				t.Fatalf("it ended before it was killed: %v", err)
			}
			if diff := cmp.Diff(newestFirst(23), rowNames(pullInto(t, w.address, w.box.Key(), folder))); diff != "" {
				t.Errorf("the results (-want +got):\n%s", diff)
			}
			w.queries()
		})
	}
}

// A link that another device submitted comes with its address, under which it is known here from now on.
func TestALinkFromElsewhere(t *testing.T) {
	kept, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := listed(t, func(*http.Request) (int, string) {
		return 200, `[{"requestId":"a","overallStatus":"FAKE","socialLink":"https://X.com","uploadedDate":"2026-03-01T12:00:00Z"}]`
	})
	newPuller(t, pull.Params{Client: c, Store: kept}).pulled()
	sub, ok, err := kept.ByContent(t.Context(), submission.SameLink("https://x.com/"))
	if !ok || err != nil || sub.RequestID != "a" || !strings.EqualFold(sub.Name, "x.com") {
		t.Errorf("%+v, %v, %v", sub, ok, err)
	}
}
