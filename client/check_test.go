package client_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

// checkService checks the service at address, without any proxy of the environment's.
func checkService(t *testing.T, address string, change ...func(*client.Options)) error {
	t.Helper()
	direct := func(*http.Request) (*url.URL, error) { return nil, nil }
	o := client.Options{BaseURL: address + basePath, Key: func() string { return key }, Proxy: direct, Wait: func(context.Context, time.Duration) error {
		t.Error("it waits between two tries")
		return nil
	}}
	for _, f := range change {
		f(&o)
	}
	return client.Check(t.Context(), o)
}

// genuine answers as the service does: with a list for the key, and with 401 for all others.
func genuine(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Api-Key") != key {
		answer(http.StatusUnauthorized, `{"message":"Unauthorized"}`)(w, r)
		return
	}
	answer(http.StatusOK, `{"totalItems":0,"media":[]}`)(w, r)
}

// always answers so, with and without a key.
func always(status int, body string) func(*testing.T) string {
	return byHandler(answer(status, body))
}

func TestCheckTellsApart(t *testing.T) {
	const kindNone = client.Kind("")
	nextYear := time.Now().Add(365 * 24 * time.Hour)
	for _, c := range []struct {
		name    string
		service func(*testing.T) string
		change  func(*client.Options)
		proxy   func(*testing.T) func(*client.Options)
		trusted bool
		kind    client.Kind
		fault   client.Fault
		says    string
	}{
		{name: "the service, and a key that it takes", service: byHandler(genuine)},
		{name: "a service that wants no key", service: always(200, "[]")},
		{name: "a service that says 403 without a key, and nothing else", service: byHandler(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Api-Key") != key {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			genuine(w, r)
		})},

		{name: "no address", service: func(*testing.T) string { return "nonsense" }, kind: client.KindSetup, says: "not a web address"},
		{name: "an address without encryption", service: func(*testing.T) string { return "http://api.example" }, kind: client.KindSetup, says: "must begin with https://"},
		{name: "no proxy's address", service: elsewhere, change: func(o *client.Options) { o.ProxyURL = "3128" }, kind: client.KindSetup, says: "proxy's address"},

		{name: "wrong address: no such name", service: elsewhere, change: names(notFound), kind: client.KindNetwork, fault: client.FaultAddress, says: "No server was found with this name"},
		{name: "wrong address: nobody listens there", service: func(t *testing.T) string { return "https://" + closedPort(t) }, kind: client.KindNetwork, fault: client.FaultAddress, says: "Nothing answers"},
		{name: "wrong address: who listens hangs up", service: byBytes(func(*http.Request) string { return "" }), kind: client.KindNetwork, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: who listens does not encrypt", service: func(t *testing.T) string {
			return strings.Replace(byHandler(genuine)(t), "http:", "https:", 1)
		}, kind: client.KindNetwork, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: another site, which has no such page", service: always(404, "<html>Not found</html>"), kind: client.KindAnswer, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: another service, which knows no such thing", service: always(404, `{"message":"Not found"}`), kind: client.KindAnswer, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: another service, which allows no such thing", service: always(405, ""), kind: client.KindAnswer, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: another service, which answers something else", service: always(200, `{"status":"ok"}`), kind: client.KindAnswer, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: another service, which wants another log-in", service: always(401, "Unauthorized"), kind: client.KindAnswer, fault: client.FaultAddress, says: "not the service"},
		{name: "wrong address: round in a loop", service: byHandler(redirect(302, func() string { return "/odd/base/again" })), kind: client.KindAnswer, fault: client.FaultAddress, says: "in a loop"},

		{name: "no network: no name is found, and nothing is connected", service: elsewhere, change: func(o *client.Options) { names(notFound)(o); o.OnlineIf(false) }, kind: client.KindNetwork, fault: client.FaultOffline, says: "no working network connection"},
		{name: "no network: nobody can be asked for the name", service: elsewhere, change: names(0), kind: client.KindNetwork, fault: client.FaultOffline, says: "no working network connection"},
		{name: "no network: no way leads there", service: elsewhere, change: dials(client.Unreachable[0]), kind: client.KindNetwork, fault: client.FaultOffline, says: "no working network connection"},

		{name: "proxy: nobody listens there", service: elsewhere, proxy: func(t *testing.T) func(*client.Options) {
			address := closedPort(t)
			return func(o *client.Options) { o.ProxyURL = "http://" + address }
		}, kind: client.KindNetwork, fault: client.FaultProxy, says: "The proxy could not be reached"},
		{name: "proxy: its name is not found, and the service's is not to blame", service: elsewhere, change: func(o *client.Options) { names(notFound)(o); o.ProxyURL = "http://proxy.example:3128" }, kind: client.KindNetwork, fault: client.FaultProxy, says: "The proxy could not be reached"},
		{name: "proxy: wants a log-in", service: elsewhere, proxy: through("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"), kind: client.KindNetwork, fault: client.FaultProxyLogin, says: "The proxy asks for a name"},
		{name: "proxy: does not take the log-in", service: elsewhere, proxy: through("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "desk:word"), kind: client.KindNetwork, fault: client.FaultProxyLogin, says: "did not accept its name"},
		{name: "proxy: does not let us through", service: elsewhere, proxy: through("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"), kind: client.KindNetwork, fault: client.FaultProxy, says: "does not let Assay through to the service (it answered 403"},
		{name: "proxy: finds no way to the service", service: elsewhere, proxy: through("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n"), kind: client.KindNetwork, fault: client.FaultProxy, says: "it answered 502"},
		{name: "proxy: one of SOCKS that wants a log-in", service: elsewhere, proxy: socks("\x05\xff"), kind: client.KindNetwork, fault: client.FaultProxyLogin, says: "name and password"},
		{name: "proxy: one of SOCKS that does not let us through", service: elsewhere, proxy: socks("\x05\x00\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"), kind: client.KindNetwork, fault: client.FaultProxy, says: "The proxy could not be reached, or does not let Assay through"},

		{name: "certificate: nobody who is trusted has issued it, and who has is named", service: certified("Looking Glass\u202e Proxy\n CA", "", nextYear), kind: client.KindNetwork, fault: client.FaultCertificate, says: "issued by “Looking Glass\ufffd Proxy\ufffd CA”"},
		{name: "certificate: of a very long name", service: certified(strings.Repeat("a", 5000), "", nextYear), kind: client.KindNetwork, fault: client.FaultCertificate, says: "issued by “" + strings.Repeat("a", 79) + "…”"},
		{name: "certificate: for another name", service: certified("Looking Glass", "other.example", nextYear), trusted: true, kind: client.KindNetwork, fault: client.FaultCertificate, says: "for a different address"},
		{name: "certificate: has expired", service: certified("Looking Glass", "", time.Now().Add(-24*time.Hour)), trusted: true, kind: client.KindNetwork, fault: client.FaultCertificate, says: "expired"},

		{name: "the key is refused", service: always(401, ""), kind: client.KindKey, says: "did not accept this key. Check that you copied all of it"},
		{name: "the key is refused, in the service's words", service: always(403, `{"message":"Key \u202e revoked."}`), kind: client.KindKey, says: "did not accept this key. The service says: “Key \ufffd revoked.” Check that"},
		{name: "no key was given", service: byHandler(genuine), change: func(o *client.Options) { o.Key = nil }, kind: client.KindKey, says: "answers and asks for a key"},
		{name: "what was given is no key", service: byHandler(genuine), change: func(o *client.Options) { o.Key = func() string { return "two\nlines" } }, kind: client.KindKey, says: "can't be sent"},

		{name: "a log-in page in place of the service", service: always(200, "<html>Welcome</html>"), kind: client.KindAnswer, fault: client.FaultPage, says: "A web page answered"},
		{name: "a page that refuses", service: always(403, "<html>Blocked</html>"), kind: client.KindAnswer, fault: client.FaultPage, says: "A web page answered"},
		{name: "a network that says that it wants a log-in", service: always(511, ""), kind: client.KindAnswer, fault: client.FaultPage, says: "A web page answered"},
		{name: "a log-in page elsewhere", service: byHandler(redirect(302, func() string { return "https://login.cafe.example/welcome" })), kind: client.KindAnswer, fault: client.FaultPage, says: "login.cafe.example"},

		{name: "time-out", service: byHandler(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), change: func(o *client.Options) { o.CallTimeout = 100 * time.Millisecond }, kind: client.KindNetwork, fault: client.FaultTime, says: "not answer in time"},

		{name: "busy: too many calls", service: always(429, `{}`), kind: client.KindBusy, says: "is busy"},
		{name: "busy: unavailable", service: always(503, "<html></html>"), kind: client.KindBusy, says: "is busy"},
		{name: "busy once it is asked with the key", service: byHandler(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Api-Key") == key {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			genuine(w, r)
		}), kind: client.KindBusy, says: "is busy"},
		{name: "broken", service: always(500, ""), kind: client.KindService, says: "answers with an error (500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := c.service(t)
			var changes []func(*client.Options)
			if c.change != nil {
				changes = append(changes, c.change)
			}
			if c.proxy != nil {
				changes = append(changes, c.proxy(t))
			}
			if c.trusted {
				changes = append(changes, trusting(address))
			}
			err := checkService(t, address, changes...)
			if c.kind == kindNone {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := failure(t, err); e.Kind != c.kind || e.Fault != c.fault || !strings.Contains(e.Sentence(), c.says) {
				t.Errorf("kind %q, fault %q, says %q: %v", e.Kind, e.Fault, e.Sentence(), err)
			}
			for text := range textsOf(err) {
				for _, secret := range []string{key[:8], "word@", "desk:", "ZGVzazp3b3Jk"} { // and the proxy's login
					if strings.Contains(text, secret) {
						t.Errorf("%q is in %q", secret, text)
					}
				}
			}
		})
	}
}

func TestCheckGivesTheKeyToTheServiceAlone(t *testing.T) {
	// other is where the service leads to: it answers as the service would, and must never be asked.
	type stage struct {
		other *service
		steps atomic.Int32
	}
	away := func(status int, to func(other string) string) func(*stage) http.HandlerFunc {
		return func(s *stage) http.HandlerFunc { return redirect(status, func() string { return to(s.other.URL) }) }
	}
	absolute := func(other string) string { return other + basePath + "/api/v2/media/users/pages/0" }
	relative := func(other string) string { return strings.TrimPrefix(absolute(other), "http:") }
	// once answers like the service first, and with the other thing from then on.
	once := func(then func(*stage) http.HandlerFunc) func(*stage) http.HandlerFunc {
		return func(s *stage) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if s.steps.Add(1) == 1 {
					genuine(w, r)
					return
				}
				then(s)(w, r)
			}
		}
	}
	plain := func(h http.HandlerFunc) func(*stage) http.HandlerFunc {
		return func(*stage) http.HandlerFunc { return h }
	}
	for _, c := range []struct {
		name    string
		service func(*stage) http.HandlerFunc
		given   int // how many requests may have the key
	}{
		{"the service", plain(genuine), 1},
		{"one that takes no key", plain(answer(401, `{}`)), 1},
		{"one that has moved within itself", func(*stage) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/0") {
					redirect(307, func() string { return "/elsewhere" })(w, r)
					return
				}
				genuine(w, r)
			}
		}, 2},
		{"a page", plain(answer(200, "<html>Welcome</html>")), 0},
		{"a page that refuses", plain(answer(401, "<html>Log in</html>")), 0},
		{"a wrong host", plain(answer(404, `{"message":"Not found"}`)), 0},
		{"a wrong host that answers in JSON", plain(answer(200, `{"status":"ok"}`)), 0},
		{"a wrong host that is busy", plain(answer(503, "")), 0},
		{"a wrong host that wants another log-in", plain(answer(401, "Who are you?")), 0},
		{"a redirect, 302 and absolute", away(302, absolute), 0},
		{"a redirect, 307 and absolute", away(307, absolute), 0},
		{"a redirect, 302 without a scheme", away(302, relative), 0},
		{"a redirect, 307 without a scheme", away(307, relative), 0},
		{"a redirect that comes only with the key, 302 and absolute", once(away(302, absolute)), 1},
		{"a redirect that comes only with the key, 307 and absolute", once(away(307, absolute)), 1},
		{"a redirect that comes only with the key, 307 without a scheme", once(away(307, relative)), 1},
		{"a page that comes only with the key", once(plain(answer(200, "<html>Welcome</html>"))), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &stage{other: serve(t, answer(200, "[]"))}
			hostile := serve(t, c.service(s))
			_ = checkService(t, hostile.URL) // what it says is another test's
			for _, r := range s.other.seen() {
				t.Errorf("the other host was asked: %+v", r)
			}
			given := 0
			for i, r := range hostile.seen() {
				has := r.Header.Get("X-Api-Key")
				if has != "" {
					given++
				}
				if has != "" && (i == 0 || has != key) {
					t.Errorf("request %d has the key %q", i, has)
				}
				r.Header.Del("X-Api-Key")
				if all := fmt.Sprintf("%+v", r); strings.Contains(all, key) || r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" || len(r.Body) > 0 {
					t.Errorf("request %d: %s", i, all)
				}
			}
			if given != c.given {
				t.Errorf("%d of %d requests have the key, want %d", given, len(hostile.seen()), c.given)
			}
		})
	}
}

func TestAnOrdinaryCallDoesNotBlameTheAddress(t *testing.T) {
	for name, address := range map[string]string{"nobody listens": "http://" + closedPort(t), "hangs up": byBytes(func(*http.Request) string { return "" })(t)} {
		_, err := connect(t, address).Result(t.Context(), "r1")
		if e := failure(t, err); e.Kind != client.KindNetwork || e.Fault != "" || e.Message.String() != "The service could not be reached." {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestCheckOfTheSandbox(t *testing.T) {
	s := startSandbox(t)
	with := func(key string) error {
		return client.Check(t.Context(), client.Options{BaseURL: s.Address(), Key: func() string { return key }})
	}
	if err := with(" " + key + "\n"); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"another", ""} {
		wantKind(t, with(other), client.KindKey)
	}
}

func TestCheckEnds(t *testing.T) {
	t.Run("with whoever asked for it", func(t *testing.T) {
		asked := make(chan struct{})
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { close(asked); <-r.Context().Done() })
		s.Start()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { <-asked; cancel() }()
		err := client.Check(ctx, client.Options{BaseURL: s.URL, Key: func() string { return key }})
		if e := failure(t, err); !errors.Is(err, context.Canceled) || e.Fault != "" {
			t.Errorf("%+v", e)
		}
	})
	t.Run("and leaves no connection open", func(t *testing.T) {
		s := newService(t, genuine)
		var open atomic.Int32
		closed := make(chan struct{}, 10)
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			switch state { //nolint:exhaustive // the others change nothing
			case http.StateNew:
				open.Add(1)
			case http.StateClosed:
				open.Add(-1)
				closed <- struct{}{}
			}
		}
		s.Start()
		assert.NoError(t, checkService(t, s.URL))
		for limit := time.After(30 * time.Second); open.Load() > 0; { // idle ones would end after three times that
			select {
			case <-closed:
			case <-limit:
				t.Fatalf("%d are open", open.Load())
			}
		}
	})
}

// names is a network whose resolver answers with this code, or not at all; 0: with nothing.
func names(code byte) func(*client.Options) {
	return func(o *client.Options) {
		o.OnlineIf(true)
		o.DialWith((&net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			if code == 0 {
				return nil, errors.New("nobody to ask")
			}
			ours, theirs := net.Pipe()
			go func() {
				defer theirs.Close() //nolint:errcheck // the test's own
				length := make([]byte, 2)
				for {
					if _, err := io.ReadFull(theirs, length); err != nil {
						return
					}
					query := make([]byte, binary.BigEndian.Uint16(length))
					if _, err := io.ReadFull(theirs, query); err != nil {
						return
					}
					query[2] |= 0x80 // a response
					query[3] = 0x80 | code
					binary.BigEndian.PutUint16(query[10:], 0) // no additional records, which end it
					end := 12
					for query[end] != 0 {
						end += int(query[end]) + 1
					}
					query = query[:end+5]
					if _, err := theirs.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)); err != nil {
						return
					}
				}
			}()
			return ours, nil
		}}}).DialContext)
	}
}

const notFound = 3 // NXDOMAIN

// dials is a network on which every connection fails so.
func dials(err error) func(*client.Options) {
	return func(o *client.Options) {
		o.DialWith(func(_ context.Context, network, _ string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", err)}
		})
	}
}

func elsewhere(*testing.T) string { return "https://api.example" }

// closedPort is an address that nobody listens at.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	defer listener.Close() //nolint:errcheck // now nothing listens there
	return listener.Addr().String()
}

// through is a proxy that gives every CONNECT this answer.
func through(answer string, login ...string) func(*testing.T) func(*client.Options) {
	return func(t *testing.T) func(*client.Options) {
		p := byBytes(func(*http.Request) string { return answer })(t)
		if len(login) > 0 {
			p = strings.Replace(p, "http://", "http://"+login[0]+"@", 1)
		}
		return func(o *client.Options) { o.ProxyURL = p }
	}
}

// socks is a proxy of that kind whose answer to every greeting is this, and then it hangs up.
func socks(answers string) func(*testing.T) func(*client.Options) {
	return func(t *testing.T) func(*client.Options) {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		assert.NoError(t, err)
		done := make(chan struct{})
		t.Cleanup(func() { _ = listener.Close(); <-done })
		go func() {
			defer close(done)
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				greeting := make([]byte, 3)
				_, _ = io.ReadFull(conn, greeting)
				_, _ = io.WriteString(conn, answers)
				_, _ = io.Copy(io.Discard, conn) // until it has had enough
				_ = conn.Close()
			}
		}()
		return func(o *client.Options) { o.ProxyURL = "socks5://" + listener.Addr().String() }
	}
}

// certified is a service with a certificate of its own making.
func certified(issuer, name string, until time.Time) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		assert.NoError(t, err)
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Issuer: pkix.Name{CommonName: issuer}, Subject: pkix.Name{CommonName: issuer},
			NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, DNSNames: []string{name}, IPAddresses: []net.IP{net.ParseIP("127.0.0.2")}}
		if name == "" {
			template.IPAddresses = []net.IP{net.ParseIP("127.0.0.1")}
		}
		raw, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
		assert.NoError(t, err)
		s := newService(t, genuine)
		s.Config.ErrorLog = quiet
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: private}}}
		s.StartTLS()
		return s.URL
	}
}

// trusting trusts the certificate of that very service, as far as its name and its dates go.
func trusting(address string) func(*client.Options) {
	return func(o *client.Options) {
		conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(context.Background(), "tcp", strings.TrimPrefix(address, "https://")) //nolint:gosec // the test's own
		if err != nil {
			panic(err)
		}
		defer conn.Close() //nolint:errcheck // the test's own
		roots := x509.NewCertPool()
		roots.AddCert(conn.(*tls.Conn).ConnectionState().PeerCertificates[0])
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	}
}
