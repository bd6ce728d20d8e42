//go:build e2e && packages && linux

package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/e2e"
)

const (
	verdict = "Likely manipulated or AI-generated"
	// installed is where the installer for one person puts Assay, as cmd reads it.
	installed = `%LOCALAPPDATA%\Programs\Assay\assay`
)

// TestWindows installs, upgrades and removes Assay by both of its installers, under wine. wine has no sockets of files, so that a running Assay can't be
// asked to end there: the installers see that it runs, and refuse.
func TestWindows(t *testing.T) {
	t.Parallel() // it takes minutes
	w := setup(t).windows(t)
	picture := `Z:` + strings.ReplaceAll(filepath.Join(w.root, "testdata", "pictures", "mountains-spliced.jpg"), `/`, `\`)
	t.Run("setup.exe", func(t *testing.T) { w.forOnePerson(t, picture) })
	t.Run("msi", func(t *testing.T) { w.forAll(t, picture) })
	t.Run("signatures", w.signatures)
}

// says fails unless a text has the words.
func says(t *testing.T, text, words string) {
	t.Helper()
	assert.True(t, strings.Contains(text, words), "without %q: %q", words, text)
}

// entries are which of Assay's entries this desktop has.
func (w *windows) entries(t *testing.T) (there []string) {
	t.Helper()
	if said := w.console(t, 0, `reg query HKCU\Software\Microsoft\Windows\CurrentVersion\Run`); strings.Contains(said, "assay.exe") {
		there = append(there, "autostart")
	}
	if code, _, _, err := w.Call(`wine reg query 'HKCU\Software\Classes\Applications\assay.exe'`); err == nil && code == 0 {
		there = append(there, "open-with")
	}
	if _, err := os.Stat(w.home("AppData", "Roaming", "Microsoft", "Windows", "SendTo", "Assay.lnk")); err == nil {
		there = append(there, "send-to")
	}
	return there
}

// everyEntry are all of them.
var everyEntry = []string{"autostart", "open-with", "send-to"}

func (w *windows) forOnePerson(t *testing.T, picture string) {
	now := "SETUP=" + w.built(t, "assay-"+w.version+"-windows-x64-setup.exe")
	next := "SETUP=" + filepath.Join(w.later, "assay-"+later+"-windows-x64-setup.exe")
	folder := w.home("AppData", "Local", "Programs", "Assay")
	before := w.state()

	w.call(t, 0, `wine "$SETUP" /S`, now)
	says(t, w.console(t, 0, installed+" --version"), "Assay "+w.version+"\n")
	says(t, w.console(t, 0, `reg query HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Assay /v DisplayVersion`), w.version)
	_, err := os.Stat(w.home("AppData", "Roaming", "Microsoft", "Windows", "Start Menu", "Programs", "Assay.lnk"))
	assert.NoError(t, err)
	t.Run("it scans, with exit codes", func(t *testing.T) {
		says(t, w.console(t, 0, installed+" scan --sandbox "+picture), verdict)
		w.console(t, 2, installed+" scan")
		w.console(t, 1, installed+` scan --sandbox C:\none.jpg`)
	})
	t.Run("it prints on a console, also without waiting for it", func(t *testing.T) {
		for _, program := range []string{installed, installed + ".exe"} {
			said := w.call(t, 0, `script -qec "wine cmd /c '$LINE'" /dev/null </dev/null`, "LINE="+program+" --version")
			says(t, said, "Assay "+w.version)
		}
	})
	t.Run("it has entries in the desktop", func(t *testing.T) {
		assert.Equal(t, nil, w.entries(t))
		w.console(t, 0, installed+" entries add "+strings.Join(everyEntry, " "))
		assert.Equal(t, everyEntry, w.entries(t))
	})
	t.Run("while its window is open, it is not replaced", func(t *testing.T) {
		w.open(t, `exec wine "$EXE" --sandbox`, "EXE="+filepath.Join(folder, "assay.exe"))
		w.call(t, 2, `wine "$SETUP" /S`, next)
		says(t, w.console(t, 0, installed+" --version"), "Assay "+w.version+"\n")
	})
	t.Run("the same version over it changes nothing", func(t *testing.T) {
		w.call(t, 0, `wine "$SETUP" /S`, now)
		says(t, w.console(t, 0, installed+" --version"), "Assay "+w.version+"\n")
		assert.Equal(t, everyEntry, w.entries(t))
	})
	t.Run("a later version over it keeps records and entries", func(t *testing.T) {
		w.call(t, 0, `wine "$SETUP" /S`, next)
		says(t, w.console(t, 0, installed+" --version"), "Assay "+later+"\n")
		says(t, w.console(t, 0, installed+" scan --sandbox --json "+picture), `"earlier":true`)
		assert.Equal(t, everyEntry, w.entries(t))
		for _, name := range []string{"assay.exe", "assay.com", "uninstall.exe"} {
			assert.NoError(t, w.verify(filepath.Join(folder, name)))
		}
	})
	t.Run("an older one is refused", func(t *testing.T) {
		w.call(t, 2, `wine "$SETUP" /S`, now)
		says(t, w.console(t, 0, installed+" --version"), "Assay "+later+"\n")
	})
	t.Run("removed, it leaves the records alone", func(t *testing.T) {
		w.call(t, 0, `wine "$UNINSTALL" /S`, "UNINSTALL="+filepath.Join(folder, "uninstall.exe"))
		assert.NoError(t, e2e.Until(t.Context(), time.Minute, "the program is gone", func() (bool, error) {
			_, err := os.Stat(folder)
			return os.IsNotExist(err), nil
		}))
		for _, line := range w.changed(before, w.state()) {
			t.Error(line)
		}
		_, err := os.Stat(w.home("AppData", "Roaming", "assay", "sandbox", "assay.db"))
		assert.NoError(t, err)
	})
}

func (w *windows) forAll(t *testing.T, picture string) {
	now := "MSI=Z:" + w.built(t, "assay-"+w.version+"-windows-x64.msi")
	next := "MSI=Z:" + filepath.Join(w.later, "assay-"+later+"-windows-x64.msi")
	managed := `{"version": 1, "settings": {"gates": {"files": "never"}}, "locked": ["gates.files"]}`
	assert.NoError(t, os.WriteFile(filepath.Join(w.Prefix, "drive_c", "managed.json"), []byte(managed), 0o600))
	call := func(t *testing.T, code int, words string) (said string) {
		t.Helper()
		return w.call(t, code, `wine "$EXE" `+words, `EXE=C:\Program Files\Assay\assay.com`, "PICTURE="+picture)
	}
	scan := `scan --sandbox --again "$PICTURE"`
	locked := func(t *testing.T, version string) {
		t.Helper()
		says(t, call(t, 0, "--version"), "Assay "+version+"\n")
		says(t, call(t, 1, scan), "Your organisation's IT has set that this never leaves this computer.")
	}
	before := w.state()

	t.Run("over a later version it is refused", func(t *testing.T) {
		w.call(t, 0, `wine msiexec /i "$MSI" /qn`, next)
		code, _, _, err := w.Call(`wine msiexec /i "$MSI" /qn`, now)
		assert.NoError(t, err)
		assert.True(t, code != 0, "it was installed")
		says(t, w.console(t, 0, "assay --version"), "Assay "+later+"\n") // by the PATH
		w.call(t, 0, `wine msiexec /x "$MSI" /qn`, next)
	})
	t.Run("what IT locks holds, also when it is installed again", func(t *testing.T) {
		w.call(t, 0, `wine msiexec /i "$MSI" /qn 'MANAGED=C:\managed.json'`, now)
		locked(t, w.version)
		call(t, 0, "entries add "+strings.Join(everyEntry, " "))
		w.call(t, 0, `wine msiexec /i "$MSI" /qn`, now)
		locked(t, w.version)
		assert.Equal(t, everyEntry, w.entries(t))
	})
	t.Run("where the administrators' file is gone, all asks first", func(t *testing.T) {
		path := filepath.Join(w.Prefix, "drive_c", "managed.json")
		assert.NoError(t, os.Rename(path, path+".away"))
		said := call(t, 1, scan)
		says(t, said, "can't be read")
		assert.True(t, !strings.Contains(said, verdict), "it was sent: %s", said)
		assert.NoError(t, os.Rename(path+".away", path))
	})
	t.Run("removed, it leaves the records alone", func(t *testing.T) {
		w.call(t, 0, `wine msiexec /x "$MSI" /qn`, now)
		for _, line := range w.changed(before, w.state()) {
			t.Error(line)
		}
	})
	// wine does not tell the old version that it is removed for a new one, so that it takes the entries with it; and it forgets that the new one is there.
	t.Run("a later version over it keeps what IT has locked", func(t *testing.T) {
		w.call(t, 0, `wine msiexec /i "$MSI" /qn 'MANAGED=C:\managed.json'`, now)
		w.call(t, 0, `wine msiexec /i "$MSI" /qn`, next)
		locked(t, later)
		w.call(t, 0, `wine msiexec /x "$MSI" /qn`, next)
		_, err := os.Stat(filepath.Join(w.Prefix, "drive_c", "Program Files", "Assay"))
		assert.True(t, os.IsNotExist(err), "the program is there still")
	})
}

// verify returns an error unless a file has a signature that fits, with the certificate of this test.
func (w *windows) verify(path string) error {
	return exec.Command("osslsigncode", "verify", "-CAfile", w.certificate, "-in", path).Run() //nolint:noctx // it takes a second
}

func (w *windows) signatures(t *testing.T) {
	for _, name := range []string{"setup.exe", "msi"} {
		t.Run(name, func(t *testing.T) {
			found, err := filepath.Glob(filepath.Join(w.later, "*"+name))
			assert.NoError(t, err)
			assert.Equal(t, 1, len(found))
			assert.NoError(t, w.verify(found[0]))
			content, err := os.ReadFile(found[0])
			assert.NoError(t, err)
			content[len(content)/2] ^= 1
			flipped := filepath.Join(t.TempDir(), filepath.Base(found[0]))
			assert.NoError(t, os.WriteFile(flipped, content, 0o600))
			assert.True(t, w.verify(flipped) != nil, "a file with a changed byte is verified")
		})
	}
	t.Run("what has none is refused", func(t *testing.T) {
		assert.True(t, w.verify(filepath.Join(w.binaries, "windows-amd64", "assay.exe")) != nil, "it is verified without a signature")
	})
}
