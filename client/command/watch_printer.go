package command

import (
	"io"
	"strings"

	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/watch"
)

// watchPrinter prints the outcomes of files from watched folders, as scan does, and the states of the folders besides: each once, whichever process
// does the work.
type watchPrinter struct {
	out, said io.Writer
	json      bool
	status    string // last said
	begins    map[string]string
	stands    map[string]string // what was last said of it, by the folder as given
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
	case e.Queue != nil && e.Queue.Sentence != p.status:
		if p.status = e.Queue.Sentence; p.status == "" {
			p.say(i18n.T("It goes on."))
		} else {
			p.say(p.status)
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

// item prints a file that has ended on standard output. One that is held has no answer: without --json, that is said on standard error.
func (p *watchPrinter) item(e *watchedEvent) error {
	switch {
	case e.Line == "": // it goes on again
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

// heldLine says that a file waits; with kept, no flag of this start could approve it.
func heldLine(s submission.Submission, kept bool) string {
	name := plain.From(s.Name)
	line := i18n.F("%s waits for your decision. Decide in Assay's window, or start with --gate send.", name)
	kept = kept || s.Needs != submission.NeedsNothing
	if kept {
		line = i18n.F("%s waits for your decision in Assay's window.", name)
	}
	switch {
	case !s.Problem.IsZero():
	case s.Needs == submission.NeedsCopy:
		return line + " " + i18n.T("The service does not take this kind of file. A copy can be sent; scan --copies always sends it without asking.")
	case s.Needs == submission.NeedsPart:
		return line + " " + i18n.T("This clip is too large for the service. The window shows it, and sends the part that you choose.")
	default:
		return line
	}
	return line + " " + s.Problem.String()
}

// beginsTexts say that a folder is being watched, by whether only a subcommand watches it, and then by its gate.
var beginsTexts = map[bool][3]i18n.Key{
	true: {
		"Watching %s: each new file is sent.",
		"Watching %s: each new file waits for your decision.",
		"Watching %s: nothing in it is sent.",
	},
	false: {
		"%s is watched as set up in Assay's window: each new file is sent.",
		"%s is watched as set up in Assay's window: each new file waits for your decision.",
		"%s is watched as set up in Assay's window: nothing in it is sent.",
	},
}

// gateIndex is a gate's index in beginsTexts.
func gateIndex(g submission.Gate) int {
	switch g {
	case submission.GateSend:
		return 0
	case submission.GateAsk:
		return 1
	}
	return 2
}

// beginsText says that a folder is being watched.
func beginsText(f folders.Folder) string {
	return i18n.F(beginsTexts[f.Temporary][gateIndex(f.InForce())], plain.From(f.Path).String())
}

// standsText says in a sentence what is wrong with a folder, "" for nothing.
func standsText(folder folders.Folder, known bool) string {
	switch {
	case !known:
		return i18n.T("It was removed in Assay's window and is no longer watched.")
	case !folder.Problem.IsZero() && folder.State.Phase == watch.Gone:
		return folder.Problem.String() + " " + i18n.T("Assay keeps looking until it is back.")
	case !folder.Problem.IsZero():
		return folder.Problem.String()
	}
	switch folder.State.Phase {
	case watch.Paused:
		return i18n.T("It is paused: resume it in Assay's window.")
	case watch.Gone:
		return i18n.T("It is not there. Assay keeps looking until it is back.")
	case watch.Unreadable:
		return i18n.T("It can't be read. Assay tries again until it can.")
	case watch.Stuck:
		return i18n.T("Its disk does not answer. Assay waits for it.")
	}
	return ""
}

// folderText is a sentence about a folder, with its path.
func folderText(path, sentence string) string {
	name := plain.From(path).String()
	if strings.Contains(sentence, name) {
		return sentence
	}
	return i18n.F("%s: %s", name, sentence)
}
