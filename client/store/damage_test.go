package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/store/storetest"
)

// filled makes a closed store with 300 results in a folder.
func filled(t *testing.T) (folder string) {
	t.Helper()
	content, err := filledOnce()
	assert.NoError(t, err)
	folder = t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "assay.db"), content, 0o600))
	return folder
}

// filledOnce is the file of such a store; making it takes long under the race detector.
var filledOnce = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "assay-filled")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system's own folder
	s, err := store.Open(context.Background(), folder, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(storetest.Fill(context.Background(), s, 300), s.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "assay.db"))
})

func TestDamagedFilesAreSetAside(t *testing.T) {
	change := func(how func([]byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			t.Helper()
			content, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(path, how(content), 0o600))
		}
	}
	for name, damage := range map[string]func(t *testing.T, path string){
		"garbage":               change(func(b []byte) []byte { return bytes.Repeat([]byte("garbage\n"), len(b)/8) }),
		"a few bytes":           change(func(b []byte) []byte { return b[:60] }),
		"a zeroed header":       change(func(b []byte) []byte { return append(make([]byte, 4096), b[4096:]...) }),
		"cut off in the middle": change(func(b []byte) []byte { return b[:len(b)/2] }),
		"cut off by a page":     change(func(b []byte) []byte { return b[:len(b)-4096] }),
		"all zeros":             change(func(b []byte) []byte { return make([]byte, len(b)) }),
		"a table is missing":    func(t *testing.T, path string) { tamper(t, filepath.Dir(path), "DROP TABLE custody") },
		"another program's":     func(t *testing.T, path string) { tamper(t, filepath.Dir(path), "PRAGMA application_id = 7") },
		"a log without its file": func(t *testing.T, path string) {
			assert.NoError(t, os.Rename(path, path+"-wal"))
		},
		"after a crash, pages of a table overwritten": func(t *testing.T, path string) {
			change(overwritten)(t, path)
			assert.NoError(t, os.WriteFile(path+"-wal", make([]byte, 100), 0o600)) // as after a crash
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filled(t)
			path := filepath.Join(folder, "assay.db")
			damage(t, path)
			before, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			s := open(t, folder, store.Options{})
			if s.SetAside() != "assay.db.damaged-20261121T120000Z" {
				t.Fatalf("set aside as %q", s.SetAside())
			}
			aside, err := os.ReadFile(filepath.Join(folder, s.SetAside()))
			if before != nil && (err != nil || len(aside) < len(before)) {
				t.Error("it was not kept:", err)
			}
			assert.Equal(t, 0, count(t, s, store.Query{}))
			add(t, s, waiting("a"))
			assert.NoError(t, s.Close())
			again := open(t, folder, store.Options{})
			if again.SetAside() != "" || get(t, again, "a").ID != "a" {
				t.Error("the new one is set aside, too")
			}
		})
	}
}

func TestSoundFilesStay(t *testing.T) {
	t.Run("an empty one is begun", func(t *testing.T) {
		folder := t.TempDir()
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "assay.db"), nil, 0o600))
		s := open(t, folder, store.Options{})
		add(t, s, waiting("a"))
		if s.SetAside() != "" {
			t.Error("set aside")
		}
	})
	t.Run("one that was killed before its first step is begun", func(t *testing.T) {
		folder := t.TempDir()
		tamper(t, folder, "PRAGMA journal_mode = WAL", "CREATE TABLE begun (a)", "DROP TABLE begun")
		if s := open(t, folder, store.Options{}); s.SetAside() != "" {
			t.Error("set aside")
		}
	})
	t.Run("one of a killed process is taken over, its log too", func(t *testing.T) {
		from, to := t.TempDir(), t.TempDir()
		s := open(t, from, store.Options{})
		add(t, s, answered(t, "a", client.Fake))
		for _, name := range []string{"assay.db", "assay.db-wal"} { // as they are in the midst of it
			content, err := os.ReadFile(filepath.Join(from, name))
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(filepath.Join(to, name), content, 0o600))
		}
		again := open(t, to, store.Options{})
		if again.SetAside() != "" || get(t, again, "a").Result == nil {
			t.Error("it is lost")
		}
		assert.NoError(t, again.VerifyCustody(t.Context()))
	})
}

func TestDamageFoundLaterIsSetAsideAtTheNextStart(t *testing.T) {
	folder := filled(t)
	path := filepath.Join(folder, "assay.db")
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	at := bytes.LastIndex(content, []byte("overallStatus")) &^ 4095 // a late answer
	assert.NoError(t, os.WriteFile(path, append(append(content[:at:at], bytes.Repeat([]byte{0xee}, 4096)...), content[at+4096:]...), 0o600))
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	if s.SetAside() != "" {
		t.Fatal("the test damaged what is looked at, at each start")
	}
	rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 1000)
	assert.NoError(t, err)
	var damaged error
	for _, r := range rows {
		if _, err := s.Answers(t.Context(), []string{r.ID}); err != nil {
			damaged = err
		}
	}
	var failure *store.Error
	if !errors.Is(damaged, store.ErrDamaged) || !errors.As(damaged, &failure) || !strings.Contains(failure.Message.String(), "Start Assay again") {
		t.Fatal(damaged)
	}
	assert.NoError(t, s.Close())
	if s := open(t, folder, store.Options{}); s.SetAside() == "" {
		t.Error("it was not")
	}
}

// overwritten is a filled store as a crash left it, with a page of the submissions' table overwritten.
func overwritten(b []byte) []byte {
	at := bytes.LastIndex(b, []byte("do not publish yet")) &^ 4095
	return append(append(b[:at:at], bytes.Repeat([]byte{0xee}, 4096)...), b[at+4096:]...)
}

func TestAfterACrashALargeFileIsCheckedBesideTheWork(t *testing.T) {
	folder := filled(t)
	path := filepath.Join(folder, "assay.db")
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, overwritten(content), 0o600))
	crashed := func() { assert.NoError(t, os.WriteFile(path+"-wal", make([]byte, 100), 0o600)) }
	crashed()
	store.CheckAtOnce(t, int64(len(content))-1)
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	if s.SetAside() != "" {
		t.Error("it was checked while a person waits")
	}
	store.WaitForTidying(s)
	assert.NoError(t, s.Close())
	if s := open(t, folder, store.Options{}); s.SetAside() == "" {
		t.Error("the damage was not found")
	}
	t.Run("one that is not too large is checked at once", func(t *testing.T) {
		assert.NoError(t, os.WriteFile(path, overwritten(content), 0o600))
		crashed()
		store.CheckAtOnce(t, int64(len(content)))
		if s := open(t, folder, store.Options{}); s.SetAside() == "" {
			t.Error("it was not")
		}
	})
}

func TestTheVaultGoesWithItsFile(t *testing.T) {
	folder := t.TempDir()
	s, err := store.Open(t.Context(), folder, store.Options{})
	assert.NoError(t, err)
	keep(t, s, "r", "thumbnail", "", "picture")
	assert.NoError(t, s.Close())
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "assay.db"), []byte("garbage"), 0o600))
	s = open(t, folder, store.Options{})
	kept, err := filepath.Glob(filepath.Join(folder, strings.Replace(s.SetAside(), "assay.db", "vault", 1), "*", "*"))
	if err != nil || len(kept) != 1 {
		t.Error(kept, err)
	}
}

func TestWhatIsSetAsideInOneSecondIsAllKept(t *testing.T) {
	folder, names := t.TempDir(), []string{}
	for range 3 {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "assay.db"), []byte("garbage"), 0o600))
		s := open(t, folder, store.Options{})
		names = append(names, strings.TrimPrefix(s.SetAside(), "assay.db.damaged-20261121T120000Z"))
		assert.NoError(t, s.Close())
	}
	same(t, []string{"", "-2", "-3"}, names)
}

func TestWhatCannotBeOpenedStaysAsItIs(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(t *testing.T, folder string)
		kind  error
	}{
		"a newer Assay's": {func(t *testing.T, folder string) { tamper(t, folder, "PRAGMA user_version = 999") }, store.ErrNewer},
		"a folder in its place": {func(t *testing.T, folder string) {
			assert.NoError(t, os.Remove(filepath.Join(folder, "assay.db")))
			assert.NoError(t, os.Mkdir(filepath.Join(folder, "assay.db"), 0o700))
		}, store.ErrIO},
		"a file in place of its folder": {func(t *testing.T, folder string) {
			assert.NoError(t, os.RemoveAll(folder))
			assert.NoError(t, os.WriteFile(folder, nil, 0o600))
		}, store.ErrIO},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filled(t)
			tc.spoil(t, folder)
			_, err := store.Open(t.Context(), folder, store.Options{})
			var failure *store.Error
			if !errors.Is(err, tc.kind) || !errors.As(err, &failure) || failure.Message.IsZero() {
				t.Fatal(err)
			}
			if aside, err := filepath.Glob(filepath.Join(folder, "*.damaged*")); len(aside) > 0 || err != nil {
				t.Error("set aside:", aside, err)
			}
		})
	}
	t.Run("a cancelled start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := store.Open(ctx, t.TempDir(), store.Options{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestFilesAreThePersonsAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows knows no such modes: what the folder allows holds.")
		return
	}
	folder := filepath.Join(t.TempDir(), "made", "by Open % ? # é")
	s := open(t, folder, store.Options{})
	add(t, s, waiting("a"))
	keep(t, s, "r", "thumbnail", "", "picture")
	assert.NoError(t, s.Close())
	assert.NoError(t, os.Chmod(filepath.Join(folder, "assay.db"), 0o644)) //nolint:gosec // as an earlier copy may be
	s = open(t, folder, store.Options{})
	add(t, s, waiting("b"))
	files := 0
	assert.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		assert.NoError(t, err)
		info, err := entry.Info()
		assert.NoError(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Error(path, info.Mode())
		}
		if !entry.IsDir() {
			files++
		}
		return nil
	}))
	if files != 4 { // the file, its log, the log's index, the picture
		t.Error(files, "files")
	}
}

// FuzzOpen holds that however a store's file is damaged, opening it ends, and that it is taken as it is, refused, or set aside with all of
// its bytes; and that a page of one that was
// opened is read or says that the file is damaged.
func FuzzOpen(f *testing.F) {
	whole, err := filledOnce()
	assert.NoError(f, err)
	f.Add(uint32(0), []byte("garbage"), 0)
	f.Add(uint32(16), []byte{0, 1}, 0)
	f.Add(uint32(28), []byte{0xff, 0xff, 0xff, 0xff}, 0)
	f.Add(uint32(100), bytes.Repeat([]byte{0xee}, 300), 100)
	f.Add(uint32(5000), []byte{}, 4096)
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, cut int) {
		damaged := bytes.Clone(whole)
		copy(damaged[int(at)%len(damaged):], patch)
		damaged = damaged[:len(damaged)-max(0, cut)%len(damaged)]
		folder := t.TempDir()
		path := filepath.Join(folder, "assay.db")
		assert.NoError(t, os.WriteFile(path, damaged, 0o600))
		s, err := store.Open(t.Context(), folder, store.Options{})
		if err != nil {
			if kept, readErr := os.ReadFile(path); readErr != nil || len(kept) < len(damaged) {
				t.Errorf("refused with %v, and %d of %d bytes are left: %v", err, len(kept), len(damaged), readErr)
			}
			return
		}
		defer s.Close() //nolint:errcheck // a damaged one may say so
		if aside := s.SetAside(); aside != "" {
			if kept, err := os.ReadFile(filepath.Join(folder, aside)); err != nil || !bytes.Equal(kept[:min(len(kept), len(damaged))], damaged) {
				t.Errorf("of %d bytes %d were set aside: %v", len(damaged), len(kept), err)
			}
		}
		if _, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 1000); err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("a page gives %v", err)
		}
		_ = s.VerifyCustody(t.Context()) // it may well find that the log was changed
	})
}

// The power fails while the file is being made: half of its first page is there, and the journal that SQLite goes back by.
func TestAFileThatWasBeingMadeIsMadeAnew(t *testing.T) {
	making := filepath.Join(t.TempDir(), "assay.db")
	database, err := sql.Open("sqlite", making)
	assert.NoError(t, err)
	defer database.Close() //nolint:errcheck // it is given up
	database.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 1", "BEGIN", "CREATE TABLE t (content BLOB)",
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT zeroblob(4000) FROM n"} { // more than is kept in memory
		_, err := database.ExecContext(t.Context(), statement)
		assert.NoError(t, err)
	}
	folder := t.TempDir()
	for _, name := range []string{"assay.db", "assay.db-journal"} {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(making), name))
		assert.NoError(t, err)
		if len(content) == 0 {
			t.Fatal(name, "is empty")
		}
		if name == "assay.db" {
			clear(content[:2048])
		}
		assert.NoError(t, os.WriteFile(filepath.Join(folder, name), content, 0o600))
	}
	s := open(t, folder, store.Options{})
	if s.SetAside() != "" {
		t.Error("it was set aside")
	}
	add(t, s, waiting("one"))
}
