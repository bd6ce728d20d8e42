package report

import (
	"context"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
)

// Case is a report's part on the case of its results. Its texts are fit to be shown.
type Case struct {
	ID     string      `json:"id"` // Assay's own
	Title  string      `json:"title"`
	Notes  []CaseNote  `json:"notes"`  // the oldest first
	Checks []CaseCheck `json:"checks"` // the oldest first
}

// CaseNote is a person's note. Its time is in UTC.
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

// ReadCase reads the case, its notes and its checks.
func ReadCase(ctx context.Context, records *store.Store, c store.Case) (*Case, error) {
	r := &Case{ID: c.ID, Title: oneLine(c.Title), Notes: []CaseNote{}, Checks: []CaseCheck{}}
	all, err := records.CaseNotes(ctx, c.ID)
	for _, n := range all {
		note := CaseNote{Text: oneLine(n.Text), By: oneLine(n.By), At: n.At.UTC()}
		if n.Kind == "" {
			r.Notes = append(r.Notes, note)
		} else {
			r.Checks = append(r.Checks, CaseCheck{n.Kind, note})
		}
	}
	return r, err
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
