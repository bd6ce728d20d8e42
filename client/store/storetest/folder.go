package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
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
	if err == nil {
		err = out.Sync() // else the first that waits for the disk, such as a checkpoint of a benchmark, waits for gigabytes
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// Quick has every store that this process makes begin as a copy of an empty one, wherever it is opened: making the tables anew takes most of the time
// of a test that needs a store and does little with it. It is for TestMain or an init, before anything else runs.
func Quick() {
	if _, err := empty(); err != nil {
		panic(err)
	}
	store.Begin = Empty
}

// Empty copies a store without content into a folder, which it makes if it is missing: opening that takes much less time than making one, above all
// under the race detector. A store that is there already stays.
func Empty(folder string) error {
	made, err := empty()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if store.Exists(folder) {
		return nil
	}
	file, err := os.CreateTemp(folder, "empty-")
	if err != nil {
		return err
	}
	// No two custody logs have one name.
	_, err = file.Write(bytes.ReplaceAll(made.file, []byte(made.log), fmt.Appendf(nil, "assay/%016x", rand.Uint64()))) //nolint:gosec // no secret
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Link(file.Name(), filepath.Join(folder, fileName)) // whole at once: another process may look for it
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, os.Remove(file.Name()))
}

// emptyStore is the file of a store without anything in it, and the name of its custody log.
type emptyStore struct {
	file []byte
	log  string
}

var empty = sync.OnceValues(func() (made emptyStore, err error) {
	folder, err := os.MkdirTemp("", "assay-empty")
	if err != nil {
		return made, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system's own folder
	s, err := store.Open(context.Background(), folder, store.Options{})
	if err != nil {
		return made, err
	}
	made.log, _, err = s.CustodyKey(context.Background())
	if err := errors.Join(err, s.Close()); err != nil {
		return made, err
	}
	made.file, err = os.ReadFile(filepath.Join(folder, fileName))
	return made, err
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
