package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/store"
	"assay/client/submission"
)

// known returns all files that are known of a folder.
func known(t *testing.T, s *store.Store, folder string) (files []store.FolderFile) {
	t.Helper()
	assert.NoError(t, s.KnownFiles(t.Context(), folder, func(f store.FolderFile) error {
		files = append(files, f)
		return nil
	}))
	return files
}

// camera is a folder that is kept.
func camera(t *testing.T, s *store.Store) store.Folder {
	t.Helper()
	f := store.Folder{ID: "camera", Path: "/media/\xff camera", Added: noon, Settings: []byte(`{"gate":"ask"}`)}
	assert.NoError(t, s.KeepFolder(t.Context(), f))
	return f
}

func TestFolders(t *testing.T) {
	whole := t
	directory := t.TempDir()
	s := open(t, directory, store.Options{})
	first := camera(t, s)
	second := store.Folder{ID: "agency", Path: "/media/agency", Added: noon.Add(-time.Hour), Temporary: true}
	want := func(t *testing.T, want ...store.Folder) {
		t.Helper()
		got, err := s.Folders(t.Context())
		assert.NoError(t, err)
		same(t, want, got)
	}
	t.Run("come back in the order in which they were added", func(t *testing.T) {
		assert.NoError(t, s.KeepFolder(t.Context(), second))
		want(t, second, first)
	})
	t.Run("take other settings, and keep what is known of their files", func(t *testing.T) {
		file := store.FolderFile{Name: "a.jpg", Size: 1}
		assert.NoError(t, s.RememberFiles(t.Context(), first.ID, []store.FolderFile{file}))
		first.Settings = []byte("\x00 other \xff")
		assert.NoError(t, s.KeepFolder(t.Context(), first))
		want(t, second, first)
		same(t, []store.FolderFile{file}, known(t, s, first.ID))
	})
	t.Run("are there after a restart", func(t *testing.T) {
		assert.NoError(t, s.Close())
		s = open(whole, directory, store.Options{})
		want(t, second, first)
		same(t, 1, len(known(t, s, first.ID)))
	})
	t.Run("go with all that is known of their files, and with nothing of another's", func(t *testing.T) {
		sum := sha256.Sum256([]byte("a"))
		for _, f := range []store.Folder{first, second} {
			assert.NoError(t, s.RememberFiles(t.Context(), f.ID, []store.FolderFile{{Name: "a.jpg", SHA256: sum}, {Name: "b.jpg"}}))
		}
		assert.NoError(t, s.RemoveFolder(t.Context(), first.ID))
		assert.NoError(t, s.RemoveFolder(t.Context(), "unknown"))
		want(t, second)
		same(t, 0, len(known(t, s, first.ID)))
		same(t, 2, len(known(t, s, second.ID)))
		assert.NoError(t, s.KeepFolder(t.Context(), first)) // the same one, added anew
		same(t, 0, len(known(t, s, first.ID)))
		announced, err := s.AnnouncedContents(t.Context(), first.ID, [][32]byte{sum})
		assert.NoError(t, err)
		same(t, []bool{false}, announced)
		announced, err = s.AnnouncedContents(t.Context(), second.ID, [][32]byte{sum, {}})
		assert.NoError(t, err)
		same(t, []bool{true, false}, announced)
	})
	t.Run("are unknown once they are removed", func(t *testing.T) {
		for _, err := range []error{
			s.RememberFiles(t.Context(), "unknown", []store.FolderFile{{Name: "a.jpg"}}), s.ForgetFiles(t.Context(), "unknown", []string{"a.jpg"}),
		} {
			var failure *store.Error
			if !errors.Is(err, store.ErrNoFolder) || !errors.As(err, &failure) || failure.Sentence() == "" {
				t.Error(err)
			}
		}
	})
}

func TestKnownFiles(t *testing.T) {
	s := setup(t)
	id := camera(t, s).ID
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	odd := store.FolderFile{Name: "b/\xff\xfe 'ü'\n\x00.jpg", Size: 1 << 50, Time: -5, File: 1<<64 - 1, SHA256: one}
	plain := store.FolderFile{Name: "a.jpg", Size: 3, Time: 7}
	t.Run("come back, whatever their names are made of, in the order of these", func(t *testing.T) {
		assert.NoError(t, s.RememberFiles(t.Context(), id, []store.FolderFile{odd, plain}))
		same(t, []store.FolderFile{plain, odd}, known(t, s, id))
	})
	t.Run("are as they were seen last", func(t *testing.T) {
		odd.Size, odd.SHA256 = 5, two
		plain.Time, plain.SHA256 = 8, one
		assert.NoError(t, s.RememberFiles(t.Context(), id, []store.FolderFile{plain, odd}))
		same(t, []store.FolderFile{plain, odd}, known(t, s, id))
	})
	announced := func(t *testing.T, contents ...[32]byte) []bool {
		t.Helper()
		answers, err := s.AnnouncedContents(t.Context(), id, contents)
		assert.NoError(t, err)
		return answers
	}
	t.Run("have contents that stay announced when the file changes or is forgotten", func(t *testing.T) {
		assert.NoError(t, s.ForgetFiles(t.Context(), id, []string{odd.Name, "unknown"}))
		same(t, []store.FolderFile{plain}, known(t, s, id))
		same(t, []bool{true, false, true, true}, announced(t, one, [32]byte{}, two, one))
		same(t, []bool{}, announced(t))
	})
	t.Run("are in their own folder alone", func(t *testing.T) {
		assert.NoError(t, s.KeepFolder(t.Context(), store.Folder{ID: "other", Path: "/other", Added: noon}))
		same(t, 0, len(known(t, s, "other")))
		answers, err := s.AnnouncedContents(t.Context(), "other", [][32]byte{one})
		assert.NoError(t, err)
		same(t, []bool{false}, answers)
	})
	t.Run("are given until that is refused or nobody waits any more", func(t *testing.T) {
		enough := errors.New("enough")
		if err := s.KnownFiles(t.Context(), id, func(store.FolderFile) error { return enough }); !errors.Is(err, enough) {
			t.Error(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.KnownFiles(ended, id, func(store.FolderFile) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("come by thousands, and the store may be asked and written to meanwhile", func(t *testing.T) {
		assert.NoError(t, s.KeepFolder(t.Context(), store.Folder{ID: "many", Path: "/many", Added: noon}))
		const many = 5000
		for from := 0; from < many; from += 256 {
			var batch []store.FolderFile
			for n := from; n < min(from+256, many); n++ {
				batch = append(batch, store.FolderFile{Name: fmt.Sprintf("%05d.jpg", n), Size: int64(n), SHA256: sha256.Sum256([]byte(fmt.Sprint(n)))})
			}
			assert.NoError(t, s.RememberFiles(t.Context(), "many", batch))
		}
		n := 0
		assert.NoError(t, s.KnownFiles(t.Context(), "many", func(f store.FolderFile) error {
			if f.Size != int64(n) || f.SHA256 != sha256.Sum256([]byte(fmt.Sprint(n))) {
				t.Fatalf("%d is %+v", n, f)
			}
			if n++; n%1500 != 0 {
				return nil
			}
			return s.ForgetFiles(t.Context(), "many", []string{f.Name})
		}))
		same(t, many, n)
		same(t, many-many/1500, len(known(t, s, "many")))
	})
}

func TestWhatCameFromAFolder(t *testing.T) {
	s := setup(t)
	of := func(id string, state submission.State) submission.Submission {
		sub := waiting(id)
		sub.Source, sub.Folder, sub.State = submission.Watched, "/incoming", state
		return sub
	}
	done, elsewhere, cancelled := answered(t, "done", client.Fake), of("elsewhere", submission.Held), of("cancelled", submission.Cancelled)
	done.Source, done.Folder, elsewhere.Folder = submission.Watched, "/incoming", "/incoming/below"
	shows := of("shows", submission.Checking)
	shows.Earlier, cancelled.Earlier = "dropped", "dropped"
	add(t, s, done, elsewhere, cancelled, shows, of("held", submission.Held), of("also held", submission.Held), of("stays", submission.Stays),
		answered(t, "dropped", client.Fake))
	t.Run("is found among the results by its source", func(t *testing.T) {
		for _, order := range everyOrder() {
			rows, _, err := s.Page(t.Context(), store.Query{Sources: []submission.Source{submission.Watched}, Order: order}, store.Cursor{}, 10)
			assert.NoError(t, err)
			if len(rows) != 1 || rows[0].ID != "done" || rows[0].Source != submission.Watched || rows[0].Folder != "/incoming" {
				t.Errorf("%s: %+v", order, rows)
			}
		}
	})
	t.Run("says so in the custody log", func(t *testing.T) {
		entries, err := s.Custody(t.Context(), "held")
		assert.NoError(t, err)
		if len(entries) != 1 || !slices.ContainsFunc(entries, func(e custody.Entry) bool { return strings.Contains(string(e.Facts), `"source":"watched"`) }) {
			t.Errorf("%+v", entries)
		}
	})
	t.Run("stays there when the folder is removed", func(t *testing.T) {
		assert.NoError(t, s.KeepFolder(t.Context(), store.Folder{ID: "f", Path: "/incoming", Added: noon}))
		assert.NoError(t, s.RemoveFolder(t.Context(), "f"))
		if got := get(t, s, "done"); got.Folder != "/incoming" {
			t.Errorf("%+v", got)
		}
	})
}
