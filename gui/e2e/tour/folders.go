//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/client/store/storetest"
	"assay/gui/e2e"
	"assay/gui/screens"
)

// visitFolders shows how folders are added and how a list of many looks. Adding is shown in one size for each look, since keys scroll the screen: the
// larger one in the first look.
func visitFolders(ctx context.Context, looks []look, pictures []string) error {
	var wrong []error
	for i, l := range looks {
		one, at := l, 0
		if i == 0 {
			at = len(l.sizes) - 1
		}
		one.sizes = l.sizes[at : at+1]
		for _, part := range []struct {
			look look
			walk func(*visit) error
		}{{one, (*visit).addFolders}, {l, (*visit).manyFolders}} {
			if err := (&visit{look: part.look, ctx: ctx, pictures: pictures}).run(part.walk); err != nil && ctx.Err() == nil {
				wrong = append(wrong, fmt.Errorf("%s at scale %g: %w", l.theme, l.scale, err))
			}
		}
	}
	return errors.Join(append(wrong, ctx.Err())...)
}

// noticeLimit is how long Assay may take to detect files in a folder.
const noticeLimit = 30 * time.Second

// openSandbox starts Assay in the look's home. Notifications are off, since they would cover its window.
func (v *visit) openSandbox(files ...string) (err error) {
	if _, err := v.desktop.StartNotifications(v.ctx); err != nil {
		return err
	}
	if _, err := v.desktop.Run(v.ctx, "dunstctl", "set-paused", "true"); err != nil {
		return err
	}
	v.still = true
	home := filepath.Join(v.dir, "assay")
	if err := v.settle(home, nil); err != nil {
		return err
	}
	v.app, err = v.desktop.StartAssay(v.ctx, v.options(e2e.Options{Home: home, Files: files}))
	return err
}

// through goes from stop to stop. Each stop must look different from the last, for which it waits: counting files on a disk takes longer than a key.
func (v *visit) through(stops ...stop) error {
	if err := v.app.Window.Activate(v.ctx); err != nil {
		return err
	}
	for _, at := range stops {
		keep := v.keep
		if len(at.keys) > 0 {
			keep = func(screen string) error { return v.then(screen, at.keys...) }
		}
		if err := keep(at.screen); err != nil {
			return err
		}
	}
	return nil
}

// lay writes pictures, each with different content, into a folder below the desktop's home.
func (v *visit) lay(folder string, names ...string) (path string, err error) {
	path = filepath.Join(v.desktop.Dir, "home", folder)
	w := &fileWriter{folder: path, pictures: v.pictures, copied: len(folder)}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("folder to watch: %w", err)
	}
	w.copies(names...)
	return path, w.err
}

// numbered returns file names as a camera makes them.
func numbered(pattern string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf(pattern, 412+i))
	}
	return names
}

// addFolders adds folders by dropping them on the window, and fills in the card by keys.
func (v *visit) addFolders() error {
	const from, camera = "Newsroom/Agency in", "Cards/Camera"
	for folder, names := range map[string][]string{from: numbered("DSC%05d.jpg", 42), camera + "/Card 1": {"IMG_0001.jpg"}} {
		if _, err := v.lay(folder, names...); err != nil {
			return err
		}
	}
	home := filepath.Join(v.desktop.Dir, "home")
	if err := os.Rename(filepath.Join(home, camera, "Card 1", "IMG_0001.jpg"), filepath.Join(home, "later.jpg")); err != nil {
		return fmt.Errorf("keep a picture for later: %w", err)
	}
	files, err := v.desktop.OpenFolder(v.ctx, filepath.Join(home, "Newsroom"))
	if err != nil {
		return err
	}
	if err := v.openSandbox(); err != nil {
		return err
	}
	if err := v.through(stop{"folders-empty", []string{keyTo(screens.Folders)}}); err != nil {
		return err
	}
	if err := v.drop(files); err != nil {
		return err
	}
	wrong := []error{v.through(
		stop{screen: "folders-add"},
		stop{"folders-add-choosing", []string{"Down", "Down", "Tab", "space", "space", "Down", "Down", "space"}},
		stop{"folders-add-chosen", []string{"Escape"}},
		stop{"folders-add-sends", []string{"Tab", "Down"}},
		stop{"folders-add-more", []string{"Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "space"}},
		stop{"folders-add-pattern-refused", []string{"Tab", "bracketleft", "a"}},
	)}
	if err := v.app.Window.Keys(v.ctx, "Escape"); err != nil {
		return errors.Join(append(wrong, err)...)
	}

	// An empty folder, which is then watched.
	if files, err = v.desktop.OpenBelow(v.ctx, filepath.Join(home, "Cards")); err == nil {
		err = v.drop(files)
	}
	if err != nil {
		return errors.Join(append(wrong, err)...)
	}
	wrong = append(wrong, v.through(
		stop{screen: "folders-add-fresh"},
		stop{"folders-one", []string{"Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "space"}},
	))

	// A subfolder of it, which can't be watched.
	if files, err = v.desktop.OpenBelow(v.ctx, filepath.Join(home, camera)); err == nil {
		err = v.drop(files)
	}
	if err != nil {
		return errors.Join(append(wrong, err)...)
	}
	wrong = append(wrong, v.through(stop{screen: "folders-add-inside-another"}), v.app.Window.Keys(v.ctx, "Escape"))

	// Files arrive.
	before, err := v.app.Window.SettledBut(v.ctx, restless)
	if err != nil {
		return errors.Join(append(wrong, err)...)
	}
	if err := os.Rename(filepath.Join(home, "later.jpg"), filepath.Join(home, camera, "Card 1", "IMG_0001.jpg")); err != nil {
		return errors.Join(append(wrong, fmt.Errorf("put a picture into a watched folder: %w", err))...)
	}
	if _, err := v.app.Window.Differs(v.ctx, before, 0.0005); err != nil {
		return errors.Join(append(wrong, err)...)
	}
	wrong = append(wrong, v.through(
		stop{screen: "folders-one-holds"},
		stop{"folders-keys", []string{"question"}},
		stop{"inbox-held-one", []string{"Escape", keyTo(screens.Inbox)}},
	))
	return errors.Join(wrong...)
}

// drop drags the first folder in the file manager into the window, and waits for its card.
func (v *visit) drop(files *e2e.FileManager) error {
	before, err := v.app.Window.SettledBut(v.ctx, restless)
	if err == nil {
		err = files.Activate(v.ctx)
	}
	if err == nil {
		err = files.DragTo(v.ctx, v.app.Window, image.Pt(v.pixels(600), v.pixels(430)))
	}
	if err == nil {
		err = v.app.Window.Activate(v.ctx)
	}
	if err == nil {
		_, err = v.app.Window.Differs(v.ctx, before, 0.02)
	}
	return err
}

// manyFolders shows an inbox with folders of every kind, whose files wait, are kept, and are answered.
func (v *visit) manyFolders() error {
	watched, err := v.writeManyFolders()
	if err != nil {
		return err
	}
	if err := storetest.WatchFolders(v.ctx, filepath.Join(v.dir, "assay", "sandbox"), watched...); err != nil {
		return err
	}
	if err := v.openSandbox(v.pictures[0]); err != nil {
		return err
	}
	if _, err := v.app.Answers(v.ctx, 4, noticeLimit); err != nil {
		return err
	}
	wrong := []error{v.through(
		stop{"folders-many", []string{keyTo(screens.Folders), "Home", "j"}},
		stop{"folders-many-end", []string{"End"}},
		stop{"folders-paused-removed", []string{"Home", "ctrl+p", "j", "j", "ctrl+Delete"}},
		stop{"folders-change-trouble", []string{"u", "End", "Return"}},
		stop{"folders-change", []string{"Escape", "Home", "j", "j", "j", "Return"}},
		stop{"inbox-held", []string{"Escape", keyTo(screens.Inbox), "Home"}},
		stop{"inbox-held-asks", []string{"x", "j", "x", "j", "x", "j", "x", "s"}},
		stop{"inbox-kept", []string{"Escape", "h", "Escape", "Home", "j", "j", "j", "j", "s", "j", "s"}},
		stop{"inbox-end", []string{"Escape", "End"}}, // the sheet is open
		stop{"results-folders", []string{keyTo(screens.Results), "slash", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "space",
			"Down", "Down", "Down", "Down", "Down", "Return"}},
	)}
	return errors.Join(wrong...)
}

// writeManyFolders makes a dozen folders, some of which have problems.
func (v *visit) writeManyFolders() (all []storetest.Watched, err error) {
	long := "Satellite/" + strings.Repeat("pass of the evening over the northern sea and the coast, ", 3) + "as received"
	for _, f := range []struct {
		folder, settings string
		names            []string
		not              bool // whether it does not exist
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
