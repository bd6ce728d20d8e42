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

// repeated is the same failure so many times.
func repeated(err error, times int) []error { return slices.Repeat([]error{err}, times) }

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
				d := setup(t)
				d.server.fail(call, repeated(c.err, 100)...)
				q := d.open()
				var given []string
				for i := range 20 {
					if call != "link" {
						given = append(given, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(8*i)))
					}
					if call != "address" {
						given = append(given, fmt.Sprintf("%s%d", post, i))
					}
				}
				ids := q.accept(given, submission.Dropped)
				q.when("the queue stands still", func() bool { return q.QueueStatus().Cause == c.cause })
				standing := q.QueueStatus()
				q.when("nothing goes on", func() bool { return q.quiet() })
				if asked := d.server.asked(call); asked == 0 || asked > 8 {
					t.Errorf("the service was asked %d times: each item ran into the refusal", asked)
				}
				for _, id := range ids {
					if got, _ := q.Get(id); got.State.Ended() || !got.Problem.IsZero() {
						t.Errorf("%q is %q: %s", got.Name, got.State, got.Problem)
					}
				}
				var said *client.Error
				if !errors.As(c.err, &said) || standing.Reason.String() != said.Sentence() {
					t.Errorf("the reason is %q", standing.Reason)
				}
				d.server.heal()
				q.ResumeAll()
				for _, id := range ids {
					q.until(id, submission.Done)
				}
				if q.QueueStatus() != (intake.QueueStatus{}) {
					t.Errorf("standing %+v", q.QueueStatus())
				}
				d.wantSubmissions(len(given))
			})
		}
	}
	t.Run("another code is about one submission alone", func(t *testing.T) {
		d := setup(t)
		d.server.fail("address", quota("something-else"))
		q := d.open()
		ids := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)
		if got := q.until(ids[0], submission.Failed); got.Problem.String() != "Your plan is used up." || q.QueueStatus().Cause != intake.Running {
			t.Errorf("%q, standing %+v", got.Problem, q.QueueStatus())
		}
	})
	t.Run("a restart tries again", func(t *testing.T) {
		d := setup(t)
		d.server.fail("address", key(401), key(401))
		q := d.open()
		id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
		q.when("the queue stands still", func() bool { return q.QueueStatus().Cause == intake.NoKey })
		q.Close()
		d.server.heal()
		q = d.open()
		q.until(id, submission.Done)
	})
}

func TestWhatWasSentIsAnsweredWhileThePlanTakesNoMore(t *testing.T) {
	usedUp := &client.Error{Op: "t", Kind: client.KindRefused, Status: 402, Message: i18n.Verbatim("Your plan is used up.")}
	files := func(t *testing.T, from, to int) (given []string) {
		for i := from; i < to; i++ {
			given = append(given, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(8*i)))
		}
		return given
	}
	open := func(t *testing.T, room int) (*fixture, testQueue, *gate) {
		d := setup(t)
		d.server.fail("address", append(slices.Repeat([]error{nil}, room), repeated(usedUp, 100)...)...)
		return d, d.open(), d.server.shut("look")
	}
	t.Run("the answers come, and nothing more is asked for", func(t *testing.T) {
		d, q, looks := open(t, 4)
		ids := q.accept(files(t, 0, 8), submission.Dropped)
		q.when("the plan is used up", func() bool { return q.QueueStatus().Cause == intake.NoQuota })
		close(looks.open)
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
		if asked := d.server.asked("address"); asked > 4+intake.DefaultUploads {
			t.Errorf("%d upload addresses were asked for", asked)
		}
		if standing := q.QueueStatus(); standing.Cause != intake.NoQuota || standing.Reason != usedUp.Message {
			t.Errorf("standing %+v", standing)
		}
		d.server.heal()
		q.ResumeAll()
		for _, id := range ids {
			q.until(id, submission.Done)
		}
		d.wantSubmissions(8)
	})
	t.Run("what is handed over meanwhile is answered where it was before, and else waits without a request", func(t *testing.T) {
		d, q, looks := open(t, 1)
		close(looks.open)
		given := files(t, 0, 2)
		q.until(q.accept(given[:1], submission.Dropped)[0], submission.Done) // the one that there was room for
		refused := q.accept(given[1:], submission.Dropped)[0]
		q.when("the plan is used up", func() bool { return q.Stopped(refused) })
		asked := d.server.asked("address")
		later := q.accept(append(files(t, 5, 7), given[0]), submission.Dropped)
		if got := q.until(later[2], submission.Done); got.Earlier == "" {
			t.Errorf("the one that was answered before: %+v", got)
		}
		q.when("the others wait", func() bool { return q.Stopped(later[0]) && q.Stopped(later[1]) })
		if now := d.server.asked("address"); now != asked {
			t.Errorf("%d more upload addresses were asked for", now-asked)
		}
	})
	t.Run("where the answers are refused as well, they are not asked for again and again", func(t *testing.T) {
		d, q, looks := open(t, 4)
		d.server.fail("look", repeated(usedUp, 100)...)
		ids := q.accept(files(t, 0, 8), submission.Dropped)
		q.when("the plan is used up", func() bool { return q.QueueStatus().Cause == intake.NoQuota })
		close(looks.open)
		q.when("all wait", func() bool {
			return !slices.ContainsFunc(ids, func(id string) bool { return !q.Stopped(id) })
		})
		if asked := d.server.asked("look"); asked > 8 {
			t.Errorf("the results were asked for %d times", asked)
		}
	})
}

// quiet reports whether nothing is being looked at or sent.
func (s testQueue) quiet() bool {
	for _, sub := range s.All() {
		if sub.State == submission.Sending || sub.State == submission.Checking {
			return false
		}
	}
	return true
}

func TestADiskThatIsFull(t *testing.T) {
	t.Run("nothing is taken, and that is said", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		d.store.setFull(true)
		accepted, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", 1)), intake.Options{Source: submission.Dropped})
		if err == nil || !strings.Contains(err.Error(), "nothing was taken") || len(accepted.IDs)+len(q.Order()) != 0 {
			t.Errorf("error %v, accepted %+v, inbox %v", err, accepted, q.Order())
		}
		if got := q.QueueStatus(); got.Cause != intake.NoDisk || !strings.Contains(got.Reason.String(), "can't write to its folder") {
			t.Errorf("standing %+v", got)
		}
		d.store.setFull(false)
		q.when("the disk is tried again", func() bool { return q.QueueStatus().Cause == intake.Running })
		q.until(q.accept([]string{pictureFile(t, "b.png", 30)}, submission.Dropped)[0], submission.Done)
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
			d := setup(t)
			var mu sync.Mutex
			full, healed := false, false
			d.store.asked = func(s submission.Submission, _ custody.Event) error {
				mu.Lock()
				defer mu.Unlock()
				if full = !healed && (full || s.Step == c.step); full {
					d.store.setFull(true)
				}
				return nil
			}
			q := d.open()
			id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
			q.when("the queue stands still", func() bool { return q.QueueStatus().Cause == intake.NoDisk })
			q.when("nothing goes on", func() bool { return q.quiet() })
			if diff := cmp.Diff(c.seen, d.server.forgetCalls()); diff != "" {
				t.Error(diff)
			}
			if got, _ := q.Get(id); got.State.Ended() || stepOf(got) == c.step || stepOf(d.store.row(id)) == c.step {
				t.Errorf("it is %q at %q; on the disk at %q", got.State, got.Step, d.store.row(id).Step)
			}
			mu.Lock()
			healed = true
			d.store.setFull(false)
			mu.Unlock()
			q.until(id, submission.Done)
			if got := q.QueueStatus(); got.Cause != intake.Running {
				t.Errorf("standing %+v", got)
			}
			d.wantSubmissions(1)
		})
	}
	t.Run("what the person said meanwhile is written down afterwards", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		g := d.server.shut("put")
		ids := q.accept([]string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 30), pictureFile(t, "c.png", 60)}, submission.Dropped)
		<-g.reached
		<-g.reached
		d.store.setFull(true)
		q.Cancel(ids[0])
		q.when("it is noticed", func() bool { return q.QueueStatus().Cause == intake.NoDisk })
		q.Pause(ids[1])
		q.PauseAll()
		d.store.setFull(false)
		q.when("it is written down", func() bool {
			paused, err := d.store.Fact(t.Context(), "queue.paused")
			return err == nil && paused != "" && d.store.row(ids[0]).State == submission.Cancelled && d.store.row(ids[1]).Paused
		})
		q.Close()
		g.release()
		q = d.open()
		if got, _ := q.Get(ids[0]); got.State != submission.Cancelled {
			t.Errorf("what was cancelled is %q", got.State)
		}
		if q.QueueStatus().Cause != intake.PausedAll {
			t.Errorf("standing %+v", q.QueueStatus())
		}
		q.ResumeAll()
		q.until(ids[2], submission.Done)
		if got, _ := q.Get(ids[1]); !got.Paused || got.State.Ended() {
			t.Errorf("what was paused is %+v", got)
		}
		d.wantSubmissions(1)
	})
	t.Run("it stands still again where the disk is full again", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		for i := range 30 {
			d.store.setFull(true)
			if _, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", uint8(i))), intake.Options{Source: submission.Dropped}); err == nil {
				t.Fatal("it was taken")
			}
			d.store.setFull(false)
			q.when("it goes on", func() bool { return q.QueueStatus().Cause == intake.Running })
		}
	})
}

func stepOf(s submission.Submission) submission.Step { return s.Step }

// A share that does not answer keeps whoever reads it, whatever they are told.
func TestADiskThatDoesNotAnswer(t *testing.T) {
	imitated := func(t *testing.T) (d *fixture, q testQueue, answers chan struct{}, late chan time.Time) {
		t.Helper()
		d = setup(t)
		q = d.open()
		answers, late = make(chan struct{}), make(chan time.Time)
		q.Imitate(func(ctx context.Context, path string) (media.File, error) {
			if filepath.Base(path) == "stuck.png" {
				<-answers
			}
			return media.Limits(nil).Inspect(ctx, path)
		}, func() <-chan time.Time { return late })
		return d, q, answers, late
	}
	t.Run("holds up its own files alone, says so, and goes on once it does", func(t *testing.T) {
		d, q, answers, late := imitated(t)
		ids := q.accept([]string{pictureFile(t, "stuck.png", 1)}, submission.Dropped)
		q.until(ids[0], submission.Checking)
		late <- time.Time{} // before others are looked at, which would take it
		ids = append(ids, q.accept([]string{pictureFile(t, "a.png", 60), pictureFile(t, "b.png", 90)}, submission.Dropped)...)
		for _, id := range ids[1:] {
			q.until(id, submission.Done)
		}
		q.when("it says so", func() bool { got, _ := q.Get(ids[0]); return got.State == submission.Checking && !got.Delay.IsZero() })
		close(answers)
		if got := q.until(ids[0], submission.Done); !got.Delay.IsZero() {
			t.Errorf("it still says %q", got.Delay)
		}
		d.wantSubmissions(3)
	})
	t.Run("holds up neither cancelling nor the end", func(t *testing.T) {
		d, q, answers, _ := imitated(t)
		ids := q.accept([]string{pictureFile(t, "stuck.png", 1), pictureFile(t, "a.png", 60)}, submission.Dropped)
		q.until(ids[0], submission.Checking)
		q.Cancel(ids[0])
		q.until(ids[1], submission.Done)
		q.Retry(ids[0])
		q.until(ids[0], submission.Checking)
		q.Close()
		close(answers)
		d.wantSubmissions(1)
	})
}
