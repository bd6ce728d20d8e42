package files_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/desk/files"
	"assay/client/i18n"
)

func content(n int) []byte {
	all := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(all)
	return all
}

// only is the one file in a folder.
func only(t *testing.T, folder string) (path string) {
	t.Helper()
	all, err := os.ReadDir(folder)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(all))
	return filepath.Join(folder, all[0].Name())
}

func TestAFileComesBack(t *testing.T) {
	for _, n := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20} {
		for _, encrypt := range []bool{false, true} {
			folder, want := t.TempDir(), content(n)
			at := files.Open(folder)
			kept, err := files.Send(t.Context(), at, bytes.NewReader(want), encrypt)
			assert.NoError(t, err)
			assert.Equal(t, int64(n), kept.Size)
			stored, err := os.ReadFile(only(t, folder))
			assert.NoError(t, err)
			if n > 0 && encrypt == bytes.Contains(stored, want[:min(n, 100)]) && n > 1 {
				t.Errorf("%d bytes, encrypted %v: what is stored has them %v", n, encrypt, !encrypt)
			}
			var got bytes.Buffer
			assert.NoError(t, files.Receive(t.Context(), at, kept, &got))
			assert.True(t, bytes.Equal(want, got.Bytes()), "%d bytes, encrypted %v: %d bytes come back", n, encrypt, got.Len())
		}
	}
}

func TestWhatIsNotTheFileIsRefused(t *testing.T) {
	for what, change := range map[string]func([]byte) []byte{
		"a byte":            func(b []byte) []byte { b[70_000] ^= 1; return b },
		"cut off":           func(b []byte) []byte { return b[:70_000] },
		"cut after a chunk": func(b []byte) []byte { return b[:64<<10+16] },
		"longer":            func(b []byte) []byte { return append(b, 1) },
		"far longer":        func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) },
		"empty":             func([]byte) []byte { return nil },
	} {
		for _, encrypt := range []bool{false, true} {
			folder := t.TempDir()
			at := files.Open(folder)
			kept, err := files.Send(t.Context(), at, bytes.NewReader(content(200_000)), encrypt)
			assert.NoError(t, err)
			path := only(t, folder)
			stored, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(path, change(stored), 0o600))
			var got bytes.Buffer
			err = files.Receive(t.Context(), at, kept, &got)
			assert.True(t, errors.Is(err, files.ErrOther), "%s, encrypted %v: %v", what, encrypt, err)
			assert.True(t, got.Len() <= 200_100, "%s: %d bytes were written", what, got.Len())
		}
	}
	t.Run("with another key", func(t *testing.T) {
		at := files.Open(t.TempDir())
		kept, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), true)
		assert.NoError(t, err)
		for _, key := range [][]byte{make([]byte, 32), {1}} {
			other := kept
			other.Key = key
			assert.True(t, errors.Is(files.Receive(t.Context(), at, other, new(bytes.Buffer)), files.ErrOther), "it is refused")
		}
	})
}

func TestWhatIsNotThere(t *testing.T) {
	folder := t.TempDir()
	at := files.Open(folder)
	kept, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), false)
	assert.NoError(t, err)
	assert.NoError(t, os.Remove(only(t, folder)))
	assert.True(t, errors.Is(files.Receive(t.Context(), at, kept, new(bytes.Buffer)), fs.ErrNotExist), "it isn't there yet")
	for _, name := range []string{"../secret", "", "/etc/passwd", kept.Name + "0"} {
		_, err := at.Get(t.Context(), name)
		assert.True(t, errors.Is(err, fs.ErrNotExist), "%q: %v", name, err)
	}
	t.Run("the folder is not connected", func(t *testing.T) {
		assert.NoError(t, os.Remove(folder))
		var p *files.Problem
		_, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), false)
		assert.True(t, errors.As(err, &p), "%v", err)
		assert.True(t, i18n.Sentence(err) != "", "it is said")
		assert.True(t, errors.As(files.Receive(t.Context(), at, kept, new(bytes.Buffer)), &p), "likewise when it is received")
		_, err = os.Stat(folder)
		assert.True(t, errors.Is(err, fs.ErrNotExist), "it is not made")
	})
}
