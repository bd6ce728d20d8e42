package session

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	// portableMarker is the file beside the program by which Assay keeps everything beside it, too: archives that are unpacked anywhere have it.
	portableMarker = "portable"
	portableFolder = "assay-home"
)

// portableHome is the folder beside the program, if the marker is there; else "". An error is Misuse: what should be kept on a stick
// must not be kept on the computer that it is in.
func (m Machine) portableHome() (string, error) {
	if m.Program == "" {
		return "", nil
	}
	program, err := filepath.EvalSymlinks(m.Program) // it may be started by a pointer to it
	if err != nil {
		return "", nil //nolint:nilerr // it was removed while it starts: nothing is beside it
	}
	marker, err := os.Stat(filepath.Join(filepath.Dir(program), portableMarker))
	if err != nil || !marker.Mode().IsRegular() {
		return "", nil //nolint:nilerr // it is not there
	}
	home := filepath.Join(filepath.Dir(program), portableFolder)
	if !writable(home) {
		return "", &Misuse{Sentence: fmt.Sprintf("This is a portable Assay, which keeps everything beside the program, and it can't write to %s. Move it to a folder of your own, or give one with --home.",
			quotedPath(home))}
	}
	return home, nil
}

// writable reports whether a file can be made in the folder, which it creates.
func writable(folder string) bool {
	if os.MkdirAll(folder, 0o700) != nil {
		return false
	}
	file, err := os.CreateTemp(folder, "writable-*")
	if err != nil {
		return false
	}
	_ = file.Close() // nothing was written
	return os.Remove(file.Name()) == nil
}
