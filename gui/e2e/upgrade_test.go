//go:build e2e && linux

package e2e

import (
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// newerVersion is the version of the program that is installed while the one from `make build` runs.
const newerVersion = "99.0.0"

// leaveLimit is how long an older Assay may take to close for a newer one.
const leaveLimit = 30 * time.Second

// installation is a file of Assay's that is replaced while it runs, as package managers do it.
type installation struct{ older, newer, path string }

// install installs the program from `make build`. What the fixture starts from now on is what is installed.
func install(t *testing.T, newer string) *installation {
	t.Helper()
	older, err := Binary()
	assert.NoError(t, err)
	i := &installation{older: older, newer: newer, path: filepath.Join(t.TempDir(), "assay")}
	i.replace(t, i.older)
	t.Setenv("ASSAY_BINARY", i.path)
	return i
}

// replace gives a copy of a program the place of what is installed, by a rename.
func (i *installation) replace(t *testing.T, program string) {
	t.Helper()
	from, err := os.Open(program)
	assert.NoError(t, err)
	defer from.Close()                                                               //nolint:errcheck // only read from
	to, err := os.OpenFile(i.path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700) //nolint:gosec // a program
	assert.NoError(t, err)
	_, err = io.Copy(to, from)
	assert.NoError(t, err)
	assert.NoError(t, to.Close())
	assert.NoError(t, os.Rename(to.Name(), i.path))
}

// buildNewer builds Assay with a later version.
func buildNewer(t *testing.T) string {
	t.Helper()
	root, err := Root()
	assert.NoError(t, err)
	path := filepath.Join(t.TempDir(), "newer")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", path, "-ldflags", "-X assay/client/release.version="+newerVersion, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	return path
}

// startNewer starts what is installed now, and waits until the older Assay has ended and the newer one shows its window.
func (u *fixture) startNewer(before func()) (older *Assay) {
	u.t.Helper()
	older = u.app
	process, err := u.desktop.Launch(u.options, "--print")
	assert.NoError(u.t, err)
	before()
	if _, err := older.Wait(leaveLimit); err != nil {
		u.t.Fatal(err)
	}
	u.app = &Assay{Process: process}
	if u.app.Window, err = u.desktop.Window(u.t.Context(), "--name", "^Assay$"); err != nil {
		u.t.Fatalf("%v; the newer Assay logged: %s", err, process.Errors)
	}
	assert.NoError(u.t, u.app.Window.Place(u.t.Context(), 430, 30, 1280, 800))
	assert.NoError(u.t, Until(u.t.Context(), leaveLimit, "the newer Assay paints its window", func() (bool, error) {
		shot, err := u.app.Window.Settled(u.t.Context())
		return shot != nil && !shot.Blank(), err
	}))
	return older
}

// subcommand runs what is installed now, to its end.
func (u *fixture) subcommand(options Options, words ...string) (code int, said *Process) {
	u.t.Helper()
	said, err := u.desktop.Launch(options, words...)
	assert.NoError(u.t, err)
	code, err = said.Wait(leaveLimit)
	assert.NoError(u.t, err)
	return code, said
}

// verified ends the newer Assay by `assay quit`, and checks the custody log that both have written.
func (u *fixture) verified() {
	u.t.Helper()
	if code, said := u.subcommand(Options{Home: u.options.Home, BySettings: true}, "quit"); code != 0 {
		u.t.Errorf("quit ended with %d: %s", code, said.Errors)
	}
	if code, err := u.app.Wait(leaveLimit); err != nil || code != 0 {
		u.t.Errorf("after quit the window ended with %d, %v", code, err)
	}
	if code, said := u.subcommand(u.options, "verify", "--log"); code != 0 {
		u.t.Errorf("the custody log: exit %d: %s%s", code, said.Output, said.Errors)
	}
}

// While uploads are under way, a newer Assay is installed and started: each file is answered once.
func TestAnUpgradeWhileAssayRuns(t *testing.T) {
	newer := buildNewer(t)
	t.Run("the older window closes, and the newer one goes on with its uploads", func(t *testing.T) {
		installed := install(t, newer)
		u := startUploading(t, slowRate)
		u.awaitBody()
		installed.replace(t, newer)
		older := u.startNewer(func() { u.wire.SetRate(0) })
		if code, said := older.ExitCode(), older.Errors.String(); code != 0 || !strings.Contains(said, "A newer Assay ("+newerVersion+") was started") {
			t.Errorf("the older one ended with %d: %s", code, said)
		}
		keepNow(t, u.desktop, u.app.Window, "the newer one")
		u.allAnsweredOnce()

		// An older program hands over to the newer window, which stays.
		installed.replace(t, installed.older)
		second := u.options
		second.Files = []string{u.heavyPicture(t.TempDir(), "by the older program.png", 4)}
		handOver(t, u.desktop, second)
		installed.replace(t, newer)
		if _, err := u.app.Answers(t.Context(), len(u.names), resumeLimit); err != nil {
			t.Error(err)
		}
		u.verified()
	})
	t.Run("also where the older one is killed meanwhile", func(t *testing.T) {
		installed := install(t, newer)
		u := startUploading(t, slowRate)
		u.awaitBody()
		installed.replace(t, newer)
		u.startNewer(func() {
			assert.NoError(t, u.app.Kill())
			u.wire.SetRate(0)
		})
		u.allAnsweredOnce()
		u.verified()
	})
	t.Run("also where the newer one is killed as it asks, and started again", func(t *testing.T) {
		installed := install(t, newer)
		u := startUploading(t, slowRate)
		u.awaitBody()
		installed.replace(t, newer)
		asking, err := u.desktop.Launch(u.options)
		assert.NoError(t, err)
		if _, err := u.app.Wait(leaveLimit); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, asking.Kill())
		u.wire.SetRate(0)
		u.app = open(t, u.desktop, u.options, image.Pt(1280, 800))
		u.allAnsweredOnce()
		u.verified()
	})
	t.Run("a scan by the older program goes on through the newer window", func(t *testing.T) {
		installed := install(t, newer)
		u := startUploading(t, slowRate)
		u.awaitBody()
		scanned := u.options
		scanned.Files = []string{u.heavyPicture(t.TempDir(), "scanned.png", 4)}
		scan, err := u.desktop.Launch(scanned, "scan")
		assert.NoError(t, err)
		installed.replace(t, newer)
		u.startNewer(func() { u.wire.SetRate(0) })
		if code, err := scan.Wait(resumeLimit); err != nil || code != 0 || len(scan.Output.Lines()) != 1 {
			t.Errorf("scan ended with %d, %v: %s%s", code, err, scan.Output, scan.Errors)
		}
		u.verifiedAnswers()
		u.verified()
	})
}

// verifiedAnswers waits until the service has each file, and has it once.
func (u *fixture) verifiedAnswers() {
	u.t.Helper()
	waitFor(u.t, resumeLimit, "the service has every file", func() bool { return len(u.submissions()) == len(u.digests) })
	for digest, times := range u.submissions() {
		if times != 1 || u.digests[digest] != 1 {
			u.t.Errorf("the service has %.12s %d times", digest, times)
		}
	}
}
