//go:build e2e && linux

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

// Killed at any point, Assay goes on by itself when it is started again, and the service gets each file once.
func TestKilledItGoesOnAtTheNextStart(t *testing.T) {
	t.Run("while it asks for an address", func(t *testing.T) {
		u := startUploading(t, 0, "--fault", "upload-url:stall@1-2,for=60s", "--log-level", "info")
		waitFor(t, patience, "two addresses are asked for", func() bool {
			return strings.Count(u.service.Errors.String(), "effect=stall") == 2
		})
		if arrived := u.submissions(); len(arrived) > 0 {
			t.Fatalf("too late: %d uploads have arrived", len(arrived))
		}
		u.kill()
		u.wire.SetRate(0)
		u.startAgain()
		u.allAnsweredOnce()
	})
	t.Run("in the middle of a body", func(t *testing.T) {
		u := startUploading(t, slowRate)
		u.awaitBody()
		keepNow(t, u.desktop, u.app.Window, "before the kill")
		u.kill()
		u.wire.SetRate(0)
		u.startAgain()
		u.allAnsweredOnce()
	})
	t.Run("after a body, before its answer", func(t *testing.T) {
		u := startUploading(t, slowRate)
		u.awaitBody()
		u.wire.HoldAnswers()
		u.wire.SetRate(0)
		waitFor(t, patience, "the service has a file", func() bool { return len(u.submissions()) > 0 })
		u.kill()
		u.wire.SetRate(0)
		u.startAgain()
		u.allAnsweredOnce()
	})
	t.Run("during the analysis", func(t *testing.T) {
		u := startUploading(t, 0, "--latency", "1s")
		waitFor(t, patience, "the service has every file", func() bool { return len(u.submissions()) == len(u.names) })
		u.kill()
		u.wire.SetRate(0)
		u.startAgain()
		u.allAnsweredOnce()
	})
	t.Run("and killed again at once", func(t *testing.T) {
		u := startUploading(t, slowRate)
		u.awaitBody()
		for range 2 {
			u.kill()
			u.wire.SetRate(slowRate / 8) // so that nothing is answered before the next kill, however long the window takes to open
			u.startAgain()
		}
		u.wire.SetRate(0)
		u.allAnsweredOnce()
	})
}

// A process that stands still, as under a laptop's closed lid, goes on where it was.
func TestStoppedItGoesOnWhenItWakes(t *testing.T) {
	const asleep = 5 * time.Second
	stop := func(t *testing.T, u *fixture) {
		t.Helper()
		assert.NoError(t, u.app.Signal(syscall.SIGSTOP))
		// Whatever comes, it must be able to end.
		t.Cleanup(func() { _ = u.app.Signal(syscall.SIGCONT) })
	}
	wake := func(t *testing.T, u *fixture) {
		t.Helper()
		time.Sleep(asleep)
		u.wire.SetRate(0)
		assert.NoError(t, u.app.Signal(syscall.SIGCONT))
	}
	t.Run("with its connections", func(t *testing.T) {
		u := startUploading(t, slowRate)
		u.awaitBody()
		stop(t, u)
		wake(t, u)
		u.allAnsweredOnce()
	})
	t.Run("without them", func(t *testing.T) {
		u := startUploading(t, slowRate)
		u.awaitBody()
		stop(t, u)
		assert.NoError(t, u.wire.Cut())
		assert.NoError(t, u.wire.Mend(t.Context()))
		wake(t, u)
		u.allAnsweredOnce()
	})
}

// Where the service goes in mid-upload, the window says so, and goes on once it is back.
func TestWithoutTheServiceItWaits(t *testing.T) {
	u := startUploading(t, slowRate)
	u.awaitBody()
	sending := keepNow(t, u.desktop, u.app.Window, "sending")
	assert.NoError(t, u.service.Kill())
	assert.NoError(t, u.wire.Cut())
	// A notice moves all below it, which progress does not.
	if _, err := u.app.Window.Differs(t.Context(), sending, 0.02); err != nil {
		t.Error("nothing shows that the service is gone:", err)
	}
	keep(t, u.desktop, u.app.Window, "the service is gone")
	if lines := u.app.Output.Lines(); len(lines) > 0 {
		t.Errorf("want no word about a file yet, got %q", lines)
	}

	// As a person goes on with it: on the same address, with the same records.
	address := u.service.URL[len("http://"):]
	var err error
	if u.service, err = u.desktop.StartService(t.Context(), u.service.Dir, address); err != nil {
		t.Fatal(err)
	}
	u.wire.SetRate(0)
	assert.NoError(t, u.wire.Mend(t.Context()))
	u.allAnsweredOnce()
}

// Where Assay breaks down at work, what it leaves behind tells where it stood, and no secret.
func TestABreakdownTellsNoSecret(t *testing.T) {
	d := setupConfigured(t)
	d.settings(nil)
	d.keychain(true)
	d.setKey()
	d.options.LogLevel = "debug"
	content, err := HeavyPNG(1, heavySize)
	assert.NoError(t, err)
	heavy := filepath.Join(t.TempDir(), "heavy.png")
	write(t, heavy, content)
	d.wire.SetRate(slowRate / 16)
	d.open(heavy)
	waitFor(t, patience, "bytes of the file are sent", func() bool { return d.wire.Sent() > heavySize/32 })
	if err := d.app.Signal(syscall.SIGABRT); err != nil { // as of a library that gives up
		t.Fatal(err)
	}
	if code, err := d.app.Wait(stopLimit); err != nil || code == 0 {
		t.Fatalf("it ended with %d, %v", code, err)
	}
	d.without(d.secrets(), "what it logged", []byte(d.app.Errors.String()))
	written := func(pattern string) string {
		left, err := filepath.Glob(filepath.Join(d.options.Home, "log", pattern))
		if err != nil || len(left) != 1 {
			t.Fatalf("%d reports, %v", len(left), err)
		}
		content, err := os.ReadFile(left[0])
		assert.NoError(t, err)
		return string(content)
	}
	if raw := written("crash-new-*.txt"); !strings.Contains(raw, "assay/gui.Run(") {
		t.Errorf("where it stood is not told:\n%s", raw)
	} else {
		d.without(d.secrets(), "what it left", []byte(raw))
	}
	d.wire.SetRate(0)
	d.open()
	d.keep("started-again")
	d.answers(filepath.Base(heavy))
	if report := written("crash-2*.txt"); !strings.Contains(report, "broke down at") {
		t.Errorf("no report:\n%s", report)
	}
	d.secretNowhere()
}
