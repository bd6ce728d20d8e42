package intake_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/intake"
	"assay/client/submission"
)

// gated is a process that gets two files of a watched folder, one of which the person allows to leave. It lives until it ends at
// a moment, or has done all of that where it is "".
func gated(t *testing.T, arrivals []intake.Input, ends moment) *life {
	t.Helper()
	c := newClock()
	w := newServer(c)
	l := &life{t: t, clock: c, server: w, process: newProcess(newMemory(), w, ends)}
	q := l.open(l.process)
	reached := func(id string, states ...submission.State) bool {
		for {
			if s, ok := q.Get(id); ok {
				for _, state := range states {
					if s.State == state {
						return true
					}
				}
			}
			select {
			case <-l.process.ended:
				return false
			case <-q.changes.Ready():
				q.changes.Take()
			case <-time.After(20 * time.Second):
				t.Fatalf("the moment %q never came: %v", ends, l.process.seen)
			}
		}
	}
	_, err := q.Accept(t.Context(), arrivals, intake.Options{Source: submission.Watched})
	if err == nil && reached(arrivals[0].ID, submission.Held) && reached(arrivals[1].ID, submission.Held, submission.Stays) {
		q.Approve(intake.ApproveOptions{}, arrivals[0].ID)
		reached(arrivals[0].ID, submission.Done)
	}
	q.Close()
	return l
}

func TestACrashAtAnyMomentSendsNothingThatWasNotAllowed(t *testing.T) {
	allowed, other := pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60)
	for _, gate := range []submission.Gate{submission.GateAsk, submission.GateNever} {
		arrivals := []intake.Input{
			{ID: "allowed", Path: allowed, Folder: filepath.Dir(allowed), Gate: submission.GateAsk},
			{ID: "other", Path: other, Folder: filepath.Dir(other), Gate: gate},
		}
		seen := gated(t, arrivals, "").process.seen
		for _, at := range seen {
			t.Run("beside one of "+string(gate)+", ended "+string(at), func(t *testing.T) {
				l := gated(t, arrivals, at)
				before := len(l.server.forgetCalls())
				q := l.again()
				must(t, q.acceptWatched(arrivals...)) // as the folder does that does not know whether they were taken
				got := q.until("allowed", submission.Held, submission.Done)
				if got.State == submission.Held {
					if after := l.server.forgetCalls(); before+len(after) > 0 {
						t.Errorf("before it was allowed the service was asked %d times and %v", before, after)
					}
					q.Approve(intake.ApproveOptions{}, "allowed")
				} else if kept := l.process.legacy.row("allowed"); kept.Allowed.IsZero() {
					t.Errorf("it was sent though nobody had allowed it: %+v", kept)
				}
				q.until("allowed", submission.Done)
				q.until("other", submission.Held, submission.Stays)
				if n := len(q.Order()); n != 2 {
					t.Errorf("%d in the inbox", n)
				}
				q.Close()
				sent := l.server.submissions()
				if len(sent) != 1 || !strings.HasPrefix(sent[0].name, "a") {
					t.Errorf("the service has %+v", sent)
				}
			})
		}
	}
}
