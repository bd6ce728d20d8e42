package present

import (
	"strings"

	"assay/client"
	"assay/client/folders"
	"assay/client/verdict"
)

// BatchNotification says what came of a batch of files of watched folders, in one notification; "" for both where there is nothing
// to say. It is of fixed words and numbers alone: some systems run what a notification's text holds through a shell, so that a
// name, a link or the service's own words must never get into one. sandbox adds what must be said wherever a result of the
// sandbox is shown.
func BatchNotification(b folders.Batch, sandbox bool) (title, text string) {
	var sentences []string
	if b.Answered > 0 {
		sentences = append(sentences, checkedText(b))
	}
	add := func(n int, words string) {
		switch {
		case n == 0:
		case len(sentences) == 0: // it says what is counted
			sentences = append(sentences, CountInFull(n)+" "+oneOr(n, "file", "files")+" "+words+".")
		default:
			sentences = append(sentences, CountInFull(n)+" "+words+".")
		}
	}
	add(b.Failed, "could not be checked")
	add(b.Held, oneOr(b.Held, "waits", "wait")+" for your decision")
	if len(sentences) == 0 {
		return "", ""
	}
	if sandbox && b.Answered > 0 {
		sentences = append(sentences, SandboxNote)
	}
	return "Assay", strings.Join(sentences, " ")
}

// checkedText counts the answers of a batch by the words that stand in the lists for them.
func checkedText(b folders.Batch) string {
	var counts []string
	for _, c := range []struct {
		n     int
		words string
	}{
		{b.Fake, inText(client.Fake)}, {b.Suspicious, inText(client.Suspicious)}, {b.Authentic, inText(client.Authentic)}, {b.Other, "without a verdict"},
	} {
		switch {
		case c.n == 0:
		case b.Answered == 1:
			counts = append(counts, c.words)
		default:
			counts = append(counts, CountInFull(c.n)+" "+c.words)
		}
	}
	text := CountInFull(b.Answered) + " " + oneOr(b.Answered, "file", "files") + " checked"
	if len(counts) > 0 {
		text += ": " + strings.Join(counts, ", ")
	}
	return text + "."
}

// inText is a status's short words within a sentence.
func inText(s client.Status) string { return strings.ToLower(verdict.Say(s).Short) }
