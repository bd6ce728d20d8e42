package verdict

import (
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// Contradictory are the words for an answer that contradicts itself. Its status is none of the service's, so that Say does not know it.
func Contradictory() Words {
	return Words{MarkSuspicious, i18n.T("The service contradicts itself: needs a human look"), i18n.T("Contradicts itself"), i18n.T("contradictory"),
		i18n.T("the service contradicts itself: needs a human look"), i18n.T("Parts of the answer say different things of the same file. Rely on none of them before somebody has looked.")}
}

// mostClaims is how many parts of an answer are said to contradict each other.
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
		return i18n.F("error: %s", strings.TrimSpace(foreign(c.Failure.Code)+" "+foreign(c.Failure.Message)))
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

// ModelContradiction says that a model's decision is the opposite of its status, "" where it is not.
func ModelContradiction(m client.Model) string {
	if !m.DecisionOpposed() {
		return ""
	}
	return i18n.F("contradicts itself: status %s, decision %s", string(m.Status), foreign(m.Decision()))
}
