package details

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/custody"
	"assay/client/i18n"
	filefacts "assay/client/media/facts"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
)

// Details is what the viewer's Details page shows: facts that are not part of the verdict.
type Details struct {
	ID      string
	Groups  []DetailGroup
	Problem string // why the file's own facts are missing, a sentence or ""
}

// DetailGroup is a group of rows under a heading.
type DetailGroup struct {
	Heading string
	From    string // whose words these are: the file's, the service's, this computer's
	State   CredentialState
	Text    string // a paragraph under the heading, or ""
	Rows    []DetailRow
}

// DetailRow is one fact.
type DetailRow struct {
	Label string
	Value string
	Copy  string // the text to copy
	// Hash shows the value in groups of characters, so that people can compare it.
	Hash        bool
	Identifying bool
}

// CredentialState is the state of a file's content credentials, shown beside their heading; "" for other groups.
type CredentialState string

// The states of content credentials, as identifiers; Words returns the text to show.
const (
	CredentialsNone         CredentialState = "None"
	CredentialsIntact       CredentialState = "Intact"
	CredentialsNotConfirmed CredentialState = "Not confirmed"
)

// Words returns the state as shown, "" for none.
func (s CredentialState) Words() string {
	switch s {
	case CredentialsNone:
		return i18n.T("None")
	case CredentialsIntact:
		return i18n.T("Intact")
	case CredentialsNotConfirmed:
		return i18n.T("Not confirmed")
	}
	return ""
}

// Remarks on the details; they are translated where they are shown.
const (
	MetadataNote = "Anyone can change or remove what a file says about itself. It can support a judgement, but by itself it proves nothing, and its absence says nothing. The verdict does not use it."

	saidNone         = "No content credentials in this file. Most files have none: that says nothing about it."
	saidNotSearched  = "Assay does not look for content credentials in this kind of file. That says nothing about it."
	saidIntact       = "Content credentials are present; signature and content match. Who signed is as stated in the file: the certificate was not checked against a list."
	saidNotConfirmed = "Content credentials are present, but could not be confirmed. %s What they say is shown as stated."

	fromFile     = "from the file"
	fromService  = "from the service"
	fromComputer = "from this computer"
	fromCopy     = "from the service's copy of the file"
)

// Of groups the details of a submission and what its file says of itself. If the file could not be read or is gone, factsErr says why, and the rest
// is shown. copied is whether the facts are from the service's copy.
func Of(s submission.Submission, f filefacts.Facts, factsErr error, copied bool) Details {
	d := Details{ID: s.ID}
	from := i18n.T(fromFile)
	if copied {
		from = i18n.T(fromCopy)
	}
	d.Groups = append(d.Groups, fileGroup(s, f, factsErr == nil), sendingGroup(s), answerGroup(s))
	if factsErr != nil {
		d.Problem = i18n.F("What the file says about itself can't be shown. %s", present.Problem(factsErr))
	} else {
		d.Groups = append(d.Groups, shapeGroup(s, f, from), credentialsGroup(f.Credentials, from))
		d.Groups = append(d.Groups, fieldGroups(f, from)...)
	}
	shown := d.Groups[:0]
	for _, g := range d.Groups {
		if len(g.Rows) > 0 || g.Text != "" {
			shown = append(shown, g)
		}
	}
	d.Groups = shown
	return d
}

// rows collects rows, without those that have no value.
type rows []DetailRow

func (r *rows) add(label i18n.Key, value string) *DetailRow {
	if value == "" {
		return &DetailRow{} // not added
	}
	value = plain.From(value).String()
	*r = append(*r, DetailRow{Label: i18n.T(label), Value: value, Copy: value})
	return &(*r)[len(*r)-1]
}

func fileGroup(s submission.Submission, f filefacts.Facts, read bool) DetailGroup {
	var r rows
	if s.Link == "" {
		r.add("Name", s.Name)
	}
	if s.SendName != "" && s.SendName != s.Name {
		r.add("Name as sent", s.SendName)
	}
	if s.Path != "" {
		r.add("Path", s.Path).Copy = s.Path
	}
	if s.Link != "" {
		r.add("Link", s.Link).Copy = s.Link
	}
	size := s.Size
	if size == 0 && read {
		size = f.Size
	}
	if size > 0 {
		r.add("Size", i18n.Size(size)+" ("+i18n.Bytes(size)+")")
	}
	if read {
		kind := f.Format.Words()
		switch {
		case f.Misnamed:
			kind = i18n.F("%s, by its first bytes; its name ends in .%s", kind, f.Extension)
		case kind != "":
			kind = i18n.F("%s, by its first bytes", kind)
		default:
			kind = i18n.T("not recognised by its first bytes")
		}
		r.add("Kind", kind)
	}
	if !s.Modified.IsZero() {
		r.add("Last changed", zoned(s.Modified))
	}
	if s.SHA256 != "" {
		r.add("SHA-256", s.SHA256).Hash = true
	}
	if s.Copy.SHA256 != "" {
		if words := custody.CopyWords(s); words != "" {
			r.add("What was analysed", words)
		}
		r.add("SHA-256 as sent", s.Copy.SHA256).Hash = true
		r.add("Size as sent", i18n.Size(s.Copy.Size)+" ("+i18n.Bytes(s.Copy.Size)+")")
		if !s.Copy.Metadata {
			r.add("Left out of the copy", leftOut(s.Copy.Removed))
		}
	}
	r.add("Came from", custody.SourceWords(s.Source))
	return DetailGroup{Heading: i18n.T("File"), From: i18n.T(fromComputer), Rows: r}
}

// leftOut lists in words which kinds of data a copy lacks.
func leftOut(kinds string) string {
	if kinds == "" {
		return i18n.T("nothing was found that identifies")
	}
	words := strings.Split(kinds, ",")
	for i, kind := range words {
		words[i] = filefacts.Kind(kind).Label()
	}
	return strings.Join(words, ", ")
}

func sendingGroup(s submission.Submission) DetailGroup {
	var r rows
	at := func(label i18n.Key, when time.Time) {
		if !when.IsZero() {
			r.add(label, zoned(when))
		}
	}
	at("Accepted", s.Accepted)
	at("Sent", s.Uploaded)
	switch {
	case s.AnsweredBy.Name != "":
		at("The colleague had the answer", s.AnsweredBy.At)
		if s.Source != submission.Desk {
			at("Taken over", s.Answered)
		}
	case s.Source == submission.Service:
		at("This copy saved", s.Answered)
	default:
		at("Answered", s.Answered)
	}
	return DetailGroup{Heading: i18n.T("Times"), From: i18n.T(fromComputer), Rows: r}
}

func answerGroup(s submission.Submission) DetailGroup {
	var r rows
	if s.AnsweredBy.Name != "" {
		r.add("Answer of", i18n.F("%s, a colleague at the desk. Nothing was sent from this computer.", present.Person(s.AnsweredBy.Name)))
	}
	r.add("Request", s.RequestID).Copy = s.RequestID
	if s.Result != nil {
		v := verdict.Of(s.Result)
		r.add("Release", v.Release)
		r.add("Languages", strings.Join(v.Languages, ", "))
		var codes []string
		for _, reason := range v.Reasons {
			if reason.Code != "" && !slices.Contains(codes, reason.Code) {
				codes = append(codes, reason.Code)
			}
		}
		r.add("Reason code", strings.Join(codes, ", "))
	}
	return DetailGroup{Heading: i18n.T("Answer"), From: i18n.T(fromService), Rows: r}
}

func shapeGroup(s submission.Submission, f filefacts.Facts, from string) DetailGroup {
	heading := i18n.T("Picture")
	switch present.MediumOfSubmission(s) {
	case present.Recording:
		heading = i18n.T("Sound")
	case present.Clip:
		heading = i18n.T("Picture and sound")
	case present.Text:
		heading = i18n.T("Text")
	}
	var r rows
	if f.Width > 0 && f.Height > 0 {
		value := i18n.F("%d × %d pixels", f.Width, f.Height)
		if f.Orientation > 1 {
			value = i18n.F("%s, stored %s", value, filefacts.OrientationText(f.Orientation))
		}
		r.add("Dimensions", value)
	}
	if f.Duration > 0 {
		r.add("Length", present.Clock(f.Duration.Seconds()))
	}
	if f.SampleRate > 0 {
		r.add("Sample rate", strconv.Itoa(f.SampleRate)+" Hz")
	}
	switch {
	case f.Channels == 1:
		r.add("Channels", i18n.T("1 (mono)"))
	case f.Channels == 2:
		r.add("Channels", i18n.T("2 (stereo)"))
	case f.Channels > 2:
		r.add("Channels", strconv.Itoa(f.Channels))
	}
	return DetailGroup{Heading: heading, From: from, Rows: r, Text: strings.Join(f.Notes, " ")}
}

func credentialsGroup(c filefacts.Credentials, from string) DetailGroup {
	g := DetailGroup{Heading: i18n.T("Content credentials (C2PA)"), From: from}
	switch c.State {
	case filefacts.Intact:
		g.State, g.Text = CredentialsIntact, i18n.T(saidIntact)
	case filefacts.NotConfirmed:
		g.State, g.Text = CredentialsNotConfirmed, i18n.F(saidNotConfirmed, c.Reason)
		if c.Elsewhere != "" {
			g.Text = c.Reason
		}
	default:
		g.State, g.Text = CredentialsNone, i18n.T(saidNone)
		if c.NotSearched {
			g.Text = i18n.T(saidNotSearched)
		}
		return g
	}
	var r rows
	r.add("Kept at", c.Elsewhere)
	r.add("Signed by", beside(c.Signer, c.Organisation)).Identifying = true
	r.add("Certificate issued by", c.Issuer)
	if !c.Valid[0].IsZero() {
		r.add("Certificate valid", i18n.F("%s to %s", day(c.Valid[0]), day(c.Valid[1])))
	}
	if !c.Stamped.IsZero() {
		r.add("Signed at, as stated", zoned(c.Stamped))
	}
	seen := ""
	for _, generator := range c.Generators {
		if generator.Value != seen {
			r.add("Made with", generator.Value)
		}
		seen = generator.Value
	}
	r.add("Title", c.Title)
	for i := 0; i < len(c.Actions); {
		text, times := actionText(c.Actions[i]), 1
		for i++; i < len(c.Actions) && actionText(c.Actions[i]) == text; i++ {
			times++
		}
		if times > 1 {
			text = i18n.N(times, "%[2]s (%[1]s time)", "%[2]s (%[1]s times)", text)
		}
		r.add("Action", text)
	}
	if c.Ingredients > 0 {
		r.add("Made from", i18n.N(c.Ingredients, "%s other file, as stated", "%s other files, as stated"))
	}
	if c.Earlier > 0 {
		r.add("Earlier credentials", i18n.N(c.Earlier, "%s set, not checked", "%s sets, not checked"))
	}
	r.add("Signature", c.Algorithm)
	g.Rows = r
	return g
}

// actionText says what was done to the file, in its own terms.
func actionText(a filefacts.Action) string {
	text := strings.ReplaceAll(strings.TrimPrefix(a.Action, "c2pa."), "_", " ")
	if a.SourceType != "" {
		text = beside(text, i18n.F("source type %s", a.SourceType[strings.LastIndexAny(a.SourceType, "/:")+1:]))
	}
	if a.Agent != "" {
		text = beside(text, i18n.F("with %s", a.Agent))
	}
	return beside(text, a.When)
}

// beside joins two texts in a row, or returns the one that is not empty.
func beside(a, b string) string {
	if a == "" || b == "" || a == b {
		return max(a, b)
	}
	return a + ", " + b
}

func fieldGroups(f filefacts.Facts, from string) []DetailGroup {
	var groups []DetailGroup
	for _, list := range []struct {
		heading i18n.Key
		fields  []filefacts.Field
	}{{"EXIF", f.EXIF}, {"XMP, IPTC and tags", f.Embedded}} {
		g := DetailGroup{Heading: i18n.T(list.heading), From: from}
		for _, field := range list.fields {
			row := DetailRow{Label: field.Label, Value: field.Value, Copy: field.Value, Identifying: field.Identifying}
			if field.Raw != "" {
				row.Value += " (" + field.Raw + ")"
			}
			g.Rows = append(g.Rows, row)
		}
		groups = append(groups, g)
	}
	return groups
}

// zoned formats a time with its zone, for readers in other places.
func zoned(t time.Time) string { return i18n.Moment(t) }

func day(t time.Time) string { return i18n.Day(t.UTC(), time.Time{}) }
