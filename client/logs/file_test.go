package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"assay/client/assert"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	assert.NoError(t, err)
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	assert.NoError(t, err)
	return string(text)
}

func opened(t *testing.T, dir string) *File {
	t.Helper()
	f, err := OpenFile(dir)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, f.Close()) })
	return f
}

func line(t *testing.T, f *File, text string) {
	t.Helper()
	if n, err := f.Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func isPrivate(t *testing.T, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return // the profile's folder guards them
	}
	wanted := map[string]os.FileMode{dir: 0o700}
	for _, name := range names(t, dir) {
		wanted[filepath.Join(dir, name)] = 0o600
	}
	for path, want := range wanted {
		facts, err := os.Stat(path)
		assert.NoError(t, err)
		if got := facts.Mode().Perm(); got != want {
			t.Errorf("%s: %o", path, got)
		}
	}
}

func TestFile(t *testing.T) {
	t.Run("lines are added to what earlier runs wrote, for the user alone", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a", "log")
		for _, text := range []string{"one\n", "two\n"} {
			f, err := OpenFile(dir)
			assert.NoError(t, err)
			line(t, f, text)
			assert.NoError(t, f.Close())
		}
		assert.Equal(t, "one\ntwo\n", read(t, filepath.Join(dir, "assay.log")))
		isPrivate(t, dir)
	})
	t.Run("what stood open to others is closed to them", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "assay.log"), nil, 0o644); err != nil { //nolint:gosec // as said
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // as said
			t.Fatal(err)
		}
		opened(t, dir)
		isPrivate(t, dir)
	})
	t.Run("it takes three files of a megabyte, the oldest lines go, and no line is cut", func(t *testing.T) {
		dir := t.TempDir()
		f := opened(t, dir)
		text := strings.Repeat("x", 99_991)
		for n := range 60 {
			line(t, f, fmt.Sprintf("%07d %s\n", n, text))
		}
		assert.Equal(t, []string{"assay.1.log", "assay.2.log", "assay.log"}, names(t, dir))
		next := 60
		for n := range files {
			written := read(t, filepath.Join(dir, fileName(n)))
			if len(written) > fileSize || len(written)%100_000 != 0 {
				t.Errorf("%s has %d bytes", fileName(n), len(written))
			}
			for at := len(written) - 100_000; at >= 0; at -= 100_000 {
				next--
				if !strings.HasPrefix(written[at:], fmt.Sprintf("%07d ", next)) {
					t.Fatalf("%s: line %d is missing", fileName(n), next)
				}
			}
		}
		isPrivate(t, dir)
	})
	t.Run("a full file of an earlier run makes room", func(t *testing.T) {
		dir := t.TempDir()
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "assay.log"), make([]byte, fileSize), 0o600))
		line(t, opened(t, dir), "new\n")
		if got := read(t, filepath.Join(dir, "assay.log")); got != "new\n" {
			t.Errorf("%d bytes", len(got))
		}
	})
	t.Run("where older files can't be moved, it does not grow all the same, and goes on", func(t *testing.T) {
		dir := t.TempDir()
		assert.NoError(t, os.MkdirAll(filepath.Join(dir, "assay.1.log", "in the way"), 0o700))
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "assay.2.log"), nil, 0o600))
		f := opened(t, dir)
		for range 25 {
			line(t, f, strings.Repeat("x", 99_999)+"\n")
		}
		line(t, f, "last\n")
		if got := read(t, filepath.Join(dir, "assay.log")); len(got) > fileSize || !strings.HasSuffix(got, "last\n") {
			t.Errorf("%d bytes", len(got))
		}
	})
	t.Run("a folder that is gone loses lines, and nothing else", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "log")
		f := opened(t, dir)
		if err := os.RemoveAll(dir); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		for range 30 {
			line(t, f, strings.Repeat("x", 99_999)+"\n")
		}
	})
	t.Run("a closed one loses lines", func(t *testing.T) {
		dir := t.TempDir()
		f := opened(t, dir)
		assert.NoError(t, f.Close())
		line(t, f, "late\n")
		assert.Equal(t, "", read(t, filepath.Join(dir, "assay.log")))
	})
	t.Run("what is no file in its place is not written to", func(t *testing.T) {
		dir := t.TempDir()
		assert.NoError(t, os.Mkdir(filepath.Join(dir, "assay.log"), 0o700))
		if _, err := OpenFile(dir); err == nil {
			t.Error("it was opened")
		}
	})
	t.Run("many may write at once", func(t *testing.T) {
		dir := t.TempDir()
		f := opened(t, dir)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					_, _ = f.Write([]byte(strings.Repeat("y", 999) + "\n")) // it never fails
				}
			})
		}
		all.Wait()
		assert.Equal(t, 400, strings.Count(read(t, filepath.Join(dir, "assay.log")), strings.Repeat("y", 999)+"\n"))
	})
}
