package logs

import (
	"log/slog"
	"strings"
	"testing"
	"time"
)

// FuzzToldLine holds that whatever stands in a line of the log, diagnostics tell one line of printable ASCII and of bounded length; and that
// nothing which slog itself wrote there for somebody's words can become an attribute of Assay's own.
func FuzzToldLine(f *testing.F) {
	for _, seed := range []string{
		`time=2026-05-01T10:20:30Z level=INFO msg="sent it" count=3 path=/home/jane`, `time=x level=INFO msg=a`, `time=2026-05-01T10:20:30Z level=INFO msg="a\nb" id="`, "jane status=FAKE\ncount=1", `" status=FAKE x="`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check := func(line string) (told string) {
			told = toldLine(line)
			if len(told) > 10_000+len(line) || strings.ContainsFunc(told, func(r rune) bool { return r < ' ' || r > '~' && r != '…' }) {
				t.Errorf("%q is told as %q", line, told)
			}
			return told
		}
		check(text)
		var line strings.Builder
		slog.New(slog.NewTextHandler(&line, nil)).Info(text, "name", text, text, "x", "count", 7) //nolint:sloglint // any words
		told := check(line.String())
		if strings.TrimSpace(text) != "" && told != "" && !strings.HasSuffix(told, " count=7") {
			t.Errorf("%q is told as %q", line.String(), told)
		}
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", strings.SplitN(told+" ", " ", 2)[0]); told != "" && err != nil {
			t.Errorf("%q is told as %q", line.String(), told)
		}
		for _, attribute := range []string{" status=", " id=", " state=", " cause=", " kind=", " attempt=", " call="} {
			if strings.Contains(told, attribute) {
				t.Errorf("words became %s: %q is told as %q", attribute, line.String(), told)
			}
		}
	})
}
