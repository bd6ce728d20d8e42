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
