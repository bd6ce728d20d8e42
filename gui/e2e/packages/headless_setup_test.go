//go:build e2e && packages && linux

package packages

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/sandbox"
)

// root is a root file system with nothing but the program in it, and what a test puts there.
type root struct {
	t           *testing.T
	folder      string
	words       []string // before the arguments: the program, which may be run by another one
	environment []string
	own         map[string]bool // paths that the test made
}

// emptyRoot makes one with the program of a target, such as linux-amd64, a folder for what it keeps, and pictures in /in.
func (f *fixture) emptyRoot(t *testing.T, target string, pictures ...string) *root {
	t.Helper()
	r := &root{t: t, folder: t.TempDir(), words: []string{"/assay"}, environment: []string{"HOME=/home"}, own: map[string]bool{}}
	r.copyIn("/assay", filepath.Join(f.binaries, "headless-"+target, "assay"), 0o755)
	for _, name := range pictures {
		r.copyIn("/in/"+name, filepath.Join(f.root, "testdata", "pictures", name), 0o644)
	}
	assert.NoError(t, os.Mkdir(r.path("/home"), 0o700))
	r.own["/home"] = true
	return r
}

// path is where a path of this root lies outside.
func (r *root) path(inside string) string { return filepath.Join(r.folder, filepath.FromSlash(inside)) }

// copyIn copies a file to a path inside.
func (r *root) copyIn(inside, from string, mode os.FileMode) {
	r.t.Helper()
	content, err := os.ReadFile(from)
	assert.NoError(r.t, err)
	r.write(inside, content, mode)
}

func (r *root) write(inside string, content []byte, mode os.FileMode) {
	r.t.Helper()
	assert.NoError(r.t, os.MkdirAll(filepath.Dir(r.path(inside)), 0o755)) //nolint:gosec // as a root has them
	assert.NoError(r.t, os.WriteFile(r.path(inside), content, mode))
	for path := inside; path != "/"; path = filepath.Dir(path) {
		r.own[path] = true
	}
}

// command is a call of the program that sees nothing outside of the root, but for the network. Without being root itself, the test has a namespace of
// users in which it is.
func (r *root) command(args ...string) *exec.Cmd {
	words := append(append([]string{}, r.words...), args...)
	cmd := exec.CommandContext(r.t.Context(), words[0], words[1:]...)
	cmd.Path, cmd.Err, cmd.Dir, cmd.Env = words[0], nil, "/", r.environment
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.folder, Pdeathsig: syscall.SIGTERM}
	if uid := os.Getuid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

// call runs the program and returns its exit status and what it prints.
func (r *root) call(args ...string) (code int, stdout, stderr string) {
	r.t.Helper()
	return called(r.t, r.command(args...))
}

// called runs a program and returns its exit status and what it prints.
func called(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// must is call for what succeeds, and returns the standard output.
func (r *root) must(args ...string) string {
	r.t.Helper()
	code, stdout, stderr := r.call(args...)
	if code != 0 {
		r.t.Fatalf("assay %q: exit %d: %s%s", args, code, stdout, stderr)
	}
	return stdout
}

// others are the paths in the root that neither the test made nor lie in /home.
func (r *root) others() (paths []string) {
	r.t.Helper()
	err := filepath.WalkDir(r.folder, func(path string, _ os.DirEntry, err error) error {
		inside := strings.TrimPrefix(path, r.folder)
		if inside != "" && !r.own[inside] && !strings.HasPrefix(inside, "/home/") {
			paths = append(paths, inside)
		}
		return err
	})
	assert.NoError(r.t, err)
	return paths
}

// scanned is a line of `assay scan --json`.
type scanned struct{ RequestID, Status, Verdict, Error string }

func scannedIn(t *testing.T, stdout string) (lines []scanned) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var s scanned
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v: %s", err, stdout)
		}
		lines = append(lines, s)
	}
	return lines
}

// service is the sandbox behind TLS, on loopback, with a certificate that nobody knows.
type service struct {
	address, key string
	certificate  []byte // as PEM
}

func startService(t *testing.T) *service {
	t.Helper()
	s := &service{key: "key-of-these-tests"}
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Key: s.key})
	assert.NoError(t, err)
	server := httptest.NewUnstartedServer(box)
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, box.Close())
	})
	s.address = server.URL
	s.certificate = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return s
}
