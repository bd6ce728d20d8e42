package command

import (
	"context"
	"io"
	"log/slog"

	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/wait"
)

// openWindow opens the window, unless one is open: then that one takes the files and links. printTo gets a line for each
// item that ends; nil: none.
func (f *flags) openWindow(ctx context.Context, given []string, window Window, printTo, stderr io.Writer) error {
	h, err := f.newHost(ctx, printTo, stderr)
	if err != nil {
		return err
	}
	defer h.close()
	there, err := h.begin(ctx, given)
	if err != nil {
		return err
	}
	if there != nil {
		say(stderr, there.sentence())
		return nil
	}
	if h.Session() == nil {
		given = nil // the host has them
	}
	return window(ctx, h, given)
}

// newHost reads the settings, and the key that the environment gives.
func (f *flags) newHost(ctx context.Context, printTo, stderr io.Writer) (*Host, error) {
	home, err := homeFolder(f.home)
	if err != nil {
		return nil, err
	}
	secrets := new(logs.Secrets)
	f.around.begin(home, secrets)
	log, err := newLog(f.logLevel, stderr, secrets)
	if err != nil {
		return nil, err
	}
	file := new(logFile)
	log = slog.New(slog.NewMultiHandler(log.Handler(), logs.New(file, slog.LevelInfo, secrets).Handler()))
	f.around.takeStandardLog(log)
	b, err := f.begin(home, log, secrets)
	if err != nil {
		return nil, err
	}
	key, err := environmentKey() // a window forgets it, lest the programs that it starts are told
	if err != nil {
		return nil, err
	}
	secrets.Add(key)
	b.ring = keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: f.keyBackend}), Environment: key, Patience: f.keyPatience, Log: b.log})
	return newHost(ctx, b, file, printTo), nil
}

// begin opens the first session, or the first run. Where a window is open, that has taken what was given, and its answer is returned.
func (h *Host) begin(ctx context.Context, given []string) (there *openAnswer, err error) {
	for {
		var again bool
		if !decided(h.Config().Settings().Service) {
			there, again, err = h.beginFirstRun(ctx, given)
		} else {
			there, err = h.beginSession(ctx, given)
		}
		if !again || err != nil {
			return there, err
		}
	}
}

func (h *Host) beginSession(ctx context.Context, given []string) (*openAnswer, error) {
	h.opening.Lock()
	defer h.opening.Unlock()
	from, err := h.windowService(h.Config().Settings().Service)
	if err != nil {
		return nil, misuse(err)
	}
	if !from.sandbox {
		h.ring.GiveEnvironment(from.client.Address())
	}
	holder, there, err := holdForWindow(ctx, from.folder, given, wait.For)
	if holder == nil {
		from.close()
		return &there, err
	}
	if err := h.openIn(ctx, from, holder); err != nil {
		h.free(holder)
		return nil, err
	}
	return nil, nil
}

// beginFirstRun lets the window open without a session. again says that a service was chosen meanwhile by another.
func (h *Host) beginFirstRun(ctx context.Context, given []string) (there *openAnswer, again bool, err error) {
	holder, other, err := holdForWindow(ctx, setupFolder(h.home), given, wait.For)
	if holder == nil {
		return &other, false, err
	}
	if err := h.Config().Reload(); err != nil {
		h.log.Warn("read the settings again", "error", err)
	}
	if decided(h.Config().Settings().Service) {
		h.free(holder)
		return nil, true, nil
	}
	h.file.open(setupFolder(h.home), h.log)
	h.mu.Lock()
	h.setup, h.waiting = holder, given
	h.mu.Unlock()
	if err := holder.Serve(h.ctx, h.handleSetup); err != nil {
		h.log.Warn("later starts can't be served", "error", err)
	}
	return nil, false, nil
}

// sentence says what a window that is open has made of this start.
func (a openAnswer) sentence() string {
	said := i18n.T("the window is open already.")
	switch {
	case a.Later > 0:
		said = i18n.N(a.Later, "the window that is open takes %s once Assay is set up.", "the window that is open takes %s once Assay is set up.")
	case a.Taken > 0:
		said = i18n.N(a.Taken, "the window that is open took %s.", "the window that is open took %s.")
	}
	if a.LeftOut != "" {
		said += " " + a.LeftOut
	}
	return said
}
