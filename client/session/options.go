package command

import (
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"

	"assay/client"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
)

// base is what all that works with a service begins with: where things lie, and the settings, with what the flags and the
// environment say over them.
type base struct {
	flags
	home    string
	log     *slog.Logger
	secrets *logs.Secrets // that no log may hold
	config  *config.Config
	ring    *keys.Ring // nil before it is needed

	proxyPassword string // given with --proxy; it is kept nowhere
}

// begin reads the settings, and chooses the language. An error is Misuse.
func (f *flags) begin(home string, log *slog.Logger, secrets *logs.Secrets) (*base, error) {
	given, proxyPassword, err := f.given()
	if err != nil {
		return nil, err
	}
	settings, err := openSettings(config.Params{Dir: home, Managed: f.around.Managed, Given: given, Log: log})
	if err != nil {
		return nil, err
	}
	for _, c := range settings.Contradictions() {
		if c.From == config.ByFlag {
			return nil, &Misuse{Sentence: f.flagOf(c.Key) + " is set by your organisation's IT."}
		}
	}
	if err := f.around.speak(settings.Settings().Appearance.Language); err != nil {
		log.Warn("the language can't be spoken", "error", err)
	}
	secrets.Add(proxyPassword)
	return &base{flags: *f, home: home, log: log, secrets: secrets, config: settings, proxyPassword: proxyPassword}, nil
}

// beginFor is begin for a subcommand, which says what is wrong with the settings.
func (f *flags) beginFor(stderr io.Writer) (*base, error) {
	secrets := new(logs.Secrets)
	log, err := newLog(f.logLevel, stderr, secrets)
	if err != nil {
		return nil, err
	}
	f.around.takeStandardLog(log)
	home, err := homeFolder(f.home)
	if err != nil {
		return nil, err
	}
	f.around.begin(home, secrets)
	b, err := f.begin(home, log, secrets)
	if err != nil {
		return nil, err
	}
	for _, notice := range b.config.Notices() {
		say(stderr, notice)
	}
	return b, nil
}

// given are the settings that flags and environment name.
func (f *flags) given() (given map[config.Key]config.Given, proxyPassword string, err error) {
	given = map[config.Key]config.Given{}
	switch {
	case f.sandbox && f.server != "" && !fromEnvironment(f.server):
		return nil, "", &Misuse{Sentence: "Give --sandbox or --server, not both."}
	case f.sandbox:
		given["service.use"] = config.Given{Value: config.UseSandbox, From: config.ByFlag}
	case f.server != "":
		if err := checkAddress(f.server); err != nil {
			return nil, "", err
		}
		from := origin(fromEnvironment(f.server))
		given["service.use"] = config.Given{Value: config.UseService, From: from}
		given["service.address"] = config.Given{Value: f.server, From: from}
	}
	if f.caFile != "" {
		from := origin(f.caFile == os.Getenv("ASSAY_CA_FILE"))
		path, err := filepath.Abs(f.caFile)
		if err != nil {
			return nil, "", &Misuse{Sentence: "The folder that this was started in is gone: give whole paths."}
		}
		given["network.certificates"] = config.Given{Value: path, From: from}
	}
	if f.proxy != "" {
		proxy, password, err := client.SplitProxy(f.proxy)
		if err != nil {
			return nil, "", misuse(err)
		}
		given["network.proxy"] = config.Given{Value: proxy, From: config.ByFlag}
		proxyPassword = password
	}
	return given, proxyPassword, nil
}

func origin(environment bool) config.Origin {
	if environment {
		return config.ByEnvironment
	}
	return config.ByFlag
}

func fromEnvironment(server string) bool { return server == os.Getenv("ASSAY_SERVER") }

// flagOf is the flag that gave a setting.
func (f *flags) flagOf(key config.Key) string {
	switch key {
	case "network.certificates":
		return "--ca-file"
	case "network.proxy":
		return "--proxy"
	case "service.use":
		if f.sandbox {
			return "--sandbox"
		}
	}
	return "--server"
}

// checkAddress says what is wrong with a service's address; it touches no network.
func checkAddress(address string) error {
	c, err := client.New(client.Options{BaseURL: address})
	if err != nil {
		return misuse(err)
	}
	c.Close()
	return nil
}

// sameAddress reports whether two addresses name one service.
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

// decided reports whether a service is named, or the sandbox.
func decided(s config.Service) bool {
	return s.Use == config.UseSandbox || s.Use == config.UseService && s.Address != ""
}

// network is how the service is reached by the settings as they stand.
func (b *base) network() client.Network {
	n := b.config.Settings().Network
	password := b.proxyPassword
	if password == "" && b.ring != nil {
		password = b.ring.ProxyPassword(n.Proxy)
	}
	return client.Network{Proxy: n.Proxy, ProxyPassword: password, Certificates: n.Certificates}
}

// proxyAsks reports whether the proxy wants a password that the keychain may have.
func (b *base) proxyAsks() bool {
	u, err := url.Parse(b.config.Settings().Network.Proxy)
	return err == nil && u.User != nil && b.proxyPassword == ""
}

// Around is what a start finds around it on this computer; the zero value is a computer that nobody manages, whose person reads English.
type Around struct {
	Managed string                   // path of the file by which IT manages Assay, as of config.ManagedPath
	Locales func() ([]string, error) // the system's, such as "pt-BR"; nil: it says nothing
	Crashes bool                     // what the runtime says of a crash is kept
	// StandardLog says that the log of this process is Assay's: what the standard library and other packages write to theirs goes there.
	StandardLog bool

	ended func() // this process did not crash
}

// begin keeps what the runtime says of a crash from now on.
func (a *Around) begin(home string, secrets *logs.Secrets) {
	if !a.Crashes || a.ended != nil {
		return
	}
	if ended, err := crashes(home, secrets).Begin(); err == nil { // else crashes are told on standard error alone
		a.ended = ended
	}
}

// takeStandardLog has all that goes past log go through it, as information: net/http quotes there what a server sent, the toolkit
// complains.
func (a Around) takeStandardLog(log *slog.Logger) {
	if a.StandardLog {
		slog.SetDefault(log)
	}
}

func (a *Around) end() {
	if a.ended != nil {
		a.ended()
	}
}

func crashes(home string, secrets *logs.Secrets) *logs.Crashes {
	return &logs.Crashes{Dir: filepath.Join(home, "log"), Version: FullVersion(), Secrets: secrets}
}

// speak chooses the language that was wanted, "" for the system's.
func (a Around) speak(wanted string) error {
	var system []string
	if a.Locales != nil {
		system, _ = a.Locales() // without, it is English
	}
	return i18n.Use(i18n.Best(wanted, system))
}

// errUndecided is why a subcommand can't work where no service was ever named. It never takes the sandbox by itself: its lines could be
// taken for a detector's.
var errUndecided = &Misuse{Sentence: "No service is named: give --server (or ASSAY_SERVER), with its key kept by assay key set or in ASSAY_API_KEY, " +
	"or set it up in Assay's window, or try --sandbox."}

// chooseService is the service that flags, environment and settings name.
func chooseService(f *flags, stderr io.Writer) (*service, error) {
	b, err := f.beginFor(stderr)
	if err != nil {
		return nil, err
	}
	if !decided(b.config.Settings().Service) {
		return nil, errUndecided
	}
	s, err := b.service(b.config.Settings().Service, b.network())
	if err != nil {
		return nil, misuse(err)
	}
	if s.key, err = environmentKey(); err != nil {
		return nil, err
	}
	b.secrets.Add(s.key)
	s.keychain = f.keychain(stderr)
	b.ring = keys.OpenRing(keys.RingParams{Keychain: s.keychain, Patience: keys.DefaultPatience, Log: b.log})
	return s, nil
}
