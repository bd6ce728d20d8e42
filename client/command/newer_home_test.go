package command_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/report/reporttest"
	"assay/client/session"
)

// TestAHomeOfANewerAssay: what is in it can be shown, taken out and verified, and not a byte of it changes.
func TestAHomeOfANewerAssay(t *testing.T) {
	reporttest.UseFonts(t)
	t.Setenv("ASSAY_SERVER", "")
	home := t.TempDir()
	call := func(home string, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		code = command.Main(t.Context(), session.Options{}, append(args, "--sandbox", "--home", home), nil, &out, &errs, nil)
		return code, out.String(), errs.String()
	}
	code, stdout, stderr := call(home, "scan", "--json", picture("generated.png"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	id := answers(t, stdout)[0].RequestID
	if code, _, stderr := call(home, "case", "new", "The harbour"); code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := call(home, "case", "add", "The harbour", id); code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	const later = "PRAGMA user_version = 99; CREATE TABLE later (x); ALTER TABLE submissions ADD COLUMN later TEXT; UPDATE written SET version = '9.8.7'"

	for name, steps := range map[string]struct {
		sql     string
		killed  bool // it did not close its file
		unknown bool // what has changed is not known to this Assay
	}{
		"closed":                       {sql: later},
		"killed":                       {sql: later, killed: true},
		"that this one does not know":  {sql: later + "; UPDATE written SET readable_since = 99", unknown: true},
		"that says nothing of itself":  {sql: "PRAGMA user_version = 99; DROP TABLE written", unknown: true},
		"killed, and not known either": {sql: later + "; UPDATE written SET readable_since = 99", killed: true, unknown: true},
	} {
		t.Run("a newer Assay's, "+name, func(t *testing.T) {
			home := newerHome(t, home, steps.sql, steps.killed)
			before := photograph(t, home)
			out := filepath.Join(t.TempDir(), "out")
			reading := map[string][]string{
				"export":        {"export", id, "--out", out + ".html"},
				"export a case": {"export", "--case", "The harbour", "--out", out + ".json"},
				"bundle":        {"export", id, "--unsealed", "--out", out + ".zip"},
				"case list":     {"case", "list"}, "case show": {"case", "show", "The harbour"},
				"verify": {"verify", "--log"},
			}
			for name, args := range reading {
				code, stdout, stderr := call(home, args...)
				switch {
				case steps.unknown && (code != command.ExitFailed || !strings.Contains(stderr, "made by a newer Assay")):
					t.Errorf("%s: exit %d: %s", name, code, stderr)
				case !steps.unknown && (code != command.ExitAnswered || stdout == "" || !strings.Contains(stderr, "made by Assay 9.8.7, which is newer")):
					t.Errorf("%s: exit %d: %s%s", name, code, stdout, stderr)
				}
			}
			if content, err := os.ReadFile(out + ".json"); !steps.unknown && (err != nil || !strings.Contains(string(content), id)) {
				t.Errorf("the case was exported as %.200s (%v)", content, err)
			}
			for _, args := range [][]string{
				{"scan", picture("poster.png")}, {"case", "new", "Another"}, {"case", "rename", "The harbour", "Other"}, {"case", "remove", "The harbour", id},
				{"feedback", id, "--label", "synthetic", "--category", "confirmation"}, {"recheck", "--yes", id},
			} {
				if code, _, stderr := call(home, args...); code != command.ExitFailed || !strings.Contains(stderr, "made by a newer Assay") {
					t.Errorf("%v: exit %d: %s", args, code, stderr)
				}
			}
			refused := ""
			var errs bytes.Buffer
			code := command.Main(t.Context(), session.Options{Machine: session.Machine{Crashes: true}}, []string{"--sandbox", "--home", home, picture("poster.png")}, nil, io.Discard, &errs,
				func(_ context.Context, h *session.Host, files []string) error {
					if refused = h.Refused; h.Session() != nil || len(files) > 0 {
						t.Errorf("the window has a session, or takes %v", files)
					}
					return nil
				})
			if code != command.ExitFailed || !strings.Contains(refused, "made by a newer Assay") || !strings.Contains(errs.String(), refused) {
				t.Errorf("the window: exit %d, %q, %s", code, refused, errs.String())
			}
			if diff := cmp.Diff(before, photograph(t, home)); diff != "" {
				t.Errorf("files of the home have changed:\n%s", diff)
			}
		})
	}
}

// newerHome is a copy of a home whose records a newer Assay has changed.
func newerHome(t *testing.T, home, change string, killed bool) string {
	t.Helper()
	working, at := t.TempDir(), t.TempDir()
	assert.NoError(t, os.CopyFS(working, os.DirFS(home)))
	database, err := sql.Open("sqlite", filepath.Join(working, "sandbox", "assay.db")+"?_pragma=journal_mode(WAL)")
	assert.NoError(t, err)
	database.SetMaxOpenConns(1)
	_, err = database.ExecContext(t.Context(), change)
	assert.NoError(t, err)
	if !killed {
		assert.NoError(t, database.Close())
	}
	assert.NoError(t, os.CopyFS(at, os.DirFS(working)))
	if killed {
		if facts, err := os.Stat(filepath.Join(at, "sandbox", "assay.db-wal")); err != nil || facts.Size() == 0 {
			t.Errorf("this test wants a write-ahead log: %v", err)
		}
		assert.NoError(t, database.Close())
	}
	return at
}

// photograph is the hash and the time of each file below a folder.
func photograph(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	assert.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		facts, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // below the test's own folder
		all[path] = fmt.Sprintf("%x %s %s", sha256.Sum256(content), facts.ModTime(), facts.Mode())
		return err
	}))
	return all
}
