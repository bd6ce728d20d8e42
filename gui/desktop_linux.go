package gui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/godbus/dbus/v5"

	"assay/client/address"
	"assay/client/i18n"
)

// portalWait is how long the desktop may take to open its dialog: it may have to start a program first.
const portalWait = 5 * time.Second

const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	portalRequest = "org.freedesktop.portal.Request"
)

// pattern and filter are what the desktop's dialog takes to show only some files.
type (
	pattern struct {
		Kind uint32 // 0: a pattern of names
		Text string
	}
	filter struct {
		Name     string
		Patterns []pattern
	}
)

// chooseFiles opens the desktop's own dialog for files, which takes many at once. shown is false where there is none. It blocks while the dialog is
// open; the end of ctx closes it.
func chooseFiles(ctx context.Context, title string, extensions []string) (paths []string, shown bool) {
	if !hasBus() {
		return nil, false
	}
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return nil, false
	}
	defer bus.Close() //nolint:errcheck // nothing is written
	answers := make(chan *dbus.Signal, 8)
	bus.Signal(answers)
	ask, cancel := context.WithTimeout(ctx, portalWait)
	defer cancel()
	if err := bus.AddMatchSignalContext(ask, dbus.WithMatchInterface(portalRequest), dbus.WithMatchMember("Response"), dbus.WithMatchSender(portalName)); err != nil {
		return nil, false
	}
	options := map[string]dbus.Variant{
		"multiple": dbus.MakeVariant(true),
		"filters":  dbus.MakeVariant([]filter{{i18n.T("What Assay takes"), patterns(extensions)}, {i18n.T("All files"), []pattern{{Text: "*"}}}}),
	}
	var handle dbus.ObjectPath
	if err := bus.Object(portalName, portalPath).CallWithContext(ask, "org.freedesktop.portal.FileChooser.OpenFile", 0, "", title, options).Store(&handle); err != nil {
		return nil, false
	}
	for {
		select {
		case answer, open := <-answers:
			if !open {
				return nil, true
			}
			if answer.Path == handle {
				return chosen(answer.Body), true
			}
		case <-ctx.Done():
			bus.Object(portalName, handle).Go(portalRequest+".Close", dbus.FlagNoReplyExpected, nil)
			return nil, true
		}
	}
}

// patterns are those of names with an extension, in any case.
func patterns(extensions []string) []pattern {
	var all []pattern
	for _, extension := range extensions {
		text := "*."
		for _, r := range extension {
			text += "[" + string(unicode.ToLower(r)) + string(unicode.ToUpper(r)) + "]"
		}
		all = append(all, pattern{Text: text})
	}
	return all
}

// chosen are the local files in the dialog's answer; none if the person cancelled.
func chosen(answer []any) (paths []string) {
	if len(answer) != 2 || answer[0] != uint32(0) {
		return nil
	}
	results, _ := answer[1].(map[string]dbus.Variant)
	addresses, _ := results["uris"].Value().([]string)
	for _, uri := range addresses {
		if path, ok := address.FilePath(uri); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// trayWait is how long the desktop may take to say whether it shows tray icons.
const trayWait = time.Second

// hasTray asks the desktop whether anything shows tray icons.
func hasTray(ctx context.Context) bool {
	if !hasBus() {
		return false // the library would start a bus
	}
	ctx, cancel := context.WithTimeout(ctx, trayWait)
	defer cancel()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
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
