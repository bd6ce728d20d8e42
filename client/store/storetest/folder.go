package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/client/store"
)

// historiesVariable names, in the environment, a folder in which histories are kept for who asks for the same one later:
// the benchmarks of several packages share theirs for a run, since 100,000 results take most of a minute. It should be
// empty at first, or hold what this very version made.
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
