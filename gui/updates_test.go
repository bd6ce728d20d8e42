package gui

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/updates"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/screens"
	"assay/gui/settings"
)

// updatesFixture is a window of a build that asks a host on loopback for newer versions, over TLS, whose clock a test moves.
type updatesFixture struct {
	*shellFixture
	clock   *clocktest.Clock
	checker *updates.Checker
	asked   atomic.Int64
	page    string
	browser *watchedApp
}

func setupUpdates(t *testing.T) *updatesFixture {
	t.Helper()
	f := &updatesFixture{clock: clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))}
	host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		f.asked.Add(1)
		_, _ = fmt.Fprintf(w, `{"version": "9.0.0", "page": %q}`, f.page) //nolint:forbidigo // the client may have gone
	}))
	t.Cleanup(host.Close)
	f.page = host.URL + "/9.0.0"
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	assert.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw}), 0o600))
	f.shellFixture = setupShell(t, setupHost(t, 1), true, func(p *Params) {
		assert.NoError(t, p.Config.Change(func(s *config.Settings) {
			s.Service = config.Service{Use: config.UseService, Address: p.Address}
		}))
		f.browser = &watchedApp{App: p.App}
		p.App = f.browser
		var err error
		f.checker, err = updates.New(updates.Params{Address: host.URL + "/latest.json", Version: "0.1.0", Home: t.TempDir(), Config: p.Config,
			Network: func() client.Network { return client.Network{Certificates: certificate} }, Events: p.Events, Log: p.filled().Log,
			Now: f.clock.Now, Wait: f.clock.Wait})
		assert.NoError(t, err)
		p.Updates = f.checker
	})
	return f
}

// runs lets the checker run until the test ends.
func (f *updatesFixture) runs() {
	var running sync.WaitGroup
	running.Go(func() { f.checker.Run(f.T.Context()) })
	f.T.Cleanup(running.Wait)
}

const updateSentence = "Assay 9.0.0 is available. You have 0.1.0."

func (f *updatesFixture) says() bool {
	return strings.Contains(guitest.Words(f.window.Content()), updateSentence)
}

func TestAWindowAsksNobodyUnlessItWasChosen(t *testing.T) {
	f := setupUpdates(t)
	f.runs()
	for range 60 {
		f.clock.Advance(24 * time.Hour)
		for screen := screens.Inbox; screen <= screens.Settings; screen++ {
			f.app.rail.Select(screen)
		}
	}
	for section := range settings.SectionNames() {
		f.app.settings.ShowSection(settings.Section(section))
	}
	assert.Equal(t, int64(0), f.asked.Load())
	f.change(func(s *config.Settings) { s.Updates.Check = true })
	f.Until("it asks once it is chosen", func() bool {
		f.clock.Advance(time.Hour)
		return f.asked.Load() == 1
	})
}

func TestTheLineAboutANewerVersionHasRoom(t *testing.T) {
	f := setupUpdates(t)
	for _, language := range i18n.All() {
		assert.NoError(t, i18n.Use(language.Code, ""))
		t.Cleanup(func() { assert.NoError(t, i18n.Use("", "")) })
		bar := f.app.newUpdateBar()
		bar.words.SetText(settings.UpdateWords("10.20.30", "10.20.29"))
		column := bar.below(kit.NewLine())
		bar.root.Show()
		column.Resize(fyne.NewSize(guitest.Smallest.Width-look.RailWidth, 400))
		if high := bar.root.Size().Height; high > 40 {
			t.Errorf("%s: it is %g high: its words need more than a line", language.Code, high)
		}
	}
}

func TestTheLineAboutANewerVersion(t *testing.T) {
	f := setupUpdates(t)
	f.runs()
	f.app.showSettings(settings.SectionAbout)
	f.Until("the tick is there", func() bool { return len(guitest.InSight[*kit.Check](f.app.settings.Object())) > 0 })
	guitest.InSight[*kit.Check](f.app.settings.Object())[0].Tapped(nil)
	f.Until("it is chosen", func() bool { return f.Config.Settings().Updates.Check })
	place := func(o fyne.CanvasObject) fyne.Size { return o.Size() }
	before := place(f.app.settings.Object())
	f.Until("it was asked, and the answer is known", func() bool {
		if f.asked.Load() == 0 {
			f.clock.Advance(5 * time.Minute)
		}
		_, newer := f.checker.Newer()
		return newer
	})
	assert.Equal(t, int64(1), f.asked.Load())
	f.Run("it takes no room from what is in sight", func(t *testing.T) {
		if f.says() || place(f.app.settings.Object()) != before {
			t.Error("what is being read has moved")
		}
	})
	f.Run("it comes with the next screen, below it, and stays", func(t *testing.T) {
		f.app.rail.Select(screens.Results)
		if !f.says() {
			t.Fatal("it is not said")
		}
		f.app.rail.Select(screens.Inbox)
		if !f.says() {
			t.Error("it is gone")
		}
		assert.Equal(t, 0, len(f.browser.opened))
	})
	f.Run("its page is opened in the browser, on a click alone", func(t *testing.T) {
		if !pressIn(f.window.Content(), "What is new…") {
			t.Fatal("there is no such button")
		}
		f.Until("it was opened", func() bool {
			f.browser.mu.Lock()
			defer f.browser.mu.Unlock()
			return len(f.browser.opened) == 1 && f.browser.opened[0] == f.page
		})
	})
	f.Run("switched off it goes at once, while nothing moves; on again it comes with the next screen", func(t *testing.T) {
		before := place(f.app.inbox.Object())
		f.change(func(s *config.Settings) { s.Updates.Check = false })
		f.Until("it is gone", func() bool { return !f.says() })
		assert.Equal(t, before, place(f.app.inbox.Object()))
		f.change(func(s *config.Settings) { s.Updates.Check = true })
		f.app.rail.Select(screens.Folders)
		if !f.says() {
			t.Error("it is not said")
		}
	})
	f.Run("in another language it is there at once: the screens are built again", func(t *testing.T) {
		f.services.spoken = func() error { return nil }
		old := f.app
		f.speak()
		f.Until("the screens are built again", func() bool { return f.app != nil && f.app != old })
		if !f.says() {
			t.Error("it is not said")
		}
	})
	f.Run("Not now is quiet until the next version, and nothing moves", func(t *testing.T) {
		f.app.rail.Select(screens.Inbox)
		before := place(f.app.inbox.Object())
		if !pressIn(f.window.Content(), "Not now") {
			t.Fatal("there is no such button")
		}
		if f.says() {
			t.Error("it is still there")
		}
		assert.Equal(t, before, place(f.app.inbox.Object()))
		f.Until("it is kept", func() bool { _, newer := f.checker.Newer(); return !newer })
		f.app.rail.Select(screens.Folders)
		f.app.rail.Select(screens.Inbox)
		if f.says() {
			t.Error("it is there again")
		}
		if place(f.app.inbox.Object()).Height <= before.Height {
			t.Error("its room stays empty on the next screen")
		}
	})
}
