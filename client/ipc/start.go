package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/client/wait"
)

const (
	pollPause    = 50 * time.Millisecond
	takePatience = 10 * time.Second // for a holder that has the lock to serve, or to be gone
	wayPatience  = 3 * time.Second  // for another process to take a folder that this one gave free
)

// Start is a start of Assay that becomes the holder of a folder, or hands its request to the holder there is.
type Start struct {
	Dir     string
	Request Request
	Each    func(json.RawMessage) error // gets the holder's answers
	// GiveWay leaves the folder to another process for a moment before taking it: for one that has just given it free
	// because another wants it, or has lost its holder.
	GiveWay bool
	// Wait returns after d, or earlier with ctx's error. It is how time passes between two tries; nil means a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// TakeOrCall returns the Holder where this process is the holder now, and nil where another one has handled the request.
// Of starts at the same time exactly one becomes the holder; the others wait until it serves. Where a holder dies before it
// has begun with the request, another start takes its place. What was begun and did not end is ErrLost: the caller knows
// whether to ask again.
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
