package keys

import (
	"errors"
	"syscall"
)

func ready() error { return nil }

// noSuchLogonSession is ERROR_NO_SUCH_LOGON_SESSION: this account has no Credential Manager, such as a service's.
const noSuchLogonSession syscall.Errno = 1312

func systemCause(err error) Cause {
	if errors.Is(err, noSuchLogonSession) {
		return Absent
	}
	return Refused
}
