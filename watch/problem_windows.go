package watch

import (
	"errors"
	"slices"

	"golang.org/x/sys/windows"
)

// silent are the errors of disks and shares that were there and are out of reach. Some of them count as "does not exist" in
// package os.
var silent = []windows.Errno{
	windows.ERROR_NOT_READY, windows.ERROR_BAD_NETPATH, windows.ERROR_NETWORK_BUSY, windows.ERROR_DEV_NOT_EXIST,
	windows.ERROR_UNEXP_NET_ERR, windows.ERROR_NETNAME_DELETED, windows.ERROR_BAD_NET_NAME, windows.ERROR_SEM_TIMEOUT,
	windows.ERROR_NETWORK_UNREACHABLE, windows.ERROR_HOST_UNREACHABLE, windows.ERROR_CONNECTION_ABORTED,
}

func notAnswering(err error) bool {
	var number windows.Errno
	return errors.As(err, &number) && slices.Contains(silent, number)
}
