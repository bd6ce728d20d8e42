// Package exchange keeps this computer's records and the desk's database in step: it sends what was done here in shared cases, and receives what
// colleagues did. It imports client/desk, client/desk/postgres, client/store, client/events and client/retry.
package exchange

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"

	"github.com/google/uuid"

	"assay/client/desk"
	"assay/client/desk/postgres"
	"assay/client/events"
	"assay/client/store"
)

// Params are what is exchanged, and with whom. All but Events and Log are required.
type Params struct {
	Store   *store.Store
	Address postgres.Address
	// Password and Key are asked for at each connection: the login's password, and the key that signs what is done on this computer.
	Password func(context.Context) (string, error)
	Key      func(context.Context) (ed25519.PrivateKey, error)
	Events   *events.Hub  // gets events.Desk when Status has changed; nil: nothing
	Log      *slog.Logger // nil: nothing is logged
}

// atOnce is how many events are read from the records at a time.
const atOnce = 500

// DeviceOf is the ID of the computer of a member that signs with a key: another key is another computer.
func DeviceOf(member string, key ed25519.PrivateKey) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceOID, append([]byte("assay desk device "+member+" "), key.Public().(ed25519.PublicKey)...))
}

// Join makes this computer the member's at the desk. Nothing is exchanged yet.
func Join(ctx context.Context, p Params) (me postgres.Member, err error) {
	x, err := connect(ctx, p)
	if err != nil {
		return me, err
	}
	defer x.conn.Close()
	return x.conn.Me(), nil
}

// Look connects, brings up to date who is at the desk, and ends.
func Look(ctx context.Context, p Params) error {
	_, err := Join(ctx, p)
	return err
}

// Once sends all that is to be sent, receives all that is new, and ends. An error is a *postgres.Problem, the store's, or the keychain's.
func Once(ctx context.Context, p Params) error {
	x, err := connect(ctx, p)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	return x.both(ctx)
}

// exchange is one connection.
type exchange struct {
	Params
	conn    *postgres.Connection
	key     ed25519.PrivateKey
	cursor  postgres.Cursor
	cases   map[uuid.UUID]bool // that the desk has for certain
	devices map[uuid.UUID]store.DeskDevice
}

// connect connects, and brings up to date who is who.
func connect(ctx context.Context, p Params) (x *exchange, err error) {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	password, err := p.Password(ctx)
	if err != nil {
		return nil, err
	}
	key, err := p.Key(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := postgres.Connect(ctx, p.Address, password)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	x = &exchange{Params: p, conn: conn, key: key, cases: map[uuid.UUID]bool{}}
	device := DeviceOf(conn.Me().Name, key)
	if !conn.Newer {
		if err := conn.AddDevice(ctx, device, key.Public().(ed25519.PublicKey)); err != nil {
			return nil, err
		}
	}
	if err := p.Store.JoinDesk(ctx, store.Membership{Address: p.Address.String(), Member: conn.Me().Name, Device: device, Epoch: conn.Epoch}); err != nil {
		return nil, err
	}
	if err := x.people(ctx); err != nil {
		return nil, err
	}
	m, _, err := p.Store.Desk(ctx)
	if err != nil {
		return nil, err
	}
	x.cursor, err = postgres.ParseCursor(m.Cursor)
	return x, err
}

// people keeps who is at the desk, and the keys of their computers.
func (x *exchange) people(ctx context.Context) error {
	members, err := x.conn.Members(ctx)
	if err != nil {
		return err
	}
	devices, err := x.conn.Devices(ctx)
	if err != nil {
		return err
	}
	var who []store.DeskMember
	for _, m := range members {
		who = append(who, store.DeskMember{Name: m.Name, Display: m.Display, Role: string(m.Role), Revoked: !m.Revoked.IsZero()})
	}
	var with []store.DeskDevice
	for _, d := range devices {
		with = append(with, store.DeskDevice{ID: d.ID, Member: d.Member, Key: d.Key})
	}
	if err := x.Store.SetDeskPeople(ctx, who, with); err != nil {
		return err
	}
	x.devices, err = x.Store.DeskDevices(ctx) // those of the records: a key that is known here never changes
	return err
}

// both sends and receives.
func (x *exchange) both(ctx context.Context) error {
	if err := x.push(ctx); err != nil {
		return err
	}
	return x.pull(ctx)
}

// push sends all that waits. What the desk refuses stays here, is counted, and holds up nothing else.
func (x *exchange) push(ctx context.Context) error {
	for {
		waiting, err := x.Store.Unsent(ctx, atOnce)
		if err != nil || len(waiting) == 0 {
			return err
		}
		for i := range waiting {
			if id := waiting[i].Case; !x.cases[id] {
				if err := x.conn.AddCase(ctx, id); err != nil {
					return err
				}
				x.cases[id] = true
			}
			waiting[i].Sign(x.key)
		}
		sent, err := x.conn.Push(ctx, waiting)
		if kept := x.Store.Sent(ctx, waiting[:sent]); kept != nil {
			return kept
		}
		if err != nil {
			var p *postgres.Problem
			if !errors.As(err, &p) || p.Cause != postgres.Refused && p.Cause != postgres.NotAllowed || sent == len(waiting) {
				return err
			}
			x.Log.Warn("the desk does not take an event", "kind", waiting[sent].Kind, "cause", p.Cause)
			if err := x.Store.RefusedByDesk(ctx, waiting[sent].ID); err != nil {
				return err
			}
		}
	}
}

// pull receives all that is new, and all of cases that the member was let into since.
func (x *exchange) pull(ctx context.Context) error {
	there, err := x.conn.Cases(ctx)
	if err != nil {
		return err
	}
	here, err := x.Store.DeskCases(ctx)
	if err != nil {
		return err
	}
	for _, id := range there {
		x.cases[id] = true
		if here[id] {
			continue
		}
		// Until all of it is here, the case is marked: what is older than the cursor would not come again.
		if err := x.Store.SetFact(ctx, store.PartOf(id), "yes"); err != nil {
			return err
		}
		if err := x.receive(ctx, postgres.Cursor{}, func(after postgres.Cursor) ([]desk.Event, postgres.Cursor, error) {
			return x.conn.PullCase(ctx, id, after)
		}, false); err != nil {
			return err
		}
		if err := x.Store.SetFact(ctx, store.PartOf(id), ""); err != nil {
			return err
		}
	}
	return x.receive(ctx, x.cursor, func(after postgres.Cursor) ([]desk.Event, postgres.Cursor, error) { return x.conn.Pull(ctx, after) }, true)
}

// receive keeps events after a cursor until there are no more. Where they are all of the member's, the cursor is kept with them.
func (x *exchange) receive(ctx context.Context, cursor postgres.Cursor, next func(postgres.Cursor) ([]desk.Event, postgres.Cursor, error), all bool) error {
	for {
		got, after, err := next(cursor)
		if err != nil || len(got) == 0 {
			return err
		}
		received := make([]store.Received, len(got))
		for i, e := range got {
			altered, err := x.altered(ctx, e)
			if err != nil {
				return err
			}
			received[i] = store.Received{Event: e, Altered: altered}
		}
		keep := ""
		if all {
			keep = after.String()
		}
		if err := x.Store.Receive(ctx, received, x.conn.Epoch, keep); err != nil {
			return err
		}
		if cursor = after; all {
			x.cursor = after
		}
	}
}

// altered reports whether an event is not what its author's computer signed.
func (x *exchange) altered(ctx context.Context, e desk.Event) (bool, error) {
	device, known := x.devices[e.Device]
	if !known {
		if err := x.people(ctx); err != nil {
			return false, err
		}
		device = x.devices[e.Device]
	}
	if device.Member == e.Author && e.Verify(device.Key) == nil {
		return false, nil
	}
	x.Log.Warn("an event of the desk is not what its author signed", "id", e.ID, "author", e.Author)
	return true, nil
}
