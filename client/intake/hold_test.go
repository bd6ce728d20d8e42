package intake_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
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
		ids := q.accept(given, submission.Dropped)
		q.until(ids[0], submission.Done)
		q.when("the plan is used up", func() bool { return q.Stopped(ids[1]) })
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
