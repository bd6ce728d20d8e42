package store_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/store"
)

// keep keeps a text as an artifact.
func keep(t *testing.T, s *store.Store, request, kind, model, content string) store.Artifact {
	t.Helper()
	a, err := s.Keep(t.Context(), request, kind, model, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
	assert.NoError(t, err)
	return a
}

// kept is an artifact's content, "" where it is not kept.
func kept(t *testing.T, s *store.Store, request, kind, model string) string {
	t.Helper()
	file, _, err := s.Artifact(t.Context(), request, kind, model)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	content, err := io.ReadAll(file)
	assert.NoError(t, err)
	return string(content)
}

// contents are the names of all files in the vault.
func contents(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	assert.NoError(t, filepath.WalkDir(filepath.Join(folder, "vault"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, filepath.Base(path))
		}
		return err
	}))
	return names
}

func vaultSize(t *testing.T, s *store.Store) int64 {
	t.Helper()
	n, err := s.VaultSize(t.Context())
	assert.NoError(t, err)
	return n
}

func TestVault(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, store.Options{})
	t.Run("keeps content by its hash", func(t *testing.T) {
		a := keep(t, s, "r", "heatmap", "faces", "abc")
		want := store.Artifact{RequestID: "r", Kind: "heatmap", Model: "faces", Size: 3, Saved: noon,
			SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
		same(t, want, a)
		content, err := os.ReadFile(filepath.Join(folder, "vault", "ba", want.SHA256))
		if string(content) != "abc" || err != nil {
			t.Errorf("%q %v", content, err)
		}
		all, err := s.Artifacts(t.Context(), "r")
		assert.NoError(t, err)
		same(t, []store.Artifact{want}, all)
		assert.Equal(t, "abc", kept(t, s, "r", "heatmap", "faces"))
	})
	t.Run("says what is not kept", func(t *testing.T) {
		assert.Equal(t, "", kept(t, s, "r", "heatmap", "noise"))
	})
	t.Run("keeps the same content once", func(t *testing.T) {
		keep(t, s, "r", "thumbnail", "", "abc")
		if n := vaultSize(t, s); n != 3 || len(contents(t, folder)) != 1 {
			t.Error(n, contents(t, folder))
		}
	})
	t.Run("replaces what was kept, and deletes content with its last row alone", func(t *testing.T) {
		keep(t, s, "r", "thumbnail", "", "defg")
		if vaultSize(t, s) != 7 || kept(t, s, "r", "heatmap", "faces") != "abc" || kept(t, s, "r", "thumbnail", "") != "defg" {
			t.Error(vaultSize(t, s))
		}
		keep(t, s, "r", "heatmap", "faces", "defg")
		if vaultSize(t, s) != 4 || len(contents(t, folder)) != 1 {
			t.Error(vaultSize(t, s), contents(t, folder))
		}
	})
	t.Run("keeps nothing of what could not be fetched whole", func(t *testing.T) {
		broken := errors.New("the connection broke")
		_, err := s.Keep(t.Context(), "r", "original", "", func(w io.Writer) error {
			_, _ = io.WriteString(w, "half")
			return broken
		})
		if !errors.Is(err, broken) || kept(t, s, "r", "original", "") != "" || len(contents(t, folder)) != 1 {
			t.Error(err, contents(t, folder))
		}
		if failure := (*store.Error)(nil); errors.As(err, &failure) {
			t.Error("another's error is said as the store's:", failure.Message)
		}
	})
	t.Run("gives out nothing that was changed on the disk", func(t *testing.T) {
		a := keep(t, s, "changed", "aggregation", "", "numbers")
		path := filepath.Join(folder, "vault", a.SHA256[:2], a.SHA256)
		for _, content := range []string{"numbprs", "num", ""} {
			assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			assert.Equal(t, "", kept(t, s, "changed", "aggregation", ""))
		}
		keep(t, s, "changed", "aggregation", "", "numbers") // fetched again
		assert.Equal(t, "numbers", kept(t, s, "changed", "aggregation", ""))
		assert.NoError(t, os.Remove(path))
		assert.Equal(t, "", kept(t, s, "changed", "aggregation", ""))
	})
	t.Run("takes what is there where it can't be replaced, if that is the same", func(t *testing.T) {
		a := keep(t, s, "there", "aggregation", "", "numbers")
		assert.NoError(t, store.Place(s, "gone", a.SHA256))
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "vault", a.SHA256[:2], a.SHA256), []byte("numbprs"), 0o600))
		if err := store.Place(s, "gone", a.SHA256); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	t.Run("is empty after a purge", func(t *testing.T) {
		keep(t, s, "r", "original", "", "0123456789")
		freed, err := s.Purge(t.Context())
		assert.NoError(t, err)
		if freed != 21 || vaultSize(t, s) != 0 || len(contents(t, folder)) != 0 || kept(t, s, "r", "original", "") != "" {
			t.Error(freed, contents(t, folder))
		}
		keep(t, s, "r", "original", "", "abc")
		if kept(t, s, "r", "original", "") != "abc" || vaultSize(t, s) != 3 {
			t.Error("and takes nothing any more")
		}
	})
}

func TestTheVaultStaysUnderItsCap(t *testing.T) {
	folder, now := t.TempDir(), noon
	s := open(t, folder, store.Options{VaultCap: 25, Now: func() time.Time { now = now.Add(time.Second); return now }})
	text := func(i int) string { return fmt.Sprintf("content %02d", i) } // 10 bytes
	for i := range 5 {
		keep(t, s, fmt.Sprint(i), "thumbnail", "", text(i))
		if n := vaultSize(t, s); n > 25 {
			t.Error("grown to", n)
		}
	}
	got := ""
	for i := range 5 {
		got += kept(t, s, fmt.Sprint(i), "thumbnail", "") + ", "
	}
	if got != ", , , content 03, content 04, " {
		t.Error(got)
	}
	keep(t, s, "5", "thumbnail", "", text(3)) // shared: the older row goes, the content stays
	keep(t, s, "6", "thumbnail", "", text(6))
	if kept(t, s, "5", "thumbnail", "") != text(3) || kept(t, s, "4", "thumbnail", "") != "" || len(contents(t, folder)) != 2 {
		t.Error(contents(t, folder))
	}
	keep(t, s, "7", "original", "", strings.Repeat("x", 40)) // larger than the cap, yet what was wanted last
	if len(kept(t, s, "7", "original", "")) != 40 || len(contents(t, folder)) != 1 {
		t.Error(contents(t, folder))
	}
	assert.NoError(t, s.Close())
	if again := open(t, folder, store.Options{VaultCap: 25}); vaultSize(t, again) != 40 {
		t.Error("after another start it is", vaultSize(t, again))
	}
}

func TestLeftoversAreSwept(t *testing.T) {
	folder, killed := t.TempDir(), t.TempDir()
	s := open(t, folder, store.Options{})
	store.WaitForTidying(s)
	a := keep(t, s, "r", "thumbnail", "", "abc")
	orphan := strings.Repeat("c", 64)
	assert.NoError(t, os.Mkdir(filepath.Join(folder, "vault", "cc"), 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "vault", "cc", orphan), []byte("no row names it"), 0o600))
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "vault", "unfinished-other-run"), []byte("half"), 0o600))
	own := []string{"notes.txt", filepath.Join("cc", "cc.txt"), filepath.Join("cc", strings.Repeat("d", 64))}
	for _, name := range own {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "vault", name), []byte("the person's own"), 0o600))
	}
	assert.NoError(t, os.CopyFS(killed, os.DirFS(folder))) // as it is where a run ends without closing it
	assert.NoError(t, s.Close())

	named := a.SHA256 + ", cc.txt, " + strings.Repeat("d", 64) + ", notes.txt"
	for _, tc := range []struct {
		name, folder string
		after        time.Duration
		swept        bool
	}{
		{"the next start does not look at each file", folder, time.Hour, false},
		{"one after a week does", folder, 8 * 24 * time.Hour, true},
		{"and one after a run that was killed", killed, time.Hour, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := open(t, tc.folder, store.Options{Now: func() time.Time { return noon.Add(tc.after) }})
			store.WaitForTidying(s)
			if left := strings.Join(contents(t, tc.folder), ", "); (left == named) != tc.swept {
				t.Error(left)
			}
			if kept(t, s, "r", "thumbnail", "") != "abc" {
				t.Error("what is named was swept")
			}
			assert.NoError(t, s.Close())
		})
	}
}

func TestTheVaultsCapChangesWhileItIsOpen(t *testing.T) {
	folder, now := t.TempDir(), noon
	s := open(t, folder, store.Options{VaultCap: 100, Now: func() time.Time { now = now.Add(time.Second); return now }})
	for i := range 5 {
		keep(t, s, fmt.Sprint(i), "thumbnail", "", fmt.Sprintf("content %02d", i)) // 10 bytes
	}
	assert.NoError(t, s.SetVaultCap(t.Context(), 25))
	assert.Equal(t, 20, vaultSize(t, s))
	if kept(t, s, "3", "thumbnail", "") == "" || kept(t, s, "4", "thumbnail", "") == "" {
		t.Error("what was kept last went first")
	}
	assert.NoError(t, s.SetVaultCap(t.Context(), 20))
	assert.Equal(t, 20, vaultSize(t, s))
	keep(t, s, "5", "thumbnail", "", "content 05")
	assert.Equal(t, 20, vaultSize(t, s))
	assert.NoError(t, s.SetVaultCap(t.Context(), 0))
	keep(t, s, "6", "thumbnail", "", "content 06")
	assert.Equal(t, 30, vaultSize(t, s))
}
