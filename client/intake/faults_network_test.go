package intake_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/submission"
)

// offlineThenBack hands files over while the service can't be reached, checks that this is said and waited out, and that all
// goes on once back has been called.
func offlineThenBack(t *testing.T, s *scene, back func()) {
	t.Helper()
	files := []string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 40), noise(t, 9)}
	ids := s.hand(files...)
	waited := s.clock.Now().Add(2 * time.Hour)
	s.when("it has waited for the network for two hours", func() bool {
		return s.QueueStatus().Cause == intake.NoNetwork && s.clock.Now().After(waited)
	})
	if standing := s.QueueStatus(); standing.Reason.IsZero() || standing.Stopped() {
		t.Errorf("it says %+v", standing)
	}
	for _, id := range ids {
		if got, _ := s.Get(id); got.State.Ended() {
			t.Errorf("%q is %q: %q", got.Name, got.State, got.Problem)
		}
	}
	back()
	s.until(ids, submission.Done)
	if standing := s.QueueStatus(); standing != (intake.QueueStatus{}) {
		t.Errorf("afterwards it says %+v", standing)
	}
	s.atService(files...)
}

func TestNoNetworkIsSaidAndWaitedOut(t *testing.T) {
	t.Run("a port where nobody answers", func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		refused := refusedAddress(t)
		s := newScene(t, plan{tls: true, options: func(o *client.Options) {
			o.Proxy = func(*http.Request) (*url.URL, error) { // the only way to the service
				if down.Load() {
					return &url.URL{Scheme: "http", Host: refused}, nil
				}
				return nil, nil
			}
		}})
		resolve(t, func() bool { return true })
		offlineThenBack(t, s, func() { down.Store(false) })
	})
	t.Run("no DNS", func(t *testing.T) {
		var known atomic.Bool
		resolve(t, known.Load)
		s := newScene(t, plan{tls: true})
		offlineThenBack(t, s, func() {
			if !strings.Contains(s.QueueStatus().Reason.String(), "name was not found") {
				t.Errorf("it says %q", s.QueueStatus().Reason)
			}
			known.Store(true)
		})
	})
	t.Run("a proxy that wants a login", func(t *testing.T) {
		resolve(t, func() bool { return true })
		var open atomic.Bool
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodConnect || r.Header.Get("X-Api-Key") != "" {
				t.Errorf("the proxy was asked to %s and shown %v", r.Method, r.Header)
			}
			if !open.Load() {
				w.Header().Set("Proxy-Authenticate", `Basic realm="office"`)
				http.Error(w, portal, http.StatusProxyAuthRequired)
				return
			}
			tunnel(w, r)
		}))
		defer proxy.Close()
		at, err := url.Parse(proxy.URL)
		must(t, err)
		s := newScene(t, plan{tls: true, options: func(o *client.Options) { o.Proxy = http.ProxyURL(at) }})
		offlineThenBack(t, s, func() { open.Store(true) })
		s.stop() // before the proxy ends
	})
	t.Run("that goes and comes back at every operation", func(t *testing.T) {
		for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpPut, sandbox.OpResult} {
			s := newScene(t, plan{troubles: []trouble{{op: op, from: 1, do: cutAfter(0.3)}}})
			file := noise(t, 11)
			ids := s.hand(file)
			s.when(fmt.Sprintf("%s finds no network", op), func() bool { return s.QueueStatus().Cause == intake.NoNetwork })
			s.wire.heal()
			s.until(ids, submission.Done)
			s.atService(file)
		}
	})
}

// refusedAddress is one on this computer at which nobody listens.
func refusedAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	must(t, listener.Close())
	return listener.Addr().String()
}

// tunnel connects a client of a proxy with this computer.
func tunnel(w http.ResponseWriter, r *http.Request) {
	_, port, _ := net.SplitHostPort(r.Host)
	there, err := new(net.Dialer).DialContext(r.Context(), "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	defer there.Close() //nolint:errcheck // at its end
	w.WriteHeader(http.StatusOK)
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close() //nolint:errcheck // at its end
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, buffered)
		_ = there.Close() // ends the other direction
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
	<-done
}

// resolve answers for the test's time every question for a name: with this computer, or that there is no such name.
func resolve(t *testing.T, known func() bool) {
	t.Helper()
	server, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	must(t, err)
	served := make(chan struct{})
	go func() {
		defer close(served)
		question := make([]byte, 4096)
		for {
			n, from, err := server.ReadFrom(question)
			if err != nil {
				return // closed
			}
			_, _ = server.WriteTo(nameAnswer(question[:n], known()), from)
		}
	}()
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		must(t, server.Close())
		<-served
	})
}

// nameAnswer is a name server's: 127.0.0.1 for a question for an IPv4 address, nothing for another.
func nameAnswer(question []byte, known bool) []byte {
	const headerLength, answered, noSuchName = 12, 0x8180, 0x8183
	end := headerLength
	for question[end] != 0 { // the labels of the name
		end += 1 + int(question[end])
	}
	kind := binary.BigEndian.Uint16(question[end+1:])
	answer := slices.Clone(question[:end+5])
	flags, answers := uint16(noSuchName), uint16(0)
	if known {
		flags = answered
		if kind == 1 {
			answers = 1
			answer = append(answer, 0xC0, headerLength, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1) // of that name, for no time
		}
	}
	for i, field := range []uint16{flags, 1, answers, 0, 0} {
		binary.BigEndian.PutUint16(answer[2+2*i:], field)
	}
	return answer
}
