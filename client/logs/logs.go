// Package logs has what Assay writes of itself: lines without secrets, a file that does not grow for ever, crash reports, and the
// diagnostics that a person may hand on. It imports the standard library, plain and i18n.
package logs

import (
	"io"
	"log/slog"
	"strings"

	"assay/client/plain"
)

// New logs to w, from level on, a line each, with what is secret left out of the finished line: the secrets, the query of every address,
// and what stands behind the names of keys. secrets may gain more while it logs.
func New(w io.Writer, level slog.Level, secrets *Secrets) *slog.Logger {
	return slog.New(slog.NewTextHandler(&cleaner{w: w, secrets: secrets}, &slog.HandlerOptions{Level: level}))
}

// cleaner redacts the lines that are written to it, and makes them plain. A line is one call of Write, as slog's handlers make them.
type cleaner struct {
	w       io.Writer
	secrets *Secrets
}

// Write passes on what may be seen of a line.
func (c *cleaner) Write(line []byte) (int, error) {
	text := plain.Line(strings.TrimSuffix(c.secrets.Redact(string(line)), "\n"))
	if _, err := io.WriteString(c.w, text+"\n"); err != nil {
		return 0, err
	}
	return len(line), nil
}
