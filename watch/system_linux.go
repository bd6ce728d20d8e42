package watch

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// beingWritten reports whether somebody has the file open, or mapped, for writing; known is false where the system does not tell: for other users'
// files, and on file systems without leases. Shares also refuse a lease that the server has not granted, writer or not: nothing is known there
// either.
//
// It takes a read lease, which is refused while there is a writer, and gives it back at once. Whoever opens the file for writing in between is
// delayed by these microseconds (or fails with EAGAIN if it opened without blocking); the signal that this sends us, SIGIO, does nothing in a Go
// program.
func beingWritten(f *os.File) (busy, known bool) {
	connection, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	err = connection.Control(func(fd uintptr) {
		_, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK)
		switch {
		case err == nil:
			known = true
			_, _ = unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK)
		case errors.Is(err, unix.EAGAIN) && !isNetworkFile(fd):
			busy, known = true, true
		}
	})
	return busy, known && err == nil
}

// distant are the file systems that others can write to without events on this system, by statfs's number: shares, file systems that several
// computers mount at once, and the folders that a virtual machine shares with its host.
var distant = map[uint32]bool{
	unix.NFS_SUPER_MAGIC:   true,
	unix.SMB_SUPER_MAGIC:   true,
	unix.SMB2_SUPER_MAGIC:  true,
	unix.CIFS_SUPER_MAGIC:  true,
	unix.NCP_SUPER_MAGIC:   true,
	unix.AFS_SUPER_MAGIC:   true,
	unix.AFS_FS_MAGIC:      true,
	unix.CODA_SUPER_MAGIC:  true,
	unix.CEPH_SUPER_MAGIC:  true,
	unix.OCFS2_SUPER_MAGIC: true,
	unix.V9FS_MAGIC:        true,
	0x01161970:             true, // GFS2
	0x0bd00bd0:             true, // Lustre
	0x47504653:             true, // GPFS
	0x19830326:             true, // BeeGFS
	0xaad7aaea:             true, // PanFS
	0x786f4256:             true, // VirtualBox
	0x7c7c6673:             true, // Parallels
	0xbacbacbc:             true, // VMware
}

// isNetwork reports whether a path is on a disk that others can write to without events on this system: on a share, or in a file system of a program,
// such as sshfs. It may block for as long as the share does not answer; it is false where that is not known.
func isNetwork(path string) bool {
	var system unix.Statfs_t
	var stat unix.Stat_t
	return unix.Statfs(path, &system) == nil && unix.Stat(path, &stat) == nil && isDistant(uint32(system.Type), unix.Major(stat.Dev))
}

// isNetworkFile is isNetwork for an open file.
func isNetworkFile(fd uintptr) bool {
	var system unix.Statfs_t
	var stat unix.Stat_t
	return unix.Fstatfs(int(fd), &system) == nil && unix.Fstat(int(fd), &stat) == nil && isDistant(uint32(system.Type), unix.Major(stat.Dev))
}

// isDistant decides by the file system's number and the device's major number. Programs serve local disks as well (ntfs-3g): those have a device,
// others a made-up one with the major number 0.
func isDistant(system, major uint32) bool {
	return distant[system] || system == unix.FUSE_SUPER_MAGIC && major == 0
}

// regularIn examines a regular file of an open folder, all but its name. Through the open folder, the system need not look up the whole path again,
// which is most of what a scan takes. ok is false where it has to be examined by its path: it is no regular file, or there is an error to be had.
func regularIn(folder *os.File, d fs.DirEntry) (e entry, ok bool) {
	var stat unix.Stat_t
	if folder == nil || !d.Type().IsRegular() || unix.Fstatat(int(folder.Fd()), d.Name(), &stat, unix.AT_SYMLINK_NOFOLLOW) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return entry{}, false
	}
	return entry{size: stat.Size, time: stat.Mtim.Nano(), file: stat.Ino}, true
}

// hidden is false: on these systems only the name can make a file hidden.
func hidden(_ fs.FileInfo) bool { return false }
