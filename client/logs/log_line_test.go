package logs_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"assay/client/logs"
	"assay/client/plain/plaintest"
)

func TestALineOfTheLogIsOneLine(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		var out bytes.Buffer
		log := logs.New(&out, slog.LevelDebug, new(logs.Secrets))
		log.Info(text, text, text, "error", errors.New(text), slog.Group(text, "a", text))
		plaintest.Lines(t, out.String())
		if strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%q", out.String())
		}
	}
}
