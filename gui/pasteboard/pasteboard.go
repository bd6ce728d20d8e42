// Package pasteboard reads what another program has copied: a picture, files, or text. It imports the standard library,
// client/address, client/bounded and what the systems' clipboards need.
package pasteboard

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits of a read. The program that copied may be slow, or gone.
const (
	patience  = 3 * time.Second
	mostBytes = 128 << 20
)

// Errors of Read.
var (
	ErrUnreachable = errors.New("the clipboard can't be reached")
	ErrSlow        = errors.New("the program that copied does not hand it over")
	ErrTooLarge    = errors.New("what was copied is too large to paste")
	ErrNoReader    = errors.New("the program that reads the clipboard of Wayland is not installed")
)

// Content is what was copied; if it has several forms, the one that tells most: files before a picture before text.
type Content struct {
	Paths   []string // of files and folders, absolute
	Picture []byte   // PNG
	Text    string
}

// reading allows one read at a time: on some systems two at once would take each other's answers.
var reading sync.Mutex

// Read returns what was copied, empty where nothing was; onWayland says that the window that asks is in a Wayland session. It takes three seconds at
// most, and belongs on a worker. An error is ctx's, or wraps one of this package's.
func Read(ctx context.Context, onWayland bool) (Content, error) {
	reading.Lock()
	defer reading.Unlock()
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	content, err := read(limited, onWayland)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = ErrSlow
	}
	return content, err
}
