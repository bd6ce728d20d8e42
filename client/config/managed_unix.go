//go:build unix

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// trusted reports, as errNotTrusted, a file that somebody else than the system's administrators may have written: it, and the folder in
// which it lies, are root's, and nobody else may write to either.
func trusted(path string) error {
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, at := range []string{place, filepath.Dir(place), filepath.Dir(path)} {
		facts, err := os.Stat(at)
		if err != nil {
			return err
		}
		owner, ok := facts.Sys().(*syscall.Stat_t)
		if !ok || owner.Uid != 0 {
			return fmt.Errorf("%w: %s is not root's", errNotTrusted, at)
		}
		if facts.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("%w: others may write to %s", errNotTrusted, at)
		}
	}
	return nil
}
