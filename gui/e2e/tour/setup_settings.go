//go:build e2e && linux

package main

import (
	"image"
	"path/filepath"
	"slices"

	"assay/gui/e2e"
	"assay/gui/screens"
)

// settingsSections are the names of the sections in screenshots, in order.
var settingsSections = []string{"01-service", "02-sending", "03-appearance", "04-desktop", "05-network", "06-storage", "07-evidence", "08-about"}

// inSection goes to a section of the settings, presses keys from the list of sections on, and keeps a picture.
func (v *visit) inSection(screen string, n int, keys ...string) error {
	if err := v.section(n); err != nil {
		return err
	}
	return v.then(screen, keys...)
}

// section goes to a section of the settings; the list of sections then has the focus.
func (v *visit) section(n int) error {
	if err := v.keys(keyTo(screens.Inbox), keyTo(screens.Settings)); err != nil {
		return err
	}
	if _, err := v.rest(); err != nil { // the focus is moved once the screen is painted
		return err
	}
	return v.keys(append([]string{"Home"}, slices.Repeat([]string{"Down"}, n-1)...)...)
}

// tabs returns keys: n times Tab, and then others.
func tabs(n int, then ...string) []string {
	return slices.Concat(slices.Repeat([]string{"Tab"}, n), then)
}

// settings shows each section and its dialogues.
func (v *visit) settings() error {
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
			keys = []string{keyTo(screens.Settings)}
		}
		v.try(v.then("settings-"+name, keys...))
	}
	for _, dialogue := range []struct {
		screen  string
		section int
		keys    []string
	}{
		{"settings-09-keys", 2, []string{"question"}},
		{"settings-03-appearance-menu", 3, tabs(3, "space")},
		{"settings-06-storage-empty-the-vault", 6, tabs(2, "space")},
		{"settings-08-about-licences", 8, tabs(1, "space")},
		{"settings-01-service-remove-key", 1, tabs(3, "space")},
	} {
		v.try(v.inSection(dialogue.screen, dialogue.section, dialogue.keys...))
		if err := v.keys("Escape"); err != nil {
			return err
		}
	}
	v.try(v.inSection("settings-01-service-tested", 1, tabs(1, "space")...))
	v.try(v.inSection("settings-08-about-copied", 8, tabs(2, "space")...))
	if err := v.section(5); err != nil {
		return err
	}
	if err := v.keys("Tab"); err != nil {
		return err
	}
	if err := v.typed("proxy example"); err != nil {
		return err
	}
	v.try(v.then("settings-05-network-refused", "Return"))

	// Another key and another service, each of which is tested before it is used.
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.inSection("settings-01-service-another-key", 1, tabs(2, "space")...))
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.inSection("settings-01-service-another-service", 1, tabs(4, "space")...))
	if err := v.fillIn(v.others.refuses.URL, exampleKey); err != nil {
		return err
	}
	v.try(v.then("settings-01-service-another-refused", "space"))

	// Service and key from the command line.
	if err := v.open(e2e.Options{Home: home, Server: address, Key: exampleKey}); err != nil {
		return err
	}
	v.try(v.then("settings-12-given-at-the-start", keyTo(screens.Settings)))

	// With the sandbox.
	sandbox, err := v.home("sandbox", sections{"service": sections{"use": "sandbox", "address": exampleAddress}})
	if err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: sandbox}); err != nil {
		return err
	}
	v.try(v.keep("inbox-empty"))
	v.try(v.then("settings-13-sandbox", keyTo(screens.Settings)))
	v.try(v.then("settings-14-sandbox-about", "End"))
	v.try(v.then("results-empty", keyTo(screens.Results)))
	v.try(v.then("folders-empty", keyTo(screens.Folders)))
	return nil
}

// fileDialogs shows the toolkit's file dialogs, which are used if the desktop has none of its own. A dialog keeps the size of its window when it
// opened, so it is opened again at each size.
func (v *visit) fileDialogs() error {
	home := filepath.Join(v.desktop.Dir, "home")
	for _, folder := range []string{"Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos", "Agency in"} {
		w := &fileWriter{folder: filepath.Join(home, folder), pictures: v.pictures}
		if w.copies("DSC00412.jpg"); w.err != nil {
			return w.err
		}
	}
	w := &fileWriter{folder: home, pictures: v.pictures}
	w.copies("mountains.jpg", "mountains.png",
		"from the source who must not be named, as it came in over the secure line on Thursday night, not cropped, second of nine.jpg")
	if w.err != nil {
		return w.err
	}
	sandbox, err := v.home("files", sections{"service": sections{"use": "sandbox"}})
	if err != nil {
		return err
	}
	if err := v.settle(v.answered.home, atService(v.answered.service.URL())); err != nil {
		return err
	}
	v.still = true
	all := v.sizes
	defer func() { v.sizes = all }()
	for _, size := range all {
		v.sizes = []image.Point{size}
		if err := v.choosing(e2e.Options{Home: sandbox}); err != nil {
			return err
		}
		if err := v.saving(e2e.Options{Home: v.answered.home, Server: v.answered.service.URL(), Key: exampleKey}); err != nil {
			return err
		}
	}
	return nil
}

// choosing opens each dialog that asks for a file or a folder, and those that open over one.
func (v *visit) choosing(options e2e.Options) error {
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.then("files-1-choose", "ctrl+o"))
	v.try(v.then("files-2-choose-options", "shift+Tab", "shift+Tab", "space"))
	if err := v.open(options); err != nil {
		return err
	}
	if err := v.keys(tabs(3)...); err != nil {
		return err
	}
	v.try(v.then("files-3-choose-a-folder", "space"))
	if err := v.keys(slices.Repeat([]string{"shift+Tab"}, 5)...); err != nil {
		return err
	}
	v.try(v.then("files-4-new-folder", "space"))
	if err := v.open(options); err != nil {
		return err
	}
	v.try(v.then("files-5-watch-a-folder", "ctrl+n"))
	if err := v.open(options); err != nil {
		return err
	}
	if err := v.section(5); err != nil {
		return err
	}
	if err := v.keys(tabs(2)...); err != nil {
		return err
	}
	return v.then("files-6-certificates", "space")
}

// saving opens the dialog for saving a picture with its heatmap, with the names of an existing file and of an existing folder.
func (v *visit) saving(options e2e.Options) error {
	for _, there := range []string{"mountains.jpg", "Pictures"} {
		if err := v.open(options); err != nil {
			return err
		}
		if err := v.keys(keyTo(screens.Results), "Home"); err != nil {
			return err
		}
		if _, err := (&viewing{look: v.look, desktop: v.desktop, window: v.app.Window}).settled(v.ctx); err != nil { // wait until it shows something
			return err
		}
		if err := v.keys("f", "2"); err != nil { // in the full window, the menu with saving is in its lower right corner
			return err
		}
		if _, err := v.rest(); err != nil {
			return err
		}
		if err := v.app.Window.Click(v.ctx, v.pixels(v.sizes[0].X-33), v.pixels(v.sizes[0].Y-25)); err != nil {
			return err
		}
		v.try(v.keep("files-7-save-menu"))
		v.try(v.then("files-8-save", "Up", "Up", "Return"))
		if err := v.keys("ctrl+a"); err != nil {
			return err
		}
		if err := v.typed(there); err != nil {
			return err
		}
		if _, err := v.rest(); err != nil { // wait until the name is painted
			return err
		}
		v.try(v.then("files-9-save-over-"+there, "Return"))
	}
	return nil
}
