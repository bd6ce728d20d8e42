//go:build unix

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// ManagedPath is the path of the administrators' file.
func ManagedPath() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/Assay/managed.json"
	}
	return "/etc/assay/managed.json"
}

// trusted returns errNotTrusted for a file that anyone but the system's administrators could have written: the file and its folder must be root's,
// and writable by nobody else.
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
