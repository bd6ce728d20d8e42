package gui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

// ownBus is a bus of the test's own, with a desktop whose file dialog answers as answer says; nil: there is no such desktop.
func ownBus(t *testing.T, answer func(options map[string]dbus.Variant) (status uint32, uris []string)) {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("no dbus-daemon here")
	}
	folder, err := os.MkdirTemp("", "bus") //nolint:usetesting // a test's own may have marks in its name that stand for something in an address
	assert.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	address := "unix:path=" + filepath.Join(folder, "bus")
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, daemon, "--session", "--nofork", "--nopidfile", "--address="+address) //nolint:gosec // found above
	assert.NoError(t, command.Start())
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was ended
	})
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	var bus *dbus.Conn
	limit := time.Now().Add(30 * time.Second)
	for bus == nil {
		if bus, err = dbus.Connect(address); err != nil && time.Now().After(limit) {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = bus.Close() })
	if answer == nil {
		return
	}
	assert.NoError(t, bus.Export(portal{bus, answer}, portalPath, "org.freedesktop.portal.FileChooser"))
	if _, err := bus.RequestName(portalName, 0); err != nil {
		t.Fatal(err)
	}
}

// portal answers as a desktop does.
type portal struct {
	bus    *dbus.Conn
	answer func(options map[string]dbus.Variant) (status uint32, uris []string)
}

func (p portal) OpenFile(_, _ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	const handle = dbus.ObjectPath(portalPath + "/request/1/t")
	status, uris := p.answer(options)
	if status < 3 {
		go func() {
			_ = p.bus.Emit(handle+"other", portalRequest+".Response", uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{"file:///not/ours"})})
			_ = p.bus.Emit(handle, portalRequest+".Response", status, map[string]dbus.Variant{"uris": dbus.MakeVariant(uris)})
		}()
	}
	return handle, nil
}

func TestFilesAreChosenWithTheDesktopsDialog(t *testing.T) {
	t.Run("many at once, by their exact names", func(t *testing.T) {
		ownBus(t, func(options map[string]dbus.Variant) (uint32, []string) {
			if options["multiple"].Value() != true {
				t.Error("one alone can be chosen")
			}
			return 0, []string{"file:///a+b.jpg", "file:///my%20c.png", "https://example.org/d", "file://elsewhere/e", "file:///f%00g"}
		})
		paths, shown := chooseFiles(t.Context(), "Choose files", []string{"jpg", "mp4"})
		if diff := cmp.Diff([]string{"/a+b.jpg", "/my c.png"}, paths); !shown || diff != "" {
			t.Error(shown, diff)
		}
	})
	t.Run("none where the person thought better of it", func(t *testing.T) {
		ownBus(t, func(map[string]dbus.Variant) (uint32, []string) { return 1, nil })
		if paths, shown := chooseFiles(t.Context(), "", nil); !shown || len(paths) > 0 {
			t.Error(shown, paths)
		}
	})
	t.Run("and the dialog is given up when the window is left", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ownBus(t, func(map[string]dbus.Variant) (uint32, []string) { cancel(); return 3, nil })
		if paths, _ := chooseFiles(ctx, "", nil); len(paths) > 0 {
			t.Error(paths)
		}
	})
	t.Run("with the toolkit's, where the desktop has none", func(t *testing.T) {
		ownBus(t, nil)
		if _, shown := chooseFiles(t.Context(), "", nil); shown {
			t.Error("nothing was shown")
		}
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
		t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
		if _, shown := chooseFiles(t.Context(), "", nil); shown {
			t.Error("nothing was shown")
		}
	})
	t.Run("whatever the letters of an extension are", func(t *testing.T) {
		assert.Equal(t, []pattern{{Text: "*.[jJ][pP][gG]"}, {Text: "*.[mM][pP][44]"}}, patterns([]string{"jpg", "mp4"}))
	})
}
