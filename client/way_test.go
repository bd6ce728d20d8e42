package client_test

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/client"
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
			if err != nil {
				t.Fatal(err)
			}
			o.Proxy = func(*http.Request) (*url.URL, error) { return u, nil }
			o.CAFile = certificateFile(t, s)
		})
		transfersAll(t, c, "https://example.com")
		if seen := first.lines(); len(seen) != 3 {
			t.Errorf("at first: %v", seen)
		}
		n := client.Network{Proxy: strings.Replace(second.URL, "http://", "http://desk@", 1), ProxyPassword: "word", Certificates: certificateFile(t, s)}
		if err := c.SetNetwork(n); err != nil {
			t.Fatal(err)
		}
		transfersAll(t, c, "https://example.com")
		if seen := second.lines(); len(seen) != 3 || seen[0] != login || seen[1] != login || seen[2] != login || len(first.lines()) != 0 {
			t.Errorf("by the new way: %v", seen)
		}
		if err := c.SetNetwork(client.Network{Certificates: n.Certificates}); err != nil {
			t.Fatal(err)
		}
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
		if err := c.SetNetwork(client.Network{Certificates: certificateFile(t, s)}); err != nil {
			t.Fatal(err)
		}
		result(t, c)
		if err := c.SetNetwork(client.Network{}); err != nil {
			t.Fatal(err)
		}
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
		if err := c.SetNetwork(client.Network{}); err != nil {
			t.Fatal(err)
		}
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
