package media

import (
	"io/fs"
	"syscall"
)

// ChangeTime is when a file's contents or its description changed last, in nanoseconds since 1970, which nobody can set
// back; 0 where that is not known.
func ChangeTime(info fs.FileInfo) int64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return stat.Ctim.Nano()
}
