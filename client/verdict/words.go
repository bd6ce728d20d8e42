package verdict

import (
	"cmp"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// Mark names the shape that is shown beside a verdict's words. gui/look draws the shapes.
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

// SandboxNote is shown, translated, beside every result of the sandbox.
const SandboxNote = "Sandbox: classic forensic signals, computed on this computer. Not a deepfake detector."

// HeatmapNote is what a model's heatmap means.
func HeatmapNote(model plain.Text) string {
	return i18n.F("Where %s reacted, not what was altered", model.Clip(longestName))
}

// Words are the words for one status.
type Words struct {
	Mark     Mark
	Headline string // the status, in full
	Short    string // the same in a narrow list
	InText   string // the same inside a sentence: "likely manipulated"
	After    string // the headline after a word and a colon: "likely manipulated or AI-generated"
	Sentence string // what it means and what it can't say
}

// Say returns the words for a final status; an unknown one is shown as sent.
func Say(s client.Status) Words {
	switch s {
	case client.Fake:
		return Words{MarkFake, i18n.T("Likely manipulated or AI-generated"), i18n.T("Likely manipulated"), i18n.T("likely manipulated"),
			i18n.T("likely manipulated or AI-generated"), i18n.T("The models found strong indications. Compression, filters and graphics can cause this too: seek a second, independent check.")}
	case client.Suspicious:
		return Words{MarkSuspicious, i18n.T("Suspicious: needs a human look"), i18n.T("Suspicious"), i18n.T("suspicious"),
			i18n.T("suspicious: needs a human look"), i18n.T("The models found indications, but not enough to decide. Look closely and check the source before you use it.")}
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
		return Words{MarkAnalysing, i18n.T("Analysing"), i18n.T("Analysing"), i18n.T("analysing"), i18n.T("analysing"), i18n.T("The models are still running.")}
	}
	sent := plain.From(string(s)).Clip(longestName).String()
	return Words{MarkNone, i18n.F("Unrecognised status: %s", sent), sent, sent, i18n.F("unrecognised status: %s", sent), i18n.T("This version of Assay does not know this status.")}
}

// Contradictory are the words for an answer that contradicts itself. It has no status of the service's, so that Say can't have them.
func Contradictory() Words {
	return Words{MarkSuspicious, i18n.T("The service contradicts itself: needs a human look"), i18n.T("Contradicts itself"), i18n.T("contradictory"),
		i18n.T("the service contradicts itself: needs a human look"), i18n.T("Parts of the answer say different things about the same file. Don't rely on any of them until somebody has looked.")}
}

// mostClaims is how many parts of an answer are quoted in a contradiction.
const mostClaims = 6

// contradiction says what each part of an answer says, in the service's words; "" where they do not contradict each other.
func contradiction(r *client.Result) string {
	claims := r.Contradiction()
	text := ""
	for i, c := range claims {
		said := claim(r, c)
		if more := len(claims) - i; i == mostClaims-1 && more > 1 {
			said = i18n.N(more, "and %s more", "and %s more")
		}
		if text == "" {
			text = said
			continue
		}
		text = i18n.F("%s; %s", text, said)
		if i == mostClaims-1 {
			break
		}
	}
	return text
}

func claim(r *client.Result, c client.Claim) string {
	status := foreign(plain.From(string(c.Status)))
	switch c.By {
	case client.ClaimOverall:
		return i18n.F("overall: %s", status)
	case client.ClaimSummary:
		return i18n.F("summary: %s", withScore(status, number(r.ResultsSummary.Metadata.FinalScore, "")))
	case client.ClaimEnsemble:
		if c.Model.DecisionOpposed() {
			status = i18n.F("%s, decision: %s", status, foreign(c.Model.Decision()))
		}
		return i18n.F("ensemble model %s: %s", ModelName(*c.Model), withScore(status, ModelScore(*c.Model)))
	case client.ClaimModels:
		return i18n.N(c.Count, "%[1]s model: %[2]s", "%[1]s models: %[2]s", status)
	case client.ClaimError:
		return i18n.F("error: “%s”", cmp.Or(foreign(c.Failure.Message), foreign(c.Failure.Code)))
	case client.ClaimLink:
		return "socialLinkDownloadFailed: true"
	}
	return string(c.By)
}

func withScore(status string, n *Number) string {
	if n == nil {
		return status
	}
	return i18n.F("%s, %s of 100", status, n.Text())
}

// ModelContradiction says that a model's decision is the opposite of its status; "" where it is not.
func ModelContradiction(m client.Model) string {
	if !m.DecisionOpposed() {
		return ""
	}
	return i18n.F("contradicts itself: status %s, decision %s", string(m.Status), foreign(m.Decision()))
}

// Label is what a person judged a result to be, in a word or two.
func Label(l client.Label) string {
	switch l {
	case client.LabelReal:
		return i18n.T("Real")
	case client.LabelSynthetic:
		return i18n.T("AI-generated")
	case client.LabelManipulated:
		return i18n.T("Manipulated")
	case client.LabelUnknown, "":
		return i18n.T("Not sure")
	}
	return plain.From(string(l)).Folded().String() // of a later version
}
