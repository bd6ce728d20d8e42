package watch

import "golang.org/x/sys/unix"

// isNetwork reports whether a path lies where others write without this system telling of it. It may block for as long as the
// share does not answer; false where that can't be told.
func isNetwork(path string) bool {
	var system unix.Statfs_t
	return unix.Statfs(path, &system) == nil && system.Flags&unix.MNT_LOCAL == 0
}
