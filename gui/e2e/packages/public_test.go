//go:build e2e && packages && linux

package packages

import (
	"debug/elf"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// What the public workflow builds where its tools are: here all is tried but those tools.

// script runs a script of a kind of packages as .ci/packages does, with more in its environment.
func (f *fixture) script(t *testing.T, kind string, environment ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "-euc", "source .ci/facts && exec assets/packages/"+kind+"/build") //nolint:gosec // of this repository
	command.Dir = f.root
	command.Env = append(os.Environ(), append(environment, "ASSAY_BIN="+f.binaries, "ASSAY_OUT="+t.TempDir(), "ASSAY_MAKER="+filepath.Join(f.root, "build", "tools", "maker"))...)
	run(t, command)
}

func run(t *testing.T, command *exec.Cmd) (said string) {
	t.Helper()
	printed, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command.Args, " "), err, printed)
	}
	return string(printed)
}

// files are those below a folder, but for icons, which are many.
func files(t *testing.T, folder string) (all []string) {
	t.Helper()
	assert.NoError(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(folder, path); err == nil && !e.IsDir() && !strings.Contains(name, "/icons/") {
			all = append(all, name)
		}
		return err
	}))
	return all
}

func TestTheFlatpakMayReachNothingOfThePersonsFiles(t *testing.T) {
	f := setup(t)
	command := exec.CommandContext(t.Context(), "flatpak-builder", "--show-manifest", filepath.Join(f.root, "assets", "packages", "flatpak", "news.assay.Assay.yml")) //nolint:gosec // of this repository
	command.Dir = t.TempDir()                                                                                                                                         // where it keeps its state
	var manifest struct {
		ID      string   `json:"id"`
		Command string   `json:"command"`
		Finish  []string `json:"finish-args"`
		Modules []struct {
			Sources []struct{ Type string }
		}
	}
	assert.NoError(t, json.Unmarshal([]byte(run(t, command)), &manifest))
	assert.Equal(t, "news.assay.Assay assay", manifest.ID+" "+manifest.Command)
	slices.Sort(manifest.Finish)
	want := []string{
		"--device=dri", "--share=ipc", "--share=network", "--socket=fallback-x11", "--socket=pulseaudio", "--socket=wayland",
		"--talk-name=org.freedesktop.Notifications", "--talk-name=org.freedesktop.secrets", "--talk-name=org.kde.StatusNotifierWatcher",
	}
	if diff := cmp.Diff(want, manifest.Finish); diff != "" {
		t.Errorf("more or less than Assay needs: %s", diff)
	}
	for _, module := range manifest.Modules {
		for _, source := range module.Sources {
			assert.Equal(t, "dir", source.Type) // fetched from nowhere
		}
	}
}

// The sources are built as flatpak-builder does: without a network, and without the modules that this computer has.
func TestTheFlatpakIsBuiltFromItsSourcesAlone(t *testing.T) {
	t.Parallel() // it takes minutes
	f := setup(t)
	installed, modules := t.TempDir(), t.TempDir()
	work := filepath.Join(f.root, "build", "flatpak") // always the same, so that what was compiled counts for the next run
	assert.NoError(t, os.RemoveAll(work))
	t.Cleanup(func() { _ = os.RemoveAll(work) })
	f.script(t, "flatpak", "ASSAY_SOURCE="+work)
	command := exec.CommandContext(t.Context(), "bash", "assets/packages/flatpak/install")
	command.Dir = filepath.Join(work, "source")
	command.Env = append(os.Environ(), "FLATPAK_DEST="+installed, "FLATPAK_ID=news.assay.Assay", "GOPROXY=off", "GOMODCACHE="+modules, "GOFLAGS=-mod=vendor")
	run(t, command)
	want := []string{
		"bin/assay", "share/applications/news.assay.Assay.desktop", "share/licenses/news.assay.Assay/LICENSE", "share/licenses/news.assay.Assay/copyright",
		"share/metainfo/news.assay.Assay.metainfo.xml",
	}
	if diff := cmp.Diff(want, files(t, installed)); diff != "" {
		t.Error(diff)
	}
	said := run(t, exec.CommandContext(t.Context(), filepath.Join(installed, "bin", "assay"), "--version")) //nolint:gosec // built above
	if !strings.HasPrefix(said, "Assay "+f.version+"\ncommit ") {
		t.Errorf("it says %q", said)
	}
	f.looksInstalled(t, installed)
}

// looksInstalled checks what a desktop reads of an installed program.
func (f *fixture) looksInstalled(t *testing.T, prefix string) {
	t.Helper()
	run(t, exec.CommandContext(t.Context(), "desktop-file-validate", filepath.Join(prefix, "share", "applications", "news.assay.Assay.desktop"))) //nolint:gosec // a path of this test
	metainfo, err := filepath.Glob(filepath.Join(prefix, "share", "metainfo", "news.assay.Assay.*.xml"))
	assert.NoError(t, err)
	run(t, exec.CommandContext(t.Context(), "appstreamcli", append([]string{"validate", "--no-net"}, metainfo...)...)) //nolint:gosec // a path of this test
	icons, err := filepath.Glob(filepath.Join(prefix, "share", "icons", "hicolor", "*", "apps", "news.assay.Assay.*"))
	assert.NoError(t, err)
	assert.True(t, len(icons) > 8, "%d icons", len(icons))
}

// shared are the libraries that every desktop of Linux has for itself.
var shared = regexp.MustCompile(`^(ld-linux.*|libc|libm|libdl|libpthread|libresolv|libGL|libEGL|libX11|libXcursor|libXrandr|libXinerama|libXi|libXxf86vm|libwayland-(client|cursor|egl)|libxkbcommon|libasound)\.so\.\d+$`)

func TestTheAppImageHasAssayAndNoLibraries(t *testing.T) {
	f := setup(t)
	dir := filepath.Join(t.TempDir(), "Assay.AppDir")
	f.script(t, "appimage", "ASSAY_APPDIR="+dir)
	want := []string{
		".DirIcon", "AppRun", "news.assay.Assay.desktop", "news.assay.Assay.png", "usr/bin/assay", "usr/share/applications/news.assay.Assay.desktop",
		"usr/share/doc/assay/LICENSE", "usr/share/doc/assay/copyright", "usr/share/metainfo/news.assay.Assay.appdata.xml",
	}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	moved := dir + " moved" // it is mounted under another name at each start
	assert.NoError(t, os.Rename(dir, moved))
	for _, link := range want[:4] {
		if _, err := os.Stat(filepath.Join(moved, link)); err != nil {
			t.Error(err)
		}
	}
	said := run(t, exec.CommandContext(t.Context(), filepath.Join(moved, "AppRun"), "--version")) //nolint:gosec // built above
	assert.True(t, strings.HasPrefix(said, "Assay "+f.version+"\n"), "it says %q", said)
	f.looksInstalled(t, filepath.Join(moved, "usr"))
	binary, err := elf.Open(filepath.Join(moved, "usr", "bin", "assay"))
	assert.NoError(t, err)
	defer binary.Close() //nolint:errcheck // only read from
	libraries, err := binary.ImportedLibraries()
	assert.NoError(t, err)
	for _, library := range libraries {
		assert.True(t, shared.MatchString(library), "%s is not on every desktop, and not in the AppImage", library)
	}
}

// A sandbox as Flatpak makes it: a user who is not root, root's files seem nobody's, the home is made for it, and of the person's files there is only what
// they chose.
func TestInASandboxAsFlatpakMakesIt(t *testing.T) {
	f := setup(t)
	folder, err := os.MkdirTemp("", "flatpak") //nolint:usetesting // a test's own is closed to the user below
	assert.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	const user = "1000"
	app, info, data := filepath.Join(folder, "app"), filepath.Join(folder, "info"), filepath.Join(folder, "data")
	run(t, exec.CommandContext(t.Context(), "bash", "-euc", `umask 022; chmod 755 "$1"; mkdir -p "$2/bin" "$2/etc/assay" "$3"; cp "$4" "$2/bin/assay"; touch "$5"; chown "$6:$6" "$3"`, //nolint:gosec // paths of this test
		"bash", folder, app, data, filepath.Join(f.binaries, "linux-amd64", "assay"), info, user))
	const chosen = "/run/user/1000/doc/1f2e3d4c/pictures" // as the portal hands a folder over
	scan := func(t *testing.T) string {
		t.Helper()
		words := []string{
			"--reuid=" + user, "--regid=" + user, "--clear-groups", "bwrap", "--unshare-user", "--unshare-pid", "--clearenv",
			"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
			"--ro-bind", app, "/app", "--ro-bind", info, "/.flatpak-info", "--bind", data, "/home/u/.var/app/news.assay.Assay",
			"--ro-bind", filepath.Join(f.root, "testdata", "pictures"), chosen,
			"--setenv", "HOME", "/home/u", "--setenv", "FLATPAK_ID", "news.assay.Assay",
			"--setenv", "XDG_CONFIG_HOME", "/home/u/.var/app/news.assay.Assay/config", "--setenv", "XDG_CACHE_HOME", "/home/u/.var/app/news.assay.Assay/cache",
			"/app/bin/assay", "scan", "--sandbox", "--json", chosen + "/mountains-spliced.jpg",
		}
		printed, _ := exec.CommandContext(t.Context(), "setpriv", words...).CombinedOutput() //nolint:gosec,errcheck // what it says counts
		return string(printed)
	}
	managed := filepath.Join(app, "etc", "assay", "managed.json")
	lock := []byte(`{"version": 1, "settings": {"gates": {"files": "never"}}, "locked": ["gates.files"]}`)
	assert.NoError(t, os.WriteFile(managed, lock, 0o644)) //nolint:gosec // everybody may read it
	if said := scan(t); !strings.HasPrefix(said, "{") || !strings.Contains(said, "Your organisation's IT has set that this never leaves this computer.") {
		t.Errorf("what the administrators locked does not hold, or something else is said: %s", said)
	}
	assert.NoError(t, os.Remove(managed))
	if said := scan(t); !strings.HasPrefix(said, "{") || !strings.Contains(said, `"status":"FAKE"`) {
		t.Errorf("it does not scan, or something else is said: %s", said)
	}
}
