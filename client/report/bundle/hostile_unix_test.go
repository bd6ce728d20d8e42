//go:build unix

package bundle_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/report/bundle"
)

// TestFoldersWithWhatIsNoFile have links, pipes and more in place of files, or beside them: none is followed, opened or waited for.
func TestFoldersWithWhatIsNoFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.pdf")
	assert.NoError(t, os.WriteFile(outside, []byte("%PDF"), 0o600)) // with the right content
	for name, at := range map[string]struct {
		put  func(path string) error
		want string
	}{
		"a link to the same content elsewhere": {func(path string) error { return os.Symlink(outside, path) }, "no file data/report.pdf"},
		"a link within the bundle":             {func(path string) error { return os.Symlink("report.html", path) }, "no file data/report.pdf"},
		"a link to itself":                     {func(path string) error { return os.Symlink("report.pdf", path) }, "no file data/report.pdf"},
		"a pipe":                               {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "no file data/report.pdf"},
		"a folder":                             {func(path string) error { return os.Mkdir(path, 0o700) }, "file missing data/report.pdf"},
		"a link to a folder":                   {func(path string) error { return os.Symlink("/", path) }, "no file data/report.pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newBag(t).list().seal(t, ownKey).folder(t)
			path := filepath.Join(dir, "data", "report.pdf")
			assert.NoError(t, os.Remove(path))
			assert.NoError(t, at.put(path))
			if v := verify(t, dir); v.State != bundle.Changed || !slices.Contains(changes(v), at.want) {
				t.Errorf("%s, %v", v.State, changes(v))
			}
		})
	}
	t.Run("bagit.txt as a pipe", func(t *testing.T) {
		dir := newBag(t).list().folder(t)
		assert.NoError(t, os.Remove(filepath.Join(dir, "bagit.txt")))
		assert.NoError(t, syscall.Mkfifo(filepath.Join(dir, "bagit.txt"), 0o600))
		if v, err := bundle.Verify(t.Context(), dir, bundle.VerifyOptions{}); err == nil || bundle.Is(dir) {
			t.Errorf("%+v", v)
		}
	})
	t.Run("the bundle as a pipe", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "case.zip")
		assert.NoError(t, syscall.Mkfifo(path, 0o600))
		if v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{}); err == nil || bundle.Is(path) {
			t.Errorf("%+v", v)
		}
	})
	t.Run("a link to the whole bundle is followed: the person named it", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		assert.NoError(t, os.Symlink(newBag(t).list().seal(t, ownKey).folder(t), link))
		if v := verify(t, link); v.State != bundle.Intact {
			t.Errorf("%+v", v)
		}
	})
}
