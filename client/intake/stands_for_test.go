package intake_test

import (
	"os"
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

func TestAnAnswerIsOfTheBytesThatWereHashed(t *testing.T) {
	refused := &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No.")}
	verdicts := func(d *fixture) {
		d.server.result = func(id string) (*client.Result, error) {
			return &client.Result{RequestID: id, OverallStatus: client.Fake}, nil
		}
	}
	// contentOf is what the service was given under a number.
	contentOf := func(d *fixture, id string) (sum [32]byte) {
		for _, s := range d.server.submissions() {
			if s.id == id {
				return s.content
			}
		}
		d.t.Errorf("the service has nothing under %q", id)
		return sum
	}
	// overwritten fails a.png, with other bytes then, and lets it be sent.
	overwritten := func(t *testing.T, d *fixture, q testQueue, a string, also ...string) []string {
		verdicts(d)
		d.server.forgetCalls()
		d.server.fail("address", refused, refused)
		ids := q.accept([]string{a}, submission.Dropped)
		q.until(ids[0], submission.Failed)
		for _, path := range also {
			ids = append(ids, q.accept([]string{path}, submission.Dropped)...)
			q.when("it set the first going again", func() bool { return d.server.asked("address") == len(ids) })
			q.until(ids[0], submission.Failed)
		}
		d.server.heal()
		overwrite(t, a, pictureFile(t, "other.png", 90))
		return ids
	}
	t.Run("a copy of what a file held before it was overwritten is sent itself", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		b := copyOf(t, a, "b.png")
		ids := overwritten(t, d, q, a)
		q.Retry(ids[0])
		first := q.until(ids[0], submission.Done)
		second := q.until(q.accept([]string{b}, submission.Dropped)[0], submission.Done)
		if contentOf(d, first.RequestID) == contentOf(d, second.RequestID) {
			t.Error("the copy shows the answer to other bytes")
		}
		d.wantSubmissions(2)
	})
	t.Run("a duplicate does not follow a file that was overwritten", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		ids := overwritten(t, d, q, a, copyOf(t, a, "b.png"))
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		if first.RequestID == second.RequestID || contentOf(d, first.RequestID) == contentOf(d, second.RequestID) {
			t.Errorf("the duplicate shows the answer to other bytes: %+v", second)
		}
		d.wantSubmissions(2)
	})
	t.Run("nor one that was overwritten between two runs", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		ids := overwritten(t, d, q, a, copyOf(t, a, "b.png"))
		q.Close()
		q = d.open()
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		if first.RequestID == second.RequestID {
			t.Errorf("the duplicate shows the answer to other bytes: %+v", second)
		}
		q.Close()
		q = d.open()
		if again, _ := q.Get(ids[1]); again.RequestID != second.RequestID {
			t.Errorf("after another restart it shows %q, not %q", again.RequestID, second.RequestID)
		}
	})
	t.Run("nor one that follows another then", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a, other := pictureFile(t, "a.png", 1), pictureFile(t, "other.png", 90)
		q.until(q.accept([]string{other}, submission.Dropped)[0], submission.Done)
		ids := overwritten(t, d, q, a, copyOf(t, a, "b.png"))
		overwrite(t, a, other)
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		if first.RequestID == second.RequestID || first.Earlier == "" {
			t.Errorf("%+v and %+v", first, second)
		}
		d.wantSubmissions(2)
	})
}

func TestDuplicatesOfOneThatStandsForNothingAnyMore(t *testing.T) {
	t.Run("a copy is sent where the first file was deleted before it was", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		b := copyOf(t, a, "b.png")
		d.server.fail("address", busy()) // so that the second is hashed before the first is asked for again
		g := d.server.shut("address")
		ids := q.accept([]string{a, b}, submission.Dropped)
		<-g.reached
		q.follows(ids[1], ids[0])
		if err := os.Remove(a); err != nil {
			t.Fatal(err)
		}
		g.release()
		q.until(ids[0], submission.Refused)
		if got := q.until(ids[1], submission.Done, submission.Refused); got.State != submission.Done {
			t.Errorf("the copy is %q: %s", got.State, got.Problem)
		}
		d.wantSubmissions(1)
	})
	t.Run("a duplicate of a cancelled one that follows a third itself shows that one's answer", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		g := d.server.shut("address")
		ids := q.accept([]string{a, copyOf(t, a, "b.png")}, submission.Dropped)
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Cancel(ids[0])
		g.release()
		third := q.until(q.accept([]string{copyOf(t, a, "c.png")}, submission.Dropped)[0], submission.Done)
		q.Retry(ids[1])
		if got := q.until(ids[0], submission.Done); got.RequestID != third.RequestID {
			t.Errorf("%+v", got)
		}
		if got := q.until(ids[1], submission.Done); got.RequestID != third.RequestID {
			t.Errorf("%+v", got)
		}
		d.wantSubmissions(1)
	})
	t.Run("one whose earlier submission the store has no more is sent", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		a := pictureFile(t, "a.png", 1)
		ids := q.accept([]string{a, copyOf(t, a, "b.png")}, submission.Dropped)
		q.follows(ids[1], ids[0])
		q.Close()
		delete(d.store.rows, ids[0])
		q = d.open()
		q.until(ids[1], submission.Done)
	})
}
