package media

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestHashesAreRemembered(t *testing.T) {
	now := changedAt.Add(time.Hour)
	file := func(t *testing.T, content string, changed time.Time) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "a.txt")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
		return path
	}
	memory := func() *Hashes { return NewHashes(func() time.Time { return now }) }

	t.Run("an unchanged file is not read again", func(t *testing.T) {
		h, path := memory(), file(t, "one", changedAt)
		first, read := hash(t, h, path)
		again, readAgain := hash(t, h, path)
		if !read || readAgain || first != again || again != sumOf("one") {
			t.Errorf("%s, read %v; then %s, read %v", first, read, again, readAgain)
		}
	})
	t.Run("one that was changed since is", func(t *testing.T) {
		h, path := memory(), file(t, "one", changedAt)
		hash(t, h, path)
		if err := os.WriteFile(path, []byte("two"), 0o600); err != nil {
			t.Fatal(err)
		}
		if sum, read := hash(t, h, path); !read || sum != sumOf("two") {
			t.Errorf("%s, read %v", sum, read)
		}
	})
	t.Run("one that was changed a moment ago may change again unseen, and is", func(t *testing.T) {
		h, path := memory(), file(t, "one", now.Add(-time.Second))
		hash(t, h, path)
		if _, read := hash(t, h, path); !read {
			t.Error("it was not read")
		}
	})
	t.Run("another file of the same size and time is", func(t *testing.T) {
		h := memory()
		hash(t, h, file(t, "one", changedAt))
		if sum, read := hash(t, h, file(t, "two", changedAt)); !read || sum != sumOf("two") {
			t.Errorf("%s, read %v", sum, read)
		}
	})
	t.Run("no more of them than there is room for", func(t *testing.T) {
		h := memory()
		h.most = 3
		var last string
		for _, content := range []string{"a", "b", "c", "d", "e"} {
			last = file(t, content, changedAt)
			hash(t, h, last)
		}
		if n := len(h.known); n != 3 {
			t.Errorf("%d are remembered", n)
		}
		if _, read := hash(t, h, last); read {
			t.Error("not the newest")
		}
	})
	t.Run("a file that was not read stands at its beginning", func(t *testing.T) {
		h, path := memory(), file(t, "one", changedAt)
		hash(t, h, path)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // only read from
		if _, err := f.Seek(2, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Hash(t.Context(), f, nil); err != nil {
			t.Fatal(err)
		}
		if at, err := f.Seek(0, 1); err != nil || at != 0 {
			t.Errorf("it stands at %d: %v", at, err)
		}
	})
}

// hash tells whether anything was read for it.
func hash(t *testing.T, h *Hashes, path string) (sum string, read bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	sum, err = h.Hash(t.Context(), f, func(int64) { read = true })
	if err != nil {
		t.Fatal(err)
	}
	return sum, read
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}
