package intake_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/intake"
	"assay/client/submission"
)

// tree writes files below a folder; a name that ends in "/" is a folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// names are those of the inbox, relative to a folder.
func (s testQueue) names(root string) []string {
	s.t.Helper()
	var all []string
	for _, sub := range s.All() {
		name, err := filepath.Rel(root, sub.Path)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, filepath.ToSlash(name))
	}
	return all
}

// still is a queue in which nothing goes on.
func still(t *testing.T) testQueue {
	t.Helper()
	q := setup(t).open()
	q.PauseAll()
	return q
}

func TestAFolderIsWalked(t *testing.T) {
	t.Run("in the order of names; what is hidden or unsupported is left out and counted", func(t *testing.T) {
		root := tree(t, "b.txt", "a.png", "c/z.mp3", "c/y.mp4", "d.docx", ".hidden.png", ".git/x.png", ".git/y.png", "c/.DS_Store", "empty/", "noextension")
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a.png", "b.txt", "c/y.mp4", "c/z.mp3"}, q.names(root)); diff != "" {
			t.Error(diff)
		}
		want := intake.Accepted{IDs: q.Order(), Folders: 1, Hidden: 3, Unsupported: 2}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a hidden folder that was handed over itself, too", func(t *testing.T) {
		root := tree(t, ".private/a.png")
		q := still(t)
		q.accept([]string{filepath.Join(root, ".private")}, submission.Dropped)
		if diff := cmp.Diff([]string{".private/a.png"}, q.names(root)); diff != "" {
			t.Error(diff)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a.png", "sub/b.png"}, q.names(root)); diff != "" || got.Links != 5 || got.Unsupported != 0 || got.LeftOut() != "5 that only point to another place" {
			t.Errorf("left out %s: %s", got.LeftOut(), diff)
		}
	})
	t.Run("a link to a folder that was handed over itself is that folder", func(t *testing.T) {
		root, links := tree(t, "a.png", "sub/b.png"), t.TempDir()
		link := filepath.Join(links, "link")
		if err := os.Symlink(root, link); err != nil {
			t.Skip(err)
		}
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(link), intake.Options{Source: submission.Dropped})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"link/a.png", "link/sub/b.png"}, q.names(links)); diff != "" || got.Folders != 1 || got.Unsupported != 0 {
			t.Errorf("%+v %s", got, diff)
		}
	})
	t.Run("what can't be read is counted", func(t *testing.T) {
		root := tree(t, "a.png", "locked/b.png", "c.png")
		locked := filepath.Join(root, "locked")
		if err := os.Chmod(locked, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(locked, 0o700) }) //nolint:gosec // a folder is to be entered, so that it can be removed
		if _, err := os.ReadDir(locked); err == nil {
			t.Skip("this user may read everything")
		}
		q := still(t)
		got, err := q.Accept(t.Context(), intake.Inputs(root), intake.Options{Source: submission.Dropped})
		if err != nil || got.Unreadable != 1 || len(got.IDs) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("it ends with its context, and what was taken before is told", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		q := still(t)
		got, err := q.Accept(ctx, intake.Inputs(tree(t, "a.png")), intake.Options{Source: submission.Dropped})
		if !errors.Is(err, context.Canceled) || len(got.IDs) != 0 || len(q.Order()) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if q.QueueStatus().Cause == intake.NoDisk {
			t.Error("it is taken for a full disk")
		}
	})
}
