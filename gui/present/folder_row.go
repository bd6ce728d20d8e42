package present

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/watch"
)

// FolderSymbol is the sign beside a folder's state.
type FolderSymbol string

// The signs.
const (
	FolderWatching FolderSymbol = "watching"
	FolderBusy     FolderSymbol = "busy"
	FolderPolling  FolderSymbol = "polling"
	FolderPaused   FolderSymbol = "paused"
	FolderGone     FolderSymbol = "gone"
	FolderTrouble  FolderSymbol = "trouble"
	FolderWarns    FolderSymbol = "warns" // it is watched, and something is wrong all the same
)

// FolderRow is a watched folder as the screen shows it. It can be compared.
type FolderRow struct {
	ID   string
	Form FolderForm // its settings, with its path as the system gives it

	Name  string // the last part of its path, safe for the screen like all that follows
	Where string // the folder that it lies in
	Takes string // "Pictures and clips, subfolders, *.jpg"

	Symbol   FolderSymbol
	State    string // "Watching"
	Problem  string // why it is so, or what went wrong last and still does: sentences; "" for nothing
	Progress string // "2 not complete yet", "" for none

	LastName string // of the file that was taken last, "" for none
	LastAt   time.Time
	Counts   string // "128 taken · 1 failed"
	Held     int    // files that wait for the person's word
	Waiting  string // "3 wait for you", "" for none
}

// FolderRowOf puts a folder into a row.
func FolderRowOf(f folders.Folder) FolderRow {
	r := FolderRow{ID: f.ID, Form: FolderFormOf(f.Settings), LastName: plain.From(f.LastName).String(), LastAt: f.LastAt, Held: f.Held,
		Takes: takesText(f.Settings), Progress: joined(some(f.State.Settling, i18n.N(f.State.Settling, "%s not complete yet", "%s not complete yet")),
			some(f.State.Offered, i18n.N(f.State.Offered, "%s about to be taken", "%s about to be taken"))),
		Counts: joined(some(f.Taken, i18n.N(f.Taken, "%s taken", "%s taken")), some(f.Failed, i18n.N(f.Failed, "%s failed", "%s failed")),
			some(f.UnderWay, i18n.N(f.UnderWay, "%s under way", "%s under way")), some(f.Answered, i18n.N(f.Answered, "%s answered", "%s answered")))}
	r.Form.Lock = f.Lock
	r.Name, r.Where = FolderName(f.Path)
	r.State, r.Symbol = folderState(f)
	if f.Temporary {
		r.State = i18n.F("%s, for “assay watch”", r.State)
	}
	r.Problem = folderProblem(f)
	switch r.Symbol {
	case FolderWatching, FolderPolling, FolderBusy:
		if f.Problem != "" || r.Symbol == FolderWatching && r.Problem != "" {
			r.Symbol = FolderWarns
		}
	}
	r.Waiting = some(f.Held, i18n.N(f.Held, "%s waits for you", "%s wait for you"))
	return r
}

// FolderName takes a path apart into its last part and where that lies, "" at the root; both are safe for the screen.
func FolderName(path string) (name, where string) {
	name, where = filepath.Base(path), filepath.Dir(path)
	if where == path {
		where = ""
	}
	return plain.From(name).String(), plain.From(where).String()
}

// Paused reports whether the person paused it.
func (r FolderRow) Paused() bool { return r.Form.Paused }

// Age says how long ago the last file was taken, "" where none was.
func (r FolderRow) Age(now time.Time) string {
	if r.LastName == "" || r.LastAt.IsZero() {
		return ""
	}
	return resultTime(r.LastAt, now)
}

// Last is the file that was taken last, and how long ago, in one line; "" where none was.
func (r FolderRow) Last(now time.Time) string { return joined(r.LastName, r.Age(now)) }

// some is what is said of a number of things; nothing for 0.
func some(n int, words string) string {
	if n <= 0 {
		return ""
	}
	return words
}

func folderState(f folders.Folder) (words string, symbol FolderSymbol) {
	if f.Paused {
		return i18n.T("Paused"), FolderPaused
	}
	switch f.State.Phase {
	case watch.Watching:
		return i18n.T("Watching"), FolderWatching
	case watch.Polling:
		return i18n.T("Looked at every few seconds"), FolderPolling
	case watch.Paused:
		return i18n.T("Paused"), FolderPaused
	case watch.Gone:
		return i18n.T("Not there: looking for it"), FolderGone
	case watch.Unreadable:
		return i18n.T("Can't be read"), FolderTrouble
	case watch.Stuck:
		return i18n.T("Not answering"), FolderTrouble
	}
	return i18n.T("Looking through what is there"), FolderBusy
}

// folderProblem says once what both the watching and the taking have to say.
func folderProblem(f folders.Folder) string {
	var said []string
	switch {
	case f.State.Problem != nil:
		said = append(said, Problem(f.State.Problem))
	case f.State.Phase == watch.Polling && !f.Paused:
		said = append(said, i18n.T("The system does not tell of every change there."))
	}
	if f.Problem != "" && !slices.Contains(said, f.Problem) {
		said = append(said, f.Problem)
	}
	return plain.From(strings.Join(said, " ")).String()
}

func takesText(s folders.Settings) string {
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

// FoldersWhole says how many folders there are, and what of them needs a look.
func FoldersWhole(rows []FolderRow) (count, detail string) {
	count = i18n.N(len(rows), "%s folder", "%s folders")
	paused, gone, trouble, warns, held := 0, 0, 0, 0, 0
	for _, r := range rows {
		switch r.Symbol {
		case FolderPaused:
			paused++
		case FolderGone:
			gone++
		case FolderTrouble:
			trouble++
		case FolderWarns:
			warns++
		}
		held += r.Held
	}
	return count, joined(some(held, i18n.N(held, "%s file waits for your decision", "%s files wait for your decision")),
		some(trouble, i18n.N(trouble, "%s can't be watched", "%s can't be watched")), some(warns, i18n.N(warns, "%s with a problem", "%s with a problem")),
		some(gone, i18n.N(gone, "%s not there", "%s not there")), some(paused, i18n.N(paused, "%s paused", "%s paused")))
}
