package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockName  = "settings.lock"
	lockWait  = 3 * time.Second // another process has it for as long as it takes to write a small file
	lockAgain = 5 * time.Millisecond
)

// errBusy is for a file that another process has held for longer than a change takes.
var errBusy = errors.New("another process is changing the settings")

// hold keeps other processes from changing the file until it is let go. Where there can be no lock, as on some network disks, nothing is
// held. The error is errBusy.
func (f *file) hold() (letGo func(), err error) {
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
