package watch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ufHidden is UF_HIDDEN of sys/stat.h, which package syscall does not have.
const ufHidden = 0x8000

// hidden reports whether a file or folder has the system's hidden attribute.
func hidden(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Flags&ufHidden != 0
}

// isNetwork reports whether a path is on a disk that others can write to without events on this system. It may block for as long as the share does
// not answer; it is false where that is not known.
func isNetwork(path string) bool {
	var system unix.Statfs_t
	return unix.Statfs(path, &system) == nil && system.Flags&unix.MNT_LOCAL == 0
}

// beingWritten never knows: this system does not tell who has a file open.
func beingWritten(_ *os.File) (busy, known bool) { return false, false }

// regularIn is never ok: files are examined by their paths on this system, for their attributes.
func regularIn(_ *os.File, _ fs.DirEntry) (e entry, ok bool) { return entry{}, false }
