package watch

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// isNetwork reports whether a path lies on a share, by its name or by its drive's letter. It may block for as long as the share
// does not answer; false where that can't be told.
func isNetwork(path string) bool {
	volume := filepath.VolumeName(path)
	plain := strings.TrimPrefix(strings.TrimPrefix(volume, `\\?\`), `\\.\`)
	if strings.HasPrefix(strings.ToUpper(plain), `UNC\`) || plain == volume && strings.HasPrefix(volume, `\\`) {
		return true
	}
	root, err := windows.UTF16PtrFromString(plain + `\`)
	return err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE
}
