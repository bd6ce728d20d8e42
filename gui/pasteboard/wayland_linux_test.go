package pasteboard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// TestReadWayland has a script stand in for the reader. Both are run as the reader is: by name, from the path.
func TestReadWayland(t *testing.T) {
	for name, c := range map[string]struct {
		reader string // what the script does
		want   Content
		err    error
	}{
		"files before a picture":      {reader: offers("image/png", "text/uri-list", "UTF8_STRING") + `case "$*" in *text/uri-list) printf 'file:///a%%20b.jpg\r\n';; *) exit 9;; esac`, want: Content{Paths: []string{"/a b.jpg"}}},
		"a picture before text":       {reader: offers("text/html", "image/png", "text/plain;charset=utf-8") + `case "$*" in "--no-newline --type image/png") printf 'PNG\n\n';; *) exit 9;; esac`, want: Content{Picture: []byte("PNG\n\n")}},
		"links that are no files":     {reader: offers("text/uri-list", "UTF8_STRING") + `printf 'https://example.org/'`, want: Content{Text: "https://example.org/"}},
		"text of a program of GTK":    {reader: offers("text/plain", "text/plain;charset=utf-8") + `printf 'ä'`, want: Content{Text: "ä"}},
		"what Assay has no use for":   {reader: offers("application/x-colour")},
		"nothing":                     {reader: `echo "Nothing is copied" >&2; exit 1`},
		"nothing, of another version": {reader: `echo "No selection" >&2; exit 1`},
		"no session":                  {reader: `echo "Failed to connect to a Wayland server" >&2; exit 1`, err: ErrUnreachable},
		"what was copied is gone":     {reader: offers("image/png") + `exit 1`, err: ErrUnreachable},
		"a list without end":          {reader: `exec yes text/plain`, err: ErrTooLarge},
		"not installed":               {err: ErrNoReader},
	} {
		t.Run(name, func(t *testing.T) {
			install(t, c.reader)
			got, err := Read(t.Context(), true)
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a program that does not hand it over is not waited for", func(t *testing.T) {
		install(t, offers("image/png")+`exec sleep 60`)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		begun := time.Now()
		if _, err := Read(ctx, true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begun); took > patience {
			t.Errorf("it took %s", took)
		}
	})
}

// offers has the script list forms.
func offers(forms ...string) string {
	return `if [ "$1" = --list-types ]; then printf '%s\n' '` + strings.Join(forms, "' '") + `'; exit; fi; `
}

// install makes the script the only reader there is; "" makes none.
func install(t *testing.T, script string) {
	t.Helper()
	folder := t.TempDir()
	if script == "" {
		t.Setenv("PATH", folder)
		return
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	assert.NoError(t, os.WriteFile(filepath.Join(folder, reader), []byte("#!/bin/sh\n"+script+"\n"), 0o700)) //nolint:gosec // a program
}
