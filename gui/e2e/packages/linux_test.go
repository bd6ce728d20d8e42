//go:build e2e && packages && linux

package packages

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/gui/e2e"
)

// The packages of Assay with its window, for Linux.
func (f *fixture) deb() string { return filepath.Join(f.packages, "assay_"+f.version+"_amd64.deb") }
func (f *fixture) rpm() string { return filepath.Join(f.packages, "assay-"+f.version+"-1.x86_64.rpm") }
func (f *fixture) apk() string { return filepath.Join(f.packages, "assay_"+f.version+"_x86_64.apk") }
func (f *fixture) arch() string {
	return filepath.Join(f.packages, "assay-"+f.version+"-1-x86_64.pkg.tar.zst")
}

// whereRecordsStay is what a removal says, and an upgrade does not.
const whereRecordsStay = "Assay's records and settings stay"

// inEvery are files of every package, but for their documents, which lie where each system has them.
var inEvery = []string{
	"usr/bin/assay",
	"usr/share/applications/news.assay.Assay.desktop",
	"usr/share/applications/zz-news.assay.Assay.desktop",
	"usr/share/bash-completion/completions/assay",
	"usr/share/fish/vendor_completions.d/assay.fish",
	"usr/share/icons/hicolor/16x16/apps/news.assay.Assay.png",
	"usr/share/icons/hicolor/512x512/apps/news.assay.Assay.png",
	"usr/share/icons/hicolor/scalable/apps/news.assay.Assay.svg",
	"usr/share/man/man1/assay.1.gz",
	"usr/share/metainfo/news.assay.Assay.metainfo.xml",
}

// systemFolders are there on Fedora and Arch, of packages that are no part of Assay's; Debian has some only where something lies in them.
var systemFolders = []string{"/usr/share/metainfo", "/usr/share/fish/vendor_completions.d", "/usr/share/zsh/site-functions", "/usr/share/licenses"}

// TestInstalledOnLinux installs, tries and removes the packages in turn on one Debian that has what they depend on, and nothing they recommend.
func TestInstalledOnLinux(t *testing.T) {
	f := setup(t)
	d := f.freshDebian(t)
	picture, another := somebodyHome+"/mountains spliced.jpg", somebodyHome+"/dogs & cats.jpg"
	d.copyIn(picture, filepath.Join(f.root, "testdata", "pictures", "mountains-spliced.jpg"))
	d.copyIn(another, filepath.Join(f.root, "testdata", "pictures", "dogs-portrait.jpg"))

	d.copyIn("/root/assay.deb", f.deb())
	d.must("apt-get", "satisfy", "--yes", "--no-install-recommends", strings.TrimSpace(outside(t, "dpkg-deb", "--field", f.deb(), "Depends")))
	for _, folder := range systemFolders {
		assert.NoError(t, os.MkdirAll(d.path(folder), 0o755)) //nolint:gosec // as systems have them
	}
	before := d.files()
	t.Run("deb", func(t *testing.T) {
		d := &debian{t, d.folder}
		if said := d.must("apt-get", "install", "--yes", "--no-install-recommends", "/root/assay.deb"); strings.Contains(said, " additional packages") {
			t.Errorf("it needs more than it depends on: %s", said)
		}
		for _, path := range append(slices.Clone(inEvery), "usr/share/doc/assay/copyright", "usr/share/doc/assay/changelog.gz", "usr/share/doc/assay/examples/managed.json", "usr/share/zsh/vendor-completions/_assay") {
			if facts, err := os.Stat(d.path(path)); err != nil || facts.Size() == 0 {
				t.Errorf("%s: %v", path, err)
			}
		}
		t.Run("what it links is of packages that it names", func(t *testing.T) { (&debian{t, d.folder}).namesItsLibraries() })
		t.Run("a subcommand scans", func(t *testing.T) { (&debian{t, d.folder}).scans(picture) })
		t.Run("the menu's entry opens a window, which scans", func(t *testing.T) { (&debian{t, d.folder}).opensFromItsEntry(f, another) })
		t.Run("shells complete its words, and man has its page", func(t *testing.T) { (&debian{t, d.folder}).helps() })
		t.Run("it is offered for a type behind every other program, once", func(t *testing.T) { (&debian{t, d.folder}).isOfferedLast() })
		t.Run("an upgrade is quiet, a removal says where the records are, and nothing else is left", func(t *testing.T) {
			d := &debian{t, d.folder}
			if said := d.must("dpkg", "--install", "/root/assay.deb"); strings.Contains(said, whereRecordsStay) {
				t.Errorf("an upgrade says: %s", said)
			}
			if said := d.must("apt-get", "purge", "--yes", "assay"); strings.Count(said, whereRecordsStay) != 1 {
				t.Errorf("removed, it says: %s", said)
			}
			d.nothingLeft(before)
			d.keptItsRecords()
		})
	})
	t.Run("rpm", func(t *testing.T) {
		d := &debian{t, d.folder}
		// Debian's packages are not in the database of rpm: what the package needs is compared below.
		said := outside(t, "rpm", "--root", d.folder, "--install", "--nodeps", f.rpm())
		said += outside(t, "rpm", "--root", d.folder, "--upgrade", "--replacepkgs", "--nodeps", f.rpm())
		if strings.Contains(said, whereRecordsStay) {
			t.Errorf("an upgrade says: %s", said)
		}
		if wrong := outside(t, "rpm", "--root", d.folder, "--verify", "--nodeps", "assay"); wrong != "" {
			t.Errorf("what is there differs: %s", wrong)
		}
		d.scans(picture)
		if said := outside(t, "rpm", "--root", d.folder, "--erase", "assay"); strings.Count(said, whereRecordsStay) != 1 {
			t.Errorf("removed, it says: %s", said)
		}
		d.nothingLeft(before)
		d.keptItsRecords()
	})
	t.Run("Arch", func(t *testing.T) {
		d := &debian{t, d.folder}
		config := filepath.Join(t.TempDir(), "pacman.conf")
		assert.NoError(t, os.WriteFile(config, []byte("[options]\nArchitecture = x86_64\nSigLevel = Never\n"), 0o600))
		assert.NoError(t, os.MkdirAll(d.path("/var/lib/pacman"), 0o755)) //nolint:gosec // as pacman has it
		// What a package runs is written for bash, which is the shell there.
		d.must("ln", "--symbolic", "--force", "bash", "/bin/sh")
		pacman := func(words ...string) string {
			return outside(t, append([]string{"pacman", "--config", config, "--root", d.folder, "--dbpath", d.path("/var/lib/pacman"), "--noconfirm", "--nodeps", "--nodeps"}, words...)...)
		}
		said := pacman("--upgrade", f.arch()) + pacman("--upgrade", f.arch())
		if strings.Contains(said, whereRecordsStay) {
			t.Errorf("an upgrade says: %s", said)
		}
		d.scans(picture)
		if said := pacman("--remove", "assay"); strings.Count(said, whereRecordsStay) != 1 {
			t.Errorf("removed, it says: %s", said)
		}
		d.nothingLeft(before)
		d.keptItsRecords()
	})
}

// scans has the installed program answer for a picture in its sandbox.
func (d *debian) scans(picture string) {
	d.t.Helper()
	if said := d.asSomebody("assay", "scan", "--sandbox", "--again", picture); !strings.Contains(said, "mountains spliced.jpg: ") {
		d.t.Errorf("it says %s", said)
	}
}

// keptItsRecords holds that what somebody submitted is still on record.
func (d *debian) keptItsRecords() {
	d.t.Helper()
	found, err := filepath.Glob(d.path(somebodyHome + "/.config/assay/*/assay.db"))
	assert.NoError(d.t, err)
	if len(found) == 0 {
		d.t.Error("there are no records")
	}
}

// namesItsLibraries holds that each library that the program links comes from a package that the .deb depends on by name.
func (d *debian) namesItsLibraries() {
	d.t.Helper()
	if said := d.must("ldd", "/usr/bin/assay"); strings.Contains(said, "not found") {
		d.t.Error(said)
	}
	depends := d.must("dpkg-query", "--show", "--showformat=${Depends}", "assay")
	for _, library := range linkedBy(d.t, d.path("/usr/bin/assay")) {
		owner, _, _ := strings.Cut(d.must("dpkg-query", "--search", "*/"+library), ":")
		if !regexp.MustCompile(`(^|, )` + regexp.QuoteMeta(owner) + `( |,|$)`).MatchString(depends) {
			d.t.Errorf("%s is of %s, which is not among %s", library, owner, depends)
		}
	}
}

// linkedBy are the libraries that a program names.
func linkedBy(t *testing.T, path string) []string {
	t.Helper()
	file, err := elf.Open(path)
	assert.NoError(t, err)
	defer func() { _ = file.Close() }()
	libraries, err := file.ImportedLibraries()
	assert.NoError(t, err)
	if len(libraries) < 10 {
		t.Fatalf("it links only %v", libraries)
	}
	return libraries
}

// opensFromItsEntry starts the program as a file manager does that opens a picture with it, and looks at its window.
func (d *debian) opensFromItsEntry(f *fixture, picture string) {
	d.t.Helper()
	entry := fields(d.read("/usr/share/applications/zz-news.assay.Assay.desktop"))
	menu := fields(d.read("/usr/share/applications/news.assay.Assay.desktop"))
	assert.Equal(d.t, menu["Exec"], entry["Exec"])
	d.asSomebody("sh", "-c", "command -v "+entry["TryExec"])
	shots := filepath.Join(f.root, "build", "e2e", "packages-linux")
	assert.NoError(d.t, os.RemoveAll(shots))
	desktop, err := e2e.StartDesktop(d.t.Context(), d.t.TempDir(), shots, 1280, 800)
	assert.NoError(d.t, err)
	defer func() { assert.NoError(d.t, desktop.Close()) }()
	words := []string{"--userspec=" + somebody, d.folder}
	for word := range strings.FieldsSeq(entry["Exec"]) {
		if word == "%F" {
			words = append(words, picture)
			continue
		}
		words = append(words, word)
	}
	words = append(words, "--sandbox", "--print") // nothing leaves this computer, and the test hears of the answer
	environment := []string{"HOME=" + somebodyHome, "PATH=/usr/bin:/bin", "FYNE_THEME=light",
		"XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_RUNTIME_DIR=", "TMPDIR=", "DBUS_SESSION_BUS_ADDRESS="}
	process, err := desktop.StartWith(environment, "chroot", words...)
	assert.NoError(d.t, err)
	window, err := desktop.Window(d.t.Context(), "--class", "^"+menu["StartupWMClass"]+"$")
	if err != nil {
		d.t.Fatalf("%v; it logged %s", err, process.Errors)
	}
	app := &e2e.Assay{Process: process, Window: window}
	lines, err := app.Answers(d.t.Context(), 1, time.Minute)
	assert.NoError(d.t, err)
	if !strings.HasPrefix(lines[0], filepath.Base(picture)+": ") {
		d.t.Errorf("it answers %q", lines)
	}
	shot, err := window.Settled(d.t.Context())
	assert.NoError(d.t, err)
	assert.NoError(d.t, desktop.Keep(shot, "installed"))
	assert.NoError(d.t, process.Terminate(20*time.Second))
}

// fields are those of a desktop entry.
func fields(entry string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(entry) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		all[name] = value
	}
	return all
}

// helps holds that the manual's page and the shells' completion are found by the programs that look for them.
func (d *debian) helps() {
	d.t.Helper()
	if page := d.asSomebody("man", "assay"); !strings.Contains(page, "assay scan PATH|URL") {
		d.t.Errorf("the page is %.300s", page)
	}
	// Without a terminal bash does not complete: it is asked what would, and that is asked what it would.
	loaded := d.asSomebody("bash", "-c", ". /usr/share/bash-completion/bash_completion; _completion_loader assay; complete -p assay")
	assert.Equal(d.t, "complete -o default -F __start_assay assay", strings.TrimSpace(loaded))
	if words := d.asSomebody("assay", "__complete", "reche"); !strings.HasPrefix(words, "recheck\t") {
		d.t.Errorf("%q", words)
	}
}

// isOfferedLast holds that, without a chosen program, a double click opens another one.
func (d *debian) isOfferedLast() {
	d.t.Helper()
	other := d.path("/usr/share/applications/org.example.Viewer.desktop")
	assert.NoError(d.t, os.WriteFile(other, []byte("[Desktop Entry]\nType=Application\nName=Viewer\nExec=true %f\nMimeType=image/png;\n"), 0o644)) //nolint:gosec // everybody's
	d.must("update-desktop-database")
	index := fields(d.read("/usr/share/applications/mimeinfo.cache"))
	assert.NoError(d.t, os.Remove(other))
	d.must("update-desktop-database")
	assert.Equal(d.t, "org.example.Viewer.desktop;zz-news.assay.Assay.desktop;", index["image/png"])
}

// needs are the packages of other systems in which each library lies that Assay links or opens when it runs: of Arch and of Alpine. An .rpm names the
// libraries themselves.
var needs = map[string]struct{ arch, alpine string }{
	"libGL.so.1":             {"libglvnd", "mesa-gl"},
	"libEGL.so.1":            {"libglvnd", "mesa-egl"},
	"libX11.so.6":            {"libx11", "libx11"},
	"libXcursor.so.1":        {"libxcursor", "libxcursor"},
	"libXext.so.6":           {"libxext", "libxext"},
	"libXi.so.6":             {"libxi", "libxi"},
	"libXinerama.so.1":       {"libxinerama", "libxinerama"},
	"libXrandr.so.2":         {"libxrandr", "libxrandr"},
	"libXrender.so.1":        {"libxrender", "libxrender"},
	"libXxf86vm.so.1":        {"libxxf86vm", "libxxf86vm"},
	"libasound.so.2":         {"alsa-lib", "alsa-lib"},
	"libc.so.6":              {"glibc", "gcompat"},
	"libm.so.6":              {"glibc", "gcompat"},
	"libresolv.so.2":         {"glibc", "gcompat"},
	"libwayland-client.so.0": {"wayland", "wayland-libs-client"},
	"libwayland-cursor.so.0": {"wayland", "wayland-libs-cursor"},
	"libwayland-egl.so.1":    {"wayland", "wayland-libs-egl"},
	"libxkbcommon.so.0":      {"libxkbcommon", "libxkbcommon"},
}

func TestPackagesOfOtherSystemsNameWhatAssayNeeds(t *testing.T) {
	f := setup(t)
	rpm := outside(t, "rpm", "--query", "--package", "--requires", f.rpm())
	arch := outside(t, "bsdtar", "--extract", "--to-stdout", "--file", f.arch(), ".PKGINFO")
	alpine := outside(t, "bsdtar", "--extract", "--to-stdout", "--file", f.apk(), ".PKGINFO")
	for _, library := range linkedBy(t, filepath.Join(f.binaries, "linux-amd64", "assay")) {
		if _, known := needs[library]; !known {
			t.Errorf("%s is of no known package", library)
		}
	}
	for library, of := range needs {
		if !strings.Contains(rpm, library+"(") && !slices.Contains([]string{"libm.so.6", "libresolv.so.2"}, library) { // they are glibc's, as libc is
			t.Errorf("the .rpm does not require %s: %s", library, rpm)
		}
		if !regexp.MustCompile(`(?m)^depend = ` + of.arch + `(>|$)`).MatchString(arch) {
			t.Errorf("the Arch package does not depend on %s: %s", of.arch, arch)
		}
		if !regexp.MustCompile(`(?m)^depend = ` + of.alpine + `$`).MatchString(alpine) {
			t.Errorf("the .apk does not depend on %s: %s", of.alpine, alpine)
		}
	}
	for name, info := range map[string]string{"Arch": arch, ".apk": alpine} {
		for _, want := range []string{"pkgname = assay\n", "pkgver = " + f.version, "url = https://assay.news\n", "arch = x86_64\n"} {
			if !strings.Contains(info, want) {
				t.Errorf("%s is without %q: %s", name, want, info)
			}
		}
	}
}

func TestEveryPackageHasTheSameFiles(t *testing.T) {
	f := setup(t)
	program, err := os.ReadFile(filepath.Join(f.binaries, "linux-amd64", "assay"))
	assert.NoError(t, err)
	for _, path := range []string{f.deb(), f.rpm(), f.apk(), f.arch()} {
		t.Run(filepath.Ext(path), func(t *testing.T) {
			folder := t.TempDir()
			archive := path
			if filepath.Ext(path) == ".deb" {
				archive = filepath.Join(t.TempDir(), "data.tar")
				content := outside(t, "dpkg-deb", "--fsys-tarfile", path)
				assert.NoError(t, os.WriteFile(archive, []byte(content), 0o600))
			}
			outside(t, "bsdtar", "--extract", "--file", archive, "--directory", folder)
			for _, name := range inEvery {
				if facts, err := os.Stat(filepath.Join(folder, name)); err != nil || facts.Size() == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
			packed, err := os.ReadFile(filepath.Join(folder, "usr/bin/assay"))
			assert.NoError(t, err)
			if !bytes.Equal(program, packed) {
				t.Error("it is another program")
			}
			for _, licence := range []string{"usr/share/licenses/assay/LICENSE", "usr/share/licenses/assay/third-party"} {
				if _, err := os.Stat(filepath.Join(folder, licence)); err != nil && filepath.Ext(path) != ".deb" { // which has all in its copyright
					t.Error(err)
				}
			}
		})
	}
}

func TestPackagesAreTheSameBytesTwice(t *testing.T) {
	f := setup(t)
	again := t.TempDir()
	// With the date of the first time: there may have been commits since.
	built := strings.TrimSpace(outside(t, "rpm", "--query", "--package", "--queryformat", "%{BUILDTIME}", f.rpm()))
	build := exec.CommandContext(t.Context(), filepath.Join("assets", "packages", "linux", "build"))
	build.Dir = f.root
	build.Env = append(os.Environ(), "ASSAY_VERSION="+f.version, "SOURCE_DATE_EPOCH="+built,
		"ASSAY_BIN="+f.binaries, "ASSAY_OUT="+again, "ASSAY_MAKER="+filepath.Join(f.root, "build", "tools", "maker"))
	if code, stdout, stderr := called(t, build); code != 0 {
		t.Fatal(stdout, stderr)
	}
	for _, path := range []string{f.deb(), f.rpm(), f.apk(), f.arch()} {
		first, err := os.ReadFile(path)
		assert.NoError(t, err)
		second, err := os.ReadFile(filepath.Join(again, filepath.Base(path)))
		assert.NoError(t, err)
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs", filepath.Base(path))
		}
	}
}
