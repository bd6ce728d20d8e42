// Package verdict holds the words: it is the only place where a status, a reason or a score becomes a
// sentence, so that the screen, the tables, the exports and the subcommands say the same. It imports client and client/i18n.
package verdict

import (
	"fmt"
	"slices"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// Mark names the shape that stands beside a verdict's words. The shapes themselves are drawn by gui/look.
type Mark string

// The marks.
const (
	MarkFake          Mark = "fake"
	MarkSuspicious    Mark = "suspicious"
	MarkAuthentic     Mark = "authentic"
	MarkNotAssessable Mark = "not-assessable"
	MarkFailed        Mark = "failed"
	MarkAnalysing     Mark = "analysing"
	MarkNone          Mark = ""
)

// SandboxNote stands, translated, wherever a result of the sandbox is shown.
const SandboxNote = "Sandbox: classic forensic signals, computed on this computer. Not a deepfake detector."

// HeatmapNote is what a model's heatmap means.
func HeatmapNote(model plain.Text) string {
	return i18n.F("Where %s reacted, not what was altered", model.Clip(longestName))
}

// Words are how one status is said.
type Words struct {
	Mark     Mark
	Headline string // the status, in full
	Short    string // the same in a narrow list
	InText   string // the same inside a sentence: "likely manipulated"
	After    string // the headline behind a word and a colon: "likely manipulated or AI-generated"
	Sentence string // what it means and what it can't say
}

// Say returns the words for a final status; an unknown one is said as sent.
func Say(s client.Status) Words {
	switch s {
	case client.Fake:
		return Words{MarkFake, i18n.T("Likely manipulated or AI-generated"), i18n.T("Likely manipulated"), i18n.T("likely manipulated"),
			i18n.T("likely manipulated or AI-generated"), i18n.T("The models found strong indications. Compression, filters and graphics can cause this too: seek a second, independent check.")}
	case client.Suspicious:
		return Words{MarkSuspicious, i18n.T("Suspicious: needs a human look"), i18n.T("Suspicious"), i18n.T("suspicious"),
			i18n.T("suspicious: needs a human look"), i18n.T("The models found indications, but not enough to decide. Look closely and check the source before it is used.")}
	case client.Authentic:
		return Words{MarkAuthentic, i18n.T("No sign of manipulation found by these models"), i18n.T("No sign found"), i18n.T("no sign found"),
			i18n.T("no sign of manipulation found by these models"), i18n.T("That is not proof of authenticity: these models can miss what they do not know. Check source, place and time as always.")}
	case client.NotApplicable:
		return Words{MarkNotAssessable, i18n.T("Not assessable"), i18n.T("Not assessable"), i18n.T("not assessable"),
			i18n.T("not assessable"), i18n.T("The file has properties that keep the models from judging it. This says nothing about whether it is genuine.")}
	case client.UnableToEvaluate:
		return Words{MarkFailed, i18n.T("Not evaluated: processing failed"), i18n.T("Not evaluated"), i18n.T("not evaluated"),
			i18n.T("not evaluated: processing failed"), i18n.T("The service could not process the file.")}
	case client.Analyzing, client.Downloading, "":
		return Words{MarkAnalysing, i18n.T("Analysing"), i18n.T("Analysing"), i18n.T("analysing"), i18n.T("analysing"), i18n.T("The models are still at work.")}
	}
	sent := plain.From(string(s)).Clip(longestName).String()
	return Words{MarkNone, i18n.F("Unrecognised status: %s", sent), sent, sent, i18n.F("unrecognised status: %s", sent), i18n.T("This version of Assay does not know this status.")}
}

// How many characters of a name and of a sentence are shown that the service sent.
const (
	longestName    = 200
	longestMessage = 1000
)

// Number is a number on 0..100 that the service sent, and where it stands in the raw JSON.
type Number struct {
	Value float64
	Sent  string // the JSON as sent
	Field string // the path of its field, as in models[2].finalScore
}

// Text is the number for the screen: whole between 1 and 99, one digit more near the ends, where rounding would
// claim a certainty that was not sent, and as sent outside 0..100.
func (n Number) Text() string {
	switch {
	case n.Value < 0 || n.Value > 100:
		return n.Sent
	case n.Value > 99.9 && n.Value < 100:
		return ">" + i18n.Number(99.9, 1)
	case n.Value > 0 && n.Value < 0.1:
		return "<" + i18n.Number(0.1, 1)
	case n.Value > 0 && n.Value < 1 || n.Value > 99 && n.Value < 100:
		return i18n.Number(n.Value, 1)
	}
	return i18n.Number(n.Value, 0)
}

// The direction and meaning that stand, translated, next to a score.
const (
	ScoreMeaning = "0 no indication, 100 strong indication; a likelihood, not a share of the file"
	NoScore      = "no score reported"
)

// Reason is why a submission can't be assessed, with what to do about it.
type Reason struct {
	Code, Message, NextStep string
}

// Verdict is everything that is said of one result.
type Verdict struct {
	Words
	Status      client.Status
	Provisional bool    // models are still at work: no verdict is shown as one
	Progress    string  // "provisional, 2 of 4 models finished", "" when final
	Score       *Number // the ensemble's; nil: none was reported
	Agreement   string  // "2 of 3 applicable models flagged it; 1 failed"
	Reasons     []Reason
	Languages   []string
	Release     string
	// Contradiction is what the answer's own fields say against each other, in the service's words; "" where they do not.
	Contradiction string
}

// Of puts a result into words. It computes no verdict, average or threshold of its own.
func Of(r *client.Result) Verdict {
	v := Verdict{Words: Say(r.Status()), Status: r.Status(), Release: r.ReleaseVersion.Clip(longestName).String(), Provisional: !r.Final()}
	v.Agreement = agreement(r)
	if v.Provisional {
		v.Progress = progress(r)
		v.Mark = MarkAnalysing
		if v.Status.Terminal() {
			v.Headline, v.After = i18n.F("Provisional: %s", v.Headline), i18n.F("provisional: %s", v.After)
			v.Short, v.InText = i18n.T("Provisional"), i18n.T("provisional")
			v.Sentence = i18n.T("Models are still at work: this may change.")
		}
	}
	if v.Contradiction = contradiction(r); v.Contradiction != "" {
		v.Words = Contradictory()
	}
	v.Score = ensembleScore(r)
	if s := r.ResultsSummary; s != nil {
		v.Languages = languages(s.Metadata.Languages)
		v.Reasons = reasons(s.Metadata.Reasons)
		if s.Failure != nil && v.Status == client.UnableToEvaluate {
			v.Reasons = append(v.Reasons, explain(client.Reason(*s.Failure)))
		}
	}
	if v.Status == client.UnableToEvaluate && !slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.NextStep != "" }) {
		v.Sentence += " " + i18n.T(tryAgain)
	}
	if v.Status == client.NotApplicable && r.MediaType == client.Video && len(v.Reasons) == 0 {
		v.Reasons = append(v.Reasons, Reason{Message: i18n.T(noClipReason)})
	}
	return v
}

// Line is the verdict in one line, as the subcommands print it.
func (v Verdict) Line() string {
	if v.Provisional {
		return v.Headline + " (" + v.Progress + ")"
	}
	line := v.Headline
	switch {
	case v.Contradiction != "": // which has the scores, each with whose it is
		line += " (" + v.Contradiction + ")"
	case v.Score != nil:
		line = i18n.F("%s (ensemble %s of 100)", line, v.Score.Text())
	}
	for _, reason := range v.Reasons {
		line += " – " + reason.Message
	}
	return line
}

// Progress is how far an unfinished result is: "2 of 4 models finished".
func progress(r *client.Result) string {
	if len(r.Models) == 0 {
		return i18n.T("provisional, no model has started")
	}
	return i18n.N(len(r.Models), "provisional, %[2]s of %[1]s models finished", "provisional, %[2]s of %[1]s models finished",
		i18n.Count(len(r.Models)-r.Running()))
}

// agreement counts the single models; the ensemble is no vote of its own.
func agreement(r *client.Result) string {
	var applicable, flagged, suspicious, failed, running, apart int
	for _, m := range r.Models {
		switch {
		case m.IsEnsemble():
			continue
		case !m.Applies():
			apart++
			continue
		case m.Status == client.Fake:
			flagged++
		case m.Status == client.Suspicious:
			suspicious++
		case m.Status == client.UnableToEvaluate:
			failed++
		case m.Status == client.Analyzing:
			running++
		}
		applicable++
	}
	if applicable == 0 {
		if apart == 0 {
			return i18n.T("no single model reported")
		}
		return i18n.N(apart, "the one model there is does not apply", "none of %s models applies")
	}
	line := i18n.N(applicable, "%[2]s of %[1]s applicable model flagged it", "%[2]s of %[1]s applicable models flagged it", i18n.Count(flagged))
	for _, part := range []struct {
		n     int
		words i18n.Plural
	}{
		{suspicious, i18n.Plural{One: "%s called it suspicious", Other: "%s called it suspicious"}},
		{running, i18n.Plural{One: "%s still at work", Other: "%s still at work"}},
		{failed, i18n.Plural{One: "%s failed", Other: "%s failed"}},
		{apart, i18n.Plural{One: "%s not applicable", Other: "%s not applicable"}},
	} {
		if part.n > 0 {
			line = i18n.F("%s; %s", line, part.words.For(part.n))
		}
	}
	return line
}

// ensembleScore is the summary's final score, else the ensemble model's.
func ensembleScore(r *client.Result) *Number {
	if r.ResultsSummary != nil {
		if n := number(r.ResultsSummary.Metadata.FinalScore, "resultsSummary.metadata.finalScore"); n != nil {
			return n
		}
	}
	ensemble, ok := r.Ensemble()
	if !ok {
		return nil
	}
	return ModelScore(ensemble)
}

// ModelName is what a model is called, in one line.
func ModelName(m client.Model) string { return m.Name.Clip(longestName).String() }

// ModelScore is the number charted for a model: its normalised score, else its final one; nil where it reported neither.
func ModelScore(m client.Model) *Number {
	if n := number(m.Normalized, fieldOf(m, "normalizedPredictionNumber")); n != nil {
		return n
	}
	return number(m.Final, fieldOf(m, "finalScore"))
}

// ModelNumbers are all the numbers on 0..100 that a model reported.
func ModelNumbers(m client.Model) []Number {
	var all []Number
	for _, n := range []*Number{
		number(m.Normalized, fieldOf(m, "normalizedPredictionNumber")),
		number(m.Rolling, fieldOf(m, "rollingAvgNumber")),
		number(m.Final, fieldOf(m, "finalScore")),
	} {
		if n != nil {
			all = append(all, *n)
		}
	}
	return all
}

// RawScore is where a model's score before it was normalised stands, on a scale of its own, and its value as sent: "" for none.
func RawScore(m client.Model) (field, sent string) {
	if sent = m.Prediction.Sent(); sent == "" || sent == "null" {
		return "", ""
	}
	return fieldOf(m, "predictionNumber"), plain.From(sent).Folded().Clip(longestName).String() // it may be JSON of any kind
}

func fieldOf(m client.Model, name string) string { return fmt.Sprintf("models[%d].%s", m.Index, name) }

func number(s client.Score, field string) *Number {
	v, ok := s.Number()
	if !ok {
		return nil
	}
	return &Number{Value: v, Sent: s.Sent(), Field: field}
}

// noClipReason stands where a clip can't be assessed: the interface gives no reasons for clips.
const noClipReason = "The service gives no reasons for clips: its timeline and scenes, in the data, hold the detail."

// nextSteps is what to do about a reason code of the interface ("Errors").
var nextSteps = map[string]i18n.Key{
	"relevance":   "Try a crop with a larger face.",
	"duration":    "Use at least 1.5 seconds.",
	"detected":    "Use a part without music or dial tone.",
	"cross-talk":  "Use a part with one speaker.",
	"quality":     "Find a cleaner copy.",
	"language":    "The language named is outside the model.",
	"model-error": tryAgain,
}

const tryAgain = "Try again, or try a smaller file."

// reasons are as many as are shown, and that there are more.
func reasons(sent []client.Reason) []Reason {
	var said []Reason
	for _, r := range sent[:min(len(sent), mostReasons)] {
		said = append(said, explain(r))
	}
	if more := len(sent) - mostReasons; more > 0 {
		said = append(said, Reason{Message: AndMore(more)})
	}
	return said
}

// languages likewise.
func languages(sent []plain.Text) []string {
	var said []string
	for _, language := range sent[:min(len(sent), mostLanguages)] {
		said = append(said, foreign(language))
	}
	if more := len(sent) - mostLanguages; more > 0 {
		said = append(said, AndMore(more))
	}
	return said
}

func explain(r client.Reason) Reason {
	code, message := r.Code.Clip(longestName).String(), r.Message.Folded().Clip(longestMessage).String()
	if message == "" {
		message = i18n.F("Reason given: %s", code)
	}
	return Reason{Code: code, Message: message, NextStep: i18n.T(nextSteps[r.Code.String()])}
}

// Gap is the word in a chart for a model without a score.
func Gap(m client.Model) string {
	switch m.Status {
	case client.Analyzing, "":
		return i18n.T("still at work")
	case client.UnableToEvaluate:
		return i18n.T("failed")
	}
	return i18n.T(NoScore)
}
