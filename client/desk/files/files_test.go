package files_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/desk/files"
	"assay/client/desk/files/filestest"
	"assay/client/i18n"
)

func content(n int) []byte {
	all := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(all)
	return all
}

// kept is a place, with what lies there.
type kept interface {
	Names() []string
	Read(name string) []byte
	Write(name string, content []byte)
	Remove(name string)
}

// shared is a folder.
type shared struct {
	t      testing.TB
	folder string
}

func (f shared) Names() (names []string) {
	f.t.Helper()
	all, err := os.ReadDir(f.folder)
	assert.NoError(f.t, err)
	for _, one := range all {
		names = append(names, one.Name())
	}
	return names
}

func (f shared) Read(name string) []byte {
	f.t.Helper()
	all, err := os.ReadFile(filepath.Join(f.folder, name))
	assert.NoError(f.t, err)
	return all
}

func (f shared) Write(name string, content []byte) {
	f.t.Helper()
	assert.NoError(f.t, os.WriteFile(filepath.Join(f.folder, name), content, 0o600))
}

func (f shared) Remove(name string) {
	f.t.Helper()
	assert.NoError(f.t, os.Remove(filepath.Join(f.folder, name)))
}

func open(t testing.TB, address, key string) files.Place {
	t.Helper()
	at, err := files.Open(address, files.Options{Key: key})
	assert.NoError(t, err)
	return at
}

// places are one of each kind, each with what lies there.
func places(t *testing.T, try func(t *testing.T, at files.Place, there kept)) {
	t.Helper()
	t.Run("in a folder", func(t *testing.T) {
		folder := t.TempDir()
		try(t, open(t, folder, ""), shared{t, folder})
	})
	t.Run("in a store", func(t *testing.T) {
		s := filestest.Start(t)
		try(t, open(t, s.URL, filestest.Key), s)
	})
}

// only is the one file there.
func only(t *testing.T, there kept) (name string) {
	t.Helper()
	all := there.Names()
	assert.Equal(t, 1, len(all))
	return all[0]
}

func TestAFileComesBack(t *testing.T) {
	places(t, func(t *testing.T, at files.Place, there kept) {
		for _, n := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20, 8<<20 + 1} {
			for _, encrypt := range []bool{false, true} {
				want := content(n)
				kept, err := files.Send(t.Context(), at, bytes.NewReader(want), encrypt)
				assert.NoError(t, err)
				assert.Equal(t, int64(n), kept.Size)
				assert.Equal(t, kept.Name, only(t, there))
				if stored := there.Read(kept.Name); n > 1 && encrypt == bytes.Contains(stored, want[:min(n, 100)]) {
					t.Errorf("%d bytes, encrypted %v: what is stored has them %v", n, encrypt, !encrypt)
				}
				var got bytes.Buffer
				assert.NoError(t, files.Receive(t.Context(), at, kept, &got))
				assert.True(t, bytes.Equal(want, got.Bytes()), "%d bytes, encrypted %v: %d bytes come back", n, encrypt, got.Len())
				there.Remove(kept.Name)
			}
		}
		assert.NoError(t, at.Check(t.Context()))
	})
}

func TestWhatIsNotTheFileIsRefused(t *testing.T) {
	places(t, func(t *testing.T, at files.Place, there kept) {
		for what, change := range map[string]func([]byte) []byte{
			"a byte":            func(b []byte) []byte { b[70_000] ^= 1; return b },
			"cut off":           func(b []byte) []byte { return b[:70_000] },
			"cut after a chunk": func(b []byte) []byte { return b[:64<<10+16] },
			"longer":            func(b []byte) []byte { return append(b, 1) },
			"far longer":        func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) },
			"empty":             func([]byte) []byte { return nil },
		} {
			for _, encrypt := range []bool{false, true} {
				kept, err := files.Send(t.Context(), at, bytes.NewReader(content(200_000)), encrypt)
				assert.NoError(t, err)
				there.Write(kept.Name, change(there.Read(kept.Name)))
				var got bytes.Buffer
				err = files.Receive(t.Context(), at, kept, &got)
				assert.True(t, errors.Is(err, files.ErrOther), "%s, encrypted %v: %v", what, encrypt, err)
				assert.True(t, got.Len() <= 200_100, "%s: %d bytes were written", what, got.Len())
				there.Remove(kept.Name)
			}
		}
		t.Run("with another key", func(t *testing.T) {
			kept, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), true)
			assert.NoError(t, err)
			for _, key := range [][]byte{make([]byte, 32), {1}} {
				other := kept
				other.Key = key
				assert.True(t, errors.Is(files.Receive(t.Context(), at, other, new(bytes.Buffer)), files.ErrOther), "it is refused")
			}
		})
	})
}

func TestWhatIsNotThere(t *testing.T) {
	places(t, func(t *testing.T, at files.Place, there kept) {
		kept, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), false)
		assert.NoError(t, err)
		there.Remove(kept.Name)
		assert.True(t, errors.Is(files.Receive(t.Context(), at, kept, new(bytes.Buffer)), fs.ErrNotExist), "it isn't there yet")
		for _, name := range []string{"../secret", "", "/etc/passwd", kept.Name + "0"} {
			_, err := at.Get(t.Context(), name)
			assert.True(t, errors.Is(err, fs.ErrNotExist), "%q: %v", name, err)
			assert.True(t, errors.Is(at.Put(t.Context(), name, 1, bytes.NewReader([]byte{1})), fs.ErrNotExist), "%q is kept", name)
		}
		assert.Equal(t, 0, len(there.Names()))
	})
	t.Run("the folder is not connected", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "away")
		at := open(t, folder, "")
		for what, err := range map[string]error{"a file that is sent": sends(t, at), "a file that is received": receives(t, at), "the place": at.Check(t.Context())} {
			var p *files.Problem
			assert.True(t, errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist), "%s: %v", what, err)
			assert.True(t, i18n.Sentence(err) != "", "it is said")
		}
		_, err := os.Stat(folder)
		assert.True(t, errors.Is(err, fs.ErrNotExist), "it is not made")
	})
}

func sends(t testing.TB, at files.Place) error {
	_, err := files.Send(t.Context(), at, bytes.NewReader(content(10)), false)
	return err
}

func receives(t testing.TB, at files.Place) error {
	return files.Receive(t.Context(), at, files.Kept{Name: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", Size: 3}, io.Discard)
}

func TestAddressesOfPlaces(t *testing.T) {
	for _, good := range []string{t.TempDir(), "https://files.example.org/desk", "https://files.example.org:9000/desk/news/assay", "http://127.0.0.1:9000/desk", "http://localhost/desk",
		"https://files.example.org/desk?region=garage"} {
		assert.NoError(t, files.CheckAddress(good))
	}
	for _, bad := range []string{"", "pictures", "https://files.example.org", "https://files.example.org/", "https://files.example.org/A", "https:///desk", "http://files.example.org/desk",
		"https://key:secret@files.example.org/desk", "https://files.example.org/desk?secret=word", "https://files.example.org/desk#part", "https://files.example.org/desk/../other",
		"ftp://files.example.org/desk"} {
		assert.True(t, files.CheckAddress(bad) != nil, "%q passes", bad)
		_, err := files.Open(bad, files.Options{Key: filestest.Key})
		assert.True(t, errors.Is(err, files.ErrAddress), "%q is opened: %v", bad, err)
	}
}
