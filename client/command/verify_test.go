package command

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/custody"
	"assay/client/ipc"
	"assay/client/session"
)

// logReport is what verify --json prints.
func logReport(t *testing.T, stdout string) (r verified) {
	t.Helper()
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("%v: %q", err, stdout)
	}
	return r
}

// change changes the records of the sandbox, which nobody has open.
func (d *fixture) change(statement string) {
	d.t.Helper()
	database, err := sql.Open("sqlite", filepath.Join(session.DataFolder(d.home, "", true), "assay.db"))
	if err == nil {
		_, err = database.ExecContext(d.t.Context(), statement)
	}
	must(d.t, err)
	must(d.t, database.Close())
}

func TestVerifyLog(t *testing.T) {
	d := setup(t)
	verify := func(args ...string) (code int, stdout, stderr string) {
		t.Helper()
		return d.call("", append([]string{"verify", "--sandbox"}, args...)...)
	}
	if code, stdout, stderr := verify("--log"); code != ExitAnswered || !strings.Contains(stdout, "is intact") || !strings.Contains(stdout, "0 entries") {
		t.Errorf("before anything was done: exit %d, %q, %q", code, stdout, stderr)
	}
	if code, _, stderr := d.call("", "scan", "--sandbox", note(t, "one")); code != ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	code, stdout, stderr := verify("--log", "--json")
	intact := logReport(t, stdout)
	if code != ExitAnswered || !intact.Intact || intact.Entries < 4 || len(intact.Findings) > 0 || stderr != "" {
		t.Errorf("exit %d: %q, %q", code, stdout, stderr)
	}
	t.Run("through a window that is open", func(t *testing.T) {
		w := d.openHost("--sandbox")
		code, stdout, stderr := verify("--log", "--json")
		if there := logReport(t, stdout); code != ExitAnswered || !there.Intact || there.Entries != intact.Entries {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		w.close()
	})
	t.Run("that has none refuses it in a sentence", func(t *testing.T) {
		dir := t.TempDir()
		showWindow(t, dir, newFakeQueue(t))
		err := opVerify.Call(t.Context(), dir, struct{}{}, func(custody.Report) error { return nil })
		if err == nil || err.Error() != ipc.OtherVersion().Error() {
			t.Error(err)
		}
	})
	t.Run("says where it was changed", func(t *testing.T) {
		d.change("UPDATE custody SET facts = '{}' WHERE seq = 2")
		d.change("DELETE FROM custody WHERE seq = (SELECT max(seq) FROM custody)")
		code, stdout, stderr := verify("--log")
		if code != ExitFailed || stdout != fmt.Sprintf("The custody log was changed after it was written. It has %d entries.\n"+
			"Entry 2 is not as it was written, or does not follow the one before.\nEntry %d was taken out.\n", intact.Entries-1, intact.Entries) {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		code, stdout, _ = verify("--log", "--json")
		want := []custody.Finding{{Change: custody.EntryChanged, Entry: 2}, {Change: custody.EntryRemoved, Entry: intact.Entries}}
		if r := logReport(t, stdout); code != ExitFailed || r.Intact || len(r.Findings) != 2 || r.Findings[0] != want[0] || r.Findings[1] != want[1] {
			t.Errorf("exit %d: %s", code, stdout)
		}
	})
	t.Run("called wrongly", func(t *testing.T) {
		for _, args := range [][]string{nil, {"--json"}, {"--log", "folder"}, {"--logs"}} {
			if code, stdout, stderr := verify(args...); code != ExitMisuse || stdout != "" || stderr == "" {
				t.Errorf("%q: exit %d, %q, %q", args, code, stdout, stderr)
			}
		}
	})
	t.Run("of records that are damaged nothing is said to be intact", func(t *testing.T) {
		d.change("PRAGMA user_version = 0")
		if code, stdout, stderr := verify("--log"); code != ExitFailed || stdout != "" || !strings.Contains(stderr, "were set aside") {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
	})
}
