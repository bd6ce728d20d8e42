//go:build e2e && packages && linux

package packages

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/e2e"
)

// later is the version of the installers that tests build, signed, to install them over the released ones.
const later = "99.0.0"

// windows is a Windows of the test's own, under wine.
type windows struct {
	*fixture
	*e2e.Wine

	t           *testing.T
	desktop     *e2e.Desktop
	later       string // the folder of the later installers
	certificate string // whose key signed them
}

func (f *fixture) windows(t *testing.T) *windows {
	t.Helper()
	desktop, err := e2e.StartDesktop(t.Context(), t.TempDir(), filepath.Join(f.root, "build", "e2e", t.Name()), 1280, 800)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, desktop.Close()) })
	w := &windows{fixture: f, t: t, desktop: desktop}
	w.buildLater()
	w.Wine, err = desktop.StartWine(t.Context(), f.root)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Stop()) })
	return w
}

// buildLater builds the installers of the later version, as .ci/packages does with a certificate; this one is made here.
func (w *windows) buildLater() {
	w.t.Helper()
	dir := w.t.TempDir()
	w.later, w.certificate = filepath.Join(dir, "out"), filepath.Join(dir, "certificate.pem")
	w.shell(`cd "$DIR"
		openssl rand -hex 16 >password
		openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj '/CN=A test of Assay' -addext extendedKeyUsage=codeSigning 2>&1
		openssl pkcs12 -export -inkey key.pem -in certificate.pem -out certificate.p12 -passout file:password`, "DIR="+dir)
	w.shell(`export ASSAY_BIN=$DIR/bin ASSAY_OUT=$DIR/out ASSAY_MAKER=$DIR/maker ASSAY_WINDOWS_CERT=$DIR/certificate.p12 ASSAY_WINDOWS_PASSWORD=$DIR/password
		CGO_ENABLED=0 go build -o "$ASSAY_MAKER" ./assets/packages/maker
		. .ci/facts
		.ci/binary windows-amd64
		cp -r "$ASSAY_BIN/windows-amd64" "$ASSAY_BIN/windows-amd64-updates"
		assets/packages/windows/build`, "DIR="+dir, "ASSAY_VERSION="+later, "ASSAY_WINDOWS_COMPRESSOR=zlib")
}

// shell runs a script in the repository's folder.
func (w *windows) shell(script string, variables ...string) string {
	w.t.Helper()
	command := exec.CommandContext(w.t.Context(), "bash", "-euc", script)
	command.Dir, command.Env = w.root, append(os.Environ(), variables...)
	said, err := command.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", script, err, said)
	}
	return string(said)
}

// call runs a line of the shell in which wine can be called, and compares the exit code.
func (w *windows) call(t *testing.T, code int, line string, variables ...string) (said string) {
	t.Helper()
	got, printed, logged, err := w.Call(line, variables...)
	assert.NoError(t, err)
	if got != code {
		t.Errorf("%s: exit code %d, want %d; printed %q, logged %q", line, got, code, printed, logged)
	}
	return printed + logged
}

// console runs a line of cmd, as a person types it.
func (w *windows) console(t *testing.T, code int, line string) (said string) {
	t.Helper()
	return w.call(t, code, `wine cmd /c "$LINE"`, "LINE="+line)
}

// home is the person's folder.
func (w *windows) home(parts ...string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.Prefix, "drive_c", "users", "*", "AppData", "Roaming"))
	if err != nil || len(found) != 1 {
		w.t.Fatalf("the person's folder: %q, %v", found, err)
	}
	return filepath.Join(append([]string{filepath.Join(found[0], "..", "..")}, parts...)...)
}

// state is what there is of a Windows: paths of files and folders, and lines of the registry.
type state map[string]bool

// state waits until all programs have ended.
func (w *windows) state() state {
	w.t.Helper()
	assert.NoError(w.t, w.Settle())
	all := state{}
	drive := filepath.Join(w.Prefix, "drive_c")
	assert.NoError(w.t, filepath.WalkDir(drive, func(path string, _ fs.DirEntry, err error) error {
		all[strings.TrimPrefix(path, drive)] = true
		return err
	}))
	for _, name := range []string{"user.reg", "system.reg"} {
		content, err := os.ReadFile(filepath.Join(w.Prefix, name))
		assert.NoError(w.t, err)
		section := ""
		for line := range strings.Lines(string(content)) {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "["): // followed by a time
				section = name + " " + line[:strings.LastIndex(line, "]")+1]
				all[section] = true
			case line != "" && line[0] != '#':
				// wine leaves the semicolon before what it takes out of the PATH.
				all[section+" "+strings.TrimRight(strings.TrimSuffix(line, `"`), ";")] = true
			}
		}
	}
	return all
}

// ofOthers are parts of the paths and lines that Windows, wine or NSIS change by themselves while something is installed.
var ofOthers = []string{
	`/Temp`,                   // the copy of itself that NSIS' uninstaller runs is deleted at the next start; sockets, which wine lacks
	`/AppData/Local/Programs`, // Windows' own folder for programs of one person, empty
	`/windows/Installer`,      // its folder, empty
	`system.reg [Software\\Classes\\Installer\\`, `system.reg [Software\\Microsoft\\Windows\\CurrentVersion\\Installer\\`, // keys of Windows Installer, without values
	`user.reg [Software\\Classes\\Applications]`, `user.reg [Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall]`, // Windows has them, a new wine has not
	`PendingFileRenameOperations`, // NSIS' copy, as above
	`[Software\\Wine`, `[Software\\Microsoft\\Windows NT\\CurrentVersion\\NetworkCards`, `[System\\ControlSet001\\Enum`, `[System\\ControlSet001\\Control\\Class`, `[System\\ControlSet001\\Control\\Video`,
	`[System\\CurrentControlSet\\Enum`, `[System\\CurrentControlSet\\Control\\Class`, `[System\\CurrentControlSet\\Control\\Video`, `DriverDateData`, `[Volatile Environment`,
}

// changed are the paths and lines that only one of two states has, but for those of others and the person's records.
func (w *windows) changed(before, after state) []string {
	records := strings.TrimPrefix(filepath.Clean(w.home("AppData", "Roaming", "assay")), filepath.Join(w.Prefix, "drive_c"))
	var all []string
	for _, line := range slices.Sorted(maps.Keys(before)) {
		if !after[line] {
			all = append(all, "without "+line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(after)) {
		if !before[line] && line != records && !strings.HasPrefix(line, records+"/") {
			all = append(all, "with "+line)
		}
	}
	return slices.DeleteFunc(all, func(line string) bool {
		return slices.ContainsFunc(ofOthers, func(part string) bool { return strings.Contains(line, part) })
	})
}

// open opens a program's window, and waits until it is painted. At the end of the test the program ends.
func (w *windows) open(t *testing.T, line string, variables ...string) {
	t.Helper()
	process, err := w.Start(line, variables...)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, process.Stop()) })
	window, err := w.desktop.Window(t.Context(), "--name", "^Assay$")
	assert.NoError(t, err)
	assert.NoError(t, e2e.Until(t.Context(), time.Minute, "the window is painted", func() (bool, error) {
		shot, err := window.Shot(t.Context())
		return err == nil && !shot.Blank(), nil
	}))
	shot, err := window.Settled(t.Context())
	assert.NoError(t, err)
	assert.NoError(t, w.desktop.Keep(shot, "window"))
}
