package sound

import (
	"os"
	"syscall"
)

// fileFlagDeleteOnClose is Windows's FILE_FLAG_DELETE_ON_CLOSE: the system removes the file when its last handle closes, also when the
// process is killed.
const fileFlagDeleteOnClose = 0x04000000

// createNameless makes a file that vanishes when it is closed or Assay ends, even by a crash.
func createNameless(dir string) (*os.File, error) {
	made, err := os.CreateTemp(dir, "assay-sound-*.pcm")
	if err != nil {
		return nil, err
	}
	path := made.Name()
	if err := made.Close(); err != nil {
		return nil, err
	}
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE|syscall.FILE_SHARE_DELETE, nil, syscall.OPEN_EXISTING, fileFlagDeleteOnClose, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
