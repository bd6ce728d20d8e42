package cases

import (
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/present"
)

// How long what a person writes into a case may be, in characters, as on the command line.
const (
	LongestTitle = 200
	longestText  = 10_000
	longestTags  = 1000
)

// Entry is a case in the list. Its texts are safe for the screen. It can be compared.
type Entry struct {
	ID        string
	Title     string
	Detail    string // how many items and open questions it has, and in a shared one, who has done the last thing in it
	Shared    bool
	New       int // what colleagues did since the person looked
	Concluded bool
	Tags      string // as they are typed
	Changed   time.Time
}

// EntryOf makes the entry of a case.
func EntryOf(c store.Case) Entry {
	return Entry{ID: c.ID, Title: oneLine(c.Title), Detail: present.Joined(detailOf(c), lastText(c)), Shared: c.Desk.ID != "", New: c.Desk.New,
		Concluded: c.State == store.CaseConcluded, Tags: oneLine(strings.Join(c.Tags, ", ")), Changed: c.Changed}
}

// detailOf is how many items and open questions a case has.
func detailOf(c store.Case) string {
	open := ""
	if c.OpenQuestions > 0 {
		open = i18n.N(c.OpenQuestions, "%s open question", "%s open questions")
	}
	return present.Joined(itemsText(c.Items), open)
}

// oneLine makes a text fit to be shown in a line.
func oneLine(text string) string { return plain.From(text).Folded().String() }

// paragraphs makes a text fit to be shown with its line ends.
func paragraphs(text string) string {
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, p := range parts {
		parts[i] = plain.From(p).String()
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

func itemsText(n int) string {
	if n == 0 {
		return i18n.T("no items")
	}
	return i18n.N(n, "%s item", "%s items")
}

// Query is what the list shows of all cases.
type Query struct {
	Text      string
	Concluded bool // those that are concluded; else the open ones
}

// Found are the entries that match a query, in their order. A case is found by the words of its title and its tags.
func (q Query) Found(all []Entry) (found []Entry) {
	words := strings.Fields(strings.ToLower(q.Text))
	for _, e := range all {
		text, has := strings.ToLower(e.Title+" "+e.Tags), e.Concluded == q.Concluded
		for _, w := range words {
			has = has && strings.Contains(text, w)
		}
		if has {
			found = append(found, e)
		}
	}
	return found
}

// StateWords are the two states of a case, with how many cases are in each.
func StateWords(all []Entry) (open, concluded string) {
	n := 0
	for _, e := range all {
		if e.Concluded {
			n++
		}
	}
	return i18n.F("Open %s", i18n.Count(len(all)-n)), i18n.F("Concluded %s", i18n.Count(n))
}
