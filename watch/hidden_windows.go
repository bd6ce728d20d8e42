package watch

import (
	"io/fs"
	"syscall"
)

// hidden says that a file or folder bears the system's mark for what a person is not meant to see.
func hidden(info fs.FileInfo) bool {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && data.FileAttributes&(syscall.FILE_ATTRIBUTE_HIDDEN|syscall.FILE_ATTRIBUTE_SYSTEM) != 0
}
