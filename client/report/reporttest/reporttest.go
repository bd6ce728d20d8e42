// Package reporttest is what tests that write reports share: the fonts of PDFs, and other programs. It imports the standard library, assets/reportfonts and client/report.
package reporttest

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"assay/assets/reportfonts"
	"assay/client/report"
)

// UseFonts sets the fonts that both builds write PDFs with.
func UseFonts(testing.TB) {
	report.UseFonts(report.Fonts{Regular: reportfonts.Regular, Bold: reportfonts.Bold, Mono: reportfonts.Mono})
}

// Need skips the test where a program is not installed, but not where CI is set.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI is set, so %s must be installed, by .ci/install evidence: %v", name, err)
			}
			t.Skipf("%s is not installed here: .ci/install evidence does it", name)
		}
	}
}

// Tool runs a program that it needs, in a folder, "" for the present one, and returns what it prints, and whether it says that all is well.
func Tool(t testing.TB, folder, name string, args ...string) (printed string, ok bool) {
	t.Helper()
	Need(t, name)
	cmd := exec.CommandContext(t.Context(), name, args...) //nolint:gosec // of a test
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out), err == nil
}
