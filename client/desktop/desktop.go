// Package desktop makes Assay's entries in the person's desktop: start with the system, "Open with", "Send to". They hold the program's
// path and fixed words, and start it without a shell. It imports the standard library, x/sys and i18n.
package desktop

import (
	"errors"
	"os"
	"path/filepath"
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

// StartsWithSystem reports whether this program does, with these arguments. The person may have said otherwise elsewhere.
func (e Entries) StartsWithSystem() (bool, error) {
	starts, err := e.startsWithSystem()
	return starts, asProblem(err)
}

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
