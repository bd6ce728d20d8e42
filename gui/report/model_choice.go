package report

import (
	"slices"
	"time"

	"assay/client/i18n"
	"assay/client/report"
)

// Choice is how a report is written.
type Choice struct {
	Format        string       // the ending of a Format
	Media         report.Media // pictures in pages
	Files         report.Media // in a bundle
	Names         report.Names
	Language      string // of i18n.All; "" is the person's
	NoNotes       bool
	NoHeatmaps    bool
	NoTimelines   bool
	NoFile        bool // what a file says of itself
	ByteOrderMark bool
	Stamp         bool // a bundle gets time stamps
	Unsealed      bool // a bundle gets no seal
}

// A choice among several things: what it is, and its words.
type item[T comparable] struct {
	is    T
	words string
}

// words are the words of some items.
func words[T comparable](all []item[T]) (said []string) {
	for _, i := range all {
		said = append(said, i.words)
	}
	return said
}

// index is where a value is among some items, or else 0.
func index[T comparable](all []item[T], is T) int {
	return max(0, slices.IndexFunc(all, func(i item[T]) bool { return i.is == is }))
}

// mixed reports whether some of the results are sensitive, and others are not.
func (s Subject) mixed() bool { return s.Sensitive > 0 && s.Sensitive < s.Results }

// pictures are the choices of pictures.
func (s Subject) pictures() []item[report.Media] {
	all := []item[report.Media]{
		{report.MediaReceived, i18n.T("As received, made smaller")},
		{report.MediaNone, i18n.T("None, only their SHA-256")},
	}
	if s.mixed() {
		return slices.Insert(all, 1, item[report.Media]{"", i18n.T("Only those that are not sensitive")})
	}
	return all
}

// files are the choices of files in a bundle.
func files() []item[report.Media] {
	return []item[report.Media]{
		{report.MediaNone, i18n.T("None, only their SHA-256")},
		{report.MediaReceived, i18n.T("As received")},
		{report.MediaSent, i18n.T("As sent")},
		{report.MediaBoth, i18n.T("As received and as sent")},
	}
}

// names are the choices of names.
func (s Subject) names() []item[report.Names] {
	all := []item[report.Names]{
		{report.NamesReal, i18n.T("As they are")},
		{report.NamesNeutral, i18n.T("Neutral names")},
	}
	if s.mixed() {
		return slices.Insert(all, 1, item[report.Names]{"", i18n.T("Neutral for sensitive files")})
	}
	return all
}

// languages are the choices of the report's language.
func languages() (all []item[string]) {
	for _, name := range i18n.All() {
		all = append(all, item[string]{name.Code, name.Text})
	}
	return all
}

// Usual is the choice for a subject before the person makes one. kept is what was chosen last, for a subject without sensitive material; the
// defaults for sensitive material are careful each time.
func (s Subject) Usual(kept Choice) Choice {
	c := kept
	c.Format = s.format(c).Ending
	if !slices.ContainsFunc(i18n.All(), func(n i18n.Name) bool { return n.Code == c.Language }) {
		c.Language = i18n.Language()
	}
	c.Unsealed = false
	if c.Files == "" || s.Sensitive > 0 {
		c.Files = report.MediaNone
	}
	switch {
	case s.mixed():
		c.Media, c.Names, c.NoNotes = "", "", true
	case s.Sensitive > 0:
		c.Media, c.Names, c.NoNotes = report.MediaNone, report.NamesNeutral, true
	}
	if !s.mixed() && c.Media == "" {
		c.Media = report.MediaReceived
	}
	if !s.mixed() && c.Names == "" {
		c.Names = report.NamesReal
	}
	return c
}

// Kept is what is kept of a choice for the next report, after before: what was chosen for sensitive material is for this one alone, and the person's
// own language is none to keep.
func (s Subject) Kept(c, before Choice) Choice {
	if s.Sensitive > 0 {
		c.Media, c.Files, c.Names, c.NoNotes = before.Media, before.Files, before.Names, before.NoNotes
	}
	if c.Language == i18n.Language() {
		c.Language = ""
	}
	return c
}

// options are what a choice means for client/report.
func (c Choice) options(made time.Time) report.Options {
	o := report.Options{Replace: true, Media: c.Media, Names: c.Names, Language: c.Language, ByteOrderMark: c.ByteOrderMark && c.Format == ".csv", Made: made}
	if c.Format == bundleEnding {
		o.Media = c.Files
	}
	for _, one := range []struct {
		without bool
		part    report.Part
	}{{c.NoNotes, report.PartNotes}, {c.NoHeatmaps, report.PartHeatmaps}, {c.NoTimelines, report.PartTimelines}, {c.NoFile, report.PartFile}} {
		if one.without {
			o.Without = append(o.Without, one.part)
		}
	}
	return o
}

// careful says why the choices begin carefully; "" for nothing.
func (s Subject) careful() string {
	switch {
	case s.Sensitive == 0:
		return ""
	case s.Table:
		return i18n.T("Some files are sensitive: their names, all notes and tags are left out unless you choose otherwise.")
	case s.Results == 1:
		return i18n.T("This file is sensitive: its picture, its name, all notes and tags are left out unless you choose otherwise.")
	}
	return i18n.N(s.Sensitive, "%s of the files is sensitive: its picture, its name, all notes and tags are left out unless you choose otherwise.",
		"%s of the files are sensitive: their pictures, their names, all notes and tags are left out unless you choose otherwise.")
}
