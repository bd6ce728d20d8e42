package intake_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
)

// recheck checks submissions again, and returns the IDs of those that will have the answers.
func (f *fixture) recheck(mark string, ids ...string) []string {
	f.t.Helper()
	var subs []submission.Submission
	for _, id := range ids {
		sub, known := f.Get(id)
		assert.True(f.t, known, "%s is not there", id)
		subs = append(subs, sub)
	}
	again, err := f.Recheck(f.t.Context(), mark, subs)
	assert.NoError(f.t, err)
	return again
}

func TestCheckingAgain(t *testing.T) {
	t.Run("keeps both answers, of files and links", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(pictureFile(t, "a.png", 1), post)
		q.untilEach(ids, submission.Done)
		again := q.recheck("once", ids...)
		assert.True(t, len(again) == 2, "%q", again)
		for i, id := range again {
			second, first := q.until(id, submission.Done), q.until(ids[i], submission.Done)
			assert.True(t, second.Earlier == "" && second.RequestID != first.RequestID && second.Recheck == first.Content(), "%+v", second)
		}
		q.wantSubmissions(4)
	})
	t.Run("goes one by one, and behind what is dropped meanwhile", func(t *testing.T) {
		q := setup(t)
		var old []string
		for i := range 4 {
			old = append(old, q.drop(pictureFile(t, "old.png", uint8(10*i)))[0])
		}
		q.untilEach(old, submission.Done)
		first := q.server.shut("put")
		again := q.recheck("once", old...)
		<-first.reached
		g := q.server.shut("put")
		fresh := q.drop(pictureFile(t, "fresh.png", 200), pictureFile(t, "too.png", 230))
		<-g.reached // the first of them has the other slot
		q.when("the second waits behind it", func() bool { s, _ := q.Get(fresh[1]); return s.SHA256 != "" })
		// waits checks that nothing was begun with those that are checked again.
		waits := func(ids []string) {
			t.Helper()
			for _, id := range ids {
				s, _ := q.Get(id)
				assert.True(t, s.State == submission.Waiting && s.Step == submission.Seen, "%s has begun: %+v", id, s)
			}
		}
		waits(again[1:])
		first.release()
		<-g.reached
		second, _ := q.Get(fresh[1])
		assert.True(t, second.State == submission.Sending, "the slot that is free went to another: %+v", second)
		waits(again[2:])
		// The service has one at a time from here on: which of two that are sent at once it has first is for the network to say.
		for i, id := range again[1:] {
			before := g
			g = q.server.shut("put")
			before.release()
			<-g.reached
			q.untilEach(append(slices.Clone(fresh), again[:i+1]...), submission.Done)
			s, _ := q.Get(id)
			assert.True(t, s.State == submission.Sending, "it is not its turn: %+v", s)
			waits(again[i+2:])
		}
		g.release()
		q.untilEach(again, submission.Done)
		q.wantSubmissions(10)
	})
	t.Run("refuses a file that has changed or is gone", func(t *testing.T) {
		q := setup(t)
		a, b := pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 50)
		ids := q.drop(a, b)
		q.untilEach(ids, submission.Done)
		other, err := os.ReadFile(pictureFile(t, "c.png", 100))
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(a, other, 0o600))
		assert.NoError(t, os.Remove(b))
		again := q.recheck("once", ids...)
		changed, gone := q.until(again[0], submission.Refused), q.until(again[1], submission.Refused)
		assert.Equal(t, "The file has changed since it was checked, so it is not checked again.", changed.Problem.String())
		assert.True(t, gone.Problem.String() != "" && gone.Problem.String() != changed.Problem.String(), "%s", gone.Problem)
		q.wantSubmissions(2)
	})
	t.Run("takes a file that was only touched", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a)
		q.untilEach(ids, submission.Done)
		assert.NoError(t, os.Chtimes(a, start, start.AddDate(0, 0, -9)))
		q.untilEach(q.recheck("once", ids...), submission.Done)
	})
	t.Run("holds what asks first, and keeps what never leaves", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 50))
		q.untilEach(ids, submission.Done)
		strict := func(s submission.Submission) (submission.Gate, submission.Gate) {
			if filepath.Base(s.Path) == "a.png" {
				return submission.GateAsk, submission.GateSend
			}
			return submission.GateNever, submission.GateSend
		}
		q.reopen(gatedBy(strict))
		again := q.recheck("once", ids...)
		q.until(again[0], submission.Held)
		q.until(again[1], submission.Stays)
		q.wantSubmissions(2)
		assert.Equal(t, again[:1], q.recheck("twice", ids[0])) // it waits for the person already
		q.Approve(intake.ApproveOptions{}, again[0])
		q.until(again[0], submission.Done)
		q.wantSubmissions(3)
	})
	t.Run("is not done twice for one call, nor while it is under way", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 50))
		q.untilEach(ids, submission.Done)
		g := q.server.shut("put")
		again := q.recheck("once", ids...)
		<-g.reached
		q.Close() // killed
		q.server.shut("put").release()
		q.open()
		assert.Equal(t, again, q.recheck("once", ids...))
		q.untilEach(again, submission.Done)
		q.wantSubmissions(4)
		assert.Equal(t, again, q.recheck("once", ids...)) // also once it is answered
		q.wantSubmissions(4)
		other := q.recheck("later", ids...)
		assert.True(t, !slices.Contains(again, other[0]), "%q", other)
		q.untilEach(other, submission.Done)
		q.wantSubmissions(6)
	})
	t.Run("leaves out what is on another device", func(t *testing.T) {
		q := setup(t)
		ids, err := q.Recheck(t.Context(), "once", []submission.Submission{{ID: "pulled", Source: submission.Service, State: submission.Done}})
		assert.True(t, err == nil && len(ids) == 0, "%q, %v", ids, err)
	})
	t.Run("takes nothing once Assay is closing", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(pictureFile(t, "a.png", 1))
		sub := q.until(ids[0], submission.Done)
		q.Close()
		_, err := q.Recheck(t.Context(), "once", []submission.Submission{sub})
		assert.True(t, errors.Is(err, intake.ErrClosed), "%v", err)
	})
}
