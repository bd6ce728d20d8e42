package store_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"assay/client/store"
)

// childFolder names the folder of the store in a process of its own, which runs one test of this binary.
const childFolder = "ASSAY_STORE_TEST_FOLDER"

// child is that process, for the test of a name.
func child(ctx context.Context, test, folder string, before ...string) *exec.Cmd {
	args := append(before, os.Args[0], "-test.run=^"+test+"$", "-test.v", "-test.timeout=100s")
	command := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // this very binary
	command.Env = append(os.Environ(), childFolder+"="+folder)
	return command
}

// inChild runs what a test does in a process of its own, and reports what went wrong there.
func inChild(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// openChild opens the store of a child; who cannot is to try again.
func openChild(ctx context.Context) (*store.Store, error) {
	return store.Open(ctx, os.Getenv(childFolder), store.Options{})
}
