package session

import (
	"context"

	"assay/client/events"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/keys"
	"assay/client/wait"
)

// Begin opens the first session, or the first run. If a window is open already, that one has accepted what was given, and its answer is returned.
func (h *Host) Begin(ctx context.Context, given []string) (there *OpenAnswer, err error) {
	for {
		var again bool
		if !decided(h.Config.Settings().Service) {
			there, again, err = h.beginFirstRun(ctx, given)
		} else {
			there, err = h.beginSession(ctx, given)
		}
		if !again || err != nil {
			return there, err
		}
	}
}

func (h *Host) beginSession(ctx context.Context, given []string) (*OpenAnswer, error) {
	h.opening.Lock()
	defer h.opening.Unlock()
	from, err := h.windowService(h.Config.Settings().Service)
	if err != nil {
		return nil, misuse(err)
	}
	if !from.Sandbox {
		h.Keys.GiveEnvironment(from.Client.Address())
	}
	holder, there, err := HoldForWindow(ctx, from.Folder, given, wait.For)
	if holder == nil {
		from.Close()
		return &there, err
	}
	if err := h.openIn(ctx, from, holder); err != nil {
		h.free(holder)
		return nil, err
	}
	if there.Followed != "" {
		h.Session().say(i18n.M("Assay %s was open. It has closed, and this newer Assay goes on with its submissions.", there.Followed))
	}
	return nil, nil
}

// beginFirstRun lets the window open without a session. again reports that another process has chosen a service meanwhile.
func (h *Host) beginFirstRun(ctx context.Context, given []string) (there *OpenAnswer, again bool, err error) {
	holder, other, err := HoldForWindow(ctx, setupFolder(h.Home), given, wait.For)
	if holder == nil {
		return &other, false, err
	}
	if err := h.Config.Reload(); err != nil {
		h.Log.Warn("read the settings again", "error", err)
	}
	if decided(h.Config.Settings().Service) {
		h.free(holder)
		return nil, true, nil
	}
	h.file.open(setupFolder(h.Home), h.Log)
	h.mu.Lock()
	h.setup, h.waiting = holder, given
	h.mu.Unlock()
	if err := holder.Serve(h.ctx, h.setupHandler()); err != nil {
		h.Log.Warn("later starts can't be served", "error", err)
	}
	return nil, false, nil
}

// setupHandler answers later starts as long as no service is chosen: as an endpoint does whose session never opens.
func (h *Host) setupHandler() ipc.Handle {
	e := h.newEndpoint()
	return func(ctx context.Context, r ipc.Request, answer func(any) error) error {
		if r.Op == string(OpLeave) || r.Op == string(OpFront) || e.leaving.Load() {
			return e.Handle(ctx, r, answer)
		}
		return h.handleSetup(ctx, r, answer)
	}
}

// handleSetup answers what is asked of the first run.
func (h *Host) handleSetup(ctx context.Context, r ipc.Request, answer func(any) error) error {
	if r.Op != string(OpOpen) {
		return ipc.OtherVersion()
	}
	return OpOpen.Handle(func(ctx context.Context, given ipc.Paths, answerOpen func(OpenAnswer) error) error {
		if at := h.keepForLater(given); at != nil { // chosen since handleSetup was called
			return at.endpoint.Handle(ctx, r, answer)
		}
		h.Events.Publish(events.Event{Topic: events.Handed})
		return answerOpen(OpenAnswer{Later: len(given)})
	})(ctx, r, answer)
}

// keepForLater keeps what was given until there is a session; if there is one by now, it returns that.
func (h *Host) keepForLater(given []string) *openSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.waiting = append(h.waiting, given...)
	}
	return h.open
}

// Take takes what the system hands to this window, as if a later start had brought it: macOS sends the window an event. It blocks.
func (h *Host) Take(ctx context.Context, given []string) error {
	at := h.keepForLater(given)
	if at == nil {
		h.Events.Publish(events.Event{Topic: events.Handed})
		return nil
	}
	select {
	case <-at.endpoint.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	return at.endpoint.openWindow(ctx, given, func(OpenAnswer) error { return nil })
}

// readKey reads a service's key from the keychain again, and reports whether the keychain answered, even if it has none.
func (h *Host) readKey(ctx context.Context, address string) bool {
	err := h.Keys.Load(ctx, address)
	if keys.IsProblem(err, keys.Missing) {
		err = nil
	}
	if err != nil && ctx.Err() == nil {
		h.Log.Warn("the key could not be read again", "error", err)
	}
	return err == nil
}
