//go:build keychain && linux

package keys_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// TestTheBuiltProgramKeepsItsKeyInTheKeychainAlone runs the program at ASSAY_BINARY, which `make e2e` builds, or else that of `make build`.
func TestTheBuiltProgramKeepsItsKeyInTheKeychainAlone(t *testing.T) {
	built, err := filepath.Abs(filepath.Join("..", "..", "build", "assay"))
	assert.NoError(t, err)
	binary := cmp.Or(os.Getenv("ASSAY_BINARY"), built)
	need(t, binary)
	pictures, err := filepath.Abs(filepath.Join("..", "..", "testdata", "pictures"))
	assert.NoError(t, err)
	elsewhere := sessionWithoutBus(t)
	url, key := elsewhere.sandbox(binary)
	s := newSession(t)
	s.unlocked()
	s.env = append(s.env, "ASSAY_SERVER="+url)
	a := &assay{session: s, binary: binary, key: key}

	if code, said := a.call("", "scan", filepath.Join(pictures, "poster.png")); code != 2 || !strings.Contains(said, "assay key set --server "+url) {
		t.Errorf("without a key: exit %d: %s", code, said)
	}
	if code, said := a.call(" "+key+"\n", "key", "set"); code != 0 || !strings.Contains(said, "is saved in this computer's keychain") {
		t.Fatalf("K2 set: exit %d: %s", code, said)
	}
	if a.seen == 0 { // it waited for the end of its input meanwhile
		t.Error("K2 set was not looked at while it ran")
	}
	if code, said := a.call("", "key", "status"); code != 0 || !strings.Contains(said, "used: the key in this computer's keychain") {
		t.Errorf("status: exit %d: %s", code, said)
	}
	if code, said := a.call("", "scan", filepath.Join(pictures, "mountains-spliced.jpg"), filepath.Join(pictures, "poster.png")); code != 0 ||
		!strings.Contains(said, "Likely manipulated or AI-generated") {
		t.Errorf("K1 scan: exit %d: %s", code, said)
	}
	if a.seen == 0 { // it waited for models meanwhile
		t.Error("K2 scan was not looked at while it ran")
	}
	if code, said := a.call("a-revoked-key", "key", "set"); code != 0 {
		t.Errorf("replaced: exit %d: %s", code, said)
	}
	if code, said := a.call("", "list"); code != 1 || !strings.Contains(said, "Check the key in Settings, or with assay key") {
		t.Errorf("K3 a key that the service refuses: exit %d: %s", code, said)
	}
	if code, said := a.call(key, "key", "set"); code != 0 {
		t.Errorf("replaced again: exit %d: %s", code, said)
	}
	a.nowhere() // while it is kept
	if code, said := a.call("", "key", "clear"); code != 0 || !strings.Contains(said, "was removed") {
		t.Errorf("clear: exit %d: %s", code, said)
	}
	if code, said := a.call("", "key", "status"); code != 1 || !strings.Contains(said, "used: none") {
		t.Errorf("status after it was removed: exit %d: %s", code, said)
	}
	a.nowhere()
}

// sandbox serves from another process, which is no part of the session under test.
func (s *session) sandbox(binary string) (url, key string) {
	s.t.Helper()
	p, out := s.start("", binary, "sandbox", "--dir", filepath.Join(s.home, "served"), "--latency", "300ms")
	lines := bufio.NewScanner(out)
	for key == "" && lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "url: "); ok {
			url = text
		}
		if text, ok := strings.CutPrefix(lines.Text(), "key: "); ok {
			key = text
		}
	}
	if url == "" || len(key) < 8 {
		s.t.Fatalf("the sandbox does not serve: %s", p.said())
	}
	return url, key
}

// assay is the built program in a session. Whatever it does, the key is looked for.
type assay struct {
	*session
	binary string
	key    string
	seen   int // how often the last call's arguments and environment were looked at while it ran
}

// call runs it, with everything logged, and returns all that it printed.
func (a *assay) call(stdin string, args ...string) (code int, said string) {
	a.t.Helper()
	cmd := exec.CommandContext(a.t.Context(), a.binary, append(args, "--log-level", "debug")...) // #nosec G204 -- a test's own arguments
	var all bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = a.env, a.home, &all, &all, patience
	in, err := cmd.StdinPipe()
	assert.NoError(a.t, err)
	assert.NoError(a.t, cmd.Start())
	ended := make(chan struct{})
	a.seen = 0
	look := func() { a.seen += a.inProcesses(cmd.Process.Pid) }
	_, _ = io.WriteString(in, stdin) // who reads no input may have ended
	look()
	_ = in.Close()
	go func() { _ = cmd.Wait(); close(ended) }() // its exit code says it
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(20 * time.Millisecond):
			look()
		}
	}
	if a.in(all.Bytes()) {
		a.t.Errorf("K2 %v printed the key", args)
	}
	return cmd.ProcessState.ExitCode(), all.String()
}

// in reports whether the key, or what it is packed into, is in data.
func (a *assay) in(data []byte) bool {
	return bytes.Contains(data, []byte(a.key)) || bytes.Contains(data, []byte(base64.StdEncoding.EncodeToString([]byte(a.key))))
}

// inProcesses looks at the arguments and the environment of every process, and returns how often it saw those of pid.
func (a *assay) inProcesses(pid int) (seen int) {
	a.t.Helper()
	for _, what := range []string{"cmdline", "environ"} {
		all, err := filepath.Glob("/proc/[0-9]*/" + what)
		assert.NoError(a.t, err)
		for _, name := range all {
			data, err := os.ReadFile(name) // #nosec G304 -- it may be gone, or another user's
			if err != nil {
				continue
			}
			if a.in(data) {
				a.t.Errorf("K2 the key stands in %s", name)
			}
			if strings.HasPrefix(name, "/proc/"+strconv.Itoa(pid)+"/") && len(data) > 0 {
				seen++
			}
		}
	}
	return seen
}

// nowhere fails the test where the key stands in a file of the session's home, the keychain's own among them.
func (a *assay) nowhere() {
	a.t.Helper()
	control := filepath.Join(a.home, "control") // this search finds what is there
	assert.NoError(a.t, os.WriteFile(control, []byte("x"+a.key+"x"), 0o600))
	var found []string
	files := 0
	if err := filepath.WalkDir(a.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path) // #nosec G304 G122 -- a test's own
		files++
		if a.in(data) || strings.Contains(path, a.key) {
			found = append(found, path)
		}
		return err
	}); err != nil {
		a.t.Fatal(err)
	}
	if len(found) != 1 || found[0] != control || files < 4 {
		a.t.Errorf("K2 of %d files, the key stands in %v", files, found)
	}
	for _, must := range []string{".local/share/keyrings/login.keyring", ".config/assay"} {
		if _, err := os.Stat(filepath.Join(a.home, must)); err != nil {
			a.t.Errorf("that was not looked at: %v", err)
		}
	}
	assert.NoError(a.t, os.Remove(control))
}
