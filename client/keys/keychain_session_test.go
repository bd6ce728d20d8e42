//go:build keychain && linux

package keys_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"assay/client/assert"
	"assay/client/keys"
)

// need looks for a program that a test cannot do without. On the machines that decide what lands, it must be there.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI is set, so %s must be there: %v", program, err)
			}
			t.Skipf("%s is not here", program)
		}
	}
}

// session is a desktop session of the test's own: a home, a bus on which nothing starts by itself, and what a test puts there.
type session struct {
	t    *testing.T
	home string
	env  []string // of the programs in it
	bus  *dbus.Conn
}

const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=%s</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
`

// patience is for what must come about: none of these tests waits for it to be over.
const patience = time.Minute

// newSession has a bus, and no keychain yet.
func newSession(t *testing.T) *session {
	t.Helper()
	need(t, "dbus-daemon", "gnome-keyring-daemon", "secret-tool")
	s := sessionWithoutBus(t)
	socket, config := filepath.Join(s.home, "bus"), filepath.Join(s.home, "bus.conf")
	assert.NoError(t, os.WriteFile(config, fmt.Appendf(nil, busConfig, socket), 0o600))
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+socket)
	daemon, out := s.start("", "dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address=1")
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // it listens
		t.Fatalf("dbus-daemon: %v: %s", err, daemon.said())
	}
	var err error
	if s.bus, err = dbus.Connect("unix:path=" + socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.bus.Close() })
	return s
}

// sessionWithoutBus is what a service or a remote shell has.
func sessionWithoutBus(t *testing.T) *session {
	t.Helper()
	home, err := os.MkdirTemp("", "assay") //nolint:usetesting // a socket's path is at most 107 letters long
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(home)) })
	foreign := []string{"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "GNOME_KEYRING_CONTROL", "ASSAY_API_KEY", "ASSAY_SERVER", "HOME", "XDG_RUNTIME_DIR"}
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(foreign, name)
	})
	return &session{t: t, home: home, env: append(env, "HOME="+home, "XDG_RUNTIME_DIR="+home)}
}

// program is one that runs in the session until it is stopped, at the latest by the test's end.
type program struct {
	*exec.Cmd
	errors *bytes.Buffer
	gone   chan struct{}
}

// said is what the program complained of; it has ended.
func (p *program) said() string {
	p.stop()
	return p.errors.String()
}

func (p *program) stop() {
	_ = p.Process.Kill() // it may have ended
	<-p.gone
}

// start starts a program and returns its standard output.
func (s *session) start(stdin, name string, args ...string) (*program, io.Reader) {
	s.t.Helper()
	p := &program{Cmd: exec.CommandContext(s.t.Context(), name, args...), errors: new(bytes.Buffer), gone: make(chan struct{})} // #nosec G204 G702 -- a test's own arguments
	out, into, err := os.Pipe()
	assert.NoError(s.t, err)
	p.Env, p.Dir, p.Stdin, p.Stdout, p.Stderr = s.env, s.home, strings.NewReader(stdin), into, p.errors
	p.WaitDelay = patience
	assert.NoError(s.t, p.Start())
	_ = into.Close()                            // the program has it
	go func() { _ = p.Wait(); close(p.gone) }() // it is ended by a signal
	s.t.Cleanup(func() { p.stop(); _ = out.Close() })
	return p, out
}

// password is the one of the session's keychain.
const password = "correct horse"

// unlocked starts a keychain as after a log-in: the person's password has opened it.
func (s *session) unlocked() *program {
	s.t.Helper()
	p, _ := s.start(password, "gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground")
	s.until("an open keychain", p, func() bool { locked, there := s.locked(); return there && !locked })
	return p
}

// shut starts the keychain without a password.
func (s *session) shut() *program {
	s.t.Helper()
	p, _ := s.start("", "gnome-keyring-daemon", "--start", "--components=secrets", "--foreground")
	s.until("a locked keychain", p, func() bool { locked, there := s.locked(); return there && locked })
	return p
}

func (s *session) locked() (locked, there bool) {
	value, err := s.bus.Object("org.freedesktop.secrets", "/org/freedesktop/secrets/collection/login").GetProperty("org.freedesktop.Secret.Collection.Locked")
	if err != nil {
		return false, false
	}
	locked, there = value.Value().(bool)
	return locked, there
}

func (s *session) until(what string, p *program, is func() bool) {
	s.t.Helper()
	limit := time.After(patience)
	for !is() {
		select {
		case <-p.gone:
			s.t.Fatalf("no %s: %s", what, p.said())
		case <-limit:
			s.t.Fatalf("no %s in time: %s", what, p.said())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// prompter is the desktop's asking for the password, before a person who never answers.
type prompter struct{ asked chan struct{} }

// BeginPrompting is called by the keychain.
func (p *prompter) BeginPrompting(dbus.ObjectPath) *dbus.Error {
	p.asked <- struct{}{}
	return nil
}

// absentPerson puts a prompter there.
func (s *session) absentPerson() *prompter {
	s.t.Helper()
	p := &prompter{asked: make(chan struct{}, 10)}
	assert.NoError(s.t, s.bus.Export(p, "/org/gnome/keyring/Prompter", "org.gnome.keyring.internal.Prompter"))
	if reply, err := s.bus.RequestName("org.gnome.keyring.SystemPrompter", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		s.t.Fatalf("%v, %v", reply, err)
	}
	return p
}

// told is what a process in the session made of a call.
type callResult struct {
	Key, Cause, Error string
	Waits             int
	Took              time.Duration
}

const childCall = "ASSAY_TEST_KEYCHAIN"

// ringChild is what the process of ringIn does: it says what Load made of the keychain, and then what came of it in the background.
func ringChild(t *testing.T, address string, willWait time.Duration) {
	r := keys.OpenRing(keys.RingParams{Patience: willWait})
	defer r.Close()
	out := json.NewEncoder(os.Stdout)
	for limit, err := time.After(patience), r.Load(t.Context(), address); ; err = nil {
		changed, is := r.Subscribe(), callResult{Key: r.Key(address)}
		var p *keys.Problem
		if errors.As(err, &p) {
			is.Cause, is.Error = string(p.Cause), p.Error()
		}
		if err != nil || is.Key != "" {
			assert.NoError(t, out.Encode(is))
		}
		if is.Key != "" {
			return
		}
		select {
		case <-changed.Ready():
		case <-limit:
			t.Fatalf("no key in time: %+v", r.Status(address))
		}
	}
}

// ringIn starts a process in the session with a Ring of that patience, which reads a key; next is what it says then.
func (s *session) ringIn(address string, willWait time.Duration) (next func() callResult) {
	s.t.Helper()
	env := s.env
	s.env = append(slices.Clone(s.env), fmt.Sprintf("%s=ring %s %s", childCall, address, willWait))
	p, out := s.start("", os.Args[0], "-test.run=^TestKeychainChild$")
	s.env = env
	decoder := json.NewDecoder(out)
	return func() callResult {
		s.t.Helper()
		var is callResult
		if err := decoder.Decode(&is); err != nil {
			s.t.Fatalf("%v: %s", err, p.said())
		}
		return is
	}
}

// TestKeychainChild is no test: it is the process in the session that asks the keychain. go-keyring has one bus to a process.
func TestKeychainChild(t *testing.T) {
	call := strings.Fields(os.Getenv(childCall))
	if len(call) != 3 {
		t.Skip("only as a process of another test's")
	}
	limit, err := time.ParseDuration(call[2])
	assert.NoError(t, err)
	if call[0] == "ring" {
		ringChild(t, call[1], limit)
		return
	}
	given, err := io.ReadAll(os.Stdin)
	assert.NoError(t, err)
	var is callResult
	k := keys.New(keys.Options{Patience: limit, Slow: limit / 2, Waiting: func() { is.Waits++ }})
	began := time.Now()
	switch call[0] {
	case "get":
		is.Key, err = k.Get(t.Context(), call[1])
	case "set":
		err = k.Set(t.Context(), call[1], string(given))
	case "remove":
		err = k.Remove(t.Context(), call[1])
	}
	is.Took = time.Since(began)
	var p *keys.Problem
	if errors.As(err, &p) {
		is.Cause, is.Error = string(p.Cause), p.Error()
	} else if err != nil {
		is.Cause, is.Error = "other", err.Error()
	}
	assert.NoError(t, json.NewEncoder(os.Stdout).Encode(is))
}

// ask makes a call from a process in the session, with a limit to it.
func (s *session) ask(what, address, key string, limit time.Duration) callResult {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKeychainChild$") // #nosec G204 G702 -- this very program
	child.Env = append(slices.Clone(s.env), fmt.Sprintf("%s=%s %s %s", childCall, what, address, limit))
	child.Stdin = strings.NewReader(key)
	out, err := child.Output()
	if err != nil {
		s.t.Fatalf("%s: %v: %s", what, err, out)
	}
	var is callResult
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&is); err != nil {
		s.t.Fatalf("%s: %v: %s", what, err, out)
	}
	return is
}
