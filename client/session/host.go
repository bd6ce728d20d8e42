package command

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"sync"

	"assay/client"
	"assay/client/config"
	"assay/client/desktop"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/keys"
)

// Host has the session that the window works with: none in the first run, another one after the service was changed. Its methods are
// safe on any goroutine.
type Host struct {
	*base
	file    *logFile
	printTo io.Writer // gets a line for each item that ends; nil: none
	raised  chan []string
	changed chan struct{} // receives after the settings have changed, or the session

	ctx        context.Context // ends with the window
	stop       context.CancelFunc
	background sync.WaitGroup

	opening sync.Mutex // held while a session opens or closes

	mu      sync.Mutex // guards what follows
	at      *place     // nil: the first run
	setup   *ipc.Holder
	waiting []string // what was given in the first run
}

// place is an open session in its folder.
type place struct {
	from    *service
	holder  *ipc.Holder
	session *Session
	desk    *desk
	quiet   func() // ends the printing
}

func newHost(ctx context.Context, b *base, file *logFile, printTo io.Writer) *Host {
	h := &Host{base: b, file: file, printTo: printTo, raised: make(chan []string, 1), changed: make(chan struct{}, 1)}
	h.ctx, h.stop = context.WithCancel(ctx)
	unwatch := h.config.Watch(func(config.Settings, config.Settings) { replace(h.changed, struct{}{}) })
	h.background.Go(func() {
		defer unwatch()
		h.followSettings()
	})
	return h
}

// Config has the settings.
func (h *Host) Config() *config.Config { return h.config }

// Keys has the keys, for this window.
func (h *Host) Keys() *keys.Ring { return h.ring }

// Log is where the window logs.
func (h *Host) Log() *slog.Logger { return h.log }

// Home is the folder of everything that Assay keeps.
func (h *Host) Home() string { return h.home }

// Entries are this program's in the person's desktop; every start by one works with the same home.
func (h *Host) Entries() desktop.Entries {
	program, err := desktop.Program(nil)
	if err != nil {
		h.log.Warn("where this program lies is not known", "error", err) // and it can't have entries
	}
	e := desktop.Entries{Program: program}
	if h.flags.home != "" {
		e.Arguments = []string{"--home", h.home}
	}
	return e
}

// Hidden says that the window is to begin in the tray, where there is one.
func (h *Host) Hidden() bool { return h.hidden }

// Raised receives, in the first run, what a later start was given, also nothing: the window is to come to the front. Of several, the
// last is there. The host keeps what was given; see Waiting.
func (h *Host) Raised() <-chan []string { return h.raised }

// Waiting is how many files, folders and links were given in the first run. They are taken once there is a session, which tells of
// it by Opened.
func (h *Host) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting)
}

// Session is the one that is open, nil in the first run.
func (h *Host) Session() *Session {
	if at := h.place(); at != nil {
		return at.session
	}
	return nil
}

func (h *Host) place() *place {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

// Check asks a service once whether it is there and takes the key. It keeps neither. What IT has locked holds for it too. An error is a
// *client.Error, a *config.Fixed, or ctx's.
func (h *Host) Check(ctx context.Context, address, key string, n client.Network) error {
	locked := func(key config.Key) bool { return h.config.Origin(key) == config.Locked }
	if locked("service.address") && !sameAddress(address, h.config.Settings().Service.Address) {
		return &config.Fixed{Key: "service.address", By: config.Locked}
	}
	set := h.network()
	if locked("network.proxy") {
		n.Proxy, n.ProxyPassword = set.Proxy, set.ProxyPassword
	}
	if locked("network.certificates") {
		n.Certificates = set.Certificates
	}
	return client.Check(ctx, client.Options{BaseURL: address, Key: func() string { return key }, Log: h.log}.WithNetwork(n))
}

// Speak lets all that is said from now on be in the language that the settings name by now.
func (h *Host) Speak(context.Context) error {
	return h.around.speak(h.Config().Settings().Appearance.Language)
}

// Problem is why the host can't do what it was asked.
type Problem struct {
	Text string // a sentence for the person
	Err  error
}

// Error is the sentence.
func (p *Problem) Error() string { return p.Text }

// Unwrap returns what caused it.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence says it to the person.
func (p *Problem) Sentence() string { return p.Text }

// sentenced gives those errors a Sentence that have none, or none that fits here.
func sentenced(err error) error {
	var misuse *Misuse
	var refusal *ipc.Refusal
	var folder *fs.PathError
	switch {
	case errors.As(err, &misuse):
		return &Problem{Text: misuse.Sentence, Err: err}
	case errors.As(err, &refusal):
		return &Problem{Text: refusal.Sentence, Err: err}
	case errors.As(err, &folder):
		return &Problem{Text: i18n.F("The folder for this service can't be used: %s.", folder.Err.Error()), Err: err}
	case errors.Is(err, ipc.ErrSilent):
		return &Problem{Text: i18n.T("Another Assay works with that service and does not answer. Close it, or end its process, and try again."), Err: err}
	}
	return err
}

// close ends the session, and gives all folders free.
func (h *Host) close() {
	h.stop()
	h.opening.Lock() // whoever opens gives up
	defer h.opening.Unlock()
	h.mu.Lock()
	at, setup := h.at, h.setup
	h.at, h.setup = nil, nil
	h.mu.Unlock()
	if at != nil {
		h.leave(at)
	}
	h.background.Wait()
	h.ring.Close()
	h.file.close()
	if at != nil {
		h.free(at.holder)
	}
	if setup != nil {
		h.free(setup)
	}
}

// free gives a folder to whoever wants it.
func (h *Host) free(holder *ipc.Holder) {
	if err := holder.Close(); err != nil {
		h.log.Warn("leave the folder", "error", err)
	}
}

// leave closes a session. Its folder stays held.
func (h *Host) leave(at *place) {
	at.holder.StopServing() // before the session closes, which its calls work with
	at.quiet()
	at.session.Close()
}

// tell brings what a later start gave to the session's window.
func (s *Session) tell(a intake.Accepted) { replace(s.Opened, a) }
