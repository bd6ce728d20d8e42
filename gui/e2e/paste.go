//go:build e2e && linux

package e2e

import (
	"context"
	"image"
	"path/filepath"
	"regexp"
)

// below is where a second window of the file manager lies.
var below = image.Pt(0, 400)

// OpenBelow opens a further window of the file manager on a folder, which may be empty, below the first one. OpenFolder comes before.
func (d *Desktop) OpenBelow(ctx context.Context, folder string) (*FileManager, error) {
	if _, err := d.Start("pcmanfm", "--no-desktop", "--new-win", folder); err != nil {
		return nil, err
	}
	window, err := d.Window(ctx, "--name", "^"+regexp.QuoteMeta(filepath.Base(folder))+"$")
	if err != nil {
		return nil, err
	}
	if err := window.Place(ctx, below.X, below.Y, 420, 360); err != nil {
		return nil, err
	}
	_, err = window.Settled(ctx)
	return &FileManager{Window: window}, err
}

// CopyAll copies every file in the folder, to be pasted elsewhere.
func (f *FileManager) CopyAll(ctx context.Context) error { return f.Keys(ctx, "ctrl+a", "ctrl+c") }

// Paste pastes what was copied into the folder.
func (f *FileManager) Paste(ctx context.Context) error { return f.Keys(ctx, "ctrl+v") }
