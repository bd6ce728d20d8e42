// Package desktop makes Assay's entries in the person's desktop: start with the system, "Open with", "Send to". They hold the program's
// path and fixed words, and start it without a shell. It imports the standard library, x/sys and i18n.
package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"assay/client/durable"
	"assay/client/i18n"
)

// appID names the entries, as FyneApp.toml names the app.
const appID = "news.assay.Assay"

// Entries are this program's entries. Their methods write to the disk or the registry: not for the UI thread. Errors are *Problem.
type Entries struct {
	Program   string                   // whole path, such as Program's
	Arguments []string                 // that every start by an entry gets, such as --home and its folder
	Environ   func(name string) string // nil: os.Getenv; folders are found by it
}

// Program is the path by which this program is started again. environ is as in Entries.
func Program(environ func(name string) string) (string, error) {
	if image := (Entries{Environ: environ}).variable("APPIMAGE"); filepath.IsAbs(image) {
		return image, nil // the program itself lies where the image is unpacked, for this run alone
	}
	return os.Executable()
}

func (e Entries) variable(name string) string {
	if e.Environ == nil {
		return os.Getenv(name)
	}
	return e.Environ(name)
}

// Autostart has this program start with the system, or not.
func (e Entries) Autostart(on bool) error { return asProblem(e.autostart(on)) }

// OpenWith offers this program for the files that the service takes, or not. It never becomes what a double click starts.
func (e Entries) OpenWith(on bool) error { return asProblem(e.openWith(on)) }

// SendTo puts this program into the file manager's "Send to", or not.
func (e Entries) SendTo(on bool) error { return asProblem(e.sendTo(on)) }

// Possible says which entries this desktop has.
func (e Entries) Possible() (autostart, openWith, sendTo bool) { return e.possible() }

// errNone is of an entry that this system has not.
var errNone = errors.New("this desktop has no such entry")

// errName is of a program that can't be named in an entry without doubt.
var errName = errors.New("the program's path or an argument can't be written into an entry")

// Problem is why an entry could not be made or taken away.
type Problem struct{ Err error }

func (p *Problem) Error() string { return "desktop entry: " + p.Err.Error() }

// Unwrap returns the system's error.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence says it to the person.
func (p *Problem) Sentence() string {
	switch {
	case errors.Is(p.Err, errNone):
		return i18n.T("This desktop has no such entry.")
	case errors.Is(p.Err, errName):
		return i18n.T("Assay lies in a folder with characters in its name from which this desktop can't start it. Move Assay to another folder.")
	}
	return i18n.T("The desktop's entry could not be changed.")
}

func asProblem(err error) error {
	if err == nil {
		return nil
	}
	return &Problem{Err: err}
}

// largestEntry is how many bytes a desktop's file may have that is read: its lists of programs have some hundred thousand.
const largestEntry = 16 << 20

// put writes an entry's file in one step: a desktop that watches the folder never reads half of it. It is for this user alone, as the
// folders are that are made for it; the person's own desktop is all that reads it. A file that is there keeps who may read it.
func put(path string, content []byte) error {
	mode := fs.FileMode(0o600)
	if facts, err := os.Stat(path); err == nil {
		mode = facts.Mode().Perm()
	}
	return durable.WriteFile(path, content, durable.Options{Temp: ".assay-*.tmp", Mode: mode})
}

// remove removes an entry's file; one that is not there is no error.
func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
