package gui

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"assay/gui/present"
)

// openInPlayer opens a recording or a clip in the system's own player.
func (a *app) openInPlayer(kept *submissions, id string) {
	a.player.Do(func(ctx context.Context) func() {
		path, err := a.playable(ctx, kept, id)
		if err != nil {
			return func() { a.viewer.Say("It can't be opened. " + present.Problem(err)) }
		}
		return func() {
			if err := a.App.OpenURL(fileURL(path)); err != nil {
				a.viewer.Say("No program that opens it was found on this computer.")
				a.Log.Warn("open in the player", "error", err)
			}
		}
	})
}

// playable is the path of what was submitted, under a name that tells other programs what it is: the vault's copies have none. Such a
// copy is removed when the window closes.
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
	path = filepath.Join(folder, fileName(sub.Name))
	lent, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(lent, file)
	return path, errors.Join(err, lent.Close())
}

// lendFolder is where copies for other programs lie, for the user alone.
func (a *app) lendFolder() (string, error) {
	a.lending.Lock()
	defer a.lending.Unlock()
	if a.lent != "" {
		return a.lent, nil
	}
	var err error
	a.lent, err = os.MkdirTemp("", "assay-")
	return a.lent, err
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

// fileName is a name that every system takes for a file in a folder: letters, digits and a few marks stay.
func fileName(name string) string {
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
	return "copy-" + safe
}

func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter comes first on Windows
	}
	return &url.URL{Scheme: "file", Path: path}
}
