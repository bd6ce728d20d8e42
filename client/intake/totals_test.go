package intake_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// recount is what the totals must be.
func recount(all []submission.Submission) (t intake.Totals) {
	for _, s := range all {
		switch {
		case s.State == submission.Done || s.State != submission.Held && !s.State.Ended():
		case s.Uploaded.IsZero():
			t.Unsent++
		default:
			t.Unanswered++
		}
		if s.State == submission.Refused {
			t.Refused++
		}
		t.All++
		switch s.State {
		case submission.Done:
			t.Done++
			t.Ended++
		case submission.Failed:
			t.Failed++
			t.Ended++
		case submission.Refused, submission.Cancelled:
			t.Ended++
		default:
			if s.Paused {
				t.Paused++
			}
		}
		if s.Earlier != "" || s.State == submission.Refused || s.State == submission.Cancelled {
			continue // its bytes are another's, or stay here
		}
		t.Bytes += s.Size
		switch {
		case !s.Uploaded.IsZero():
			t.Sent += s.Size
		case s.State == submission.Sending:
			t.Sent += s.Sent
			t.Rate += s.Rate
		}
	}
	return t
}

func (f *fixture) wantTotals() {
	f.t.Helper()
	all, got := f.AllAndTotals()
	want := recount(all)
	if math.Abs(got.Rate-want.Rate) > 1+want.Rate/1e6 {
		f.t.Fatalf("a rate of %v, want %v", got.Rate, want.Rate)
	}
	got.Rate, want.Rate = 0, 0
	if got != want {
		f.t.Fatalf("totals %+v, want %+v", got, want)
	}
	if got.All < 0 || got.Ended < 0 || got.Done < 0 || got.Failed < 0 || got.Paused < 0 || got.Bytes < 0 || got.Sent < 0 || got.Active() < 0 || got.Sent > got.Bytes {
		f.t.Fatalf("totals %+v", got)
	}
}

func TestTotalsAreTheSumsOverTheInboxWhateverHappens(t *testing.T) {
	paths := pictures(t, 12)
	for i := range 6 {
		paths = append(paths, copyOf(t, paths[i], "copy.png"))
	}
	paths = append(paths, t.TempDir()+"/gone.png", post, post, "https://x.com/desk/status/2", "https://me:secret@x.com/a")
	seeds := 30
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			q := setup(t)
			random := rand.New(rand.NewPCG(uint64(seed), 1)) //nolint:gosec // it is to be repeated
			failures := []error{busy(), offline(), denied(), refused("No."),
				&client.Error{Op: "t", Kind: client.KindKey, Status: 401, Message: i18n.Verbatim("No key.")}}
			some := func() (ids []string) {
				for _, id := range q.Order() {
					if random.IntN(4) == 0 {
						ids = append(ids, id)
					}
				}
				return ids
			}
			for range 120 {
				switch random.IntN(14) {
				case 0, 1, 2:
					q.drop(paths[random.IntN(len(paths))], paths[random.IntN(len(paths))])
				case 3:
					q.Pause(some()...)
				case 4, 5:
					q.Resume(some()...)
				case 6:
					q.Cancel(some()...)
				case 7:
					q.Retry(some()...)
				case 8:
					q.Remove(some()...)
				case 9:
					if all := q.All(); len(all) > 0 {
						q.ScanAgain(all[random.IntN(len(all))])
					}
				case 10:
					q.server.fail([]string{"upload-url", "put", "look", "link"}[random.IntN(4)], failures[random.IntN(len(failures))])
				case 11:
					q.PauseAll()
				case 12:
					q.ResumeAll()
				case 13:
					if random.IntN(4) == 0 {
						q.reopen()
					}
				}
				q.wantTotals()
			}
			q.server.heal()
			q.ResumeAll()
			q.Resume(q.Order()...)
			q.when("all has ended", func() bool {
				q.wantTotals()
				if q.QueueStatus().Stopped() {
					q.ResumeAll()
				}
				return q.Totals().Ended == q.Totals().All
			})
			for _, s := range q.All() {
				assert.True(t, s.State != submission.Done || s.Result != nil && s.RequestID != "", "done without an answer: %+v", s)
			}
			q.when("all is forgotten", func() bool {
				q.Remove(q.Order()...) // again: what is scanned again may only just have come
				return q.Held() == 0
			})
			got := q.Totals()
			assert.True(t, got == (intake.Totals{}), "totals of nothing: %+v", got)
		})
	}
}

func TestAnUploadUnderWayCounts(t *testing.T) {
	q := setup(t)
	g := q.server.shut("put")
	id := q.drop(pictures(t, 1)...)[0]
	<-g.reached // half of it is handed to the network
	got, _ := q.Get(id)
	assert.True(t, q.Totals().Sent == got.Size/2 && q.Totals().Bytes == got.Size && q.Totals().Active() == 1, "%+v of %d bytes", q.Totals(), got.Size)
	q.Pause(id)
	q.when("it is cut", func() bool { return q.Totals().Sent == 0 })
	assert.True(t, q.Totals().Rate == 0 && q.Totals().Active() == 0 && q.Totals().Paused == 1, "%+v", q.Totals())
}

func TestChangesArePublished(t *testing.T) {
	q := setup(t)
	slow := q.Events.Subscribe()
	var ids []string
	for _, path := range pictures(t, 10) {
		ids = append(ids, q.drop(path)...)
	}
	q.untilEach(ids, submission.Done)
	<-slow.Ready()
	changed := slow.Take()
	assert.True(t, slices.Equal(slices.Sorted(slices.Values(changed.IDs(events.Submission))), slices.Sorted(slices.Values(ids))) && changed.Has(events.Inbox) && changed.Has(events.Results) && !changed.Has(events.Queue),
		"%+v", changed)
	q.PauseAll()
	q.ResumeAll()
	got := slow.Take()
	assert.True(t, got.Has(events.Queue), "%+v", got)
}

func TestMemoryHoldsTheInboxAlone(t *testing.T) {
	q := setup(t)
	for i := range 100 {
		path := pictureFile(t, "a.png", uint8(i))
		ids := q.drop(path, copyOf(t, path, "b.png"))
		q.untilEach(ids, submission.Done)
		q.Remove(ids...)
		q.when("it is forgotten", func() bool { return q.Held() == 0 })
	}
	q.wantSubmissions(100)
	q.Close()
	q.clock.Advance(time.Hour)
	q.open()
	held := q.Held()
	assert.True(t, held == 0, "%d of what was removed are in memory after a restart", held)
}
