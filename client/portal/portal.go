// Package portal asks the person's desktop through its portals (xdg-desktop-portal): which files, which folder, where to save, and that Assay is
// started with the system. They show the desktop's own dialogs, and to a program in a sandbox (Flatpak) they are the only way to the person's files:
// what is chosen there becomes readable, under a path that stays valid. Only Linux has them. It imports the standard library, godbus and address.
//
// Functions that open a dialog block until the person has answered; the end of their context closes it. They report whether there was a dialog at
// all: without one, no bus or a desktop without portals, the toolkit's own is to be used. All may be called on any goroutine.
package portal

import (
	"errors"
	"os"
	"strings"
	"unicode"
)

// ErrNone means that this desktop has no such portal.
var ErrNone = errors.New("this desktop has no such portal")

// ErrRefused means that the person, or the desktop for them, did not allow it.
var ErrRefused = errors.New("the desktop did not allow it")

// Filter is a choice in a dialog of which files it shows. Without extensions it shows all.
type Filter struct {
	Name       string
	Extensions []string // without dots, in any case
}

// sandboxVariable is set by Flatpak, to the program's ID.
const sandboxVariable = "FLATPAK_ID"

// Sandboxed reports whether this program runs in a sandbox that keeps it from the person's files and from the desktop's entries. environ looks up the
// environment; nil: os.Getenv.
func Sandboxed(environ func(name string) string) bool {
	if environ == nil {
		environ = os.Getenv
	}
	return environ(sandboxVariable) != ""
}

// pattern and filter are what the dialogs take.
type (
	pattern struct {
		Kind uint32 // 0: a pattern of names
		Text string
	}
	filter struct {
		Name     string
		Patterns []pattern
	}
)

func (f Filter) patterns() filter {
	if len(f.Extensions) == 0 {
		return filter{f.Name, []pattern{{Text: "*"}}}
	}
	all := filter{Name: f.Name}
	for _, extension := range f.Extensions {
		text := "*."
		for _, r := range extension { // in any case
			text += "[" + string(unicode.ToLower(r)) + string(unicode.ToUpper(r)) + "]"
		}
		all.Patterns = append(all.Patterns, pattern{Text: text})
	}
	return all
}

// oneName is the name of a file without anything that would make it a path.
func oneName(name string) string {
	return strings.NewReplacer("/", "_", "\x00", "_").Replace(name)
}
