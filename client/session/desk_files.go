package session

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"assay/client"
	"assay/client/desk/exchange"
	"assay/client/desk/files"
	"assay/client/desk/postgres"
	"assay/client/keys"
)

// filesPatience is for how long nothing may move on a connection to the store of the desk's files.
const filesPatience = time.Minute

// deskFiles opens the place for files that a desk's address names, nil where it names none. A store is reached as the service is: through the person's proxy, and
// with their certificate file; besides, who vouches for the desk vouches for it. key is used where it is not "", and else the environment's or the keychain's.
func (s *Service) deskFiles(at postgres.Address, key string) func(context.Context) (files.Place, error) {
	address := at.Files()
	switch {
	case address == "":
		return nil
	case !files.IsStore(address):
		return func(context.Context) (files.Place, error) { return files.Open(address, files.Options{}) }
	}
	var mu sync.Mutex
	var through http.RoundTripper
	var network client.Network // of through
	return func(ctx context.Context) (files.Place, error) {
		given, err := s.filesKey(ctx, address, key)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if now := s.network(); through == nil || now != network {
			if through, err = now.Transport(at.Authority(), filesPatience); err != nil {
				return nil, err
			}
			network = now
		}
		return files.Open(address, files.Options{Key: given, Transport: through})
	}
}

// filesKey is the key of a store.
func (s *Service) filesKey(ctx context.Context, address, given string) (key string, err error) {
	key = cmp.Or(given, s.deskSecrets.FilesKey)
	if key == "" && s.Keys != nil {
		key, err = s.Keys.DeskFilesKey(ctx, address)
		if keys.IsProblem(err, keys.Missing) {
			err = &files.Problem{Cause: files.NoKey, Err: err}
		}
	}
	DeskSecrets{FilesKey: key}.addTo(s.Secrets)
	return key, err
}

// checkFiles tries the place for files, if there is one. What may be over later, such as a store that can't be reached, keeps nobody from joining.
func checkFiles(ctx context.Context, p exchange.Params) error {
	if p.Files == nil {
		return nil
	}
	at, err := p.Files(ctx)
	if err == nil {
		err = at.Check(ctx)
	}
	if problem := (*files.Problem)(nil); errors.As(err, &problem) && problem.Cause == "" {
		p.Log.Warn("the desk's files", "error", err)
		return nil
	}
	return err
}
