//go:build keychain && linux

package keys_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

const usual = 30 * time.Second // the limit of calls that must come about

func TestARealKeychain(t *testing.T) {
	t.Run("keeps a key for each address, also over its own restart, replaces and removes it", func(t *testing.T) {
		s := newSession(t)
		daemon := s.unlocked()
		if is := s.ask("get", address, "", usual); is.Cause != "missing" {
			t.Errorf("before: %+v", is)
		}
		for _, c := range []struct{ address, key string }{{address, "first-key"}, {address, secret}, {"https://other.example:8443/v2", "a+/=_-.~:{}'\"$(x)`y`"}} {
			if is := s.ask("set", c.address, " "+c.key+"\r\n", usual); is.Cause != "" {
				t.Errorf("set: %+v", is)
			}
			if is := s.ask("get", c.address, "", usual); is.Key != c.key || is.Waits != 0 {
				t.Errorf("get: %+v, want %s", is, c.key)
			}
		}
		daemon.stop()
		s.unlocked()
		if is := s.ask("get", address, "", usual); is.Key != secret {
			t.Errorf("after the restart: %+v", is)
		}
		look := exec.CommandContext(t.Context(), "secret-tool", "lookup", "service", "Assay", "username", address) // #nosec G204 -- a test's own arguments
		look.Env = s.env
		if out, err := look.Output(); err != nil || strings.TrimSpace(string(out)) != secret {
			t.Errorf("another program finds %q there, %v", out, err)
		}
		if is := s.ask("remove", address, "", usual); is.Cause != "" {
			t.Errorf("remove: %+v", is)
		}
		if is := s.ask("get", address, "", usual); is.Cause != "missing" || is.Key != "" {
			t.Errorf("after it was removed: %+v", is)
		}
		if is := s.ask("remove", address, "", usual); is.Cause != "missing" {
			t.Errorf("removed twice: %+v", is)
		}
		if is := s.ask("get", "https://other.example:8443/v2", "", usual); is.Key == "" {
			t.Errorf("the other service's: %+v", is)
		}
	})
	t.Run("that is locked, with nobody there to ask, says so at once", func(t *testing.T) {
		s := newSession(t)
		daemon := s.unlocked()
		s.ask("set", address, secret, usual)
		daemon.stop()
		s.shut()
		for _, call := range []string{"get", "set", "remove"} {
			if is := s.ask(call, address, "other-key", usual); is.Cause != "locked" || is.Key != "" {
				t.Errorf("%s: %+v", call, is)
			}
		}
	})
	t.Run("that is locked asks the person, is waited for within the limit, and never longer", func(t *testing.T) {
		s := newSession(t)
		daemon := s.unlocked()
		s.ask("set", address, secret, usual)
		daemon.stop()
		s.shut()
		person := s.absentPerson()
		const limit = 2 * time.Second
		is := s.ask("get", address, "", limit)
		if is.Cause != "slow" || is.Waits != 1 || is.Took < limit || is.Took > usual {
			t.Errorf("get: %+v", is)
		}
		select {
		case <-person.asked:
		default:
			t.Error("nobody was asked for the password")
		}
	})
	t.Run("that is locked, with nobody there to ask, gives a ring the key once it is open", func(t *testing.T) {
		s := newSession(t)
		daemon := s.unlocked()
		s.ask("set", address, secret, usual)
		daemon.stop()
		daemon = s.shut()
		next := s.ringIn(address, usual)
		if is := next(); is.Cause != "locked" || is.Key != "" {
			t.Errorf("while it is locked: %+v", is)
		}
		daemon.stop()
		s.unlocked()
		if is := next(); is.Key != secret {
			t.Errorf("once it is open: %+v", is)
		}
	})
	t.Run("that does not answer gives a ring the key once it does", func(t *testing.T) {
		s := newSession(t)
		daemon := s.unlocked()
		s.ask("set", address, secret, usual)
		assert.NoError(t, daemon.Process.Signal(syscall.SIGSTOP))
		next := s.ringIn(address, time.Second)
		if is := next(); is.Cause != "waiting" || is.Key != "" {
			t.Errorf("while it does not answer: %+v", is)
		}
		assert.NoError(t, daemon.Process.Signal(syscall.SIGCONT))
		if is := next(); is.Key != secret {
			t.Errorf("once it answers: %+v", is)
		}
	})
	t.Run("that is not there is told from one that is locked", func(t *testing.T) {
		dead := sessionWithoutBus(t)
		dead.env = append(dead.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(dead.home, "gone"))
		sessions := map[string]*session{"no keychain on the bus": newSession(t), "a bus that is gone": dead}
		if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err != nil { // else it is the one of whoever runs this
			sessions["no bus"] = sessionWithoutBus(t)
		}
		for name, s := range sessions {
			for _, call := range []string{"get", "set", "remove"} {
				if is := s.ask(call, address, secret, usual); is.Cause != "absent" || strings.Contains(is.Error, secret) {
					t.Errorf("%s: %s: %+v", name, call, is)
				}
			}
		}
	})
}
