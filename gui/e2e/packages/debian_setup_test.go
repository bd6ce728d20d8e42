//go:build e2e && packages && linux

package packages

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/gui/e2e"
)

// debian is a fresh Debian in a folder, with somebody in it.
type debian struct {
	t      *testing.T
	folder string
}

// somebody is who works there: a user with a home, and nothing else.
const (
	somebody     = "somebody"
	somebodyID   = 1000
	somebodyHome = "/home/" + somebody
)

// base is the archive of a fresh Debian, made once in a run: the smallest there is, with what reads manual pages, completes words and indexes desktop
// entries, so that a package's triggers have something to do.
var base = sync.OnceValues(func() (archive string, err error) {
	root, err := e2e.Root()
	if err != nil {
		return "", err
	}
	archive = filepath.Join(root, "build", "debian.tar")
	_ = os.Remove(archive) // of an earlier run: Debian has moved on
	arguments := []string{"--quiet", "--variant=minbase", "--include=man-db,bash-completion,desktop-file-utils", "bookworm", archive}
	// From where this computer has its own packages; without that, from Debian.
	for _, list := range []string{"/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"} {
		if facts, err := os.Stat(list); err == nil && facts.Size() > 0 {
			arguments = append(arguments, list)
		}
	}
	if out, err := exec.Command("mmdebstrap", arguments...).CombinedOutput(); err != nil { //nolint:noctx // for all tests of the run
		return "", fmt.Errorf("mmdebstrap: %w: %s", err, out)
	}
	return archive, nil
})

// freshDebian unpacks one, which can reach the network as this computer does. Programs in it run as root, so the tests must.
func (f *fixture) freshDebian(t *testing.T) *debian {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("packages are installed by root: run it as root")
	}
	archive, err := base()
	assert.NoError(t, err)
	d := &debian{t: t, folder: t.TempDir()}
	outside(t, "tar", "--extract", "--numeric-owner", "--file", archive, "--directory", d.folder)
	for _, name := range []string{"/etc/resolv.conf", "/etc/hosts"} {
		if content, err := os.ReadFile(name); err == nil {
			assert.NoError(t, os.WriteFile(d.path(name), content, 0o644)) //nolint:gosec // as systems have it
		}
	}
	d.must("useradd", "--create-home", "--uid", fmt.Sprint(somebodyID), "--shell", "/bin/bash", somebody)
	d.must("apt-get", "update", "--quiet")
	return d
}

// path is where a path of this Debian lies outside.
func (d *debian) path(inside string) string {
	return filepath.Join(d.folder, filepath.FromSlash(inside))
}

// copyIn copies a file to a path inside, readable by all.
func (d *debian) copyIn(inside, from string) {
	d.t.Helper()
	content, err := os.ReadFile(from)
	assert.NoError(d.t, err)
	assert.NoError(d.t, os.WriteFile(d.path(inside), content, 0o644)) //nolint:gosec // somebody opens it
}

func (d *debian) read(inside string) string {
	d.t.Helper()
	content, err := os.ReadFile(d.path(inside))
	assert.NoError(d.t, err)
	return string(content)
}

// must runs a program inside, as root, which succeeds, and returns all that it prints.
func (d *debian) must(words ...string) string {
	d.t.Helper()
	return d.succeeds(d.command(0, "/root", words))
}

// asSomebody is must as somebody.
func (d *debian) asSomebody(words ...string) string {
	d.t.Helper()
	return d.succeeds(d.command(somebodyID, somebodyHome, words))
}

func (d *debian) succeeds(cmd *exec.Cmd) string {
	d.t.Helper()
	code, stdout, stderr := called(d.t, cmd)
	if code != 0 {
		d.t.Fatalf("%q: exit %d: %s%s", cmd.Args, code, stdout, stderr)
	}
	return stdout + stderr
}

func (d *debian) command(uid uint32, home string, words []string) *exec.Cmd {
	cmd := exec.CommandContext(d.t.Context(), "/usr/bin/env", words...)
	cmd.Args = append([]string{"env"}, words...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=" + home, "DEBIAN_FRONTEND=noninteractive"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: d.folder, Credential: &syscall.Credential{Uid: uid, Gid: uid}, Pdeathsig: syscall.SIGTERM}
	return cmd
}

// notCompared are folders that change with every package, or without any: the databases, logs and caches of the system's own programs.
var notCompared = []string{"/proc", "/sys", "/dev", "/run", "/tmp", "/home", "/root", "/var/lib/dpkg", "/var/lib/apt", "/var/lib/rpm", "/var/lib/pacman", "/var/log", "/var/cache"}

// files are all others, each with what would show that it was changed.
func (d *debian) files() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(d.folder, func(path string, entry fs.DirEntry, err error) error {
		inside := strings.TrimPrefix(path, d.folder)
		for _, folder := range notCompared {
			if inside == folder && err == nil && entry.IsDir() {
				return fs.SkipDir
			}
		}
		if err != nil {
			return err
		}
		facts, err := entry.Info()
		if err != nil {
			return err
		}
		all[inside] = facts.Mode().String()
		if facts.Mode().IsRegular() {
			all[inside] += fmt.Sprintf(" %d bytes of %s", facts.Size(), facts.ModTime().UTC())
		}
		return nil
	})
	assert.NoError(d.t, err)
	return all
}

// nothingLeft compares the files with those of before a package was installed. The system writes the indexes of desktop entries and of libraries anew.
func (d *debian) nothingLeft(before map[string]string) {
	d.t.Helper()
	const index = "/usr/share/applications/mimeinfo.cache"
	after := d.files()
	for path, facts := range after {
		if was := before[path]; was != facts && path != index && path != "/etc/ld.so.cache" {
			d.t.Errorf("%s is left, or changed: %s, before %q", path, facts, was)
		}
	}
	for path, was := range before {
		// Folders may go: pacman removes those that are empty, and does not know that another system's package has them.
		if _, is := after[path]; !is && !strings.HasPrefix(was, "d") {
			d.t.Errorf("%s is gone", path)
		}
	}
	if content, err := os.ReadFile(d.path(index)); err == nil && strings.Contains(string(content), "Assay") {
		d.t.Errorf("the index still has it: %s", content)
	}
}

// outside runs a program of this computer, which succeeds, and returns what it prints.
func outside(t *testing.T, words ...string) string {
	t.Helper()
	code, stdout, stderr := called(t, exec.CommandContext(t.Context(), words[0], words[1:]...))
	if code != 0 {
		t.Fatalf("%q: exit %d: %s%s", words, code, stdout, stderr)
	}
	return stdout + stderr
}
