package session

import (
	"context"
	"crypto/ed25519"
	"io"
	"log/slog"
	"time"

	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
)

// Misuse is an error of how the program was called, or of what it was called on.
type Misuse struct{ Sentence string }

func (m *Misuse) Error() string { return m.Sentence }

// Options are what a start was given: the flags that all subcommands share, and its surroundings.
type Options struct {
	Sandbox  bool
	Server   string // the service's address
	CAFile   string
	Proxy    string
	Home     string // "": the system's own folder for programs' files
	LogLevel string
	Hidden   bool // the window begins in the tray

	Machine     Machine
	KeyBackend  keys.Backend  // nil: the system's keychain
	KeyPatience time.Duration // how long a window waits for it; 0: the usual time

	Stderr io.Writer             // gets the log
	Say    func(sentence string) // shows the person a sentence besides the results, on any goroutine
}

// Machine is what a start finds on this computer; the zero value is a computer that IT does not manage, whose person reads English.
type Machine struct {
	Program string                   // this program's path, beside which a portable one keeps everything; "": it is not known
	Managed string                   // path of the file by which IT manages Assay, see config.ManagedPath
	Locales func() ([]string, error) // the system's languages, such as "pt-BR"; nil: none are known
	Crashes bool                     // whether the runtime's report of a crash is kept
	Updates string                   // the address that says which version is the newest, see release.Updates; "": none is asked
	// StandardLog has the standard library's log go to Assay's log.
	StandardLog bool
	Clock       Clock

	ended func() // notes that this process did not crash
}

// Clock is the time as sessions see it; nil functions stand for those of this computer. Tests let it pass faster, and jump.
type Clock struct {
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error // wait.For
}

// now is Now.
func (c Clock) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// keepCrashes has the runtime's report of a crash kept from now on.
func (m *Machine) keepCrashes(home string, secrets *logs.Secrets) {
	if !m.Crashes || m.ended != nil {
		return
	}
	if ended, err := crashes(home, secrets).Begin(); err == nil { // else crashes are reported on standard error only
		m.ended = ended
	}
}

// End notes that this process ends normally.
func (m *Machine) End() {
	if m.ended != nil {
		m.ended()
	}
}

// takeStandardLog sends what is written to the standard log to log, at level info: net/http quotes there what a server sent, and the toolkit
// complains.
func (m Machine) takeStandardLog(log *slog.Logger) {
	if m.StandardLog {
		slog.SetDefault(log)
	}
}

// speak sets the language: wanted, or if that is "" the system's.
func (m Machine) speak(wanted string) error {
	var system []string
	if m.Locales != nil {
		system, _ = m.Locales() // if that fails, it is English
	}
	return i18n.Use(i18n.Best(wanted, system))
}

// NewLog makes the log of a start, which leaves out secrets; nil: there are none.
func (o *Options) NewLog(secrets *logs.Secrets) (*slog.Logger, error) {
	log, err := o.stderrLog(secrets)
	if err == nil {
		o.Machine.takeStandardLog(log)
	}
	return log, err
}

func (o *Options) stderrLog(secrets *logs.Secrets) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(o.LogLevel)); err != nil {
		return nil, &Misuse{Sentence: "--log-level must be debug, info, warn or error."}
	}
	return logs.New(o.Stderr, l, secrets), nil
}

// Keychain is this computer's keychain; it tells the person when it waits for them.
func (o *Options) Keychain() *keys.Keychain {
	return keys.New(keys.Options{Backend: o.KeyBackend, Waiting: func() {
		o.Say(i18n.T("waiting for the keychain: it may ask you to unlock it"))
	}})
}

// Base is what everything that works with a service starts from: the folder, and the settings with the flags and the environment applied over them.
type Base struct {
	Options
	Home    string
	Log     *slog.Logger
	Events  *events.Hub   // all changes in this process
	Secrets *logs.Secrets // what no log may hold
	Config  *config.Config
	Keys    *keys.Ring // nil until it is needed

	proxyPassword string             // given with --proxy; kept nowhere
	logKey        ed25519.PrivateKey // of LogKeyVariable, nil for none
	signingKey    ed25519.PrivateKey // of SigningKeyVariable, likewise
	deskSecrets   DeskSecrets        // of DeskPasswordVariable and DeskFilesVariable
}

// Begin makes the base of a subcommand, and tells the person what is wrong with the settings. An error is Misuse.
func (o *Options) Begin() (*Base, error) {
	secrets := new(logs.Secrets)
	log, err := o.NewLog(secrets)
	if err != nil {
		return nil, err
	}
	home, err := o.HomeFolder()
	if err != nil {
		return nil, err
	}
	o.Machine.keepCrashes(home, secrets)
	b, err := o.base(home, log, secrets)
	if err != nil {
		return nil, err
	}
	for _, notice := range b.Config.Notices() {
		o.Say(notice)
	}
	return b, nil
}

// base reads the settings, and sets the language. An error is Misuse.
func (o *Options) base(home string, log *slog.Logger, secrets *logs.Secrets) (*Base, error) {
	given, proxyPassword, err := o.given()
	if err != nil {
		return nil, err
	}
	hub := new(events.Hub)
	settings, err := openSettings(config.Params{Dir: home, Managed: o.Machine.Managed, Given: given, Log: log, Events: hub})
	if err != nil {
		return nil, err
	}
	for _, c := range settings.Contradictions() {
		if c.From == config.ByFlag {
			return nil, &Misuse{Sentence: o.flagOf(c.Key) + " is set by your organisation's IT."}
		}
	}
	if err := o.Machine.speak(settings.Settings().Appearance.Language); err != nil {
		log.Warn("the language can't be spoken", "error", err)
	}
	b := &Base{Options: *o, Home: home, Log: log, Events: hub, Secrets: secrets, Config: settings, proxyPassword: proxyPassword}
	if b.logKey, err = environmentKey(LogKeyVariable, secrets); err != nil {
		return nil, err
	}
	if b.signingKey, err = environmentKey(SigningKeyVariable, secrets); err != nil {
		return nil, err
	}
	if b.deskSecrets, err = EnvironmentDeskSecrets(); err != nil {
		return nil, err
	}
	b.deskSecrets.addTo(secrets)
	secrets.Add(proxyPassword)
	return b, nil
}
