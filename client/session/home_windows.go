package session

import (
	"syscall"
	"unsafe"
)

// currentUser returns 0: only systems with numbered users need it.
func currentUser() int { return 0 }

// examineHome finds nothing: permissions are inherited from the person's profile, in which the home is; a folder elsewhere has those that whoever
// made it wanted.
func examineHome(string, int) homeFindings { return homeFindings{} }

// freeBytes is how many bytes the person may still write to the disk of a folder, 0 where that is not known.
func freeBytes(folder string) int64 {
	name, err := syscall.UTF16PtrFromString(folder)
	if err != nil {
		return 0
	}
	ask := syscall.NewLazyDLL("kernel32.dll").NewProc("GetDiskFreeSpaceExW")
	if ask.Find() != nil {
		return 0
	}
	var free uint64
	if ok, _, _ := ask.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&free)), 0, 0); ok == 0 {
		return 0
	}
	return int64(free)
}
