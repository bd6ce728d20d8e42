package folders

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/watch"
)

// Symbol is the icon beside a folder's state.
type Symbol string

// The symbols.
const (
	SymbolWatching Symbol = "watching"
	SymbolBusy     Symbol = "busy"
	SymbolPolling  Symbol = "polling"
	SymbolPaused   Symbol = "paused"
	SymbolGone     Symbol = "gone"
	SymbolTrouble  Symbol = "trouble"
	SymbolWarns    Symbol = "warns" // it is watched, and something is wrong all the same
)

// Row is a watched folder as the screen shows it. It can be compared.
type Row struct {
	ID   string
	Form Form // its settings, with its path as the system spells it

	Name  string // the last part of its path, safe for the screen like all below
	Where string // the folder that contains it
	Takes string // "Pictures and clips, subfolders, *.jpg"

	Symbol   Symbol
	State    string // "Watching"
	Problem  string // why it is in that state, or what last went wrong and still does: sentences; "" for nothing
	Progress string // "2 not complete yet", "" for none

	LastName string // the file that was taken last, "" for none
	LastAt   time.Time
	Counts   string // "128 taken · 1 failed"
	Held     int    // number of files that wait for the person's approval
	Waiting  string // "3 wait for you", "" for none
}

// RowOf converts a folder to a row.
func RowOf(f clientfolders.Folder) Row {
	r := Row{ID: f.ID, Form: FormOf(f.Settings), LastName: plain.From(f.LastName).String(), LastAt: f.LastAt, Held: f.Held,
		Takes: takesText(f.Settings), Progress: present.Joined(some(f.State.Settling, i18n.N(f.State.Settling, "%s not complete yet", "%s not complete yet")),
			some(f.State.Offered, i18n.N(f.State.Offered, "%s about to be added", "%s about to be added"))),
		Counts: present.Joined(some(f.Taken, i18n.N(f.Taken, "%s added", "%s added")), some(f.Failed, i18n.N(f.Failed, "%s failed", "%s failed")),
			some(f.UnderWay, i18n.N(f.UnderWay, "%s under way", "%s under way")), some(f.Answered, i18n.N(f.Answered, "%s answered", "%s answered")))}
	r.Form.Lock, r.Form.LocksUnread = f.Lock, f.LocksUnread
	r.Name, r.Where = NameOf(f.Path)
	r.State, r.Symbol = folderState(f)
	if f.Temporary {
		r.State = i18n.F("%s, for “assay watch”", r.State)
	}
	r.Problem = folderProblem(f)
	switch r.Symbol {
	case SymbolWatching, SymbolPolling, SymbolBusy:
		if !f.Problem.IsZero() || r.Symbol == SymbolWatching && r.Problem != "" {
			r.Symbol = SymbolWarns
		}
	}
	r.Waiting = some(f.Held, i18n.N(f.Held, "%s waits for you", "%s wait for you"))
	return r
}

// SetCase says which case its files are added to, by its title; ok is false where that is gone.
func (r *Row) SetCase(title string, ok bool) {
	if ok {
		r.Form.CaseTitle = plain.From(title).Folded().String()
		r.Takes = present.Joined(i18n.F("case “%s”", r.Form.CaseTitle), r.Takes)
		return
	}
	if gone := clientfolders.CaseGone.String(); !strings.Contains(r.Problem, gone) {
		r.Problem = strings.TrimSpace(r.Problem + " " + gone)
	}
	if r.Symbol == SymbolWatching || r.Symbol == SymbolPolling || r.Symbol == SymbolBusy {
		r.Symbol = SymbolWarns
	}
}

// NameOf splits a path into its last part and its folder, "" at the root; both are safe for the screen.
func NameOf(path string) (name, where string) {
	name, where = filepath.Base(path), filepath.Dir(path)
	if where == path {
		where = ""
	}
	return plain.From(name).String(), plain.From(where).String()
}

// Paused reports whether the person paused it.
func (r Row) Paused() bool { return r.Form.Paused }

// Age says how long ago the last file was taken, "" if there was none.
func (r Row) Age(now time.Time) string {
	if r.LastName == "" || r.LastAt.IsZero() {
		return ""
	}
	return present.PastTime(r.LastAt, now)
}

// Last is the file that was taken last, and how long ago, in one line; "" if there was none.
func (r Row) Last(now time.Time) string { return present.Joined(r.LastName, r.Age(now)) }

// some is the words for a number of things; "" for 0.
func some(n int, words string) string {
	if n <= 0 {
		return ""
	}
	return words
}

func folderState(f clientfolders.Folder) (words string, symbol Symbol) {
	if f.Paused {
		return i18n.T("Paused"), SymbolPaused
	}
	switch f.State.Phase {
	case watch.Watching:
		return i18n.T("Watching"), SymbolWatching
	case watch.Polling:
		return i18n.T("Watching, every few seconds"), SymbolPolling
	case watch.Paused:
		return i18n.T("Paused"), SymbolPaused
	case watch.Gone:
		return i18n.T("Not found: looking for it"), SymbolGone
	case watch.Unreadable:
		return i18n.T("Can't be read"), SymbolTrouble
	case watch.Stuck:
		return i18n.T("Not answering"), SymbolTrouble
	}
	return i18n.T("Looking through the folder"), SymbolBusy
}

// folderProblem joins the problems of watching and of taking files, without repeating a sentence.
func folderProblem(f clientfolders.Folder) string {
	var sentences []string
	switch {
	case f.State.Problem != nil:
		sentences = append(sentences, present.Problem(f.State.Problem))
	case f.State.Phase == watch.Polling && !f.Paused:
		sentences = append(sentences, i18n.T("The system does not report every change there."))
	}
	if problem := f.Problem.String(); problem != "" && !slices.Contains(sentences, problem) {
		sentences = append(sentences, problem)
	}
	return plain.From(strings.Join(sentences, " ")).String()
}

func takesText(s clientfolders.Settings) string {
	parts := []string{typesText(s.Types)}
	if s.Subfolders {
		parts = append(parts, i18n.T("subfolders"))
	}
	parts = append(parts, s.Only...)
	for _, p := range s.Skip {
		parts = append(parts, i18n.F("not %s", p))
	}
	if s.MoveTo != "" {
		parts = append(parts, i18n.T("moved when done"))
	}
	return plain.From(strings.Join(parts, ", ")).String()
}

func typesText(types []client.MediaType) string {
	var words []string
	kinds := []struct {
		kind          client.MediaType
		first, inText i18n.Key
	}{
		{client.Image, "Pictures", "pictures"}, {client.Video, "Clips", "clips"},
		{client.Audio, "Recordings", "recordings"}, {client.Text, "Texts", "texts"},
	}
	for _, k := range kinds {
		switch {
		case !slices.Contains(types, k.kind):
		case len(words) == 0:
			words = append(words, i18n.T(k.first))
		default:
			words = append(words, i18n.T(k.inText))
		}
	}
	if len(words) == 0 || len(words) == len(kinds) {
		return i18n.T("All supported types")
	}
	return i18n.List(words...)
}

// SummaryOf says how many folders there are, and how many need attention.
func SummaryOf(rows []Row) (count, detail string) {
	count = i18n.N(len(rows), "%s folder", "%s folders")
	paused, gone, trouble, warns, held := 0, 0, 0, 0, 0
	for _, r := range rows {
		switch r.Symbol {
		case SymbolPaused:
			paused++
		case SymbolGone:
			gone++
		case SymbolTrouble:
			trouble++
		case SymbolWarns:
			warns++
		}
		held += r.Held
	}
	return count, present.Joined(some(held, i18n.N(held, "%s file waits for your decision", "%s files wait for your decision")),
		some(trouble, i18n.N(trouble, "%s can't be watched", "%s can't be watched")), some(warns, i18n.N(warns, "%s with a problem", "%s with a problem")),
		some(gone, i18n.N(gone, "%s not found", "%s not found")), some(paused, i18n.N(paused, "%s paused", "%s paused")))
}

// BatchNotification says in one notification what became of a batch of files; "" for both if there is nothing to say. It has only fixed words and
// numbers: some systems pass a notification's text through a shell, so it must never contain a name, a link or text from the service. sandbox adds the
// remark that results of the sandbox require.
func BatchNotification(b clientfolders.Batch, sandbox bool) (title, text string) {
	var sentences []string
	if b.Answered > 0 {
		sentences = append(sentences, checkedText(b))
	}
	if b.Failed > 0 {
		if len(sentences) == 0 { // there is always something to count
			sentences = append(sentences, i18n.N(b.Failed, "%s file could not be checked.", "%s files could not be checked."))
		} else {
			sentences = append(sentences, i18n.N(b.Failed, "%s could not be checked.", "%s could not be checked."))
		}
	}
	if b.Held > 0 {
		if len(sentences) == 0 {
			sentences = append(sentences, i18n.N(b.Held, "%s file waits for your decision.", "%s files wait for your decision."))
		} else {
			sentences = append(sentences, i18n.N(b.Held, "%s waits for your decision.", "%s wait for your decision."))
		}
	}
	if len(sentences) == 0 {
		return "", ""
	}
	if sandbox && b.Answered > 0 {
		sentences = append(sentences, i18n.T(present.SandboxNote))
	}
	return "Assay", strings.Join(sentences, " ")
}

// checkedText counts the answers of a batch, in the words of the lists.
func checkedText(b clientfolders.Batch) string {
	var counts []string
	for _, c := range []struct {
		n     int
		words string
	}{
		{b.Fake, verdict.Say(client.Fake).InText}, {b.Suspicious, verdict.Say(client.Suspicious).InText},
		{b.Contradictory, verdict.Contradictory().InText}, {b.Authentic, verdict.Say(client.Authentic).InText}, {b.Other, i18n.T("without a verdict")},
	} {
		switch {
		case c.n == 0:
		case b.Answered == 1:
			counts = append(counts, c.words)
		default:
			counts = append(counts, i18n.Count(c.n)+" "+c.words)
		}
	}
	if len(counts) == 0 {
		return i18n.N(b.Answered, "%s file checked.", "%s files checked.")
	}
	return i18n.N(b.Answered, "%[1]s file checked: %[2]s.", "%[1]s files checked: %[2]s.", strings.Join(counts, ", "))
}
