package results

import (
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/present"
)

// CopiedText is results for pasting into a chat, one a line, without a signed address. sandbox adds what must be said
// wherever a result of the sandbox is shown.
func CopiedText(rows []Row, now time.Time, sandbox bool) string {
	var b strings.Builder
	for _, r := range rows {
		parts := []string{r.Name, r.Line}
		if r.Score != "" {
			parts = append(parts, i18n.T(present.ScoreMeaning))
		}
		if r.RequestID != "" {
			parts = append(parts, i18n.F("request %s", r.RequestID))
		}
		if !r.At.IsZero() {
			parts = append(parts, i18n.DayTime(r.At.In(now.Location()), time.Time{}))
		}
		b.WriteString(oneLine(strings.Join(parts, " – ")) + "\n")
	}
	if sandbox && len(rows) > 0 {
		b.WriteString(i18n.T(present.SandboxNote) + "\n")
	}
	return b.String()
}

// oneLine keeps a name or a reason from beginning a line of its own.
func oneLine(text string) string { return plain.From(text).Folded().String() }
