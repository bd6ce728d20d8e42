package watch

import (
	"io/fs"
	"syscall"
)

// ufHidden is UF_HIDDEN of sys/stat.h, which package syscall does not have.
const ufHidden = 0x8000

// hidden says that a file or folder bears the system's mark for what a person is not meant to see.
func hidden(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Flags&ufHidden != 0
}
