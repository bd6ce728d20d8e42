package client_test

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/client"
)

// certificateFile writes the certificate of a TLS service as PEM.
func certificateFile(t *testing.T, s *service) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "company.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func serveTLS(t *testing.T) *service {
	t.Helper()
	s := newService(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/store") {
			_, _ = io.WriteString(w, "a picture")
			return
		}
		answer(200, `{"requestId":"r1"}`)(w, r)
	})
	s.Config.ErrorLog = quiet
	s.StartTLS()
	return s
}

// proxy is a proxy that takes every connection to one address.
type proxy struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string // what was asked for, with the login
}

func startProxy(t *testing.T, to string) *proxy {
	t.Helper()
	p := new(proxy)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.seen = append(p.seen, r.Method+" "+r.Host+" "+r.Header.Get("Proxy-Authorization"))
		p.mu.Unlock()
		out, err := new(net.Dialer).DialContext(r.Context(), "tcp", to)
		if err != nil {
			t.Error(err)
			return
		}
		in, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n")
		var both sync.WaitGroup
		for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
			both.Go(func() {
				_, _ = io.Copy(way[0], way[1]) // until either side has had enough
				_ = way[0].Close()
			})
		}
		both.Wait()
	}))
	t.Cleanup(p.Close)
	return p
}

// transfersAll makes a call, a download and an upload.
func transfersAll(t *testing.T, c *client.Client, host string) {
	t.Helper()
	if _, err := c.Result(t.Context(), "r1"); err != nil {
		t.Error(err)
	}
	if body, err := c.Artifact(t.Context(), host+"/store/x", 100); err != nil || string(body) != "a picture" {
		t.Errorf("%q, %v", body, err)
	}
	if err := c.Put(t.Context(), host+"/store/x", open(t, []byte("bytes")), 5, nil); err != nil {
		t.Error(err)
	}
}

func TestCertificateFile(t *testing.T) {
	t.Run("the certificates of a file are trusted, for every kind of call", func(t *testing.T) {
		s := serveTLS(t)
		transfersAll(t, connect(t, s.URL, func(o *client.Options) { o.CAFile = certificateFile(t, s) }), s.URL)
	})
	t.Run("beside those of the options, which stay as they are", func(t *testing.T) {
		s, other := serveTLS(t), serveTLS(t)
		config := &tls.Config{MinVersion: tls.VersionTLS13}
		c := connect(t, s.URL, func(o *client.Options) { o.TLS, o.CAFile = config, certificateFile(t, other) })
		if _, err := c.Result(t.Context(), "r1"); err != nil || config.RootCAs != nil { // httptest has one certificate for all
			t.Errorf("%v, %v", err, config.RootCAs)
		}
	})
	t.Run("without it they are not", func(t *testing.T) {
		s := serveTLS(t)
		_, err := connect(t, s.URL).Result(t.Context(), "r1")
		wantKind(t, err, client.KindNetwork)
	})
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"not there": filepath.Join(t.TempDir(), "gone.pem"), "without a certificate": empty} {
		t.Run("a file that can't serve is said so: "+name, func(t *testing.T) {
			_, err := client.New(client.Options{BaseURL: "https://api.example", CAFile: path})
			wantKind(t, err, client.KindSetup)
			if strings.Contains(err.Error(), path) {
				t.Errorf("it names the person's folders: %v", err)
			}
		})
	}
}

func TestProxy(t *testing.T) {
	t.Run("every kind of call goes by the proxy, with its login", func(t *testing.T) {
		s := serveTLS(t)
		p := startProxy(t, s.Listener.Addr().String())
		c := connect(t, "https://example.com", func(o *client.Options) { // for which the certificate is
			o.CAFile, o.ProxyURL = certificateFile(t, s), strings.Replace(p.URL, "http://", "http://desk:word@", 1)
			o.Proxy = func(*http.Request) (*url.URL, error) { t.Error("the other proxy was asked"); return nil, nil }
		})
		transfersAll(t, c, "https://example.com")
		c.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, seen := range p.seen {
			if seen != "CONNECT example.com:443 Basic ZGVzazp3b3Jk" {
				t.Errorf("the proxy saw %q", seen)
			}
		}
		if len(p.seen) != 3 {
			t.Errorf("%d connections by the proxy, want one for calls, one for downloads and one for uploads", len(p.seen))
		}
	})
	t.Run("this computer is reached without it", func(t *testing.T) {
		s := serve(t, answer(200, `{"requestId":"r1"}`))
		c := connect(t, s.URL, func(o *client.Options) { o.ProxyURL = "http://127.0.0.1:1" })
		if _, err := c.Result(t.Context(), "r1"); err != nil {
			t.Error(err)
		}
	})
	for _, address := range []string{"proxy.example:3128", "ftp://proxy.example", "http://", "http://[::1", "http://me:" + signature + "@", "//proxy.example", "3128"} {
		t.Run("what is no proxy's address is said so, and not quoted: "+address, func(t *testing.T) {
			_, err := client.New(client.Options{BaseURL: "https://api.example", ProxyURL: address})
			wantKind(t, err, client.KindSetup)
			if strings.Contains(failure(t, err).Error(), signature) {
				t.Errorf("it says %v", err)
			}
		})
	}
}
