package release_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/release"
)

func TestFyneAppSaysTheVersion(t *testing.T) {
	metadata, err := os.ReadFile(filepath.Join("..", "..", "FyneApp.toml"))
	if err != nil || !strings.Contains(string(metadata), fmt.Sprintf("Version = %q\n", release.Version())) {
		t.Errorf("FyneApp.toml does not say %s (%v)", release.Version(), err)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(release.Version()) {
		t.Errorf("%q is no version: a package needs three numbers", release.Version())
	}
	if !strings.HasPrefix(release.Full(), release.Version()) {
		t.Errorf("the version is %s", release.Full())
	}
}

const printer = `package main
import ("assay/client/release"; "os")
func main() { os.Stdout.WriteString(release.Full() + "\n" + release.Updates() + "\n" + release.This().String()) }
`

// A release is linked with these facts, in whatever folder it is built: with a name or a form that differs, they would be empty.
func TestWhatIsLinkedIsSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("the linker takes a second, and nothing here runs beside anything")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	assert.NoError(t, os.WriteFile(source, []byte(printer), 0o600))
	const digits = "3f2a1c9d3f2a1c9d3f2a1c9d3f2a1c9d3f2a1c9d"
	set := func(name, value string) string { return " -X assay/client/release." + name + "=" + value }
	for _, c := range []struct{ flags, want string }{
		{set("version", "0.2.0") + set("commit", digits) + set("date", "2026-11-23T07:12:36+02:00") + set("updates", "https://assay.example/latest.json"),
			"0.2.0 (3f2a1c9)\nhttps://assay.example/latest.json\nAssay 0.2.0\ncommit " + digits + " of 2026-11-23 05:12 UTC\n"},
		{set("commit", digits) + set("changed", "true"), release.Version() + " (3f2a1c9)\n\nAssay " + release.Version() + "\ncommit " + digits + ", changed since\n"},
		{"", release.Version() + "\n\nAssay " + release.Version() + "\n"},
	} {
		binary := filepath.Join(dir, "printer.exe")
		build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags="+c.flags, "-o", binary, source) //nolint:gosec // the test's own flags
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		printed, err := exec.CommandContext(t.Context(), binary).Output() //nolint:gosec // just built
		assert.NoError(t, err)
		assert.Equal(t, c.want+"built with Go "+strings.TrimPrefix(runtime.Version(), "go")+" for "+runtime.GOOS+"/"+runtime.GOARCH, string(printed))
	}
}
