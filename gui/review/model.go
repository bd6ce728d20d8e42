package review

import (
	"slices"
	"strconv"
	"strings"

	"assay/client"
	"assay/client/i18n"
	filefacts "assay/client/media/facts"
	"assay/client/media/strip"
	"assay/client/submission"
	"assay/gui/present"
)

// Choice is how the person would have submissions sent.
type Choice struct {
	WithoutMetadata bool // whether copies without metadata are sent, of files that allow it
	NeutralName     bool
}

// Review is submissions that would be sent, and what has been found in their files so far. It must be used on one goroutine.
type Review struct {
	subs     []submission.Submission
	at       int  // of subs: the one that is asked about
	together bool // all are asked about at once
	address  string
	looked   map[string]examined
	sums     map[string]Sum
	made     map[string]Made
	sampled  string // the ID of which sample is
	sample   Sample
	checked  map[string]present.Checked // by colleagues
	near     map[string]present.NearHint
}

type examined struct {
	facts  filefacts.Facts
	err    error
	noCopy error // why no copy without metadata can be made; nil if it can
}

// NewReview starts a review of submissions. address is the host that they would be sent to, "" for the sandbox on this computer.
func NewReview(subs []submission.Submission, address string) *Review {
	return &Review{subs: slices.Clone(subs), address: address, looked: map[string]examined{}, sums: map[string]Sum{}, made: map[string]Made{}, checked: map[string]present.Checked{}, near: map[string]present.NearHint{}}
}

// Looked sets what a submission's file says of itself, or why it could not be read.
func (l *Review) Looked(id string, facts filefacts.Facts, err error) {
	l.looked[id] = examined{facts: facts, err: err}
}

// NoCopy sets why no copy without metadata can be made of a submission's file.
func (l *Review) NoCopy(id string, why error) {
	at := l.looked[id]
	at.noCopy = why
	l.looked[id] = at
}

// IDs are the IDs of the submissions.
func (l *Review) IDs() []string {
	ids := make([]string, len(l.subs))
	for i, s := range l.subs {
		ids[i] = s.ID
	}
	return ids
}

// SheetContent is the content of the sheet.
type SheetContent struct {
	Title     string
	To        string
	Problem   string    // why one waits again, a sentence or ""
	Kind      string    // of one file: its measures and format
	Copied    string    // that a copy in another format is sent in its place, sentences or ""
	Heads     [2]string // of the columns of Rows
	Rows      []Row     // what is sent, as it is and as a copy
	Noted     string    // what the custody log will say, for one file
	Warning   string    // that a file could not be read fully, a sentence or ""
	Finds     []Line    // what identifies somebody in the file, for one submission
	FindsNote string    // a sentence beside Finds, or in its place
	Other     []Line    // what else the file says of itself, for one submission
	OtherMany string    // the title of Other, with its number; "" for none
	Files     []string  // what is sent, for several submissions: a line each
	FilesMore string    // how many more there are, or ""
	Checked   CheckedContent
	Use       Option // to use the answers of colleagues, in words that name them
	UseWords  string
	Copy      Option
	Plain     Option // to send it as it is
	Neutral   Option
	Pending   string // what has not been read so far; "" once all is
	Send      string // the words of the button
}

// Row is one line of the table of what is sent.
type Row struct {
	Label, AsItIs, Copy string // AsItIs and Copy are "" where they are not known so far; Copy also where there is no copy
	Hash                bool   // can be copied to the clipboard
	Wide                bool   // AsItIs goes across both columns
}

// Line is a value with its name.
type Line struct {
	Label, Value string
	Mono         bool // for a hash or a link
}

// Option is one way to send.
type Option struct {
	Offered  bool // whether it is on the sheet
	Possible bool // whether it can be chosen
	Means    string
}

// Content returns what can be shown by now.
func (l *Review) Content(how Choice) SheetContent {
	var sheet SheetContent
	switch {
	case len(l.subs) == 0:
		return sheet
	case l.Current() != "":
		sheet = l.one(l.subs[l.at], how)
	default:
		sheet = l.several(how)
	}
	if l.address == "" {
		sheet.To = i18n.T("Nothing leaves this computer.")
	}
	sheet.Rows = append(sheet.Rows, Row{Label: i18n.T("Goes to"), AsItIs: l.to(), Wide: true})
	l.addChecked(&sheet)
	sheet.Pending = l.pending()
	sheet.Send = i18n.T("Send")
	switch {
	case l.Current() != "" && l.checked[l.Current()].By != "":
		sheet.Send = i18n.T("Send anyway")
	case sheet.Pending != "":
		sheet.Send = i18n.T("Send without waiting")
	}
	return sheet
}

// to is where it would be sent.
func (l *Review) to() string {
	if l.address == "" {
		return i18n.T("the sandbox, which runs on this computer")
	}
	return l.address
}

// pending says how many files have not been read so far; "" for none.
func (l *Review) pending() string {
	n := 0
	for _, s := range l.asked() {
		if _, read := l.looked[s.ID]; s.Path != "" && !read {
			n++
		}
	}
	switch {
	case n == 0 && l.making():
		return i18n.T("Making the copy, to show you what would be sent…")
	case n == 0:
		return ""
	case l.Current() != "":
		return i18n.T("Looking at what the file says about itself…")
	}
	return i18n.N(n, "%s file was not looked at yet…", "%s files were not looked at yet…")
}

// making reports whether the copy is being made that the one submission which is asked about needs.
func (l *Review) making() bool {
	if l.Current() == "" {
		return false
	}
	s := l.subs[l.at]
	made := l.made[s.ID]
	return s.Needs != submission.NeedsNothing && made.SHA256 == "" && made.Err == nil
}

func (l *Review) one(s submission.Submission, how Choice) SheetContent {
	sheet := SheetContent{Title: i18n.F("Send %s?", s.Name), To: i18n.T("Nothing has left this computer."), Problem: s.Problem.String(),
		Plain: Option{Offered: true, Possible: true, Means: i18n.T("The file as it is, with everything that is in it.")}}
	if l.address == "" {
		sheet.Title = i18n.F("Check %s in the sandbox?", s.Name)
	}
	if s.Link != "" {
		sheet.Plain.Means = i18n.T("The service fetches what the link leads to.")
		sheet.FindsNote = i18n.T("The people who run that site may see the visit.")
		return sheet
	}
	at, read := l.looked[s.ID]
	read = read && at.err == nil
	kind := present.MediumName(present.MediumOf(s.Type))
	if read && at.facts.Format != "" {
		kind = at.facts.Format.Words()
	}
	sheet.Kind = present.Joined(kind, measures(at.facts))
	sheet.Neutral = Option{Offered: true, Possible: true}
	if l.tabulate(&sheet, s, how); l.isText(s) {
		sheet.FindsNote = i18n.T("The text itself is sent. Assay does not look for names in it.")
		return sheet
	}
	sheet.Copy = Option{Offered: true, Means: i18n.T("Picture and sound stay as they are.")}
	if at.err != nil {
		sheet.FindsNote = i18n.F("What the file says about itself can't be shown. %s", present.Problem(at.err))
	}
	switch {
	case read && l.making() && s.Type != client.Image: // the copy says it
		sheet.Copy.Possible = true
	case read:
		l.tell(&sheet, at, s)
	}
	if err := l.made[s.ID].Err; err != nil {
		sheet.Plain.Possible, sheet.Plain.Means = false, present.Problem(err)
		sheet.Copy.Possible, sheet.Copy.Means = false, present.Problem(err)
	}
	return sheet
}

// tell sets what a file says of itself, and what a copy without that would be.
func (l *Review) tell(sheet *SheetContent, at examined, s submission.Submission) {
	found := filefacts.Identifying(at.facts)
	for _, f := range found {
		sheet.Finds = append(sheet.Finds, Line{Label: f.Label, Value: f.Value})
	}
	notes := at.facts.Notes
	if at.facts.Incomplete {
		sheet.Warning = filefacts.IncompleteText()
		notes = slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return n == sheet.Warning })
	}
	if len(found) == 0 {
		notes = append([]string{nothingFound(at.facts.Incomplete)}, notes...)
	}
	sheet.FindsNote = strings.Join(notes, " ")
	for _, f := range slices.Concat(at.facts.EXIF, at.facts.Embedded) {
		line := Line{Label: f.Label, Value: f.Value}
		if !slices.Contains(sheet.Finds, line) {
			sheet.Other = append(sheet.Other, line)
		}
	}
	if n := len(sheet.Other); n > 0 {
		sheet.OtherMany = i18n.N(n, "%s other field", "%s other fields")
	}
	sheet.Copy.Possible, sheet.Copy.Means = at.copy(s, found)
	if whole := l.asItIs(s).SHA256; whole != "" && l.sums[s.ID].SHA256 == whole {
		sheet.Copy.Possible, sheet.Copy.Means = false, i18n.T("There is no metadata in it to take out.")
	}
}

// measures are a picture's pixels, or how long a recording or clip is; "" where they are not known.
func measures(f filefacts.Facts) string {
	size, length := "", ""
	if f.Width > 0 && f.Height > 0 {
		size = strconv.Itoa(f.Width) + " × " + strconv.Itoa(f.Height)
	}
	if f.Duration > 0 {
		length = present.Clock(f.Duration.Seconds())
	}
	return present.Joined(size, length)
}

// isText reports whether a file is plain text, which is not searched: by its name, unless its bytes contradict that.
func (l *Review) isText(s submission.Submission) bool {
	at := l.looked[s.ID]
	return s.Type == client.Text && (at.err != nil || at.facts.Format == "" || at.facts.Format == filefacts.Text)
}

// nothingFound says that nothing that identifies somebody was found.
func nothingFound(incomplete bool) string {
	if incomplete {
		return i18n.T("Nothing that identifies a person, a place or a device was found in what could be read.")
	}
	return i18n.T("Nothing in it identifies a person, a place or a device, as far as Assay knows. What can be seen or heard in it may.")
}

// copyable reports whether a copy without metadata can be made; if not, why is a sentence.
func (at examined) copyable(s submission.Submission) (possible bool, why string) {
	switch {
	case at.noCopy != nil:
		return false, present.Problem(at.noCopy)
	case s.Needs != submission.NeedsNothing: // it is made of the copy that the service takes
		return true, ""
	}
	return strip.Can(at.facts.Format)
}

// copy returns whether a copy without metadata can be made, and what it means or why not.
func (at examined) copy(s submission.Submission, found []filefacts.Identified) (possible bool, means string) {
	possible, why := at.copyable(s)
	if !possible {
		return false, why
	}
	has := func(kind filefacts.Kind) bool {
		return slices.ContainsFunc(found, func(f filefacts.Identified) bool { return f.Kind == kind })
	}
	means = i18n.T("Picture and sound stay as they are.")
	if len(found) > 0 {
		means = i18n.T("Takes out what identifies someone. Picture and sound stay.")
	}
	if has(filefacts.Credential) {
		means += " " + i18n.T("Its content credentials are lost.")
	}
	if has(filefacts.Track) {
		means += " " + i18n.T("Subtitles and other tracks are lost.")
	}
	return true, means
}
