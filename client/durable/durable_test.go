package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assay/client/assert"
	"assay/client/durable"
)

func TestWriteFile(t *testing.T) {
	// wantFolder passes if the folder holds one file of this content and mode, and nothing else.
	wantFolder := func(t *testing.T, path, content string, mode fs.FileMode) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("it holds %q, %v", got, err)
		}
		info, err := os.Stat(path)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != 1 {
			t.Errorf("beside it: %v, %v", all, err)
		}
	}
	t.Run("makes the folder and the file, for the person alone", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "new", "a.json")
		assert.NoError(t, durable.WriteFile(path, []byte("one"), durable.Options{}))
		wantFolder(t, path, "one", 0o600)
		if info, err := os.Stat(filepath.Dir(path)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v", info.Mode(), err)
		}
	})
	t.Run("replaces a file, by way of one beside it", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.json")
		for _, content := range []string{"one", "two"} {
			temporary := ""
			err := durable.WriteFile(path, []byte(content), durable.Options{Temp: ".a-*.tmp", Mode: 0o644, Rename: func(from, to string) error {
				temporary = from
				return durable.Replace(from, to)
			}})
			if fits, _ := filepath.Match(filepath.Join(filepath.Dir(path), ".a-*.tmp"), temporary); err != nil || !fits {
				t.Fatalf("by way of %q: %v", temporary, err)
			}
			wantFolder(t, path, content, 0o644)
		}
	})
	t.Run("leaves what was there where it fails, and nothing beside it", func(t *testing.T) {
		path, refused := filepath.Join(t.TempDir(), "a.json"), errors.New("refused")
		assert.NoError(t, durable.WriteFile(path, []byte("one"), durable.Options{}))
		err := durable.WriteFile(path, []byte("two"), durable.Options{Rename: func(string, string) error { return refused }})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		wantFolder(t, path, "one", 0o600)
	})
}

func TestSyncFolder(t *testing.T) {
	if err := durable.SyncFolder(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := durable.SyncFolder(filepath.Join(t.TempDir(), "none")); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
