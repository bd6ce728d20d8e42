package present

import (
	"strings"
	"time"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
)

// Viewer is everything that the viewer shows of one submission.
type Viewer struct {
	ID      string
	Path    string // the person's own file, "" for a link
	Link    string // "" for a file
	Name    string
	Facts   string   // size, times, release
	Copy    string   // which copy of the file was analysed in its place; "" for none
	SHA256  string   // of the file that was submitted, hex; "" for a link
	Request string   // the request ID
	By      string   // the colleague whose answer it is, "" for none
	Note    string   // the person's own, or ""
	Tags    []string // likewise
	Cases   []Case   // that it is in
	Medium  Medium
	Verdict verdict.Verdict
	Body    []string // the card's paragraphs under the headline
	Bars    []Bar
	NotBars []string // models that do not apply; of very many, the first ones and how many more
	// BelowBars says which of the bars' models contradict themselves, and how many models are not among the bars, a line each; "" for none.
	BelowBars string
	Heatmaps  []plain.Text // models with a usable heatmap
	Care
	HasSound bool // it is a clip whose sound has a result of its own
	// Near are the results that are nearly the same, the nearest first.
	Near []Near
	// Theirs is the file itself, where a colleague has shared it and it is not here.
	Theirs TheirFile
}

// HeatmapNote is the note under a model's heatmap.
func HeatmapNote(model plain.Text) string {
	return verdict.HeatmapNote(model) + " · " + i18n.T("colours as sent")
}

// ScoreMeaning is the direction and meaning of every score, to be translated where it is shown.
const ScoreMeaning = verdict.ScoreMeaning

// SandboxNote is shown, translated, beside every result of the sandbox.
const SandboxNote = verdict.SandboxNote

// Case is a case, by its title as it is shown.
type Case struct{ ID, Title string }

// ScoreSource is the path of the ensemble's score in the answer, and its value as sent; "" for no score.
func (v Viewer) ScoreSource() string {
	if v.Verdict.Score == nil {
		return ""
	}
	return v.Verdict.Score.Field + " = " + v.Verdict.Score.Sent
}

// ViewerOf makes the view model of an answered submission.
func ViewerOf(s submission.Submission, now time.Time) Viewer {
	v := Viewer{ID: s.ID, Path: s.Path, Link: s.Link, Name: s.Name, Note: s.Note, Tags: s.Tags, SHA256: s.SHA256, Request: s.RequestID, Medium: MediumOf(s.Result.MediaType), Verdict: verdict.Of(s.Result)}
	v.By = Person(s.AnsweredBy.Name)
	v.Care = Care{Watched: s.Source == submission.Watched, Graphic: s.Graphic}
	v.Facts, v.Copy = facts(s, v.Verdict, now), custody.CopyWords(s)
	v.Body = body(v.Verdict)
	var more int
	v.Bars, v.NotBars, more = barsOf(s.Result.Models)
	v.BelowBars = belowBars(v.Bars, more)
	_, v.HasSound = s.Result.Sound(s.RequestID)
	for _, h := range s.Result.UsableHeatmaps() {
		v.Heatmaps = append(v.Heatmaps, h.Model)
	}
	return v
}

func facts(s submission.Submission, v verdict.Verdict, now time.Time) string {
	var parts []string
	if part := s.Copy.Part; part != (submission.Part{}) {
		parts = append(parts, i18n.F("part %s–%s", i18n.ElapsedShort(part.From.Seconds()), i18n.ElapsedShort(part.To.Seconds())))
	}
	if s.Size > 0 {
		parts = append(parts, i18n.Size(s.Size))
	}
	if s.Source != "" && s.Source != submission.Service && s.Source != submission.Desk {
		parts = append(parts, SourceText(s.Source, s.Folder))
	}
	if !s.Uploaded.IsZero() {
		parts = append(parts, i18n.F("sent %s", i18n.DayTime(s.Uploaded, now)))
	}
	if s.Link != "" && bool(s.Result.SocialLinkDownloaded) {
		parts = append(parts, i18n.T("fetched by the service"))
	}
	switch {
	case s.Answered.IsZero():
	case s.AnsweredBy.Name != "":
		parts = append(parts, AnswerOf(s.AnsweredBy, now))
	case s.Source == submission.Service:
		parts = append(parts, i18n.T("by another device"), i18n.F("this copy saved %s", i18n.DayTime(s.Answered, now)))
	default:
		parts = append(parts, i18n.F("answered %s", i18n.DayTime(s.Answered, now)))
	}
	if v.Release != "" {
		parts = append(parts, i18n.F("release %s", v.Release))
	}
	if len(v.Languages) > 0 {
		parts = append(parts, i18n.F("languages: %s", strings.Join(v.Languages, ", ")))
	}
	return Joined(parts...)
}

// body is the text of the card: the contradiction, what the status means, why, and what to do.
func body(v verdict.Verdict) []string {
	var paragraphs []string
	if v.Contradiction != "" {
		paragraphs = append(paragraphs, v.Contradiction)
	}
	paragraphs = append(paragraphs, v.Sentence)
	for _, r := range v.Reasons {
		paragraphs = append(paragraphs, r.Text())
	}
	return paragraphs
}
