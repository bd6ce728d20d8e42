package command

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"

	"assay/client/custody"
	"assay/client/ipc"
	"assay/client/keys"
	"assay/client/session"
)

// logReport is what verify --log --json prints.
func logReport(t *testing.T, stdout string) (r verifiedLog) {
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
	assert.NoError(d.t, err)
	assert.NoError(d.t, database.Close())
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
	if code != ExitAnswered || !intact.Intact || intact.Entries < 4 || len(intact.Findings) > 0 || stderr != "" ||
		intact.Signed == nil || intact.Signed.Entries != intact.Entries || intact.Signer != session.SignerOwn {
		t.Errorf("exit %d: %q, %q", code, stdout, stderr)
	}
	t.Run("through a window that is open", func(t *testing.T) {
		w := d.openHost("--sandbox")
		code, stdout, stderr := verify("--log", "--json")
		if there := logReport(t, stdout); code != ExitAnswered || !there.Intact || there.Entries != intact.Entries || there.Signer != session.SignerOwn {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		w.close()
	})
	t.Run("that has none refuses it in a sentence", func(t *testing.T) {
		dir := t.TempDir()
		showWindow(t, dir, newFakeQueue(t))
		err := opVerify.Call(t.Context(), dir, struct{}{}, func(session.LogCheck) error { return nil })
		if err == nil || err.Error() != ipc.OtherVersion().Error() {
			t.Error(err)
		}
	})
	t.Run("says where it was changed", func(t *testing.T) {
		d.change("UPDATE custody SET facts = '{}' WHERE seq = 2")
		d.change("DELETE FROM custody WHERE seq = (SELECT max(seq) FROM custody)")
		code, stdout, stderr := verify("--log")
		if code != ExitFailed || !strings.HasPrefix(stdout, fmt.Sprintf("The custody log was changed after it was written. It has %d entries.\n"+
			"Entry 2 is not as it was written, or does not follow the one before.\nEntry %d was removed.\nThe first ", intact.Entries-1, intact.Entries)) {
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

func TestWhoHasSignedTheLog(t *testing.T) {
	type verifies func(wantCode int, wantIn string) verifiedLog
	scanned := func(t *testing.T, before func(*fixture)) (*fixture, verifies) {
		t.Helper()
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = someKey
		before(d)
		if code, _, stderr := d.call("", "scan", "--server", service.url, note(t, "one")); code != ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return d, func(wantCode int, wantIn string) verifiedLog {
			t.Helper()
			code, stdout, stderr := d.call("", "verify", "--log", "--server", service.url)
			if code != wantCode || !strings.Contains(stdout+stderr, wantIn) {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
			if wantCode == ExitMisuse {
				return verifiedLog{}
			}
			_, stdout, _ = d.call("", "verify", "--log", "--json", "--server", service.url)
			return logReport(t, stdout)
		}
	}
	// account is the log's in the keychain.
	account := func(d *fixture) (found string) {
		for name := range d.kept {
			if strings.HasPrefix(name, "custody log assay/") {
				found = name
			}
		}
		return found
	}
	t.Run("this computer, with a key that its keychain has since the first time", func(t *testing.T) {
		d, verify := scanned(t, func(*fixture) {})
		first, _, _ := strings.Cut(d.kept[account(d)], " ")
		if r := verify(ExitAnswered, "with this computer's key."); r.Signer != session.SignerOwn || r.Signed.Entries != r.Entries || first == "" {
			t.Errorf("%+v", r)
		}
		w := d.openHost("--server", d.servers()[0])
		submit(t, w.host.Session(), note(t, "two"))
		allDone(t, w.host.Session())
		w.close()
		if r := verify(ExitAnswered, "with this computer's key."); r.Checkpoints < 2 || r.Signed.Entries != r.Entries || !strings.HasPrefix(d.kept[account(d)], fmt.Sprintf("%s %d ", first, r.Entries)) {
			t.Errorf("%+v", r)
		}
		t.Run("and one without that key says so", func(t *testing.T) {
			delete(d.kept, account(d))
			if r := verify(ExitAnswered, "with another key than this computer's."); r.Signer != session.SignerOther || !r.Intact {
				t.Errorf("%+v", r)
			}
		})
		t.Run("or that it can't tell", func(t *testing.T) {
			d.err = &keys.Problem{Cause: keys.Absent}
			if r := verify(ExitAnswered, "Assay can't tell whether it was with this computer's key. This computer has no keychain that Assay can use."); r.Signer != session.SignerUnknown || !r.Intact {
				t.Errorf("%+v", r)
			}
		})
	})
	t.Run("nobody, where no keychain is", func(t *testing.T) {
		_, verify := scanned(t, func(d *fixture) {
			t.Setenv("ASSAY_API_KEY", someKey)
			d.err = &keys.Problem{Cause: keys.Absent}
		})
		if r := verify(ExitAnswered, "Nothing in it is signed, "); r.Signer != "" || r.Signed != nil || r.Checkpoints != 0 || !r.Intact {
			t.Errorf("%+v", r)
		}
	})
	t.Run("the key of the environment, which is kept nowhere", func(t *testing.T) {
		secret := base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
		d, verify := scanned(t, func(*fixture) { t.Setenv(session.LogKeyVariable, secret) })
		if r := verify(ExitAnswered, "with this computer's key."); r.Signer != session.SignerOwn || account(d) != "" {
			t.Errorf("%+v", r)
		}
		t.Setenv(session.LogKeyVariable, "not base64")
		verify(ExitMisuse, "ASSAY_LOG_KEY can't be used")
	})
	t.Run("who writes the log again can't sign it again", func(t *testing.T) {
		d, verify := scanned(t, func(*fixture) {})
		database, err := sql.Open("sqlite", filepath.Join(session.DataFolder(d.home, d.servers()[0], false), "assay.db"))
		if err == nil {
			_, err = database.ExecContext(t.Context(), "DELETE FROM custody WHERE seq > 3; DELETE FROM custody_tree WHERE seq > 3; DELETE FROM custody_checkpoints")
		}
		if err == nil {
			err = database.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		r := verify(ExitFailed, "The log is not the one that was signed when it had 7 entries: it was written again, or cut.")
		if r.Intact || r.Signed != nil || len(r.Findings) != 1 {
			t.Errorf("%+v", r)
		}
		w := d.openHost("--server", d.servers()[0])
		until(t, w.host.Session().Queue, "that the person is told", func() bool { return strings.Contains(w.host.Session().Notice().String(), "assay verify --log") })
		w.close()
	})
}

// servers are the services that the keychain has a key of.
func (d *fixture) servers() (all []string) {
	for name := range d.kept {
		if strings.HasPrefix(name, "http") {
			all = append(all, name)
		}
	}
	return all
}
