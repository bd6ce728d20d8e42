package media

import (
	"time"

	"assay/client/i18n"
)

// Changed is the error for a file that is no longer the one that was inspected: it grew, was rewritten or was replaced.
// Its text is for the person.
type Changed struct {
	Path             string
	SizeWas, SizeIs  int64 // in bytes
	TimeWas, TimeIs  time.Time
	AnotherFileThere bool // another file took the path's place
}

// Error gives the sentences in the language of the moment.
func (c *Changed) Error() string { return c.UserMessage().String() }

// UserMessage gives the sentences.
func (c *Changed) UserMessage() i18n.Message {
	switch {
	case c.AnotherFileThere:
		return i18n.M("Another file has taken this one's place since it was added. Add it again to send the new one.")
	case c.SizeWas != c.SizeIs && SizeText(c.SizeWas) != SizeText(c.SizeIs):
		return i18n.M("This file has changed since it was added: it was %s and is %s now. Add it again to send what it holds now.",
			i18n.SizeMessage(c.SizeWas), i18n.SizeMessage(c.SizeIs))
	default:
		return i18n.M("This file has changed since it was added. Add it again to send what it holds now.")
	}
}
