package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// beingWritten reports whether somebody has the file open for writing. It opens the file again in a mode that lets nobody write, which fails while
// somebody may; it closes it at once, since until then others can't open it for writing.
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

// hidden reports whether a file or folder has the system's hidden attribute.
func hidden(info fs.FileInfo) bool {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok && data.FileAttributes&(syscall.FILE_ATTRIBUTE_HIDDEN|syscall.FILE_ATTRIBUTE_SYSTEM) != 0
}

// isNetwork reports whether a path is on a share, by its name or its drive letter. It may block for as long as the share does not answer; it is false
// where that is not known.
func isNetwork(path string) bool {
	volume := filepath.VolumeName(path)
	plain := strings.TrimPrefix(strings.TrimPrefix(volume, `\\?\`), `\\.\`)
	if strings.HasPrefix(strings.ToUpper(plain), `UNC\`) || plain == volume && strings.HasPrefix(volume, `\\`) {
		return true
	}
	root, err := windows.UTF16PtrFromString(plain + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}

// silent are the errors of disks and shares that are out of reach. Package os takes some of them for "does not exist".
var silent = []windows.Errno{
	windows.ERROR_NOT_READY, windows.ERROR_BAD_NETPATH, windows.ERROR_NETWORK_BUSY, windows.ERROR_DEV_NOT_EXIST,
	windows.ERROR_UNEXP_NET_ERR, windows.ERROR_NETNAME_DELETED, windows.ERROR_BAD_NET_NAME, windows.ERROR_SEM_TIMEOUT,
	windows.ERROR_NETWORK_UNREACHABLE, windows.ERROR_HOST_UNREACHABLE, windows.ERROR_CONNECTION_ABORTED,
}

func notAnswering(err error) bool {
	var number windows.Errno
	return errors.As(err, &number) && slices.Contains(silent, number)
}

// fileNumber is 0: to get a file's ID the file must be opened, which costs more than reading a renamed file once more as if it were new.
func fileNumber(_ fs.FileInfo) uint64 { return 0 }

// openForReading opens a regular file, and nothing else.
func openForReading(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return regular(f)
}

// openFolder opens a folder to read its names. Without follow, a symbolic link is refused.
func openFolder(path string, follow bool) (*os.File, error) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return os.Open(path)
}

// regularIn is never ok: what a folder is read with on this system says enough of its files.
func regularIn(_ *os.File, _ fs.DirEntry) (e entry, ok bool) { return entry{}, false }
