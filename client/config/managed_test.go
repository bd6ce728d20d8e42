package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/submission"
)

func TestTheSampleInThePackagesIsRead(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join("..", "..", "assets", "packages", "linux", "managed.json"))
	assert.NoError(t, err)
	c := open(t, t.TempDir(), managedBy(t, string(sample)))
	if said := c.Notices(); len(said) > 0 || c.LocksUnread() {
		t.Errorf("it says %q", said)
	}
	assert.Equal(t, Gates{Files: submission.GateAsk, Links: submission.GateSend, Folders: submission.GateAsk}, c.Settings().Gates)
	if c.Settings().Service.Address != "https://api.example.org" || c.Settings().Network.Proxy == "" {
		t.Errorf("%+v", c.Settings())
	}
	for key, want := range map[Key]bool{"service.address": true, "gates.files": true, "gates.folders": true, "gates.links": false, "network.proxy": false} {
		if locked := c.Origin(key) == Locked; locked != want {
			t.Errorf("%s: locked %v, want %v", key, locked, want)
		}
	}
}

func TestManaged(t *testing.T) {
	t.Run("a locked setting can't be changed, one beside it can", func(t *testing.T) {
		c := open(t, t.TempDir(), managedBy(t, `{"settings": {"network": {"proxy": "http://proxy.example:3128"}}, "locked": ["network.proxy"]}`))
		if err := c.Change(func(s *Settings) { s.Network.Proxy = "" }); !isFixed(err, "network.proxy", Locked) {
			t.Errorf("%v", err)
		}
		change(t, c, func(s *Settings) { s.Network.Certificates = filepath.Join(t.TempDir(), "ca.pem") })
		assert.Equal(t, "http://proxy.example:3128", c.Settings().Network.Proxy)
	})
	t.Run("the name of a section locks all in it, to the default where IT sets nothing", func(t *testing.T) {
		dir := personal(t, `{"gates": {"files": "public", "folders": "public"}}`)
		c := open(t, dir, managedBy(t, `{"settings": {"gates": {"files": "sensitive"}}, "locked": ["gates"]}`))
		assert.Equal(t, Gates{Files: submission.GateAsk, Links: submission.GateSend, Folders: submission.GateAsk}, c.Settings().Gates)
		for _, key := range []Key{"gates.files", "gates.links", "gates.folders"} {
			if c.Origin(key) != Locked {
				t.Errorf("%s: %d", key, c.Origin(key))
			}
		}
	})
	t.Run("a given value that a lock overrules is told", func(t *testing.T) {
		locked := managedBy(t, `{"settings": {"service": {"use": "service", "address": "https://it.example"}}, "locked": ["service"]}`)
		c := open(t, t.TempDir(), locked, given(ByFlag, map[Key]any{"service.address": "https://other.example", "service.use": "service"}))
		assert.Equal(t, []Contradiction{{Key: "service.address", From: ByFlag}}, c.Contradictions())
		assert.Equal(t, "https://it.example", c.Settings().Service.Address)
		same := open(t, t.TempDir(), locked, given(ByEnvironment, map[Key]any{"service.address": "https://it.example"}))
		if got := same.Contradictions(); got != nil {
			t.Errorf("the same value contradicts: %v", got)
		}
	})
	t.Run("a default that IT changes later still reaches who never chose", func(t *testing.T) {
		dir := t.TempDir()
		change(t, open(t, dir, managedBy(t, `{"settings": {"uploads": 3}}`)), func(s *Settings) { s.Appearance.Theme = "dark" })
		assert.Equal(t, 7, open(t, dir, managedBy(t, `{"settings": {"uploads": 7}}`)).Settings().Uploads)
	})
	t.Run("a value that can't be is said; where it is locked the default holds, and a gate lets nothing out", func(t *testing.T) {
		c := open(t, t.TempDir(), managedBy(t,
			`{"settings": {"gates": {"files": "sensitve"}, "network": {"proxy": "http://a:b@c"}, "uploads": 3}, "locked": ["gates", "network", "uploads", "tomorrow"]}`))
		if c.Origin("network.proxy") != Locked || c.Origin("network.certificates") != Locked || c.Origin("gates.links") != Locked || c.Origin("uploads") != Locked {
			t.Error(c.Origin("network.proxy"), c.Origin("network.certificates"), c.Origin("gates.links"), c.Origin("uploads"))
		}
		if c.Settings().Gates.Files != submission.GateNever || c.Settings().Gates.Links != submission.GateSend || c.Origin("gates.files") != Locked {
			t.Errorf("files are %s, %v", c.Settings().Gates.Files, c.Origin("gates.files"))
		}
		if c.Settings().Network.Proxy != "" {
			t.Error("a password came with the proxy")
		}
		said := strings.Join(c.Notices(), "\n")
		if !strings.Contains(said, "gates.files") || !strings.Contains(said, "network.proxy") || strings.Contains(said, "a:b") {
			t.Errorf("said: %s", said)
		}
	})
	t.Run("of a broken one nobody can tell what it locks: all asks first, and it is said", func(t *testing.T) {
		want := Defaults()
		want.Gates = Gates{Files: submission.GateAsk, Links: submission.GateAsk, Folders: submission.GateAsk}
		for _, text := range []string{`{`, `[]`, `"x"`, `null`, `{"locked": 7}`, `{"locked": {"gates": true}}`, `{"settings": 7}`, `{"settings": {}, "Settings": {}}`, `{} {}`, strings.Repeat(" ", largest+1)} {
			c := open(t, personal(t, `{"gates": {"links": "public"}}`), managedBy(t, text))
			if !c.Settings().Equal(want) || len(c.Notices()) != 1 {
				t.Errorf("%.20s: %+v", text, c.Settings().Gates)
			}
			for _, s := range everySource {
				if gate, lock := c.Gate(s); gate != submission.GateAsk || lock != submission.GateAsk {
					t.Errorf("%.20s: %+v: %q, locked %q", text, s, gate, lock)
				}
			}
			if err := c.Change(func(s *Settings) { s.Gates.Files = submission.GateSend }); !isFixed(err, "gates.files", LockUnread) || strings.Contains(LockUnread.Sentence(), "IT") {
				t.Errorf("%.20s: %v", text, err)
			}
			change(t, c, func(s *Settings) { s.Uploads = 4 })
		}
		c := open(t, personal(t, `{"gates": {"files": "never"}}`), managedBy(t, `{`))
		if gate, _ := c.Gate(everySource[0]); gate != submission.GateNever {
			t.Errorf("what the person set is loosened: %q", gate)
		}
		c = open(t, t.TempDir(), managedBy(t, `{`), given(ByFlag, map[Key]any{"gates.files": submission.GateSend, "service.address": "https://own.example"}))
		if all := c.Contradictions(); all != nil || c.Settings().Gates.Files != submission.GateAsk {
			t.Errorf("IT is said to have set %v", all)
		}
	})
	t.Run("none is nothing to be said", func(t *testing.T) {
		c := open(t, t.TempDir(), func(p *Params) { p.Managed = filepath.Join(t.TempDir(), "managed.json") })
		if said := c.Notices(); said != nil {
			t.Errorf("said %q", said)
		}
	})
	t.Run("it has a place on every system", func(t *testing.T) {
		if path := ManagedPath(); !filepath.IsAbs(path) {
			t.Errorf("%q", path)
		}
	})
}

func TestOnlyTheAdministratorsFileIsBelieved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, the folder of the program guards it")
	}
	text := `{"settings": {"network": {"proxy": "http://evil.example:3128"}}, "locked": ["network"]}`
	at := func(t *testing.T, prepare func(folder, file string) error) *Config {
		t.Helper()
		folder := filepath.Join(t.TempDir(), "assay")
		assert.NoError(t, os.Mkdir(folder, 0o750))
		file := filepath.Join(folder, "managed.json")
		write(t, file, text)
		assert.NoError(t, prepare(folder, file))
		return open(t, t.TempDir(), func(p *Params) { p.Managed = file })
	}
	ignored := func(t *testing.T, c *Config) {
		t.Helper()
		if c.Settings().Network.Proxy != "" || c.Origin("network.proxy") != ByDefault {
			t.Error("it chose the proxy")
		}
		if said := c.Notices(); len(said) != 1 {
			t.Errorf("said %q", said)
		}
	}
	if os.Geteuid() != 0 {
		t.Run("a file of an ordinary user is ignored and said", func(t *testing.T) {
			ignored(t, at(t, func(string, string) error { return nil }))
		})
		t.Skip("the rest needs root, to give files to others")
	}
	const nobody = 65534
	t.Run("root's is", func(t *testing.T) {
		c := at(t, func(string, string) error { return nil })
		if c.Settings().Network.Proxy != "http://evil.example:3128" || c.Origin("network.proxy") != Locked {
			t.Error("it was ignored")
		}
	})
	for name, prepare := range map[string]func(folder, file string) error{
		"another user's file is not":                     func(_, file string) error { return os.Chown(file, nobody, nobody) },
		"nor is a file in another user's folder":         func(folder, _ string) error { return os.Chown(folder, nobody, nobody) },
		"nor is a file that others may write":            func(_, file string) error { return os.Chmod(file, 0o646) },     //nolint:gosec // as said
		"nor is a file that a group may write":           func(_, file string) error { return os.Chmod(file, 0o664) },     //nolint:gosec // as said
		"nor is a file in a folder that others may fill": func(folder, _ string) error { return os.Chmod(folder, 0o777) }, //nolint:gosec // as said
		"nor is a link to another user's file": func(folder, file string) error {
			own := filepath.Join(folder, "own.json")
			if err := os.Rename(file, own); err != nil {
				return err
			}
			if err := os.Chown(own, nobody, nobody); err != nil {
				return err
			}
			return os.Symlink(own, file)
		},
	} {
		t.Run(name, func(t *testing.T) { ignored(t, at(t, prepare)) })
	}
}

// FuzzManaged holds that whatever the administrators' file holds, Assay starts with settings that can be, that what is locked can't be changed
// and keeps its value, and that a person's own changes stay beside it.
func FuzzManaged(f *testing.F) {
	for _, seed := range []string{
		`{"settings": {"network": {"proxy": "http://proxy.example:3128"}, "uploads": 3}, "locked": ["network.proxy", "gates"]}`, `{"settings": null, "locked": null}`, `{}`, `null`, `{"locked": ["", ".", "uploads"]}`,
		`{"settings": {"uploads": 1e99}, "locked": ["uploads"]}`, `{"settings": {"uploads": 5, "Uploads": 6}}`, "\ufeff{\"settings\": {\"gates\": {\"files\": \"\"}}, \"locked\": [\"gates.files\"]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := personal(t, `{"uploads": 2, "appearance": {"theme": "dark"}}`)
		managed := managedBy(t, string(text))
		c := open(t, dir, managed)
		before := c.Settings()
		for _, setting := range allSettings() {
			if why := validate(setting.key, setting.of(&before)); why != "" {
				t.Errorf("%s holds what it can't be: %s", setting.key, why)
			}
		}
		for _, notice := range c.Notices() {
			if strings.TrimSpace(notice) == "" {
				t.Error("a notice says nothing")
			}
		}
		other := before.Uploads%MaxUploads + 1
		err := c.Change(func(s *Settings) { s.Uploads = other })
		if locked := c.Origin("uploads") == Locked; locked != isFixed(err, "uploads", Locked) || !locked && err != nil {
			t.Fatalf("locked: %v, the change gives %v", locked, err)
		} else if locked {
			other = before.Uploads
		}
		assert.Equal(t, other, open(t, dir, managed).Settings().Uploads)
	})
}
