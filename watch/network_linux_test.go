package watch

import (
	"path/filepath"
	"testing"
)

func TestIsNetwork(t *testing.T) {
	for _, path := range []string{"/proc", "/sys", "/", filepath.Join(t.TempDir(), "none")} {
		if isNetwork(path) {
			t.Errorf("%s is a share", path)
		}
	}
	t.Run("shares are known by number", func(t *testing.T) {
		for name, c := range map[string]struct {
			kind  uint32
			major uint32
			want  bool
		}{
			"nfs": {0x6969, 0, true}, "cifs": {0xff534d42, 0, true}, "smb3": {0xfe534d42, 0, true}, "9p": {0x01021997, 0, true},
			"afs": {0x5346414f, 0, true}, "coda": {0x73757245, 0, true}, "sshfs": {0x65735546, 0, true}, "ntfs-3g": {0x65735546, 8, false},
			"ext4": {0xef53, 8, false}, "tmpfs": {0x01021994, 0, false}, "overlay": {0x794c7630, 0, false}, "btrfs": {0x9123683e, 0, false},
		} {
			if got := isDistant(c.kind, c.major); got != c.want {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}
