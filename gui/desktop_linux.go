package gui

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"

	"assay/client/portal"
)

// trayWait is how long the desktop may take to say whether it shows tray icons.
const trayWait = time.Second

// hasTray asks the desktop whether anything shows tray icons.
func hasTray(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, trayWait)
	defer cancel()
	bus, err := portal.Connect(ctx)
	if err != nil {
		return false
	}
	defer bus.Close() //nolint:errcheck // only read from
	var shown dbus.Variant
	err = bus.Object("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher").CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
		"org.kde.StatusNotifierWatcher", "IsStatusNotifierHostRegistered").Store(&shown)
	is, ok := shown.Value().(bool)
	return err == nil && ok && is
}
