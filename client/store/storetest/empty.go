package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"assay/client/store"
)

// Empty puts a store without anything in it into a folder, which is made where it is missing: opening that takes a fraction of what
// making one takes, above all under the race detector. A folder that has a store stays as it is.
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
