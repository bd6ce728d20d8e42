package ipc

import (
	"fmt"
	"os"
	"path/filepath"
)

// temporaryFolders are where a private folder for a socket can be made: on Windows, the user's own.
func temporaryFolders() []string { return []string{os.TempDir()} }

// makePrivate checks that a folder is closed to other users. Folders in the user's profile are, by inheritance: there are no modes to set.
func makePrivate(folder string) error { return checkPrivate(folder) }

func checkPrivate(folder string) error {
	facts, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !facts.IsDir() {
		return fmt.Errorf("%s is no folder: %w", folder, errNoPlace)
	}
	profile, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	for at := folder; ; at = filepath.Dir(at) {
		if same(at, profile) {
			return nil
		}
		if at == filepath.Dir(at) {
			return fmt.Errorf("%s is outside the user's profile: %w", folder, errNoPlace)
		}
	}
}

// same compares two folders by identity: their names may differ in case, or be short ones.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
