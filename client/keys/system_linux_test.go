package keys

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"
)

func TestErrorsOfTheBusAreToldApart(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Cause
	}{
		{dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown", Body: []any{"The name org.freedesktop.secrets was not provided by any .service files"}}, Absent},
		{&dbus.Error{Name: "org.freedesktop.DBus.Error.NameHasNoOwner"}, Absent},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.Spawn.ChildExited"}, Absent},
		{fmt.Errorf("wrapped: %w", dbus.Error{Name: "org.freedesktop.DBus.Error.Disconnected"}), Absent},
		{dbus.ErrClosed, Absent},
		{&net.OpError{Op: "dial", Err: errors.New("no such file")}, Absent},
		{errors.New("dbus: invalid bus address (no transport)"), Absent},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.NoReply"}, Slow},
		{dbus.Error{Name: "org.freedesktop.Secret.Error.IsLocked"}, Locked},
		{errors.New("failed to unlock correct collection '/org/freedesktop/secrets/collection/login'"), Locked},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.AccessDenied"}, Refused},
		{errors.New("something else"), Refused},
	} {
		if got := systemCause(c.err); got != c.want {
			t.Errorf("%v: %s, want %s", c.err, got, c.want)
		}
	}
}

func TestWithoutABusThereIsNoKeychain(t *testing.T) {
	t.Run("the bus is gone", func(t *testing.T) {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "gone"))
		if _, err := New(Options{}).Get(t.Context(), "https://api.example.org"); !IsProblem(err, Absent) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("its address is none", func(t *testing.T) {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "nonsense")
		if _, err := New(Options{}).Get(t.Context(), "https://api.example.org"); !IsProblem(err, Absent) {
			t.Errorf("error %v", err)
		}
	})
}
