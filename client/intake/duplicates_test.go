package intake_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/submission"
)

// copyOf puts the same bytes under another name.
func copyOf(t *testing.T, path, name string) string {
	t.Helper()
	other := filepath.Join(t.TempDir(), name)
	overwrite(t, other, path)
	return other
}

// overwrite puts one file's bytes into another.
func overwrite(t *testing.T, path, with string) {
	t.Helper()
	data, err := os.ReadFile(with)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, data, 0o600))
}

func (f *fixture) wantSubmissions(n int) {
	f.t.Helper()
	got := f.server.submissions()
	assert.True(f.t, len(got) == n, "%d submissions at the service, want %d: %+v", len(got), n, got)
}

func TestTheSameBytesShowTheEarlierAnswer(t *testing.T) {
	a := pictureFile(t, "a.png", 1)
	for _, c := range []struct {
		name   string
		before func(q *fixture) // hands a over
	}{
		{"answered in this run", func(q *fixture) { q.until(q.drop(a)[0], submission.Done) }},
		{"answered and removed in this run", func(q *fixture) {
			id := q.drop(a)[0]
			q.until(id, submission.Done)
			q.gone(id)
		}},
		{"answered in an earlier run", func(q *fixture) {
			q.until(q.drop(a)[0], submission.Done)
			q.reopen()
		}},
		{"answered two days ago", func(q *fixture) {
			q.until(q.drop(a)[0], submission.Done)
			q.Close()
			q.clock.Advance(48 * time.Hour)
			q.open()
		}},
		{"still waiting in an earlier run", func(q *fixture) {
			q.PauseAll()
			q.drop(a)
			q.reopen()
			q.ResumeAll()
		}},
		{"under way", func(q *fixture) {
			g := q.server.shut("put")
			q.drop(a)
			<-g.reached
			go g.release()
		}},
		{"failed in an earlier run, and is set going again", func(q *fixture) {
			q.server.fail("upload-url", refused("No."))
			q.until(q.drop(a)[0], submission.Failed)
			q.reopen()
		}},
		{"failed and removed, and is set going again", func(q *fixture) {
			q.server.fail("upload-url", refused("No."))
			id := q.drop(a)[0]
			q.until(id, submission.Failed)
			q.gone(id)
		}},
	} {
		t.Run("where they were "+c.name, func(t *testing.T) {
			q := setup(t)
			c.before(q)
			inbox := len(q.Order())
			id := q.drop(copyOf(t, a, "b.png"))[0]
			got := q.until(id, submission.Done)
			assert.True(t, got.Earlier != "" && got.Result != nil && got.Name == "b.png" && got.RequestID == "id-1", "got %+v", got)
			now := len(q.Order())
			assert.True(t, now == inbox+1, "%d in the inbox, want %d", now, inbox+1)
			q.wantSubmissions(1)
		})
	}
	t.Run("two copies at once are one submission", func(t *testing.T) {
		q := setup(t)
		ids := q.drop(a, copyOf(t, a, "b.png"), copyOf(t, a, "c.png"))
		q.untilEach(ids, submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("one that was refused or cancelled stands for nothing", func(t *testing.T) {
		q := setup(t)
		g := q.server.shut("upload-url")
		id := q.drop(a)[0]
		<-g.reached
		q.Cancel(id)
		g.release()
		got := q.until(q.drop(copyOf(t, a, "b.png"))[0], submission.Done)
		assert.True(t, got.Earlier == "", "it shows the answer of one that was cancelled")
		q.wantSubmissions(1)
	})
}

// gone removes a submission, which may still be on its way out.
func (f *fixture) gone(id string) {
	f.t.Helper()
	for ok := true; ok; _, ok = f.Get(id) {
		f.Remove(id)
	}
}

// follows waits until one submission shows another's answer.
func (f *fixture) follows(id, earlier string) {
	f.t.Helper()
	f.when("it shows the other's answer", func() bool {
		got, _ := f.Get(id)
		return got.Earlier == earlier
	})
}

func TestACancelledDuplicateThatIsTriedAgainStandsForNothing(t *testing.T) {
	q := setup(t)
	g := q.server.shut("link")
	first := q.drop(post)[0]
	<-g.reached
	copied := q.drop(post)[0]
	q.when("the second shows the first", func() bool {
		s, _ := q.Get(copied)
		return s.Earlier == first
	})
	q.Cancel(copied)
	g.release()
	q.until(first, submission.Done)
	q.Remove(first)
	q.Close()

	q.open()
	q.Retry(copied)
	third := q.drop(post)[0]
	got := q.until(third, submission.Done)
	assert.True(t, got.Earlier == first, "it shows %q, not %q", got.Earlier, first)
	q.until(copied, submission.Done)
	q.wantSubmissions(1)
}

func TestAnAnswerIsOfTheBytesThatWereHashed(t *testing.T) {
	// contentOf is what the service was given under a number.
	contentOf := func(q *fixture, id string) (sum [32]byte) {
		for _, s := range q.server.submissions() {
			if s.id == id {
				return s.content
			}
		}
		q.t.Errorf("the service has nothing under %q", id)
		return sum
	}
	// overwritten fails a.png, with other bytes then, and lets it be sent.
	overwritten := func(t *testing.T, q *fixture, a string, also ...string) []string {
		q.server.answers(status(client.Fake))
		q.server.forgetCalls()
		q.server.fail("upload-url", refused("No."), refused("No."))
		ids := q.drop(a)
		q.until(ids[0], submission.Failed)
		for _, path := range also {
			ids = append(ids, q.drop(path)...)
			q.when("it set the first going again", func() bool { return q.server.asked("upload-url") == len(ids) })
			q.until(ids[0], submission.Failed)
		}
		q.server.heal()
		overwrite(t, a, pictureFile(t, "other.png", 90))
		return ids
	}
	t.Run("a copy of what a file held before it was overwritten is sent itself", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		b := copyOf(t, a, "b.png")
		ids := overwritten(t, q, a)
		q.Retry(ids[0])
		first := q.until(ids[0], submission.Done)
		second := q.until(q.drop(b)[0], submission.Done)
		assert.True(t, contentOf(q, first.RequestID) != contentOf(q, second.RequestID), "the copy shows the answer to other bytes")
		q.wantSubmissions(2)
	})
	t.Run("a duplicate does not follow a file that was overwritten", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		ids := overwritten(t, q, a, copyOf(t, a, "b.png"))
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		assert.True(t, first.RequestID != second.RequestID && contentOf(q, first.RequestID) != contentOf(q, second.RequestID),
			"the duplicate shows the answer to other bytes: %+v", second)
		q.wantSubmissions(2)
	})
	t.Run("nor one that was overwritten between two runs", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		ids := overwritten(t, q, a, copyOf(t, a, "b.png"))
		q.reopen()
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		assert.True(t, first.RequestID != second.RequestID, "the duplicate shows the answer to other bytes: %+v", second)
		q.reopen()
		again, _ := q.Get(ids[1])
		assert.True(t, again.RequestID == second.RequestID, "after another restart it shows %q, not %q", again.RequestID, second.RequestID)
	})
	t.Run("nor one that follows another then", func(t *testing.T) {
		q := setup(t)
		a, other := pictureFile(t, "a.png", 1), pictureFile(t, "other.png", 90)
		q.until(q.drop(other)[0], submission.Done)
		ids := overwritten(t, q, a, copyOf(t, a, "b.png"))
		overwrite(t, a, other)
		q.Retry(ids[0])
		first, second := q.until(ids[0], submission.Done), q.until(ids[1], submission.Done)
		assert.True(t, first.RequestID != second.RequestID && first.Earlier != "", "%+v and %+v", first, second)
		q.wantSubmissions(2)
	})
}

func TestDuplicatesOfOneThatStandsForNothingAnyMore(t *testing.T) {
	t.Run("a copy is sent where the first file was deleted before it was", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		b := copyOf(t, a, "b.png")
		q.server.fail("upload-url", busy()) // so that the second is hashed before the first is asked for again
		g := q.server.shut("upload-url")
		ids := q.drop(a, b)
		<-g.reached
		q.follows(ids[1], ids[0])
		assert.NoError(t, os.Remove(a))
		g.release()
		q.until(ids[0], submission.Refused)
		got := q.until(ids[1], submission.Done, submission.Refused)
		assert.True(t, got.State == submission.Done, "the copy is %q: %s", got.State, got.Problem)
		q.wantSubmissions(1)
	})
	t.Run("a duplicate of a cancelled one that follows a third itself shows that one's answer", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		g := q.server.shut("upload-url")
		ids := q.drop(a, copyOf(t, a, "b.png"))
		<-g.reached
		q.follows(ids[1], ids[0])
		q.Cancel(ids[0])
		g.release()
		third := q.until(q.drop(copyOf(t, a, "c.png"))[0], submission.Done)
		q.Retry(ids[1])
		assert.True(t, q.until(ids[0], submission.Done).RequestID == third.RequestID, "%+v", q.until(ids[0], submission.Done))
		assert.True(t, q.until(ids[1], submission.Done).RequestID == third.RequestID, "%+v", q.until(ids[1], submission.Done))
		q.wantSubmissions(1)
	})
	t.Run("one whose earlier submission the store has no more is sent", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a, copyOf(t, a, "b.png"))
		q.follows(ids[1], ids[0])
		q.Close()
		delete(q.store.rows, ids[0])
		q.open()
		q.until(ids[1], submission.Done)
	})
}
