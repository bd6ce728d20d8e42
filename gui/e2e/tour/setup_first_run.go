//go:build e2e && linux

package main

import (
	"os"
	"path/filepath"
	"syscall"

	"assay/gui/e2e"
	"assay/gui/screens"
)

const (
	exampleAddress = "https://verify.example.org"
	exampleKey     = "sk_live_4f9c2a7e1b8d"
	// nobody is the URL of a port where nothing answers.
	nobody = "http://127.0.0.1:9"
)

// fillIn types what the first run asks for, after which the button to continue has the focus.
func (v *visit) fillIn(address, key string) error {
	if address != "" {
		if err := v.typed(address); err != nil {
			return err
		}
	}
	if err := v.keys("Return"); err != nil {
		return err
	}
	if err := v.typed(key); err != nil {
		return err
	}
	return v.keys("Return")
}

// firstRun shows the first run, without a keychain on the desktop.
func (v *visit) firstRun() error {
	home, err := v.home("first", nil)
	if err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: home}); err != nil {
		return err
	}
	v.try(v.keep("first-run-1-empty"))
	if err := v.fillIn(exampleAddress, exampleKey); err != nil {
		return err
	}
	v.try(v.keep("first-run-2-filled-in"))
	v.try(v.then("first-run-3-company-network", "Tab", "Tab", "space"))

	// With files that wait for a service.
	if err := v.open(e2e.Options{Home: home, Files: v.pictures[:2]}); err != nil {
		return err
	}
	v.try(v.keep("first-run-4-files-wait"))

	// With nothing filled in.
	v.try(v.then("first-run-5-nothing-filled-in", "Return", "Return", "space"))

	// Damaged settings, in the system's language.
	damaged := filepath.Join(v.dir, "damaged")
	if err := os.MkdirAll(damaged, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(damaged, "settings.json"), []byte(`{"version`), 0o600); err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: damaged, Variables: []string{"LANG=" + v.language + "_" + regions[v.language] + ".UTF-8"}}); err != nil {
		return err
	}
	v.try(v.keep("first-run-6-settings-damaged"))

	// The service accepts the key, but there is no keychain.
	if home, err = v.home("unkept", sections{"service": sections{"address": v.answered.service.URL()}}); err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: home}); err != nil {
		return err
	}
	if err := v.fillIn("", exampleKey); err != nil {
		return err
	}
	v.try(v.then("first-run-7-tested", "shift+Tab", "shift+Tab", "space"))
	v.try(v.then("first-run-8-no-keychain", "Tab", "Tab", "space"))
	asked, err := v.rest()
	if err != nil {
		return err
	}
	buttons := asked.Primary()
	if len(buttons) == 0 { // the button is found by the colours of the light theme
		return nil
	}
	at := buttons[len(buttons)-1]
	if err := v.app.Window.Click(v.ctx, (at.Min.X+at.Max.X)/2, (at.Min.Y+at.Max.Y)/2); err != nil {
		return err
	}
	if _, err := v.app.Window.Differs(v.ctx, asked, 0.01); err != nil {
		return err
	}
	v.try(v.keep("first-run-9-key-for-this-run"))
	return v.then("settings-service-key-for-this-run", keyTo(screens.Settings))
}

// regions are the regions for the languages, in locales.
var regions = map[string]string{"en": "GB", "es": "ES", "pt": "BR", "fr": "FR", "de": "DE"}

// faults shows each way in which a connection test fails.
func (v *visit) faults() error {
	proxied := func(proxy string) sections {
		return sections{"service": sections{"address": exampleAddress}, "network": sections{"proxy": proxy}}
	}
	at := func(address string) sections { return sections{"service": sections{"address": address}} }
	for _, fault := range []struct {
		screen string
		given  sections
		slow   bool
	}{
		{"fault-01-no-address", nil, false},
		{"fault-02-other-site", at(v.others.other.URL), false},
		{"fault-03-log-in-page", at(v.others.login.URL), false},
		{"fault-04-refused-key", at(v.others.refuses.URL), false},
		{"fault-05-unreachable", at(nobody), false},
		{"fault-06-certificate", at(v.others.certificate.URL), false},
		{"fault-07-service-broken", at(v.others.broken.URL), false},
		{"fault-08-proxy-unreachable", proxied(nobody), false},
		{"fault-09-proxy-wants-log-in", proxied(v.others.proxyLogin.URL), false},
		{"fault-10-silent", at(v.others.silent.URL), true},
	} {
		home, err := v.home(fault.screen, fault.given)
		if err != nil {
			return err
		}
		if err := v.open(e2e.Options{Home: home}); err != nil {
			return err
		}
		address := ""
		if fault.given == nil {
			address = "verify example"
		}
		if err := v.fillIn(address, exampleKey); err != nil {
			return err
		}
		screen := fault.screen
		if fault.slow {
			screen += "-asking"
		}
		v.try(v.then(screen, "shift+Tab", "shift+Tab", "space"))
		if !fault.slow {
			continue
		}
		asking, err := v.app.Window.Shot(v.ctx)
		if err != nil {
			return err
		}
		if _, err := v.app.Window.Differs(v.ctx, asking, 0.002); err != nil {
			return err
		}
		v.try(v.keep(fault.screen))
	}
	return nil
}

// keychains shows the window with a keychain that is absent, empty, locked or slow.
func (v *visit) keychains() error {
	address := v.answered.service.URL()
	home, err := v.home("keychain", atService(address))
	if err != nil {
		return err
	}
	show := func(name string) error {
		if err := v.open(e2e.Options{Home: home, Files: v.pictures[:1]}); err != nil {
			return err
		}
		if err := v.keep("keychain-" + name + "-inbox"); err != nil {
			return err
		}
		return v.then("keychain-"+name+"-settings", keyTo(screens.Settings))
	}
	v.try(show("1-absent"))
	keychain, err := v.desktop.StartKeychain(v.ctx, true)
	if err != nil {
		return err
	}
	v.try(show("2-no-key"))
	if err := v.setKey(address, exampleKey); err != nil {
		return err
	}
	if err := keychain.Stop(); err != nil {
		return err
	}
	if keychain, err = v.desktop.StartKeychain(v.ctx, false); err != nil {
		return err
	}
	v.try(show("3-locked"))

	// A first run that is to store the key in it.
	first, err := v.home("locked", sections{"service": sections{"address": address}})
	if err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: first}); err != nil {
		return err
	}
	if err := v.fillIn("", exampleKey); err != nil {
		return err
	}
	v.try(v.then("keychain-3-locked-first-run", "space"))
	if err := keychain.Stop(); err != nil {
		return err
	}

	if keychain, err = v.desktop.StartKeychain(v.ctx, true); err != nil {
		return err
	}
	if err := keychain.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	v.try(show("4-slow"))
	return keychain.Signal(syscall.SIGCONT)
}
