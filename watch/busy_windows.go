package watch

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/windows"
)

// beingWritten reports whether somebody has the file open for writing. It opens the file once more in a way that lets nobody
// write, which is refused while somebody may; who opens it for writing in that moment is refused in turn, and so it is closed
// at once.
func beingWritten(f *os.File) (busy, known bool) {
	path := f.Name()
	if !strings.HasPrefix(path, `\\`) {
		path = `\\?\` + path // else long names are refused
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return false, false
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		busy = errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		return busy, busy
	}
	_ = windows.CloseHandle(handle)
	return false, true
}
