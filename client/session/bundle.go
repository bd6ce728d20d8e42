package session

import (
	"context"
	"slices"

	"assay/client"
	"assay/client/i18n"
	"assay/client/release"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/store"
)

// Bundle returns the options of a bundle of the service's results: sealed with the desk's signing key, which is made at first use, unless unsealed is
// true; with the time stamps of the authorities in the settings if stamp is true. An error is that of SigningKey, or a *Misuse where no authority is named.
func (s *Service) Bundle(ctx context.Context, records *store.Store, o report.Options, unsealed, stamp bool) (bundle.Options, error) {
	b := bundle.Options{Options: o, Version: release.Version(), SignLog: func(ctx context.Context) error { return s.SignCustody(ctx, records) }}
	if !unsealed {
		key, err := s.SigningKey(ctx)
		if err != nil {
			return b, err
		}
		b.Key = key.Key
	}
	if stamp {
		b.Authorities, b.Ask = slices.Clone(s.Config.Settings().Stamps), s.askForStamp
		if len(b.Authorities) == 0 {
			return b, &Misuse{Sentence: i18n.T("No time stamp authority is set. Enter one or two in Settings.")}
		}
	}
	return b, nil
}

// askForStamp asks a time stamp authority, over the network of the settings.
func (s *Service) askForStamp(ctx context.Context, authority string, query []byte) ([]byte, error) {
	if s.proxyAsks() {
		if err := s.Keys.LoadProxyPassword(ctx, s.Config.Settings().Network.Proxy); err != nil && ctx.Err() != nil {
			return nil, err
		}
		s.Secrets.Add(s.network().ProxyPassword)
	}
	return client.AskForStamp(ctx, s.network(), authority, query)
}
