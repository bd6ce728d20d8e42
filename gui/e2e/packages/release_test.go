//go:build e2e && packages && linux

package packages

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// A bug report names the commit by what the released binary says of itself.
func TestTheBinarySaysWhatItWasBuiltFrom(t *testing.T) {
	f := setup(t)
	printed, err := exec.CommandContext(t.Context(), filepath.Join(f.binaries, "linux-amd64", "assay"), "--version").Output()
	assert.NoError(t, err)
	command := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD")
	command.Dir = f.root
	commit, err := command.Output()
	assert.NoError(t, err)
	if said := string(printed); !strings.HasPrefix(said, "Assay "+f.version+"\ncommit "+strings.TrimSpace(string(commit))) {
		t.Errorf("it says %q of commit %s", said, commit)
	}
}
