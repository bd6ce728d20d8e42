package gui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// trayOnUI says that the tray is called on the UI thread. Here it speaks over a bus, and may have to wait.
const trayOnUI = false

// trayWait is how long the desktop may take to say whether it shows icons.
const trayWait = time.Second

// hasTray asks the desktop whether anything shows the icons of programs.
func hasTray(ctx context.Context) bool {
	if !hasBus() {
		return false // the library would start one
	}
	ctx, cancel := context.WithTimeout(ctx, trayWait)
	defer cancel()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close() //nolint:errcheck // only asked
	var shown dbus.Variant
	err = bus.Object("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher").CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
		"org.kde.StatusNotifierWatcher", "IsStatusNotifierHostRegistered").Store(&shown)
	is, ok := shown.Value().(bool)
	return err == nil && ok && is
}

// hasBus reports whether the session has a bus already.
func hasBus() bool {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return !strings.HasPrefix(address, "autolaunch:")
	}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" {
		_, err := os.Stat(filepath.Join(runtime, "bus"))
		return err == nil
	}
	return false
}

// trayImage is a picture as the tray takes it.
func trayImage(png []byte) []byte { return png }
