package client_test

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
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
	"assay/client/assert"
)

// lines are the requests that a proxy saw since the last time.
func (p *proxy) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := p.seen
	p.seen = nil
	return seen
}

// result makes one call, which succeeds.
func result(t *testing.T, c *client.Client) {
	t.Helper()
	if _, err := c.Result(t.Context(), "r1"); err != nil {
		t.Error(err)
	}
}

func TestSetNetwork(t *testing.T) {
	const login = "CONNECT example.com:443 Basic ZGVzazp3b3Jk" // desk:word
	t.Run("every kind of call goes the new way from then on, and the old one again when that is chosen", func(t *testing.T) {
		s := serveTLS(t)
		first, second := startProxy(t, s.Listener.Addr().String()), startProxy(t, s.Listener.Addr().String())
		c := connect(t, "https://example.com", func(o *client.Options) {
			u, err := url.Parse(first.URL)
			assert.NoError(t, err)
			o.Proxy = func(*http.Request) (*url.URL, error) { return u, nil }
			o.CAFile = certificateFile(t, s)
		})
		transfersAll(t, c, "https://example.com")
		if seen := first.lines(); len(seen) != 3 {
			t.Errorf("at first: %v", seen)
		}
		n := client.Network{Proxy: strings.Replace(second.URL, "http://", "http://desk@", 1), ProxyPassword: "word", Certificates: certificateFile(t, s)}
		assert.NoError(t, c.SetNetwork(n))
		transfersAll(t, c, "https://example.com")
		if seen := second.lines(); len(seen) != 3 || seen[0] != login || seen[1] != login || seen[2] != login || len(first.lines()) != 0 {
			t.Errorf("by the new way: %v", seen)
		}
		assert.NoError(t, c.SetNetwork(client.Network{Certificates: n.Certificates}))
		transfersAll(t, c, "https://example.com")
		if seen := first.lines(); len(seen) != 3 || len(second.lines()) != 0 {
			t.Errorf("the old way again: %v", seen)
		}
	})
	t.Run("certificates that are no longer given are trusted no longer, however long the client has been there", func(t *testing.T) {
		s := serveTLS(t)
		c := connect(t, s.URL)
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindNetwork)
		assert.NoError(t, c.SetNetwork(client.Network{Certificates: certificateFile(t, s)}))
		result(t, c)
		assert.NoError(t, c.SetNetwork(client.Network{}))
		_, err = c.Result(t.Context(), "r1")
		if e := failure(t, err); e.Fault != client.FaultCertificate {
			t.Errorf("%+v", e)
		}
	})
	t.Run("what is under way ends as it began, then its connection is closed; idle ones are closed at once", func(t *testing.T) {
		entered, release := make(chan struct{}), make(chan struct{})
		ended := make(chan struct{}, 10)
		s := newService(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/slow") {
				close(entered)
				<-release
			}
			answer(200, `{}`)(w, r)
		})
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				ended <- struct{}{}
			}
		}
		s.Start()
		c := connect(t, s.URL)
		var both sync.WaitGroup
		both.Go(func() {
			if _, err := c.Result(t.Context(), "slow"); err != nil {
				t.Error(err)
			}
		})
		<-entered
		result(t, c) // leaves a connection idle
		assert.NoError(t, c.SetNetwork(client.Network{}))
		<-ended // the idle one
		close(release)
		both.Wait()
		<-ended // the one that was in use
		result(t, c)
	})
	t.Run("what can't be used is refused, and changes nothing", func(t *testing.T) {
		s := serveTLS(t)
		c := connect(t, s.URL, func(o *client.Options) { o.CAFile = certificateFile(t, s) })
		for _, n := range []client.Network{{Certificates: filepath.Join(t.TempDir(), "gone.pem")}, {Proxy: "ftp://proxy.example"}} {
			wantKind(t, c.SetNetwork(n), client.KindSetup)
			result(t, c)
		}
	})
	t.Run("calls go on while it changes", func(t *testing.T) {
		s := serve(t, answer(200, `{"requestId":"r1"}`))
		c := connect(t, s.URL)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				for range 25 {
					result(t, c)
				}
			})
		}
		for range 25 {
			if err := c.SetNetwork(client.Network{}); err != nil {
				t.Error(err)
			}
		}
		calls.Wait()
	})
}

func TestSplitProxy(t *testing.T) {
	for typed, want := range map[string][2]string{
		"":                                        {"", ""},
		"  ":                                      {"", ""},
		" http://proxy.example:3128 ":             {"http://proxy.example:3128", ""},
		"http://desk:word@proxy.example:3128":     {"http://desk@proxy.example:3128", "word"},
		"https://desk:w%40rd%3A@proxy.example":    {"https://desk@proxy.example", "w@rd:"},
		"socks5h://:word@proxy.example:1080":      {"socks5h://@proxy.example:1080", "word"},
		"http://desk@proxy.example:3128":          {"http://desk@proxy.example:3128", ""},
		"socks5://d%C3%A9sk:word@[::1]:1080/path": {"socks5://d%C3%A9sk@[::1]:1080/path", "word"},
	} {
		t.Run("the password of "+typed, func(t *testing.T) {
			proxy, password, err := client.SplitProxy(typed)
			if proxy != want[0] || password != want[1] || err != nil {
				t.Errorf("%q, %q, %v", proxy, password, err)
			}
		})
	}
	t.Run("what is none is not quoted", func(t *testing.T) {
		for _, typed := range []string{"desk:" + signature + "@proxy.example:3128", "http://desk:" + signature + "@", "http://desk:" + signature + "%zz@proxy.example",
			"http://desk:" + signature + "@:3128", "http://desk:" + signature + "@proxy.example:99999"} {
			proxy, password, err := client.SplitProxy(typed)
			wantKind(t, err, client.KindSetup)
			if strings.Contains(fmt.Sprintf("%+v %v", failure(t, err), err), signature) || proxy != "" || password != "" {
				t.Errorf("%q, %q, %v", proxy, password, err)
			}
		}
	})
}

func TestKeyRequired(t *testing.T) {
	for _, op := range operations {
		t.Run("nothing is sent without a key, and all once there is one: "+op.name, func(t *testing.T) {
			s := serve(t, op.succeeds())
			given := " "
			c := connect(t, s.URL, func(o *client.Options) {
				o.KeyRequired, o.Key = true, func() string { return given }
			})
			err := op.do(t, c)
			if e := failure(t, err); e.Kind != client.KindKey || e.Status != 0 || e.Temporary() || !strings.Contains(e.Sentence(), "no key for this service yet") {
				t.Errorf("%+v", e)
			}
			if seen := s.seen(); len(seen) != 0 {
				t.Errorf("the service saw %+v", seen)
			}
			given = key
			if err := op.do(t, c); err != nil || len(s.seen()) == 0 {
				t.Errorf("%v, %d requests", err, len(s.seen()))
			}
		})
	}
}

// certificateFile writes the certificate of a TLS service as PEM.
func certificateFile(t *testing.T, s *service) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "company.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	assert.NoError(t, os.WriteFile(name, text, 0o600))
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
	assert.NoError(t, os.WriteFile(empty, []byte("no certificate"), 0o600))
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
