package report

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
)

// Case is a report's part on the case of its results. Its texts are fit to be shown, its times in UTC.
type Case struct {
	ID    string `json:"id"` // Assay's own
	Title string `json:"title"`
	CaseRecords
}

// CaseRecords is what the desk has recorded in a case.
type CaseRecords struct {
	State      store.CaseState `json:"state"`
	Tags       []string        `json:"tags"`
	Conclusion *CaseNote       `json:"conclusion"`     // the desk's own, never the service's; null for none
	Notes      []CaseNote      `json:"notes,omitzero"` // the oldest first, like the others
	Checks     []CaseCheck     `json:"checks,omitzero"`
	Questions  []CaseQuestion  `json:"questions,omitzero"`
	Events     []CaseEvent     `json:"events,omitzero"` // all that happened; only by ReadEvents
}

// CaseNote is a person's note.
type CaseNote struct {
	Text string    `json:"text"`
	By   string    `json:"by"`
	At   time.Time `json:"at"`
}

// CaseCheck is the finding of one of the checks that no detector makes.
type CaseCheck struct {
	Kind store.CheckKind `json:"kind"`
	CaseNote
}

// CaseQuestion is a question that the desk asked itself. It is open as long as it has no answer.
type CaseQuestion struct {
	ID string `json:"id"`
	CaseNote
	Answers []CaseAnswer `json:"answers"` // the last one is the present one
}

// CaseAnswer is an answer, and what it rests on.
type CaseAnswer struct {
	CaseNote
	Evidence []Evidence `json:"evidence"`
}

// Evidence is a link, a file's SHA-256 in hex, or a note.
type Evidence store.Evidence

// CaseEvent is one thing that was done in a case.
type CaseEvent struct {
	ID    string              `json:"id"`
	Kind  store.CaseEventKind `json:"kind"`
	Check store.CheckKind     `json:"check,omitempty"`
	About string              `json:"about,omitempty"` // the ID of the question that is answered, or of the submission that was added or removed
	CaseNote
	Evidence []Evidence `json:"evidence,omitempty"`
}

// RecordsOf is what a case itself says: all but its notes, checks, questions and events.
func RecordsOf(c store.Case) CaseRecords {
	r := CaseRecords{State: c.State, Tags: []string{}}
	for _, tag := range c.Tags {
		r.Tags = append(r.Tags, oneLine(tag))
	}
	if c.Conclusion.Text != "" {
		r.Conclusion = &CaseNote{Text: oneLine(c.Conclusion.Text), By: oneLine(c.Conclusion.By), At: c.Conclusion.At.UTC()}
	}
	return r
}

// ReadCase reads the case with its notes, checks and questions.
func ReadCase(ctx context.Context, records *store.Store, c store.Case) (*Case, error) {
	r := &Case{ID: c.ID, Title: oneLine(c.Title), CaseRecords: RecordsOf(c)}
	r.Notes, r.Checks, r.Questions = []CaseNote{}, []CaseCheck{}, []CaseQuestion{}
	notes, err := records.CaseNotes(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		note := noteOf(n.Text, n.By, n.At)
		if n.Kind == "" {
			r.Notes = append(r.Notes, note)
		} else {
			r.Checks = append(r.Checks, CaseCheck{n.Kind, note})
		}
	}
	questions, err := records.CaseQuestions(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		question := CaseQuestion{ID: q.ID, CaseNote: noteOf(q.Text, q.By, q.At), Answers: []CaseAnswer{}}
		for _, a := range q.Answers {
			question.Answers = append(question.Answers, CaseAnswer{noteOf(a.Text, a.By, a.At), evidenceOf(a.Evidence)})
		}
		r.Questions = append(r.Questions, question)
	}
	return r, nil
}

// ReadEvents reads all that happened in a case, the oldest first.
func ReadEvents(ctx context.Context, records *store.Store, caseID string) ([]CaseEvent, error) {
	const atOnce = 500
	var all []CaseEvent
	var before store.CaseCursor
	for {
		page, next, err := records.CaseEvents(ctx, caseID, before, atOnce)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			all = append(all, CaseEvent{ID: e.ID, Kind: e.Kind, Check: e.Check, About: e.About, CaseNote: noteOf(e.Text, e.By, e.At), Evidence: evidenceOf(e.Evidence)})
		}
		if before = next; len(page) < atOnce {
			slices.Reverse(all)
			return all, nil
		}
	}
}

func noteOf(text, by string, at time.Time) CaseNote {
	return CaseNote{Text: oneLine(text), By: oneLine(by), At: at.UTC()}
}

func evidenceOf(all []store.Evidence) []Evidence {
	shown := []Evidence{}
	for _, e := range all {
		shown = append(shown, Evidence{e.Kind, oneLine(e.Value)})
	}
	return shown
}

// Words are what it is, in one line.
func (e Evidence) Words() string {
	switch e.Kind {
	case store.EvidenceLink:
		return i18n.F("Link: %s", e.Value)
	case store.EvidenceFile:
		return i18n.F("File with the SHA-256 %s", e.Value)
	}
	return e.Value
}

// oneLine makes a person's text fit to be shown.
func oneLine(text string) string { return plain.From(text).Folded().String() }

// whoWhen is who wrote a note, and when.
func (n *CaseNote) whoWhen() string {
	return strings.TrimPrefix(n.By+", "+i18n.Moment(n.At.Local()), ", ")
}

// caseSection is the section on the case, in pages and PDFs.
func caseSection(c *Case) *section {
	return &section{Heading: i18n.F("Case: %s", c.Title), Tables: c.tables()}
}

// tables are a page's tables on the case, which come before its results.
func (c *Case) tables() (all []table) {
	if len(c.Notes) > 0 {
		t := table{Heading: i18n.T("Notes"), Head: []string{i18n.T("Note"), i18n.T("Who, when")}, Class: "notes"}
		for _, n := range c.Notes {
			t.Rows = append(t.Rows, row{text(n.Text), text(n.whoWhen())})
		}
		all = append(all, t)
	}
	return append(all, otherChecks(c.Checks))
}

// CheckWords is the name of a kind of check.
func CheckWords(kind store.CheckKind) string {
	switch kind {
	case store.CheckSource:
		return i18n.T("Source contacted")
	case store.CheckEarlierCopy:
		return i18n.T("Earlier copy looked for")
	case store.CheckPlace:
		return i18n.T("Place")
	case store.CheckTime:
		return i18n.T("Time")
	case store.CheckProvenance:
		return i18n.T("Provenance")
	case store.CheckWatermark:
		return i18n.T("Watermark tool")
	case store.CheckFactChecks:
		return i18n.T("Fact-checks")
	case store.CheckExpert:
		return i18n.T("Expert")
	case store.CheckStaging:
		return i18n.T("Staging")
	}
	return plain.From(string(kind)).String() // a kind of a later version
}

// otherChecks lists the checks that no detector makes, with their findings, or an empty field, so that missing ones are visible.
func otherChecks(made []CaseCheck) table {
	t := table{Heading: i18n.T("Other checks"), Head: []string{i18n.T("Check"), i18n.T("What was found"), i18n.T("Who, when")}, Class: "checks"}
	for _, kind := range store.CheckKinds {
		found := false
		for _, c := range made {
			if c.Kind == kind {
				found = true
				t.Rows = append(t.Rows, row{text(CheckWords(kind)), text(c.Text), text(c.whoWhen())})
			}
		}
		if !found {
			t.Rows = append(t.Rows, row{text(CheckWords(kind)), {Text: i18n.T("empty"), Muted: true}, text("")})
		}
	}
	return t
}
