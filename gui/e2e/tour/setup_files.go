//go:build e2e && linux

package main

import (
	"image"
	"path/filepath"
	"slices"

	"assay/gui/e2e"
)

// fileDialogs shows the toolkit's dialogs for files, which open where the desktop has none of its own. Each is as large as its window was
// when it opened, so it opens anew at each size.
func (v *setupVisit) fileDialogs() error {
	home := filepath.Join(v.desktop.Dir, "home")
	for _, folder := range []string{"Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos", "Agency in"} {
		w := &deskWriter{folder: filepath.Join(home, folder), pictures: v.pictures}
		if w.copies("DSC00412.jpg"); w.err != nil {
			return w.err
		}
	}
	w := &deskWriter{folder: home, pictures: v.pictures}
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

// choosing opens each dialog that asks for a file or a folder, and what opens over one.
func (v *setupVisit) choosing(options e2e.Options) error {
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
	if err := v.section(8); err != nil {
		return err
	}
	if err := v.keys(tabs(2)...); err != nil {
		return err
	}
	return v.then("files-6-certificates", "space")
}

// saving opens the dialog that saves a picture with its heatmap, and has it told the name of a file and of a folder that are there.
func (v *setupVisit) saving(options e2e.Options) error {
	for _, there := range []string{"mountains.jpg", "Pictures"} {
		if err := v.open(options); err != nil {
			return err
		}
		if err := v.keys("ctrl+2", "Home"); err != nil {
			return err
		}
		if _, err := (&viewing{look: v.look, desktop: v.desktop, window: v.app.Window}).settled(v.ctx); err != nil { // it shows something by now
			return err
		}
		if err := v.keys(append([]string{"2"}, tabs(24)...)...); err != nil {
			return err
		}
		v.try(v.then("files-7-save-menu", "space"))
		v.try(v.then("files-8-save", "Down", "Down", "Down", "Down", "Return"))
		if err := v.keys("ctrl+a"); err != nil {
			return err
		}
		if err := v.typed(there); err != nil {
			return err
		}
		if _, err := v.rest(); err != nil { // the name is painted by now
			return err
		}
		v.try(v.then("files-9-save-over-"+there, "Return"))
	}
	return nil
}
