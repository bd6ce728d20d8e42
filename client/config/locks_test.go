package config

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/submission"
)

// everySource is a submission of each source that has a gate of its own, sent as far as the settings let it.
var everySource = []submission.Submission{
	{Gate: submission.GateSend, Source: submission.Dropped},
	{Gate: submission.GateSend, Source: submission.Scanned, Link: "https://posts.example/1"},
	{Gate: submission.GateSend, Source: submission.Watched, Folder: "/in"},
}

// others are values that a setting may have beside its default: two different ones.
var others = map[Key][2]any{
	"service.use": {UseService, UseSandbox}, "service.address": {"https://it.example", "https://own.example"}, "service.uploadPath": {"/it", "/own"},
	"gates.files": {submission.GateNever, submission.GateAsk}, "gates.links": {submission.GateNever, submission.GateAsk}, "gates.folders": {submission.GateNever, submission.GateSend},
	"uploads": {3, 4}, "copies": {"ask", "always"}, "notifications.answers": {false, true}, "notifications.decisions": {false, true},
	"appearance.theme": {"dark", "light"}, "appearance.scale": {1.5, 1.25}, "appearance.language": {"de", "fr"}, "appearance.careful": {"most", "off"}, "appearance.breakMinutes": {30, 60}, "appearance.reduceMotion": {true, false},
	"network.proxy": {"http://it.example:3128", "http://own.example:3128"}, "network.certificates": {filepath.Join(os.TempDir(), "it.pem"), filepath.Join(os.TempDir(), "own.pem")},
	"storage.vaultMegabytes": {300, 400},
	"desktop.tray":           {true, false}, "desktop.closeHides": {true, false}, "desktop.autostart": {true, false}, "desktop.openWith": {true, false}, "desktop.sendTo": {true, false},
	"desk.address":  {"postgres://desk.example/assay", "postgres://ines@own.example/assay?sslrootcert=ca.pem"},
	"updates.check": {true, false},
	"signers":       {[]Signer{{Name: "IT", Key: sshKey("a")}}, []Signer{{Name: "Own", Key: sshKey("b")}}},
	"stamps":        {[]string{"https://tsa.example.org"}, []string{"http://other.example", "https://second.example/tsr"}},
}

// sshKey is a public key, as ssh writes it, that consists of one letter.
func sshKey(letter string) string {
	return "ssh-ed25519 " + base64.StdEncoding.EncodeToString([]byte("\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"+strings.Repeat(letter, 32)))
}

func jsonOf(t *testing.T, key Key, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	assert.NoError(t, err)
	l, ok := settingOf(key)
	if !ok {
		t.Fatalf("no setting %s", key)
	}
	if l.section == "" {
		return fmt.Sprintf(`{%q: %s}`, l.name, text)
	}
	return fmt.Sprintf(`{%q: {%q: %s}}`, l.section, l.name, text)
}

// TestNothingGetsRoundALock is the table of every setting and every way to change it beside IT's lock.
func TestNothingGetsRoundALock(t *testing.T) {
	for _, l := range allSettings() {
		values, ok := others[l.key]
		if !ok {
			t.Fatalf("the table has no values of %s", l.key)
		}
		theirs, own := values[0], values[1]
		locked := fmt.Sprintf(`{"version": 1, "settings": %s, "locked": [%q]}`, jsonOf(t, l.key, theirs), l.key)
		byHand := jsonOf(t, l.key, own)
		holds := func(t *testing.T, c *Config) {
			t.Helper()
			now := c.Settings()
			if !reflect.DeepEqual(l.of(&now), theirs) || c.Origin(l.key) != Locked {
				t.Errorf("it is %v, by %d", l.of(&now), c.Origin(l.key))
			}
		}
		for name, way := range map[string]func(t *testing.T, dir string) *Config{
			"the file, edited by hand": func(t *testing.T, dir string) *Config {
				t.Helper()
				write(t, filepath.Join(dir, fileName), byHand)
				return open(t, dir, managedBy(t, locked))
			},
			"the file, edited while it runs": func(t *testing.T, dir string) *Config {
				t.Helper()
				c := open(t, dir, managedBy(t, locked))
				write(t, filepath.Join(dir, fileName), byHand)
				assert.NoError(t, c.Reload())
				return c
			},
			"a change in the window": func(t *testing.T, dir string) *Config {
				t.Helper()
				c := open(t, dir, managedBy(t, locked))
				if err := c.Change(func(s *Settings) { l.set(s, own) }); !isFixed(err, l.key, Locked) {
					t.Errorf("it may be changed: %v", err)
				}
				return c
			},
			"Reset": func(t *testing.T, dir string) *Config {
				t.Helper()
				write(t, filepath.Join(dir, fileName), byHand)
				c := open(t, dir, managedBy(t, locked))
				assert.NoError(t, c.Reset(l.key))
				return c
			},
			"a flag": func(t *testing.T, dir string) *Config {
				t.Helper()
				c := open(t, dir, managedBy(t, locked), given(ByFlag, map[Key]any{l.key: own}))
				assert.Equal(t, []Contradiction{{Key: l.key, From: ByFlag}}, c.Contradictions())
				return c
			},
			"the environment": func(t *testing.T, dir string) *Config {
				t.Helper()
				return open(t, dir, managedBy(t, locked), given(ByEnvironment, map[Key]any{l.key: own}))
			},
			"another home": func(t *testing.T, _ string) *Config {
				t.Helper()
				return open(t, personal(t, byHand), managedBy(t, locked))
			},
			"names in another case": func(t *testing.T, dir string) *Config {
				t.Helper()
				write(t, filepath.Join(dir, fileName), byHand)
				return open(t, dir, managedBy(t, fmt.Sprintf(`{"VERSION": 1, "Settings": %s, "LOCKED": [%q]}`, jsonOf(t, l.key, theirs), " "+strings.ToUpper(string(l.key)))))
			},
			"its section locked": func(t *testing.T, dir string) *Config {
				t.Helper()
				write(t, filepath.Join(dir, fileName), byHand)
				section := l.section
				if section == "" {
					section = l.name
				}
				return open(t, dir, managedBy(t, fmt.Sprintf(`{"settings": %s, "locked": %q}`, jsonOf(t, l.key, theirs), section)))
			},
			"a later version of the file": func(t *testing.T, dir string) *Config {
				t.Helper()
				write(t, filepath.Join(dir, fileName), byHand)
				return open(t, dir, managedBy(t, fmt.Sprintf(`{"version": 99, "later": {}, "settings": %s, "locked": [%q]}`, jsonOf(t, l.key, theirs), l.key)))
			},
		} {
			t.Run(string(l.key)+"/"+name, func(t *testing.T) { holds(t, way(t, t.TempDir())) })
		}
	}
}

// TestALockThatCantBeReadIsAsStrictAsCanBe is the same of mistakes in IT's file.
func TestALockThatCantBeReadIsAsStrictAsCanBe(t *testing.T) {
	hand := `{"gates": {"files": "public", "links": "public", "folders": "public"}, "uploads": 8, "network": {"proxy": "http://own.example:3128"}}`
	for _, at := range []struct {
		name, managed string
		key           Key
		want          any
	}{
		{"a gate's value", `{"settings": {"gates": {"files": "nevr"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"a gate's value in another case", `{"settings": {"gates": {"files": "Sensitive"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"a gate's type", `{"settings": {"gates": {"links": true}}, "locked": ["gates"]}`, "gates.links", submission.GateNever},
		{"the section's type", `{"settings": {"gates": "never"}, "locked": ["gates.folders"]}`, "gates.folders", submission.GateNever},
		{"a gate's name", `{"settings": {"gates": {"file": "never"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"the section's name", `{"settings": {"gate": {"files": "never"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"a gate that stands there twice", `{"settings": {"gates": {"files": "never", "files": "public"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"a gate that stands there twice in two cases", `{"settings": {"gates": {"files": "never", "Files": "public"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"the section that stands there twice", `{"settings": {"gates": {"files": "never"}, "gates": {"files": "public"}}, "locked": ["gates.files"]}`, "gates.files", submission.GateNever},
		{"the name of what is locked, of a gate that is set", `{"settings": {"gates": {"files": "never"}}, "locked": ["gate.files"]}`, "gates.files", submission.GateNever},
		{"another setting's value", `{"settings": {"uploads": 99}, "locked": ["uploads"]}`, "uploads", 2},
		{"another setting's type", `{"settings": {"uploads": "3"}, "locked": ["uploads"]}`, "uploads", 2},
		{"another setting that stands there twice", `{"settings": {"network": {"proxy": "http://a.example:1", "proxy": "http://b.example:1"}}, "locked": ["network.proxy"]}`, "network.proxy", ""},
	} {
		t.Run(at.name, func(t *testing.T) {
			c := open(t, personal(t, hand), managedBy(t, at.managed))
			l, _ := settingOf(at.key)
			now := c.Settings()
			if l.of(&now) != at.want || c.Origin(at.key) != Locked {
				t.Errorf("it is %v, by %d", l.of(&now), c.Origin(at.key))
			}
			if said := c.Notices(); len(said) != 1 {
				t.Errorf("it says %q", said)
			}
		})
	}
	t.Run("without a lock, a mistake changes nothing", func(t *testing.T) {
		c := open(t, personal(t, hand), managedBy(t, `{"settings": {"gates": {"files": "nevr", "file": "never"}, "uploads": 99}}`))
		if now := c.Settings(); now.Gates.Files != submission.GateSend || now.Uploads != 8 {
			t.Errorf("%+v", now)
		}
	})
}

func TestGate(t *testing.T) {
	file, link, watched := everySource[0], everySource[1], everySource[2]
	const (
		send, ask, never = submission.GateSend, submission.GateAsk, submission.GateNever
	)
	wants := func(s submission.Submission, own submission.Gate) submission.Submission {
		s.Gate = own
		return s
	}
	for _, at := range []struct {
		name, hand, managed string
		s                   submission.Submission
		gate, lock          submission.Gate
	}{
		{"the defaults send files", `{}`, ``, file, send, send},
		{"and ask where a flag does", `{}`, ``, wants(file, ask), ask, send},
		{"the settings are as strict as they say, whatever a flag says", `{"gates": {"files": "never", "links": "sensitive"}}`, ``, file, never, send},
		{"of links too", `{"gates": {"files": "never", "links": "sensitive"}}`, ``, link, ask, send},
		{"one whose own gate is not known is sent by no setting", `{}`, ``, wants(file, ""), "", send},
		{"a watched folder has its own", `{"gates": {"files": "never", "folders": "never"}}`, ``, wants(watched, ask), ask, send},
		{"IT's default is no lock", `{"gates": {"files": "public"}}`, `{"settings": {"gates": {"files": "never"}}}`, file, send, send},
		{"a lock is one", `{"gates": {"files": "public"}}`, `{"settings": {"gates": {"files": "never"}}, "locked": ["gates.files"]}`, file, never, never},
		{"of files alone", `{}`, `{"settings": {"gates": {"files": "never"}}, "locked": ["gates.files"]}`, link, send, send},
		{"a flag may be stricter than it", `{}`, `{"settings": {"gates": {"files": "sensitive"}}, "locked": ["gates.files"]}`, wants(file, never), never, ask},
		{"a lock of files holds for watched folders", `{}`, `{"settings": {"gates": {"files": "sensitive"}}, "locked": ["gates.files"]}`, watched, ask, ask},
		{"unless theirs is locked", `{}`, `{"settings": {"gates": {"files": "never", "folders": "sensitive"}}, "locked": ["gates"]}`, watched, ask, ask},
		{"a lock that sends forbids nothing", `{"gates": {"files": "never"}}`, `{"locked": ["gates.files"]}`, wants(watched, send), send, send},
		{"a version among the settings is no misspelt section", `{}`, `{"settings": {"version": 1, "uploads": 3}, "locked": ["gates.files"]}`, file, send, send},
	} {
		t.Run(at.name, func(t *testing.T) {
			var more []func(*Params)
			if at.managed != "" {
				more = append(more, managedBy(t, at.managed))
			}
			if gate, lock := open(t, personal(t, at.hand), more...).Gate(at.s); gate != at.gate || lock != at.lock {
				t.Errorf("%q, locked %q", gate, lock)
			}
		})
	}
}
