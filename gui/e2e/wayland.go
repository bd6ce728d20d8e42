//go:build e2e && linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// WaylandDesktop is a desktop of Wayland: a compositor with a screen in memory alone, hands, and an X server for programs that need one. On it,
// Start and Run do not name that X server, so that what they start has Wayland and nothing else.
type WaylandDesktop struct {
	*Desktop
	hands   *waylandHands
	runtime string // the folder of sockets
}

// swayConfig is a screen without a bar, on which windows float. The last line tells the sockets' names to startAnswering.
const swayConfig = `output HEADLESS-1 resolution %dx%d
xwayland enable
for_window [app_id=".*"] floating enable
focus_on_window_activation urgent
exec echo "$WAYLAND_DISPLAY $DISPLAY" >&3
`

// StartWaylandDesktop starts the compositor with a screen of width × height pixels, and the session bus, and waits until both are ready.
func StartWaylandDesktop(ctx context.Context, dir, shots string, width, height int) (desktop *WaylandDesktop, err error) {
	d := &WaylandDesktop{Desktop: &Desktop{Dir: dir, Shots: shots}}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := d.makeHome(); err != nil {
		return nil, err
	}
	if d.runtime, err = os.MkdirTemp("", "wayland"); err != nil { // short, as sockets' paths have to be
		return nil, fmt.Errorf("folder of sockets: %w", err)
	}
	config := filepath.Join(d.runtime, "sway.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, swayConfig, width, height), 0o600); err != nil {
		return nil, fmt.Errorf("compositor: %w", err)
	}
	sway, err := d.withoutRights("sway", "--config", config)
	if err != nil {
		return nil, err
	}
	d.environment = overlay(d.environment, []string{"XDG_RUNTIME_DIR=" + d.runtime, "SWAYSOCK=" + filepath.Join(d.runtime, "sway.sock"),
		"WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman"})
	bus, err := d.startBus(ctx)
	if err != nil {
		return nil, err
	}
	d.environment = append(d.environment, "DBUS_SESSION_BUS_ADDRESS="+bus)
	names, err := d.startAnswering(ctx, sway[0], sway[1:]...)
	if err != nil {
		return nil, err
	}
	wayland, display, _ := strings.Cut(names, " ")
	d.display = display
	d.environment = append(d.environment, "WAYLAND_DISPLAY="+wayland)
	d.hands, err = takeHands(ctx, filepath.Join(d.runtime, wayland), image.Pt(width, height))
	return d, err
}

// Close ends all programs and removes what they left.
func (d *WaylandDesktop) Close() error {
	var err error
	if d.hands != nil {
		err = d.hands.Close()
	}
	return errors.Join(err, d.Desktop.Close(), os.RemoveAll(d.runtime))
}

// withoutRights is the command line of the compositor, which refuses to run as root: where the test does, it is run as a user without rights, who gets the
// folder of sockets.
func (d *WaylandDesktop) withoutRights(words ...string) ([]string, error) {
	if os.Getuid() != 0 {
		return words, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("user without rights: %w", err)
	}
	uid, err := strconv.Atoi(nobody.Uid)
	err = errors.Join(err, os.Chown(d.runtime, uid, -1), os.Chown(filepath.Join(d.runtime, "sway.conf"), uid, -1))
	return append([]string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups", "--pdeathsig=TERM", "--"}, words...), err
}

// fileManager is the ID of the file manager's windows on Wayland.
const fileManager = "thunar"

// OpenFolder starts a file manager of Wayland on a folder with one file, in the upper left corner of the screen, waits until the file's icon is painted, and
// returns where that is on the screen.
func (d *WaylandDesktop) OpenFolder(ctx context.Context, folder string) (icon image.Point, err error) {
	if _, err := d.Start("thunar", folder); err != nil {
		return icon, err
	}
	ofFileManager := func(w WaylandWindow) bool { return w.AppID == fileManager }
	if _, err = d.Find(ctx, "the file manager has a window", ofFileManager); err != nil {
		return icon, err
	}
	if err := d.Tell(ctx, "[app_id="+fileManager+"] resize set 420 360, move absolute position 0 0"); err != nil {
		return icon, err
	}
	err = Until(ctx, patience, "the file manager shows an icon", func() (bool, error) {
		window, err := d.Find(ctx, "the file manager has a window", ofFileManager)
		if err != nil || window.Inside.Min.X > 10 {
			return false, err
		}
		shot, err := d.ShotOf(ctx, window.Inside)
		if err != nil {
			return false, err
		}
		for _, patch := range shot.shaped(notSurface, func(p Patch) bool {
			return p.Min.X > window.Inside.Dx()/3 && off(p.Dx(), 54) <= 16 && off(p.Dy(), 40) <= 16
		}) {
			icon = window.Inside.Min.Add(patch.Min.Add(patch.Max).Div(2))
			return true, nil
		}
		return false, nil
	})
	return icon, err
}

// WaylandWindow is a window as the compositor knows it.
type WaylandWindow struct {
	AppID           string // "" for one of X11
	Focused, Urgent bool   // urgent: it wants to be looked at
	Inside          image.Rectangle
}

// node is a part of what the compositor says about its windows.
type node struct {
	Pid             int    `json:"pid"`
	AppID           string `json:"app_id"`
	Focused, Urgent bool
	Rect            struct{ X, Y, Width, Height int }
	WindowRect      struct{ X, Y, Width, Height int } `json:"window_rect"`
	Nodes           []node
	FloatingNodes   []node `json:"floating_nodes"`
}

// All are the windows on the screen.
func (d *WaylandDesktop) All(ctx context.Context) ([]WaylandWindow, error) {
	said, err := d.Run(ctx, "swaymsg", "--raw", "--type", "get_tree")
	if err != nil {
		return nil, err
	}
	var tree node
	if err := json.Unmarshal(said, &tree); err != nil {
		return nil, fmt.Errorf("the compositor's windows: %w", err)
	}
	var all []WaylandWindow
	var walk func(n node)
	walk = func(n node) {
		if n.Pid != 0 {
			at := image.Pt(n.Rect.X+n.WindowRect.X, n.Rect.Y+n.WindowRect.Y)
			all = append(all, WaylandWindow{AppID: n.AppID, Focused: n.Focused, Urgent: n.Urgent,
				Inside: image.Rectangle{Min: at, Max: at.Add(image.Pt(n.WindowRect.Width, n.WindowRect.Height))}})
		}
		for _, below := range append(n.Nodes, n.FloatingNodes...) {
			walk(below)
		}
	}
	walk(tree)
	return all, nil
}

// Find waits for a window that is as wanted.
func (d *WaylandDesktop) Find(ctx context.Context, what string, wanted func(WaylandWindow) bool) (found WaylandWindow, err error) {
	err = Until(ctx, patience, what, func() (bool, error) {
		all, err := d.All(ctx)
		for _, window := range all {
			if wanted(window) {
				found = window
				return true, nil
			}
		}
		return false, err
	})
	return found, err
}

// Tell has the compositor do something.
func (d *WaylandDesktop) Tell(ctx context.Context, command string) error {
	_, err := d.Run(ctx, "swaymsg", "--quiet", command)
	return err
}

// ShotOf takes a picture of a part of the screen.
func (d *WaylandDesktop) ShotOf(ctx context.Context, area image.Rectangle) (*Shot, error) {
	encoded, err := d.Run(ctx, "grim", "-l", "1", "-g", fmt.Sprintf("%d,%d %dx%d", area.Min.X, area.Min.Y, area.Dx(), area.Dy()), "-")
	if err != nil {
		return nil, err
	}
	return decodeShot(bytes.NewReader(encoded))
}
