package logs

import (
	"os"
	"syscall"
)

// lock does nothing: a file that is open can't be opened alone.
func lock(*os.File) error { return nil }

// lockLeft opens a file that no living process has open, for this process alone.
func lockLeft(path string) (f *os.File, free bool) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, false
	}
	const shared = syscall.FILE_SHARE_DELETE // so that it can be removed while it is open; nobody else may read or write
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, shared, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, false
	}
	return os.NewFile(uintptr(handle), path), true
}

// removeLeft removes a file that lockLeft opened.
func removeLeft(f *os.File) { _ = os.Remove(f.Name()) } // next time, then
