package session

import (
	"context"
	"crypto/ed25519"
	"errors"
	"sync"

	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/store"
)

// DeskPasswordVariable names, in the environment, the password for the desk, where no keychain is.
const DeskPasswordVariable = "ASSAY_DESK_PASSWORD"

// DeskPassword is the password in ASSAY_DESK_PASSWORD, or in the file that ASSAY_DESK_PASSWORD_FILE names, or "". An error is Misuse.
func DeskPassword() (string, error) { return environmentSecret(DeskPasswordVariable) }

// ErrNoDesk is for what needs a desk where this computer has joined none.
var ErrNoDesk = &store.Error{Op: "use the desk", Message: i18n.M("This computer has not joined a desk. Join one first: under Settings → Desk, or with assay desk join."), Kind: store.ErrNoDesk}

// Exchange is what is exchanged with the desk that the records have joined: the error is ErrNoDesk where they have joined none. password is used where it is
// not "", and else the environment's or the keychain's.
func (s *Service) Exchange(ctx context.Context, records *store.Store, password string) (exchange.Params, error) {
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
	return s.exchangeWith(records, at, password), nil
}

func (s *Service) exchangeWith(records *store.Store, at postgres.Address, password string) exchange.Params {
	return exchange.Params{
		Store: records, Address: at, Events: s.Events, Log: s.Log,
		Password: func(ctx context.Context) (string, error) {
			if password == "" {
				password = s.deskPassword
			}
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

// JoinDesk makes this computer the member's at a desk, once it could log in there, and keeps the password in the keychain. kept is false where there is no
// keychain to keep it in: each run needs it then. An error is a *postgres.Problem, or one of address.
func (s *Service) JoinDesk(ctx context.Context, records *store.Store, address, password string) (me postgres.Member, kept bool, err error) {
	at, err := postgres.ParseAddress(address)
	if err != nil {
		return me, false, err
	}
	if me, err = exchange.Join(ctx, s.exchangeWith(records, at, password)); err != nil {
		return me, false, err
	}
	if password == "" || s.Keys == nil {
		return me, false, nil
	}
	err = s.Keys.SetDeskPassword(ctx, at.String(), password)
	if problem := (*keys.Problem)(nil); errors.As(err, &problem) {
		s.Log.Warn("the desk's password is not in the keychain", "error", err)
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
	if s.Keys != nil && s.deskPassword == "" {
		if err := s.Keys.ClearDeskPassword(ctx, m.Address); err != nil && !keys.IsProblem(err, keys.Missing) {
			s.Log.Warn("the desk's password is still in the keychain", "error", err)
		}
	}
	return nil
}

// deskLoop is the exchange of an open session.
type deskLoop struct {
	mu   sync.Mutex
	loop *exchange.Loop // nil: no desk
}

// OpenDesk begins to exchange with the desk, if there is one, or to do so anew, after it was joined or left. It returns once what was before has ended.
func (s *Session) OpenDesk(ctx context.Context) error {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if s.desk.loop != nil {
		s.desk.loop.Close()
		s.desk.loop = nil
	}
	p, err := s.Service().Exchange(ctx, s.Store, "")
	if errors.Is(err, store.ErrNoDesk) || s.Store.ReadOnly() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	s.desk.loop = exchange.Start(p)
	return nil
}

func (s *Session) closeDesk() {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if s.desk.loop != nil {
		s.desk.loop.Close()
		s.desk.loop = nil
	}
}

// DeskStatus is how the connection to the desk is; ok is false where there is no desk.
func (s *Session) DeskStatus() (status exchange.Status, ok bool) {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if s.desk.loop == nil {
		return exchange.Status{}, false
	}
	return s.desk.loop.Status(), true
}
