package present

import (
	"path/filepath"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
)

// ResultRow is an answered submission in the list of results.
type ResultRow struct {
	ID        string
	Name      string
	Medium    Medium
	Mark      verdict.Mark
	Words     string
	Score     string // "" where none was reported
	Line      string // the verdict in one line, as the subcommands print it
	RequestID string
	Source    submission.Source
	Folder    string // the watched folder's path, "" where it is none or not known
	Link      bool
	At        time.Time // when it was answered; of another device's, when it was handed to the service
}

// ResultRowOf puts an answered submission into a row. One whose answer can't be read any more says so.
func ResultRowOf(s submission.Submission) ResultRow {
	r := ResultRow{ID: s.ID, Name: s.Name, Medium: mediumOfSubmission(s), RequestID: s.RequestID, Source: s.Source, Folder: s.Folder, Link: s.Link != "", At: s.Answered}
	if s.Source == submission.Service {
		r.At = s.Accepted
	}
	if s.Result == nil {
		r.Words = i18n.T("Its answer can't be read")
		r.Line = i18n.T("The answer that was kept can't be read.")
		return r
	}
	v := verdict.Of(s.Result)
	r.Mark, r.Words, r.Line = v.Mark, v.Short, v.Line()
	if v.Score != nil {
		r.Score = v.Score.Text()
	}
	return r
}

// Elsewhere reports whether another device or program submitted it.
func (r ResultRow) Elsewhere() bool { return r.Source == submission.Service }

// Watched reports whether a watched folder brought it, so that nobody may have looked at it yet.
func (r ResultRow) Watched() bool { return r.Source == submission.Watched }

// Detail says when it was answered and where it came from.
func (r ResultRow) Detail(now time.Time) string {
	switch {
	case r.Elsewhere():
		return resultTime(r.At, now) + " · " + i18n.T("another device")
	case r.Link:
		return resultTime(r.At, now) + " · " + i18n.T("link")
	}
	return resultTime(r.At, now) + " · " + sourceText(r.Source, r.Folder)
}

// sourceText says where a submission came from. folder is a watched folder's path, "" where that is not known.
func sourceText(s submission.Source, folder string) string {
	switch s {
	case submission.Watched:
		return i18n.F("from %s", folderName(folder))
	case submission.Dropped:
		return i18n.T("dropped")
	case submission.Chosen:
		return i18n.T("chosen")
	case submission.Pasted:
		return i18n.T("pasted")
	case submission.Started:
		return i18n.T("opened")
	case submission.Scanned:
		return i18n.T("from the command line")
	case submission.Service:
		return i18n.T("another device")
	}
	return string(s)
}

// folderNameMost is how many characters of a folder's name are shown.
const folderNameMost = 32

// folderName is what a watched folder is called where there is little room: by the last part of its path, safe for the screen.
func folderName(path string) string {
	if path == "" {
		return i18n.T("a watched folder")
	}
	name := []rune(plain.From(filepath.Base(path)).String())
	if len(name) > folderNameMost {
		name = append(name[:folderNameMost-1], '…')
	}
	return string(name)
}
