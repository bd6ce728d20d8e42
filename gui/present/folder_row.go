package present

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/media"
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
	r := FolderRow{ID: f.ID, Form: FolderFormOf(f.Settings), LastName: media.DisplayName(f.LastName), LastAt: f.LastAt, Held: f.Held,
		Takes: takesText(f.Settings), Progress: joined(countOf(f.State.Settling, "not complete yet"), countOf(f.State.Offered, "about to be taken")),
		Counts: joined(countOf(f.Taken, "taken"), countOf(f.Failed, "failed"), countOf(f.UnderWay, "under way"), countOf(f.Answered, "answered"))}
	r.Name, r.Where = FolderName(f.Path)
	r.State, r.Symbol = folderState(f)
	if f.Passing {
		r.State += ", for “assay watch”"
	}
	r.Problem = folderProblem(f)
	switch r.Symbol {
	case FolderWatching, FolderPolling, FolderBusy:
		if f.Problem != "" || r.Symbol == FolderWatching && r.Problem != "" {
			r.Symbol = FolderWarns
		}
	}
	switch {
	case f.Held == 1:
		r.Waiting = "1 waits for you"
	case f.Held > 1:
		r.Waiting = CountInFull(f.Held) + " wait for you"
	}
	return r
}

// FolderName takes a path apart into its last part and where that lies, "" at the root; both are safe for the screen.
func FolderName(path string) (name, where string) {
	name, where = filepath.Base(path), filepath.Dir(path)
	if where == path {
		where = ""
	}
	return media.DisplayName(name), media.DisplayName(where)
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

// countOf is "3 failed"; nothing for 0.
func countOf(n int, what string) string {
	if n == 0 {
		return ""
	}
	return CountInFull(n) + " " + what
}

func folderState(f folders.Folder) (words string, symbol FolderSymbol) {
	if f.Paused {
		return "Paused", FolderPaused
	}
	switch f.State.Phase {
	case watch.Watching:
		return "Watching", FolderWatching
	case watch.Polling:
		return "Looked at every few seconds", FolderPolling
	case watch.Paused:
		return "Paused", FolderPaused
	case watch.Gone:
		return "Not there: looking for it", FolderGone
	case watch.Unreadable:
		return "Can't be read", FolderTrouble
	case watch.Stuck:
		return "Not answering", FolderTrouble
	}
	return "Looking through what is there", FolderBusy
}

// folderProblem says once what both the watching and the taking have to say.
func folderProblem(f folders.Folder) string {
	var said []string
	switch {
	case f.State.Problem != nil:
		said = append(said, Problem(f.State.Problem))
	case f.State.Phase == watch.Polling && !f.Paused:
		said = append(said, "The system does not tell of every change there.")
	}
	if f.Problem != "" && !slices.Contains(said, f.Problem) {
		said = append(said, f.Problem)
	}
	return media.DisplayName(strings.Join(said, " "))
}

func takesText(s folders.Settings) string {
	parts := []string{typesText(s.Types)}
	if s.Subfolders {
		parts = append(parts, "subfolders")
	}
	parts = append(parts, s.Only...)
	for _, p := range s.Skip {
		parts = append(parts, "not "+p)
	}
	if s.MoveTo != "" {
		parts = append(parts, "moved when done")
	}
	return media.DisplayName(strings.Join(parts, ", "))
}

func typesText(types []client.MediaType) string {
	var words []string
	kinds := []client.MediaType{client.Image, client.Video, client.Audio, client.Text}
	for i, kind := range kinds {
		if slices.Contains(types, kind) {
			words = append(words, []string{"pictures", "clips", "recordings", "texts"}[i])
		}
	}
	if len(words) == 0 || len(words) == len(kinds) {
		return "All supported types"
	}
	last := len(words) - 1
	text := words[last]
	if last > 0 {
		text = strings.Join(words[:last], ", ") + " and " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// FoldersWhole says how many folders there are, and what of them needs a look.
func FoldersWhole(rows []FolderRow) (count, detail string) {
	count = "1 folder"
	if len(rows) != 1 {
		count = CountInFull(len(rows)) + " folders"
	}
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
	waiting := ""
	switch {
	case held == 1:
		waiting = "1 file waits for your decision"
	case held > 1:
		waiting = CountInFull(held) + " files wait for your decision"
	}
	return count, joined(waiting, countOf(trouble, "can't be watched"), countOf(warns, "with a problem"), countOf(gone, "not there"), countOf(paused, "paused"))
}
