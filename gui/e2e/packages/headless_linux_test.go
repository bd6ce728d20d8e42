//go:build e2e && packages && linux

package packages

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// machines are those that Assay without its window has Linux packages for, by Go's name and by that of other systems.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// headless are the packages of a machine, by Go's name for it.
func (f *fixture) headless(t *testing.T, machine string) (deb, rpm, apk, arch string) {
	t.Helper()
	other := machines[machine]
	return f.built(t, "assay-headless_"+f.version+"_"+machine+".deb"), f.built(t, "assay-headless-"+f.version+"-1."+other+".rpm"),
		f.built(t, "assay-headless_"+f.version+"_"+other+".apk"), f.built(t, "assay-headless-"+f.version+"-1-"+other+".pkg.tar.zst")
}

// TestInstalledWithoutAWindow installs, tries and removes the packages in turn on the smallest Debian.
func TestInstalledWithoutAWindow(t *testing.T) {
	f := setup(t)
	deb, rpm, _, arch := f.headless(t, "amd64")
	d := f.freshDebian(t)
	picture := somebodyHome + "/mountains spliced.jpg"
	d.copyIn(picture, filepath.Join(f.root, "testdata", "pictures", "mountains-spliced.jpg"))
	for _, folder := range systemFolders {
		assert.NoError(t, os.MkdirAll(d.path(folder), 0o755)) //nolint:gosec // as systems have them
	}
	d.copyIn("/root/headless.deb", deb)
	before := d.files()
	tried := func(t *testing.T) {
		t.Helper()
		d := &debian{t, d.folder}
		d.scans(picture)
		if said := d.asSomebody("assay", "--version"); !strings.Contains(said, "Assay "+f.version+"\n") || !strings.HasSuffix(said, ", without a window\n") {
			t.Error(said)
		}
		if page := d.asSomebody("man", "assay"); !strings.Contains(page, "no window") {
			t.Error(page)
		}
	}
	t.Run("deb", func(t *testing.T) {
		d := &debian{t, d.folder}
		if said := d.must("apt-get", "install", "--yes", "--no-install-recommends", "/root/headless.deb"); strings.Contains(said, " additional packages") {
			t.Errorf("it needs another package: %s", said)
		}
		tried(t)
		d.copyIn("/root/assay.deb", f.deb())
		if code, _, said := called(t, d.command(0, "/root", []string{"apt-get", "install", "--simulate", "--no-remove", "/root/headless.deb", "/root/assay.deb"})); code == 0 || !strings.Contains(said, "broken packages") {
			t.Errorf("both are installed at once: exit %d: %s", code, said)
		}
		unit := d.read("/usr/share/doc/assay-headless/examples/assay-watch.service")
		path := filepath.Join(t.TempDir(), "assay-watch.service")
		program := filepath.Join(f.binaries, "headless-linux-amd64", "assay")
		assert.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(unit, "/usr/bin/assay", program)), 0o600))
		if said := outside(t, "systemd-analyze", "verify", path); said != "" {
			t.Error(said)
		}
		if said := d.must("apt-get", "purge", "--yes", "assay-headless"); strings.Count(said, whereRecordsStay) != 1 {
			t.Errorf("removed, it says: %s", said)
		}
		d.nothingLeft(before)
		d.keptItsRecords()
	})
	t.Run("rpm", func(t *testing.T) {
		d := &debian{t, d.folder}
		// It names one thing: the shell that says where records stay, which Debian's own packages bring.
		outside(t, "rpm", "--root", d.folder, "--install", "--nodeps", rpm)
		if wrong := outside(t, "rpm", "--root", d.folder, "--verify", "--nodeps", "assay-headless"); wrong != "" {
			t.Errorf("what is there differs: %s", wrong)
		}
		for line := range strings.Lines(outside(t, "rpm", "--root", d.folder, "--query", "--requires", "assay-headless")) {
			if need := strings.TrimSpace(line); need != "/bin/sh" && !strings.HasPrefix(need, "rpmlib(") {
				t.Errorf("it needs %s", need)
			}
		}
		tried(t)
		if said := outside(t, "rpm", "--root", d.folder, "--erase", "assay-headless"); strings.Count(said, whereRecordsStay) != 1 {
			t.Errorf("removed, it says: %s", said)
		}
		d.nothingLeft(before)
	})
	t.Run("Arch", func(t *testing.T) {
		d := &debian{t, d.folder}
		config := filepath.Join(t.TempDir(), "pacman.conf")
		assert.NoError(t, os.WriteFile(config, []byte("[options]\nArchitecture = x86_64\nSigLevel = Never\n"), 0o600))
		assert.NoError(t, os.MkdirAll(d.path("/var/lib/pacman"), 0o755)) //nolint:gosec // as pacman has it
		d.must("ln", "--symbolic", "--force", "bash", "/bin/sh")         // the shell there
		pacman := []string{"pacman", "--config", config, "--root", d.folder, "--dbpath", d.path("/var/lib/pacman"), "--noconfirm"}
		outside(t, append(pacman, "--upgrade", arch)...)
		tried(t)
		outside(t, append(pacman, "--remove", "assay-headless")...)
		d.nothingLeft(before)
	})
}

// TestEveryPackageWithoutAWindowHasTheProgramOfItsMachine unpacks all of them.
func TestEveryPackageWithoutAWindowHasTheProgramOfItsMachine(t *testing.T) {
	f := setup(t)
	for machine := range machines {
		program, err := os.ReadFile(filepath.Join(f.binaries, "headless-linux-"+machine, "assay"))
		assert.NoError(t, err)
		deb, rpm, apk, arch := f.headless(t, machine)
		if said := outside(t, "dpkg-deb", "--field", deb, "Architecture", "Depends"); said != "Architecture: "+machine+"\n" {
			t.Errorf("%s says %s", deb, said)
		}
		for _, path := range []string{deb, rpm, apk, arch} {
			folder, archive := t.TempDir(), path
			if path == deb {
				archive = filepath.Join(t.TempDir(), "data.tar")
				assert.NoError(t, os.WriteFile(archive, []byte(outside(t, "dpkg-deb", "--fsys-tarfile", path)), 0o600))
			}
			outside(t, "bsdtar", "--extract", "--file", archive, "--directory", folder)
			if packed, err := os.ReadFile(filepath.Join(folder, "usr/bin/assay")); err != nil || !bytes.Equal(program, packed) {
				t.Errorf("%s has another program: %v", path, err)
			}
			licences, err := filepath.Glob(filepath.Join(folder, "usr/share/*/assay-headless/*"))
			assert.NoError(t, err)
			named := strings.Join(licences, " ")
			if path != deb && (!strings.Contains(named, "/LICENSE") || !strings.Contains(named, "/third-party")) || path == deb && !strings.Contains(named, "/copyright") {
				t.Errorf("%s has no licences: %s", path, named)
			}
		}
	}
}

// TestArchivesWithoutAWindowRunWhereTheyAreUnpacked is tried on Linux; those of other systems have their program and its licences.
func TestArchivesWithoutAWindowRunWhereTheyAreUnpacked(t *testing.T) {
	f := setup(t)
	for name, target := range map[string]string{
		"linux-x64.tar.xz": "linux-amd64/assay", "linux-arm64.tar.xz": "linux-arm64/assay", "macos-arm64.tar.xz": "darwin-arm64/assay", "windows-x64.zip": "windows-amd64/assay.exe",
	} {
		folder := t.TempDir()
		outside(t, "bsdtar", "--extract", "--strip-components", "1", "--file", f.built(t, "assay-headless-"+f.version+"-"+name), "--directory", folder)
		built, err := os.ReadFile(filepath.Join(f.binaries, "headless-"+target))
		assert.NoError(t, err)
		program := filepath.Join(folder, filepath.Base(target))
		if packed, err := os.ReadFile(program); err != nil || !bytes.Equal(built, packed) {
			t.Errorf("%s has another program: %v", name, err)
		}
		for _, text := range []string{"LICENSE", "third-party.txt", "CHANGELOG.md", "managed.example.json"} {
			if facts, err := os.Stat(filepath.Join(folder, text)); err != nil || facts.Size() == 0 {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "managed.json")); err == nil {
			t.Errorf("%s: the sample would lock settings on Windows, where what is beside the program counts", name)
		}
		if target != "linux-amd64/assay" {
			continue
		}
		scan := exec.CommandContext(t.Context(), program, "scan", "--json", "--sandbox", "--home", t.TempDir(), filepath.Join(f.root, "testdata", "pictures", "generated.png"))
		if code, stdout, stderr := called(t, scan); code != 0 || scannedIn(t, stdout)[0].Status != "FAKE" {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
	}
}
