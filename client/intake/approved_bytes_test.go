package intake_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
)

func TestWhatWasAllowedAreThoseBytes(t *testing.T) {
	// rewritten puts other bytes into a file, of the same size and with the time set back.
	rewritten := func(t *testing.T, path string) {
		t.Helper()
		info, err := os.Stat(path)
		assert.NoError(t, err)
		data, err := os.ReadFile(path)
		assert.NoError(t, err)
		data[len(data)-20] ^= 1
		assert.NoError(t, os.WriteFile(path, data, 0o600))
		assert.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
	t.Run("a file that was rewritten since is held again", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		id := q.held(a)[0]
		before, _ := q.Get(id)
		rewritten(t, a)
		q.Approve(intake.ApproveOptions{}, id)
		q.when("it is held with the new bytes", func() bool {
			got, _ := q.Get(id)
			return got.State == submission.Held && got.SHA256 != before.SHA256
		})
		assert.True(t, q.shown(id).Allowed.IsZero() && q.store.row(id).Allowed.IsZero(), "%+v", q.shown(id))
		q.nothingAsked()
		q.Approve(intake.ApproveOptions{}, id)
		q.until(id, submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("also where it failed meanwhile, and over a restart; a copy of the old bytes is sent itself", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		b := copyOf(t, a, "b.png")
		id := q.held(a)[0]
		refused := refused("No.")
		q.server.fail("upload-url", refused, refused)
		q.Approve(intake.ApproveOptions{}, id)
		q.until(id, submission.Failed)
		follower := q.drop(b)[0]
		q.follows(follower, id)
		q.when("the copy has set it going again", func() bool { return q.server.asked("upload-url") == 2 })
		q.until(id, submission.Failed)
		q.Close()
		rewritten(t, a)
		q.open()
		q.Retry(id)
		q.until(id, submission.Held)
		got := q.until(follower, submission.Done)
		assert.True(t, got.Earlier == "", "%+v", got)
		q.wantSubmissions(1)
	})
	t.Run("one that was rewritten while it was sent is held again before it is sent again", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		id := q.held(a)[0]
		q.server.putting = func(*os.File) { q.server.putting = nil; rewritten(t, a) }
		q.Approve(intake.ApproveOptions{}, id)
		got := q.until(id, submission.Failed)
		assert.True(t, got.RequestID == "" && strings.Contains(got.Problem.String(), "changed"), "%+v", got)
		q.server.forgetCalls()
		q.Retry(id)
		q.until(id, submission.Held)
		q.nothingAsked()
	})
}

func TestWhatIsHeldStandsForNothing(t *testing.T) {
	for _, gate := range []submission.Gate{submission.GateAsk, submission.GateNever} {
		t.Run("a copy that is dropped by hand is sent beside one of "+string(gate), func(t *testing.T) {
			q := setup(t)
			a := pictureFile(t, "a.png", 1)
			id := q.arrive(gate, a)[0]
			held := q.until(id, submission.Held, submission.Stays).State
			b := q.until(q.drop(copyOf(t, a, "b.png"))[0], submission.Done)
			assert.True(t, b.Earlier == "", "%+v", b)
			assert.True(t, q.shown(id).State == held && q.shown(id).Earlier == "", "%+v", q.shown(id))
			q.reopen()
			q.Approve(intake.ApproveOptions{}, id)
			if gate == submission.GateAsk {
				got := q.until(id, submission.Done)
				assert.True(t, got.Earlier == b.ID, "it does not show the answer of those bytes: %+v", got)
			}
			q.wantSubmissions(1)
		})
	}
	t.Run("two of the same bytes are each asked for, and sent once", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		ids := q.held(a, copyOf(t, a, "b.png"))
		q.Approve(intake.ApproveOptions{}, ids...)
		q.untilEach(ids, submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("bytes that were answered before show that answer, for which nothing leaves", func(t *testing.T) {
		for _, c := range []string{"in the inbox", "among the results", "in an earlier run"} {
			t.Run(c, func(t *testing.T) {
				q := setup(t)
				a := pictureFile(t, "a.png", 1)
				first := q.drop(a)[0]
				q.until(first, submission.Done)
				if c != "in the inbox" {
					q.gone(first)
				}
				if c == "in an earlier run" {
					q.reopen()
				}
				q.server.forgetCalls()
				id := q.arrive(submission.GateAsk, copyOf(t, a, "b.png"))[0]
				got := q.until(id, submission.Done)
				assert.True(t, got.Earlier == first && got.Allowed.IsZero(), "%+v", got)
				never := q.arrive(submission.GateNever, copyOf(t, a, "c.png"))[0]
				q.until(never, submission.Stays)
				q.reopen()
				q.until(id, submission.Done)
				q.until(never, submission.Stays)
				q.nothingAsked()
			})
		}
	})
	t.Run("bytes that are on their way are asked for, and then show that answer", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		g := q.server.shut("put")
		first := q.drop(a)[0]
		<-g.reached
		id := q.held(copyOf(t, a, "b.png"))[0]
		q.Approve(intake.ApproveOptions{}, id)
		q.follows(id, first)
		g.release()
		q.until(id, submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("bytes that failed are not set going by one that waits for the person's word", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		q.server.fail("upload-url", refused("No."))
		first := q.drop(a)[0]
		q.until(first, submission.Failed)
		q.server.forgetCalls()
		q.held(copyOf(t, a, "b.png"))
		q.arrive(submission.GateNever, copyOf(t, a, "c.png"))
		q.until("arrival-c.png", submission.Stays)
		q.nothingAsked()
	})
}

func TestAHeldFileThatIsWrittenAgain(t *testing.T) {
	q := setup(t)
	path := pictureFile(t, "a.png", 1)
	arrive := func(id string) {
		t.Helper()
		if _, err := q.Accept(t.Context(), []intake.Input{{ID: id, Path: path, Folder: watchedFolder, Gate: submission.GateAsk}}, intake.Options{Source: submission.Watched}); err != nil {
			t.Fatal(err)
		}
	}
	arrive("first")
	q.until("first", submission.Held)
	other := q.held(pictureFile(t, "b.png", 90))[0]
	overwrite(t, path, pictureFile(t, "c.png", 60))
	arrive("second")
	q.until("second", submission.Held)
	assert.True(t, slices.Equal(q.Order(), []string{other, "second"}), "the inbox holds %v", q.Order())
	q.when("it is written down why the first is no more", func() bool {
		got := q.store.row("first")
		return got.State == submission.Cancelled && !got.Problem.IsZero()
	})
	arrive("third") // before the second, say, was looked at
	q.until("third", submission.Held)
	q.reopen()
	assert.True(t, slices.Equal(q.Order(), []string{other, "third"}), "after a restart the inbox holds %v", q.Order())
	q.Approve(intake.ApproveOptions{}, "first", "third")
	q.until("third", submission.Done)
	q.wantSubmissions(1)
}

func TestAHeldFileThatIsWrittenAgainBeforeACrash(t *testing.T) {
	q := setup(t)
	path := pictureFile(t, "a.png", 1)
	first := q.held(path)[0]
	q.Close()
	overwrite(t, path, pictureFile(t, "b.png", 60))
	// The last run ended when it had written down that there are newer bytes, and nothing else.
	second := intake.Input{ID: "second", Path: path, Folder: watchedFolder, Gate: submission.GateAsk}
	_, err := q.store.AddInto(t.Context(), "", []submission.Submission{{ID: second.ID, Path: path, Name: "a.png", Source: submission.Watched, Folder: watchedFolder,
		Gate: submission.GateAsk, State: submission.Waiting, Step: submission.Seen, Accepted: start}}, "")
	assert.NoError(t, err)
	q.open()
	assert.NoError(t, q.acceptWatched(second))
	q.until(second.ID, submission.Held)
	assert.True(t, slices.Equal(q.Order(), []string{second.ID}), "the inbox holds %v", q.Order())
	assert.NoError(t, q.acceptWatched(intake.Input{ID: first, Path: path, Folder: watchedFolder, Gate: submission.GateAsk}))
	assert.True(t, slices.Equal(q.Order(), []string{second.ID}), "what is named once more after it was replaced leaves %v", q.Order())
}

// gated is a process that gets two files of a watched folder, one of which the person allows to leave. It lives until it ends at
// a moment, or has done all of that where it is "".
func gated(t *testing.T, arrivals []intake.Input, ends moment) *life {
	t.Helper()
	l := newLife(unopened(t), ends)
	q := l.begin(l.process)
	if q.acceptWatched(arrivals...) == nil && l.reached(q, arrivals[0].ID, submission.Held) && l.reached(q, arrivals[1].ID, submission.Held, submission.Stays) {
		q.Approve(intake.ApproveOptions{}, arrivals[0].ID)
		l.reached(q, arrivals[0].ID, submission.Done)
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
				assert.NoError(t, q.acceptWatched(arrivals...)) // as the folder does that does not know whether they were taken
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
				n := len(q.Order())
				assert.True(t, n == 2, "%d in the inbox", n)
				q.Close()
				sent := l.server.submissions()
				assert.True(t, len(sent) == 1 && strings.HasPrefix(sent[0].name, "a"), "the service has %+v", sent)
			})
		}
	}
}
