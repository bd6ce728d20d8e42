package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/durable"
)

func TestWriteFolder(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "bag")
	wantParent := func(t *testing.T, content string) {
		t.Helper()
		all, err := os.ReadDir(parent)
		if err != nil || len(all) != 1 || all[0].Name() != "bag" {
			t.Errorf("beside it: %v, %v", all, err)
		}
		if got, err := os.ReadFile(filepath.Join(path, "sub", "a")); err != nil || string(got) != content {
			t.Errorf("it holds %q, %v", got, err)
		}
	}
	writing := func(content string) func(string) error {
		return func(folder string) error {
			if fits, _ := filepath.Match(filepath.Join(parent, ".bag-*.tmp"), folder); !fits {
				t.Errorf("it is made in %s", folder)
			}
			return errors.Join(os.Mkdir(filepath.Join(folder, "sub"), 0o700), os.WriteFile(filepath.Join(folder, "sub", "a"), []byte(content), 0o600))
		}
	}
	t.Run("makes it", func(t *testing.T) {
		assert.NoError(t, durable.WriteFolder(path, ".bag-*.tmp", writing("one")))
		wantParent(t, "one")
	})
	t.Run("replaces it", func(t *testing.T) {
		assert.NoError(t, durable.WriteFolder(path, ".bag-*.tmp", writing("two")))
		wantParent(t, "two")
	})
	t.Run("leaves what was there where it fails, and nothing beside it", func(t *testing.T) {
		refused := errors.New("refused")
		err := durable.WriteFolder(path, ".bag-*.tmp", func(folder string) error { return errors.Join(writing("three")(folder), refused) })
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		wantParent(t, "two")
	})
	t.Run("a folder that is not there", func(t *testing.T) {
		err := durable.WriteFolder(filepath.Join(parent, "none", "bag"), ".bag-*.tmp", func(string) error { t.Error("written"); return nil })
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none") {
			t.Error(err)
		}
	})
}
