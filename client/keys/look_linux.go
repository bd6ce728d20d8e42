package keys

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// lookLimit bounds one look at a keychain that does not answer.
const lookLimit = 2 * time.Second

// Locked reports whether the collection that go-keyring uses is locked, over a connection of its own: go-keyring takes whichever
// signal reaches the one that it shares for the answer to its prompt.
func (system) Locked() (bool, error) {
	if err := ready(); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
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
