package command_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/command"
	"assay/client/sandbox"
	"assay/client/session"
)

// recheckLine is what recheck --json prints of an item.
type recheckLine struct {
	answer
	Before *struct {
		RequestID, Status, Verdict string
		Release                    string `json:"releaseVersion"`
	}
	Changed     *bool
	WhatChanged string
}

// TestRecheck does it alone, and through a window that is open.
func TestRecheck(t *testing.T) {
	for _, window := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "through the window"}[window], func(t *testing.T) {
			setKey(t)
			files := pictures(t, 4)
			second := sum(t, files[1])
			service := startService(t, sandbox.Options{Revise: func(nth int, r *sandbox.Revision) {
				if r.SHA256 == second && nth == 2 {
					r.Release, r.Status, r.Score = "sandbox-2", client.Fake, client.NewScore(91)
				}
			}})
			home := t.TempDir()
			call := func(args ...string) (code int, stdout, stderr string) {
				t.Helper()
				var out, errs bytes.Buffer
				code = command.Main(t.Context(), session.Options{}, append(args, "--server", service.url, "--home", home), strings.NewReader("yes\n"), &out, &errs, nil)
				return code, out.String(), errs.String()
			}
			if window {
				openWindowOf(t, "--server", service.url, "--home", home)
			}
			code, stdout, stderr := call(append([]string{"scan", "--json"}, files...)...)
			assert.True(t, code == command.ExitAnswered, "exit %d: %s", code, stderr)
			var ids []string
			for _, a := range answers(t, stdout) {
				ids = append(ids, a.RequestID)
			}
			assert.NoError(t, os.Remove(files[2]))
			other, err := os.ReadFile(picture("generated.png"))
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(files[3], other, 0o600))
			uploads := service.uploads.Load()

			for name, c := range map[string]struct {
				args []string
				code int
				says string
			}{
				"nothing named":           {nil, command.ExitMisuse, "recheck takes the IDs of results"},
				"IDs and a case":          {[]string{ids[0], "--case", "x"}, command.ExitMisuse, "not both"},
				"an age without a unit":   {[]string{"--older", "90"}, command.ExitMisuse, "90d, 12w or 36h"},
				"an age of another unit":  {[]string{"--older", "9m"}, command.ExitMisuse, "90d, 12w or 36h"},
				"a unit without an age":   {[]string{"--older", "d"}, command.ExitMisuse, "90d, 12w or 36h"},
				"nobody who can be asked": {ids, command.ExitMisuse, "Use --yes to go on without asking"},
				"an unknown ID":           {[]string{"nobody"}, command.ExitFailed, "No result with the ID nobody"},
				"a case that is not":      {[]string{"--case", "nobody"}, command.ExitFailed, "There is no case"},
				"nothing that is so old":  {[]string{"--older", "1h"}, command.ExitAnswered, "There is nothing to check again."},
			} {
				if code, stdout, stderr := call(append([]string{"recheck"}, c.args...)...); code != c.code || stdout != "" || !strings.Contains(stderr, c.says) {
					t.Errorf("%s: exit %d, %q, %q", name, code, stdout, stderr)
				}
			}
			assert.True(t, service.uploads.Load() == uploads, "something was sent before anybody said yes")

			code, stdout, stderr = call("recheck", ids[0], ids[1], ids[0], ids[2], ids[3], "--yes")
			lines := strings.Split(stdout, "\n")
			assert.True(t, code == command.ExitFailed && len(lines) == 3 && lines[2] == "" && service.uploads.Load() == uploads+2, "exit %d: %q, %q", code, stdout, stderr)
			assert.True(t, strings.HasPrefix(lines[0], "2.png: changed from “") && strings.Contains(lines[0], "(release sandbox-1) to: Likely manipulated or AI-generated (ensemble 91 of 100)"), "%q", lines[0])
			assert.True(t, strings.HasPrefix(lines[1], "1.png: ") && strings.HasSuffix(lines[1], " [the same verdict as before]"), "%q", lines[1])
			for _, want := range []string{"3.png: left out. ", "4.png: left out. The file has changed since it was checked", "2 checks will use 2 uploads of your plan.", "1 verdict has changed: it needs a human."} {
				assert.True(t, strings.Contains(stderr, want), "without %q: %q", want, stderr)
			}

			t.Run("JSON, of a case, and of all", func(t *testing.T) {
				for _, args := range [][]string{{"case", "new", "The flood"}, {"case", "add", "The flood", ids[1], ids[2]}} {
					code, _, stderr := call(args...)
					assert.True(t, code == command.ExitAnswered, "%s", stderr)
				}
				uploads := service.uploads.Load()
				code, stdout, stderr := call("recheck", "--case", "The flood", "--json", "--yes")
				var all []recheckLine
				for line := range strings.Lines(stdout) {
					var l recheckLine
					assert.NoError(t, json.Unmarshal([]byte(line), &l))
					all = append(all, l)
				}
				assert.True(t, code == command.ExitFailed && len(all) == 2 && service.uploads.Load() == uploads+1, "exit %d: %s, %s", code, stdout, stderr)
				first := all[0]
				assert.True(t, first.SHA256 == second && first.Changed != nil && *first.Changed && first.Before != nil && first.Before.Status == "FAKE" && first.Before.Release == "sandbox-2" &&
					first.Before.RequestID != ids[1] && first.Before.RequestID != first.RequestID && first.Status != "FAKE", "%+v", first)
				assert.True(t, strings.HasPrefix(first.WhatChanged, "The answer went from Likely manipulated to ") && strings.Contains(first.WhatChanged, "the file did not change"), "%q", first.WhatChanged)
				assert.True(t, all[1].RequestID == ids[2] && all[1].Error != "" && all[1].Changed == nil, "%+v", all[1])

				code, stdout, stderr = call("recheck", "--older", "0h", "--yes")
				names := []string{}
				for line := range strings.Lines(stdout) {
					name, _, _ := strings.Cut(line, ":")
					names = append(names, name)
				}
				slices.Sort(names)
				assert.True(t, code == command.ExitFailed && slices.Equal(names, []string{"1.png", "2.png"}) && service.uploads.Load() == uploads+3, "exit %d: %q, %q", code, stdout, stderr)
			})
		})
	}
}

// TestRecheckAsTheSettingsSay sends nothing that stays here, and holds what asks first.
func TestRecheckAsTheSettingsSay(t *testing.T) {
	setKey(t)
	service, home, files := startService(t, sandbox.Options{}), t.TempDir(), pictures(t, 2)
	call := func(args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		code = command.Main(t.Context(), session.Options{}, append(args, "--server", service.url, "--home", home), strings.NewReader(""), &out, &errs, nil)
		return code, out.String(), errs.String()
	}
	code, stdout, stderr := call("scan", "--json", files[0], files[1])
	assert.True(t, code == command.ExitAnswered, "%s", stderr)
	ids := []string{answers(t, stdout)[0].RequestID, answers(t, stdout)[1].RequestID}
	uploads := service.uploads.Load()
	settings := filepath.Join(home, "settings.json")
	for gate, want := range map[string]string{"ask": "1 of them waits for your decision first.", "never": "The settings say that this never leaves this computer."} {
		assert.NoError(t, os.WriteFile(settings, []byte(`{"version": 1, "gates": {"files": "`+map[string]string{"ask": "sensitive", "never": "never"}[gate]+`"}}`), 0o600))
		code, stdout, stderr := call("recheck", ids[map[string]int{"ask": 0, "never": 1}[gate]], "--yes")
		assert.True(t, code == command.ExitFailed && strings.Contains(stderr, want), "%s: exit %d, %q, %q", gate, code, stdout, stderr)
	}
	assert.True(t, service.uploads.Load() == uploads, "it was sent")
}

// openWindowOf opens a window, which the end of the test closes.
func openWindowOf(t *testing.T, args ...string) {
	t.Helper()
	ctx, closeWindow := context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	opened, ended := make(chan struct{}), make(chan int, 1)
	go func() {
		var out, errs bytes.Buffer
		ended <- command.Main(ctx, session.Options{}, args, nil, &out, &errs, func(ctx context.Context, _ *session.Host, _ []string) error {
			close(opened)
			<-ctx.Done()
			return nil
		})
	}()
	t.Cleanup(func() {
		closeWindow()
		<-ended
	})
	<-opened
}

func sum(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(content))
}
