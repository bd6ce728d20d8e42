package session

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"assay/client/desk/exchange"
	"assay/client/desk/files"
	"assay/client/desk/postgres"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/store"
)

// DeskPasswordVariable names, in the environment, the password for the desk, where no keychain is.
const DeskPasswordVariable = "ASSAY_DESK_PASSWORD" //nolint:gosec // no credential: where one is

// DeskFilesVariable names, in the environment, the key of the store where the desk's files are kept, as ACCESS:SECRET, where no keychain is.
const DeskFilesVariable = "ASSAY_DESK_FILES_KEY"

// DeskSecrets are what opens a desk. What is "" there is the environment's or the keychain's.
type DeskSecrets struct {
	Password string
	FilesKey string // of the store where files are kept, if they are in one: ACCESS:SECRET
}

// EnvironmentDeskSecrets are those in ASSAY_DESK_PASSWORD and ASSAY_DESK_FILES_KEY, or in the files that ASSAY_DESK_PASSWORD_FILE and ASSAY_DESK_FILES_KEY_FILE
// name. An error is Misuse.
func EnvironmentDeskSecrets() (d DeskSecrets, err error) {
	if d.Password, err = environmentSecret(DeskPasswordVariable); err != nil {
		return d, err
	}
	d.FilesKey, err = environmentSecret(DeskFilesVariable)
	return d, err
}

// addTo adds them to what no log may hold. Of the store's key the second half is the secret.
func (d DeskSecrets) addTo(secrets *logs.Secrets) {
	secrets.Add(d.Password)
	secrets.Add(d.FilesKey)
	_, secret, _ := strings.Cut(d.FilesKey, ":")
	secrets.Add(secret)
}

// ErrNoDesk is for what needs a desk where this computer has joined none.
var ErrNoDesk = &store.Error{Op: "use the desk", Message: i18n.M("This computer has not joined a desk. Join one first: under Settings → Desk, or with assay desk join."), Kind: store.ErrNoDesk}

// Exchange is what is exchanged with the desk that the records have joined: the error is ErrNoDesk where they have joined none.
func (s *Service) Exchange(ctx context.Context, records *store.Store, given DeskSecrets) (exchange.Params, error) {
	m, joined, err := records.Desk(ctx)
	if err != nil {
		return exchange.Params{}, err
	}
	if !joined {
		return exchange.Params{}, ErrNoDesk
	}
	at, err := postgres.ParseAddress(m.Address)
	if err != nil {
		return exchange.Params{}, err
	}
	return s.exchangeWith(records, at, given), nil
}

func (s *Service) exchangeWith(records *store.Store, at postgres.Address, given DeskSecrets) exchange.Params {
	return exchange.Params{
		Store: records, Address: at, Events: s.Events, Log: s.Log,
		Files: s.deskFiles(at, given.FilesKey),
		Password: func(ctx context.Context) (string, error) {
			password := cmp.Or(given.Password, s.deskSecrets.Password)
			if password != "" || s.Keys == nil {
				s.Secrets.Add(password)
				return password, nil
			}
			kept, err := s.Keys.DeskPassword(ctx, at.String())
			if keys.IsProblem(err, keys.Missing) {
				return "", &postgres.Problem{Cause: postgres.NoPassword, Err: err}
			}
			s.Secrets.Add(kept)
			return kept, err
		},
		Key: func(ctx context.Context) (ed25519.PrivateKey, error) {
			key, err := s.SigningKey(ctx)
			return key.Key, err
		},
	}
}

// JoinDesk makes this computer the member's at a desk, once it could log in there, and keeps what is given of its secrets in the keychain. kept is false where
// there is no keychain to keep them in: each run needs them then. An error is a *postgres.Problem, one of address, or a *files.Problem where the store of files
// does not accept its key.
func (s *Service) JoinDesk(ctx context.Context, records *store.Store, address string, given DeskSecrets) (me postgres.Member, kept bool, err error) {
	given.addTo(s.Secrets)
	at, err := postgres.ParseAddress(address)
	if err != nil {
		return me, false, err
	}
	p := s.exchangeWith(records, at, given)
	if err := checkFiles(ctx, p); err != nil {
		return me, false, err
	}
	if me, err = exchange.Join(ctx, p); err != nil {
		return me, false, err
	}
	if given.Password == "" || s.Keys == nil {
		return me, false, nil
	}
	err = s.Keys.SetDeskPassword(ctx, at.String(), given.Password)
	if err == nil && given.FilesKey != "" {
		err = s.Keys.SetDeskFilesKey(ctx, at.Files(), given.FilesKey)
	}
	if problem := (*keys.Problem)(nil); errors.As(err, &problem) {
		s.Log.Info("the desk's password is not in the keychain", "error", err)
		return me, false, nil
	}
	return me, err == nil, err
}

// LeaveDesk ends the membership, and removes the password. What is in the records stays.
func (s *Service) LeaveDesk(ctx context.Context, records *store.Store) error {
	m, joined, err := records.Desk(ctx)
	if err != nil || !joined {
		return err
	}
	if err := records.LeaveDesk(ctx); err != nil {
		return err
	}
	if s.Keys != nil && s.deskSecrets.Password == "" {
		if err := s.Keys.ClearDeskPassword(ctx, m.Address); err != nil && !keys.IsProblem(err, keys.Missing) {
			s.Log.Warn("the desk's password is still in the keychain", "error", err)
		}
	}
	if at, err := postgres.ParseAddress(m.Address); err == nil && files.IsStore(at.Files()) && s.Keys != nil && s.deskSecrets.FilesKey == "" {
		if err := s.Keys.ClearDeskFilesKey(ctx, at.Files()); err != nil && !keys.IsProblem(err, keys.Missing) {
			s.Log.Warn("the key of the desk's files is still in the keychain", "error", err)
		}
	}
	return nil
}

// deskLoop is the exchange of an open session.
type deskLoop struct {
	mu      sync.Mutex
	loop    atomic.Pointer[exchange.Loop] // nil: no desk; changed under mu
	unkept  DeskSecrets                   // that no keychain took
	looks   sync.Once
	looking *exchange.Looking
}

// OpenDesk begins to exchange with the desk, if there is one.
func (s *Session) OpenDesk(ctx context.Context) error {
	return s.ChangeDesk(ctx, func(*Service) error { return nil })
}

// ChangeDesk ends the exchange with the desk, lets do join or leave one, and begins the exchange with the one that is joined then. What was being
// exchanged has ended when do is called, so that nothing of an earlier membership is kept after it.
func (s *Session) ChangeDesk(ctx context.Context, do func(*Service) error) error {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if loop := s.desk.loop.Swap(nil); loop != nil {
		loop.Close()
	}
	done := do(s.Service())
	p, err := s.Service().Exchange(ctx, s.Store, s.desk.unkept)
	switch {
	case errors.Is(err, store.ErrNoDesk) || s.Store.ReadOnly() != nil:
		return done
	case err != nil:
		return errors.Join(done, err)
	}
	p.Looking = s.Looking()
	s.desk.loop.Store(exchange.Start(p))
	s.Events.Publish(events.Event{Topic: events.Desk})
	return done
}

// JoinDesk joins a desk, or the same one with another password or other certificates, and begins to exchange with it. kept is false where there is no
// keychain: the secrets hold until the session ends then. Errors are those of Service.JoinDesk.
func (s *Session) JoinDesk(ctx context.Context, address string, given DeskSecrets) (kept bool, err error) {
	err = s.ChangeDesk(context.WithoutCancel(ctx), func(service *Service) (err error) {
		if _, kept, err = service.JoinDesk(ctx, s.Store, address, given); err != nil {
			return err
		}
		if s.desk.unkept = (DeskSecrets{}); !kept {
			s.desk.unkept = given
		}
		return nil
	})
	return kept, err
}

// DeskExchange is Service.Exchange for this session's records, with what no keychain took.
func (s *Session) DeskExchange(ctx context.Context) (exchange.Params, error) {
	s.desk.mu.Lock()
	unkept := s.desk.unkept
	s.desk.mu.Unlock()
	return s.Service().Exchange(ctx, s.Store, unkept)
}

// LeaveDesk leaves the desk.
func (s *Session) LeaveDesk(ctx context.Context) error {
	err := s.ChangeDesk(context.WithoutCancel(ctx), func(service *Service) error {
		s.desk.unkept = DeskSecrets{}
		return service.LeaveDesk(ctx, s.Store)
	})
	s.Events.Publish(events.Event{Topic: events.Desk})
	return err
}

// TryDesk tries to reach the desk now, if it waits before it tries again.
func (s *Session) TryDesk() {
	if loop := s.desk.loop.Load(); loop != nil {
		loop.TryNow()
	}
}

func (s *Session) closeDesk() {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if loop := s.desk.loop.Swap(nil); loop != nil {
		loop.Close()
	}
}

// DeskStatus is how the connection to the desk is; ok is false where there is no desk.
func (s *Session) DeskStatus() (status exchange.Status, ok bool) {
	loop := s.desk.loop.Load()
	if loop == nil {
		return exchange.Status{}, false
	}
	return loop.Status(), true
}

// Looking is which shared case the person has open, and which colleagues have it open, too.
func (s *Session) Looking() *exchange.Looking {
	s.desk.looks.Do(func() { s.desk.looking = exchange.NewLooking(s.Events) })
	return s.desk.looking
}

// checkedElsewhere is intake.Params.Elsewhere.
func (s *Session) checkedElsewhere(ctx context.Context, content string) bool {
	loop := s.desk.loop.Load()
	return loop != nil && loop.CheckedElsewhere(ctx, content)
}
