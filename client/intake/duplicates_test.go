package intake_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

// copyOf puts the same bytes under another name.
func copyOf(t *testing.T, path, name string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(other, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// overwrite puts one file's bytes into another.
func overwrite(t *testing.T, path, with string) {
	t.Helper()
	data, err := os.ReadFile(with)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) wantSubmissions(n int) {
	d.t.Helper()
	if got := d.server.submissions(); len(got) != n {
		d.t.Errorf("%d submissions at the service, want %d: %+v", len(got), n, got)
	}
}

func TestTheSameBytesShowTheEarlierAnswer(t *testing.T) {
	a := pictureFile(t, "a.png", 1)
	for _, c := range []struct {
		name   string
		before func(t *testing.T, d *fixture, q testQueue) testQueue // hands a over, and returns the queue to go on in
	}{
		{"answered in this run", func(_ *testing.T, _ *fixture, q testQueue) testQueue {
			q.until(q.accept([]string{a}, submission.Dropped)[0], submission.Done)
			return q
		}},
		{"answered and removed in this run", func(_ *testing.T, _ *fixture, q testQueue) testQueue {
			id := q.accept([]string{a}, submission.Dropped)[0]
			q.until(id, submission.Done)
			q.gone(id)
			return q
		}},
		{"answered in an earlier run", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			q.until(q.accept([]string{a}, submission.Dropped)[0], submission.Done)
			q.Close()
			return d.open()
		}},
		{"answered two days ago", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			q.until(q.accept([]string{a}, submission.Dropped)[0], submission.Done)
			q.Close()
			d.clock.advance(48 * time.Hour)
			return d.open()
		}},
		{"still waiting in an earlier run", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			q.PauseAll()
			q.accept([]string{a}, submission.Dropped)
			q.Close()
			q = d.open()
			q.ResumeAll()
			return q
		}},
		{"under way", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			g := d.server.shut("put")
			q.accept([]string{a}, submission.Dropped)
			<-g.reached
			go func() { close(g.open) }()
			return q
		}},
		{"failed in an earlier run, and is set going again", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			d.server.fail("address", &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No.")})
			q.until(q.accept([]string{a}, submission.Dropped)[0], submission.Failed)
			q.Close()
			return d.open()
		}},
		{"failed and removed, and is set going again", func(_ *testing.T, d *fixture, q testQueue) testQueue {
			d.server.fail("address", &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No.")})
			id := q.accept([]string{a}, submission.Dropped)[0]
			q.until(id, submission.Failed)
			q.gone(id)
			return q
		}},
	} {
		t.Run("where they were "+c.name, func(t *testing.T) {
			d := setup(t)
			q := c.before(t, d, d.open())
			inbox := len(q.Order())
			id := q.accept([]string{copyOf(t, a, "b.png")}, submission.Dropped)[0]
			got := q.until(id, submission.Done)
			if got.Earlier == "" || got.Result == nil || got.Name != "b.png" {
				t.Errorf("got %+v", got)
			}
			if now := len(q.Order()); now != inbox+1 {
				t.Errorf("%d in the inbox, want %d", now, inbox+1)
			}
			d.wantSubmissions(1)
		})
	}
	t.Run("two copies at once are one submission", func(t *testing.T) {
		d := setup(t)
		q := d.open()
		ids := q.accept([]string{a, copyOf(t, a, "b.png"), copyOf(t, a, "c.png")}, submission.Dropped)
		for _, id := range ids {
			q.until(id, submission.Done)
		}
		d.wantSubmissions(1)
	})
	t.Run("one that was refused or cancelled stands for nothing", func(t *testing.T) {
		d := setup(t)
		g := d.server.shut("address")
		q := d.open()
		id := q.accept([]string{a}, submission.Dropped)[0]
		<-g.reached
		q.Cancel(id)
		close(g.open)
		got := q.until(q.accept([]string{copyOf(t, a, "b.png")}, submission.Dropped)[0], submission.Done)
		if got.Earlier != "" {
			t.Error("it shows the answer of one that was cancelled")
		}
		d.wantSubmissions(1)
	})
}

// gone removes a submission, which may still be on its way out.
func (s testQueue) gone(id string) {
	s.t.Helper()
	for ok := true; ok; _, ok = s.Get(id) {
		s.Remove(id)
	}
}

func (g *gate) release() { close(g.open) }

// follows waits until one submission shows another's answer.
func (s testQueue) follows(id, earlier string) {
	s.t.Helper()
	s.when("it shows the other's answer", func() bool {
		got, _ := s.Get(id)
		return got.Earlier == earlier
	})
}

func TestACancelledDuplicateThatIsTriedAgainStandsForNothing(t *testing.T) {
	d := setup(t)
	q := d.open()
	g := d.server.shut("link")
	first := q.accept([]string{post}, submission.Pasted)[0]
	<-g.reached
	copied := q.accept([]string{post}, submission.Pasted)[0]
	q.when("the second shows the first", func() bool {
		s, _ := q.Get(copied)
		return s.Earlier == first
	})
	q.Cancel(copied)
	close(g.open)
	q.until(first, submission.Done)
	q.Remove(first)
	q.Close()

	q = d.open()
	q.Retry(copied)
	third := q.accept([]string{post}, submission.Pasted)[0]
	if got := q.until(third, submission.Done); got.Earlier != first {
		t.Errorf("it shows %q, not %q", got.Earlier, first)
	}
	q.until(copied, submission.Done)
	d.wantSubmissions(1)
}

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
