package watch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// entry is a file or folder that a scan has found.
type entry struct {
	name string // its path relative to the root, with the system's separators; "" is the root itself
	size int64  // bytes
	time int64  // when it was last changed, ns since 1970
	file uint64 // its file ID (inode), 0 where there is none; of a link: its target's
	dir  bool
	// unread is set in a second entry of a folder that could not be read completely: known files in it may still be there.
	unread error
}

// readAtOnce is how many names of a folder are read at a time.
const readAtOnce = 512

// scan calls each for every file that counts and every folder that is scanned below the folder named below ("": the root). That one itself is only
// reported as unread. A folder is reported before it is read, so that it can be watched first. scan may block for as long as the disk does.
//
// The error is each's, ctx's, or a *Problem if the folder named below can't be read completely: known files that were not reported may then still be
// there. A folder further down that can't be read is skipped, and reported with unread set.
func scan(ctx context.Context, r rules, below string, each func(entry) error) error {
	s := &scanner{rules: r, own: statAll(r.own), each: each}
	top := entry{name: below, dir: true}
	if below != "" {
		found, counts, err := s.stat(below)
		if err != nil {
			return problemOf(r.path(below), err)
		}
		if !counts || !found.dir {
			return nil
		}
		top = found
	}
	if err := s.read(ctx, top); err != nil {
		return s.outcome(ctx, below, err)
	}
	for len(s.pending) > 0 {
		e := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		if err := each(e); err != nil {
			return err
		}
		err := s.read(ctx, e)
		if err == nil || isGone(err) {
			continue
		}
		var problem *Problem
		if err = s.outcome(ctx, e.name, err); !errors.As(err, &problem) {
			return err
		}
		e.unread = problem
		if err := each(e); err != nil {
			return err
		}
	}
	return nil
}

// outcome is the error of a scan: each's and ctx's as they are, the disk's as a *Problem.
func (s *scanner) outcome(ctx context.Context, name string, err error) error {
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return refused.error
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return problemOf(s.path(name), err)
	}
}

// List calls each for every file that counts in the folder now; it reads no contents. The error is each's, ctx's, or a *Problem if the folder itself
// can't be read or a pattern is malformed; folders in it that can't be read are skipped.
func List(ctx context.Context, f Folder, own []string, each func(Known) error) error {
	r, err := newRules(f.Path, f, own)
	if err != nil {
		return err
	}
	return scan(ctx, r, "", func(e entry) error {
		if e.dir {
			return nil
		}
		return each(Known{Name: e.name, Size: e.size, Time: e.time, File: e.file})
	})
}

// scanner is one pass over a folder.
type scanner struct {
	rules
	own     []fs.FileInfo
	pending []entry // folders to scan, found so far
	each    func(entry) error
	real    string // the root's path without symbolic links; "" until it is needed
}

// refusedError wraps an error that each has returned.
type refusedError struct{ error }

// read reports the files in one folder and queues its folders. If a name can't be examined, the folder is reported as unread; if none can, that is an
// error.
func (s *scanner) read(ctx context.Context, folder entry) error {
	f, err := openFolder(s.path(folder.name), folder.name == "")
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	seen, before := 0, ""
	if folder.name != "" {
		before = folder.name + string(filepath.Separator)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := f.ReadDir(readAtOnce)
		for _, d := range found {
			e, counts, err := s.weigh(f, before+d.Name(), d)
			if err != nil && !isGone(err) {
				folder.unread = err
				continue
			}
			seen++
			switch {
			case err != nil || !counts:
			case e.dir:
				s.pending = append(s.pending, e)
			default:
				if err := s.each(e); err != nil {
					return &refusedError{err}
				}
			}
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		if folder.unread == nil {
			return nil
		}
		if seen == 0 {
			return folder.unread
		}
		if err := s.each(folder); err != nil {
			return &refusedError{err}
		}
		return nil
	}
}

// weigh examines a name; in is its open folder, or nil. The error is the disk's.
func (s *scanner) weigh(in *os.File, name string, d fs.DirEntry) (e entry, counts bool, err error) {
	switch kind := d.Type(); {
	case kind.IsDir():
		counts = s.subfolders && s.folderName(d.Name())
	case kind.IsRegular(), kind&fs.ModeSymlink != 0:
		counts = s.fileName(d.Name())
	}
	if !counts {
		return entry{}, false, nil
	}
	if e, ok := regularIn(in, d); ok {
		e.name = name
		return e, e.size > 0, nil
	}
	info, err := d.Info()
	if err != nil {
		return entry{}, false, err
	}
	if hidden(info) {
		return entry{}, false, nil
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = s.follow(name); info == nil {
			return entry{}, false, err
		}
	}
	e = entry{name: name, size: info.Size(), time: info.ModTime().UnixNano(), file: fileNumber(info), dir: info.IsDir()}
	if e.dir {
		return e, d.IsDir() && !s.isOwn(info), nil
	}
	return e, info.Mode().IsRegular() && e.size > 0, nil
}

func (s *scanner) isOwn(folder fs.FileInfo) bool {
	for _, own := range s.own {
		if os.SameFile(own, folder) {
			return true
		}
	}
	return false
}

// statAll returns the file infos of the folders that exist.
func statAll(paths []string) []fs.FileInfo {
	var all []fs.FileInfo
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			all = append(all, info)
		}
	}
	return all
}

// stat examines one path, by its name below the root. counts is false if it is neither a file that counts nor a folder that is scanned; e is then not
// valid. The error wraps fs.ErrNotExist if nothing is there. It may block for as long as the disk does.
func stat(r rules, name string) (e entry, counts bool, err error) {
	s := scanner{rules: r}
	if strings.ContainsRune(name, filepath.Separator) || name == "" {
		s.own = statAll(r.own)
	}
	return s.stat(name)
}

func (s *scanner) stat(name string) (e entry, counts bool, err error) {
	if name == "" {
		info, err := os.Stat(s.root)
		if err != nil {
			return entry{}, false, err
		}
		e := entry{time: info.ModTime().UnixNano(), file: fileNumber(info), dir: info.IsDir()}
		return e, e.dir && !s.isOwn(info), nil
	}
	if through, err := s.through(name); !through {
		return entry{}, false, err
	}
	info, err := os.Lstat(s.path(name))
	if err != nil {
		if isGone(err) {
			err = &fs.PathError{Op: "look", Path: s.path(name), Err: fs.ErrNotExist}
		}
		return entry{}, false, err
	}
	if info.IsDir() && s.own == nil {
		s.own = statAll(s.rules.own)
	}
	return s.weigh(nil, name, fs.FileInfoToDirEntry(info))
}

// through reports whether every folder on the way to a name is scanned. A symbolic link is not: what is below it may be outside the root.
func (s *scanner) through(name string) (bool, error) {
	for i := 0; i < len(name); i++ {
		if !os.IsPathSeparator(name[i]) {
			continue
		}
		way := name[:i]
		if !s.subfolders || !s.folderName(filepath.Base(way)) {
			return false, nil
		}
		info, err := os.Lstat(s.path(way))
		if isGone(err) {
			return false, &fs.PathError{Op: "look", Path: s.path(name), Err: fs.ErrNotExist}
		}
		if err != nil {
			return false, err
		}
		if !info.IsDir() || hidden(info) || s.isOwn(info) {
			return false, nil
		}
	}
	return true, nil
}

// follow returns the regular file that a link leads to, or nil: if there is none, if it is outside the root, and if its own name never counts, such
// as that of a download under way. The patterns are for the link's name.
func (s *scanner) follow(name string) (fs.FileInfo, error) {
	target, err := filepath.EvalSymlinks(s.path(name))
	if err != nil {
		return nil, unlessLost(err)
	}
	if s.real == "" {
		if s.real, err = filepath.EvalSymlinks(s.root); err != nil {
			return nil, err
		}
	}
	within, err := filepath.Rel(s.real, target)
	if err != nil || !filepath.IsLocal(within) {
		return nil, nil //nolint:nilerr // it is on another volume
	}
	there := scanner{rules: rules{root: s.real, subfolders: true, own: s.rules.own}, own: statAll(s.rules.own)}
	if through, err := there.through(within); !through || never(filepath.Base(within)) {
		return nil, unlessLost(err)
	}
	info, err := os.Lstat(target)
	if err != nil || !info.Mode().IsRegular() || hidden(info) {
		return nil, unlessLost(err)
	}
	return info, nil
}

// isGone reports whether an error means that nothing of this name is there.
func isGone(err error) bool {
	return !notAnswering(err) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP))
}

// unlessLost is nil for the error of a link that leads nowhere or round in a circle, which is no fault. filepath.EvalSymlinks has no error of its own
// for a circle, so that every error counts as one that is not the disk's.
func unlessLost(err error) error {
	var number syscall.Errno
	if isGone(err) || !errors.As(err, &number) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
