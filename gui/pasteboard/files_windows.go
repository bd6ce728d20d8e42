package pasteboard

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// formatDrop is CF_HDROP: files, as the Explorer copies them.
const formatDrop = 15

// countFiles asks DragQueryFileW how many there are.
const countFiles = 0xFFFFFFFF

var (
	user32           = windows.NewLazySystemDLL("user32.dll")
	openClipboard    = user32.NewProc("OpenClipboard")
	closeClipboard   = user32.NewProc("CloseClipboard")
	getClipboardData = user32.NewProc("GetClipboardData")
	dragQueryFile    = windows.NewLazySystemDLL("shell32.dll").NewProc("DragQueryFileW")
)

// copiedFiles are the files that were copied; nil where none were.
func copiedFiles() []string {
	runtime.LockOSThread() // the clipboard is open for one thread
	defer runtime.UnlockOSThread()
	if opened, _, _ := openClipboard.Call(0); opened == 0 {
		return nil
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	drop, _, _ := getClipboardData.Call(formatDrop)
	if drop == 0 {
		return nil
	}
	n, _, _ := dragQueryFile.Call(drop, countFiles, 0, 0)
	var found []string
	for i := range n {
		length, _, _ := dragQueryFile.Call(drop, i, 0, 0)
		name := make([]uint16, length+1)
		if got, _, _ := dragQueryFile.Call(drop, i, uintptr(unsafe.Pointer(&name[0])), length+1); got > 0 { //nolint:gosec // the system's own way to hand a text over
			found = append(found, windows.UTF16ToString(name))
		}
	}
	return found
}
