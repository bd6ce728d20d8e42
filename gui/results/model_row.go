package results

import (
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
)

// Row is an answered submission in the list of results.
type Row struct {
	ID        string
	Name      string
	Medium    present.Medium
	Mark      verdict.Mark
	Words     string
	Score     string // "" where none was reported
	Voice     string // what the service says of a clip's voice; "" where it says nothing of it alone
	VoiceMark verdict.Mark
	Line      string // the verdict in one line, as the subcommands print it
	RequestID string
	Source    submission.Source
	By        string // the colleague whose answer it is, "" for none
	Folder    string // the watched folder's path, "" where there is none or it is not known
	Link      bool
	Graphic   bool      // a person marked it as graphic
	Was       string    // the words for the verdict before on the same content, where it differs and nobody has marked that as seen; else ""
	At        time.Time // when it was answered; for one from another device, when it was uploaded
}

// RowOf makes the row of an answered submission. If its answer can't be read any more, the row says so.
func RowOf(s submission.Submission) Row {
	r := Row{ID: s.ID, Name: s.Name, Medium: present.MediumOfSubmission(s), RequestID: s.RequestID, Source: s.Source, By: present.Person(s.AnsweredBy.Name), Folder: s.Folder, Graphic: s.Graphic, Link: s.Link != "", At: s.Answered}
	if s.Source == submission.Service {
		r.At = s.Accepted
	}
	if s.Result == nil {
		r.Words = i18n.T("Its answer can't be read")
		r.Line = i18n.T("The saved answer can't be read.")
		return r
	}
	v := verdict.Of(s.Result)
	r.Mark, r.Words, r.Line, r.Voice = v.Mark, v.Short, v.Line(), v.VoiceLine()
	if v.Voice != nil {
		r.VoiceMark = v.Voice.Mark
	}
	if v.Score != nil {
		r.Score = v.Score.Text()
	}
	return r
}

// Elsewhere reports whether another device or program submitted it.
func (r Row) Elsewhere() bool { return r.Source == submission.Service }

// OtherVoice is the voice's mark where it is another one than the picture's.
func (r Row) OtherVoice() verdict.Mark {
	if r.VoiceMark == r.Mark {
		return verdict.MarkNone
	}
	return r.VoiceMark
}

// Care is what is known of it that may be disturbing.
func (r Row) Care() present.Care {
	return present.Care{Watched: r.Source == submission.Watched, Graphic: r.Graphic}
}

// Detail says when it was answered and where it came from; or if its verdict has changed, what that was before.
func (r Row) Detail(now time.Time) string {
	if r.Graphic {
		r.Graphic = false
		return i18n.T("graphic") + " · " + r.Detail(now)
	}
	if r.Was != "" {
		return i18n.F("before: %s", r.Was) + " · " + present.PastTime(r.At, now)
	}
	switch {
	case r.By != "":
		return present.PastTime(r.At, now) + " · " + i18n.F("%s's answer", r.By)
	case r.Elsewhere():
		return present.PastTime(r.At, now) + " · " + i18n.T("another device")
	case r.Link:
		return present.PastTime(r.At, now) + " · " + i18n.T("link")
	}
	return present.PastTime(r.At, now) + " · " + present.SourceText(r.Source, r.Folder)
}

// CopiedText are results to be pasted into a chat, one a line, without a signed URL. With sandbox it ends with the note for results of the sandbox.
func CopiedText(rows []Row, now time.Time, sandbox bool) string {
	var b strings.Builder
	for _, r := range rows {
		parts := []string{r.Name, r.Line}
		if r.Voice != "" {
			parts = append(parts, r.Voice)
		}
		if r.Score != "" {
			parts = append(parts, i18n.T(present.ScoreMeaning))
		}
		if r.RequestID != "" {
			parts = append(parts, i18n.F("request %s", r.RequestID))
		}
		if !r.At.IsZero() {
			parts = append(parts, i18n.DayTime(r.At.In(now.Location()), time.Time{}))
		}
		b.WriteString(oneLine(strings.Join(parts, " – ")) + "\n")
	}
	if sandbox && len(rows) > 0 {
		b.WriteString(i18n.T(present.SandboxNote) + "\n")
	}
	return b.String()
}

// oneLine keeps a name or a reason in one line.
func oneLine(text string) string { return plain.From(text).Folded().String() }
