package intake_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// commits are the writes of a submission's way, in their order, as a run without faults makes them.
func commits(t *testing.T, given string) (all []moment) {
	t.Helper()
	for _, at := range wayOf(t, plan{}, given) {
		if written, ok := strings.CutPrefix(string(at), "before "); ok && strings.HasPrefix(written, "writing") {
			all = append(all, moment(written))
		}
	}
	if len(all) < 4 {
		t.Fatalf("only %v is written", all)
	}
	return all
}

// diskFaults are what a disk can say.
var diskFaults = []*store.Error{
	{Op: "keep the submission", Message: i18n.Verbatim("The disk is full. Make room, and it goes on by itself."), Kind: store.ErrFull},
	{Op: "keep the submission", Message: i18n.Verbatim("The disk does not take what is to be kept."), Kind: store.ErrIO, Err: errors.New("input/output error")},
}

// The store waits for the disk once for all that come together, so what is written of different submissions must not wait for each other.
func TestASlowDiskIsWaitedForOnceForMany(t *testing.T) {
	const n = 40
	q := setup(t)
	var paths []string
	for i := range n {
		paths = append(paths, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(i)))
	}
	ids := q.drop(paths...)
	q.untilEach(ids, submission.Done)
	var come atomic.Int64
	all := make(chan struct{})
	q.store.beforeWrite(func(_ submission.Submission, event custody.Event) error {
		if event != custody.Filed {
			return nil
		}
		if come.Add(1) == n {
			close(all)
		}
		select {
		case <-all: // the disk has none of them until it has all
		case <-t.Context().Done():
		}
		return nil
	})
	q.Remove(ids...)
	q.when("all are out of the inbox, on the disk too", func() bool {
		return !slices.ContainsFunc(ids, func(id string) bool { return !q.store.row(id).Filed })
	})
	q.store.beforeWrite(nil)
}

func TestADiskThatFailsAtAnyCommit(t *testing.T) {
	for _, kind := range []string{"a file", "a link"} {
		file := pictureFile(t, "a.png", 1)
		given := handed(t, map[string]sandbox.Operation{"a link": sandbox.OpSocial}[kind], file)
		for n, commit := range commits(t, given) {
			for i, fault := range diskFaults {
				when := []string{"before ", "after "}[(i+n)%2] // what was written may be there although the disk said that it is not
				t.Run(fmt.Sprintf("%s, commit %d, %s%s: %v", kind, n+1, when, commit, fault.Kind), func(t *testing.T) {
					s := setupSandbox(t, plan{})
					failing := make(chan struct{})
					var once sync.Once
					var healed atomic.Bool
					var seen atomic.Int64
					s.set(func(at moment) error {
						written := strings.HasPrefix(string(at), when+"writing")
						if written && !strings.Contains(string(at), "queue.") { // which are facts
							seen.Add(1)
						}
						if healed.Load() || seen.Load() <= int64(n) || !written && at != "before accepting" {
							return nil
						}
						once.Do(func() { close(failing) })
						return fault
					})
					ids := s.drop(given)
					<-failing
					s.stands(intake.NoDisk)
					reason := s.QueueStatus().Reason
					assert.True(t, strings.Contains(reason.String(), fault.Message.String()), "it says %q", reason)
					calls := len(s.wire.asked(sandbox.OpAny))
					other := pictureFile(t, "b.png", 70)
					accepted, err := s.Accept(t.Context(), intake.Inputs(other), intake.Options{Source: submission.Dropped})
					assert.True(t, errors.Is(err, fault) && len(accepted.IDs) == 0, "it accepts: %+v, %v", accepted, err)
					waited := s.clock.Now().Add(10 * time.Minute)
					s.when("it goes on saying so", func() bool { return s.clock.Now().After(waited) })
					got, _ := s.Get(ids[0])
					assert.True(t, got.State != submission.Done && got.State != submission.Failed && len(s.wire.asked(sandbox.OpAny)) <= calls+1,
						"it is %q meanwhile, and the service was asked %d times", got.State, len(s.wire.asked(sandbox.OpAny))-calls)
					healed.Store(true)
					if i == 0 { // in one half of them the person starts Assay again meanwhile
						s.restart()
						if kind == "a link" { // that it was to be submitted may be all that is known of it: then the person is asked
							s.untilEach(ids, submission.Done, submission.Failed)
							s.RetryFailed()
						}
					}
					s.untilEach(ids, submission.Done)
					s.when("it says no more", func() bool { return s.QueueStatus() == intake.QueueStatus{} })
					s.untilEach(s.drop(other), submission.Done)
					s.atService(file, other)
					s.shownOnce(ids[0])
				})
			}
		}
	}
}

// shownOnce checks that the store holds a submission as it is shown, with an unbroken log.
func (s *sandboxed) shownOnce(id string) {
	s.t.Helper()
	shown, _ := s.Get(id)
	s.stop()
	disk, err := store.Open(context.WithoutCancel(s.t.Context()), s.folder, store.Options{Now: s.clock.Now})
	assert.NoError(s.t, err)
	defer func() { assert.NoError(s.t, disk.Close()) }()
	kept, ok, err := disk.Get(s.t.Context(), id)
	assert.True(s.t, ok && err == nil && kept.State == shown.State && kept.RequestID == shown.RequestID && kept.Step == shown.Step,
		"shown as %q at %q, kept as %q at %q (%v)", shown.State, shown.Step, kept.State, kept.Step, err)
	assert.NoError(s.t, disk.VerifyCustody(s.t.Context()))
}

func TestAnErrorOfTheDiskThatPassesAtOnce(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	for n, commit := range commits(t, file) {
		t.Run(fmt.Sprintf("commit %d, %s", n+1, commit), func(t *testing.T) {
			s := setupSandbox(t, plan{})
			var seen atomic.Int64
			s.set(func(at moment) error {
				if strings.HasPrefix(string(at), "before writing") && seen.Add(1) == int64(n+1) {
					return diskFaults[1]
				}
				return nil
			})
			ids := s.drop(file)
			s.untilEach(ids, submission.Done)
			s.when("it says no more", func() bool { return s.QueueStatus() == intake.QueueStatus{} })
			s.atService(file)
			s.shownOnce(ids[0])
			assert.True(t, seen.Load() > int64(n+1), "it never failed")
		})
	}
}

func TestADiskThatIsFull(t *testing.T) {
	t.Run("nothing is taken, and that is said", func(t *testing.T) {
		q := setup(t)
		q.store.setFull(true)
		accepted, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", 1)), intake.Options{Source: submission.Dropped})
		assert.True(t, err != nil && strings.Contains(err.Error(), "nothing was taken") && len(accepted.IDs)+len(q.Order()) == 0,
			"error %v, accepted %+v, inbox %v", err, accepted, q.Order())
		got := q.QueueStatus()
		assert.True(t, got.Cause == intake.NoDisk && strings.Contains(got.Reason.String(), "can't write to its folder"), "standing %+v", got)
		q.store.setFull(false)
		q.stands(intake.Running)
		q.until(q.drop(pictureFile(t, "b.png", 30))[0], submission.Done)
	})
	for _, c := range []struct {
		step submission.Step
		seen []string // what the service was asked before
	}{
		{submission.Gated, nil},
		{submission.URLRequested, nil},
		{submission.URLHeld, []string{"upload-url"}},
		{submission.SendingBytes, []string{"upload-url"}},
		{submission.SentBytes, []string{"upload-url", "put /1"}},
		{submission.Polling, []string{"upload-url", "put /1"}},
		{submission.Answered, []string{"upload-url", "put /1", "look id-1"}},
	} {
		t.Run("from "+string(c.step)+" on: nothing more is asked of the service, and it goes on by itself", func(t *testing.T) {
			q := setup(t)
			var mu sync.Mutex
			full, healed := false, false
			q.store.beforeWrite(func(s submission.Submission, _ custody.Event) error {
				mu.Lock()
				defer mu.Unlock()
				if full = !healed && (full || s.Step == c.step); full {
					q.store.setFull(true)
				}
				return nil
			})
			id := q.drop(pictureFile(t, "a.png", 1))[0]
			q.stands(intake.NoDisk)
			q.when("nothing goes on", func() bool { return q.quiet() })
			assert.Equal(t, c.seen, q.server.forgetCalls())
			if got, _ := q.Get(id); got.State.Ended() || got.Step == c.step || q.store.row(id).Step == c.step {
				t.Errorf("it is %q at %q; on the disk at %q", got.State, got.Step, q.store.row(id).Step)
			}
			mu.Lock()
			healed = true
			q.store.setFull(false)
			mu.Unlock()
			q.until(id, submission.Done)
			assert.True(t, q.QueueStatus().Cause == intake.Running, "standing %+v", q.QueueStatus())
			q.wantSubmissions(1)
		})
	}
	t.Run("what the person said meanwhile is written down afterwards", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("put")
		ids := q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 30), pictureFile(t, "c.png", 60))
		<-g.reached
		<-g.reached
		q.store.setFull(true)
		q.Cancel(ids[0])
		q.stands(intake.NoDisk)
		q.Pause(ids[1])
		q.PauseAll()
		q.store.setFull(false)
		q.when("it is written down", func() bool {
			paused, err := q.store.Fact(t.Context(), "queue.paused")
			return err == nil && paused != "" && q.store.row(ids[0]).State == submission.Cancelled && q.store.row(ids[1]).Paused
		})
		q.Close()
		g.release()
		q.open()
		q.is(submission.Cancelled, ids[0])
		assert.True(t, q.QueueStatus().Cause == intake.PausedAll, "standing %+v", q.QueueStatus())
		q.ResumeAll()
		q.until(ids[2], submission.Done)
		got, _ := q.Get(ids[1])
		assert.True(t, got.Paused && !got.State.Ended(), "what was paused is %+v", got)
		q.wantSubmissions(1)
	})
	t.Run("it stands still again where the disk is full again", func(t *testing.T) {
		q := setup(t)
		for i := range 30 {
			q.store.setFull(true)
			if _, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", uint8(i))), intake.Options{Source: submission.Dropped}); err == nil {
				t.Fatal("it was taken")
			}
			q.store.setFull(false)
			q.stands(intake.Running)
		}
	})
}

// A share that does not answer keeps whoever reads it, whatever they are told.
func TestADiskThatDoesNotAnswer(t *testing.T) {
	imitated := func(t *testing.T) (q *fixture, answers chan struct{}, late chan time.Time) {
		t.Helper()
		q = setup(t)
		answers, late = make(chan struct{}), make(chan time.Time)
		q.Imitate(func(ctx context.Context, path string) (media.File, error) {
			if filepath.Base(path) == "stuck.png" {
				<-answers
			}
			return media.Limits(nil).Inspect(ctx, path)
		}, func() <-chan time.Time { return late })
		return q, answers, late
	}
	t.Run("holds up its own files alone, says so, and goes on once it does", func(t *testing.T) {
		q, answers, late := imitated(t)
		ids := q.drop(pictureFile(t, "stuck.png", 1))
		q.until(ids[0], submission.Checking)
		late <- time.Time{} // before others are looked at, which would take it
		ids = append(ids, q.drop(pictureFile(t, "a.png", 60), pictureFile(t, "b.png", 90))...)
		q.untilEach(ids[1:], submission.Done)
		q.when("it says so", func() bool { got, _ := q.Get(ids[0]); return got.State == submission.Checking && !got.Delay.IsZero() })
		close(answers)
		assert.True(t, q.until(ids[0], submission.Done).Delay.IsZero(), "it still says %q", q.until(ids[0], submission.Done).Delay)
		q.wantSubmissions(3)
	})
	t.Run("holds up neither cancelling nor the end", func(t *testing.T) {
		q, answers, _ := imitated(t)
		ids := q.drop(pictureFile(t, "stuck.png", 1), pictureFile(t, "a.png", 60))
		q.until(ids[0], submission.Checking)
		q.Cancel(ids[0])
		q.until(ids[1], submission.Done)
		q.Retry(ids[0])
		q.until(ids[0], submission.Checking)
		q.Close()
		close(answers)
		q.wantSubmissions(1)
	})
}
