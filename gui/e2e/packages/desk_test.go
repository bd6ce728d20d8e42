//go:build e2e && packages && linux

package packages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/client/assert"
)

// TestThePageForITWorksAsWritten runs the commands of docs/desk.md, all of them and in their order, on a fresh Debian.
func TestThePageForITWorksAsWritten(t *testing.T) {
	t.Parallel() // it takes minutes
	f := setup(t)
	d := f.freshDebian(t)
	d.copyIn("/usr/bin/assay", filepath.Join(f.binaries, "headless-linux-amd64", "assay"))
	assert.NoError(t, os.Chmod(d.path("/usr/bin/assay"), 0o755))                                                   //nolint:gosec // a program
	assert.NoError(t, os.WriteFile(d.path("/etc/hosts"), []byte("127.0.0.1 localhost desk.example.org\n"), 0o644)) //nolint:gosec // as systems have it
	page, err := os.ReadFile(filepath.Join(f.root, "docs", "desk.md"))
	assert.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 10 {
		t.Fatalf("the page has only %d blocks of commands", len(blocks))
	}
	script := "set -euo pipefail\n"
	for _, block := range blocks {
		script += block[1]
	}
	assert.NoError(t, os.WriteFile(d.path("/root/page"), []byte(script), 0o600))
	defer func() { // not as a Cleanup: the context that commands have has ended by then
		called(t, d.command(0, "/root", []string{"runuser", "-u", "postgres", "--", "/usr/lib/postgresql/15/bin/pg_ctl", "-D", "/var/lib/postgresql/15/main", "-m", "immediate", "stop"}))
	}()
	said := d.must("ASSAY_SERVER=https://api.example.org", "bash", "/root/page")
	for _, want := range []string{
		"\nThe desk is ready. 2 members can join it.\n", "\nYou have joined the desk as ines.\n", "\nYou: ines, editor\nAll is shared.\n",
		"\nrui is no longer a member of the desk.\n", "\nThe desk is ready.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("without %q", want)
		}
	}
	for _, name := range []string{"desk_owner", "ines", "rui"} {
		if strings.Contains(said, strings.TrimSpace(d.read("/root/desk/"+name+".password"))) {
			t.Errorf("%s's password was printed", name)
		}
	}
	log := d.read("/var/log/postgresql/postgresql-15-main.log")
	for _, name := range []string{"desk_owner", "ines", "rui"} {
		if strings.Contains(log, strings.TrimSpace(d.read("/root/desk/"+name+".password"))) {
			t.Errorf("%s's password is in the server's log", name)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}
