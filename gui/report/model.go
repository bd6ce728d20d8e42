package report

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client/i18n"
)

// Format is what is written.
type Format struct {
	Ending string // of the file's name; it is how a Choice says which
	Words  string
	Means  string // a sentence
	Paged  bool   // it is laid out for people, with pictures; else it is a table or data
	Bundle bool   // it has what the report rests on, too
}

// bundleEnding is the ending of a bundle in one file.
const bundleEnding = ".zip"

// Formats are the formats in the order of the menu.
func Formats() []Format {
	return []Format{
		{".html", i18n.T("Web page"), i18n.T("One file that any browser shows and prints. It loads nothing and runs nothing."), true, false},
		{".pdf", i18n.T("PDF"), i18n.T("Pages to print and file."), true, false},
		{bundleEnding, i18n.T("Evidence bundle"), i18n.T("The report in three forms, with its evidence: answers, heatmaps and proofs from the custody log. Sealed with the desk's key. Anyone can check it, even without Assay."), true, true},
		{".xlsx", i18n.T("Spreadsheet"), i18n.T("A row for each result, and a second sheet with a row for each model."), false, false},
		{".csv", i18n.T("CSV"), i18n.T("A row for each result, for other programs."), false, false},
		{".json", i18n.T("JSON"), i18n.T("Everything in one document for other programs, with the service's answers as received."), false, false},
		{".ndjson", i18n.T("JSON, a line for each result"), i18n.T("For other programs, one result at a time."), false, false},
	}
}

// Subject is what a report is about.
type Subject struct {
	Name        string // of the one result, or the title of the case
	Case        bool
	Table       bool // all results of a list: there are too many to be laid out
	Results     int  // how many have an answer
	Unanswered  int  // how many items of the case have none, and are left out
	Provisional int  // how many of the answers are not final
	Sensitive   int  // how many of the results are of files that wait for the person's approval, or never leave
}

// formats are those that a subject can be written in.
func (s Subject) formats() []Format {
	if s.Table {
		return slices.DeleteFunc(Formats(), func(f Format) bool { return f.Paged })
	}
	return Formats()
}

// format is the format of a choice.
func (s Subject) format(c Choice) Format {
	all := s.formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Ending == c.Format })
	return all[max(i, 0)]
}

// title is the title of the sheet.
func (s Subject) title() string {
	switch {
	case s.Case:
		return i18n.F("Report on the case “%s”", s.Name)
	case s.Results == 1 && s.Name != "":
		return i18n.F("Report on %s", s.Name)
	case s.Table:
		return i18n.N(s.Results, "Export %s result", "Export %s results")
	}
	return i18n.N(s.Results, "Report on %s result", "Report on %s results")
}

// fileName is the name that is suggested for the file.
func (s Subject) fileName(c Choice, made time.Time) string {
	name := safeName(s.Name)
	if !s.Case {
		name = safeName(strings.TrimSuffix(s.Name, filepath.Ext(s.Name)))
	}
	if name == "" || !s.Case && s.Sensitive > 0 { // whose name may tell of its source
		name = i18n.T("results")
	}
	return i18n.F("report %s %s", name, made.Format(time.DateOnly)) + cmp.Or(c.Format, ".html")
}

// longestName is how many characters of a title or a name are in the name of the report's file.
const longestName = 60

// safeName makes a part of a file's name, which every system takes, of a title or a name.
func safeName(name string) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, name))
	return strings.Trim(string(kept[:min(len(kept), longestName)]), " .-")
}

// remark says what of the subject the report has to name; "" for nothing.
func (s Subject) remark() string {
	var said []string
	if s.Provisional > 0 {
		said = append(said, i18n.N(s.Provisional, "%s result is provisional: not all models have finished. The report says so and is not final.",
			"%s results are provisional: not all models have finished. The report says so and is not final."))
	}
	if s.Unanswered > 0 {
		said = append(said, i18n.N(s.Unanswered, "%s item of the case has no answer and is left out.", "%s items of the case have no answer and are left out."))
	}
	return strings.Join(said, " ")
}
