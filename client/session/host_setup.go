package command

import (
	"context"
	"path/filepath"

	"assay/client/ipc"
	"assay/client/keys"
)

// setupFolder is held by the window of the first run, so that there is one.
func setupFolder(home string) string { return filepath.Join(home, "setup") }

// handleSetup answers later starts while no service is chosen.
func (h *Host) handleSetup(ctx context.Context, r ipc.Request, answer func(any) error) error {
	switch r.Op {
	case opOpen:
		if at := h.keepForLater(r.Given); at != nil { // chosen since that start looked
			return at.desk.handle(ctx, r, answer)
		}
		replace(h.raised, []string(r.Given))
		return answer(openAnswer{Later: len(r.Given)})
	}
	return otherVersion()
}

// keepForLater keeps what was given until there is a session; where there is one by now, it returns that.
func (h *Host) keepForLater(given []string) *place {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == nil {
		h.waiting = append(h.waiting, given...)
	}
	return h.at
}

// keyJob is what `assay key` tells the window, whose answer is a keyAnswer. Neither holds a key.
type keyJob struct {
	Address string `json:"address"`
}

// keyAnswer says whether the window has read the keychain anew.
type keyAnswer struct {
	Read bool `json:"read"`
}

// readKey reads a service's key from the keychain anew, and reports whether that was answered, also that there is none any more.
func (h *Host) readKey(ctx context.Context, address string) bool {
	err := h.ring.Load(ctx, address)
	if keys.IsProblem(err, keys.Missing) {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("the key could not be read anew", "error", err)
	}
	return err == nil
}
