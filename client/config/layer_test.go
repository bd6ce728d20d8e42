package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeys(t *testing.T) {
	t.Run("every field is a setting under its place in the file", func(t *testing.T) {
		want := []Key{
			"service.use", "service.address", "service.uploadPath",
			"gates.files", "gates.links", "gates.folders",
			"uploads",
			"notifications.answers", "notifications.decisions",
			"appearance.theme", "appearance.scale", "appearance.language", "appearance.preview",
			"network.proxy", "network.certificates",
			"storage.vaultMegabytes",
			"desktop.tray", "desktop.closeHides", "desktop.autostart", "desktop.openWith", "desktop.sendTo",
		}
		if diff := cmp.Diff(want, Keys()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the defaults can be", func(t *testing.T) {
		defaults := Defaults()
		for _, leaf := range leaves() {
			if text := check(leaf.key, leaf.of(&defaults)); text != "" {
				t.Errorf("%s: %s", leaf.key, text)
			}
		}
	})
}

func TestLayers(t *testing.T) {
	const key = Key("uploads")
	theirs := func(locked string) string {
		return `{"version": 1, "settings": {"uploads": 3}, "locked": [` + locked + `]}`
	}
	flag, environment := map[Key]any{key: 6}, map[Key]any{key: 5}
	for _, at := range []struct {
		name   string
		file   string
		more   []func(*Params)
		want   int
		origin Origin
	}{
		{"without a word, the default holds", `{}`, nil, 2, ByDefault},
		{"IT's default beats it", `{}`, []func(*Params){managedBy(t, theirs(``))}, 3, ByManaged},
		{"the person beats IT's default", `{"uploads": 4}`, []func(*Params){managedBy(t, theirs(``))}, 4, ByPerson},
		{"the environment beats the person", `{"uploads": 4}`, []func(*Params){managedBy(t, theirs(``)), given(ByEnvironment, environment)}, 5, ByEnvironment},
		{"a flag beats the person", `{"uploads": 4}`, []func(*Params){managedBy(t, theirs(``)), given(ByFlag, flag)}, 6, ByFlag},
		{"what IT locked beats them all", `{"uploads": 4}`, []func(*Params){managedBy(t, theirs(`"uploads"`)), given(ByFlag, flag)}, 3, Locked},
	} {
		t.Run(at.name, func(t *testing.T) {
			c := open(t, personal(t, at.file), at.more...)
			if got := c.Settings().Uploads; got != at.want {
				t.Errorf("%d uploads, want %d", got, at.want)
			}
			if got := c.Origin(key); got != at.origin {
				t.Errorf("origin %d, want %d", got, at.origin)
			}
			if fixed := at.origin >= ByEnvironment; (c.Origin(key).Sentence() != "") != fixed {
				t.Errorf("says %q", c.Origin(key).Sentence())
			}
		})
	}
	t.Run("what was given is not written, whatever else is changed", func(t *testing.T) {
		dir := personal(t, `{"version": 1}`)
		c := open(t, dir, given(ByFlag, map[Key]any{"service.address": "https://flag.example", "service.use": "service"}))
		change(t, c, func(s *Settings) { s.Appearance.Theme = "dark" })
		holds(t, dir, `{"version": 1, "appearance": {"theme": "dark"}}`)
		if c.Settings().Service != (Service{Use: UseService, Address: "https://flag.example"}) {
			t.Errorf("%+v", c.Settings().Service)
		}
	})
	t.Run("what was given can't be changed", func(t *testing.T) {
		c := open(t, t.TempDir(), given(ByEnvironment, map[Key]any{"service.address": "https://env.example"}))
		err := c.Change(func(s *Settings) { s.Service.Address = "https://other.example" })
		if !isFixed(err, "service.address", ByEnvironment) {
			t.Errorf("%v", err)
		}
	})
	t.Run("nothing unknown, of another kind or impossible can be given", func(t *testing.T) {
		for key, value := range map[Key]any{ //nolint:gosec // the password is nobody's
			"servce.address": "x", "uploads": "6", "appearance.scale": 9.0, "gates.files": "open", "desktop.tray": 1, "service": "x", "": nil,
			"service.use": nil, "network.proxy": "http://person:word@proxy.example:3128",
		} {
			p := Params{}
			given(ByFlag, map[Key]any{key: value})(&p)
			if _, err := Open(p); err == nil {
				t.Errorf("%s = %v was taken", key, value)
			}
		}
	})
	t.Run("the form of a given address is left to the client", func(t *testing.T) {
		c := open(t, t.TempDir(), given(ByFlag, map[Key]any{"service.address": "nonsense", "network.proxy": "nonsense", "network.certificates": "ca.pem"}))
		if s := c.Settings(); s.Service.Address != "nonsense" || s.Network != (Network{Proxy: "nonsense", Certificates: "ca.pem"}) {
			t.Errorf("%+v", s)
		}
	})
}
