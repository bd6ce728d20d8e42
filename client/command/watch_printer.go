package command

import (
	"fmt"
	"io"

	"assay/client/i18n"
	"assay/client/media"
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
		p.say(i18n.F("%s is watched again.", media.DisplayName(given)))
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
		_, err := fmt.Fprintln(p.out, e.JSON)
		return printed(err)
	case !e.State.Ended():
		p.say(e.Line)
		return nil
	}
	_, err := fmt.Fprintln(p.out, e.Line)
	return printed(err)
}

func (p *watchPrinter) say(sentence string) { say(p.said, sentence) }

// printed says what a failure to print means.
func printed(err error) error {
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
