//go:build unix

package config

import (
	"errors"
	"os"
)

// replaceFile puts a file in another's place at once.
func replaceFile(from, to string) error { return os.Rename(from, to) }

// syncFolder has the names in a folder outlive a loss of power.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
