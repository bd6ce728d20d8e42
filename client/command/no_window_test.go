package command_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/session"
)

// TestABuildWithoutAWindow is what is called with no window to open, as servers have it.
func TestABuildWithoutAWindow(t *testing.T) {
	call := func(t *testing.T, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		code = command.Main(t.Context(), session.Options{}, args, nil, &out, &errs, nil)
		return code, out.String(), errs.String()
	}
	for name, given := range map[string][]string{"nothing": nil, "a file": {picture("poster.png")}, "a link": {"https://example.org/a.jpg"}} {
		t.Run("given "+name+", it says that it has none, and what to call", func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			code, stdout, stderr := call(t, append(given, "--sandbox", "--home", home)...)
			assert.Equal(t, command.ExitMisuse, code)
			assert.Equal(t, "", stdout)
			assert.Equal(t, "assay: This Assay has no window. Use \"assay scan FILE…\" instead; \"assay --help\" lists the rest.\n", stderr)
			if _, err := os.Stat(home); !os.IsNotExist(err) {
				t.Errorf("its home was made: %v", err)
			}
		})
	}
	t.Run("flags of the window are not known", func(t *testing.T) {
		for _, flag := range []string{"--hidden", "--print"} {
			if code, _, stderr := call(t, flag); code != command.ExitMisuse || !strings.Contains(stderr, "unknown flag: "+flag) {
				t.Errorf("exit %d: %s", code, stderr)
			}
		}
	})
	t.Run("its help names the commands and promises no window", func(t *testing.T) {
		code, stdout, _ := call(t, "--help")
		assert.Equal(t, command.ExitAnswered, code)
		if !strings.Contains(stdout, "This build has no window") || !strings.Contains(stdout, "\n  scan ") || strings.Contains(stdout, "opens its window") {
			t.Error(stdout)
		}
	})
	t.Run("watch is told what becomes of the files, since nobody can say so later", func(t *testing.T) {
		home := filepath.Join(t.TempDir(), "home")
		code, _, stderr := call(t, "watch", t.TempDir(), "--sandbox", "--home", home)
		if code != command.ExitMisuse || !strings.Contains(stderr, "Use --gate send or --gate never") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if _, help, _ := call(t, "watch", "--help"); strings.Contains(help, "By default the files wait") || strings.Contains(help, `(default "ask")`) {
			t.Error(help)
		}
	})
	t.Run("scan answers", func(t *testing.T) {
		code, stdout, stderr := call(t, "scan", "--json", picture("generated.png"), "--sandbox", "--home", t.TempDir())
		if code != command.ExitAnswered || len(answers(t, stdout)) != 1 || answers(t, stdout)[0].Status != "FAKE" {
			t.Errorf("exit %d, %s, %s", code, stdout, stderr)
		}
	})
}
