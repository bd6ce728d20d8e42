package session

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"assay/client"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/keys"
)

// Pauses that tests shorten.
var (
	SandboxPoll    = 200 * time.Millisecond // between two requests for a result of the embedded sandbox, which answers at once: long enough to see a model at work
	SandboxLatency = 150 * time.Millisecond // of each of its models
	ServicePoll    time.Duration            // between two requests for a result of another service; 0: the usual
)

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// Service is the service that the settings name: a real one, or the sandbox.
type Service struct {
	*Base
	Sandbox bool           // results come from the sandbox, which must be shown
	Folder  string         // where everything of it is kept
	Client  *client.Client // nil before Connect

	chosen config.Service // from the settings
	warned i18n.Message   // about settings that are wrong but did not keep the window from opening
	moved  bool           // the sandbox has another port than in the last run
	own    *RunningSandbox

	// Where the key of a real service comes from: a subcommand reads it once, a window has windowKey.
	keychain *keys.Keychain
	key      string // "" until it is read from the keychain
	window   *windowKey
}

// errUndecided is why a subcommand can't work if no service was ever named. It never falls back to the sandbox: its results could be taken for a
// detector's.
var errUndecided = &Misuse{Sentence: "No service is named. Give --server (or ASSAY_SERVER), with its key saved by assay key set or in ASSAY_API_KEY, " +
	"or set it up in Assay's window, or try --sandbox."}

// Service is the service that flags, environment and settings name, for a subcommand. An error is Misuse.
func (o *Options) Service() (*Service, error) {
	b, err := o.Begin()
	if err != nil {
		return nil, err
	}
	if !decided(b.Config.Settings().Service) {
		return nil, errUndecided
	}
	s, err := b.service(b.Config.Settings().Service, b.network())
	if err != nil {
		return nil, misuse(err)
	}
	if s.key, err = EnvironmentKey(); err != nil {
		return nil, err
	}
	b.Secrets.Add(s.key)
	s.keychain = o.Keychain()
	b.Keys = keys.OpenRing(keys.RingParams{Keychain: s.keychain, Patience: keys.DefaultPatience, Events: b.Events, Log: b.Log})
	return s, nil
}

// decided reports whether a service is named, or the sandbox.
func decided(s config.Service) bool {
	return s.Use == config.UseSandbox || s.Use == config.UseService && s.Address != ""
}

// service makes the Service of a choice, reached by n. It makes no request. An error is a *client.Error.
func (b *Base) service(chosen config.Service, n client.Network) (*Service, error) {
	s := &Service{Base: b, chosen: chosen, Sandbox: chosen.Use == config.UseSandbox}
	if s.Sandbox {
		s.Folder = DataFolder(b.Home, "", true)
		return s, nil
	}
	o := client.Options{BaseURL: chosen.Address, Key: s.currentKey, KeyRequired: true, UploadPath: chosen.UploadPath}
	if err := s.connectTo(o.WithNetwork(n)); err != nil {
		return nil, err
	}
	s.Folder = DataFolder(b.Home, s.Client.Address(), false)
	return s, nil
}

// currentKey is the key of a real service; each call asks for it.
func (s *Service) currentKey() string {
	if s.window != nil {
		return s.window.key()
	}
	return s.key
}

// connectTo makes the client; it makes no request.
func (s *Service) connectTo(o client.Options) (err error) {
	o.Log, o.Now, o.Wait = s.Log, s.Machine.Clock.Now, s.Machine.Clock.Wait
	s.Client, err = client.New(o)
	return err
}

// Connect starts the sandbox, if that is the service: the caller holds its folder. For a real service, a subcommand reads the key, which may wait
// until the person has unlocked the keychain; a window does not wait.
func (s *Service) Connect(ctx context.Context) (err error) {
	switch {
	case s.Sandbox:
		// It serves until it is closed, even if ctx ends during its start.
		if s.own, s.moved, err = keptSandbox(context.WithoutCancel(ctx), s.Folder, s.Log); err != nil {
			return err
		}
		s.Secrets.Add(s.own.Box.Key())
		return s.connectTo(client.Options{BaseURL: s.own.URL, Key: s.own.Box.Key, Proxy: noProxy})
	case s.window != nil:
		s.window.load(s.readProxyPassword)
		return nil
	}
	if err := s.readProxyPassword(ctx); err != nil {
		return KeyMisuse(err)
	}
	return s.readKey(ctx)
}

// SandboxAddress is where the embedded sandbox listens, empty where there is none.
func (s *Service) SandboxAddress() SandboxAddress {
	if s.own == nil {
		return SandboxAddress{}
	}
	return SandboxAddress{URL: s.own.URL, Key: s.own.Box.Key()}
}

// poll is the least time between two requests for a result; 0 for the usual.
func (s *Service) poll() time.Duration {
	if s.Sandbox {
		return SandboxPoll
	}
	return ServicePoll
}

// Close closes the connections, and the sandbox.
func (s *Service) Close() {
	if s.window != nil {
		s.window.close()
	}
	if s.Client != nil {
		s.Client.Close()
	}
	if s.own != nil {
		if err := s.own.Close(); err != nil {
			s.Log.Warn("the sandbox closed badly", "error", err)
		}
	}
}

// misuse makes Misuse of what is wrong with a setting.
func misuse(err error) error { return &Misuse{Sentence: i18n.Sentence(err)} }

// Lookup is a service for a subcommand that asks for something and keeps nothing.
type Lookup struct {
	*Service
	holder *ipc.Holder // of the sandbox's folder, if no other process holds it
}

// OpenLookup connects to the service. If it is the sandbox and another process holds its folder, that process's sandbox is used.
func (o *Options) OpenLookup(ctx context.Context) (*Lookup, error) {
	s, err := o.Service()
	if err != nil {
		return nil, err
	}
	l := &Lookup{Service: s}
	if s.Sandbox {
		there, err := l.holdSandbox(ctx)
		if err != nil {
			return nil, err
		}
		if l.holder == nil {
			return l, s.connectTo(client.Options{BaseURL: there.URL, Key: func() string { return there.Key }, Proxy: noProxy})
		}
	}
	if err := s.Connect(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// holdSandbox makes this process the holder of the sandbox's folder, or returns where the holder's sandbox listens.
func (l *Lookup) holdSandbox(ctx context.Context) (there SandboxAddress, err error) {
	// If the holder ends during the call, it is tried again: it may be a subcommand like this one.
	err = OpService.Run(ctx, ipc.Work[struct{}, SandboxAddress]{
		Dir:  l.Folder,
		Job:  func() (none struct{}, err error) { return none, nil },
		Each: func(a SandboxAddress) error { there = a; return nil },
		Here: func(_ context.Context, h *ipc.Holder) error { l.holder = h; return nil },
	})
	if err != nil || l.holder == nil {
		return there, err
	}
	e := NewEndpoint() // its session never opens: calls wait until this process ends, which is soon
	e.GiveWay = func() {}
	if err := l.holder.Serve(ctx, e.Handle); err != nil {
		l.Log.Warn("later starts can't be served", "error", err)
	}
	return there, nil
}

// Close closes the connections, and releases the sandbox's folder.
func (l *Lookup) Close() {
	l.Service.Close()
	if l.holder != nil {
		if err := l.holder.Close(); err != nil {
			l.Log.Warn("leave the sandbox's folder", "error", err)
		}
	}
}
