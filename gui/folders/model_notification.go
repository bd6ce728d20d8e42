package folders

import (
	"strings"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/present"
)

// BatchNotification says what came of a batch of files of watched folders, in one notification; "" for both where there is nothing
// to say. It is of fixed words and numbers alone: some systems run what a notification's text holds through a shell, so that a
// name, a link or the service's own words must never get into one. sandbox adds what must be said wherever a result of the
// sandbox is shown.
func BatchNotification(b clientfolders.Batch, sandbox bool) (title, text string) {
	var sentences []string
	if b.Answered > 0 {
		sentences = append(sentences, checkedText(b))
	}
	if b.Failed > 0 {
		if len(sentences) == 0 { // it says what is counted
			sentences = append(sentences, i18n.N(b.Failed, "%s file could not be checked.", "%s files could not be checked."))
		} else {
			sentences = append(sentences, i18n.N(b.Failed, "%s could not be checked.", "%s could not be checked."))
		}
	}
	if b.Held > 0 {
		if len(sentences) == 0 {
			sentences = append(sentences, i18n.N(b.Held, "%s file waits for your decision.", "%s files wait for your decision."))
		} else {
			sentences = append(sentences, i18n.N(b.Held, "%s waits for your decision.", "%s wait for your decision."))
		}
	}
	if len(sentences) == 0 {
		return "", ""
	}
	if sandbox && b.Answered > 0 {
		sentences = append(sentences, i18n.T(present.SandboxNote))
	}
	return "Assay", strings.Join(sentences, " ")
}

// checkedText counts the answers of a batch by the words that stand in the lists for them.
func checkedText(b clientfolders.Batch) string {
	var counts []string
	for _, c := range []struct {
		n     int
		words string
	}{
		{b.Fake, verdict.Say(client.Fake).InText}, {b.Suspicious, verdict.Say(client.Suspicious).InText},
		{b.Contradictory, verdict.Contradictory().InText}, {b.Authentic, verdict.Say(client.Authentic).InText}, {b.Other, i18n.T("without a verdict")},
	} {
		switch {
		case c.n == 0:
		case b.Answered == 1:
			counts = append(counts, c.words)
		default:
			counts = append(counts, i18n.Count(c.n)+" "+c.words)
		}
	}
	if len(counts) == 0 {
		return i18n.N(b.Answered, "%s file checked.", "%s files checked.")
	}
	return i18n.N(b.Answered, "%[1]s file checked: %[2]s.", "%[1]s files checked: %[2]s.", strings.Join(counts, ", "))
}
