package watch

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// beingWritten reports whether somebody has the file open for writing, or mapped so; known is false where the system does not
// tell: files of others, and file systems without leases. Shares refuse one as well where the server has not granted it the like,
// writer or not: there too nothing is known.
//
// It asks for a read lease, which is refused while there is a writer, and gives it back at once. Who opens the file for writing
// in between is held up for these microseconds (and refused with EAGAIN where it asked not to be); the signal that tells us of
// it, SIGIO, does nothing in a Go program.
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

// distant are the file systems in which others write without this system telling of it, by the number that statfs gives:
// shares, file systems that several computers mount at once, and what a virtual machine's host hands in.
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

// isNetwork reports whether a path lies where others write without this system telling of it: on a share, or in a file system
// of a program's, such as sshfs. It may block for as long as the share does not answer; false where that can't be told.
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

// isDistant goes by the file system's number and that of the device's kind. Programs serve local disks too (ntfs-3g): those have
// a device's number, others one that was made up, whose kind is 0.
func isDistant(system, major uint32) bool {
	return distant[system] || system == unix.FUSE_SUPER_MAGIC && major == 0
}

// hidden is false: on these systems the name alone says it.
func hidden(_ fs.FileInfo) bool { return false }
