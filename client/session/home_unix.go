//go:build unix

package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// The permission bits of all but a file's owner.
const (
	othersEnter fs.FileMode = 0o011
	othersWrite fs.FileMode = 0o022
	othersRead  fs.FileMode = 0o044
)

func currentUser() int { return os.Geteuid() }

// owned is a file or folder, as far as it matters for who may change it.
type owned struct {
	path string
	uid  int
	mode fs.FileMode
}

// ownedAt examines what is at a path; a symbolic link is followed, unless own. ok is false where nothing is there, or that is not known.
func ownedAt(path string, own bool) (o owned, ok bool) {
	look := os.Stat
	if own {
		look = os.Lstat
	}
	facts, err := look(path)
	if err != nil {
		return o, false
	}
	stat, ok := facts.Sys().(*syscall.Stat_t)
	if !ok {
		return o, false
	}
	o = owned{path: path, uid: int(stat.Uid), mode: facts.Mode()}
	if o.mode&fs.ModeSymlink != 0 { // a link's own permissions mean nothing: on most systems all have them
		o.mode &^= fs.ModePerm
	}
	if stat.Uid == stat.Gid { // the user's own group, which most systems make for each user
		o.mode &^= 0o070
	}
	return o, true
}

// foreign reports whether it belongs to another user who is not root.
func (o owned) foreign(uid int) bool { return o.uid != uid && o.uid != 0 }

// examineHome says what is wrong with the permissions of a home. What others could have changed must not be opened: the records could be another's,
// and the settings name another service. Where others may only read, or could make a change later, it warns. Permissions of what nobody else can
// reach do not matter.
func examineHome(home string, uid int) (found homeFindings) {
	target, err := filepath.EvalSymlinks(home)
	if err != nil {
		target = home // it is not made yet
	}
	for _, path := range slices.Compact([]string{home, target}) {
		if at, ok := ownedAt(path, true); ok && at.foreign(uid) {
			if uid != 0 {
				return homeFindings{refusal: refuseOwner(path)}
			}
			found.warnings = append(found.warnings, warnRoot(path))
			break
		}
	}
	if at, ok := firstOpen(slices.Compact([]string{filepath.Dir(home), filepath.Dir(target)}), uid); ok {
		found.warnings = append(found.warnings, warnSwapped(at))
	}
	at, ok := ownedAt(target, false)
	if !ok {
		return found
	}
	if at.mode&othersWrite != 0 && at.mode&fs.ModeSticky == 0 {
		found.warnings = append(found.warnings, warnWritable(target))
	}
	readable := ""
	for _, file := range recordsIn(target, at.mode&othersEnter != 0) {
		switch {
		case file.foreign(uid) && uid != 0:
			return homeFindings{refusal: refuseOwner(file.path)}
		case !file.reached:
		case file.mode&othersWrite != 0:
			return homeFindings{refusal: refuseWritable(file.path, home)}
		case file.mode&othersRead != 0 && !file.mode.IsDir() && readable == "":
			readable = file.path
		}
	}
	if readable != "" {
		found.warnings = append(found.warnings, warnReadable(readable))
	}
	return found
}

// firstOpen is the first of these folders, and of their parents, in which others may replace one folder by another.
func firstOpen(folders []string, uid int) (path string, found bool) {
	for _, path := range folders {
		for {
			at, ok := ownedAt(path, false)
			if ok && (at.foreign(uid) && uid != 0 || at.mode&othersWrite != 0 && at.mode&fs.ModeSticky == 0) {
				return path, true
			}
			above := filepath.Dir(path)
			if above == path {
				break
			}
			path = above
		}
	}
	return "", false
}

// record is a file or folder of Assay's.
type record struct {
	owned
	reached bool // by others, as far as the folders above it let them
}

// recordsIn lists the settings and the records in a home; entered is whether others may enter it.
func recordsIn(home string, entered bool) (all []record) {
	for _, name := range []string{"settings.json", "settings.lock"} {
		all = append(all, recordAt(filepath.Join(home, name), entered)...)
	}
	entries, _ := os.ReadDir(home) // what can't be listed can't be opened either
	for _, entry := range entries {
		folder, ok := ownedAt(filepath.Join(home, entry.Name()), false)
		if _, err := os.Lstat(filepath.Join(folder.path, "assay.db")); !ok || err != nil {
			continue
		}
		all = append(all, recordAt(folder.path, entered)...)
		for _, name := range []string{"assay.db", "assay.db-wal", "assay.db-shm", "lock", "address"} {
			all = append(all, recordAt(filepath.Join(folder.path, name), entered && folder.mode&othersEnter != 0)...)
		}
	}
	return all
}

// recordAt is the record at a path, and where it is a symbolic link its target too: whoever may change either can change what is read. It is empty
// where nothing is there.
func recordAt(path string, reached bool) (all []record) {
	at, ok := ownedAt(path, true)
	if !ok {
		return nil
	}
	all = append(all, record{at, reached})
	if at.mode&fs.ModeSymlink != 0 {
		if target, ok := ownedAt(path, false); ok {
			all = append(all, record{target, reached})
		}
	}
	return all
}

// freeBytes is how many bytes the person may still write to the disk of a folder, 0 where that is not known.
func freeBytes(folder string) int64 {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0
	}
	return int64(disk.Bavail) * int64(disk.Bsize) //nolint:unconvert // their types differ from system to system
}
