package present

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/client/media"
	filefacts "assay/client/media/facts"
	"assay/client/submission"
	"assay/client/verdict"
)

// Details is what the viewer's Details tab shows: facts, none of which is part of the verdict.
type Details struct {
	ID      string
	Groups  []DetailGroup
	Problem string // why the file's own facts are missing, a sentence or ""
}

// DetailGroup is rows under a heading.
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
	Copy  string // what copying gives
	// Hash is shown in groups of characters, so that it can be compared by eye.
	Hash        bool
	Identifying bool
}

// CredentialState is the state of a file's content credentials, as a word beside their heading; "" for other groups.
type CredentialState string

// The three states of content credentials.
const (
	CredentialsNone         CredentialState = "None"
	CredentialsIntact       CredentialState = "Intact"
	CredentialsNotConfirmed CredentialState = "Not confirmed"
)

// What details say of themselves.
const (
	MetadataNote = "Anyone can change or remove what a file says of itself. It can support a judgement, but it proves nothing alone, and its absence says nothing. The verdict does not use it."

	saidNone         = "No content credentials in this file. Most files have none: that says nothing about it."
	saidUnlooked     = "Assay does not look for content credentials in this kind of file. That says nothing about it."
	saidIntact       = "Content credentials are present; signature and content match. Who signed is as stated in the file: the certificate was not checked against a list."
	saidNotConfirmed = "Content credentials are present, but could not be confirmed. "
	saidAsStated     = " What they say is shown as stated."

	fromFile     = "from the file"
	fromService  = "from the service"
	fromComputer = "from this computer"
	fromCopy     = "from the service's copy of the file"
)

// DetailsOf puts a submission and what its file says of itself into groups. A file that could not be read, or is no more, has factsErr; the
// rest is shown all the same. copied says that the facts are those of the service's copy.
func DetailsOf(s submission.Submission, f filefacts.Facts, factsErr error, copied bool) Details {
	d := Details{ID: s.ID}
	from := fromFile
	if copied {
		from = fromCopy
	}
	d.Groups = append(d.Groups, fileGroup(s, f, factsErr == nil), sendingGroup(s), answerGroup(s))
	if factsErr != nil {
		d.Problem = "What the file says of itself can't be shown. " + Problem(factsErr)
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

// rows collects rows and leaves out those without a value.
type rows []DetailRow

func (r *rows) add(label, value string) *DetailRow {
	if value == "" {
		return &DetailRow{} // of no row
	}
	*r = append(*r, DetailRow{Label: label, Value: value, Copy: value})
	return &(*r)[len(*r)-1]
}

func fileGroup(s submission.Submission, f filefacts.Facts, read bool) DetailGroup {
	var r rows
	if s.Link == "" {
		r.add("Name", media.DisplayName(s.Name))
	}
	if s.SendName != "" && s.SendName != s.Name {
		r.add("Name as sent", s.SendName)
	}
	if s.Path != "" {
		r.add("Path", media.DisplayName(s.Path)).Copy = s.Path
	}
	if s.Link != "" {
		r.add("Link", media.DisplayName(s.Link)).Copy = s.Link
	}
	size := s.Size
	if size == 0 && read {
		size = f.Size
	}
	if size > 0 {
		r.add("Size", fmt.Sprintf("%s (%s)", media.SizeText(size), exactBytes(size)))
	}
	if read {
		kind := string(f.Format)
		switch {
		case f.Misnamed:
			kind += ", by its first bytes; its name ends in ." + f.Extension
		case kind != "":
			kind += ", by its first bytes"
		default:
			kind = "not recognised by its first bytes"
		}
		r.add("Kind", kind)
	}
	if !s.Modified.IsZero() {
		r.add("Last changed", zoned(s.Modified))
	}
	if s.SHA256 != "" {
		r.add("SHA-256", s.SHA256).Hash = true
	}
	r.add("Came from", cameFrom(s.Source))
	return DetailGroup{Heading: "File", From: fromComputer, Rows: r}
}

func sendingGroup(s submission.Submission) DetailGroup {
	var r rows
	at := func(label string, when time.Time) {
		if !when.IsZero() {
			r.add(label, zoned(when))
		}
	}
	at("Accepted", s.Accepted)
	at("Sent", s.Uploaded)
	if s.Source == submission.Service {
		at("This copy saved", s.Answered)
	} else {
		at("Answered", s.Answered)
	}
	return DetailGroup{Heading: "Times", From: fromComputer, Rows: r}
}

func answerGroup(s submission.Submission) DetailGroup {
	var r rows
	r.add("Request", s.RequestID)
	if s.Result != nil {
		v := verdict.Of(s.Result)
		r.add("Release", v.Release)
		r.add("Languages", strings.Join(v.Languages, ", "))
	}
	return DetailGroup{Heading: "Answer", From: fromService, Rows: r}
}

func shapeGroup(s submission.Submission, f filefacts.Facts, from string) DetailGroup {
	heading := "Picture"
	switch mediumOfSubmission(s) {
	case Recording:
		heading = "Sound"
	case Clip:
		heading = "Picture and sound"
	case Text:
		heading = "Text"
	}
	var r rows
	if f.Width > 0 && f.Height > 0 {
		value := fmt.Sprintf("%d × %d pixels", f.Width, f.Height)
		if f.Orientation > 1 {
			value += ", stored " + filefacts.OrientationText(f.Orientation)
		}
		r.add("Dimensions", value)
	}
	if f.Duration > 0 {
		r.add("Length", Clock(f.Duration.Seconds()))
	}
	if f.SampleRate > 0 {
		r.add("Sample rate", strconv.Itoa(f.SampleRate)+" Hz")
	}
	switch {
	case f.Channels == 1:
		r.add("Channels", "1 (mono)")
	case f.Channels == 2:
		r.add("Channels", "2 (stereo)")
	case f.Channels > 2:
		r.add("Channels", strconv.Itoa(f.Channels))
	}
	return DetailGroup{Heading: heading, From: from, Rows: r, Text: strings.Join(f.Notes, " ")}
}

func credentialsGroup(c filefacts.Credentials, from string) DetailGroup {
	g := DetailGroup{Heading: "Content credentials (C2PA)", From: from}
	switch c.State {
	case filefacts.Intact:
		g.State, g.Text = CredentialsIntact, saidIntact
	case filefacts.NotConfirmed:
		g.State, g.Text = CredentialsNotConfirmed, saidNotConfirmed+c.Reason+saidAsStated
		if c.Elsewhere != "" {
			g.Text = c.Reason
		}
	default:
		g.State, g.Text = CredentialsNone, saidNone
		if c.Unlooked {
			g.Text = saidUnlooked
		}
		return g
	}
	var r rows
	r.add("Kept at", c.Elsewhere)
	r.add("Signed by", beside(c.Signer, c.Organisation)).Identifying = true
	r.add("Certificate issued by", c.Issuer)
	if !c.Valid[0].IsZero() {
		r.add("Certificate valid", day(c.Valid[0])+" to "+day(c.Valid[1]))
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
			text = fmt.Sprintf("%s (%d times)", text, times)
		}
		r.add("Action", text)
	}
	if c.Ingredients > 0 {
		r.add("Made from", counted(c.Ingredients, "other file, as stated", "other files, as stated"))
	}
	if c.Earlier > 0 {
		r.add("Earlier credentials", counted(c.Earlier, "set, not checked", "sets, not checked"))
	}
	r.add("Signature", c.Algorithm)
	g.Rows = r
	return g
}

// actionText says what was done, in the file's own terms.
func actionText(a filefacts.Action) string {
	text := strings.ReplaceAll(strings.TrimPrefix(a.Action, "c2pa."), "_", " ")
	if a.SourceType != "" {
		text = beside(text, "source type "+a.SourceType[strings.LastIndexAny(a.SourceType, "/:")+1:])
	}
	if a.Agent != "" {
		text = beside(text, "with "+a.Agent)
	}
	return beside(text, a.When)
}

// beside puts two texts into a row, or the one that is not empty.
func beside(a, b string) string {
	if a == "" || b == "" || a == b {
		return max(a, b)
	}
	return a + ", " + b
}

func fieldGroups(f filefacts.Facts, from string) []DetailGroup {
	var groups []DetailGroup
	for _, list := range []struct {
		heading string
		fields  []filefacts.Field
	}{{"EXIF", f.EXIF}, {"XMP and IPTC", f.Embedded}} {
		g := DetailGroup{Heading: list.heading, From: from}
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

func cameFrom(s submission.Source) string {
	switch s {
	case submission.Dropped:
		return "dropped into the window"
	case submission.Chosen:
		return "chosen in the file dialog"
	case submission.Started:
		return "given when Assay was started"
	case submission.Scanned:
		return "the scan command"
	case submission.Pasted:
		return "pasted"
	case submission.Watched:
		return "a watched folder"
	case submission.Service:
		return "the service's list: another device or program sent it"
	}
	return string(s)
}

// zoned writes a time with its zone: an editor elsewhere must be able to read it.
func zoned(t time.Time) string { return t.Format("2 Jan 2006, 15:04:05 (UTC-07:00)") }

func day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// exactBytes writes a number of bytes with its thousands apart.
func exactBytes(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " bytes"
}
