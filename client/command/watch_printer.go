package command

import (
	"io"

	"assay/client/i18n"
	"assay/client/plain"
)

// watchPrinter prints what becomes of the files of watched folders, as scan does, and says beside it how the folders stand:
// each thing once, whichever process does the work.
type watchPrinter struct {
	out, said io.Writer
	json      bool
	standing  string // said last
	begins    map[string]string
	stands    map[string]string // by the folder as given
}

func newWatchPrinter(out, said io.Writer, asJSON bool) *watchPrinter {
	return &watchPrinter{out: out, said: said, json: asJSON, begins: map[string]string{}, stands: map[string]string{}}
}

func (p *watchPrinter) take(e watchEvent) error {
	switch {
	case e.Said != "":
		p.say(e.Said)
	case e.Folder != nil:
		p.folder(e.Folder)
	case e.Queue != nil && e.Queue.Sentence != p.standing:
		if p.standing = e.Queue.Sentence; p.standing == "" {
			p.say(i18n.T("It goes on."))
		} else {
			p.say(p.standing)
		}
	case e.Item != nil:
		return p.item(e.Item)
	}
	return nil
}

func (p *watchPrinter) folder(e *folderEvent) {
	given := string(e.Given)
	if e.Begins {
		if p.begins[given] != e.Sentence {
			p.begins[given] = e.Sentence
			p.say(e.Sentence)
		}
		return
	}
	if p.stands[given] == e.Sentence {
		return
	}
	if p.stands[given] = e.Sentence; e.Sentence == "" {
		p.say(i18n.F("%s is watched again.", plain.From(given).String()))
	} else {
		p.say(e.Sentence)
	}
}

// item prints one that has ended on standard output. One that is held is no answer: it is said beside them, but for --json.
func (p *watchPrinter) item(e *watchedEvent) error {
	switch {
	case e.Line == "": // it goes on
		return nil
	case p.json:
		return printJSONLine(p.out, []byte(e.JSON))
	case !e.State.Ended():
		p.say(e.Line)
		return nil
	}
	return printLine(p.out, e.Line)
}

func (p *watchPrinter) say(sentence string) { say(p.said, sentence) }
