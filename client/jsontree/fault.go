package jsontree

import (
	"bytes"
	"fmt"

	"assay/client/i18n"
)

// Fault says where and why a text stopped being JSON. What stands before it can be read all the same.
type Fault struct {
	Offset int // in bytes, from the text's beginning
	Line   int // from 1
	Column int // in bytes, from 1
	reason reason
}

type reason int

const (
	notJSON reason = iota
	brokenOff
	empty
	tooDeep
	goesOn
)

func newFault(text []byte, offset int, why reason) *Fault {
	before := text[:offset]
	return &Fault{Offset: offset, Line: bytes.Count(before, []byte{'\n'}) + 1, Column: offset - bytes.LastIndexByte(before, '\n'), reason: why}
}

// Error implements error.
func (f *Fault) Error() string {
	return fmt.Sprintf("jsontree: %s at byte %d (line %d, column %d)",
		[...]string{"not JSON", "breaks off", "empty", "nested too deeply", "more text"}[f.reason], f.Offset, f.Line, f.Column)
}

// Sentence says it for a person.
func (f *Fault) Sentence() string {
	line, column := i18n.Count(f.Line), i18n.Count(f.Column)
	switch f.reason {
	case empty:
		return i18n.T("This document is empty.")
	case brokenOff:
		return i18n.F("This document breaks off at line %s, character %s. What stands before is shown.", line, column)
	case tooDeep:
		return i18n.F("This document is nested too deeply from line %s, character %s on. What stands before is shown.", line, column)
	case goesOn:
		return i18n.F("More text follows where this document should end, at line %s, character %s.", line, column)
	}
	if f.Offset == 0 {
		return i18n.T("This document is not JSON. Its text is shown as it was sent.")
	}
	return i18n.F("This document can't be read from line %s, character %s on. What stands before is shown.", line, column)
}
