package command_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/command"
	"assay/client/sandbox"
)

// soon is less than the subcommands once waited for copies that never came, and more than a busy machine needs to end.
const soon = 4 * time.Second

// printing calls do once a line that holds this is printed.
type printing struct {
	text bytes.Buffer
	this string
	do   func()
}

func (p *printing) Write(b []byte) (int, error) {
	n, err := p.text.Write(b)
	if p.do != nil && strings.Contains(p.text.String(), p.this) {
		p.do()
		p.do = nil
	}
	return n, err
}

// TestWhatFailsBehindAnAnswerHoldsNobodyUp is about pictures and details that can't be fetched.
func TestWhatFailsBehindAnAnswerHoldsNobodyUp(t *testing.T) {
	setKey(t)
	for _, text := range []string{"artifact:503", "artifact:503,retry-after=50", "artifact:500", "artifact:reset"} {
		fault, err := sandbox.ParseFault(text)
		must(t, err)
		for _, signal := range []bool{false, true} {
			name := "a scan ends with its last answer: "
			if signal {
				name = "a signal ends a watch at once: "
			}
			t.Run(name+text, func(t *testing.T) {
				t.Parallel()
				service := startService(t, sandbox.Options{Faults: []sandbox.Fault{fault}})
				ctx, stop := context.WithTimeout(t.Context(), patience)
				defer stop()
				var printed time.Time
				out := &printing{this: "1.png: ", do: func() { printed = time.Now() }}
				var errs bytes.Buffer
				file := pictures(t, 1)[0]
				args := []string{"scan", "--server", service.url, "--home", t.TempDir(), file}
				if signal {
					out.do = func() {
						printed = time.Now()
						stop()
					}
					args = []string{"watch", "--server", service.url, "--home", t.TempDir(), "--gate", "send", "--all", "--quiet", "200ms", filepath.Dir(file)}
				}
				code := command.Run(ctx, args, out, &errs, nil)
				if code != command.ExitAnswered || printed.IsZero() {
					t.Fatalf("exit %d: %q, %q", code, out.text.String(), errs.String())
				}
				if took := time.Since(printed); took > soon {
					t.Errorf("it ended %v after the answer: %q", took, errs.String())
				}
			})
		}
	}
}
