package command

import (
	"crypto"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/keys"
	"assay/client/report/reporttest"
	"assay/client/session"

	"github.com/digitorus/timestamp"
)

// signingAccount is the account of the signing key in the keychain.
const signingAccount = "signing key"

func TestBundlesOfAService(t *testing.T) {
	reporttest.UseFonts(t)
	d, service := setup(t), newHostService(t)
	d.kept[service.url] = someKey
	code, stdout, stderr := d.call("", "scan", "--server", service.url, "--json", note(t, "one"))
	var answer struct{ RequestID string }
	if err := json.Unmarshal([]byte(stdout), &answer); code != ExitAnswered || err != nil {
		t.Fatalf("exit %d: %q, %q, %v", code, stdout, stderr, err)
	}
	folder := t.TempDir()
	export := func(t *testing.T, want int, name string, args ...string) (stdout, stderr string) {
		t.Helper()
		code, stdout, stderr := d.call("", append([]string{"export", "--server", service.url, answer.RequestID, "--out", filepath.Join(folder, name)}, args...)...)
		if code != want {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		if kept := d.kept[signingAccount]; kept != "" && strings.Contains(stdout+stderr, kept[:20]) {
			t.Errorf("the signing key was printed: %q, %q", stdout, stderr)
		}
		return stdout, stderr
	}
	t.Run("sealed with a key that the keychain has since the first time", func(t *testing.T) {
		first, _ := export(t, ExitAnswered, "first")
		key, ok := keys.ParseSigningKey(d.kept[signingAccount])
		if !ok || !strings.Contains(first, "sealed with the key SHA256:") {
			t.Fatalf("the keychain has no key: %q", first)
		}
		export(t, ExitAnswered, "second.zip")
		if again, ok := keys.ParseSigningKey(d.kept[signingAccount]); !ok || !again.Key.Equal(key.Key) {
			t.Error("it has another one now")
		}
		if code, stdout, stderr := d.call("", "key", "rotate-signing", "--server", service.url); code != ExitAnswered || strings.Count(stdout, "SHA256:") != 2 {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		if again, ok := keys.ParseSigningKey(d.kept[signingAccount]); !ok || again.Key.Equal(key.Key) || len(again.Earlier) != 1 || !again.Earlier[0].Equal(key.Public()) {
			t.Error("it was not replaced")
		}
	})
	t.Run("stamped by the authorities of the settings", func(t *testing.T) {
		asked := 0
		authority := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			query, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			request, err := timestamp.ParseRequest(query)
			if err != nil || request.HashAlgorithm != crypto.SHA256 || r.Header.Get("X-Api-Key") != "" {
				t.Errorf("it got %q: %v", query, err)
			}
			http.Error(w, "closed", http.StatusForbidden)
		}))
		t.Cleanup(authority.Close)
		settings, err := config.Open(config.Params{Dir: d.home})
		assert.NoError(t, err)
		assert.NoError(t, settings.Change(func(s *config.Settings) { s.Stamps = []string{authority.URL} }))
		stdout, stderr := export(t, ExitFailed, "stamped", "--stamp")
		if asked != 1 || !strings.Contains(stdout, "1 result written to ") || !strings.Contains(stderr, "There is no time stamp from 127.0.0.1. ") {
			t.Errorf("asked %d times: %q, %q", asked, stdout, stderr)
		}
		if _, err := os.Stat(filepath.Join(folder, "stamped", "seal", "tagmanifest-sha256.txt.sig")); err != nil {
			t.Error("the bundle is lost", err)
		}
	})
	t.Run("where no keychain is, only without a seal, or with the key of the environment", func(t *testing.T) {
		t.Setenv("ASSAY_API_KEY", someKey)
		d.err = &keys.Problem{Cause: keys.Absent}
		_, stderr := export(t, ExitFailed, "none")
		if _, err := os.Stat(filepath.Join(folder, "none")); err == nil || !strings.Contains(stderr, session.SigningKeyVariable) || !strings.Contains(stderr, "--unsealed") {
			t.Errorf("%q", stderr)
		}
		stdout, _ := export(t, ExitAnswered, "unsealed", "--unsealed")
		if _, err := os.Stat(filepath.Join(folder, "unsealed", "seal")); err == nil || strings.Contains(stdout, "sealed with") {
			t.Errorf("%q", stdout)
		}
		t.Setenv(session.SigningKeyVariable, keys.NewSigningKey().Secret())
		if stdout, _ := export(t, ExitAnswered, "environment"); !strings.Contains(stdout, "sealed with the key SHA256:") {
			t.Errorf("%q", stdout)
		}
		if code, _, stderr := d.call("", "key", "rotate-signing", "--server", service.url); code != ExitMisuse || !strings.Contains(stderr, "can't replace it") {
			t.Errorf("exit %d: %q", code, stderr)
		}
		t.Setenv(session.SigningKeyVariable, "")
		if code, _, stderr := d.call("", "key", "signing", "--server", service.url); code != ExitMisuse || !strings.Contains(stderr, session.SigningKeyVariable) {
			t.Errorf("exit %d: %q", code, stderr)
		}
	})
}
