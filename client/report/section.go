package report

import (
	"context"
	"fmt"
	"html/template"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/assets"
	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media/facts"
	"assay/client/verdict"
)

// head is the part before the results.
type head struct{ Language, Title, Kind, Made, Verify string }

func headOf(o Options) head {
	h := head{Language: i18n.Language(), Title: i18n.T("Evidence report"), Kind: i18n.T("What the service said, and what was done with each file"), Verify: o.verifyText()}
	if o.Case != nil {
		h.Kind = i18n.F("Case: %s", o.Case.Title)
	}
	if !o.Made.IsZero() {
		h.Made = i18n.F("made %s, %s UTC", i18n.Moment(o.Made), o.Made.UTC().Format(time.TimeOnly))
	}
	return h
}

// section is one result as it is laid out for people, in their language: html.go and pdf.go are two renderings of it.
type section struct {
	*Result
	Heading     string
	Provisional string        // that neither the result nor the report is final; "" where they are
	LaterNote   string        // that a later answer differs; "" where none does
	Mark        template.HTML // a shape beside the verdict
	MarkClass   string
	Status      string // the service's own word, in a sentence
	ScoreText   string // "88"; "" for none
	ScoreOf     string
	NoScore     string
	Percent     float64 // position of the score on its track; only if ScoreText is a number on 0..100
	OnTrack     bool
	Low, High   string // labels of the track's ends

	Uncover      string // the words to show it all the same
	Covered      string // the words on the cover of a picture that was marked as graphic; "" for one that is shown at once
	Picture      *shownPicture
	PictureNote  string
	Facts        []row
	FactsHeading string
	Tables       []table // after the facts
	Heatmaps     []shownHeatmap
	HeatmapNote  string
	After        []table // after the heatmaps
	AnswerSHA256 string  // of the answer as it is kept
	AnswerLabel  string
}

// table is a heading with rows, or with paragraphs if it has no rows.
type table struct {
	Heading string
	Lane    *lane // above the rows; nil for none
	Head    []string
	Rows    []row
	Text    []string
	Class   string
}

// row is the cells of one line.
type row []cell

// cell is a text, with a mark before it.
type cell struct {
	Text  string
	Mono  bool          // a hash, a field, a status: letter for letter
	Muted bool          // a note that there is nothing
	Mark  template.HTML // a shape
	Class string        // the shape's colour
	Bar   *bar
}

// bar is a score drawn as a length.
type bar struct {
	Percent float64
	Hatched bool // there is no score
}

// momentCell is a time with its zone.
func momentCell(t time.Time) cell {
	if t.IsZero() {
		return cell{Text: i18n.T("not known"), Muted: true}
	}
	return text(i18n.Moment(t))
}

func sectionOf(ctx context.Context, r *Result, o Options) (*section, error) {
	if err := r.addEvidence(ctx, o); err != nil {
		return nil, err
	}
	words := verdict.Say(r.Status)
	s := &section{
		Result: r, Heading: r.Name, LaterNote: r.laterNote(), FactsHeading: i18n.T("What was handed over"),
		Status: i18n.F("The service's status: %s", string(r.Status)), NoScore: i18n.T(verdict.NoScore),
		Low: i18n.T("0 no indication"), High: i18n.T("100 strong indication"),
	}
	mark := words.Mark
	switch {
	case r.Contradiction != "":
		mark = verdict.MarkSuspicious
	case r.Provisional:
		mark = verdict.MarkAnalysing
	}
	s.Mark, s.MarkClass = markOf(mark)
	if n := r.Score.number(); n != nil && r.Contradiction == "" {
		s.ScoreText, s.ScoreOf = n.Text(), i18n.T("of 100 · ensemble")
		s.Percent, s.OnTrack = n.Value, n.Value >= 0 && n.Value <= 100
	}
	if err := s.addPictures(ctx, o); err != nil {
		return nil, err
	}
	if r.Provisional {
		s.Provisional = i18n.T("This result is provisional: models are still at work. It is not final, and neither is this report.")
	}
	s.Facts, s.AnswerSHA256, s.AnswerLabel = r.factRows(), r.answerSHA256(), i18n.T("SHA-256 of the answer")
	if s.Picture != nil && s.Picture.Received {
		size := i18n.F("%d × %d pixels", s.Picture.Source.X, s.Picture.Source.Y)
		s.Facts = slices.Insert(s.Facts, min(3, len(s.Facts)), row{text(i18n.T("Dimensions")), text(size)})
	}
	s.Tables = []table{r.times(), r.feedbackTable(), signOff()}
	switch {
	case o.Case == nil:
		s.Tables = append(s.Tables, otherChecks(nil))
	case o.Case.resultFirst(): // else the case's checks are of all its results
		s.Tables = append(s.Tables, otherChecks(o.Case.Checks))
	}
	models, more := r.Models, 0
	if o.foremost {
		models, more = r.foremostModels()
	}
	s.Tables = append(s.Tables, r.limits(), modelTable(models, more))
	s.Tables = append(s.Tables, r.timelineTables()...)
	s.After = nil
	if r.saysOfItself(o) {
		s.After = append(s.After, r.fileTable())
	}
	s.After = append(s.After, r.custodyTable(), r.answerTable())
	if len(r.Later) > 0 {
		s.After = append(s.After, r.laterTable())
	}
	s.After = append(s.After, r.method(o))
	return s, nil
}

// saysOfItself reports whether what the file says of itself belongs into the report.
func (r *Result) saysOfItself(o Options) bool {
	return o.has(PartFile) && r.evidence.sub.Path != "" && r.SHA256 != ""
}

// addEvidence reads what the file says of itself, and the timelines, if they belong into the report. An error is ctx's.
func (r *Result) addEvidence(ctx context.Context, o Options) (err error) {
	r.File, r.Timelines, r.unplaced = nil, nil, nil
	if r.log, err = r.evidence.records.CustodyStatus(ctx); err != nil {
		return err
	}
	if r.saysOfItself(o) {
		if r.File, err = r.evidence.file(ctx, o.Hashes, !r.NeutralName); err != nil {
			return err
		}
	}
	if !o.has(PartTimelines) {
		return nil
	}
	return r.readTimelines(ctx)
}

// addPictures adds the picture and the heatmaps, if they may be shown.
func (s *section) addPictures(ctx context.Context, o Options) (err error) {
	if o.Media == MediaNone || o.Media == "" && s.sensitive() {
		s.PictureNote = i18n.T("The picture is left out of this report: its SHA-256 says which file it was.")
		return nil
	}
	if s.Picture, err = s.evidence.picture(ctx); err != nil {
		return err
	}
	if s.Graphic && s.Picture != nil {
		s.Covered, s.Uncover = i18n.T("Marked as graphic: the picture may disturb."), i18n.T("Show it")
	}
	switch p := s.Picture; {
	case p == nil:
	case p.Received:
		s.PictureNote = i18n.F("As received, made smaller: %d × %d pixels, %s.", p.Source.X, p.Source.Y, p.Format)
	default:
		s.PictureNote = i18n.T("The service's small picture of it.")
	}
	if !o.has(PartHeatmaps) {
		return nil
	}
	s.Heatmaps, err = s.evidence.heatmaps(ctx, s.Picture)
	s.HeatmapNote = i18n.T("Colours as the service sent them, not smoothed. What is coloured is not proof of a change there.")
	return err
}

// number converts a score for the words of client/verdict.
func (n *Number) number() *verdict.Number {
	if n == nil {
		return nil
	}
	value, err := n.Value.Float64()
	if err != nil {
		return nil
	}
	return &verdict.Number{Value: value, Sent: n.Value.String(), Field: n.Field}
}

// markOf returns a mark's drawing and the class for its colour; both are empty for none.
func markOf(mark verdict.Mark) (drawing template.HTML, class string) {
	if mark == verdict.MarkNone {
		return "", ""
	}
	raw, err := assets.Drawings.ReadFile("marks/" + string(mark) + ".svg")
	if err != nil {
		return "", ""
	}
	return template.HTML(raw), string(mark) //nolint:gosec // one of our own drawings
}

// clockText is a time in UTC in a column of its own.
func clockText(t time.Time) string {
	return strings.NewReplacer("T", " ", "Z", "").Replace(timeText(t))
}

func text(s string) cell { return cell{Text: s} }
func mono(s string) cell { return cell{Text: s, Mono: true} }

// factRows describe the file or link.
func (r *Result) factRows() (rows []row) {
	add := func(label string, c cell) {
		if c.Text != "" {
			rows = append(rows, row{text(label), c})
		}
	}
	if r.Link != "" {
		add(i18n.T("Link"), text(r.Link))
	} else {
		add(i18n.T("Name as received"), r.receivedName())
		add(i18n.T("SHA-256 as received"), mono(r.SHA256))
		add(i18n.T("Size"), text(sizeText(r)))
		switch {
		case r.SentSHA256 != "":
			add(i18n.T("Name as sent"), r.sentName())
			add(i18n.T("SHA-256 as sent"), mono(r.SentSHA256))
			add(i18n.T("Left out of what was sent"), text(removedText(r.Removed)))
		case r.SHA256 != "":
			add(i18n.T("Name as sent"), r.sentName())
			add(i18n.T("SHA-256 as sent"), text(i18n.T("the same: its bytes were sent unchanged")))
		}
	}
	add(i18n.T("Handed over"), text(custody.SourceWords(r.Source)))
	add(i18n.T("Service"), text(r.serviceText()))
	add(i18n.T("Release"), text(r.Release))
	add(i18n.T("Request ID"), mono(r.RequestID))
	add(i18n.T("Languages"), text(strings.Join(r.Languages, ", ")))
	return rows
}

// removedText names the kinds of metadata that a copy lacks.
func removedText(kinds []string) string {
	var said []string
	for _, kind := range kinds {
		said = append(said, facts.Kind(kind).Label())
	}
	return strings.Join(said, ", ")
}

// receivedName is the name that the file had.
func (r *Result) receivedName() cell {
	if r.NeutralName {
		return cell{Text: i18n.T("left out of this report"), Muted: true}
	}
	return text(r.Name)
}

// sentName is the name that the service received.
func (r *Result) sentName() cell {
	switch {
	case r.SentAs != "":
		return text(r.SentAs)
	case r.NeutralName:
		return r.receivedName()
	}
	return text(r.Name)
}

func sizeText(r *Result) string {
	if r.SHA256 == "" {
		return ""
	}
	return i18n.BytesMessage(r.Bytes).String()
}

func (r *Result) serviceText() string {
	if r.Remark != "" {
		return i18n.T("the sandbox, inside Assay")
	}
	return r.Service
}

// limits explain what the verdict means, and what it can't say.
func (r *Result) limits() table {
	t := table{Heading: i18n.T("Limits"), Class: "limits"}
	for _, reason := range r.Reasons {
		t.Text = append(t.Text, strings.TrimSpace(reason.Message+" "+reason.NextStep))
	}
	t.Text = append(t.Text, i18n.T("The models report a likelihood, not a share of the file, and all of them together are one signal. "+
		"Edits by hand, staging and old footage with a new caption are outside of what they see."),
		i18n.T("What the service answered and what the desk judged are kept apart. This report says what was received, sent and answered; it does not say who made the file."))
	return t
}

// times are those of this computer's clock, with what the service's said.
func (r *Result) times() table {
	t := table{Heading: i18n.T("Times"), Class: "times", Head: []string{
		i18n.T("By this computer's clock"), "UTC", i18n.T("Local"), i18n.T("The service's Date header"),
	}}
	missing := func(why string) cell { return cell{Text: why, Muted: true} }
	date := missing(i18n.T("not recorded"))
	if n := len(r.Answers); n > 0 && !r.Answers[n-1].ServiceDate.IsZero() {
		date = text(clockText(r.Answers[n-1].ServiceDate) + " UTC")
	}
	for _, at := range []struct {
		label string
		time  time.Time
		date  cell
	}{
		{i18n.T("Handed over"), r.Accepted, missing(i18n.T("none: nothing was sent yet"))},
		{i18n.T("Sent"), r.Uploaded, missing(i18n.T("not recorded"))},
		{i18n.T("Answered"), r.Answered, date},
	} {
		utc, local := cell{Text: i18n.T("not known"), Muted: true}, cell{}
		if !at.time.IsZero() {
			utc, local = text(clockText(at.time)), text(at.time.Local().Format("2006-01-02 15:04:05 -07:00"))
		}
		t.Rows = append(t.Rows, row{text(at.label), utc, local, at.date})
	}
	return t
}

// feedbackTable has the desk's own judgement of the media, and its note.
func (r *Result) feedbackTable() table {
	t := table{Heading: i18n.T("The desk's own judgement, not the service's"), Class: "judgement"}
	for _, f := range r.Feedback {
		said := labelWords(f.Label)
		if f.Comment != "" {
			said += ": “" + f.Comment + "”"
		}
		t.Rows = append(t.Rows, row{momentCell(f.Given.Local()), text(said)})
	}
	if r.Note != "" {
		t.Rows = append(t.Rows, row{text(i18n.T("Note")), text(r.Note)})
	}
	if len(t.Rows) == 0 {
		t.Rows = append(t.Rows, row{text(i18n.T("Judgement")), {Text: i18n.T("none was noted"), Muted: true}})
	}
	return t
}

// signOff is room for a second person's name, on paper.
func signOff() table {
	return table{Heading: i18n.T("Sign-off by a second person"), Class: "signoff", Rows: []row{
		{text(i18n.T("Name")), {}}, {text(i18n.T("Date and time")), {}},
	}, Text: []string{i18n.T("Empty: nobody has signed.")}}
}

// labelWords say a label in the words that the window has for it.
func labelWords(l client.Label) string {
	switch l {
	case client.LabelReal:
		return i18n.T("held to be real")
	case client.LabelSynthetic:
		return i18n.T("held to be AI-generated")
	case client.LabelManipulated:
		return i18n.T("held to be manipulated")
	}
	return i18n.T("the desk is not sure")
}

// foremostModels are the models to be listed where there is no room for all, and how many are left out.
func (r *Result) foremostModels() (models []Model, more int) {
	listed, more := verdict.Foremost(r.evidence.sub.Result.Models)
	for _, m := range listed {
		models = append(models, modelOf(m))
	}
	return models, more
}

// modelTable is the models as the service reported them; more is how many are not among them.
func modelTable(models []Model, more int) table {
	t := table{
		Heading: i18n.T("Every model, as the service reported it"), Class: "models",
		Head: []string{i18n.T("Model"), i18n.T("Status"), i18n.T("0 none to 100 strong"), i18n.T("Score"), i18n.T("Field in the answer")},
	}
	for _, m := range models {
		drawing, class := markOf(verdict.Say(client.Status(m.Status)).Mark)
		line := row{text(m.Name), {Text: m.Status, Mono: true, Mark: drawing, Class: class}, {Bar: &bar{Hatched: true}}, {Text: i18n.T(verdict.NoScore), Muted: true}, mono("")}
		if n := m.Score.number(); n != nil {
			line[3], line[4] = text(n.Text()), mono(n.Field)
			if n.Value >= 0 && n.Value <= 100 {
				line[2].Bar = &bar{Percent: n.Value}
			}
		}
		if !m.Applies {
			line[2] = cell{Text: i18n.T("not applicable"), Muted: true}
		}
		if more := strings.Trim(m.Contradiction+" "+m.Failure, " "); more != "" {
			line[0].Text += ": " + more
		}
		t.Rows = append(t.Rows, line)
	}
	if len(t.Rows) == 0 {
		t.Head, t.Text = nil, []string{i18n.T("no single model reported")}
		return t
	}
	t.Text = []string{i18n.T("Hatched: no score was reported; that is not zero.")}
	if more > 0 {
		t.Text = append(t.Text, i18n.F("%s: they are in the .json and the .html.", verdict.AndMore(more)))
	}
	return t
}

// custodyTable has the custody events of the submission.
func (r *Result) custodyTable() table {
	t := table{Heading: i18n.T("What was done with it: the custody log"), Class: "custody",
		Head: []string{"UTC", i18n.T("What was done"), i18n.T("Entry"), i18n.T("SHA-256 of the entry")}}
	for _, e := range r.entries {
		t.Rows = append(t.Rows, row{mono(clockText(e.At)), text(e.Event.Words()), text(fmt.Sprint(e.Seq)), mono(e.Hash)})
	}
	t.Text = []string{i18n.F("The log is called %s. It has %s entries, and a signed checkpoint covers %s of them. An evidence bundle proves that those above are in it, without showing the others.",
		r.log.Origin, i18n.Count(int(r.log.Entries)), i18n.Count(int(r.log.Signed))),
		i18n.T("assay verify --log checks on the computer that made this report that no entry was changed, taken out or put in.")}
	return t
}

// answerTable has the service's answers; this report is about the last one.
func (r *Result) answerTable() table {
	t := table{Heading: i18n.T("Answers of the service, as they are kept"), Class: "answers",
		Head: []string{"UTC", i18n.T("Status"), i18n.T("Release"), i18n.T("SHA-256 of the answer")}}
	for _, a := range slices.Backward(r.Answers) {
		t.Rows = append(t.Rows, row{mono(clockText(a.At)), mono(string(a.Status)), text(a.Release), mono(a.SHA256)})
	}
	if r.ReceivedSHA256 != "" {
		t.Text = []string{i18n.F("As it was received, with the queries of its links, the last answer had the SHA-256 %s.", r.ReceivedSHA256)}
	}
	return t
}

func (r *Result) method(o Options) table {
	t := table{Heading: i18n.T("How this was done"), Class: "limits"}
	if o.Version != "" {
		t.Text = append(t.Text, i18n.F("Assay %s on %s wrote this report.", o.Version, systemName()))
	}
	switch {
	case r.Link != "":
		t.Text = append(t.Text, i18n.T("The link was sent to the service named above, which fetched what it leads to, and the answer was kept."))
	case r.SentSHA256 != "":
		t.Text = append(t.Text, i18n.T("A copy of the file without the metadata named above was sent to the service, and the answer was kept: the picture or sound in it is that of the file."))
	default:
		t.Text = append(t.Text, i18n.T("The file was sent to the service named above, and the answer was kept."))
	}
	t.Text = append(t.Text, i18n.T("Assay computes no verdict, average or threshold of its own: each number stands in the answer, in the field that is named beside it."))
	if r.Link == "" {
		t.Text = append(t.Text, i18n.T("A second examiner repeats this by sending the file with this SHA-256. A later release of the service may answer differently."))
	} else {
		t.Text = append(t.Text, i18n.T("A second examiner repeats this by sending the same link, as long as it leads to the same. A later release of the service may answer differently."))
	}
	return t
}

// systemName is the name of this computer's system.
func systemName() string {
	switch runtime.GOOS {
	case "darwin":
		return "macOS"
	case "windows":
		return "Windows"
	case "linux":
		return "Linux"
	}
	return runtime.GOOS
}

// verifyText says how what is in the report can be checked.
func (o Options) verifyText() string {
	if o.Bundle != "" {
		return i18n.F("How to verify: assay verify %s, or without Assay: sha256sum -c manifest-sha256.txt. VERIFY.txt in the bundle has every step. “Intact” means unchanged since it was sealed, no more.", o.Bundle)
	}
	return i18n.T("How to verify: assay verify --log on the computer that made this report. An evidence bundle (assay export --out NAME.zip) has the answers and hashes for anybody to check.")
}
