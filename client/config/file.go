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
	largest   = 1 << 20 // bytes that a settings file may have
)

// staleAfter is how old a half-written file is that nobody writes any more.
const staleAfter = time.Hour

// file is the person's settings on the disk. Config's lock guards it.
type file struct {
	dir      string // "": kept in memory alone
	now      func() time.Time
	rename   func(from, to string) error
	wait     time.Duration // for other processes
	document document      // as last read or written
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

// read takes in the file, and says as what a broken one was set aside; what was last read holds on then. An error is of a file that is
// there and can be neither read nor set aside.
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

// setAside gives a broken file a name of its own, which it returns.
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

// write has the disk hold t, all of it or nothing, whatever happens meanwhile.
func (f *file) write(t document) error {
	if f.dir != "" {
		content, err := t.text()
		if err != nil {
			return err
		}
		if len(content) > largest {
			return &bounded.Refusal{Most: largest} // it could not be read again
		}
		if err := durable.WriteFile(f.path(), content, durable.Options{Temp: tempNames, Rename: f.rename}); err != nil {
			return err
		}
	}
	f.document = t
	return nil
}

// sweep removes what a crash left half-written, but nothing that another process may be writing now.
func (f *file) sweep() {
	if f.dir == "" {
		return
	}
	for _, pattern := range []string{tempNames, stateTempNames} {
		left, _ := filepath.Glob(filepath.Join(f.dir, pattern)) // where the folder's own name reads as a pattern, what is left stays
		for _, path := range left {
			if facts, err := os.Lstat(path); err == nil && f.now().Sub(facts.ModTime()) > staleAfter {
				_ = os.Remove(path) // next time, then
			}
		}
	}
}

const (
	lockName  = "settings.lock"
	lockWait  = 3 * time.Second // another process has it for as long as it takes to write a small file
	lockAgain = 5 * time.Millisecond
)

// errBusy is for a file that another process has held for longer than a change takes.
var errBusy = errors.New("another process is changing the settings")

// lock keeps other processes from changing the file until unlock is called. Where there can be no lock, as on some network disks, nothing is
// held. The error is errBusy.
func (f *file) lock() (unlock func(), err error) {
	if f.dir == "" {
		return func() {}, nil
	}
	_ = os.MkdirAll(f.dir, 0o700) // writing says what is wrong
	ctx, cancel := context.WithTimeout(context.Background(), f.wait)
	defer cancel()
	lock := flock.New(filepath.Join(f.dir, lockName), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockAgain); errors.Is(err, context.DeadlineExceeded) {
		return nil, errBusy
	}
	return func() { _ = lock.Close() }, nil // the system gives it back in any case
}
