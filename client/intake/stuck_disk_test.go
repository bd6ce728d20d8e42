package intake_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

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
