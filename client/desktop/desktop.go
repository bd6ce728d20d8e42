// Package desktop registers Assay in the person's desktop: start with the system, "Open with", "Send to". The entries hold the program's
// path and fixed words, and start it without a shell. It imports the standard library, x/sys, bounded, durable, portal and i18n.
package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"assay/client/bounded"
	"assay/client/durable"
	"assay/client/i18n"
)

// appID names the entries; it is the ID in FyneApp.toml.
const appID = "news.assay.Assay"

// Entries are this program's entries. Their methods write to the disk or the registry, so they belong on a worker. Their errors are *Problem.
type Entries struct {
	Program   string                   // absolute path, such as Program returns
	Arguments []string                 // passed at every start by an entry, such as --home and its folder
	Environ   func(name string) string // looks up the variables that determine folders; nil: os.Getenv
}

// Program is the path with which this program is started again. environ is as in Entries.
func Program(environ func(name string) string) (string, error) {
	if image := (Entries{Environ: environ}).variable("APPIMAGE"); filepath.IsAbs(image) {
		return image, nil // an AppImage: the program's own path exists for this run only
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.Clean(program), nil // as found by way of the PATH, it may have two separators in a row
}

func (e Entries) variable(name string) string {
	if e.Environ == nil {
		return os.Getenv(name)
	}
	return e.Environ(name)
}

// Autostart has this program start with the system, or no longer do so.
func (e Entries) Autostart(on bool) error { return asProblem(e.autostart(on)) }

// OpenWith offers this program for the files that the service accepts, or no longer does. It never becomes the default for a double click.
func (e Entries) OpenWith(on bool) error { return asProblem(e.openWith(on)) }

// SendTo adds this program to the file manager's "Send to", or removes it.
func (e Entries) SendTo(on bool) error { return asProblem(e.sendTo(on)) }

// Remove removes the entries that start this program, whatever arguments it is given then. Those of another copy of it stay.
func (e Entries) Remove() error {
	var failed []error
	for _, entry := range []struct {
		own func() (bool, error)
		set func(on bool) error
	}{{e.ownAutostart, e.autostart}, {e.ownOpenWith, e.openWith}, {e.ownSendTo, e.sendTo}} {
		own, err := entry.own()
		if own && err == nil {
			err = entry.set(false)
		}
		failed = append(failed, err)
	}
	return asProblem(errors.Join(failed...))
}

// OfferedByPackage reports whether the package that brought this program offers it under "Open with" already, so that the person need not.
func (e Entries) OfferedByPackage() bool { return e.offered() }

// Possible reports which entries this desktop supports.
func (e Entries) Possible() (autostart, openWith, sendTo bool) { return e.possible() }

// errNone means that this system has no such entry.
var errNone = errors.New("this desktop has no such entry")

// none refuses to make an entry that this system does not have; removing it succeeds.
func none(on bool) error {
	if on {
		return errNone
	}
	return nil
}

// errRefused means that the person, or the desktop for them, did not allow an entry.
var errRefused = errors.New("the desktop did not allow the entry")

// errName means that an entry could not hold the program's name unambiguously.
var errName = errors.New("the program's path or an argument can't be written into an entry")

// Problem is why an entry could not be made or removed.
type Problem struct{ Err error }

func (p *Problem) Error() string { return "desktop entry: " + p.Err.Error() }

// Unwrap returns the system's error.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence is the message for the person.
func (p *Problem) Sentence() string {
	switch {
	case errors.Is(p.Err, errNone):
		return i18n.T("This desktop has no such entry.")
	case errors.Is(p.Err, errRefused):
		return i18n.T("Your desktop did not allow it. Its settings say which programs may start by themselves.")
	case errors.Is(p.Err, errName):
		return i18n.T("This desktop can't start Assay from a folder with such characters in its name. Move Assay to another folder.")
	}
	return i18n.T("The desktop's entry could not be changed.")
}

func asProblem(err error) error {
	if err == nil {
		return nil
	}
	return &Problem{Err: err}
}

// largestEntry bounds the bytes that are read of a desktop's file: lists of programs have some hundred thousand.
const largestEntry = 16 << 20

// put writes an entry's file atomically, because a desktop that watches the folder must not read half of it. A new file is readable by this
// user only, as are new folders; nobody but the person's own desktop reads it. An existing file keeps its permissions.
func put(path string, content []byte) error {
	mode := fs.FileMode(0o600)
	if facts, err := os.Stat(path); err == nil {
		mode = facts.Mode().Perm()
	}
	return durable.WriteFile(path, content, durable.Options{Temp: ".assay-*.tmp", Mode: mode})
}

// contentOf reads an entry's file; of a missing one it is empty.
func contentOf(path string) ([]byte, error) {
	content, err := bounded.ReadFile(path, largestEntry)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// remove removes an entry's file; a missing one is no error.
func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
