package gui

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/updates"
	"assay/gui/cases"
	"assay/gui/present"
)

// openWithSystem opens a file or folder of this computer with the system's program for it. It may wait for that program.
func (a *app) openWithSystem(path string) error { return a.App.OpenURL(fileURL(path)) }

// openPage opens one of the pages on which a person looks for what is known elsewhere, in their browser. Its address is fixed: nothing of a case is in it.
func (a *app) openPage(page cases.Page, then func(problem string)) { a.openInBrowser(page.URL, then) }

// openUpdatePage opens the page about a newer version, in the person's browser: it is on the host that is linked into this program.
func (a *app) openUpdatePage(latest updates.Latest) {
	a.openInBrowser(latest.Page, func(problem string) {
		if problem != "" {
			a.sayInFront(problem)
		}
	})
}

func (a *app) openInBrowser(page string, then func(problem string)) {
	a.player.Do(func(context.Context) func() {
		address, err := url.Parse(page)
		if err == nil {
			err = a.App.OpenURL(address)
		}
		if err != nil {
			a.Log.Warn("open a page in the browser", "error", err)
			return func() { then(i18n.T("No browser was found on this computer.")) }
		}
		return func() { then("") }
	})
}

// openInPlayer opens a recording or a clip in the system's own player.
func (a *app) openInPlayer(kept *submissions, id string) {
	a.player.Do(func(ctx context.Context) func() {
		path, err := a.playable(ctx, kept, id)
		if err != nil {
			return func() { a.viewer.Say(i18n.F("The file can't be opened. %s", present.Problem(err))) }
		}
		if err := a.openWithSystem(path); err != nil {
			a.Log.Warn("open in the player", "error", err)
			return func() { a.viewer.Say(i18n.T("This computer has no program that opens this file.")) }
		}
		return nil
	})
}

// openInFiles opens a folder in the system's file manager.
func (a *app) openInFiles(path string) {
	a.lookers.Do(func(context.Context) func() {
		if err := a.openWithSystem(path); err != nil {
			a.Log.Warn("open a folder", "error", err)
			return func() { a.sayInFront(i18n.T("No program that shows folders was found on this computer.")) }
		}
		return nil
	})
}

// playable is the path of the submitted file under a name that tells other programs its type: the vault's files have no such name, so that a copy is
// made, and removed when the window closes.
func (a *app) playable(ctx context.Context, kept *submissions, id string) (path string, err error) {
	file, err := kept.OpenOriginal(ctx, id)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read from
	if filepath.Ext(file.Name()) != "" {
		return file.Name(), nil
	}
	sub, err := kept.get(ctx, id)
	if err != nil {
		return "", err
	}
	lending, err := a.lendFolder()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(lending, "")
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, fileName(sub.Name, sub.Type))
	lent, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(lent, file)
	return path, errors.Join(err, lent.Close())
}

// lendFolder is the folder of copies for other programs, for the user alone.
func (a *app) lendFolder() (string, error) {
	a.lending.Lock()
	defer a.lending.Unlock()
	if a.lent != "" {
		return a.lent, nil
	}
	folder, err := a.LentFolder(), error(nil)
	if folder == "" {
		folder, err = os.MkdirTemp("", "assay-")
	} else {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		a.lent = folder
	}
	return folder, err
}

// takeBackEarlier removes the copies of a run that was killed.
func (a *app) takeBackEarlier() {
	a.lending.Lock()
	defer a.lending.Unlock()
	if a.LentFolder() == "" || a.lent != "" {
		return
	}
	if err := os.RemoveAll(a.LentFolder()); err != nil {
		a.Log.Warn("remove copies that an earlier run made for other programs", "error", err)
	}
}

// takeBack removes the copies that were made for other programs.
func (a *app) takeBack() {
	a.lending.Lock()
	defer a.lending.Unlock()
	if a.lent == "" {
		return
	}
	if err := os.RemoveAll(a.lent); err != nil {
		a.Log.Warn("remove copies made for other programs", "error", err)
	}
}

// fileName is a name that every system takes for that of a file in a folder: only letters, digits and a few marks stay. The name comes from the
// service, or from a link: only an extension of the kind itself stays the last one, so that the system opens the file in a player and never runs it.
func fileName(name string, kind client.MediaType) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
	const longest = 100
	if len(safe) > longest {
		safe = safe[len(safe)-longest:] // the extension stays
	}
	if t, known := media.TypeOf(safe); !known || t != kind {
		extension := ".mp4"
		if kind == client.Audio {
			extension = ".mp3"
		}
		safe += extension
	}
	return "copy-" + safe
}

func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter comes first on Windows
	}
	return &url.URL{Scheme: "file", Path: path}
}
