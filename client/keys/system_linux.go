package keys

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
)

// ready says whether there is a session's bus to ask over. Without one go-keyring would start a bus with dbus-launch, which no
// keychain is on, and which stays behind.
func ready() error {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		return nil
	}
	return &Problem{Cause: Absent, Err: errors.New("there is no session bus")}
}

// systemCause tells the errors of the bus and of the keychain on it apart.
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
		return Absent // there is no bus behind the address
	case strings.HasPrefix(err.Error(), "failed to unlock"): // go-keyring's own, which has no type
		return Locked
	}
	return Refused
}

// busCause is by the name of an error, which stays the same in every language.
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
	if strings.HasPrefix(name, bus+"Spawn.") { // there is one, but it does not start
		return Absent
	}
	return Refused
}
