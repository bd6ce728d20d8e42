package session

import (
	"context"
	"errors"

	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/store"
	"assay/client/wait"
)

var errClosing = errors.New("the window closes")

// Open switches to the service that the settings name, and returns the session that is open afterwards, also with an error: the same one if nothing
// had to be closed, the earlier one opened again if the other could not be opened, nil in the first run. With an error, the settings are set back to
// what is open. It blocks until the work of the old session has ended.
func (h *Host) Open(ctx context.Context) (*Session, error) {
	h.opening.Lock()
	defer h.opening.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	before := h.current()
	if h.ctx.Err() != nil {
		return nil, errClosing
	}
	err := h.switchService(ctx, before)
	if err != nil {
		h.restoreSettings(before)
		return h.Session(), sentenced(err)
	}
	h.acceptWaiting()
	return h.Session(), nil
}

// switchService closes the open session only once this process holds the other folder.
func (h *Host) switchService(ctx context.Context, before *openSession) error {
	from, holder, err := h.hold(ctx, before)
	if err != nil || from == nil {
		return err
	}
	if before != nil {
		h.mu.Lock()
		h.open = nil
		h.mu.Unlock()
		h.closeSession(before)
	}
	err = h.openIn(ctx, from, holder)
	switch {
	case err == nil && before != nil && holder != before.holder:
		h.free(before.holder)
		return nil
	case err == nil:
		return nil
	}
	if before == nil {
		h.file.open(setupFolder(h.Home), h.Log)
		h.free(holder)
		return err
	}
	if holder != before.holder {
		h.free(holder)
	}
	if again := h.reopen(before); again != nil {
		h.free(before.holder)
		return errors.Join(err, again)
	}
	return err
}

// hold returns the service that the settings name and a hold on its folder; both are nil if that service is open as it is. It does not touch the open
// session.
func (h *Host) hold(ctx context.Context, before *openSession) (*Service, *ipc.Holder, error) {
	from, err := h.windowService(h.Config.Settings().Service)
	if err != nil {
		return nil, nil, err
	}
	if before != nil && before.from.Folder == from.Folder {
		if before.from.chosen.UploadPath == from.chosen.UploadPath {
			from.Close()
			return nil, nil, nil
		}
		return from, before.holder, nil
	}
	holder, _, err := HoldForWindow(ctx, from.Folder, nil, wait.For)
	if err == nil && holder == nil {
		err = &Problem{Text: i18n.T("Assay is open on that service in another window. Work there, or close it first.")}
	}
	if err != nil {
		from.Close()
		return nil, nil, err
	}
	return from, holder, nil
}

// windowService is the chosen service, which takes its key from the ring.
func (h *Host) windowService(chosen config.Service) (*Service, error) {
	if !decided(chosen) {
		return nil, &Problem{Text: i18n.T("No service is chosen yet.")}
	}
	n := h.network()
	s, err := h.service(chosen, n)
	if err != nil && n.Certificates != "" && h.Config.Origin("network.certificates") < config.ByEnvironment {
		// The window opens all the same, or nobody could choose another file: without the file, fewer certificates are trusted.
		warned := i18n.MessageOf(err, i18n.Verbatim(err.Error()))
		n.Certificates = ""
		if s, err = h.service(chosen, n); err == nil {
			s.warned = warned
		}
	}
	if err != nil || s.Sandbox {
		return s, err
	}
	s.window = newWindowKey(h.Base, s.Client.Address())
	return s, nil
}

// openIn opens the session of a service whose folder this process holds. With an error, only the hold is left.
func (h *Host) openIn(ctx context.Context, from *Service, holder *ipc.Holder) error {
	if err := store.CheckVersion(ctx, from.Folder); err != nil { // before anything is written there
		from.Close()
		return err
	}
	h.file.open(from.Folder, h.Log)
	at := &openSession{from: from, holder: holder, endpoint: h.newEndpoint(), closing: func() {}}
	if err := holder.Serve(h.ctx, at.endpoint.Handle); err != nil { // calls that come before the session is open wait
		h.Log.Warn("later starts can't be served", "error", err)
	}
	s, err := Open(ctx, from)
	if err == nil {
		at.session = s
		if err = s.Watch(ctx, false); err != nil {
			s.Close()
		}
	}
	if err != nil {
		holder.StopServing()
		return err
	}
	if from.window != nil {
		from.window.resume(s.Queue)
	}
	if h.params.Opened != nil {
		at.closing = h.params.Opened(s)
	}
	if !from.warned.IsZero() {
		s.say(from.warned)
	}
	at.endpoint.Raise = s.handOver
	h.mu.Lock()
	h.open = at
	h.mu.Unlock()
	at.endpoint.Open(s.Queue, from.SandboxAddress(), h.params.Operations(s))
	h.Events.Publish(events.Event{Topic: events.Settings}) // settings may have changed meanwhile
	return nil
}

// reopen opens the session again that was closed, even if the person does not wait for it any more.
func (h *Host) reopen(before *openSession) error {
	if h.ctx.Err() != nil {
		return errClosing
	}
	from, err := h.windowService(before.from.chosen)
	if err != nil {
		return err
	}
	return h.openIn(h.ctx, from, before.holder)
}

// restoreSettings sets the settings back to the service that is open, or to what was chosen at first.
func (h *Host) restoreSettings(before *openSession) {
	was := config.Service{}
	if before != nil {
		was = before.from.chosen
	}
	err := h.Config.Change(func(s *config.Settings) {
		if before == nil { // the first run goes on, and the address that was typed stays
			was = s.Service
			was.Use = config.Undecided
		}
		s.Service = was
	})
	if err != nil {
		h.Log.Warn("the settings name a service that is not open", "error", err)
	}
}

// acceptWaiting accepts what was given in the first run, and then passes later starts on to the session.
func (h *Host) acceptWaiting() {
	h.mu.Lock()
	given, at, setup := h.waiting, h.open, h.setup
	h.waiting, h.setup = nil, nil
	h.mu.Unlock()
	if at != nil && len(given) > 0 {
		handed, err := accept(h.ctx, at.session.Queue, given)
		if err != nil && h.ctx.Err() == nil {
			h.Log.Error("take what was given before there was a service", "error", err)
			at.session.say(i18n.M("Assay could not take everything that you added before it was set up. Add it again."))
		}
		at.session.handOver(handed)
	}
	if setup != nil {
		h.free(setup)
	}
}
