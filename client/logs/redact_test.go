package logs

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestLog(t *testing.T) {
	t.Run("a line is what slog makes of it", func(t *testing.T) {
		var out bytes.Buffer
		New(&out, slog.LevelInfo, nil).Info("answered", "id", "12", "status", "FAKE")
		if got := out.String(); !strings.HasPrefix(got, "time=") || !strings.HasSuffix(got, ` level=INFO msg=answered id=12 status=FAKE`+"\n") {
			t.Errorf("%q", got)
		}
	})
	t.Run("only from its level on", func(t *testing.T) {
		var out bytes.Buffer
		New(&out, slog.LevelWarn, nil).Info("answered")
		if out.Len() > 0 {
			t.Errorf("%q", out.String())
		}
	})
	t.Run("a secret is left out, wherever it stands and however it is written", func(t *testing.T) {
		var out bytes.Buffer
		secrets := new(Secrets)
		log := New(&out, slog.LevelDebug, secrets)
		secrets.Add(" " + marker + "\n") // as a key is pasted: known by its bare self
		quoted, err := json.Marshal(map[string]string{"word": marker})
		assert.NoError(t, err)
		log.Debug("in the message " + marker)
		log.With("one", marker).WithGroup(marker).Info("in attributes", marker, marker, slog.Group("g", "k", []byte(marker)))
		log.Error("in errors", "error", fmt.Errorf("call: %w", &url.Error{Op: "Get", URL: "https://x.example/" + url.PathEscape(marker), Err: errors.New(marker)}))
		log.Warn("in values", "header", http.Header{"Word": {marker}}, "any", struct{ Word string }{marker}, "json", string(quoted), "go", fmt.Sprintf("%q", fmt.Sprintf("%q", marker)))
		for _, before := range []string{"", "p", "pe", "person:"} {
			both := []byte(before + marker + "tail")
			log.Info("encoded", "a", base64.StdEncoding.EncodeToString(both), "b", base64.RawURLEncoding.EncodeToString(both),
				"c", hex.EncodeToString(both), "d", fmt.Sprintf("%X", both), "e", strings.ToLower(url.QueryEscape(string(both))))
			log.Info("numbers", "a", both, "b", fmt.Sprintf("%d", both))
			if numbers := strings.Trim(fmt.Sprintf("%d", []byte(marker)), "[]"); strings.Contains(out.String(), numbers) {
				t.Errorf("as numbers behind %q", before)
			}
			begin := len(before)*4/3 + 3
			middle := base64.RawStdEncoding.EncodeToString(both)[begin : begin+8]
			if strings.Contains(out.String(), middle) {
				t.Errorf("base64 behind %q", before)
			}
		}
		clean(t, out.String())
		assert.Equal(t, 12, strings.Count(out.String(), "\n"))
	})
	t.Run("what is too short is no secret", func(t *testing.T) {
		secrets := new(Secrets)
		for _, text := range []string{"", "e", "the"} {
			secrets.Add(text)
		}
		assert.Equal(t, "the end", secrets.Redact("the end"))
	})
	t.Run("a writer that fails is no one's concern but slog's", func(*testing.T) {
		New(broken{}, slog.LevelInfo, nil).Info("x")
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{ //nolint:gosec // nobody's keys
		// addresses
		`error="Get \"https://h.example/p?X-Amz-Signature=SECRET&X=1\": EOF"`: `error="Get \"https://h.example/p?…\": EOF"`,
		`https://h.example/p?a=SECRET next`:                                   `https://h.example/p?… next`,
		`https://h.example/p#SECRET`:                                          `https://h.example/p?…`,
		`https://h.example?SECRET`:                                            `https://h.example?…`,
		`https://person:SECRET@h.example/p`:                                   `https://…@h.example/p`,
		`http://SECRET@h.example:3128`:                                        `http://…@h.example:3128`,
		`https://person:SEC@RET@h.example/p@2x.png`:                           `https://…@h.example/p@2x.png`,
		`socks5://p:SECRET@h.example:1080`:                                    `socks5://…@h.example:1080`,
		`{"signedUrl":"https://h.example/p?a=1\u0026sig=SECRET"}`:             `{"signedUrl":"https://h.example/p?…"}`,
		`"{\"signedUrl\":\"https://h.example/p?a=1\\u0026sig=SECRET\"}"`:      `"{\"signedUrl\":\"https://h.example/p?…\"}"`,
		`{"url":"https:\/\/h.example\/p?sig=SECRET"}`:                         `{"url":"https:\/\/h.example\/p?…"}`,
		`HTTPS://H.EXAMPLE/P?SECRET`:                                          `HTTPS://H.EXAMPLE/P?…`,
		`two: https://a.example/?SECRET https://b.example/?SECRET.`:           `two: https://a.example/?… https://b.example/?…`,
		`GET /base/p?X-Amz-Signature=SECRET HTTP/1.1`:                         `GET /base/p?… HTTP/1.1`,
		`next=https%3A%2F%2Fh.example%2Fp%3Fsig%3DSECRET done`:                `next=https%3A%2F%2Fh.example%2Fp%3F… done`,
		"https://h.example/p?a=1&b=2\nnext line":                              "https://h.example/p?…\nnext line",
		`blob:https://h.example/p?SECRET`:                                     `blob:https://h.example/p?…`,
		// names of keys
		`X-Api-Key: SECRET`:                          `X-Api-Key: …`,
		`map[X-Api-Key:[SECRET] Accept:[a/b]]`:       `map[X-Api-Key:[…] Accept:[a/b]]`,
		`{"x-api-key":"SECRET","a":1}`:               `{"x-api-key":"…","a":1}`,
		`"{\"x-api-key\": \"SECRET\",\"a\":1}"`:      `"{\"x-api-key\": \"…\",\"a\":1}"`,
		`Authorization: Bearer SECRET SECRET`:        `Authorization: …`,
		`Proxy-Authorization: Basic SECRET==`:        `Proxy-Authorization: …`,
		`Set-Cookie: a=SECRET; b=SECRET`:             `Set-Cookie: …`,
		`map[Cookie:[a=SECRET; b=SECRET] Host:[h]]`:  `map[Cookie:[…] Host:[h]]`,
		`ASSAY_API_KEY=SECRET assay`:                 `ASSAY_API_KEY=… assay`,
		`password=SECRET token: "SECRET" x`:          `password=… token: "…" x`,
		`X-Amz-Security-Token=SECRET&X-Amz-Date=1`:   `X-Amz-Security-Token=…&X-Amz-Date=1`,
		`aws_secret='SECRET' api_key=SECRET, fine=1`: `aws_secret='…' api_key=…, fine=1`,
		// nothing to hide
		`level=INFO msg=answered id=4f status=FAKE`:  `level=INFO msg=answered id=4f status=FAKE`,
		`Why? Because a=b`:                           `Why? Because a=b`,
		`https://h.example/p is there`:               `https://h.example/p is there`,
		`keys are kept; a keyboard=1 monkey: banana`: `keys are kept; a keyboard=1 monkey: banana`,
		``: ``,
	} {
		if got := (*Secrets)(nil).Redact(text); got != want {
			t.Errorf("%s\n has become %s\n want       %s", text, got, want)
		}
		if strings.Contains(new(Secrets).Redact(text), "SECRET") {
			t.Errorf("%s tells", text)
		}
	}
}

// FuzzRedact holds that no secret is in what it was left out of, whatever stands around it.
func FuzzRedact(f *testing.F) {
	f.Add("https://h.example/?", "k3y-k3y", "&x=1")
	f.Add(`{"a":"`, "ab\"c\\d", `"}`)
	f.Add("…", "……", "\xff")
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		secrets := new(Secrets)
		secrets.Add(secret)
		secret = strings.TrimSpace(secret)
		got := secrets.Redact(before + secret + after)
		if len(secret) < shortestSecret || strings.Contains(left, secret) {
			return
		}
		for part := range strings.SplitSeq(got, left) {
			if strings.Contains(part, secret) {
				t.Errorf("%q is in %q", secret, got)
			}
		}
	})
}

// marker is a key that must be found nowhere.
const marker = "MaRkEr-9f/Q+x=\"%~ä&<"

// forms are the ways to look for it.
func forms() map[string]string {
	return map[string]string{
		"as it is": marker, "in an address": url.QueryEscape(marker), "in a path": url.PathEscape(marker),
		"in base64": base64.StdEncoding.EncodeToString([]byte(marker)), "in hex": hex.EncodeToString([]byte(marker)),
	}
}

// clean fails where a text has the marker, or what is left of it when others cut it.
func clean(t *testing.T, text string) {
	t.Helper()
	for how, form := range forms() {
		if strings.Contains(strings.ToLower(text), strings.ToLower(form)) {
			t.Errorf("%s: it is in %q", how, text)
		}
	}
	if strings.Contains(strings.ToLower(text), "marker") {
		t.Errorf("a part of it is in %q", text)
	}
}
