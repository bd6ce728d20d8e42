package portal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"assay/client/address"
)

// answerWait is how long the desktop may take to take a request: it may have to start a program first.
const answerWait = 5 * time.Second

// The desktop's portals on the session bus.
const (
	service      = "org.freedesktop.portal.Desktop"
	object       = "/org/freedesktop/portal/desktop"
	requests     = "org.freedesktop.portal.Request"
	fileChooser  = "org.freedesktop.portal.FileChooser"
	background   = "org.freedesktop.portal.Background"
	foldersSince = 3 // the version of fileChooser from which on it has a dialog for folders
)

// done is the status of a request that the person did not cancel.
const done = 0

// errClosed means that the bus went away while a dialog was open.
var errClosed = errors.New("the session's bus was closed")

// Connect connects to the session's bus, if there is one: the library would start one. The caller closes the connection, which the end of ctx does,
// too.
func Connect(ctx context.Context) (*dbus.Conn, error) {
	if !hasBus() {
		return nil, ErrNone
	}
	return dbus.ConnectSessionBus(dbus.WithContext(ctx))
}

// hasBus reports whether the session has a bus already.
func hasBus() bool {
	if bus := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); bus != "" {
		return !strings.HasPrefix(bus, "autolaunch:")
	}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" {
		_, err := os.Stat(filepath.Join(runtime, "bus"))
		return err == nil
	}
	return false
}

// OpenFiles asks for files, many at once.
func OpenFiles(ctx context.Context, title string, filters ...Filter) (paths []string, shown bool) {
	return choose(ctx, "OpenFile", title, map[string]any{"multiple": true}, filters)
}

// OpenFile asks for one file; "" if the person cancelled.
func OpenFile(ctx context.Context, title string, filters ...Filter) (path string, shown bool) {
	return only(choose(ctx, "OpenFile", title, map[string]any{"multiple": false}, filters))
}

// OpenFolder asks for a folder; "" if the person cancelled.
func OpenFolder(ctx context.Context, title string) (path string, shown bool) {
	return only(choose(ctx, "OpenFile", title, map[string]any{"directory": true}, nil))
}

// SaveFile asks where to save a file, suggesting its name; "" if the person cancelled. The dialog has asked whether a file that is there may be
// replaced; it makes none.
func SaveFile(ctx context.Context, title, name string) (path string, shown bool) {
	return only(choose(ctx, "SaveFile", title, map[string]any{"current_name": oneName(name)}, nil))
}

func only(paths []string, shown bool) (string, bool) {
	if len(paths) == 0 {
		return "", shown
	}
	return paths[0], shown
}

func choose(ctx context.Context, method, title string, options map[string]any, filters []Filter) (paths []string, shown bool) {
	bus, err := Connect(ctx)
	if err != nil {
		return nil, false
	}
	defer bus.Close() //nolint:errcheck // nothing is written
	if options["directory"] == true && version(ctx, bus, fileChooser) < foldersSince {
		return nil, false // it would show a dialog for files
	}
	if len(filters) > 0 {
		var shown []filter
		for _, f := range filters {
			shown = append(shown, f.patterns())
		}
		options["filters"] = shown
	}
	status, results, err := request(ctx, bus, fileChooser+"."+method, options, "", title)
	switch {
	case errors.Is(err, ErrNone):
		return nil, false
	case err != nil || status != done:
		return nil, true
	}
	addresses, _ := results["uris"].Value().([]string)
	for _, uri := range addresses {
		if path, ok := address.FilePath(uri); ok {
			paths = append(paths, path)
		}
	}
	return paths, true
}

// version is that of a portal, 0 where there is none.
func version(ctx context.Context, bus *dbus.Conn, portal string) (n uint32) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	var value dbus.Variant
	if err := bus.Object(service, object).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, portal, "version").Store(&value); err != nil {
		return 0
	}
	n, _ = value.Value().(uint32)
	return n
}

// Autostart asks that this program is started with the system by this command, or no longer is. reason is shown to the person if they are asked. An
// error is ErrNone, ErrRefused, or ctx's.
func Autostart(ctx context.Context, reason string, command []string, on bool) error {
	bus, err := Connect(ctx)
	if err != nil {
		return ErrNone
	}
	defer bus.Close() //nolint:errcheck // nothing is written
	options := map[string]any{"reason": reason, "autostart": on, "commandline": command, "dbus-activatable": false}
	status, results, err := request(ctx, bus, background+".RequestBackground", options, "")
	if err != nil {
		return err
	}
	is, _ := results["autostart"].Value().(bool)
	if on && (status != done || !is) {
		return ErrRefused
	}
	return nil
}

// request calls a portal's method with these arguments and options, and waits for what the person answers. An error is ErrNone, or ctx's.
func request(ctx context.Context, bus *dbus.Conn, method string, options map[string]any, arguments ...any) (status uint32, results map[string]dbus.Variant, err error) {
	answers := make(chan *dbus.Signal, 8)
	bus.Signal(answers)
	ask, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	if err := bus.AddMatchSignalContext(ask, dbus.WithMatchInterface(requests), dbus.WithMatchMember("Response"), dbus.WithMatchSender(service)); err != nil {
		return 0, nil, ErrNone
	}
	variants := make(map[string]dbus.Variant, len(options))
	for name, option := range options {
		variants[name] = dbus.MakeVariant(option)
	}
	var handle dbus.ObjectPath
	if err := bus.Object(service, object).CallWithContext(ask, method, 0, append(arguments, variants)...).Store(&handle); err != nil {
		return 0, nil, ErrNone
	}
	for {
		select {
		case answer, open := <-answers:
			if !open {
				return 0, nil, errClosed
			}
			if answer.Path == handle && len(answer.Body) == 2 {
				status, _ := answer.Body[0].(uint32)
				results, _ := answer.Body[1].(map[string]dbus.Variant)
				return status, results, nil
			}
		case <-ctx.Done():
			bus.Object(service, handle).Go(requests+".Close", dbus.FlagNoReplyExpected, nil)
			return 0, nil, ctx.Err()
		}
	}
}
