package session

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/keys"
)

// openSettings reads the settings of a home, unless others could have written them. What else is wrong with them is in their notices.
func openSettings(p config.Params) (*config.Config, error) {
	warnings, err := CheckHome(p.Dir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Open(p)
	if err != nil {
		return nil, misuse(err)
	}
	for _, warning := range warnings {
		settings.Note(warning)
	}
	return settings, nil
}

// given are the settings given by flags and environment.
func (o *Options) given() (given map[config.Key]config.Given, proxyPassword string, err error) {
	given = map[config.Key]config.Given{}
	switch {
	case o.Sandbox && o.Server != "" && !fromEnvironment(o.Server):
		return nil, "", &Misuse{Sentence: "Give --sandbox or --server, not both."}
	case o.Sandbox:
		given["service.use"] = config.Given{Value: config.UseSandbox, From: config.ByFlag}
	case o.Server != "":
		if err := checkAddress(o.Server); err != nil {
			return nil, "", err
		}
		from := origin(fromEnvironment(o.Server))
		given["service.use"] = config.Given{Value: config.UseService, From: from}
		given["service.address"] = config.Given{Value: o.Server, From: from}
	}
	if o.CAFile != "" {
		from := origin(o.CAFile == os.Getenv("ASSAY_CA_FILE"))
		path, err := filepath.Abs(o.CAFile)
		if err != nil {
			return nil, "", &Misuse{Sentence: "The current folder is gone: give full paths."}
		}
		given["network.certificates"] = config.Given{Value: path, From: from}
	}
	if o.Proxy != "" {
		proxy, password, err := client.SplitProxy(o.Proxy)
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
func (o *Options) flagOf(key config.Key) string {
	switch key {
	case "network.certificates":
		return "--ca-file"
	case "network.proxy":
		return "--proxy"
	case "service.use":
		if o.Sandbox {
			return "--sandbox"
		}
	}
	return "--server"
}

// checkAddress says what is wrong with a service's address; it makes no request.
func checkAddress(address string) error {
	c, err := client.New(client.Options{BaseURL: address})
	if err != nil {
		return misuse(err)
	}
	c.Close()
	return nil
}

// network is how the settings say that the service is reached.
func (b *Base) network() client.Network {
	n := b.Config.Settings().Network
	password := b.proxyPassword
	if password == "" && b.Keys != nil {
		password = b.Keys.ProxyPassword(n.Proxy)
	}
	return client.Network{Proxy: n.Proxy, ProxyPassword: password, Certificates: n.Certificates}
}

// proxyAsks reports whether the proxy needs a password that the keychain may have.
func (b *Base) proxyAsks() bool {
	u, err := url.Parse(b.Config.Settings().Network.Proxy)
	return err == nil && u.User != nil && b.proxyPassword == ""
}

// applied are the settings that a session was last given.
type applied struct {
	uploads int
	storage config.Storage
	network client.Network
}

// vaultCap is the cap in bytes.
func vaultCap(s config.Storage) int64 { return int64(s.VaultMegabytes) << 20 }

// followSettings applies changed settings to the open session, until the window closes.
func (h *Host) followSettings(changed *events.Subscription) {
	defer changed.Close()
	for {
		if s := h.Session(); s != nil {
			h.apply(s)
		}
		select {
		case <-changed.Ready():
			changed.Take()
		case <-h.ctx.Done():
			return
		}
	}
}

// apply gives the session the settings that have changed. Only followSettings calls it.
func (h *Host) apply(s *Session) {
	now := h.Config.Settings()
	if s.applied.uploads != now.Uploads {
		s.applied.uploads = now.Uploads
		s.Queue.SetUploads(now.Uploads)
	}
	if s.applied.storage != now.Storage {
		s.applied.storage = now.Storage
		if err := s.Store.SetVaultCap(h.ctx, vaultCap(now.Storage)); err != nil && h.ctx.Err() == nil {
			h.Log.Warn("change the vault's size", "error", err)
		}
	}
	if s.Sandbox {
		return
	}
	if h.proxyAsks() && h.Keys.ProxyStatus(now.Network.Proxy).Where == keys.Nowhere && s.applied.network.Proxy != now.Network.Proxy {
		if err := h.Keys.LoadProxyPassword(h.ctx, now.Network.Proxy); err != nil && h.ctx.Err() == nil {
			h.Log.Warn("the proxy's password is not here yet", "error", err)
		}
	}
	network := h.network()
	if s.applied.network == network {
		return
	}
	s.applied.network = network
	h.Secrets.Add(network.ProxyPassword)
	var e *client.Error
	if err := s.Client.SetNetwork(network); errors.As(err, &e) {
		s.say(e.UserMessage())
	}
}
