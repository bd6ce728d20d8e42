package strip

import "assay/client/i18n"

// Problem is why no copy without metadata could be made.
type Problem struct{ message i18n.Message }

// Error says it for a log.
func (p *Problem) Error() string { return "copy without metadata: " + p.Sentence() }

// UserMessage says it to the person.
func (p *Problem) UserMessage() i18n.Message { return p.message }

// Sentence is the message in the language of the moment.
func (p *Problem) Sentence() string { return p.message.String() }

// What can stand in the way. They are compared by errors.Is.
var (
	ErrKind      = &Problem{i18n.M("Assay can't take the metadata out of this kind of file.")}
	ErrText      = &Problem{i18n.M("A text has no metadata: all of it is what it says.")}
	ErrDamaged   = &Problem{i18n.M("This file is damaged or incomplete, so Assay can't make a copy without metadata.")}
	ErrUnusual   = &Problem{i18n.M("This file is built in an unusual way, so Assay can't make a copy without metadata.")}
	ErrFragments = &Problem{i18n.M("This clip is stored in fragments, so Assay can't make a copy without metadata.")}
	ErrElsewhere = &Problem{i18n.M("Parts of this clip lie in other files, so Assay can't make a copy without metadata.")}
	ErrLocked    = &Problem{i18n.M("This clip is encrypted, so Assay can't make a copy without metadata.")}
	ErrUnread    = &Problem{i18n.M("Assay could not read a copy fully, so it makes none: it might still say something that identifies.")}
	ErrLeft      = &Problem{i18n.M("A copy would still say something that identifies, so Assay makes none.")}
)
