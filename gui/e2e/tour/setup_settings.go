//go:build e2e && linux

package main

import (
	"slices"

	"assay/gui/e2e"
)

// settingsSections are in the order of the list.
var settingsSections = []string{"01-service", "02-gates", "03-sending", "04-folders", "05-appearance", "06-notifications", "07-desktop", "08-network", "09-storage", "10-about"}

// inSection goes to a section of the settings, and keeps what keys show from the list of sections on.
func (v *setupVisit) inSection(screen string, n int, keys ...string) error {
	if err := v.section(n); err != nil {
		return err
	}
	return v.then(screen, keys...)
}

// section goes to a section of the settings; the list of sections has the keyboard afterwards.
func (v *setupVisit) section(n int) error {
	if err := v.keys("ctrl+1", "ctrl+4"); err != nil {
		return err
	}
	if _, err := v.rest(); err != nil { // the keyboard is given away once the screen is painted
		return err
	}
	return v.keys(append([]string{"Home"}, slices.Repeat([]string{"Down"}, n-1)...)...)
}

// tabs presses Tab this often.
func tabs(n int, then ...string) []string {
	return slices.Concat(slices.Repeat([]string{"Tab"}, n), then)
}

// settings shows each section, and the dialogues that they open.
func (v *setupVisit) settings() error {
	address := v.answered.service.URL()
	home := v.answered.home
	if err := v.settle(home, atService(address)); err != nil {
		return err
	}
	if _, err := v.desktop.StartKeychain(v.ctx, true); err != nil {
		return err
	}
	if err := v.setKey(address, exampleKey); err != nil {
		return err
	}
	options := e2e.Options{Home: home}
	if err := v.open(options); err != nil {
		return err
	}
	for i, name := range settingsSections {
		keys := []string{"Down"}
		if i == 0 {
			keys = []string{"ctrl+4"}
		}
		v.try(v.then("settings-"+name, keys...))
	}
	for _, dialogue := range []struct {
		screen  string
		section int
		keys    []string
	}{
		{"settings-11-keys", 2, []string{"question"}},
		{"settings-05-appearance-menu", 5, tabs(3, "space")},
		{"settings-09-storage-empty-the-vault", 9, tabs(2, "space")},
		{"settings-10-about-licences", 10, tabs(1, "space")},
		{"settings-01-service-remove-key", 1, tabs(3, "space")},
	} {
		v.try(v.inSection(dialogue.screen, dialogue.section, dialogue.keys...))
		if err := v.keys("Escape"); err != nil {
			return err
		}
	}
	v.try(v.inSection("settings-01-service-tested", 1, tabs(1, "space")...))
	v.try(v.inSection("settings-10-about-copied", 10, tabs(2, "space")...))
	if err := v.section(8); err != nil {
		return err
	}
	if err := v.keys("Tab"); err != nil {
		return err
	}
	if err := v.typed("proxy example"); err != nil {
		return err
	}
	v.try(v.then("settings-08-network-refused", "Return"))

	// Another key, another service: each is tested before it is taken.
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.inSection("settings-01-service-another-key", 1, tabs(2, "space")...))
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.inSection("settings-01-service-another-service", 1, tabs(4, "space")...))
	if err := v.fillIn(v.staged.refuses.URL, exampleKey); err != nil {
		return err
	}
	v.try(v.then("settings-01-service-another-refused", "space"))

	// Given when Assay was started.
	if err := v.open(e2e.Options{Home: home, Server: address, Key: exampleKey}); err != nil {
		return err
	}
	v.try(v.then("settings-12-given-at-the-start", "ctrl+4"))

	// In the sandbox.
	sandbox, err := v.home("sandbox", sections{"service": sections{"use": "sandbox", "address": exampleAddress}})
	if err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: sandbox}); err != nil {
		return err
	}
	v.try(v.keep("inbox-empty"))
	v.try(v.then("settings-13-sandbox", "ctrl+4"))
	v.try(v.then("settings-14-sandbox-about", "End"))
	v.try(v.then("results-empty", "ctrl+2"))
	v.try(v.then("folders-empty", "ctrl+3"))
	return nil
}
