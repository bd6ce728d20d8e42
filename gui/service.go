package gui

import (
	"context"
	"errors"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/firstrun"
	"assay/gui/inbox"
	"assay/gui/settings"
)

// serviceActions are the callbacks of the first run and of Settings for a service that was filled in. failed is called on the UI thread with the
// error of a service that could not be opened, once the screens are built again.
func (s *shell) serviceActions(failed func(error)) firstrun.Actions {
	return firstrun.Actions{
		Check: s.check,
		Keep:  s.keepKey,
		KeepForThisRun: func(d firstrun.ServiceDraft) {
			if err := s.Keys.KeepForThisRun(d.Service(), d.Key); err != nil {
				s.Log.Error("keep a key for this run", "error", err) // what was filled in was checked before
			}
		},
		Open: func(d firstrun.ServiceDraft, sandbox bool, done func(error)) {
			s.openService(d, sandbox, done, failed)
		},
		ChooseFile: s.chooseCertificates,
	}
}

// check asks a service whether it is there and accepts the key: the one that was filled in, or else the known one.
func (s *shell) check(ctx context.Context, d firstrun.ServiceDraft) error {
	network, err := s.network(d.Network)
	if err != nil {
		return err
	}
	key := s.Keys.Key(d.Service())
	if key == "" && d.Key == "" { // the keychain may have one from earlier
		if err := s.Keys.Load(ctx, d.Service()); err != nil {
			s.Log.Info("no key for the service that was filled in", "error", err)
		}
		key = s.Keys.Key(d.Service())
	}
	if d.Key != "" {
		if key, err = keys.Clean(d.Key); err != nil {
			return err
		}
	}
	return s.Host.Check(ctx, d.Service(), key, network)
}

// network is how a service is reached by what was filled in, or else by the settings.
func (s *shell) network(d firstrun.NetworkDraft) (client.Network, error) {
	if d == (firstrun.NetworkDraft{}) {
		now := s.Config.Settings().Network
		return client.Network{Proxy: now.Proxy, ProxyPassword: s.Keys.ProxyPassword(now.Proxy), Certificates: now.Certificates}, nil
	}
	proxy, password, err := d.Parts()
	if err != nil {
		return client.Network{}, err
	}
	if password == "" && proxy != "" {
		password = s.Keys.ProxyPassword(proxy)
	}
	return client.Network{Proxy: proxy, ProxyPassword: password, Certificates: d.Certificates}, nil
}

// keepKey puts a key into the keychain, and waits if the keychain waits for the person.
func (s *shell) keepKey(ctx context.Context, d firstrun.ServiceDraft, waiting func()) error {
	address := d.Service()
	err := s.Keys.Set(ctx, address, d.Key)
	var problem *keys.Problem
	if !errors.As(err, &problem) || problem.Cause != keys.Waiting {
		return err
	}
	waiting()
	changed := s.Keys.Subscribe()
	defer changed.Close()
	for {
		status := s.Keys.Status(address)
		if !status.Waiting {
			if status.Problem != nil {
				return status.Problem
			}
			return nil
		}
		select {
		case <-changed.Ready():
			changed.Take()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// openService has the settings name a service, and switches to it. done gets an error from before the window stops showing what it shows, failed one
// from afterwards.
func (s *shell) openService(d firstrun.ServiceDraft, sandbox bool, done, failed func(error)) {
	s.systemWorkers.Do(func(ctx context.Context) func() {
		if err := s.nameService(ctx, d, sandbox); err != nil {
			return func() { done(err) }
		}
		return func() {
			first := s.first
			s.switchTo(s.Host.Open, func(err error) {
				switch {
				case first != nil && s.first == first:
					done(err)
				case err != nil && s.app != nil:
					failed(err)
				}
			})
		}
	})
}

// nameService writes to the settings which service is used. A proxy's password goes to the keychain; if that does not take it now, it is used for
// this run.
func (s *shell) nameService(ctx context.Context, d firstrun.ServiceDraft, sandbox bool) error {
	proxy, password, err := d.Network.Parts()
	if err != nil {
		return err
	}
	if err := s.Config.Change(func(now *config.Settings) {
		if sandbox {
			now.Service.Use = config.UseSandbox
			return
		}
		now.Service.Use, now.Service.Address = config.UseService, d.Service()
		if d.Network != (firstrun.NetworkDraft{}) {
			now.Network.Proxy, now.Network.Certificates = proxy, d.Network.Certificates
		}
	}); err != nil {
		return err
	}
	if sandbox || password == "" {
		return nil
	}
	if err := s.Keys.SetProxyPassword(ctx, proxy, password); err != nil {
		s.Log.Warn("the keychain did not take the proxy's password", "error", err)
		return s.Keys.KeepProxyPasswordForThisRun(proxy, password)
	}
	return nil
}

// chooseCertificates asks for a file of certificates.
func (s *shell) chooseCertificates(chosen func(path string)) {
	s.dialogs.file(i18n.T("Choose a file of certificates"), chosen)
}

// sayOfDialog says why a dialog could not be opened; the first run has no place for it.
func (s *shell) sayOfDialog(sentence string) {
	if s.app == nil {
		s.Log.Warn("file dialog", "problem", sentence)
		return
	}
	s.app.sayInFront(sentence)
}

// gatherKey shows the status of the service's key.
func (a *app) gatherKey(context.Context, events.Changes) func() {
	if a.Keys == nil || a.Sandbox {
		return nil
	}
	status := a.Keys.Status(a.Address)
	return func() { a.keyChanged(status) }
}

func (a *app) keyChanged(status keys.Status) {
	if a.stopped || status == a.key {
		return
	}
	a.key = status
	a.inbox.Update(nil, nil, a.withKey(a.latest))
	a.settings.Refresh()
}

// withKey has the inbox say why there is no key, since nothing is sent without one.
func (a *app) withKey(o inbox.Summary) inbox.Summary {
	if a.Keys == nil || a.Sandbox || a.key.Where != keys.Nowhere {
		return o
	}
	words, problem := settings.KeyWords(a.key)
	if problem == "" {
		problem = words
	}
	return o.WithKey(problem)
}
