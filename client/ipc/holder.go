// Package ipc lets only one process at a time work in a folder of Assay's: it has the lock, and a local HTTP interface on a socket, by which later
// starts ask the process that holds the folder to do what they want. It imports the standard library, gofrs/flock, and bounded, i18n and wait.
package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"assay/client/wait"
)

// The files that this package keeps in a folder.
const (
	lockName    = "lock"    // the system holds the lock for as long as the process lives; the file stays for ever
	addressName = "address" // where the holder listens
	socketName  = "socket"
)

// ErrHeld means that another process has the folder.
var ErrHeld = errors.New("another start of Assay is using this folder")

// Holder is the one process that works in a folder. Its methods may be called on any goroutine.
type Holder struct {
	dir  string
	lock *flock.Flock

	mu     sync.Mutex
	closed bool
	server *server // nil while no calls are answered
}

// Take makes this process the holder of dir, which it makes, private to the user, if it is missing. If another process holds it, the error is
// ErrHeld. The system releases the lock when the process ends, even if it is killed.
func Take(ctx context.Context, dir string) (*Holder, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the folder: %w", err)
	}
	if !locked {
		return nil, ErrHeld
	}
	if alive(ctx, dir) {
		return nil, errors.Join(ErrHeld, lock.Unlock())
	}
	return &Holder{dir: dir, lock: lock}, nil
}

// Used reports whether dir is a folder that some process has held.
func Used(dir string) bool {
	facts, err := os.Lstat(filepath.Join(dir, lockName))
	return err == nil && facts.Mode().IsRegular()
}

// alive reports whether a process listens where the folder's last holder did. We have the lock, so none should: someone has then deleted the lock
// file of a live holder, and two processes must not work in one folder.
func alive(ctx context.Context, dir string) bool {
	conn, err := dial(ctx, dir)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}

// Serve listens for later starts until StopServing, Close or the end of ctx, and returns as soon as it listens. Each call is handled on a goroutine
// of its own. After StopServing it may be called again.
func (h *Holder) Serve(ctx context.Context, handle Handle) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || h.server != nil {
		return errors.New("a holder serves one handler at a time, before it is closed")
	}
	listener, err := listen(ctx, h.dir)
	if err != nil {
		return fmt.Errorf("listen for other starts: %w", err)
	}
	socket := listener.Addr().String()
	if err := writeAddress(h.dir, socket); err != nil {
		return errors.Join(fmt.Errorf("say where to call: %w", err), listener.Close())
	}
	h.server = startServer(ctx, listener, handle)
	return nil
}

// StopServing ends all calls, waits for them, and removes the socket. The folder is still held, and later starts wait. A process calls it before it
// closes what its handler uses, and then Close.
func (h *Holder) StopServing() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopServing()
}

func (h *Holder) stopServing() {
	if h.server == nil {
		return
	}
	h.server.close()
	removeSocket(h.dir, h.server.listener.Addr().String())
	h.server = nil
}

// Close calls StopServing and releases the folder.
func (h *Holder) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.stopServing()
	h.closed = true
	if err := h.lock.Unlock(); err != nil {
		return fmt.Errorf("give the folder free: %w", err)
	}
	return nil
}

const (
	pollPause    = 50 * time.Millisecond
	takePatience = 10 * time.Second // for the process that has the lock to serve, or to end
	wayPatience  = 3 * time.Second  // for another process to take the folder that this one has released
)

// Start is a start of Assay that becomes the holder of a folder, or sends its request to the one there is.
type Start struct {
	Dir     string
	Request Request
	Each    func(json.RawMessage) error // gets the holder's answers
	// GiveWay lets another process take the folder first, for a moment: for a process that has just released it because another wants it, or whose
	// holder was lost.
	GiveWay bool
	Wait    Wait // between two attempts; nil means a timer
}

// Wait lets time pass: it returns after d, or earlier with ctx's error.
type Wait func(ctx context.Context, d time.Duration) error

// TakeOrCall returns a Holder if this process has become the holder, and nil if another one has handled the request. Of several starts at the same
// time exactly one becomes the holder; the others wait until it serves. If a holder dies before it has begun with the request, another start takes
// its place. If it had begun, the error is ErrLost: only the caller knows whether it may ask again.
func TakeOrCall(ctx context.Context, s Start) (*Holder, error) {
	if s.Wait == nil {
		s.Wait = wait.For
	}
	for waited := time.Duration(0); waited < takePatience; waited += pollPause {
		if !s.GiveWay || waited >= wayPatience {
			h, err := Take(ctx, s.Dir)
			if err == nil {
				return h, nil
			}
			if !errors.Is(err, ErrHeld) {
				return nil, err
			}
		}
		if err := Call(ctx, s.Dir, s.Request, s.Each); !errors.Is(err, ErrNotServing) {
			return nil, err
		}
		if err := s.Wait(ctx, pollPause); err != nil {
			return nil, err
		}
	}
	return nil, ErrSilent
}
