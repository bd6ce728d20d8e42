package intake_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/submission"
)

// counting is a store that counts how it was asked to keep new submissions.
type counting struct {
	*memory
	adds, largest atomic.Int64
}

func (c *counting) AddInto(ctx context.Context, caseID string, subs []submission.Submission, by string) ([]submission.Submission, error) {
	c.adds.Add(1)
	c.largest.Store(max(c.largest.Load(), int64(len(subs))))
	return c.memory.AddInto(ctx, caseID, subs, by)
}

func TestAFolderOf50000FilesCostsNeitherGoroutinesNorAWriteEach(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 50,000 files")
	}
	const files, folders = 50_000, 50
	root := t.TempDir()
	for i := range folders {
		folder := filepath.Join(root, fmt.Sprintf("%02d", i))
		assert.NoError(t, os.Mkdir(folder, 0o700))
		for j := range files / folders {
			f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%04d.txt", j)))
			assert.NoError(t, err)
			assert.NoError(t, f.Close())
		}
	}
	store := &counting{memory: newMemory()}
	q := setup(t, func(p *intake.Params) { p.Store = store })
	q.server.shut("upload-url")
	before := runtime.NumGoroutine()
	got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
	if err != nil || len(got.IDs) != files {
		t.Fatalf("%d accepted, %v", len(got.IDs), err)
	}
	now := runtime.NumGoroutine()
	assert.True(t, now <= before+100, "%d goroutines, %d before", now, before)
	if adds := store.adds.Load(); adds > files/100 || store.largest.Load() > 1000 {
		t.Errorf("%d writes of at most %d", adds, store.largest.Load())
	}
	q.PauseAll()
}

func TestWhatIsHandedOver(t *testing.T) {
	t.Run("keeps its order, folders and links among files", func(t *testing.T) {
		root := tree(t, "f/2.png", "f/1.png", "z.png", "a.png")
		q := still(t)
		q.drop(filepath.Join(root, "z.png"), post, filepath.Join(root, "f"), filepath.Join(root, "a.png"))
		var names []string
		for _, s := range q.All() {
			names = append(names, s.Name)
		}
		assert.Equal(t, []string{"z.png", "x.com/desk/status/1", "1.png", "2.png", "a.png"}, names)
	})
	t.Run("is on the disk when Accept returns", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		accepted, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "a.png", 1), post), intake.Options{Source: submission.Started})
		assert.NoError(t, err)
		for _, id := range accepted.IDs {
			got := q.store.row(id)
			assert.True(t, got.ID == id && got.Source == submission.Started && got.Step == submission.Seen, "%+v", got)
		}
	})
	t.Run("shows what is wrong with it", func(t *testing.T) {
		q := setup(t)
		given := map[string]string{
			filepath.Join(t.TempDir(), "gone.png"):            "not there",
			filepath.Join(tree(t, "a.png"), "a.png", "b.png"): "not there",
			filepath.Join(tree(t, "a.docx"), "a.docx"):        "can't be checked",
			"nul\x00byte.png":                                  "can't be read",
			strings.Repeat("long", 200) + ".png":               "can't be read",
			"file:///etc/hostname.png":                         "not there",
			filepath.Join(t.TempDir(), "no extension at all "): "not there",
		}
		for path, says := range given {
			ids := q.drop(path)
			if len(ids) != 1 {
				t.Errorf("%q became %d submissions", path, len(ids))
				continue
			}
			got := q.until(ids[0], submission.Refused)
			assert.True(t, strings.Contains(got.Problem.String(), says), "%q: %q says nothing of %q", path, got.Problem, says)
		}
		if calls := q.server.forgetCalls(); len(calls) != 0 {
			t.Errorf("asked for %v", calls)
		}
	})
	t.Run("nothing is nothing, and least of all the folder that we were started in", func(t *testing.T) {
		t.Chdir(tree(t, "private.png"))
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs("", " ", "\n"), intake.Options{Source: submission.Pasted})
		assert.True(t, err == nil && len(got.IDs)+got.Folders == 0 && len(q.Order()) == 0, "%+v, %v: %+v", got, err, q.All())
	})
	t.Run("a path is taken from the folder that we were started in", func(t *testing.T) {
		root := tree(t, "a.png")
		t.Chdir(root)
		q := still(t)
		q.drop("a.png")
		got := q.All()[0].Path
		assert.True(t, filepath.IsAbs(got) && filepath.Base(got) == "a.png", "path %q", got)
	})
	t.Run("is refused once the queue is closed", func(t *testing.T) {
		q := still(t)
		q.Close()
		got, err := q.Accept(t.Context(), intake.Inputs(post), intake.Options{Source: submission.Pasted})
		assert.True(t, errors.Is(err, intake.ErrClosed) && len(got.IDs) == 0, "%+v, %v", got, err)
	})
}

func TestASlowDiskDoesNotGatherGoroutines(t *testing.T) {
	q := setup(t)
	hold := make(chan struct{})
	q.store.beforeWrite(func(submission.Submission, custody.Event) error {
		<-hold
		return nil
	})
	before := runtime.NumGoroutine()
	var given []string
	for i := range 2000 {
		given = append(given, filepath.Join(t.TempDir(), fmt.Sprintf("%d.docx", i)))
	}
	ids := q.drop(given...)
	q.when("many are looked at", func() bool { got, _ := q.Get(ids[20]); return got.State != submission.Waiting })
	for range 100 {
		runtime.Gosched()
	}
	now := runtime.NumGoroutine()
	assert.True(t, now <= before+100, "%d goroutines, %d before", now, before)
	close(hold)
	q.until(ids[len(ids)-1], submission.Refused)
}

// tree writes files below a folder; a name that ends in "/" is a folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			assert.NoError(t, os.MkdirAll(path, 0o700))
			continue
		}
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, []byte(name), 0o600))
	}
	return root
}

// names are those of the inbox, relative to a folder.
func (f *fixture) names(root string) []string {
	f.t.Helper()
	var all []string
	for _, sub := range f.All() {
		name, err := filepath.Rel(root, sub.Path)
		assert.NoError(f.t, err)
		all = append(all, filepath.ToSlash(name))
	}
	return all
}

// still is a queue in which nothing goes on.
func still(t *testing.T) *fixture {
	t.Helper()
	q := setup(t)
	q.PauseAll()
	return q
}

func TestAFolderIsWalked(t *testing.T) {
	t.Run("in the order of names; what is hidden or unsupported is left out and counted", func(t *testing.T) {
		root := tree(t, "b.txt", "a.png", "c/z.mp3", "c/y.mp4", "d.docx", ".hidden.png", ".git/x.png", ".git/y.png", "c/.DS_Store", "empty/", "noextension")
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		assert.NoError(t, err)
		assert.Equal(t, []string{"a.png", "b.txt", "c/y.mp4", "c/z.mp3"}, q.names(root))
		want := intake.Accepted{IDs: q.Order(), Folders: 1, Hidden: 3, Unsupported: 2, Kinds: []string{".docx"}}
		assert.Equal(t, want, got)
	})
	t.Run("a hidden folder that was handed over itself, too", func(t *testing.T) {
		root := tree(t, ".private/a.png")
		q := still(t)
		q.drop(filepath.Join(root, ".private"))
		assert.Equal(t, []string{".private/a.png"}, q.names(root))
	})
	t.Run("links inside it are not followed, out of it or in a circle", func(t *testing.T) {
		outside := tree(t, "secret.png")
		root := tree(t, "a.png", "sub/b.png")
		for name, to := range map[string]string{"circle": root, "sub/up": "..", "out": outside, "file.png": filepath.Join(outside, "secret.png"), "dead.png": "nowhere"} {
			if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
				t.Skip(err)
			}
		}
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		assert.NoError(t, err)
		diff := cmp.Diff([]string{"a.png", "sub/b.png"}, q.names(root))
		assert.True(t, diff == "" && got.Links == 5 && got.Unsupported == 0 && got.LeftOut() == "5 that only point to another place", "left out %s: %s", got.LeftOut(), diff)
	})
	t.Run("a link to a folder that was handed over itself is that folder", func(t *testing.T) {
		root, links := tree(t, "a.png", "sub/b.png"), t.TempDir()
		link := filepath.Join(links, "link")
		if err := os.Symlink(root, link); err != nil {
			t.Skip(err)
		}
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(link), intake.Options{Source: submission.Dropped})
		assert.NoError(t, err)
		diff := cmp.Diff([]string{"link/a.png", "link/sub/b.png"}, q.names(links))
		assert.True(t, diff == "" && got.Folders == 1 && got.Unsupported == 0, "%+v %s", got, diff)
	})
	t.Run("what can't be read is counted", func(t *testing.T) {
		root := tree(t, "a.png", "locked/b.png", "c.png")
		locked := filepath.Join(root, "locked")
		assert.NoError(t, os.Chmod(locked, 0))
		t.Cleanup(func() { _ = os.Chmod(locked, 0o700) }) //nolint:gosec // a folder is to be entered, so that it can be removed
		if _, err := os.ReadDir(locked); err == nil {
			t.Skip("this user may read everything")
		}
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		assert.True(t, err == nil && got.Unreadable == 1 && len(got.IDs) == 2, "%+v, %v", got, err)
	})
	t.Run("it ends with its context, and what was taken before is told", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		q := still(t)
		got, err := q.Accept(ctx, intake.Inputs(tree(t, "a.png")), intake.Options{Source: submission.Dropped})
		assert.True(t, errors.Is(err, context.Canceled) && len(got.IDs) == 0 && len(q.Order()) == 0, "%+v, %v", got, err)
		assert.True(t, q.QueueStatus().Cause != intake.NoDisk, "it is taken for a full disk")
	})
}
