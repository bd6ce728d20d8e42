package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client/assert"
)

func TestHash(t *testing.T) {
	open := func(t *testing.T, path string) *os.File {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		assert.NoError(t, err)
		t.Cleanup(func() {
			if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		})
		return f
	}
	atStart := func(t *testing.T, f *os.File) {
		t.Helper()
		if at, err := f.Seek(0, io.SeekCurrent); at != 0 || err != nil {
			t.Errorf("the file stands at %d, error %v", at, err)
		}
	}

	t.Run("known sums, from the beginning wherever the file stands", func(t *testing.T) {
		for contents, want := range map[string]string{ // from FIPS 180's examples
			"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		} {
			path := filepath.Join(t.TempDir(), "a.txt")
			writeBytes(t, path, contents)
			f := open(t, path)
			if _, err := f.Seek(0, io.SeekEnd); err != nil {
				t.Fatal(err)
			}
			if got, err := Hash(t.Context(), f, nil); got != want || err != nil {
				t.Errorf("%q: %s, error %v, want %s", contents, got, err, want)
			}
			atStart(t, f)
		}
	})
	t.Run("progress rises to the size", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 3*hashBlock+7))
		var steps []int64
		if _, err := Hash(t.Context(), f, func(done int64) { steps = append(steps, done) }); err != nil {
			t.Fatal(err)
		}
		if len(steps) < 4 || !slices.IsSorted(steps) || steps[len(steps)-1] != 3*hashBlock+7 {
			t.Errorf("steps %v", steps)
		}
	})
	t.Run("a cancel stops it at the next block", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 100*hashBlock))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last int64
		_, err := Hash(ctx, f, func(done int64) {
			last = done
			cancel()
		})
		if !errors.Is(err, context.Canceled) || last > hashBlock {
			t.Errorf("error %v after %d bytes", err, last)
		}
		atStart(t, f)
	})
	for name, size := range map[string]int64{"grows": 9 * hashBlock, "shrinks": hashBlock} {
		t.Run("a file that "+name+" meanwhile", func(t *testing.T) {
			f := open(t, write(t, "a.mp4", 4*hashBlock))
			_, err := Hash(t.Context(), f, func(int64) {
				assert.NoError(t, f.Truncate(size))
			})
			var changed *Changed
			if !errors.As(err, &changed) || changed.SizeWas != 4*hashBlock || changed.SizeIs != size {
				t.Errorf("error %v", err)
			}
			atStart(t, f)
		})
	}
	t.Run("a file that keeps growing is not read for ever", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", hashBlock))
		_, err := Hash(t.Context(), f, func(done int64) {
			assert.NoError(t, f.Truncate(done+4*hashBlock))
		})
		var changed *Changed
		if !errors.As(err, &changed) {
			t.Errorf("error %v, want a *Changed", err)
		}
	})
	t.Run("a closed file", func(t *testing.T) {
		f := open(t, write(t, "a.mp4", 5))
		assert.NoError(t, f.Close())
		_, err := Hash(t.Context(), f, nil)
		refused(t, err, Unreadable)
	})
}

func TestHashesAreRemembered(t *testing.T) {
	now := changedAt.Add(time.Hour)
	file := func(t *testing.T, content string, changed time.Time) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "a.txt")
		assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		assert.NoError(t, os.Chtimes(path, changed, changed))
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
		assert.NoError(t, os.WriteFile(path, []byte("two"), 0o600))
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
		assert.NoError(t, err)
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
	assert.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read from
	sum, err = h.Hash(t.Context(), f, func(int64) { read = true })
	assert.NoError(t, err)
	return sum, read
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}
