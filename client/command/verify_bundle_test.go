package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
)

func TestVerifyIsCalledWrongly(t *testing.T) {
	d := setup(t)
	for name, at := range map[string]struct {
		args []string
		want string
	}{
		"nothing":        {nil, "assay verify FILE or FOLDER"},
		"two":            {[]string{"a", "b"}, "assay verify FILE or FOLDER"},
		"with --log":     {[]string{"a", "--log"}, "assay verify FILE or FOLDER"},
		"no such file":   {[]string{filepath.Join(t.TempDir(), "none.zip")}, "There is no such file or folder."},
		"no bundle":      {[]string{note(t, "one")}, "This is not an evidence bundle by Assay."},
		"another folder": {[]string{t.TempDir()}, "This is not an evidence bundle by Assay."},
	} {
		t.Run(name, func(t *testing.T) {
			if code, stdout, stderr := d.call("", append([]string{"verify"}, at.args...)...); code != ExitMisuse || stdout != "" || !strings.Contains(stderr, at.want) {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
		})
	}
}

func TestSigners(t *testing.T) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI49dLQqLwpd5wtUZcjKBRP3hCrOdSZI0jbHXkM9Eu"
	d := setup(t)
	call := func(want int, in string, args ...string) {
		t.Helper()
		if code, stdout, stderr := d.call("", append([]string{"signer"}, args...)...); code != want || !strings.Contains(stdout+stderr, in) {
			t.Errorf("%q: exit %d: %q, %q", args, code, stdout, stderr)
		}
	}
	call(ExitAnswered, "There are no known signers.", "list")
	call(ExitAnswered, "SHA256:", "add", "the desk in Lisbon", key+" somebody@desk")
	call(ExitFailed, "There is already a signer with this name.", "add", "the desk in Lisbon", strings.Replace(key, "IIqI", "IIqJ", 1))
	call(ExitFailed, "This key is already known", "add", "Quito", key)
	call(ExitMisuse, "key begins with ssh-ed25519", "add", "Quito", "ssh-rsa AAAA")
	call(ExitMisuse, "is not a key", "add", "Quito", filepath.Join(t.TempDir(), "none"))
	call(ExitMisuse, "key begins with ssh-ed25519", "add", "Quito", note(t, "one"))
	call(ExitMisuse, "assay signer add takes", "add", "Quito")
	call(ExitAnswered, "the desk in Lisbon: SHA256:", "list")
	call(ExitAnswered, `"name":"the desk in Lisbon"`, "list", "--json")
	call(ExitMisuse, "There is no known signer called “Quito”.", "remove", "Quito")
	call(ExitAnswered, "is not a known signer any more", "remove", "the desk in Lisbon")
	call(ExitAnswered, "There are no known signers.", "list")
	file := filepath.Join(t.TempDir(), "key.pub")
	assert.NoError(t, os.WriteFile(file, []byte(key+" a comment\n"), 0o600))
	call(ExitAnswered, "is a known signer", "add", "a file's", file)
}

// elsewhere calls it on another computer: in another home, where there is neither a service nor a key.
func elsewhere(t *testing.T) (call func(in string, args ...string) (code int, stdout, stderr string)) {
	t.Helper()
	d := setup(t)
	return func(in string, args ...string) (int, string, string) { return d.call(in, args...) }
}

func TestVerifyBundle(t *testing.T) {
	reporttest.UseFonts(t)
	d := setup(t)
	code, stdout, stderr := d.call("", "scan", "--sandbox", "--json", note(t, "one"))
	var answer struct{ RequestID string }
	if err := json.Unmarshal([]byte(stdout), &answer); code != ExitAnswered || err != nil {
		t.Fatalf("exit %d: %q, %q, %v", code, stdout, stderr, err)
	}
	for _, name := range []string{"case.zip", "case.assay"} {
		path := filepath.Join(t.TempDir(), name)
		if code, stdout, stderr := d.call("", "export", "--sandbox", answer.RequestID, "--out", path); code != ExitAnswered {
			t.Fatalf("exit %d: %q, %q", code, stdout, stderr)
		}
		t.Run(name+" is known where it was sealed, before and after the key is replaced", func(t *testing.T) {
			for range 2 {
				if code, stdout, stderr := d.call("", "verify", path); code != ExitAnswered || !strings.HasPrefix(stdout, "Intact: nothing was changed since you sealed it.\n") {
					t.Errorf("exit %d: %q, %q", code, stdout, stderr)
				}
				if code, _, stderr := d.call("", "key", "rotate-signing", "--sandbox"); code != ExitAnswered {
					t.Errorf("exit %d: %q", code, stderr)
				}
			}
		})
		t.Run(name+" is verified elsewhere, and known there once its signer is", func(t *testing.T) {
			call := elsewhere(t)
			code, stdout, _ := call("", "verify", path)
			if code != ExitAnswered || !strings.HasPrefix(stdout, "Intact, but the signer is not known to you.\n") || !strings.Contains(stdout, "sandbox, which is not a deepfake detector") {
				t.Errorf("exit %d: %q", code, stdout)
			}
			if code, stdout, stderr := call("no\n", "signer", "add", "Lisbon", path); code != ExitAnswered || !strings.Contains(stderr, "SHA256:") || stdout != "The key was not saved.\n" {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
			if code, stdout, stderr := call("yes\n", "signer", "add", "Lisbon", path); code != ExitAnswered || !strings.Contains(stdout, "“Lisbon” is a known signer") {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
			code, stdout, stderr := call("", "verify", path, "--json")
			var v struct {
				Intact bool
				State  bundle.State
				Seal   struct{ Signer string }
			}
			if err := json.Unmarshal([]byte(stdout), &v); code != ExitAnswered || err != nil || !v.Intact || v.State != bundle.Intact || v.Seal.Signer != "Lisbon" || stderr != "" {
				t.Errorf("exit %d: %q, %q, %v", code, stdout, stderr, err)
			}
		})
		if name == "case.zip" {
			continue
		}
		t.Run("what was changed is named", func(t *testing.T) {
			assert.NoError(t, os.WriteFile(filepath.Join(path, "data", "report.html"), []byte("<p>other"), 0o600))
			assert.NoError(t, os.WriteFile(filepath.Join(path, "a\x1b[31mred.txt"), nil, 0o600))
			call := elsewhere(t)
			code, stdout, stderr := call("", "verify", path)
			if code != ExitFailed || !strings.HasPrefix(stdout, "Changed since it was made.\n") || !strings.Contains(stdout, "data/report.html was changed.\n") || strings.Contains(stdout, "\x1b") {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
			if code, stdout, _ := call("", "verify", path, "--json"); code != ExitFailed || !strings.Contains(stdout, `"intact":false`) || strings.Contains(stdout, "\x1b") {
				t.Errorf("exit %d: %q", code, stdout)
			}
			if code, _, stderr := call("", "signer", "add", "Lisbon", path, "--yes"); code != ExitMisuse || !strings.Contains(stderr, "Changed") {
				t.Errorf("its signer was kept: exit %d: %q", code, stderr)
			}
		})
	}
}
