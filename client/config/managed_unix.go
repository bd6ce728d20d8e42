//go:build unix

package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

const (
	// flatpakInfo is at the root of every sandbox of Flatpak, where nobody but root can put it elsewhere.
	flatpakInfo = "/.flatpak-info"
	// nobody is the owner of root's files as a sandbox shows them: it knows its own user alone.
	nobody = 65534
)

func inFlatpak() bool {
	_, err := os.Lstat(flatpakInfo)
	return err == nil
}

// ManagedPath is the path of the administrators' file. In a Flatpak it is that of the extension news.assay.Assay.systemconfig: the sandbox hides /etc.
func ManagedPath() string {
	switch {
	case runtime.GOOS == "darwin":
		return "/Library/Application Support/Assay/managed.json"
	case inFlatpak():
		return "/app/etc/assay/managed.json"
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
		if !ok || owner.Uid != 0 && (owner.Uid != nobody || !inFlatpak()) {
			return fmt.Errorf("%w: %s is not root's", errNotTrusted, at)
		}
		if facts.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("%w: others may write to %s", errNotTrusted, at)
		}
	}
	return nil
}
