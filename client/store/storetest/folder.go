package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assay/client/store"
)

// historiesVariable is the environment variable that names a folder in which histories are kept for later callers: the benchmarks of several packages
// share theirs in a run, since making 100,000 results takes most of a minute. The folder must be empty at first, or hold what this very version made.
const historiesVariable = "ASSAY_HISTORIES"

// fileName is the store's, inside its folder.
const fileName = "assay.db"

// FillFolder makes a store of n results in a folder that has none, as Fill makes them, and closes it. The vault stays
// empty.
func FillFolder(ctx context.Context, folder string, n int) error {
	kept := ""
	if histories := os.Getenv(historiesVariable); histories != "" {
		kept = filepath.Join(histories, fmt.Sprintf("%d.db", n))
		err := copyWhole(kept, filepath.Join(folder, fileName))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := fillNew(ctx, folder, n); err != nil || kept == "" {
		return err
	}
	return copyWhole(filepath.Join(folder, fileName), kept)
}

func fillNew(ctx context.Context, folder string, n int) (err error) {
	s, err := store.Open(ctx, folder, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }() // closing leaves one file, without a log beside it
	return Fill(ctx, s, n)
}

// copyWhole copies a file, whole or not at all, and makes the folder that it goes into.
func copyWhole(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read from
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), "history-")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// Empty copies a store without content into a folder, which it makes if it is missing: opening that takes much less time than making one, above all
// under the race detector. A store that is there already stays.
func Empty(folder string) error {
	const name = "assay.db"
	content, err := empty()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// empty is the file of a store without anything in it.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "assay-empty")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system's own folder
	s, err := store.Open(context.Background(), folder, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "assay.db"))
})

// Watched is a watched folder in the form that is kept, with its settings as client/folders writes them, in JSON.
type Watched struct{ Path, Settings string }

// WatchFolders adds watched folders, in this order, to the store of a folder, and makes the store if there is none. No files of them are known: to
// the next run, all that are in them are new.
func WatchFolders(ctx context.Context, folder string, all ...Watched) (err error) {
	s, err := store.Open(ctx, folder, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i, w := range all {
		sum := sha256.Sum256([]byte(w.Path))
		id := fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
		if err := s.KeepFolder(ctx, store.Folder{ID: id, Path: w.Path, Added: last.Add(time.Duration(i) * time.Second), Settings: []byte(w.Settings)}); err != nil {
			return err
		}
	}
	return nil
}
