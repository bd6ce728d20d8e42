package gui

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/keys"
	"assay/client/report/bundle"
	"assay/gui/firstrun"
)

// notedEntries notes what was made, and fails where it is told to.
type notedEntries struct {
	offered bool
	made    []string
	refused string
}

func (e *notedEntries) set(name string, on bool) error {
	if name == e.refused && on {
		return errors.New("no place")
	}
	e.made = append(e.made, fmt.Sprint(name, " ", on))
	return nil
}

func (e *notedEntries) Autostart(on bool) error { return e.set("autostart", on) }
func (e *notedEntries) OpenWith(on bool) error  { return e.set("open with", on) }
func (e *notedEntries) SendTo(on bool) error    { return e.set("send to", on) }

func (e *notedEntries) Possible() (autostart, openWith, sendTo bool) { return true, !e.offered, false }
func (e *notedEntries) OfferedByPackage() bool                       { return e.offered }

func TestAChangeOfSettingsIsCarriedOutOrTold(t *testing.T) {
	noted := &notedEntries{}
	shown := setupShell(t, setupHost(t, 1), true, func(p *Params) { p.Entries = noted })
	open := func(t *testing.T) (*shellFixture, *notedEntries) {
		*noted = notedEntries{}
		assert.NoError(t, shown.Config.Reset("desktop", "network"))
		return shown, noted
	}
	t.Run("entries in the desktop are made before the change is written", func(t *testing.T) {
		f, entries := open(t)
		assert.NoError(t, f.app.changeSettings(t.Context(), func(s *config.Settings) { s.Desktop.Autostart, s.Desktop.SendTo = true, true }))
		assert.Equal(t, []string{"autostart true", "send to true"}, entries.made)
		if now := f.Config.Settings().Desktop; !now.Autostart || !now.SendTo {
			t.Errorf("kept %+v", now)
		}
	})
	t.Run("where one can't be made, all is as before", func(t *testing.T) {
		f, entries := open(t)
		entries.refused = "send to"
		if err := f.app.changeSettings(t.Context(), func(s *config.Settings) { s.Desktop.Autostart, s.Desktop.SendTo = true, true }); err == nil {
			t.Error("it is not told")
		}
		assert.Equal(t, []string{"autostart true", "autostart false"}, entries.made)
		if now := f.Config.Settings().Desktop; now.Autostart || now.SendTo {
			t.Errorf("kept %+v", now)
		}
	})
	t.Run("a setting that can't be is refused, and the entries go back", func(t *testing.T) {
		f, entries := open(t)
		err := f.app.changeSettings(t.Context(), func(s *config.Settings) { s.Desktop.Autostart, s.Uploads = true, -1 })
		var invalid *config.Invalid
		if !errors.As(err, &invalid) || len(entries.made) != 2 || entries.made[1] != "autostart false" {
			t.Errorf("%v, made %q", err, entries.made)
		}
	})
	t.Run("one of several known signers is forgotten, and only that one", func(t *testing.T) {
		f, _ := open(t)
		var want []config.Signer
		for _, name := range []string{"Lisbon", "Porto", "Faro"} {
			public, _, err := ed25519.GenerateKey(nil)
			assert.NoError(t, err)
			key, err := bundle.PublicLine(public)
			assert.NoError(t, err)
			want = append(want, config.Signer{Name: name, Key: key})
		}
		assert.NoError(t, f.app.changeSettings(t.Context(), func(s *config.Settings) { s.Signers = want }))
		assert.NoError(t, f.app.changeSettings(t.Context(), func(s *config.Settings) {
			s.Signers = slices.DeleteFunc(s.Signers, func(one config.Signer) bool { return one.Name == "Lisbon" })
		}))
		assert.Equal(t, want[1:], f.Config.Settings().Signers)
	})
	t.Run("certificates that can't be read are told, and not kept", func(t *testing.T) {
		f, _ := open(t)
		missing := filepath.Join(t.TempDir(), "none.pem")
		if err := f.app.changeSettings(t.Context(), func(s *config.Settings) { s.Network.Certificates = missing }); err == nil {
			t.Error("it is not told")
		}
		if f.Config.Settings().Network.Certificates != "" {
			t.Error("it is kept")
		}
	})
	t.Run("what this desktop can't do has its reason", func(t *testing.T) {
		f, _ := open(t)
		f.icon.setPossible(false)
		why := f.app.desktopReasons(t.Context())
		if why.Autostart != "" || why.OpenWith != "" || why.SendTo == "" || why.Tray == "" {
			t.Errorf("%+v", why)
		}
	})
	t.Run("what the package offers is said, and not offered again", func(t *testing.T) {
		f, entries := open(t)
		entries.offered = true
		assert.Equal(t, "Assay's package already offers this.", f.app.desktopReasons(t.Context()).OpenWith)
	})
}

// slowKeychain holds what it is given until it is let go.
type slowKeychain struct {
	keychain
	release chan error
}

func (s *slowKeychain) Set(string, string, string) error { return <-s.release }

func (s *slowKeychain) Get(string, string) (string, error) { return "0123456789abcdef", nil }

func TestAServiceThatWasFilledIn(t *testing.T) {
	draft := firstrun.ServiceDraft{Address: "api.example.org", Key: "0123456789abcdef"}
	t.Run("is asked with the network that was filled in", func(t *testing.T) {
		asked := &setupAsked{hostFixture: setupHost(t, 1)}
		f := setupShell(t, asked.hostFixture, false, func(p *Params) { p.Host = asked })
		d := draft
		d.Network.Proxy, d.Network.ProxyPassword = "proxy.example.org:3128", "secret"
		assert.NoError(t, f.check(t.Context(), d))
		want := setupAsked{address: "https://api.example.org", key: draft.Key, network: client.Network{Proxy: "http://proxy.example.org:3128", ProxyPassword: "secret"}}
		if asked.address != want.address || asked.key != want.key || asked.network != want.network {
			t.Errorf("asked %q %q %+v", asked.address, asked.key, asked.network)
		}
	})
	t.Run("is asked with the key that is known, where none was filled in", func(t *testing.T) {
		asked := &setupAsked{hostFixture: setupHost(t, 1)}
		f := setupShell(t, asked.hostFixture, false, func(p *Params) { p.Host = asked })
		assert.NoError(t, f.Keys.KeepForThisRun("https://api.example.org", "known0123456789"))
		if err := f.check(t.Context(), firstrun.ServiceDraft{Address: draft.Address}); err != nil || asked.key != "known0123456789" {
			t.Errorf("%v, key %q", err, asked.key)
		}
	})
	t.Run("is written to the settings without a password, which holds", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, nil)
		d := draft
		d.Network.Proxy = "http://desk:secret@proxy.example.org:3128"
		done := false
		f.openService(d, false, func(err error) { t.Error(err) }, nil)
		f.Until("the session is there", func() bool { done = f.app != nil; return done })
		now := f.Config.Settings()
		if now.Service.Use != config.UseService || now.Service.Address != "https://api.example.org" || now.Network.Proxy != "http://desk@proxy.example.org:3128" {
			t.Errorf("kept %+v %+v", now.Service, now.Network)
		}
		if f.Keys.ProxyPassword(now.Network.Proxy) != "secret" {
			t.Error("the password is lost")
		}
	})
	t.Run("waits for the keychain as long as it takes", func(t *testing.T) {
		slow := &slowKeychain{release: make(chan error)}
		f := setupShell(t, setupHost(t, 1), false, func(p *Params) {
			p.Keys = keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: slow}), Patience: time.Millisecond})
			t.Cleanup(p.Keys.Close)
		})
		waiting, kept := make(chan struct{}), make(chan error)
		go func() { kept <- f.keepKey(t.Context(), draft, func() { close(waiting) }) }()
		<-waiting
		slow.release <- nil
		if err := <-kept; err != nil || f.Keys.Key(draft.Service()) != draft.Key {
			t.Error("the key is not there:", err)
		}
	})
	t.Run("waits no longer than the person does", func(t *testing.T) {
		slow := &slowKeychain{release: make(chan error, 1)}
		f := setupShell(t, setupHost(t, 1), false, func(p *Params) {
			p.Keys = keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: slow}), Patience: time.Millisecond})
			t.Cleanup(p.Keys.Close)
		})
		ctx, cancel := context.WithCancel(t.Context())
		if err := f.keepKey(ctx, draft, cancel); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		slow.release <- errors.New("no")
	})
}

// setupAsked notes what a service was asked with.
type setupAsked struct {
	*hostFixture
	address, key string
	network      client.Network
}

func (d *setupAsked) Check(_ context.Context, address, key string, network client.Network) error {
	d.address, d.key, d.network = address, key, network
	return nil
}

func TestTheScaleThatITHasLockedIsNotTheEnvironments(t *testing.T) {
	for locked, want := range map[bool]string{true: "1.5", false: "3"} {
		t.Setenv(scaleVariable, "3")
		newAppearance(test.NewTempApp(t), locked).apply(config.Appearance{Scale: 1.5})
		if got := os.Getenv(scaleVariable); got != want {
			t.Errorf("locked: %v, the scale is %s", locked, got)
		}
	}
}
