//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// fileManagerSettings reduce pcmanfm to menu, path and icons, so that the first file is at a known position.
const fileManagerSettings = `[ui]
win_width=420
win_height=360
maximized=0
side_pane_mode=hidden;places
view_mode=icon
show_hidden=0
sort=name;ascending;
toolbar=
show_statusbar=0
pathbar_mode_buttons=0
`

// librarySettings are for the file manager's own library: a program would be started for each thumbnail.
const librarySettings = `[ui]
show_thumbnail=0
`

// firstIcon is the middle of the first file's icon in the file manager's window.
var firstIcon = image.Pt(52, 88)

// FileManager is a window of pcmanfm that shows a folder.
type FileManager struct {
	*Window
}

// OpenFolder starts the file manager on a folder with at least one file, and waits until the first icon is painted.
func (d *Desktop) OpenFolder(ctx context.Context, folder string) (*FileManager, error) {
	for name, settings := range map[string]string{"pcmanfm/default/pcmanfm.conf": fileManagerSettings, "libfm/libfm.conf": librarySettings} {
		path := filepath.Join(d.Dir, "home", ".config", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("file manager: %w", err)
		}
		if err := os.WriteFile(path, []byte(settings), 0o600); err != nil {
			return nil, fmt.Errorf("file manager: %w", err)
		}
	}
	if _, err := d.Start("pcmanfm", "--no-desktop", folder); err != nil {
		return nil, err
	}
	window, err := d.Window(ctx, "--class", "pcmanfm")
	if err != nil {
		return nil, err
	}
	if err := window.Place(ctx, 0, 0, 420, 360); err != nil {
		return nil, err
	}
	err = Until(ctx, patience, "the file manager shows an icon", func() (bool, error) {
		shot, err := window.Settled(ctx)
		return err == nil && iconPainted(shot), err
	})
	return &FileManager{Window: window}, err
}

// iconPainted reports whether anything but the view's white is where the first icon belongs.
func iconPainted(shot *Shot) bool {
	white := color.RGBA{R: 255, G: 255, B: 255, A: 255}
	for y := firstIcon.Y - 8; y <= firstIcon.Y+8; y++ {
		for x := firstIcon.X - 8; x <= firstIcon.X+8; x++ {
			if shot.Pixels.RGBAAt(x, y) != white {
				return true
			}
		}
	}
	return false
}

// SelectAll selects every file in the folder.
func (f *FileManager) SelectAll(ctx context.Context) error {
	return f.Keys(ctx, "ctrl+a")
}

// DragTo drags what is selected, or else the first file, by the first icon, and drops it in another window. It moves like a hand, in small steps with
// pauses before and after, since the two programs exchange messages over the X server at every step.
func (f *FileManager) DragTo(ctx context.Context, target *Window, inside image.Point) error {
	to, err := target.onScreen(ctx, inside)
	if err != nil {
		return err
	}
	from, err := f.onScreen(ctx, firstIcon)
	if err != nil {
		return err
	}
	const steps = 12
	move := func(p image.Point) []string { return []string{"mousemove", strconv.Itoa(p.X), strconv.Itoa(p.Y)} }
	hand := []string{"sleep", "0.1", "mousedown", "1", "sleep", "0.15"}
	for step := 1; step <= steps; step++ {
		hand = append(hand, move(from.Add(to.Sub(from).Mul(step).Div(steps)))...)
		hand = append(hand, "sleep", "0.03")
	}
	hand = append(hand, move(to.Add(image.Pt(4, 3)))...)
	hand = append(hand, "sleep", "0.25", "mouseup", "1")
	_, err = f.desktop.Run(ctx, "xdotool", hand...)
	return err
}

// below is the position of the file manager's second window.
var below = image.Pt(0, 400)

// OpenBelow opens another window of the file manager below the first one, on a folder that may be empty. Call OpenFolder before.
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

// CopyAll copies every file in the folder to the clipboard.
func (f *FileManager) CopyAll(ctx context.Context) error { return f.Keys(ctx, "ctrl+a", "ctrl+c") }

// Paste pastes files from the clipboard into the folder.
func (f *FileManager) Paste(ctx context.Context) error { return f.Keys(ctx, "ctrl+v") }
