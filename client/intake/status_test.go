package intake_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/plain"
	"assay/client/submission"
)

func TestARefusalOfTheKeyOrThePlanStopsTheQueue(t *testing.T) {
	key := func(status int) error {
		return &client.Error{Op: "t", Kind: client.KindKey, Status: status, Message: i18n.Verbatim("The key was not accepted."), Hint: i18n.Verbatim("Check it.")}
	}
	quota := func(code string) error {
		return &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Code: plain.From(code), Message: i18n.Verbatim("Your plan is used up.")}
	}
	for _, c := range []struct {
		name  string
		err   error
		cause intake.Cause
	}{
		{"K3 401", key(401), intake.NoKey},
		{"K3 403", key(403), intake.NoKey},
		{"upload-limit-reached", quota("upload-limit-reached"), intake.NoQuota},
		{"free-tier-not-allowed", quota("free-tier-not-allowed"), intake.NoQuota},
		{"402", &client.Error{Op: "t", Kind: client.KindRefused, Status: 402, Message: i18n.Verbatim("Your plan is used up.")}, intake.NoQuota},
	} {
		for _, call := range []string{"address", "link", "look"} {
			t.Run(c.name+" of a call for "+call, func(t *testing.T) {
				q := setup(t)
				q.server.fail(call, repeated(c.err, 100)...)
				var given []string
				for i := range 20 {
					if call != "link" {
						given = append(given, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(8*i)))
					}
					if call != "address" {
						given = append(given, fmt.Sprintf("%s%d", post, i))
					}
				}
				ids := q.drop(given...)
				q.when("the queue stands still", func() bool { return q.QueueStatus().Cause == c.cause })
				standing := q.QueueStatus()
				q.when("nothing goes on", func() bool { return q.quiet() })
				if asked := q.server.asked(call); asked == 0 || asked > 8 {
					t.Errorf("the service was asked %d times: each item ran into the refusal", asked)
				}
				for _, id := range ids {
					got, _ := q.Get(id)
					check(t, !got.State.Ended() && got.Problem.IsZero(), "%q is %q: %s", got.Name, got.State, got.Problem)
				}
				var said *client.Error
				check(t, errors.As(c.err, &said) && standing.Reason.String() == said.Sentence(), "the reason is %q", standing.Reason)
				q.server.heal()
				q.ResumeAll()
				q.untilEach(ids, submission.Done)
				check(t, q.QueueStatus() == (intake.QueueStatus{}), "standing %+v", q.QueueStatus())
				q.wantSubmissions(len(given))
			})
		}
	}
	t.Run("another code is about one submission alone", func(t *testing.T) {
		q := setup(t)
		q.server.fail("address", quota("something-else"))
		ids := q.drop(pictureFile(t, "a.png", 1))
		got := q.until(ids[0], submission.Failed)
		check(t, got.Problem.String() == "Your plan is used up." && q.QueueStatus().Cause == intake.Running, "%q, standing %+v", got.Problem, q.QueueStatus())
	})
	t.Run("a restart tries again", func(t *testing.T) {
		q := setup(t)
		q.server.fail("address", key(401), key(401))
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		q.stands(intake.NoKey)
		q.Close()
		q.server.heal()
		q.open()
		q.until(id, submission.Done)
	})
}

func TestWhatWasSentIsAnsweredWhileThePlanTakesNoMore(t *testing.T) {
	usedUp := &client.Error{Op: "t", Kind: client.KindRefused, Status: 402, Message: i18n.Verbatim("Your plan is used up.")}
	withRoomFor := func(t *testing.T, room int) (*fixture, *gate) {
		q := setup(t)
		q.server.fail("address", append(slices.Repeat([]error{nil}, room), repeated(usedUp, 100)...)...)
		return q, q.server.shut("look")
	}
	t.Run("the answers come, and nothing more is asked for", func(t *testing.T) {
		q, looks := withRoomFor(t, 4)
		ids := q.drop(pictures(t, 8)...)
		q.stands(intake.NoQuota)
		looks.release()
		answered := func() (n int) {
			for _, id := range ids {
				if got, _ := q.Get(id); got.State == submission.Done {
					n++
				}
			}
			return n
		}
		q.when("what was sent is answered", func() bool { return answered() == 4 })
		q.when("the others wait", func() bool {
			return !slices.ContainsFunc(ids, func(id string) bool {
				got, _ := q.Get(id)
				return got.State != submission.Done && !q.Stopped(id)
			})
		})
		check(t, q.server.asked("address") <= 4+intake.DefaultUploads, "%d upload addresses were asked for", q.server.asked("address"))
		standing := q.QueueStatus()
		check(t, standing.Cause == intake.NoQuota && standing.Reason == usedUp.Message, "standing %+v", standing)
		q.server.heal()
		q.ResumeAll()
		q.untilEach(ids, submission.Done)
		q.wantSubmissions(8)
	})
	t.Run("what is handed over meanwhile is answered where it was before, and else waits without a request", func(t *testing.T) {
		q, looks := withRoomFor(t, 1)
		looks.release()
		given := pictures(t, 2)
		q.until(q.drop(given[:1]...)[0], submission.Done) // the one that there was room for
		refused := q.drop(given[1:]...)[0]
		q.when("the plan is used up", func() bool { return q.Stopped(refused) })
		asked := q.server.asked("address")
		later := q.drop(append(pictures(t, 7)[5:], given[0])...)
		got := q.until(later[2], submission.Done)
		check(t, got.Earlier != "", "the one that was answered before: %+v", got)
		q.when("the others wait", func() bool { return q.Stopped(later[0]) && q.Stopped(later[1]) })
		now := q.server.asked("address")
		check(t, now == asked, "%d more upload addresses were asked for", now-asked)
	})
	t.Run("where the answers are refused as well, they are not asked for again and again", func(t *testing.T) {
		q, looks := withRoomFor(t, 4)
		q.server.fail("look", repeated(usedUp, 100)...)
		ids := q.drop(pictures(t, 8)...)
		q.stands(intake.NoQuota)
		looks.release()
		q.when("all wait", func() bool {
			return !slices.ContainsFunc(ids, func(id string) bool { return !q.Stopped(id) })
		})
		check(t, q.server.asked("look") <= 8, "the results were asked for %d times", q.server.asked("look"))
	})
}

// quiet reports whether nothing is being looked at or sent.
func (f *fixture) quiet() bool {
	for _, sub := range f.All() {
		if sub.State == submission.Sending || sub.State == submission.Checking {
			return false
		}
	}
	return true
}

func TestADiskThatIsFull(t *testing.T) {
	t.Run("nothing is taken, and that is said", func(t *testing.T) {
		q := setup(t)
		q.store.setFull(true)
		accepted, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", 1)), intake.Options{Source: submission.Dropped})
		check(t, err != nil && strings.Contains(err.Error(), "nothing was taken") && len(accepted.IDs)+len(q.Order()) == 0,
			"error %v, accepted %+v, inbox %v", err, accepted, q.Order())
		got := q.QueueStatus()
		check(t, got.Cause == intake.NoDisk && strings.Contains(got.Reason.String(), "can't write to its folder"), "standing %+v", got)
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
		{submission.URLHeld, []string{"address"}},
		{submission.SendingBytes, []string{"address"}},
		{submission.SentBytes, []string{"address", "put /1"}},
		{submission.Polling, []string{"address", "put /1"}},
		{submission.Answered, []string{"address", "put /1", "look id-1"}},
	} {
		t.Run("from "+string(c.step)+" on: nothing more is asked of the service, and it goes on by itself", func(t *testing.T) {
			q := setup(t)
			var mu sync.Mutex
			full, healed := false, false
			q.store.asked = func(s submission.Submission, _ custody.Event) error {
				mu.Lock()
				defer mu.Unlock()
				if full = !healed && (full || s.Step == c.step); full {
					q.store.setFull(true)
				}
				return nil
			}
			id := q.drop(pictureFile(t, "a.png", 1))[0]
			q.stands(intake.NoDisk)
			q.when("nothing goes on", func() bool { return q.quiet() })
			if diff := cmp.Diff(c.seen, q.server.forgetCalls()); diff != "" {
				t.Error(diff)
			}
			if got, _ := q.Get(id); got.State.Ended() || got.Step == c.step || q.store.row(id).Step == c.step {
				t.Errorf("it is %q at %q; on the disk at %q", got.State, got.Step, q.store.row(id).Step)
			}
			mu.Lock()
			healed = true
			q.store.setFull(false)
			mu.Unlock()
			q.until(id, submission.Done)
			check(t, q.QueueStatus().Cause == intake.Running, "standing %+v", q.QueueStatus())
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
		check(t, q.QueueStatus().Cause == intake.PausedAll, "standing %+v", q.QueueStatus())
		q.ResumeAll()
		q.until(ids[2], submission.Done)
		got, _ := q.Get(ids[1])
		check(t, got.Paused && !got.State.Ended(), "what was paused is %+v", got)
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
		check(t, q.until(ids[0], submission.Done).Delay.IsZero(), "it still says %q", q.until(ids[0], submission.Done).Delay)
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
