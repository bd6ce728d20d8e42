//go:build linux

package watch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// scriptWriter is a program that writes a file. By Linux's rules it keeps the file open; by the others', under which nobody can
// tell, it does not, so that this computer's being Linux is no help to the watcher.
type scriptWriter struct {
	file *os.File // nil: it is opened for each piece
	path string   // by now
}

// path is where a script's name lies: below the folder, or outside where it begins with "../outside".
func (s *stage) path(name string) string {
	return filepath.Join(s.root, name)
}

func (s *stage) tell(kind hintKind, path string) {
	if s.events != nil {
		s.events.tell(kind, path)
	}
}

func (s *stage) moved(from, to string) {
	if s.events != nil {
		s.events.moved(from, to)
	}
}

// stamp gives a path the clock's time, as a system does with each change, and a millisecond more each time: no two changes have
// the same time, though the clock stands still.
func (s *stage) stamp(path string) error {
	s.stamps++
	now := s.clock.Now().Add(time.Duration(s.stamps) * time.Millisecond)
	return os.Chtimes(path, now, now)
}

// content is size bytes that are the same for the same label, and different from every other's. No label is a new one.
func (s *stage) content(label string, size int) []byte {
	if label == "" {
		s.made++
		label = fmt.Sprintf("content %d", s.made)
	}
	bytes := make([]byte, size)
	_, _ = rand.NewChaCha8(sha256.Sum256([]byte(label))).Read(bytes) // never fails
	return bytes
}

// openWriter opens a file for writing, and makes it where it is not there.
func (s *stage) openWriter(path string, flags int) (*scriptWriter, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flags, 0o644) //nolint:gosec // a script may be played as another user
	if err != nil {
		return nil, err
	}
	w := &scriptWriter{file: file, path: path}
	if !s.rules.closes {
		err = file.Close()
		w.file = nil
	}
	s.tell(changed, path)
	return w, err
}

func (s *stage) append(w *scriptWriter, content []byte, at int64) error {
	file := w.file
	if file == nil {
		var err error
		if file, err = os.OpenFile(w.path, os.O_WRONLY, 0); err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // what was written is compared
	}
	if at < 0 {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		at = info.Size()
	}
	if _, err := file.WriteAt(content, at); err != nil {
		return err
	}
	if err := s.stamp(w.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.tell(changed, w.path)
	return nil
}

// closeWriter ends a writer: what stands there now is complete, unless somebody else writes still.
func (s *stage) closeWriter(w *scriptWriter) error {
	alone := true
	for _, other := range s.writers {
		alone = alone && (other == w || other.path != w.path)
	}
	if info, err := os.Lstat(w.path); alone && err == nil && info.Mode().IsRegular() {
		if err := s.finish(w.path); err != nil {
			return err
		}
	}
	if w.file == nil {
		return nil
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	s.tell(closed, w.path)
	return nil
}

// finish records a file's content as complete.
func (s *stage) finish(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished[sha256.Sum256(content)] = path
	return nil
}

// write writes a whole file, or at an offset of one; -1 is its end.
func (s *stage) write(path string, content []byte, flags int, at int64) error {
	w, err := s.openWriter(path, flags)
	if err != nil {
		return err
	}
	return errors.Join(s.append(w, content, at), s.closeWriter(w))
}

// prepare writes a whole file where nobody looks.
func (s *stage) prepare(content []byte) (path string, err error) {
	s.made++
	path = filepath.Join(s.outside, fmt.Sprintf("prepared-%d", s.made))
	return path, s.write(path, content, os.O_EXCL, 0)
}

func (s *stage) rename(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	for _, w := range s.writers {
		if rest, below := strings.CutPrefix(w.path, from); below {
			w.path = to + rest
		}
	}
	s.tell(left, from)
	s.tell(arrived, to)
	if info.IsDir() {
		s.moved(from, to)
	}
	return nil
}

// remove removes a file, or a folder with all in it.
func (s *stage) remove(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := s.remove(filepath.Join(path, entry.Name())); err != nil {
				return err
			}
		}
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	s.tell(left, path)
	if info.IsDir() {
		s.moved(path, "")
	}
	return nil
}

// appeared tells of something new that is no file which somebody writes.
func (s *stage) appeared(path string, err error) error {
	if err != nil {
		return err
	}
	s.tell(changed, path)
	return nil
}

func (s *stage) mkdir(path string) error {
	return s.appeared(path, os.Mkdir(path, 0o755)) //nolint:gosec // a script may be played as another user
}

func (s *stage) pipe(path string) error {
	return s.appeared(path, unix.Mkfifo(path, 0o644))
}

func (s *stage) socket(path string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	return s.appeared(path, errors.Join(unix.Bind(fd, &unix.SockaddrUnix{Name: path}), unix.Close(fd)))
}

// sized reads "NAME SIZE [as LABEL]".
func (s *stage) sized(args []string) (path string, content []byte, err error) {
	size := 100
	if len(args) > 1 {
		if size, err = strconv.Atoi(args[1]); err != nil {
			return "", nil, err
		}
	}
	label := ""
	if len(args) == 4 && args[2] == "as" {
		label = args[3]
	}
	return s.path(args[0]), s.content(label, size), nil
}

func stepWrite(s *stage, args []string) error {
	path, content, err := s.sized(args)
	if err != nil {
		return err
	}
	return s.write(path, content, os.O_TRUNC, 0)
}

func stepOpen(s *stage, args []string) error {
	w, err := s.openWriter(s.path(args[0]), os.O_TRUNC)
	if err != nil {
		return err
	}
	s.writers[args[0]] = w
	return nil
}

// stepOpenAgain opens a file that is there already, for one more writer, whom "as" names.
func stepOpenAgain(s *stage, args []string) error {
	w, err := s.openWriter(s.path(args[0]), 0)
	if err != nil {
		return err
	}
	s.writers[args[len(args)-1]] = w
	return nil
}

func stepAppend(s *stage, args []string) error {
	path, content, err := s.sized(args)
	if err != nil {
		return err
	}
	if w := s.writers[args[0]]; w != nil {
		return s.append(w, content, -1)
	}
	return s.write(path, content, 0, -1)
}

func stepClose(s *stage, args []string) error {
	w := s.writers[args[0]]
	if w == nil {
		return fmt.Errorf("%q is not open", args[0])
	}
	delete(s.writers, args[0])
	return s.closeWriter(w)
}

func stepRewrite(s *stage, args []string) error {
	info, err := os.Stat(s.path(args[0]))
	if err != nil {
		return err
	}
	return s.write(s.path(args[0]), s.content("", int(info.Size())), 0, 0)
}

// stepRewriteDatedBack writes other bytes, and leaves the size and the time as they were.
func stepRewriteDatedBack(s *stage, args []string) error {
	path := s.path(args[0])
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	w, err := s.openWriter(path, 0)
	if err != nil {
		return err
	}
	return errors.Join(s.append(w, s.content("", int(info.Size())), 0), os.Chtimes(path, info.ModTime(), info.ModTime()), s.closeWriter(w))
}

func stepRewriteSame(s *stage, args []string) error {
	content, err := os.ReadFile(s.path(args[0]))
	if err != nil {
		return err
	}
	return s.write(s.path(args[0]), content, os.O_TRUNC, 0)
}

func stepCopy(s *stage, args []string) error {
	content, err := os.ReadFile(s.path(args[0]))
	if err != nil {
		return err
	}
	return s.write(s.path(args[1]), content, os.O_TRUNC, 0)
}

func stepMoveIn(s *stage, args []string) error {
	path, content, err := s.sized(args)
	if err != nil {
		return err
	}
	from, err := s.prepare(content)
	if err != nil {
		return err
	}
	return s.rename(from, path)
}

func stepMoveOut(s *stage, args []string) error {
	s.made++
	return s.rename(s.path(args[0]), filepath.Join(s.outside, fmt.Sprintf("moved-%d", s.made)))
}

func stepMoveInDir(s *stage, args []string) error {
	s.made++
	dir := filepath.Join(s.outside, fmt.Sprintf("prepared-%d", s.made))
	if err := s.mkdir(dir); err != nil {
		return err
	}
	for _, name := range args[1:] {
		if err := s.write(filepath.Join(dir, name), s.content("", 100), os.O_EXCL, 0); err != nil {
			return err
		}
	}
	return s.rename(dir, s.path(args[0]))
}

func stepTouch(s *stage, args []string) error {
	if err := s.stamp(s.path(args[0])); err != nil {
		return err
	}
	s.tell(changed, s.path(args[0]))
	return nil
}

// stepDate gives a file a time that lies d from the clock's.
func stepDate(s *stage, args []string) error {
	d, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	at := s.clock.Now().Add(d)
	return s.appeared(s.path(args[0]), os.Chtimes(s.path(args[0]), at, at))
}

func stepChmod(s *stage, args []string) error {
	mode, err := strconv.ParseUint(args[1], 8, 9)
	if err != nil {
		return err
	}
	return s.appeared(s.path(args[0]), os.Chmod(s.path(args[0]), os.FileMode(mode)))
}

// stepLink makes a hard link, from outside too: a file that is whole at once, and that nobody closes.
func stepLink(s *stage, args []string) error {
	return s.appeared(s.path(args[1]), os.Link(s.path(args[0]), s.path(args[1])))
}

// stepSymlink makes a link that says args[0], word for word.
func stepSymlink(s *stage, args []string) error {
	return s.appeared(s.path(args[1]), os.Symlink(args[0], s.path(args[1])))
}

// lock is how Windows refuses to read a file of which another process has locked a part.
func (s *stage) lock(name string, locked bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked[s.path(name)] = locked
	return nil
}

// during has a step done while a file is read, or taken over.
func (s *stage) during(steps map[string][]string, args []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	steps[s.path(args[0])] = args[1:]
	return nil
}

// mount puts a file system of its own on the folder, with what was in it when it was unmounted.
func (s *stage) mount() error {
	if err := unix.Mount("tmpfs", s.root, "tmpfs", 0, "size=16m"); err != nil {
		return err
	}
	s.mounted = true
	if _, err := os.Stat(s.aside); err != nil {
		return nil //nolint:nilerr // it was not mounted before
	}
	return errors.Join(copyTree(s.aside, s.root), os.RemoveAll(s.aside))
}

func (s *stage) unmount() error {
	if err := copyTree(s.root, s.aside); err != nil {
		return err
	}
	if err := unix.Unmount(s.root, 0); err != nil {
		return err
	}
	s.mounted = false
	s.moved(s.root, "")
	return nil
}

// copyTree copies files with their times, and folders.
func copyTree(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		source, target := filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())
		if entry.IsDir() {
			if err := copyTree(source, target); err != nil {
				return err
			}
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(target, content, 0o600), os.Chtimes(target, info.ModTime(), info.ModTime())); err != nil {
			return err
		}
	}
	return nil
}
