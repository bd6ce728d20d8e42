package keys

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// ready reports an error if there is no session bus. go-keyring would start one with dbus-launch, which no keychain is on, and which would keep
// running.
func ready() error {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		return nil
	}
	return &Problem{Cause: Absent, Err: errors.New("there is no session bus")}
}

// systemCause finds the cause in errors of the bus and of the keychain on it.
func systemCause(err error) Cause {
	var (
		said    dbus.Error
		pointed *dbus.Error
		network *net.OpError
	)
	switch {
	case errors.As(err, &said):
		return busCause(said.Name)
	case errors.As(err, &pointed):
		return busCause(pointed.Name)
	case errors.As(err, &network), errors.Is(err, dbus.ErrClosed), errors.Is(err, io.EOF), strings.HasPrefix(err.Error(), "dbus: "):
		return Absent // nothing listens at the bus's address
	case strings.HasPrefix(err.Error(), "failed to unlock"): // go-keyring's own, which has no type
		return Locked
	}
	return Refused
}

// busCause is the cause by the name of a D-Bus error, which is the same in every language.
func busCause(name string) Cause {
	const bus = "org.freedesktop.DBus.Error."
	switch name {
	case bus + "ServiceUnknown", bus + "NameHasNoOwner", bus + "NoServer", bus + "Disconnected":
		return Absent
	case bus + "NoReply", bus + "Timeout", bus + "TimedOut":
		return Slow
	case "org.freedesktop.Secret.Error.IsLocked":
		return Locked
	}
	if strings.HasPrefix(name, bus+"Spawn.") { // there is one, but it can't be started
		return Absent
	}
	return Refused
}

// probeLimit bounds one call to a keychain that does not answer.
const probeLimit = 2 * time.Second

// Locked reports whether the collection that go-keyring uses is locked. It uses a connection of its own: on the shared one, go-keyring would take any
// signal for the answer to its prompt.
func (system) Locked() (bool, error) {
	if err := ready(); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	bus, err := dbus.Connect(busAddress(), dbus.WithContext(ctx))
	if err != nil {
		return false, err
	}
	defer func() { _ = bus.Close() }()
	const secrets = "org.freedesktop.secrets"
	for _, collection := range []dbus.ObjectPath{"/org/freedesktop/secrets/collection/login", "/org/freedesktop/secrets/aliases/default"} {
		var value dbus.Variant
		err = bus.Object(secrets, collection).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
			"org.freedesktop.Secret.Collection", "Locked").Store(&value)
		if locked, ok := value.Value().(bool); err == nil && ok {
			return locked, nil
		}
	}
	if err == nil {
		err = &Problem{Cause: Absent}
	}
	return false, err
}

// busAddress is where ready has found the session's bus.
func busAddress() string {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return address
	}
	return fmt.Sprintf("unix:path=/run/user/%d/bus", os.Getuid())
}
