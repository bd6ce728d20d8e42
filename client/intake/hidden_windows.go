package intake

import "syscall"

// hiddenBySystem reports whether a file has the attribute that hides it, or is one of the system's own.
func hiddenBySystem(path string) bool {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	attributes, err := syscall.GetFileAttributes(name)
	return err == nil && attributes&(syscall.FILE_ATTRIBUTE_HIDDEN|syscall.FILE_ATTRIBUTE_SYSTEM) != 0
}
