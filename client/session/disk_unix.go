//go:build unix

package command

import "syscall"

// freeBytes is how much the person may still write to the disk of a folder, 0 where that can't be told.
func freeBytes(folder string) int64 {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0
	}
	return int64(disk.Bavail) * int64(disk.Bsize) //nolint:unconvert // their types differ from system to system
}
