package updates

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/config"
	"assay/client/events"
)

// host is an https server on loopback, which keeps what it is sent byte for byte. Its certificate is not the system's.
type host struct {
	server      *httptest.Server
	certificate string // path of a PEM file
	address     string // of latest.json

	mu     sync.Mutex
	sent   []*bytes.Buffer // one for each connection: each request has its own
	answer http.HandlerFunc
}

// newHost answers that this version is the newest.
func newHost(t *testing.T, version string) *host {
	t.Helper()
	h := &host{}
	certified := httptest.NewTLSServer(nil)
	certified.Close()
	h.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		answer := h.answer
		h.mu.Unlock()
		answer(w, r)
	}))
	h.server.Listener = recorder{tls.NewListener(h.server.Listener, &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}), h}
	h.server.Start()
	t.Cleanup(h.server.Close)
	h.address = "https://" + h.server.Listener.Addr().String() + "/latest.json"
	h.certificate = filepath.Join(t.TempDir(), "ca.pem")
	encoded := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw})
	assert.NoError(t, os.WriteFile(h.certificate, encoded, 0o600))
	h.says(version)
	return h
}

// page is the page about a version.
func (h *host) page(version string) string {
	return strings.TrimSuffix(h.address, "latest.json") + "new/" + version
}

// says has it answer that a version is the newest.
func (h *host) says(version string) {
	h.answers(func(w http.ResponseWriter, _ *http.Request) { write(w, latestJSON(version, h.page(version))) })
}

func (h *host) answers(how http.HandlerFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = how
}

// requests are those since the last call, as they were sent.
func (h *host) requests() (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, sent := range h.sent {
		all = append(all, sent.String())
	}
	h.sent = nil
	return all
}

func latestJSON(version, page string) string {
	return fmt.Sprintf(`{"version": %q, "page": %q}`, version, page)
}

func write(w http.ResponseWriter, text string) { _, _ = w.Write([]byte(text)) } // the client may have gone

type recorder struct {
	net.Listener
	host *host
}

func (r recorder) Accept() (net.Conn, error) {
	conn, err := r.Listener.Accept()
	if err != nil {
		return nil, err
	}
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	sent := new(bytes.Buffer)
	r.host.sent = append(r.host.sent, sent)
	return recorded{conn, sent, r.host}, nil
}

type recorded struct {
	net.Conn
	sent *bytes.Buffer
	host *host
}

func (r recorded) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	r.sent.Write(b[:n])
	return n, err
}

// fixture is a home whose person uses a service, and has chosen that newer versions are asked for.
type fixture struct {
	t      *testing.T
	host   *host
	home   string
	config *config.Config
	clock  *clocktest.Clock
	log    *bytes.Buffer
	events *events.Hub
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, host: newHost(t, "0.2.0"), home: t.TempDir(), log: new(bytes.Buffer), events: new(events.Hub),
		clock: clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))}
	var err error
	f.config, err = config.Open(config.Params{Dir: f.home})
	assert.NoError(t, err)
	f.set(func(s *config.Settings) {
		s.Service = config.Service{Use: config.UseService, Address: "https://service.example"}
		s.Updates.Check = true
	})
	return f
}

func (f *fixture) set(do func(*config.Settings)) {
	f.t.Helper()
	assert.NoError(f.t, f.config.Change(do))
}

// start is a start of Assay 0.1.0.
func (f *fixture) start(changes ...func(*Params)) *Checker {
	f.t.Helper()
	p := Params{Address: f.host.address, Version: "0.1.0", Home: f.home, Config: f.config, Events: f.events,
		Network: func() client.Network { return client.Network{Certificates: f.host.certificate} },
		Log:     slog.New(slog.NewTextHandler(f.log, nil)), Now: f.clock.Now, Wait: f.clock.Wait, Jitter: func() float64 { return 0 }}
	for _, change := range changes {
		change(&p)
	}
	c, err := New(p)
	assert.NoError(f.t, err)
	return c
}

// runs lets a start run for a time, and returns how often it asked.
func (f *fixture) runs(c *Checker, d time.Duration) int {
	end := f.clock.Now().Add(d)
	c.Wait = func(ctx context.Context, d time.Duration) error {
		if f.clock.Now().Add(d).After(end) {
			f.clock.Advance(end.Sub(f.clock.Now()))
			return context.Canceled
		}
		return f.clock.Skip(ctx, d)
	}
	c.Run(f.t.Context())
	return len(f.host.requests())
}
