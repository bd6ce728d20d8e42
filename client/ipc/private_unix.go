//go:build unix

package ipc

import (
	"fmt"
	"os"
	"syscall"
)

// temporaryFolders are where a private folder for a socket can be made. TMPDIR may be a long path.
func temporaryFolders() []string { return []string{os.TempDir(), "/tmp"} }

// makePrivate closes one of the user's folders to all others.
func makePrivate(folder string) error {
	if err := owned(folder); err != nil {
		return err
	}
	if err := os.Chmod(folder, 0o700); err != nil { //nolint:gosec // a folder is entered by its x bit
		return err
	}
	return checkPrivate(folder) // some disks accept every mode and keep none
}

// checkPrivate checks that a folder is the user's and closed to all others.
func checkPrivate(folder string) error {
	if err := owned(folder); err != nil {
		return err
	}
	facts, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if facts.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is open to others: %w", folder, errNoPlace)
	}
	return nil
}

// owned checks that this is a folder, not a link to one, of the user that this process runs as.
func owned(folder string) error {
	facts, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !facts.IsDir() {
		return fmt.Errorf("%s is no folder: %w", folder, errNoPlace)
	}
	if stat, ok := facts.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s is another user's: %w", folder, errNoPlace)
	}
	return nil
}
