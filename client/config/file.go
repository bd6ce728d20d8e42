package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"assay/client/bounded"
	"assay/client/durable"
)

const (
	fileName  = "settings.json"
	tempNames = ".settings-*.tmp"
	largest   = 1 << 20 // the most bytes of a settings file
)

// staleAfter is how old a half-written file must be for nobody to be writing it any more.
const staleAfter = time.Hour

// file is the person's settings on disk. Config's lock guards it.
type file struct {
	dir      string // "": kept in memory alone
	now      func() time.Time
	rename   func(from, to string) error
	wait     time.Duration // for other processes
	document document      // as it was last read or written
}

func newFile(p Params) *file {
	f := &file{dir: p.Dir, now: p.Now, rename: p.rename, wait: p.wait}
	if f.rename == nil {
		f.rename = durable.Replace
	}
	if f.wait == 0 {
		f.wait = lockWait
	}
	return f
}

func (f *file) path() string { return filepath.Join(f.dir, fileName) }

// read reads the file. A broken one is set aside, and damaged is its new name; the document then stays as it was last read. An error means that the
// file is there and can be neither read nor set aside.
func (f *file) read() (damaged string, err error) {
	if f.dir == "" {
		return "", nil
	}
	content, err := bounded.ReadFile(f.path(), largest)
	if errors.Is(err, fs.ErrNotExist) {
		f.document = nil
		return "", nil
	}
	if err == nil {
		var read document
		if read, err = parse(content); err == nil {
			f.document = read
			return "", nil
		}
	} else if refused := (*bounded.Refusal)(nil); !errors.As(err, &refused) {
		return "", err
	}
	name, renamed := f.setAside()
	if renamed != nil {
		return "", errors.Join(err, renamed)
	}
	return name, nil
}

// setAside renames a broken file and returns its new name.
func (f *file) setAside() (string, error) {
	base := "settings-damaged-" + f.now().Format("20060102-150405")
	name := base + ".json"
	for n := 2; ; n++ {
		_, err := os.Lstat(filepath.Join(f.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s-%d.json", base, n)
	}
	if err := f.rename(f.path(), filepath.Join(f.dir, name)); err != nil {
		return "", err
	}
	return name, nil
}

// write replaces the file by t: all of it or nothing, whatever happens meanwhile.
func (f *file) write(t document) error {
	if f.dir != "" {
		content, err := t.text()
		if err != nil {
			return err
		}
		if len(content) > largest {
			return &bounded.Refusal{Most: largest} // it could not be read back
		}
		if err := durable.WriteFile(f.path(), content, durable.Options{Temp: tempNames, Rename: f.rename}); err != nil {
			return err
		}
	}
	f.document = t
	return nil
}

// sweep removes files that a crash left half-written, but none that another process may be writing now.
func (f *file) sweep() {
	if f.dir == "" {
		return
	}
	for _, pattern := range []string{tempNames, stateTempNames} {
		left, _ := filepath.Glob(filepath.Join(f.dir, pattern)) // if the folder's name reads as a pattern, they stay
		for _, path := range left {
			if facts, err := os.Lstat(path); err == nil && f.now().Sub(facts.ModTime()) > staleAfter {
				_ = os.Remove(path) // the next start tries again
			}
		}
	}
}

const (
	lockName  = "settings.lock"
	lockWait  = 3 * time.Second // writing a small file takes another process less
	lockAgain = 5 * time.Millisecond
)

// errBusy means that another process has held the file for longer than a change takes.
var errBusy = errors.New("another process is changing the settings")

// lock keeps other processes from changing the file until unlock is called. Where locks do not work, as on some network disks, it locks nothing. The
// error is errBusy.
func (f *file) lock() (unlock func(), err error) {
	if f.dir == "" {
		return func() {}, nil
	}
	_ = os.MkdirAll(f.dir, 0o700) // if this fails, so will writing, which says why
	ctx, cancel := context.WithTimeout(context.Background(), f.wait)
	defer cancel()
	lock := flock.New(filepath.Join(f.dir, lockName), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockAgain); errors.Is(err, context.DeadlineExceeded) {
		return nil, errBusy
	}
	return func() { _ = lock.Close() }, nil // closing releases it in any case
}
