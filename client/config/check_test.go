package config

import (
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/i18n"
)

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
		"gates.files":             {[]any{GatePublic, GateSensitive, GateNever}, []any{Gate(""), Gate("Public")}},
		"uploads":                 {[]any{1, 2, 8}, []any{0, 9, -1, math.MaxInt}},
		"appearance.theme":        {[]any{"", "light", "dark", "high-contrast"}, []any{"Dark", "blue"}},
		"appearance.scale":        {[]any{0.0, 0.8, 1.0, 2.0}, []any{0.79, 2.01, -1.0, math.NaN(), math.Inf(1), 1e-300}},
		"appearance.language":     {languages, []any{"tlh", "EN", "en-GB"}},
		"appearance.preview":      {[]any{"", "plain", "grey", "blurred"}, []any{"sepia"}},
		"network.certificates":    {[]any{"", ca}, []any{"ca.pem", filepath.Join("..", "ca.pem"), ca + "\x00"}},
		"storage.vaultMegabytes":  {[]any{100, 2048, 1 << 20}, []any{0, 99, 1<<20 + 1, -2048}},
		"notifications.answers":   {[]any{true, false}, nil},
		"desktop.closeHides":      {[]any{true, false}, nil},
		"notifications.decisions": {[]any{true, false}, nil},
		"network.proxy": {
			[]any{"", "http://proxy.example:3128", "https://proxy.example", "socks5://10.0.0.1:1080", "socks5h://proxy.example:1", "http://person@proxy.example:1", "http://[::1]:3128"},
			[]any{"proxy.example:3128", "proxy.example", "ftp://proxy.example", "http://", "http://:3128", "http://proxy.example:0", "http://person:word@proxy.example:1", "http://person:@proxy.example:1",
				"http://proxy.example:1?a=b", "http://proxy.example:1#x", "http://per%zzson:word@proxy.example"},
		},
	} {
		for _, value := range values.can {
			if text := check(key, value); text != "" {
				t.Errorf("%s can't be %v: %s", key, value, text)
			}
		}
		for _, value := range values.cannot {
			text := check(key, value)
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
			"uploads":                "Between 1 and 8 files can be uploaded at a time.",
			"storage.vaultMegabytes": "The vault takes between 100 and 1,048,576 MB.",
		} {
			if got := check(key, -1); got != want {
				t.Errorf("%s: %q", key, got)
			}
		}
		want := "The size of the window's contents lies between " + i18n.Percent(80, 0) + " and " + i18n.Percent(200, 0) + "."
		if got := check("appearance.scale", 9.0); got != want {
			t.Errorf("%q", got)
		}
	})
}
