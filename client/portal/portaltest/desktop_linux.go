// Package portaltest is a desktop with portals for tests: a session bus of the test's own, on which the test answers in the person's place. It
// imports the standard library, godbus and assert.
package portaltest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"assay/client/assert"
)

// The portals on the bus.
const (
	service  = "org.freedesktop.portal.Desktop"
	object   = "/org/freedesktop/portal/desktop"
	response = "org.freedesktop.portal.Request.Response"
	handle   = dbus.ObjectPath(object + "/request/1/t")
)

// Cancelled is the status of an answer of a person who thought better of it.
const Cancelled = 1

// Answer is what the person answers: a status, 0 where they agreed, and the results that the portal then sends.
type Answer struct {
	Status  uint32
	Results map[string]any
	Never   bool // they let the dialog be
}

// Chosen is the answer with these addresses of files.
func Chosen(uris ...string) Answer { return Answer{Results: map[string]any{"uris": uris}} }

// Desktop answers each request: portal and method ("FileChooser.OpenFile"), the dialog's title, if it has one, and the options.
type Desktop func(method, title string, options map[string]dbus.Variant) Answer

// Start starts a bus, and on it this desktop; nil: there are no portals. Both end with the test.
func Start(t *testing.T, desktop Desktop) {
	t.Helper()
	bus := startBus(t)
	if desktop == nil {
		return
	}
	p := portals{bus, desktop}
	assert.NoError(t, bus.Export(fileChooser{p}, object, "org.freedesktop.portal.FileChooser"))
	assert.NoError(t, bus.Export(background{p}, object, "org.freedesktop.portal.Background"))
	_, err := prop.Export(bus, object, prop.Map{"org.freedesktop.portal.FileChooser": {"version": {Value: uint32(4)}}})
	assert.NoError(t, err)
	_, err = bus.RequestName(service, 0)
	assert.NoError(t, err)
}

func startBus(t *testing.T) *dbus.Conn {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	assert.NoError(t, err)
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
	return bus
}

type portals struct {
	bus     *dbus.Conn
	desktop Desktop
}

// ask has the desktop answer, after another program's request was answered.
func (p portals) ask(method, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	answer := p.desktop(method, title, options)
	if answer.Never {
		return handle, nil
	}
	results := map[string]dbus.Variant{}
	for name, value := range answer.Results {
		results[name] = dbus.MakeVariant(value)
	}
	go func() {
		_ = p.bus.Emit(handle+"other", response, uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{"file:///not/ours"})})
		_ = p.bus.Emit(handle, response, answer.Status, results)
	}()
	return handle, nil
}

type fileChooser struct{ portals }

// OpenFile is the portal's method.
func (f fileChooser) OpenFile(_, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return f.ask("FileChooser.OpenFile", title, options)
}

// SaveFile is the portal's method.
func (f fileChooser) SaveFile(_, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return f.ask("FileChooser.SaveFile", title, options)
}

type background struct{ portals }

// RequestBackground is the portal's method.
func (b background) RequestBackground(_ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return b.ask("Background.RequestBackground", "", options)
}
