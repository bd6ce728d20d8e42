package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ufHidden is UF_HIDDEN of sys/stat.h, which package syscall does not have.
const ufHidden = 0x8000

// hidden says that a file or folder bears the system's mark for what a person is not meant to see.
func hidden(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Flags&ufHidden != 0
}

// isNetwork reports whether a path lies where others write without this system telling of it. It may block for as long as the
// share does not answer; false where that can't be told.
func isNetwork(path string) bool {
	var system unix.Statfs_t
	return unix.Statfs(path, &system) == nil && system.Flags&unix.MNT_LOCAL == 0
}

// beingWritten knows nothing: this system does not tell who has a file open.
func beingWritten(_ *os.File) (busy, known bool) { return false, false }
