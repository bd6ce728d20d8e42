//go:build e2e && linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/client/store/storetest"
)

// many looks at a desk with folders of every kind, whose files wait, are kept, and are answered.
func (v *watchedVisit) many() error {
	watched, err := v.layOutMany()
	if err != nil {
		return err
	}
	if err := storetest.WatchFolders(v.ctx, filepath.Join(v.dir, "assay", "sandbox"), watched...); err != nil {
		return err
	}
	if err := v.start(v.pictures[0]); err != nil {
		return err
	}
	if _, err := v.app.Answers(v.ctx, 4, noticeLimit); err != nil {
		return err
	}
	wrong := []error{v.through(
		stop{"folders-many", []string{"ctrl+3", "Home", "j"}},
		stop{"folders-many-end", []string{"End"}},
		stop{"folders-paused-removed", []string{"Home", "p", "j", "j", "Delete"}},
		stop{"folders-change-trouble", []string{"u", "End", "Return"}},
		stop{"folders-change", []string{"Escape", "Home", "j", "j", "j", "Return"}},
		stop{"inbox-held", []string{"Escape", "ctrl+1", "Home"}},
		stop{"inbox-held-asks", []string{"x", "j", "x", "j", "x", "j", "x", "s"}},
		stop{"inbox-kept", []string{"Escape", "h", "Escape", "Home", "j", "j", "j", "j", "s", "j", "s"}},
		stop{"inbox-end", []string{"End"}},
		stop{"results-folders", []string{"ctrl+2", "slash", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "space",
			"Down", "Down", "Down", "Down", "Down", "Return"}},
	)}
	return errors.Join(append(wrong, v.app.Stop())...)
}

// layOutMany makes a dozen folders, some of which are in trouble.
func (v *watchedVisit) layOutMany() (all []storetest.Watched, err error) {
	long := "Satellite/" + strings.Repeat("pass of the evening over the northern sea and the coast, ", 3) + "as received"
	for _, f := range []struct {
		folder, settings string
		names            []string
		not              bool // there
	}{
		{folder: "Newsroom/Camera cards", settings: `{"gate":"ask","types":["IMAGE","VIDEO"],"subfolders":true}`, names: numbered("IMG_%04d.jpg", 38)},
		{folder: "Newsroom/Agency in", settings: `{"gate":"send","subfolders":true}`, names: []string{"harbour fire.jpg", "press call.jpg", "minister.png"}},
		{folder: "Sources/صور من الميدان", settings: `{"gate":"never","types":["IMAGE"],"subfolders":false}`, names: []string{"صورة من الميدان ١.jpg", "leak-p3.jpg"}},
		{folder: long, settings: `{"gate":"ask","types":["IMAGE"],"only":["*_full.*","S2A_*"],"skip":["*_small.*","Drafts"],"subfolders":true,"quietMilliseconds":30000,"moveTo":"` +
			filepath.Join(v.desktop.Dir, "home", "Done") + `"}`},
		{folder: "Shares/Foreign desk", settings: `{"gate":"ask","subfolders":true}`, not: true},
		{folder: "Downloads", settings: `{"gate":"ask","subfolders":false,"skip":["*.iso"]}`, names: []string{"WhatsApp Image 2026-04-12 at 17.45.01, forwarded many times, from the harbour.jpeg"}},
		{folder: "Messengers/Telegram Desktop", settings: `{"gate":"ask","subfolders":true,"paused":true}`},
		{folder: "Audio/Recorder", settings: `{"gate":"send","types":["AUDIO"],"subfolders":true}`},
		{folder: "Отдел/Фото дня", settings: `{"gate":"never","types":["IMAGE"],"subfolders":true}`},
		{folder: "写真部/受信", settings: `{"gate":"ask","types":["IMAGE","TEXT"],"subfolders":true}`},
		{folder: "Scans", settings: `{"gate":"what a later version may know","subfolders":true}`},
		{folder: "Wires, a file", settings: `{"gate":"ask","subfolders":true}`, not: true},
	} {
		path := filepath.Join(v.desktop.Dir, "home", f.folder)
		if !f.not {
			if _, err := v.lay(f.folder, f.names...); err != nil {
				return nil, err
			}
		}
		all = append(all, storetest.Watched{Path: path, Settings: f.settings})
	}
	if err := os.MkdirAll(filepath.Join(v.desktop.Dir, "home", "Done"), 0o700); err != nil {
		return nil, fmt.Errorf("folder for what is done: %w", err)
	}
	return all, os.WriteFile(all[len(all)-1].Path, []byte("not a folder"), 0o600)
}
