package session

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"assay/client"
	"assay/client/config"
	"assay/client/desktop"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/release"
	"assay/client/updates"
)

// Host has the session that the window works with: none in the first run, another one after the service was changed. Its methods may be called on any
// goroutine.
type Host struct {
	*Base
	// Refused is why the window opens without the records, a sentence; "" where it opens with them. It is set before the window is.
	Refused string

	Updates *updates.Checker // nil where the system updates this program

	params HostParams
	file   *logFile

	ctx        context.Context // ends with the window
	stop       context.CancelFunc
	background sync.WaitGroup

	opening sync.Mutex // held while a session is opened or closed

	mu      sync.Mutex                   // guards what follows
	open    *openSession                 // nil: the first run
	unsaved func(context.Context) string // see AskUnsaved
	setup   *ipc.Holder
	waiting []string // files, folders and links given in the first run
}

// openSession is a session with its service, the hold on its folder, and the endpoint that answers later starts.
type openSession struct {
	from     *Service
	holder   *ipc.Holder
	session  *Session
	endpoint *Endpoint
	closing  func() // returned by HostParams.Opened
}

// HostParams are what client/command adds to a host.
type HostParams struct {
	// Operations are what later starts may ask of a session besides opening a window; see Endpoint.
	Operations func(*Session) map[string]ipc.Handle
	// Opened is called with each session that opens; what it returns is called before that closes. nil: nothing.
	Opened func(*Session) (closing func())
	// Leave ends the window, since another process wants the folder: a newer Assay, or `assay quit`. It returns at once. nil: it can't be asked to.
	Leave func(LeaveJob)
}

// NewHost reads the settings, and the key that the environment gives. Close ends it.
func NewHost(ctx context.Context, o *Options, p HostParams) (*Host, error) {
	home, err := o.HomeFolder()
	if err != nil {
		return nil, err
	}
	secrets := new(logs.Secrets)
	o.Machine.keepCrashes(home, secrets)
	log, err := o.stderrLog(secrets)
	if err != nil {
		return nil, err
	}
	file := new(logFile)
	log = slog.New(slog.NewMultiHandler(log.Handler(), logs.New(file, slog.LevelInfo, secrets).Handler()))
	o.Machine.takeStandardLog(log)
	b, err := o.base(home, log, secrets)
	if err != nil {
		return nil, err
	}
	key, err := EnvironmentKey() // removed from the environment, so that programs that the window starts do not get it
	if err != nil {
		return nil, err
	}
	secrets.Add(key)
	b.Keys = keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: o.KeyBackend}), Environment: key, Patience: o.KeyPatience, Events: b.Events, Log: b.Log})
	h := &Host{Base: b, params: p, file: file}
	h.ctx, h.stop = context.WithCancel(ctx)
	changed := h.Events.Subscribe(events.Settings, events.Keys) // a proxy's password may come
	h.background.Go(func() { h.followSettings(changed) })
	h.askForUpdates()
	return h, nil
}

// askForUpdates begins to ask for newer versions, where an address is linked in and the person chose it. The window's end ends it.
func (h *Host) askForUpdates() {
	if h.Machine.Updates == "" {
		return
	}
	checker, err := updates.New(updates.Params{
		Address: h.Machine.Updates, Version: release.Version(), Home: h.Home, Config: h.Config, Network: h.network, Events: h.Events, Log: h.Log,
	})
	if err != nil {
		h.Log.Error("newer versions can't be asked for at the address that is linked in", "error", err)
		return
	}
	h.Updates = checker
	h.background.Go(func() { checker.Run(h.ctx) })
}

// Entries are this program's entries in the desktop. When it is started with the system, it starts in the tray.
type Entries struct{ desktop.Entries }

// Entries returns the entries; every start by one uses this home.
func (h *Host) Entries() Entries {
	e, err := h.Options.Entries()
	if err != nil {
		h.Log.Warn("where this program lies is not known", "error", err) // then there can be no entries
	}
	return e
}

// Entries returns the entries; every start by one uses this home.
func (o *Options) Entries() (Entries, error) {
	program, err := desktop.Program(nil)
	if err != nil {
		return Entries{}, err
	}
	e := desktop.Entries{Program: program}
	if o.Home != "" {
		home, err := o.HomeFolder()
		if err != nil {
			return Entries{}, err
		}
		e.Arguments = []string{"--home", home}
	}
	return Entries{e}, nil
}

// Autostart switches on or off that this program is started with the system.
func (e Entries) Autostart(on bool) error {
	e.Arguments = append(slices.Clone(e.Arguments), "--hidden")
	return e.Entries.Autostart(on)
}

// AskUnsaved sets what says in a sentence what the person would lose if the window closed now, "" for nothing. It is called on any goroutine.
func (h *Host) AskUnsaved(ask func(context.Context) string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unsaved = ask
}

// unsavedNow is the answer to that.
func (h *Host) unsavedNow(ctx context.Context) string {
	h.mu.Lock()
	ask := h.unsaved
	h.mu.Unlock()
	if ask == nil {
		return ""
	}
	return ask(ctx)
}

// newEndpoint makes the endpoint of a window.
func (h *Host) newEndpoint() *Endpoint {
	e := NewEndpoint()
	e.Window, e.Front, e.ReadKey, e.Leave, e.Unsaved = true, h.front, h.readKey, h.params.Leave, h.unsavedNow
	return e
}

// Waiting is how many files, folders and links were given in the first run. They are accepted once there is a session; see Session.Handed.
func (h *Host) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting)
}

// Session is the open session, nil in the first run.
func (h *Host) Session() *Session {
	if at := h.current(); at != nil {
		return at.session
	}
	return nil
}

func (h *Host) current() *openSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Check asks a service once whether it is there and accepts the key, and keeps neither. What IT has locked holds for this, too. An error is a
// *client.Error, a *config.Fixed, or ctx's.
func (h *Host) Check(ctx context.Context, address, key string, n client.Network) error {
	locked := func(key config.Key) bool { return h.Config.Origin(key) == config.Locked }
	if locked("service.address") && !sameAddress(address, h.Config.Settings().Service.Address) {
		return &config.Fixed{Key: "service.address", By: config.Locked}
	}
	set := h.network()
	if locked("network.proxy") {
		n.Proxy, n.ProxyPassword = set.Proxy, set.ProxyPassword
	}
	if locked("network.certificates") {
		n.Certificates = set.Certificates
	}
	return client.Check(ctx, client.Options{BaseURL: address, Key: func() string { return key }, Log: h.Log}.WithNetwork(n))
}

// sameAddress reports whether two addresses are those of one service.
func sameAddress(one, other string) bool {
	var names [2]string
	for i, address := range []string{one, other} {
		c, err := client.New(client.Options{BaseURL: address})
		if err != nil {
			return false
		}
		names[i] = c.Address()
		c.Close()
	}
	return names[0] == names[1]
}

// Speak sets the language that the settings name now.
func (h *Host) Speak(context.Context) error {
	return h.Machine.speak(h.Config.Settings().Appearance.Language)
}

// Problem is why the host could not do what it was asked to.
type Problem struct {
	Text string // a sentence for the person
	Err  error
}

// Error returns the sentence.
func (p *Problem) Error() string { return p.Text }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Sentence is what the person reads.
func (p *Problem) Sentence() string { return p.Text }

// sentenced wraps errors without a Sentence, or whose Sentence does not fit here.
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

// Close closes the session, and releases all folders.
func (h *Host) Close() {
	h.stop()
	h.opening.Lock() // an Open under way ends early
	defer h.opening.Unlock()
	h.mu.Lock()
	at, setup := h.open, h.setup
	h.open, h.setup = nil, nil
	h.mu.Unlock()
	if at != nil {
		h.closeSession(at)
	}
	h.background.Wait()
	h.Keys.Close()
	h.file.close()
	if at != nil {
		h.free(at.holder)
	}
	if setup != nil {
		h.free(setup)
	}
}

// free releases a folder.
func (h *Host) free(holder *ipc.Holder) {
	if err := holder.Close(); err != nil {
		h.Log.Warn("leave the folder", "error", err)
	}
}

// closeSession closes a session. Its folder is still held.
func (h *Host) closeSession(at *openSession) {
	at.holder.StopServing() // before the session closes, since calls use it
	at.closing()
	at.session.Close()
}
