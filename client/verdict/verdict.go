// Package verdict holds the words: it is the only place where a status, a reason or a score becomes a
// sentence, so that the screen, the tables, the exports and the subcommands say the same. It imports client and client/i18n.
package verdict

import (
	"fmt"
	"slices"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// How many characters of the service's names and sentences are shown.
const (
	longestName    = 200
	longestMessage = 1000
)

// Number is a number on 0..100 that the service sent, with its path in the raw JSON.
type Number struct {
	Value float64
	Sent  string // the JSON as sent
	Field string // the path of its field, as in models[2].finalScore
}

// Text is the number as it is shown: a whole number between 1 and 99; near the ends one more digit, since rounding would claim a certainty that was
// not sent; outside 0..100 as sent.
func (n Number) Text() string {
	switch {
	case n.Value < 0 || n.Value > 100:
		return n.Sent
	case n.Value > 99.9 && n.Value < 100:
		return ">" + i18n.Number(99.9, 1)
	case n.Value > 0 && n.Value < 0.1:
		return "<" + i18n.Number(0.1, 1)
	case n.Value > 0 && n.Value < 0.95 || n.Value >= 99.05 && n.Value < 100: // one that rounds to 1 or 99 is shown as these are, not as 1.0 or 99.0
		return i18n.Number(n.Value, 1)
	}
	return i18n.Number(n.Value, 0)
}

// The direction and the meaning of scores; they are shown, translated, beside each score.
const (
	ScoreMeaning = "0 no indication, 100 strong indication; a likelihood, not a share of the file"
	NoScore      = "no score reported"
)

// Reason is why a submission can't be assessed, with what to do about it.
type Reason struct {
	Code, Message string // the service's, on one line; "" for what it did not send
	NextStep      string // Assay's sentence about what may help; "" for none
	Own           bool   // Message is a sentence of Assay's, and is not quoted
}

// Said is the reason as a sentence: the service's words in quotation marks. Its code is named only if it is all that the service sent.
func (r Reason) Said() string {
	switch {
	case r.Own:
		return r.Message
	case r.Message == "" && r.Code != "":
		return i18n.F("The service gives only a code: %s.", r.Code)
	}
	return client.Says(plain.From(r.Message)).String()
}

// Text is Said, and the next step as a sentence of its own.
func (r Reason) Text() string { return strings.TrimSpace(r.Said() + " " + r.NextStep) }

// ModelFailure is why a model has failed; the zero Reason where the service gives no reason.
func ModelFailure(m client.Model) Reason {
	code, message := m.FailureText()
	return Reason{Code: code.String(), Message: message.String()}
}

// Verdict is all the words for one result.
type Verdict struct {
	Words
	Status      client.Status
	Provisional bool    // models are still running: no verdict is shown as final
	Progress    string  // "provisional, 2 of 4 models finished", "" when final
	Score       *Number // the ensemble's; nil: none was reported
	Agreement   string  // "2 of 3 applicable models flagged it; 1 failed"
	Reasons     []Reason
	Languages   []string
	Release     string
	// Contradiction says how the answer's own fields contradict each other, in the service's words; "" where they do not.
	Contradiction string
	// Voice is the verdict on a clip's sound, which the service gives as a result of its own; nil where there is none, or it isn't known yet.
	Voice *Verdict
	// VoiceUnknown says that the sound of a clip has a result of its own, and that it isn't known yet.
	VoiceUnknown bool
}

// Of makes the words for a result. It computes no verdict, average or threshold of its own.
func Of(r *client.Result) Verdict {
	v := Verdict{Words: Say(r.Status()), Status: r.Status(), Release: r.ReleaseVersion.Clip(longestName).String(), Provisional: !r.Final()}
	v.Agreement = agreement(r)
	if v.Provisional {
		v.Progress = progress(r)
		v.Mark = MarkAnalysing
		if v.Status.Terminal() {
			v.Headline, v.After = i18n.F("Provisional: %s", v.Headline), i18n.F("provisional: %s", v.After)
			v.Short, v.InText = i18n.T("Provisional"), i18n.T("provisional")
			v.Sentence = i18n.T("Models are still running: this may change.")
		}
	}
	if v.Contradiction = contradiction(r); v.Contradiction != "" {
		v.Words = Contradictory()
	}
	v.Score = ensembleScore(r)
	if r.Voice != nil {
		voice := Of(r.Voice)
		v.Voice = &voice
	} else if _, ok := r.Sound(r.RequestID); ok && !v.Provisional {
		v.VoiceUnknown = true
	}
	if s := r.ResultsSummary; s != nil {
		v.Languages = languages(s.Metadata.Languages)
		v.Reasons = reasons(s.Metadata.Reasons, r.MediaType)
		if s.Failure != nil && v.Status == client.UnableToEvaluate {
			v.Reasons = append(v.Reasons, explain(client.Reason(*s.Failure), r.MediaType))
		}
	}
	if v.Status == client.UnableToEvaluate && !slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.NextStep != "" }) {
		v.Sentence += " " + i18n.T(tryAgain)
	}
	if v.Status == client.NotApplicable && r.MediaType == client.Video && len(v.Reasons) == 0 {
		v.Reasons = append(v.Reasons, Reason{Message: i18n.T(noClipReason), Own: true})
	}
	return v
}

// Line is the verdict in one line, as subcommands print it.
func (v Verdict) Line() string {
	if v.Provisional {
		return v.Headline + " (" + v.Progress + ")"
	}
	line := v.Headline
	switch {
	case v.Contradiction != "": // it has the scores, each with its model
		line += " (" + v.Contradiction + ")"
	case v.Score != nil:
		line = i18n.F("%s (ensemble %s of 100)", line, v.Score.Text())
	}
	for _, reason := range v.Reasons {
		line += " – " + reason.Said()
	}
	return line
}

// VoiceLine is what the service says of a clip's voice, in short, to stand beside the verdict on its picture; "" where it says nothing of it alone.
func (v Verdict) VoiceLine() string {
	switch {
	case v.VoiceUnknown:
		return i18n.T("Voice: not known yet")
	case v.Voice == nil:
		return ""
	case v.Voice.Score == nil:
		return i18n.F("Voice: %s", v.Voice.InText)
	}
	return i18n.F("Voice: %s", v.Voice.InText+" "+v.Voice.Score.Text())
}

// progress says how far an unfinished result is: "2 of 4 models finished".
func progress(r *client.Result) string {
	if len(r.Models) == 0 {
		return i18n.T("provisional, no model has started")
	}
	return i18n.N(len(r.Models), "provisional, %[2]s of %[1]s models finished", "provisional, %[2]s of %[1]s models finished",
		i18n.Count(len(r.Models)-r.Running()))
}

// agreement counts single models; the ensemble does not count as one.
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
		return i18n.N(apart, "the only model is not applicable", "none of the %s models is applicable")
	}
	line := i18n.N(applicable, "%[2]s of %[1]s applicable model flagged it", "%[2]s of %[1]s applicable models flagged it", i18n.Count(flagged))
	for _, part := range []struct {
		n     int
		words i18n.Plural
	}{
		{suspicious, i18n.Plural{One: "%s called it suspicious", Other: "%s called it suspicious"}},
		{running, i18n.Plural{One: "%s still running", Other: "%s still running"}},
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

// ModelName is a model's name, in one line.
func ModelName(m client.Model) string { return m.Name.Clip(longestName).String() }

// ModelScore is the number that a chart shows for a model: its normalised score, else its final one; nil where it has neither.
func ModelScore(m client.Model) *Number {
	if n := number(m.Normalized, fieldOf(m, "normalizedPredictionNumber")); n != nil {
		return n
	}
	return number(m.Final, fieldOf(m, "finalScore"))
}

// ModelNumbers are all numbers on 0..100 of a model.
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

// RawScore is the field of a model's score before it was normalised, which has a scale of its own, and its value as sent; "" for none.
func RawScore(m client.Model) (field, sent string) {
	if sent = m.Prediction.Sent(); sent == "" || sent == "null" {
		return "", ""
	}
	return fieldOf(m, "predictionNumber"), plain.From(sent).Folded().Clip(longestName).String() // it may be any JSON
}

func fieldOf(m client.Model, name string) string { return fmt.Sprintf("models[%d].%s", m.Index, name) }

func number(s client.Score, field string) *Number {
	v, ok := s.Number()
	if !ok {
		return nil
	}
	return &Number{Value: v, Sent: s.Sent(), Field: field}
}

// noClipReason is shown where a clip can't be assessed: the interface has no reasons for clips.
const noClipReason = "The service gives no reasons for clips. The detail is in its timeline and scenes, in the data."

// nextSteps says what the person can do, by the reason codes of the interface ("Errors") for a medium: elsewhere the same code may mean another thing.
var nextSteps = map[client.MediaType]map[string]i18n.Key{
	client.Image: {"relevance": "Try a crop with a larger face."},
	client.Audio: {
		"duration":   "Use at least 1.5 seconds.",
		"detected":   "Use a part without music or dial tone.",
		"cross-talk": "Use a part with one speaker.",
		"quality":    "Find a cleaner copy.",
		"language":   unknownLanguage,
	},
	client.Text: {"language": unknownLanguage},
}

const (
	unknownLanguage i18n.Key = "The model does not know this language."
	smallerFile     i18n.Key = "It may help to try a smaller file." // for "model-error", of any medium
)

const tryAgain = "Try again, or try a smaller file."

// reasons are the first reasons, and how many more there are.
func reasons(sent []client.Reason, medium client.MediaType) []Reason {
	var said []Reason
	for _, r := range sent[:min(len(sent), mostReasons)] {
		said = append(said, explain(r, medium))
	}
	if more := len(sent) - mostReasons; more > 0 {
		said = append(said, Reason{Message: AndMore(more), Own: true})
	}
	return said
}

// languages are the first languages, and how many more there are.
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

func explain(r client.Reason, medium client.MediaType) Reason {
	code, message := r.Code.Clip(longestName).String(), r.Message.Folded().Clip(longestMessage).String()
	next := nextSteps[medium][code]
	if code == "model-error" {
		next = smallerFile
	}
	return Reason{Code: code, Message: message, NextStep: i18n.T(next)}
}

// Gap is the word that a chart shows for a model without a score.
func Gap(m client.Model) string {
	switch m.Status {
	case client.Analyzing, "":
		return i18n.T("still running")
	case client.UnableToEvaluate:
		return i18n.T("failed")
	}
	return i18n.T(NoScore)
}

// What is shown of an answer of any size. The rest is counted in a sentence; the raw JSON has all of it.
const (
	MostModels    = 100 // in a list or a chart
	mostReasons   = 10
	mostLanguages = 10
)

// foreign makes a text from the service fit for a line.
func foreign(text plain.Text) string { return text.Folded().Clip(longestName).String() }

// Names are the names of as many models as fit into a sentence, and how many more there are.
func Names(models []client.Model) []string {
	names := make([]string, 0, min(len(models), MostModels))
	for _, m := range models {
		if len(names) == MostModels {
			return append(names, AndMore(len(models)-MostModels))
		}
		names = append(names, ModelName(m))
	}
	return names
}

// AndMore counts what is not shown: "and 19,900 more".
func AndMore(n int) string { return i18n.N(n, "and %s more", "and %s more") }

// Foremost are the models to be listed, at most MostModels: if there are more, the ensembles first, then those that flagged something, each in the
// order sent. more is how many are left out.
func Foremost(models []client.Model) (listed []client.Model, more int) {
	if len(models) <= MostModels {
		return models, 0
	}
	ranked := make([][]client.Model, 4)
	for _, m := range models {
		if rank := rankOf(m); len(ranked[rank]) < MostModels {
			ranked[rank] = append(ranked[rank], m)
		}
	}
	return slices.Concat(ranked...)[:MostModels], len(models) - MostModels
}

func rankOf(m client.Model) int {
	switch {
	case m.IsEnsemble() && m.Applies():
		return 0
	case m.Status == client.Fake, m.DecisionOpposed():
		return 1
	case m.Status == client.Suspicious:
		return 2
	}
	return 3
}
