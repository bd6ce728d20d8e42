package intake_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/submission"
)

// largeText is a file that takes a moment to hash.
func largeText(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	f, err := os.Create(path)
	assert.NoError(t, err)
	_, err = f.WriteString("begin")
	assert.NoError(t, err)
	assert.NoError(t, f.Truncate(60<<20)) // sparse: it takes no room
	assert.NoError(t, f.Close())
	return path
}

// changes are what can happen to a file; each leaves other bytes there, or none.
var changes = []struct {
	name string
	do   func(t *testing.T, path string)
	says string
	gone bool
}{
	{"it grows", func(t *testing.T, path string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		assert.NoError(t, err)
		_, err = f.WriteString("more")
		assert.NoError(t, err)
		assert.NoError(t, f.Close())
	}, "changed", false},
	{"it is rewritten with the same size", func(t *testing.T, path string) {
		scribble(t, path)
	}, "changed", false},
	{"it is rewritten with the same size and its time set back", func(t *testing.T, path string) {
		info, err := os.Stat(path)
		assert.NoError(t, err)
		scribble(t, path)
		assert.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	}, "changed", false},
	{"another takes its place", func(t *testing.T, path string) {
		other := path + ".part"
		assert.NoError(t, os.WriteFile(other, []byte("something else"), 0o600))
		assert.NoError(t, os.Rename(other, path))
	}, "Another file", false},
	{"it is cut short", func(t *testing.T, path string) {
		assert.NoError(t, os.Truncate(path, 3))
	}, "changed", false},
	{"it is deleted", func(t *testing.T, path string) {
		assert.NoError(t, os.Remove(path))
	}, "not there", true},
}

// scribble writes over the first bytes of a file.
func scribble(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	assert.NoError(t, err)
	_, err = f.WriteAt([]byte("BEGIN"), 0)
	assert.NoError(t, err)
	assert.NoError(t, f.Close())
}

func sumOf(t *testing.T, path string) (sum [sha256.Size]byte) {
	t.Helper()
	f, err := os.Open(path)
	assert.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read from
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	assert.NoError(t, err)
	return [sha256.Size]byte(hash.Sum(nil))
}

func TestAFileThatChangesIsNeverTakenForWhatItWas(t *testing.T) {
	for _, c := range changes {
		for _, at := range []string{"hashed", "sent", "waiting to be sent"} {
			t.Run("while it is "+at+": "+c.name, func(t *testing.T) {
				q := setup(t)
				path := pictureFile(t, "a.png", 1)
				var id string
				switch at {
				case "hashed":
					path = largeText(t)
					id = q.drop(path)[0]
					q.when("it is hashed", func() bool { got, _ := q.Get(id); return got.State == submission.Checking && got.Size > 0 })
					c.do(t, path)
				case "sent":
					q.server.putting = func(*os.File) { c.do(t, path); q.server.putting = nil }
					id = q.drop(path)[0]
				default:
					g := q.server.shut("upload-url")
					id = q.drop(path)[0]
					<-g.reached
					c.do(t, path)
					g.release()
				}
				got := q.until(id, submission.Done, submission.Failed, submission.Refused)
				if got.State == submission.Done {
					if at == "sent" || got.SHA256 != hexOf(sumOf(t, path)) {
						t.Fatalf("it was accepted as sent: %+v", got)
					}
					return // it was noticed before, and hashed anew
				}
				assert.True(t, strings.Contains(got.Problem.String(), c.says) && got.RequestID == "" && q.server.asked("look") == 0,
					"%q says %q, request %q", got.State, got.Problem, got.RequestID)
				if c.gone {
					return
				}
				q.Retry(id)
				got = q.until(id, submission.Done, submission.Failed, submission.Refused)
				if got.State != submission.Done || got.SHA256 != hexOf(sumOf(t, path)) {
					t.Fatalf("tried again it is %q: %s", got.State, got.Problem)
				}
				for _, s := range q.server.submissions() {
					assert.True(t, s.id != got.RequestID || s.content == sumOf(t, path), "the answer is to other bytes")
				}
			})
		}
	}
	t.Run("the number of other bytes that were sent under its name is not taken for its own", func(t *testing.T) {
		q := setup(t)
		q.server.silent = true
		path := pictureFile(t, "a.png", 1)
		q.server.putting = func(*os.File) { scribble(t, path); q.server.putting = nil }
		id := q.drop(path)[0]
		q.until(id, submission.Failed)
		q.Retry(id)
		got := q.until(id, submission.Done, submission.Failed)
		for _, s := range q.server.submissions() {
			assert.True(t, s.id != got.RequestID || s.content == sumOf(t, path), "it is")
		}
		q.wantSubmissions(2)
	})
	t.Run("what only changed its permissions is sent", func(t *testing.T) {
		q := setup(t)
		path := pictureFile(t, "a.png", 1)
		q.server.putting = func(*os.File) { assert.NoError(t, os.Chmod(path, 0o400)) }
		q.until(q.drop(path)[0], submission.Done)
		q.wantSubmissions(1)
	})
	t.Run("one that changed between two runs is sent as it is now", func(t *testing.T) {
		for _, ends := range []moment{"after writing gated", "after writing url-held", "after writing sending"} {
			path := pictureFile(t, "a.png", 1)
			l := live(t, []string{path}, ends, nil)
			scribble(t, path)
			q := l.again()
			q.until(q.Order()[0], submission.Done)
			got := l.server.submissions()
			assert.True(t, len(got) == 1 && got[0].content == sumOf(t, path), "%s: %+v", ends, got)
		}
	})
}

func hexOf(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:]) }

func TestOddFiles(t *testing.T) {
	t.Run("an unreadable one is refused, and goes once it can be read", func(t *testing.T) {
		path := pictureFile(t, "a.png", 1)
		assert.NoError(t, os.Chmod(path, 0))
		if f, err := os.Open(path); err == nil {
			assert.NoError(t, f.Close())
			t.Skip("this user may read everything")
		}
		q := setup(t)
		id := q.drop(path)[0]
		got := q.until(id, submission.Refused)
		assert.True(t, strings.Contains(got.Problem.String(), "not allowed"), "%q", got.Problem)
		assert.NoError(t, os.Chmod(path, 0o600))
		q.Retry(id)
		q.until(id, submission.Done)
	})
	t.Run("a refused one is not looked at again by itself", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.png")
		q := setup(t)
		id := q.drop(path)[0]
		q.until(id, submission.Refused)
		q.Close()
		overwrite(t, path, pictureFile(t, "x.png", 120))
		q.clock.Advance(time.Hour)
		q.open()
		q.PauseAll()
		q.ResumeAll()
		q.until(q.drop(pictureFile(t, "b.png", 60))[0], submission.Done)
		q.is(submission.Refused, id)
		q.Retry(id)
		q.until(id, submission.Done)
	})
}
