package intake_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/submission"
)

// watchedFolder is where arrivals come from in tests.
const watchedFolder = "/incoming"

// arrive hands files of a watched folder over.
func (f *fixture) arrive(gate submission.Gate, paths ...string) []string {
	f.t.Helper()
	var ids []string
	var arrivals []intake.Input
	for _, path := range paths {
		a := intake.Input{ID: "arrival-" + filepath.Base(path), Path: path, Folder: watchedFolder, Gate: gate}
		arrivals, ids = append(arrivals, a), append(ids, a.ID)
	}
	assert.NoError(f.t, f.acceptWatched(arrivals...))
	return ids
}

// acceptWatched hands files of watched folders over.
func (f *fixture) acceptWatched(arrivals ...intake.Input) error {
	_, err := f.Accept(f.t.Context(), arrivals, intake.Options{Source: submission.Watched})
	return err
}

// held hands files over that wait for the person's decision, and waits until they do.
func (f *fixture) held(paths ...string) []string {
	f.t.Helper()
	ids := f.arrive(submission.GateAsk, paths...)
	f.untilEach(ids, submission.Held)
	return ids
}

// decided waits until all that the person decided so far was carried out.
func (f *fixture) decided() {
	f.t.Helper()
	last := f.held(pictureFile(f.t, fmt.Sprintf("last-%d.png", len(f.Order())), 200))[0]
	f.Withhold(last)
	f.until(last, submission.Stays)
}

// nothingAsked says that the service has not heard of anything.
func (f *fixture) nothingAsked() {
	f.t.Helper()
	if calls := f.server.forgetCalls(); len(calls) > 0 {
		f.t.Errorf("the service was asked: %v", calls)
	}
}

// custodyEvents are what the custody log says that was done, in order.
func (f *fixture) custodyEvents() (all []string) {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	for _, event := range f.store.custodyEvents {
		if _, said, _ := strings.Cut(event, " "); said != "" {
			all = append(all, said)
		}
	}
	return all
}

func TestWhatMayNotLeaveIsLookedAtAndNothingMore(t *testing.T) {
	for _, c := range []struct {
		gate  submission.Gate
		state submission.State
		event string
		sums  intake.Totals
	}{
		{submission.GateAsk, submission.Held, "held for a decision", intake.Totals{All: 1, Held: 1, Unsent: 1}},
		{submission.GateNever, submission.Stays, "never leaves: by its folder", intake.Totals{All: 1, Ended: 1, Unsent: 1}},
		{"a gate of a later version", submission.Stays, "never leaves: by its folder", intake.Totals{All: 1, Ended: 1, Unsent: 1}},
	} {
		t.Run(string(c.gate), func(t *testing.T) {
			q := setup(t)
			a := pictureFile(t, "a.png", 1)
			id := q.arrive(c.gate, a)[0]
			got := q.until(id, c.state)
			assert.True(t, got.Step == submission.Settled && got.SHA256 != "" && got.Size != 0 && got.Type == client.Image && got.SendName != "", "it was not looked at: %+v", got)
			assert.True(t, got.Source == submission.Watched && got.Folder == watchedFolder && got.Path == a && got.Allowed.IsZero(), "%+v", got)
			kept := q.store.row(id)
			assert.True(t, kept.State == c.state && kept.SHA256 == got.SHA256, "on the disk it is %+v", kept)
			assert.True(t, slices.Equal(q.custodyEvents(), []string{c.event}), "the custody log says %v", q.custodyEvents())
			sums := q.Totals()
			assert.True(t, sums == c.sums && sums.Active() == 0, "%+v, %d active, want %+v", sums, sums.Active(), c.sums)
			q.nothingAsked()
		})
	}
	t.Run("one that can't be sent is refused at once", func(t *testing.T) {
		q := setup(t)
		empty := filepath.Join(t.TempDir(), "empty.png")
		assert.NoError(t, os.WriteFile(empty, nil, 0o600))
		for _, gate := range []submission.Gate{submission.GateAsk, submission.GateNever} {
			for _, path := range []string{empty, filepath.Join(t.TempDir(), string(gate)+".png")} {
				id := "arrival-" + string(gate) + path
				assert.NoError(t, q.acceptWatched(intake.Input{ID: id, Path: path, Folder: watchedFolder, Gate: gate}))
				q.until(id, submission.Refused)
			}
		}
		q.nothingAsked()
	})
	t.Run("many of them do not keep the others waiting", func(t *testing.T) {
		q := setup(t)
		folder := t.TempDir()
		var paths []string
		for n := range 100 { // more than a lane has places
			path := filepath.Join(folder, fmt.Sprintf("%d.txt", n))
			assert.NoError(t, os.WriteFile(path, []byte(strings.Repeat("one ", n+1)), 0o600))
			paths = append(paths, path)
		}
		q.held(paths...)
		q.nothingAsked()
		q.until(q.arrive(submission.GateSend, pictureFile(t, "sent.png", 1))[0], submission.Done)
		q.wantSubmissions(1)
	})
}

func TestWhatThePersonAllowsIsSent(t *testing.T) {
	t.Run("once that is on disk", func(t *testing.T) {
		q := setup(t)
		q.store.afterWrite(func(_ submission.Submission, event custody.Event) {
			if event == "allowed to leave" {
				q.nothingAsked()
			}
		})
		id := q.held(pictureFile(t, "a.png", 1))[0]
		q.Approve(intake.ApproveOptions{}, id)
		got := q.until(id, submission.Done)
		assert.True(t, got.Allowed.Equal(start) && got.Folder == watchedFolder, "%+v", got)
		assert.True(t, slices.Equal(q.custodyEvents(), []string{"held for a decision", "allowed to leave", "hashed", "address received", "sending", "sent", "taken by the service", "answered"}),
			"the custody log says %v", q.custodyEvents())
		q.wantSubmissions(1)
	})
	t.Run("or stays, which they may take back", func(t *testing.T) {
		q := setup(t)
		id := q.held(pictureFile(t, "a.png", 1))[0]
		q.Withhold(id)
		q.until(id, submission.Stays)
		q.nothingAsked()
		sums := q.Totals()
		assert.True(t, sums == (intake.Totals{All: 1, Ended: 1, Unsent: 1}), "%+v", sums)
		q.Approve(intake.ApproveOptions{}, id)
		q.until(id, submission.Done)
		if custodyEvents := q.custodyEvents(); !slices.Equal(custodyEvents[:3], []string{"held for a decision", "kept on this computer", "allowed to leave"}) {
			t.Errorf("the custody log says %v", custodyEvents)
		}
	})
	t.Run("in the order in which they decided", func(t *testing.T) {
		q := setup(t)
		id := q.held(pictureFile(t, "a.png", 1))[0]
		for range 50 {
			q.Withhold(id)
		}
		q.Approve(intake.ApproveOptions{}, id)
		q.until(id, submission.Done)
	})
	t.Run("never what never leaves, nor what is none of theirs to decide", func(t *testing.T) {
		q := setup(t)
		never := q.arrive(submission.GateNever, pictureFile(t, "a.png", 1))[0]
		q.until(never, submission.Stays)
		q.Approve(intake.ApproveOptions{}, never, "unknown")
		q.Withhold(never, "unknown")
		q.Retry(never)
		q.decided()
		got, _ := q.Get(never)
		assert.True(t, got.State == submission.Stays && got.Allowed.IsZero(), "%+v", got)
		assert.True(t, !slices.Contains(q.custodyEvents(), "allowed to leave"), "the custody log says %v", q.custodyEvents())
		q.nothingAsked()
	})
	t.Run("all at once, and not what comes afterwards", func(t *testing.T) {
		q := setup(t)
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60))
		q.Approve(intake.ApproveOptions{}, ids...)
		q.untilEach(ids, submission.Done)
		later := q.held(pictureFile(t, "c.png", 90), pictureFile(t, "d.png", 120))
		q.Withhold(later...)
		q.untilEach(later, submission.Stays)
		q.wantSubmissions(2)
	})
	t.Run("as soon as the queue goes on", func(t *testing.T) {
		q := setup(t)
		id := q.held(pictureFile(t, "a.png", 1))[0]
		q.PauseAll()
		q.Approve(intake.ApproveOptions{}, id)
		q.until(id, submission.Waiting)
		q.nothingAsked()
		q.ResumeAll()
		q.until(id, submission.Done)
	})
	t.Run("not where that can't be written down", func(t *testing.T) {
		q := setup(t)
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60))
		q.store.setFull(true)
		q.Approve(intake.ApproveOptions{}, ids[0])
		q.stands(intake.NoDisk)
		got, _ := q.Get(ids[0])
		assert.True(t, got.State == submission.Held && got.Allowed.IsZero(), "%+v", got)
		q.nothingAsked()
		q.store.setFull(false)
		q.stands(intake.Running)
		q.Approve(intake.ApproveOptions{}, ids...)
		q.untilEach(ids, submission.Done)
	})
}

func TestHeldAndStaysUnderThePersonsHand(t *testing.T) {
	held := func(t *testing.T) (*fixture, string) {
		q := setup(t)
		return q, q.held(pictureFile(t, "a.png", 1))[0]
	}
	t.Run("Cancel ends one that is held, and Retry holds it again", func(t *testing.T) {
		q, id := held(t)
		q.Cancel(id)
		q.until(id, submission.Cancelled)
		q.Approve(intake.ApproveOptions{}, id)
		q.decided()
		q.until(id, submission.Cancelled)
		q.Retry(id)
		q.until(id, submission.Held)
		q.reopen()
		q.Cancel(id)
		q.reopen()
		q.Retry(id)
		q.until(id, submission.Held)
		q.nothingAsked()
	})
	t.Run("Cancel before it was looked at, and Retry, hold it, too", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		id := q.arrive(submission.GateAsk, pictureFile(t, "a.png", 1))[0]
		q.Cancel(id)
		q.ResumeAll()
		q.Retry(id)
		q.until(id, submission.Held)
		q.nothingAsked()
	})
	t.Run("what was allowed and cancelled goes on by Retry", func(t *testing.T) {
		q, id := held(t)
		g := q.server.shut("upload-url")
		q.Approve(intake.ApproveOptions{}, id)
		<-g.reached
		q.Cancel(id)
		g.release()
		q.Retry(id)
		q.until(id, submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("Pause has nothing to do", func(t *testing.T) {
		q, id := held(t)
		q.Pause(id)
		assert.True(t, !q.shown(id).Paused, "it is paused")
		sums := q.Totals()
		assert.True(t, sums == (intake.Totals{All: 1, Held: 1, Unsent: 1}), "%+v", sums)
		q.Withhold(id)
		q.until(id, submission.Stays)
		q.Pause(id)
		q.Resume(id)
		q.Retry(id)
		q.RetryFailed()
		q.decided()
		assert.True(t, q.shown(id).State == submission.Stays && !q.shown(id).Paused, "%+v", q.shown(id))
		q.nothingAsked()
	})
	t.Run("Remove takes what stays out of the inbox, also over a restart, and leaves what is held", func(t *testing.T) {
		q := setup(t)
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60))
		q.Withhold(ids[0])
		q.until(ids[0], submission.Stays)
		q.Remove(ids...)
		assert.True(t, slices.Equal(q.Order(), ids[1:]), "left: %v", q.Order())
		q.reopen()
		assert.True(t, slices.Equal(q.Order(), ids[1:]), "left after a restart: %v", q.Order())
		q.nothingAsked()
	})
	t.Run("ScanAgain asks again", func(t *testing.T) {
		q, id := held(t)
		q.Approve(intake.ApproveOptions{}, id)
		q.ScanAgain(q.until(id, submission.Done))
		q.server.forgetCalls()
		q.when("there is another", func() bool { return len(q.Order()) == 2 })
		again := q.until(q.Order()[1], submission.Held)
		assert.True(t, again.Gate == submission.GateAsk && again.Folder == watchedFolder && again.Source == submission.Watched && again.Allowed.IsZero(), "%+v", again)
		q.nothingAsked()
		q.Approve(intake.ApproveOptions{}, again.ID)
		q.until(again.ID, submission.Done)
		q.wantSubmissions(2)
	})
	t.Run("a restart keeps what was decided, and what was not", func(t *testing.T) {
		q := setup(t)
		ids := q.held(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60), pictureFile(t, "c.png", 90))
		q.PauseAll()
		ids = append(ids, q.arrive(submission.GateAsk, pictureFile(t, "d.png", 120))...) // not looked at yet
		q.Withhold(ids[1])
		q.Approve(intake.ApproveOptions{}, ids[2])
		q.until(ids[1], submission.Stays)
		q.until(ids[2], submission.Waiting)
		q.Close()
		q.nothingAsked()
		q.clock.Advance(48 * time.Hour)
		q.open()
		q.ResumeAll()
		for id, want := range map[string]submission.State{ids[0]: submission.Held, ids[1]: submission.Stays, ids[2]: submission.Done, ids[3]: submission.Held} {
			q.until(id, want)
		}
		q.wantSubmissions(1)
		got := q.Order()
		assert.True(t, slices.Equal(got, ids), "order %v, want %v", got, ids)
	})
}
