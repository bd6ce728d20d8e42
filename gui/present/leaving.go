package present

import (
	"slices"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	filefacts "assay/client/media/facts"
	"assay/client/media/strip"
	"assay/client/plain"
	"assay/client/submission"
)

// LeavingChoice is how the person would let submissions leave this computer.
type LeavingChoice struct {
	WithoutMetadata bool // a copy without metadata is sent, of those files of which one can be made
	NeutralName     bool
}

// Leaving is what the person is asked about: submissions that would leave this computer, and what was found in their files so far.
// It is for one goroutine.
type Leaving struct {
	subs    []submission.Submission
	address string
	looked  map[string]lookedAt
}

type lookedAt struct {
	said   filefacts.Facts
	err    error
	noCopy error // why no copy without metadata can be made; nil where one can
}

// NewLeaving asks about these submissions. address is the host that they would be sent to, "" for the sandbox on this computer.
func NewLeaving(subs []submission.Submission, address string) *Leaving {
	return &Leaving{subs: slices.Clone(subs), address: address, looked: map[string]lookedAt{}}
}

// Looked notes what a submission's file says of itself, or why it could not be read.
func (l *Leaving) Looked(id string, said filefacts.Facts, err error) {
	l.looked[id] = lookedAt{said: said, err: err}
}

// NoCopy notes why no copy without metadata can be made of a submission's file that was looked at.
func (l *Leaving) NoCopy(id string, why error) {
	at := l.looked[id]
	at.noCopy = why
	l.looked[id] = at
}

// Drop takes submissions out that were decided on elsewhere meanwhile.
func (l *Leaving) Drop(ids ...string) {
	l.subs = slices.DeleteFunc(l.subs, func(s submission.Submission) bool { return slices.Contains(ids, s.ID) })
}

// IDs are the submissions that are asked about.
func (l *Leaving) IDs() []string {
	ids := make([]string, len(l.subs))
	for i, s := range l.subs {
		ids[i] = s.ID
	}
	return ids
}

// LeavingSheet is what the sheet says of what would leave.
type LeavingSheet struct {
	To        string
	Problem   string        // why one waits again, a sentence or ""
	Rows      []LeavingLine // what is sent, of one; counts, of several
	Warning   string        // that a file could not be read fully, a sentence or ""
	Finds     []LeavingLine // what identifies in the file, of one
	FindsNote string        // a sentence beside what identifies, or in its place
	Other     []LeavingLine // what else the file says of itself, of one
	OtherMany string        // what Other is called, with its number; "" for none
	Files     []string      // what is sent, of several: a line each
	FilesMore string        // how many more there are, or ""
	Copy      LeavingOption
	Neutral   LeavingOption
	Pending   string // what was not looked at so far; "" once all is
	Send      string // what the button says
}

// LeavingLine is a thing with its name.
type LeavingLine struct {
	Label, Value string
	Mono         bool // a hash or a link, letter for letter
}

// LeavingOption is a choice of how it is sent.
type LeavingOption struct {
	Offered  bool // it stands on the sheet
	Possible bool // it can be chosen
	Means    string
}

// Sheet is what there is to say by now.
func (l *Leaving) Sheet(how LeavingChoice) LeavingSheet {
	var sheet LeavingSheet
	switch len(l.subs) {
	case 0:
		return sheet
	case 1:
		sheet = l.one(l.subs[0], how)
	default:
		sheet = l.several(how)
	}
	sheet.Pending = l.pending()
	sheet.Send = i18n.T("Send")
	if sheet.Pending != "" {
		sheet.Send = i18n.T("Send without waiting")
	}
	return sheet
}

// to says where it would go.
func (l *Leaving) to() string {
	if l.address == "" {
		return i18n.T("It would go to the sandbox, which runs on this computer. Nothing was sent so far.")
	}
	return i18n.F("It would go to %s. Nothing was sent so far.", l.address)
}

// pending says how many files were not looked at so far; "" for none.
func (l *Leaving) pending() string {
	n := 0
	for _, s := range l.subs {
		if _, read := l.looked[s.ID]; s.Path != "" && !read {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case len(l.subs) == 1:
		return i18n.T("Looking at what the file says of itself…")
	}
	return i18n.N(n, "%s file was not looked at yet…", "%s files were not looked at yet…")
}

func (l *Leaving) one(s submission.Submission, how LeavingChoice) LeavingSheet {
	sheet := LeavingSheet{To: l.to(), Problem: s.Problem.String()}
	if s.Link != "" {
		sheet.Rows = []LeavingLine{{Label: i18n.T("Link as sent"), Value: plain.From(s.Link).String(), Mono: true}}
		sheet.FindsNote = i18n.T("The service fetches what the link leads to; whoever runs that site may see it come.")
		return sheet
	}
	at, read := l.looked[s.ID]
	read = read && at.err == nil
	kind := MediumName(mediumOf(s.Type))
	if read && at.said.Format != "" {
		kind = at.said.Format.Words()
	}
	sheet.Rows = []LeavingLine{
		{Label: i18n.T("Name here"), Value: s.Name},
		{Label: i18n.T("Name as sent"), Value: nameAsSent(s, how)},
		{Label: i18n.T("Kind"), Value: joined(kind, media.SizeText(s.Size))},
		{Label: i18n.T("SHA-256"), Value: s.SHA256, Mono: true},
	}
	sheet.Neutral = LeavingOption{Offered: true, Possible: true}
	switch {
	case l.isText(s):
		sheet.FindsNote = i18n.T("The text itself is sent. Assay does not look for names in it.")
		return sheet
	case at.err != nil:
		sheet.FindsNote = i18n.F("What the file says of itself can't be shown. %s", Problem(at.err))
	}
	sheet.Copy = LeavingOption{Offered: true, Means: i18n.T("Picture and sound stay as they are.")}
	if !read {
		return sheet
	}
	found := filefacts.Identifying(at.said)
	for _, f := range found {
		sheet.Finds = append(sheet.Finds, LeavingLine{Label: f.Label, Value: f.Value})
	}
	notes := at.said.Notes
	if at.said.Incomplete {
		sheet.Warning = filefacts.IncompleteText()
		notes = slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return n == sheet.Warning })
	}
	if len(found) == 0 {
		notes = append([]string{nothingFound(at.said.Incomplete)}, notes...)
	}
	sheet.FindsNote = strings.Join(notes, " ")
	for _, f := range slices.Concat(at.said.EXIF, at.said.Embedded) {
		line := LeavingLine{Label: f.Label, Value: f.Value}
		if !slices.Contains(sheet.Finds, line) {
			sheet.Other = append(sheet.Other, line)
		}
	}
	if n := len(sheet.Other); n > 0 {
		sheet.OtherMany = i18n.N(n, "%s other field", "%s other fields")
	}
	sheet.Copy.Possible, sheet.Copy.Means = at.copy(found)
	return sheet
}

// isText is whether a file is plain text, in which nothing is looked for: by its name, unless its bytes show otherwise.
func (l *Leaving) isText(s submission.Submission) bool {
	at := l.looked[s.ID]
	return s.Type == client.Text && (at.err != nil || at.said.Format == "" || at.said.Format == filefacts.Text)
}

// nothingFound says that nothing identifies, of what was read.
func nothingFound(incomplete bool) string {
	if incomplete {
		return i18n.T("Nothing that identifies a person, a place or a device was found in what could be read.")
	}
	return i18n.T("Nothing in it identifies a person, a place or a device, as far as Assay knows. What can be seen or heard in it may.")
}

// copyable reports whether a copy without metadata can be made; if not, why is a sentence.
func (at lookedAt) copyable() (possible bool, why string) {
	if at.noCopy != nil {
		return false, Problem(at.noCopy)
	}
	return strip.Can(at.said.Format)
}

// copy says whether a copy without metadata can be made, and what it means or why not.
func (at lookedAt) copy(found []filefacts.Identified) (possible bool, means string) {
	possible, why := at.copyable()
	if !possible {
		return false, why
	}
	has := func(kind filefacts.Kind) bool {
		return slices.ContainsFunc(found, func(f filefacts.Identified) bool { return f.Kind == kind })
	}
	means = i18n.T("Picture and sound stay as they are. The copy has a SHA-256 of its own; the custody log notes both.")
	if has(filefacts.Credential) {
		means += " " + i18n.T("Its content credentials are lost.")
	}
	if has(filefacts.Track) {
		means += " " + i18n.T("Subtitles and other tracks are lost.")
	}
	return true, means
}

// nameAsSent is the name that the service gets.
func nameAsSent(s submission.Submission, how LeavingChoice) string {
	if how.NeutralName {
		return intake.NeutralName(s)
	}
	return s.SendName
}
