//go:build e2e && linux

package e2e

import (
	"testing"
	"time"
)

// What is changed in Settings holds at once, is written down, and is there at the next start.
func TestSettingsAreKept(t *testing.T) {
	d := newDesk(t)
	d.settings(nil)
	d.keychain(true)
	d.setKey()
	d.open()
	d.show("ctrl+4")
	d.keep("1-settings")

	d.press("2-what-may-leave", "Down")
	circles := d.shot.Boxes()
	if len(circles) < 6 {
		t.Fatalf("three choices of three are expected, %d circles can be chosen", len(circles))
	}
	d.tap(circles[0]) // files: sensitive
	waitFor(t, 10*time.Second, "the gate is kept", func() bool { return d.kept("gates.files") == "sensitive" })
	d.look()
	d.keep("3-files-sensitive")

	d.keys("shift+Tab", "shift+Tab") // wherever the keyboard is, back to the sections
	d.show("ctrl+1")
	d.show("ctrl+4")
	d.press("4-appearance", "Down", "Down", "Down")
	light := d.shot.Brightness()
	d.keys("Tab", "space", "Down", "Down", "Down", "Return")
	waitFor(t, 10*time.Second, "the appearance is kept", func() bool { return d.kept("appearance.theme") == "dark" })
	d.sees("5-dark", "the window is dark", 10*time.Second, func(s *Shot) bool { return s.Brightness() < light/2 })
	d.close()

	d.open(pictures(t)[0])
	d.keep("6-started-again")
	if d.shot.Brightness() > light/2 {
		t.Error("the window is light again")
	}
	time.Sleep(afterQuiet)
	d.nothingSent() // files are sensitive
	d.close()
}
