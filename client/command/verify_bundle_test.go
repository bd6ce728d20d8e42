package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
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
		"no bundle":      {[]string{note(t, "one")}, "This is no evidence bundle of Assay's."},
		"another folder": {[]string{t.TempDir()}, "This is no evidence bundle of Assay's."},
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
	call(ExitAnswered, "No signer is known.", "list")
	call(ExitAnswered, "SHA256:", "add", "the desk in Lisbon", key+" somebody@desk")
	call(ExitFailed, "There is a signer of this name already.", "add", "the desk in Lisbon", strings.Replace(key, "IIqI", "IIqJ", 1))
	call(ExitFailed, "This key is known already", "add", "Quito", key)
	call(ExitMisuse, "one begins with ssh-ed25519", "add", "Quito", "ssh-rsa AAAA")
	call(ExitMisuse, "neither a key", "add", "Quito", filepath.Join(t.TempDir(), "none"))
	call(ExitMisuse, "one begins with ssh-ed25519", "add", "Quito", note(t, "one"))
	call(ExitMisuse, "assay signer add takes", "add", "Quito")
	call(ExitAnswered, "the desk in Lisbon: SHA256:", "list")
	call(ExitAnswered, `"name":"the desk in Lisbon"`, "list", "--json")
	call(ExitMisuse, "No signer is known as “Quito”.", "remove", "Quito")
	call(ExitAnswered, "is not a known signer any more", "remove", "the desk in Lisbon")
	call(ExitAnswered, "No signer is known.", "list")
	file := filepath.Join(t.TempDir(), "key.pub")
	assert.NoError(t, os.WriteFile(file, []byte(key+" a comment\n"), 0o600))
	call(ExitAnswered, "is a known signer", "add", "a file's", file)
}
