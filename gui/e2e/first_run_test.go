//go:build e2e && linux

package e2e

import (
	"image"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

// Whoever starts Assay first sets it up in its window, with a real keychain, and never does so again.
func TestTheFirstRun(t *testing.T) {
	d := setupConfigured(t)
	keychain := d.keychain(true)
	d.open()
	d.keep("1-first-run")
	d.fillIn(d.wire.URL(), d.service.Key)
	d.keep("2-filled-in")
	if d.wire.Joined() > 0 {
		t.Error("the service was called before anybody asked for it")
	}

	tests, _ := d.outlined()
	d.tap(tests)
	d.sees("3-tested", "the connection was tested", patience, func(*Shot) bool { return d.wire.Joined() > 0 })
	if key := keychain.Key(t.Context(), d.wire.URL()); key != "" {
		t.Error("a key was kept for a test")
	}
	d.tap(d.continues())
	waitFor(t, patience, "the key is in the keychain", func() bool { return keychain.Key(t.Context(), d.wire.URL()) == d.service.Key })
	waitFor(t, patience, "the settings are kept", func() bool { return d.kept("service.use") == "service" })
	d.sees("4-inbox", "the inbox is there", patience, func(s *Shot) bool { return len(s.FolderIcons()) == 0 && inboxEmpty(s) })

	second := d.options
	second.Files = []string{pictures(t)[0]}
	handOver(t, d.desktop, second)
	d.answers(filepath.Base(pictures(t)[0]))
	d.look()
	d.keep("5-answered")
	d.secretNowhere()

	t.Run("the next start goes by what was set up", func(t *testing.T) {
		d := d.in(t)
		d.open(pictures(t)[1])
		d.answers(filepath.Base(pictures(t)[1]))
		d.secretNowhere()
	})
	t.Run("a scan without a window does, too", func(t *testing.T) {
		options := d.options
		options.Files = []string{pictures(t)[2]}
		process, err := d.desktop.Launch(options, "scan")
		assert.NoError(t, err)
		if code, err := process.Wait(answerLimit); err != nil || code != 0 {
			t.Fatalf("%v, exit code %d: %s%s", err, code, process.Output, process.Errors)
		}
		namesAnswered(t, process.Output.Lines())
	})
}

// Files may come before Assay is set up, and are taken once it is: here by one click, in the sandbox.
func TestTheFirstRunInTheSandbox(t *testing.T) {
	d := setupConfigured(t)
	d.open(pictures(t)[0])
	d.keep("1-first-run")
	second := d.options
	second.Files = []string{pictures(t)[1]}
	handOver(t, d.desktop, second)
	d.sees("2-handed-over", "it says that files wait", patience, func(*Shot) bool { return true })
	_, sandbox := d.outlined()
	d.tap(sandbox)
	d.answers(filepath.Base(pictures(t)[0]), filepath.Base(pictures(t)[1]))
	d.look()
	d.keep("3-answered")
	if d.wire.Joined() > 0 {
		t.Error("the service was called")
	}
	d.close()
}

// continues is the first run's button that goes on.
func (d *fixture) continues() image.Rectangle {
	d.t.Helper()
	buttons := d.shot.Primary()
	if len(buttons) == 0 {
		d.t.Fatal("there is no button to go on")
	}
	return buttons[len(buttons)-1]
}

// outlined are the first run's buttons that test the connection, at the left, and begin with the sandbox, at the right.
func (d *fixture) outlined() (tests, sandbox image.Rectangle) {
	d.t.Helper()
	buttons := d.shot.Outlined()
	if len(buttons) < 2 {
		d.t.Fatalf("%d buttons with an outline", len(buttons))
	}
	tests, sandbox = buttons[0], buttons[0]
	for _, button := range buttons {
		if button.Min.X < tests.Min.X {
			tests = button
		}
		if button.Min.X > sandbox.Min.X {
			sandbox = button
		}
	}
	return tests, sandbox
}

// inboxEmpty reports whether the window shows the inbox with nothing in it: the button that chooses files is the only filled one, in the middle.
func inboxEmpty(s *Shot) bool {
	buttons := s.Primary()
	return len(buttons) == 1 && buttons[0].Max.X < 800 && buttons[0].Min.X > 300
}

// What is changed in Settings holds at once, is written down, and is there at the next start.
func TestSettingsAreKept(t *testing.T) {
	d := setupConfigured(t)
	d.settings(nil)
	d.keychain(true)
	d.setKey()
	d.open()
	d.show("ctrl+5")
	d.keep("1-settings")

	d.press("2-what-may-leave", "Down")
	circles := d.shot.Boxes()
	if len(circles) < 6 {
		t.Fatalf("three choices of three are expected, %d circles can be chosen", len(circles))
	}
	d.tap(circles[0]) // files: sensitive
	waitFor(t, patience, "the gate is kept", func() bool { return d.kept("gates.files") == "sensitive" })
	d.look()
	d.keep("3-files-sensitive")

	d.keys("shift+Tab", "shift+Tab") // wherever the keyboard is, back to the sections
	d.show("ctrl+1")
	d.show("ctrl+5")
	d.press("4-appearance", "Down")
	light := d.shot.Brightness()
	d.keys("Tab", "space", "Down", "Down", "Down", "Return")
	waitFor(t, patience, "the appearance is kept", func() bool { return d.kept("appearance.theme") == "dark" })
	d.sees("5-dark", "the window is dark", patience, func(s *Shot) bool { return s.Brightness() < light/2 })
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
