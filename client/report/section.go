package report

import (
	"context"
	"html/template"
	"slices"
	"strings"
	"time"

	"assay/assets"
	"assay/client/i18n"
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
		h.Made = i18n.F("made %s", i18n.Moment(o.Made))
		if _, east := o.Made.Zone(); east != 0 {
			h.Made = i18n.F("made %s, %s UTC", i18n.Moment(o.Made), o.Made.UTC().Format(time.TimeOnly))
		}
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
		Result: r, Heading: r.Name, LaterNote: r.laterNote(), FactsHeading: i18n.T("What was received"),
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
		s.Provisional = i18n.T("This result is provisional: models are still running. It is not final, and neither is this report.")
	}
	s.Facts, s.AnswerSHA256, s.AnswerLabel = r.factRows(), r.answerSHA256(), i18n.T("SHA-256 of the answer")
	if s.Picture != nil && s.Picture.Received {
		size := i18n.F("%d × %d pixels", s.Picture.Source.X, s.Picture.Source.Y)
		s.Facts = slices.Insert(s.Facts, min(3, len(s.Facts)), row{text(i18n.T("Dimensions")), text(size)})
	}
	s.Tables = []table{r.times(), r.feedbackTable(), o.Case.signOffOf(r.ID)}
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
		s.PictureNote = i18n.T("The picture is left out of this report. Its SHA-256 says which file it was.")
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
