package gui

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/cases"
)

// exchangeWith is what is exchanged with the desk that was joined.
func (a *app) exchangeWith(ctx context.Context) (exchange.Params, error) {
	if a.Exchange != nil {
		return a.Exchange(ctx)
	}
	return a.DeskExchange(ctx)
}

// caseDesk is the desk as the screen of the cases needs it. What it changes in the records, the session's own exchange sends; who is in a case, only the
// desk's server knows, which is asked on a connection of its own.
type caseDesk struct {
	store   *store.Store
	params  func(context.Context) (exchange.Params, error)
	looking *exchange.Looking
}

// Colleagues implements cases.Desk.
func (d caseDesk) Colleagues(ctx context.Context) (all []cases.Colleague, joined bool, err error) {
	m, joined, err := d.store.Desk(ctx)
	if err != nil || !joined {
		return nil, false, err
	}
	members, err := d.store.DeskMembers(ctx)
	for _, other := range members {
		if other.Name != m.Member && !other.Revoked {
			all = append(all, cases.Colleague{Login: other.Name, Name: plain.From(other.Display).Folded().String()})
		}
	}
	return all, true, err
}

// Sharing implements cases.Desk.
func (d caseDesk) Sharing(ctx context.Context, of string) (store.Sharing, error) {
	return d.store.SharingOf(ctx, of)
}

// Share implements cases.Desk.
func (d caseDesk) Share(ctx context.Context, of string, share desk.Share, with []cases.InCase) (problem, err error) {
	if err := d.store.ShareCase(ctx, of, share); err != nil {
		return nil, err
	}
	return d.letIn(ctx, of, with...), nil
}

func (d caseDesk) letIn(ctx context.Context, of string, with ...cases.InCase) error {
	p, err := d.params(ctx)
	if err != nil {
		return err
	}
	members := make([]postgres.InCase, len(with))
	for i, one := range with {
		members[i] = postgres.InCase{Member: one.Login, Level: postgres.Level(one.Level)}
	}
	return exchange.LetIn(ctx, p, desk.IDOf(of), members...)
}

// ShareItems implements cases.Desk.
func (d caseDesk) ShareItems(ctx context.Context, of string, items []string, share desk.Share) error {
	return d.store.AddToDesk(ctx, of, items, share)
}

// ShareFiles implements cases.Desk. Each is read first: what is another file now is not shared.
func (d caseDesk) ShareFiles(ctx context.Context, of string, items []string) error {
	for _, id := range items {
		switch _, err := exchange.OriginalToShare(ctx, d.store, of, id); {
		case errors.Is(err, fs.ErrNotExist):
			return errNoFile
		case errors.Is(err, store.ErrNoOriginal):
			return cmp.Or(d.store.MayShareOriginal(ctx, of, id), err)
		case err != nil:
			return err
		}
	}
	for _, id := range items {
		if err := d.store.ShareOriginal(ctx, of, id); err != nil {
			return err
		}
	}
	return nil
}

// People implements cases.Desk.
func (d caseDesk) People(ctx context.Context, of string) (all []cases.InCase, me string, err error) {
	p, err := d.params(ctx)
	if err != nil {
		return nil, "", err
	}
	people, err := exchange.People(ctx, p, desk.IDOf(of))
	if err != nil {
		return nil, "", err
	}
	for _, one := range people {
		all = append(all, cases.InCase{Login: one.Member, Level: cases.Level(one.Level)})
	}
	m, _, err := d.store.Desk(ctx)
	return all, m.Member, err
}

// SetLevel implements cases.Desk.
func (d caseDesk) SetLevel(ctx context.Context, of string, who cases.InCase) error {
	return d.letIn(ctx, of, who)
}

// Leave implements cases.Desk. Whoever was taken out of the case before has left it already.
func (d caseDesk) Leave(ctx context.Context, of string) error {
	people, me, err := d.People(ctx, of)
	if err != nil {
		return err
	}
	for _, one := range people {
		if one.Login != me {
			continue
		}
		p, err := d.params(ctx)
		if err != nil {
			return err
		}
		if err := exchange.Leave(ctx, p, desk.IDOf(of)); err != nil {
			return err
		}
	}
	return d.store.LeaveCase(ctx, of)
}

// LookedAt implements cases.Desk.
func (d caseDesk) LookedAt(ctx context.Context, of string, last int64) error {
	return d.store.LookedAt(ctx, of, last)
}

// LookAt implements cases.Desk.
func (d caseDesk) LookAt(of string) {
	if of == "" {
		d.looking.Away()
		return
	}
	d.looking.At(desk.IDOf(of))
}

// Viewers implements cases.Desk.
func (d caseDesk) Viewers(of string) []string {
	if open, logins := d.looking.Others(); open == desk.IDOf(of) {
		return logins
	}
	return nil
}
