package config

import (
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/submission"
)

func TestKeys(t *testing.T) {
	t.Run("every field is a setting under its place in the file", func(t *testing.T) {
		want := []Key{
			"service.use", "service.address", "service.uploadPath",
			"gates.files", "gates.links", "gates.folders",
			"uploads", "copies",
			"notifications.answers", "notifications.decisions",
			"appearance.theme", "appearance.scale", "appearance.language", "appearance.careful", "appearance.breakMinutes", "appearance.reduceMotion",
			"network.proxy", "network.certificates",
			"storage.vaultMegabytes",
			"desktop.tray", "desktop.closeHides", "desktop.autostart", "desktop.openWith", "desktop.sendTo",
			"desk.address", "signers", "stamps", "updates.check",
		}
		var got []Key
		for _, setting := range allSettings() {
			got = append(got, setting.key)
		}
		assert.Equal(t, want, got)
	})
	t.Run("the defaults can be", func(t *testing.T) {
		defaults := Defaults()
		for _, setting := range allSettings() {
			if text := validate(setting.key, setting.of(&defaults)); text != "" {
				t.Errorf("%s: %s", setting.key, text)
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
			assert.Equal(t, at.want, c.Settings().Uploads)
			assert.Equal(t, at.origin, c.Origin(key))
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

func TestValues(t *testing.T) {
	ca := "/etc/ssl/ca.pem"
	if runtime.GOOS == "windows" {
		ca = `C:\ca.pem`
	}
	languages := []any{""}
	for _, name := range i18n.All() {
		languages = append(languages, name.Code)
	}
	for key, values := range map[Key]struct{ can, cannot []any }{
		"service.use": {[]any{Undecided, UseSandbox, UseService}, []any{Use("cloud"), Use("Service")}},
		"service.address": {
			[]any{"", "https://api.example.org", "https://api.example.org:8443/base/", "http://127.0.0.1:8080", "https://[::1]:1", "https://bücher.example"},
			[]any{"api.example.org", "nonsense", "ftp://api.example.org", "https://", "https:///path", "https://:443", "https://api.example.org:99999", "https://0.0.0.0", "file:///etc/passwd", "https://a b",
				"https://person@api.example.org", "https://person:word@api.example.org", "https://api.example.org?key=1", "https://api.example.org?",
				"https://api.example.org#k", "https://api.example.org\n", "https://a.example/" + strings.Repeat("a", longestText)},
		},
		"service.uploadPath":      {[]any{"", "/api/files/cloud-presigned"}, []any{"api", "/a?b", "/a b", `/a\b`, "https://x/y", "/\x00"}},
		"gates.files":             {[]any{submission.GateSend, submission.GateAsk, submission.GateNever}, []any{submission.Gate(""), submission.Gate("public"), submission.Gate("sensitive")}},
		"uploads":                 {[]any{1, 2, 8}, []any{0, 9, -1, math.MaxInt}},
		"copies":                  {[]any{"", "ask", "always"}, []any{"never", "Always"}},
		"appearance.theme":        {[]any{"", "light", "dark", "high-contrast"}, []any{"Dark", "blue"}},
		"appearance.scale":        {[]any{0.0, 0.8, 1.0, 2.0}, []any{0.79, 2.01, -1.0, math.NaN(), math.Inf(1), 1e-300}},
		"appearance.language":     {languages, []any{"tlh", "EN", "en-GB"}},
		"appearance.careful":      {[]any{"", "off", "careful", "most"}, []any{"sepia"}},
		"network.certificates":    {[]any{"", ca}, []any{"ca.pem", filepath.Join("..", "ca.pem"), ca + "\x00"}},
		"storage.vaultMegabytes":  {[]any{100, 2048, 1 << 20}, []any{0, 99, 1<<20 + 1, -2048}},
		"notifications.answers":   {[]any{true, false}, nil},
		"desktop.closeHides":      {[]any{true, false}, nil},
		"notifications.decisions": {[]any{true, false}, nil},
		"desk.address": {
			[]any{"", "postgres://desk.example/assay", "postgresql://ines@desk.example:5433/assay?sslrootcert=/etc/ssl/ca.pem"},
			[]any{"desk.example", "https://desk.example/assay", "postgres:///assay", "postgres://ines:word@desk.example/assay", "postgres://desk.example/\n"},
		},
		"network.proxy": {
			[]any{"", "http://proxy.example:3128", "https://proxy.example", "socks5://10.0.0.1:1080", "socks5h://proxy.example:1", "http://person@proxy.example:1", "http://[::1]:3128"},
			[]any{"proxy.example:3128", "proxy.example", "ftp://proxy.example", "http://", "http://:3128", "http://proxy.example:0", "http://person:word@proxy.example:1", "http://person:@proxy.example:1",
				"http://proxy.example:1?a=b", "http://proxy.example:1#x", "http://per%zzson:word@proxy.example"},
		},
	} {
		for _, value := range values.can {
			if text := validate(key, value); text != "" {
				t.Errorf("%s can't be %v: %s", key, value, text)
			}
		}
		for _, value := range values.cannot {
			text := validate(key, value)
			if text == "" {
				t.Errorf("%s can be %v", key, value)
			}
			if strings.Contains(text, "word@") || strings.Contains(text, "person") {
				t.Errorf("%s quotes what it refuses: %s", key, text)
			}
		}
	}
	t.Run("what is refused is said in words", func(t *testing.T) {
		for key, want := range map[Key]string{
			"uploads":                "Assay can upload 1 to 8 files at a time.",
			"storage.vaultMegabytes": "The vault's size must be between 100 and 1,048,576 MB.",
		} {
			if got := validate(key, -1); got != want {
				t.Errorf("%s: %q", key, got)
			}
		}
		want := "The size of the window's contents must be between " + i18n.Percent(80, 0) + " and " + i18n.Percent(200, 0) + "."
		assert.Equal(t, want, validate("appearance.scale", 9.0))
	})
}

func TestEarlierFilesNameCarefulViewingAsPreviews(t *testing.T) {
	for file, want := range map[string]string{
		`{"appearance": {"preview": "plain"}}`:                     "off",
		`{"appearance": {"preview": "grey"}}`:                      "careful",
		`{"appearance": {"preview": "blurred"}}`:                   "careful",
		`{"appearance": {"preview": "blurred", "careful": "off"}}`: "off",
		`{"appearance": {"preview": "sepia"}}`:                     "",
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, fileName), file)
		if got := open(t, dir).Settings().Appearance.Careful; got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	c := open(t, t.TempDir(), managedBy(t, `{"version": 1, "settings": {"appearance": {"preview": "blurred"}}, "locked": ["appearance.preview"]}`))
	if got := c.Settings().Appearance.Careful; got != "careful" || c.Origin(carefulKey) != Locked {
		t.Errorf("the administrators' file: %q, %v", got, c.Origin(carefulKey))
	}
}
