package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// look looks at one path, by its name below the root. counts is false where it is no file that counts and no folder that is
// looked into; then e says nothing. The error wraps fs.ErrNotExist where nothing is there. It may block for as long as the
// disk does.
func look(r rules, name string) (e entry, counts bool, err error) {
	s := scanner{rules: r}
	if strings.ContainsRune(name, filepath.Separator) || name == "" {
		s.own = statAll(r.own)
	}
	return s.look(name)
}

func (s *scanner) look(name string) (e entry, counts bool, err error) {
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
	return s.weigh(name, fs.FileInfoToDirEntry(info))
}

// through says that every folder on the way to a name is looked into. A link is not: whatever a name beneath it leads to
// may lie outside.
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

// follow describes the regular file that a link leads to, or gives nil: where there is none, where it lies outside the root,
// and where it is passed over itself, such as a download that is under way. The patterns do not ask for its name, but for the
// link's.
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
		return nil, nil //nolint:nilerr // on another volume
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

// isGone says that nothing is there, under this name.
func isGone(err error) bool {
	return !notAnswering(err) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP))
}

// unlessLost is nil for the error of a link that leads nowhere, or round in a circle: that is how it is, and no fault.
// filepath.EvalSymlinks has no error of its own for the circle, so that everything counts as such that the disk is not at
// fault for.
func unlessLost(err error) error {
	var number syscall.Errno
	if isGone(err) || !errors.As(err, &number) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
