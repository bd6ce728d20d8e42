package desktop

import (
	"errors"

	"assay/client/i18n"
)

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
