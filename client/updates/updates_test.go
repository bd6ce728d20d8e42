package updates

import (
	"context"
	"errors"
	"io"
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
	"assay/client/config"
	"assay/client/events"
)

const day = 24 * time.Hour

func TestTheRequestIsTheSameForEverybody(t *testing.T) {
	f := setup(t)
	want := "GET /latest.json HTTP/1.1\r\nHost: " + f.host.server.Listener.Addr().String() + "\r\nUser-Agent: Assay\r\n\r\n"
	t.Setenv("ASSAY_API_KEY", "sk-never-sent")
	f.host.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "who=you; Path=/")
		w.Header().Set("Etag", `"you"`)
		w.Header().Set("Last-Modified", "Mon, 23 Nov 2026 09:00:00 GMT")
		write(w, latestJSON("0.2.0", f.host.page("0.2.0")))
	})
	first := f.start()
	for _, c := range []*Checker{first, first, f.start(func(p *Params) { p.Version = "0.1.7" })} {
		_, _, err := c.Ask(t.Context())
		assert.NoError(t, err)
	}
	assert.Equal(t, []string{want, want, want}, f.host.requests())
	assert.True(t, strings.Contains(f.log.String(), "0.2.0"), "the version is logged")
}

func TestItAsksOnceAWeekAndOnlyIfChosen(t *testing.T) {
	t.Run("off, as it is at first: never, and nothing is kept", func(t *testing.T) {
		f := setup(t)
		assert.NoError(t, f.config.Reset("updates"))
		c := f.start()
		assert.Equal(t, 0, f.runs(c, 60*day))
		_, err := os.Stat(filepath.Join(f.home, "state.json"))
		assert.True(t, os.IsNotExist(err), "nothing is kept")
	})
	t.Run("once it is on, soon and then each week", func(t *testing.T) {
		f := setup(t)
		c := f.start()
		assert.Equal(t, 0, f.runs(c, shortestLook-time.Second)) // not at the start
		assert.Equal(t, 1, f.runs(c, day))
		assert.Equal(t, 0, f.runs(c, 5*day))
		assert.Equal(t, 4, f.runs(c, 24*day))
		f.set(func(s *config.Settings) { s.Updates.Check = false })
		assert.Equal(t, 0, f.runs(c, 60*day))
	})
	t.Run("however often Assay is started", func(t *testing.T) {
		f := setup(t)
		asked := 0
		for range 30 {
			for range 8 {
				asked += f.runs(f.start(), 3*time.Hour)
			}
		}
		assert.Equal(t, 5, asked)
	})
	t.Run("at a time that says nothing of the start: up to half an hour later, and up to a day later than a week", func(t *testing.T) {
		f := setup(t)
		c := f.start(func(p *Params) { p.Jitter = func() float64 { return 0.999 } })
		assert.Equal(t, 0, f.runs(c, 29*time.Minute))
		assert.Equal(t, 1, f.runs(c, day))
		assert.Equal(t, 0, f.runs(c, 6*day+20*time.Hour))
		assert.Equal(t, 1, f.runs(c, 5*time.Hour))
	})
	t.Run("once for all windows of a home", func(t *testing.T) {
		f := setup(t)
		var all sync.WaitGroup
		for range 8 {
			c := f.start()
			all.Go(func() { c.askIfDue(t.Context()) })
		}
		all.Wait()
		assert.Equal(t, 1, len(f.host.requests()))
	})
	t.Run("never while Assay works with the sandbox, or with nothing yet", func(t *testing.T) {
		for _, use := range []config.Use{config.UseSandbox, config.Undecided} {
			f := setup(t)
			f.set(func(s *config.Settings) { s.Service.Use = use })
			c := f.start()
			assert.True(t, c.Offline(), "it is offline")
			assert.Equal(t, 0, f.runs(c, 30*day))
			if _, _, err := c.Ask(t.Context()); err == nil {
				t.Error("it is asked on a click")
			}
			assert.Equal(t, 0, len(f.host.requests()))
		}
	})
	t.Run("as IT has locked it, whatever the person chose", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can make such a file")
		}
		for locked, want := range map[string]int{"true": 5, "false": 0} {
			f := setup(t)
			f.set(func(s *config.Settings) { s.Updates.Check = want == 0 })
			managed := filepath.Join(t.TempDir(), "managed.json")
			assert.NoError(t, os.WriteFile(managed, []byte(`{"version": 1, "settings": {"updates": {"check": `+locked+`}}, "locked": ["updates.check"]}`), 0o600))
			var err error
			f.config, err = config.Open(config.Params{Dir: f.home, Managed: managed})
			assert.NoError(t, err)
			c := f.start()
			assert.Equal(t, want, f.runs(c, 30*day))
			_, _, err = c.Ask(t.Context())
			var fixed *config.Fixed
			assert.Equal(t, want == 0, errors.As(err, &fixed))
			assert.Equal(t, min(want, 1), len(f.host.requests()))
		}
	})
	t.Run("never while it can't be read what IT has locked", func(t *testing.T) {
		f := setup(t)
		managed := filepath.Join(t.TempDir(), "managed.json")
		assert.NoError(t, os.Mkdir(managed, 0o700)) // there, and no file
		var err error
		f.config, err = config.Open(config.Params{Dir: f.home, Managed: managed})
		assert.NoError(t, err)
		if !f.config.LocksUnread() {
			t.Fatal("it was read")
		}
		assert.Equal(t, 0, f.runs(f.start(), 30*day))
	})
	t.Run("never where it can't be kept when it asked", func(t *testing.T) {
		f := setup(t)
		c := f.start()
		c.Home = filepath.Join(f.host.certificate, "below a file")
		assert.Equal(t, 0, f.runs(c, 3*day))
	})
	t.Run("Check now asks at once, also where it is off, and a week later again", func(t *testing.T) {
		f := setup(t)
		f.set(func(s *config.Settings) { s.Updates.Check = false })
		c := f.start()
		latest, newer, err := c.Ask(t.Context())
		assert.NoError(t, err)
		assert.True(t, newer, "it is newer")
		assert.Equal(t, Latest{Version: "0.2.0", Page: f.host.page("0.2.0")}, latest)
		assert.Equal(t, 1, len(f.host.requests()))
		if _, said := c.Newer(); said {
			t.Error("a notice shows that nobody chose")
		}
		f.set(func(s *config.Settings) { s.Updates.Check = true })
		assert.Equal(t, 0, f.runs(c, 6*day))
		assert.Equal(t, 1, f.runs(c, 2*day))
	})
}

func TestARequestInVainCounts(t *testing.T) {
	t.Run("it is made again a day later, and after an answer in a week", func(t *testing.T) {
		f := setup(t)
		f.host.answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusServiceUnavailable) })
		c := f.start()
		assert.Equal(t, 1, f.runs(c, 23*time.Hour))
		assert.Equal(t, 0, f.runs(f.start(), time.Hour))
		assert.Equal(t, 2, f.runs(c, 2*day))
		f.host.says("0.2.0")
		assert.Equal(t, 1, f.runs(c, day))
		assert.Equal(t, 0, f.runs(c, 6*day))
	})
	t.Run("one that the end of Assay cuts off, too", func(t *testing.T) {
		f := setup(t)
		ctx, stop := context.WithCancel(t.Context())
		f.host.answers(func(_ http.ResponseWriter, r *http.Request) {
			stop()
			<-r.Context().Done()
		})
		f.start().askIfDue(ctx)
		assert.Equal(t, 1, len(f.host.requests()))
		assert.Equal(t, 0, f.runs(f.start(), 23*time.Hour))
	})
}

func TestAClockThatIsSetAnew(t *testing.T) {
	t.Run("back: the week begins then", func(t *testing.T) {
		f := setup(t)
		assert.Equal(t, 1, f.runs(f.start(), day))
		f.clock.Advance(-400 * day)
		c := f.start()
		assert.Equal(t, 0, f.runs(c, 6*day))
		assert.Equal(t, 1, f.runs(c, 2*day))
	})
	t.Run("forward and back again: once", func(t *testing.T) {
		f := setup(t)
		assert.Equal(t, 1, f.runs(f.start(), day))
		f.clock.Advance(4000 * day)
		assert.Equal(t, 1, f.runs(f.start(), day))
		f.clock.Advance(-4000 * day)
		assert.Equal(t, 0, f.runs(f.start(), 6*day))
	})
}

func TestNewer(t *testing.T) {
	asked := func(f *fixture, version string) *Checker {
		f.t.Helper()
		f.host.says(version)
		c := f.start()
		_, _, err := c.Ask(f.t.Context())
		assert.NoError(f.t, err)
		return c
	}
	said := func(c *Checker) string {
		latest, ok := c.Newer()
		if !ok {
			return ""
		}
		return latest.Version
	}
	t.Run("an older version, or the same, is nothing to be said", func(t *testing.T) {
		f := setup(t)
		for version, want := range map[string]string{"0.0.9": "", "0.1.0": "", "0.1.1": "0.1.1", "0.10.0": "0.10.0", "1.0.0": "1.0.0"} {
			assert.Equal(t, want, said(asked(f, version)))
			_, newer, err := f.start().Ask(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, want != "", newer)
		}
	})
	t.Run("a newer one is said again after a restart, until it is installed", func(t *testing.T) {
		f := setup(t)
		changed := f.events.Subscribe(events.Updates)
		asked(f, "0.2.0")
		assert.True(t, changed.Take().Has(events.Updates), "it is published")
		assert.Equal(t, "0.2.0", said(f.start()))
		assert.Equal(t, "", said(f.start(func(p *Params) { p.Version = "0.2.0" })))
	})
	t.Run("Not now is quiet until the next version, also after a restart", func(t *testing.T) {
		f := setup(t)
		c := asked(f, "0.2.0")
		c.NotNow("0.2.0")
		assert.Equal(t, "", said(c))
		assert.Equal(t, "", said(asked(f, "0.2.0")))
		assert.Equal(t, "0.3.0", said(asked(f, "0.3.0")))
	})
	t.Run("nothing is said once it is switched off", func(t *testing.T) {
		f := setup(t)
		c := asked(f, "0.2.0")
		f.set(func(s *config.Settings) { s.Updates.Check = false })
		assert.Equal(t, "", said(c))
	})
	t.Run("a page that was kept must be the host's, too", func(t *testing.T) {
		f := setup(t)
		asked(f, "0.2.0")
		assert.NoError(t, config.ChangeState(f.home, func(s *config.State) { s.Updates.Page = "https://evil.example/" }))
		assert.Equal(t, "", said(f.start()))
	})
}

func TestItTakesThePersonsWayIntoTheNetwork(t *testing.T) {
	f := setup(t)
	var mu sync.Mutex
	var connected, logins []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		connected, logins = append(connected, r.Method+" "+r.Host), append(logins, r.Header.Get("Proxy-Authorization"))
		mu.Unlock()
		there, err := new(net.Dialer).DialContext(r.Context(), "tcp", f.host.server.Listener.Addr().String())
		if err != nil {
			http.Error(w, "gone", http.StatusBadGateway)
			return
		}
		defer there.Close() //nolint:errcheck // it has served
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()                                          //nolint:errcheck // it has served
		_, _ = here.Write([]byte("HTTP/1.1 200 Connected\r\n\r\n")) // only now does the client send more, and none of it is in the server's buffer
		go func() { _, _ = io.Copy(there, here) }()                 // until one of them ends
		_, _ = io.Copy(here, there)
	}))
	t.Cleanup(proxy.Close)
	network := client.Network{Proxy: strings.Replace(proxy.URL, "http://", "http://mia@", 1), ProxyPassword: "sesame", Certificates: f.host.certificate}
	f.host.answers(func(w http.ResponseWriter, _ *http.Request) { write(w, latestJSON("0.2.0", "https://example.com/new")) })
	c := f.start(func(p *Params) {
		p.Address = "https://example.com/latest.json" // its certificate names it
		p.Network = func() client.Network { return network }
	})
	_, newer, err := c.Ask(t.Context())
	assert.NoError(t, err)
	assert.True(t, newer, "it is newer")
	assert.Equal(t, []string{"CONNECT example.com:443"}, connected)
	assert.Equal(t, []string{"Basic bWlhOnNlc2FtZQ=="}, logins)
	assert.Equal(t, []string{"GET /latest.json HTTP/1.1\r\nHost: example.com\r\nUser-Agent: Assay\r\n\r\n"}, f.host.requests())
	t.Run("without its certificate nothing is asked, and the reason names neither", func(t *testing.T) {
		network.Certificates = ""
		_, _, err := c.Ask(t.Context())
		if err == nil || strings.Contains(err.Error()+f.log.String(), "sesame") || strings.Contains(err.Error(), "latest.json") {
			t.Error(err)
		}
		for _, sent := range f.host.requests() {
			assert.Equal(t, "", sent)
		}
	})
}
