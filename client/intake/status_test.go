package intake_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
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
		for _, call := range []string{"upload-url", "link", "look"} {
			t.Run(c.name+" of a call for "+call, func(t *testing.T) {
				q := setup(t)
				q.server.fail(call, repeated(c.err, 100)...)
				var given []string
				for i := range 20 {
					if call != "link" {
						given = append(given, pictureFile(t, fmt.Sprintf("%d.png", i), uint8(8*i)))
					}
					if call != "upload-url" {
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
					assert.True(t, !got.State.Ended() && got.Problem.IsZero(), "%q is %q: %s", got.Name, got.State, got.Problem)
				}
				var said *client.Error
				assert.True(t, errors.As(c.err, &said) && standing.Reason.String() == said.Sentence(), "the reason is %q", standing.Reason)
				q.server.heal()
				q.ResumeAll()
				q.untilEach(ids, submission.Done)
				assert.True(t, q.QueueStatus() == (intake.QueueStatus{}), "standing %+v", q.QueueStatus())
				q.wantSubmissions(len(given))
			})
		}
	}
	t.Run("another code is about one submission alone", func(t *testing.T) {
		q := setup(t)
		q.server.fail("upload-url", quota("something-else"))
		ids := q.drop(pictureFile(t, "a.png", 1))
		got := q.until(ids[0], submission.Failed)
		assert.True(t, got.Problem.String() == "Your plan is used up." && q.QueueStatus().Cause == intake.Running, "%q, standing %+v", got.Problem, q.QueueStatus())
	})
	t.Run("a restart tries again", func(t *testing.T) {
		q := setup(t)
		q.server.fail("upload-url", key(401), key(401))
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
		q.server.fail("upload-url", append(slices.Repeat([]error{nil}, room), repeated(usedUp, 100)...)...)
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
		assert.True(t, q.server.asked("upload-url") <= 4+intake.DefaultUploads, "%d upload URLs were asked for", q.server.asked("upload-url"))
		standing := q.QueueStatus()
		assert.True(t, standing.Cause == intake.NoQuota && standing.Reason == usedUp.Message, "standing %+v", standing)
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
		asked := q.server.asked("upload-url")
		later := q.drop(append(pictures(t, 7)[5:], given[0])...)
		got := q.until(later[2], submission.Done)
		assert.True(t, got.Earlier != "", "the one that was answered before: %+v", got)
		q.when("the others wait", func() bool { return q.Stopped(later[0]) && q.Stopped(later[1]) })
		now := q.server.asked("upload-url")
		assert.True(t, now == asked, "%d more upload URLs were asked for", now-asked)
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
		assert.True(t, q.server.asked("look") <= 8, "the results were asked for %d times", q.server.asked("look"))
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
