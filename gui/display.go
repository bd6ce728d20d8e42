package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
)

// The display systems that a window can be on, by the words of logs.Facts.
const (
	onX11     = "x11"
	onWayland = "wayland"
	onWindows = "windows"
	onMacOS   = "macos"
	onNone    = "none" // a test's
)

// displayOf names the display system that a window is on. The environment does not tell: it often names two.
func displayOf(w fyne.Window) string {
	on := onNone
	if native, ok := w.(driver.NativeWindow); ok {
		native.RunNative(func(window any) {
			switch window.(type) {
			case driver.X11WindowContext:
				on = onX11
			case driver.WaylandWindowContext:
				on = onWayland
			case driver.WindowsWindowContext:
				on = onWindows
			case driver.MacWindowContext:
				on = onMacOS
			}
		})
	}
	return on
}
