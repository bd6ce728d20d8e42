package command

import (
	"errors"

	"assay/client"
	"assay/client/config"
	"assay/client/keys"
)

// applied is what a session was last given of the settings.
type applied struct {
	uploads int
	storage config.Storage
	network client.Network
}

// vaultCap is in bytes.
func vaultCap(s config.Storage) int64 { return int64(s.VaultMegabytes) << 20 }

// followSettings lets changed settings hold in the session that is open, until the window closes.
func (h *Host) followSettings() {
	for {
		ring := h.ring.Changed() // before the look: no change is missed
		if s := h.Session(); s != nil {
			h.apply(s)
		}
		select {
		case <-h.changed:
		case <-ring: // a proxy's password may have come
		case <-h.ctx.Done():
			return
		}
	}
}

// apply gives the session what has changed. It belongs to the goroutine of followSettings.
func (h *Host) apply(s *Session) {
	now := h.Config().Settings()
	if s.applied.uploads != now.Uploads {
		s.applied.uploads = now.Uploads
		s.Queue.SetUploads(now.Uploads)
	}
	if s.applied.storage != now.Storage {
		s.applied.storage = now.Storage
		if err := s.Store.SetVaultCap(h.ctx, vaultCap(now.Storage)); err != nil && h.ctx.Err() == nil {
			h.log.Warn("change the vault's size", "error", err)
		}
	}
	if s.Sandbox {
		return
	}
	if h.proxyAsks() && h.ring.ProxyStatus(now.Network.Proxy).Where == keys.Nowhere && s.applied.network.Proxy != now.Network.Proxy {
		if err := h.ring.LoadProxyPassword(h.ctx, now.Network.Proxy); err != nil && h.ctx.Err() == nil {
			h.log.Warn("the proxy's password is not here yet", "error", err)
		}
	}
	network := h.network()
	if s.applied.network == network {
		return
	}
	s.applied.network = network
	h.secrets.Add(network.ProxyPassword)
	var e *client.Error
	if err := s.Client.SetNetwork(network); errors.As(err, &e) {
		replace(s.Troubles, e.Sentence())
	}
}
