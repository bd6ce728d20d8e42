package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows/registry"
)

// Where administrators name their file, as the MSI's property MANAGED does. Only they may write to that part of the registry.
const (
	managedKey  = `SOFTWARE\Assay`
	managedName = "ManagedFile"
)

var managedRoot = registry.LOCAL_MACHINE // tests have a part of the registry that is theirs

// ManagedPath is the path of the administrators' file: the one that they name in the registry, or else the one beside the program, as in Program
// Files, where nobody else may write (in %ProgramData% anybody may make a folder that is not there yet).
func ManagedPath() string {
	if path, named := namedFile(); named {
		return path
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(program), "managed.json")
}

// namedFile is what the registry names. A value that can't be read, or is no text, names a file that is not there.
func namedFile() (path string, named bool) {
	key, err := registry.OpenKey(managedRoot, managedKey, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if errors.Is(err, registry.ErrNotExist) {
		return "", false
	}
	if err != nil {
		return managedName, true
	}
	defer func() { _ = key.Close() }()
	path, kind, err := key.GetStringValue(managedName)
	if err == nil && kind == registry.EXPAND_SZ {
		path, err = registry.ExpandString(path)
	}
	switch {
	case errors.Is(err, registry.ErrNotExist):
		return "", false
	case err != nil || !filepath.IsAbs(path):
		return managedName, true
	}
	return path, true
}

// trusted accepts the file: only administrators name one in the registry, and whoever may write beside the program could replace the program
// itself. One that is named must be there: else nobody knows what it locks.
func trusted(path string) error {
	if named, ok := namedFile(); !ok || !strings.EqualFold(named, path) {
		return nil
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("the registry's %s is no path of a file", managedName)
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("the file that the registry names: %v", err) //nolint:errorlint // it must not count as one that was never there
	}
	return nil
}
