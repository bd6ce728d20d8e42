package intake_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// metadata stands at the end of a file of which a copier makes a copy without.
const metadata = "METADATA 52.5 N 13.4 E"

// copier makes copies without metadata into a folder, which outlives queues as a disk does.
type copier struct {
	folder string

	mu      sync.Mutex
	made    int
	swept   int
	fails   error
	unable  error                     // why it can't make copies in another format
	making  func()                    // called while a copy is made
	another func(bytes []byte) []byte // what the copy becomes instead
}

func (c *copier) path(id string) string { return filepath.Join(c.folder, id+".png") }

func (c *copier) Copy(ctx context.Context, file media.File, id string, how submission.Copying) (submission.Copy, error) {
	c.mu.Lock()
	making, fails, another := c.making, c.fails, c.another
	c.made++
	c.mu.Unlock()
	if making != nil {
		making()
	}
	if err := errors.Join(fails, ctx.Err()); err != nil {
		return submission.Copy{}, err
	}
	opened, err := media.Open(file)
	if err != nil {
		return submission.Copy{}, err
	}
	defer opened.Close() //nolint:errcheck // only read from
	data, err := os.ReadFile(file.Path)
	if err != nil {
		return submission.Copy{}, err
	}
	data = bytes.ReplaceAll(data, []byte(metadata), nil)
	if another != nil {
		data = another(data)
	}
	sum := sha256.Sum256(data)
	made := submission.Copy{Path: c.path(id), SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data)), Removed: "position"}
	if how.Need != submission.NeedsNothing {
		made.Format, made.Metadata, made.Part = "PNG", !how.WithoutMetadata, how.Part
	}
	return made, os.WriteFile(made.Path, data, 0o600)
}

func (c *copier) Able(media.File, submission.Need) error { return c.unable }

func (c *copier) Remove(id string) error {
	err := os.Remove(c.path(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (c *copier) Sweep(kept []string) error {
	c.mu.Lock()
	c.swept++
	c.mu.Unlock()
	for _, id := range c.there() {
		if !slices.Contains(kept, id) {
			return c.Remove(id)
		}
	}
	return nil
}

// there are the submissions that have a copy.
func (c *copier) there() (ids []string) {
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		ids = append(ids, strings.TrimSuffix(e.Name(), ".png"))
	}
	return ids
}

func (c *copier) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// pictureWithMetadata is a picture that says where it was made.
func pictureWithMetadata(t *testing.T, name string, shade uint8) string {
	t.Helper()
	path := pictureFile(t, name, shade)
	data, err := os.ReadFile(path)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, append(data, metadata...), 0o600))
	return path
}

var withoutMetadata = intake.ApproveOptions{WithoutMetadata: true, NeutralName: true}

func TestACopyWithoutMetadataIsSentInTheFilesPlace(t *testing.T) {
	q := setupCopying(t)
	a := pictureWithMetadata(t, "jane-at-home.png", 1)
	original, err := os.ReadFile(a)
	assert.NoError(t, err)
	id := q.held(a)[0]
	expected, _ := q.Get(id)
	neutral := intake.NeutralName(expected)
	q.Approve(withoutMetadata, id)
	got := q.until(id, submission.Done)
	clean := sha256.Sum256(bytes.ReplaceAll(original, []byte(metadata), nil))
	sent := q.server.submissions()
	if len(sent) != 1 || sent[0].content != clean {
		t.Fatalf("the service has %+v", sent)
	}
	assert.True(t, sent[0].name == neutral && strings.HasPrefix(neutral, "picture-") && strings.HasSuffix(neutral, ".png") && got.SendName == neutral,
		"it was sent as %q, and %q was to be expected", sent[0].name, neutral)
	assert.True(t, got.Copy.SHA256 == hex.EncodeToString(clean[:]) && got.Copy.Size == int64(len(original)-len(metadata)) && got.Sends() == got.Copy.Size && got.Copy.Removed == "position",
		"%+v", got.Copy)
	assert.True(t, got.SHA256 == expected.SHA256 && got.Size == int64(len(original)), "what it is known by changed")
	sums := q.Totals()
	assert.True(t, sums.Bytes == got.Copy.Size && sums.Sent == got.Copy.Size, "%+v", sums)
	assert.True(t, slices.Contains(q.custodyEvents(), "allowed to leave without metadata") && !slices.Contains(q.custodyEvents(), "allowed to leave"),
		"the custody log says %v", q.custodyEvents())
	q.when("the copy is deleted", func() bool { return len(q.copier.there()) == 0 })
	kept := q.store.row(id)
	assert.True(t, kept.Copy == got.Copy && kept.Neutral, "what was sent is not known any more: %+v", kept)
	t.Run("the same file handed over once more shows its answer", func(t *testing.T) {
		again := q.drop(copyOf(t, a, "b.png"))[0]
		q.until(again, submission.Done)
		q.wantSubmissions(1)
	})
}

func TestThePersonChoosesEachWayApart(t *testing.T) {
	for name, how := range map[string]intake.ApproveOptions{
		"a copy under its name": {WithoutMetadata: true}, "as it is under a neutral name": {NeutralName: true}, "as it is": {},
	} {
		t.Run(name, func(t *testing.T) {
			q := setupCopying(t)
			id := q.held(pictureWithMetadata(t, "jane.png", 1))[0]
			q.Approve(how, id)
			got := q.until(id, submission.Done)
			sent := q.server.submissions()[0]
			assert.True(t, strings.HasPrefix(sent.name, "jane-") != how.NeutralName && got.Neutral == how.NeutralName, "sent as %q", sent.name)
			own, _ := hex.DecodeString(got.SHA256)
			assert.True(t, bytes.Equal(sent.content[:], own) != how.WithoutMetadata && (got.Copy.SHA256 != "") == how.WithoutMetadata, "sent: %+v", got.Copy)
		})
	}
	t.Run("a neutral name stays neutral, also where the file was touched while it was sent", func(t *testing.T) {
		path := pictureWithMetadata(t, "jane.png", 1)
		q := setup(t)
		q.server.putting = func(*os.File) {
			q.server.putting = nil
			assert.NoError(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
		}
		id := q.held(path)[0]
		q.Approve(intake.ApproveOptions{NeutralName: true}, id)
		q.until(id, submission.Failed)
		q.Retry(id)
		got := q.until(id, submission.Done)
		sent := q.server.submissions()
		assert.True(t, len(sent) == 2 && sent[0].name != sent[1].name && strings.HasPrefix(sent[0].name, "picture-") && strings.HasPrefix(sent[1].name, "picture-") && got.SendName == sent[1].name,
			"it was sent as %+v", sent)
	})
	t.Run("a link goes as it is", func(t *testing.T) {
		q := setupCopying(t)
		taken, err := q.Accept(t.Context(), intake.Inputs("https://posts.example/1"), intake.Options{Source: submission.Pasted, Gate: submission.GateAsk})
		assert.NoError(t, err)
		q.until(taken.IDs[0], submission.Held)
		q.nothingAsked()
		q.Approve(withoutMetadata, taken.IDs[0])
		got := q.until(taken.IDs[0], submission.Done)
		assert.True(t, !got.Neutral && got.Copy == (submission.Copy{}), "%+v", got)
		q.wantSubmissions(1)
	})
	t.Run("bytes that are on their way need no copy: it is deleted", func(t *testing.T) {
		q := setupCopying(t)
		g := q.server.shut("put")
		a := pictureWithMetadata(t, "a.png", 1)
		first := q.drop(a)[0]
		<-g.reached
		id := q.held(copyOf(t, a, "b.png"))[0]
		q.Approve(withoutMetadata, id)
		q.follows(id, first)
		q.when("the copy is deleted", func() bool { return len(q.copier.there()) == 0 })
		g.release()
		q.until(id, submission.Done)
		assert.True(t, q.copier.count() == 1, "it was made %d times", q.copier.count())
	})
	t.Run("what was kept here first may go as a copy, too", func(t *testing.T) {
		q := setupCopying(t)
		id := q.held(pictureWithMetadata(t, "a.png", 1))[0]
		q.Withhold(id)
		q.until(id, submission.Stays)
		q.Approve(withoutMetadata, id)
		got := q.until(id, submission.Done)
		assert.True(t, got.Copy.SHA256 != "", "%+v", got)
	})
}

// sentence is an error that says itself.
type sentence string

func (s sentence) Error() string    { return "error" }
func (s sentence) Sentence() string { return string(s) }

func TestWhereNoCopyCanBeMadeNothingIsSent(t *testing.T) {
	t.Run("it waits on, and says why", func(t *testing.T) {
		for why, want := range map[error]string{
			sentence("This kind can't be cleaned."): "This kind can't be cleaned.", errors.New("boom"): "No copy could be made of this file.",
		} {
			q := setupCopying(t)
			q.copier.fails = why
			id := q.held(pictureWithMetadata(t, "a.png", 1))[0]
			q.Approve(withoutMetadata, id)
			q.when("it says why", func() bool { s, _ := q.Get(id); return !s.Problem.IsZero() })
			got, _ := q.Get(id)
			assert.True(t, got.Problem.String() == want && got.State == submission.Held && got.Allowed.IsZero() && got.Delay.IsZero() && q.store.row(id).Problem.String() == want,
				"%+v", got)
			q.nothingAsked()
			q.reopen()
			q.until(id, submission.Held)
			q.nothingAsked()
			t.Run("as it is, it may go all the same", func(t *testing.T) {
				q.Approve(intake.ApproveOptions{}, id)
				got := q.until(id, submission.Done)
				assert.True(t, got.Problem.IsZero(), "%+v", got)
			})
		}
	})
	t.Run("nor where there is nothing that makes copies", func(t *testing.T) {
		q := setup(t)
		id := q.held(pictureWithMetadata(t, "a.png", 1))[0]
		q.Approve(withoutMetadata, id)
		q.when("it says so", func() bool { s, _ := q.Get(id); return !s.Problem.IsZero() })
		q.nothingAsked()
	})
	t.Run("a file that was changed since it was hashed is held anew", func(t *testing.T) {
		q := setupCopying(t)
		a := pictureWithMetadata(t, "a.png", 1)
		id := q.held(a)[0]
		before, _ := q.Get(id)
		overwrite(t, a, pictureWithMetadata(t, "b.png", 90))
		assert.NoError(t, os.WriteFile(a+"x", nil, 0o600))
		assert.NoError(t, os.Truncate(a, before.Size-3))
		q.Approve(withoutMetadata, id)
		q.when("it is held with the new bytes", func() bool {
			s, _ := q.Get(id)
			return s.State == submission.Held && s.SHA256 != before.SHA256
		})
		q.nothingAsked()
	})
	t.Run("one that is gone is refused", func(t *testing.T) {
		q := setupCopying(t)
		a := pictureWithMetadata(t, "a.png", 1)
		id := q.held(a)[0]
		assert.NoError(t, os.Remove(a))
		q.Approve(withoutMetadata, id)
		q.until(id, submission.Refused)
		q.nothingAsked()
	})
	t.Run("a person who cancels while it is made has the last word", func(t *testing.T) {
		q := setupCopying(t)
		id := q.held(pictureWithMetadata(t, "a.png", 1))[0]
		q.copier.making = func() { q.Cancel(id) }
		q.Approve(withoutMetadata, id)
		q.until(id, submission.Cancelled)
		q.decided()
		q.nothingAsked()
		assert.True(t, len(q.copier.there()) == 0, "copies of %v are left", q.copier.there())
	})
	t.Run("nor is sent what the person keeps here before its copy is there", func(t *testing.T) {
		for name, otherwise := range map[string]func(*fixture, ...string){
			"kept": func(q *fixture, ids ...string) { q.Withhold(ids...) }, "never": func(q *fixture, ids ...string) { q.NeverSend(ids...) },
		} {
			t.Run(name, func(t *testing.T) {
				q := setupCopying(t)
				ids := q.held(pictureWithMetadata(t, "a.png", 1), pictureWithMetadata(t, "b.png", 60))
				begun, goOn := make(chan struct{}), make(chan struct{})
				q.copier.making = sync.OnceFunc(func() {
					close(begun)
					<-goOn
				})
				q.Approve(withoutMetadata, ids...)
				<-begun
				assert.True(t, !q.shown(ids[1]).Delay.IsZero(), "the second does not say what it waits for")
				otherwise(q, ids...)
				close(goOn)
				for _, id := range ids {
					got := q.until(id, submission.Stays)
					assert.True(t, got.Delay.IsZero() && got.Allowed.IsZero(), "%+v", got)
				}
				q.decided()
				q.nothingAsked()
				assert.True(t, len(q.copier.there()) == 0, "copies of %v are left", q.copier.there())
			})
		}
	})
	t.Run("what can't be written down is not allowed", func(t *testing.T) {
		q := setupCopying(t)
		id := q.held(pictureWithMetadata(t, "a.png", 1))[0]
		q.copier.making = func() { q.store.setFull(true) }
		q.Approve(withoutMetadata, id)
		q.stands(intake.NoDisk)
		q.is(submission.Held, id)
		q.nothingAsked()
		q.Close()
		q.store.setFull(false)
		q.copier.making = nil
		q.open()
		assert.True(t, len(q.copier.there()) == 0, "the copy of %v is left", q.copier.there())
		q.until(id, submission.Held)
		q.nothingAsked()
	})
}

func TestACopyThatIsGoneIsMadeAgain(t *testing.T) {
	// stopped is a submission that was allowed to leave as a copy, and then found no way to the service.
	stopped := func(t *testing.T) (*fixture, string) {
		t.Helper()
		q := setupCopying(t)
		id := q.held(pictureWithMetadata(t, "jane.png", 1))[0]
		q.server.fail("upload-url", refused("No."))
		q.Approve(withoutMetadata, id)
		q.until(id, submission.Failed)
		return q, id
	}
	t.Run("the same, whatever became of it", func(t *testing.T) {
		for name, harm := range map[string]func(*copier, string){
			"deleted": func(c *copier, id string) { assert.NoError(t, os.Remove(c.path(id))) },
			"cut":     func(c *copier, id string) { assert.NoError(t, os.Truncate(c.path(id), 3)) },
			"altered": func(c *copier, id string) {
				data, err := os.ReadFile(c.path(id))
				assert.NoError(t, err)
				data[len(data)-20] ^= 1
				assert.NoError(t, os.WriteFile(c.path(id), data, 0o600))
			},
		} {
			t.Run(name, func(t *testing.T) {
				q, id := stopped(t)
				said, _ := q.Get(id)
				harm(q.copier, id)
				q.server.heal()
				q.Retry(id)
				q.until(id, submission.Done)
				sent := q.server.submissions()
				assert.True(t, len(sent) == 1 && hex.EncodeToString(sent[0].content[:]) == said.Copy.SHA256, "the service has %+v", sent)
				assert.True(t, q.copier.count() == 2, "it was made %d times", q.copier.count())
			})
		}
	})
	t.Run("also after a cancel and after a restart, and one that is there is not made anew", func(t *testing.T) {
		q, id := stopped(t)
		q.Close()
		q.server.heal()
		q.open()
		assert.True(t, slices.Equal(q.copier.there(), []string{id}), "there are copies of %v", q.copier.there())
		q.Retry(id)
		q.until(id, submission.Done)
		assert.True(t, q.copier.count() == 1, "it was made %d times", q.copier.count())
	})
	t.Run("another one is not sent: the person is asked again", func(t *testing.T) {
		for name, harm := range map[string]func(*copier){
			"it came out otherwise": func(c *copier) { c.another = func(data []byte) []byte { return append(data, "x"...) } },
			"it can't be made":      func(c *copier) { c.fails = sentence("This kind can't be cleaned.") },
		} {
			t.Run(name, func(t *testing.T) {
				q, id := stopped(t)
				said, _ := q.Get(id)
				assert.NoError(t, q.copier.Remove(id))
				q.copier.mu.Lock()
				harm(q.copier)
				q.copier.mu.Unlock()
				q.server.heal()
				q.Retry(id)
				got := q.until(id, submission.Held)
				assert.True(t, !got.Problem.IsZero() && got.Allowed.IsZero() && got.Copy == (submission.Copy{}) && !got.Neutral && got.SendName != said.SendName && got.Upload.SignedURL == "",
					"%+v", got)
				q.wantSubmissions(0)
				q.Approve(intake.ApproveOptions{}, id)
				assert.True(t, strings.HasPrefix(q.until(id, submission.Done).SendName, "jane-"), "sent as %q", q.until(id, submission.Done).SendName)
			})
		}
	})
	t.Run("it is deleted with its submission", func(t *testing.T) {
		q, id := stopped(t)
		q.Remove(id)
		q.when("it is deleted", func() bool { return len(q.copier.there()) == 0 })
	})
}
