package client

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/client/plain/plaintest"
)

// FuzzStorageError holds that whatever object storage answers becomes a sentence of bounded length, and that a code or a message is taken only
// from an element "Error".
func FuzzStorageError(f *testing.F) {
	for _, seed := range []string{
		`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`, `<Error><Code>EntityTooLarge</Code></Error>`, `<Error`, `<Error><Code>a</Code><Code>b</Code>`,
		`<!DOCTYPE a [<!ENTITY x "y">]><Error><Code>&x;</Code></Error>`, `<html><Error><Code>a</Code></Error></html>`, ``, "<Error><Message>\u202e\x00</Message></Error>",
	} {
		f.Add(403, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c := &Client{now: func() time.Time { return time.Unix(0, 0) }}
		e := c.storageError(opArtifact, &http.Response{StatusCode: status, Header: http.Header{}}, body)
		if e.Kind == "" || e.Status != status || strings.TrimSpace(e.Message) == "" || !utf8.ValidString(e.Error()+e.Sentence()) {
			t.Fatalf("it says nothing: %+v", e)
		}
		if code, message := storageBody(body); (!code.IsZero() || !message.IsZero()) && !strings.Contains(string(body), "<Error") {
			t.Errorf("%q says %q, %q", body, code, message)
		}
		plaintest.OneLine(t, e.Sentence())
	})
}

// FuzzCertificateFile holds that a file of certificates is either refused in a sentence or is trusted beside what was trusted before.
func FuzzCertificateFile(f *testing.F) {
	server := httptest.NewTLSServer(nil)
	server.Close()
	f.Add(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	for _, seed := range []string{"", "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n", "\xff\xfe-\x00", "words"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		config, err := trust(Options{CAFile: path})
		if err == nil {
			if config == nil || config.RootCAs == nil || config.InsecureSkipVerify {
				t.Errorf("%q is trusted as %+v", text, config)
			}
			return
		}
		if said := new(Error); !errors.As(err, &said) || said.Kind != KindSetup || said.Sentence() == "" || config != nil {
			t.Errorf("%q gives %v", text, err)
		}
	})
}
