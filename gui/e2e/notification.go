//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// notificationSettings keep what is shown out of the way of the windows: in the lower left corner of the screen.
const notificationSettings = `[global]
    origin = bottom-left
    width = 380
    height = 60
    offset = 8x8
    idle_threshold = 0
    sort = no
`

// Notifications is the desktop's own program for notifications, which writes down what it is told.
type Notifications struct {
	*Process
}

// StartNotifications starts it, and waits until it serves on the session's bus.
func (d *Desktop) StartNotifications(ctx context.Context) (*Notifications, error) {
	settings := filepath.Join(d.Dir, "dunstrc")
	if err := os.WriteFile(settings, []byte(notificationSettings), 0o600); err != nil {
		return nil, fmt.Errorf("notifications: %w", err)
	}
	process, err := d.Start("dunst", "-print", "-config", settings)
	if err != nil {
		return nil, err
	}
	// Nothing is said to it yet: the bus would start another one if this one did not serve.
	err = Until(ctx, 20*time.Second, "notifications are taken", func() (bool, error) {
		answer, err := d.Run(ctx, "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
			"org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Notifications")
		return err == nil && strings.Contains(string(answer), "boolean true"), nil
	})
	return &Notifications{Process: process}, err
}

// Notification is one that was shown.
type Notification struct{ Program, Title, Text string }

// Shown are the notifications up to now, in their order.
func (n *Notifications) Shown() []Notification {
	var shown []Notification
	var next Notification
	for _, line := range n.Output.Lines() {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		value = strings.TrimSuffix(strings.TrimPrefix(value, "'"), "'")
		switch name {
		case "appname":
			next = Notification{Program: value}
		case "summary":
			next.Title = value
		case "body":
			next.Text = value
		}
		if line == "}" { // not indented: the end of one
			shown = append(shown, next)
		}
	}
	return shown
}
