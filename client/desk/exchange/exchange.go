// Package exchange keeps this computer's records and the desk's database in step: it sends what was done here in shared cases, and receives what
// colleagues did. It imports client/custody, client/desk, client/desk/postgres, client/store, client/events and client/retry.
package exchange

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"assay/client/desk"
	"assay/client/desk/files"
	"assay/client/desk/postgres"
	"assay/client/events"
	"assay/client/store"
)

// Params are what is exchanged, and with whom. All but Files, Events and Log are required.
type Params struct {
	Store   *store.Store
	Address postgres.Address
	// Password and Key are asked for at each connection: the login's password, and the key that signs what is done on this computer.
	Password func(context.Context) (string, error)
	Key      func(context.Context) (ed25519.PrivateKey, error)
	// Files is the place for files beside the database. An error is a *files.Problem, the keychain's, or one of setup; nil: there is no place.
	Files   func(context.Context) (files.Place, error)
	Events  *events.Hub  // gets events.Desk when Status has changed; nil: nothing
	Looking *Looking     // which case is open; nil: none ever is
	Log     *slog.Logger // nil: nothing is logged
}

// expireEvery is how often it is looked for what the desk no longer keeps.
const expireEvery = time.Hour

// atOnce is how many events are read from the records at a time.
const atOnce = 500

// DeviceOf is the ID of the computer of a member that signs with a key: another key is another computer.
func DeviceOf(member string, key ed25519.PrivateKey) uuid.UUID {
	return deviceOf(member, key.Public().(ed25519.PublicKey))
}

func deviceOf(member string, key ed25519.PublicKey) uuid.UUID {
	return uuid.NewSHA1(uuid.NameSpaceOID, append([]byte("assay desk device "+member+" "), key...))
}

// Join makes this computer the member's at the desk. Nothing is exchanged yet.
func Join(ctx context.Context, p Params) (me postgres.Member, err error) {
	x, err := connect(ctx, p)
	if err != nil {
		return me, postgres.Once(err)
	}
	defer x.conn.Close()
	return x.conn.Me(), nil
}

// Look connects, brings up to date who is at the desk and what it knows of custody logs, and ends.
func Look(ctx context.Context, p Params) error {
	x, err := connect(ctx, p)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	_, err = x.lookAtLogs(ctx)
	return err
}

// Once sends all that is to be sent, receives all that is new, and ends. An error is a *postgres.Problem, the store's, or the keychain's; a *files.Problem
// where all but files was exchanged.
func Once(ctx context.Context, p Params) error {
	x, err := connect(ctx, p)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	unkept := sendFiles(ctx, x.Params)
	if err := x.both(ctx); err != nil {
		return err
	}
	if err := fetchFiles(ctx, x.Params); err != nil && !errors.Is(err, errNotThere) {
		return err
	}
	return unkept
}

// exchange is one connection.
type exchange struct {
	Params
	conn    *postgres.Connection
	key     ed25519.PrivateKey
	cursor  postgres.Cursor
	cases   map[uuid.UUID]bool // that the desk has for certain
	in      map[uuid.UUID]bool // those that the member was in when the last pull began
	devices map[uuid.UUID]store.DeskDevice
	sends   bool      // what was done here could be sent
	logsAt  time.Time // when the custody logs were last compared
	// when what is no longer kept was last removed, by the server's clock
	expiredAt time.Time
	working   func() // called once it is known whether it can be; nil: nothing is

	told     uuid.UUID // the case that the desk was told is open
	lookNext time.Time // when it is told so again; zero: not until another is open
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

// both sends and receives. What keeps it from sending keeps it from receiving only where nothing can be received either.
func (x *exchange) both(ctx context.Context) error {
	if err := x.conn.Renew(ctx); err != nil { // the member may have been revoked, or the desk be a newer Assay's, since it was connected
		return err
	}
	unsent := x.push(ctx)
	x.sends = unsent == nil
	if !x.sends && !is(unsent, postgres.NewerDesk) && !is(unsent, postgres.Full) {
		return unsent
	}
	if x.working != nil && !is(unsent, postgres.Full) {
		x.working()
	}
	if err := x.pull(ctx); err != nil {
		return err
	}
	if err := x.logs(ctx); err != nil {
		return err
	}
	if x.conn.Now.Sub(x.expiredAt) >= expireEvery {
		if err := x.Store.Expire(ctx, x.conn.Now); err != nil {
			return err
		}
		x.expiredAt = x.conn.Now
	}
	return unsent
}

// push sends all that waits. What the desk refuses stays here, is counted, and holds up nothing else.
func (x *exchange) push(ctx context.Context) error {
	for {
		waiting, err := x.Store.Unsent(ctx, atOnce)
		if err != nil || len(waiting) == 0 {
			return err
		}
		for i := range waiting {
			waiting[i].Sign(x.key)
		}
		sent, err := x.send(ctx, waiting)
		if kept := x.Store.Sent(ctx, waiting[:sent]); kept != nil {
			return kept
		}
		if err == nil {
			continue
		}
		if !refused(err) || sent == len(waiting) {
			return err
		}
		if err := x.conn.Renew(ctx); err != nil { // of who is no longer a member everything is refused
			return err
		}
		x.Log.Warn("the desk does not take an event", "kind", waiting[sent].Kind, "error", err)
		if err := x.Store.RefusedByDesk(ctx, waiting[sent].ID); err != nil {
			return err
		}
	}
}

// send sends events, and the cases that they are of where the desk may not have them. sent and the error are those of postgres.Connection.Push.
func (x *exchange) send(ctx context.Context, waiting []desk.Event) (sent int, err error) {
	for _, e := range waiting {
		if x.cases[e.Case] {
			continue
		}
		if err := x.conn.AddCase(ctx, e.Case); err != nil && !refused(err) { // who may make no case may still write in one
			return 0, err
		}
		x.cases[e.Case] = true
	}
	return x.conn.Push(ctx, waiting)
}

// refused reports whether an error is about what was sent, and would be the same with the next attempt.
func refused(err error) bool {
	return is(err, postgres.Refused) || is(err, postgres.NotAllowed)
}

// is reports whether an error is a problem of a cause.
func is(err error, cause postgres.Cause) bool {
	var p *postgres.Problem
	return errors.As(err, &p) && p.Cause == cause
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
	levels := map[uuid.UUID]string{}
	for _, one := range there {
		x.cases[one.ID], levels[one.ID] = true, string(one.Level)
	}
	for id := range here {
		if _, in := levels[id]; !in { // they are not let in any more: should they be again, what was done meanwhile is before the cursor
			if err := x.Store.SetFact(ctx, store.PartOf(id), "yes"); err != nil {
				return err
			}
		}
	}
	x.in = map[uuid.UUID]bool{}
	for _, one := range there {
		id := one.ID
		x.in[id] = true
		if here[id] || x.cursor == (postgres.Cursor{}) { // from the beginning, all of each comes anyway
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
	if err := x.Store.SetDeskLevels(ctx, levels); err != nil {
		return err
	}
	return x.receive(ctx, x.cursor, func(after postgres.Cursor) ([]desk.Event, postgres.Cursor, error) { return x.conn.Pull(ctx, after) }, true)
}

// receive keeps events after a cursor until there are no more. Where they are all of the member's, the cursor is kept with them. While some are kept, the
// next are asked for and their signatures verified.
func (x *exchange) receive(ctx context.Context, cursor postgres.Cursor, next func(postgres.Cursor) ([]desk.Event, postgres.Cursor, error), all bool) (err error) {
	kept := make(chan error, 1)
	kept <- nil
	defer func() { err = errors.Join(err, <-kept) }()
	for {
		got, after, err := next(cursor)
		if err != nil {
			return err
		}
		if err := x.letInSince(ctx, got); err != nil {
			return err
		}
		received, err := x.verified(ctx, got)
		if err != nil {
			return err
		}
		err = <-kept
		if err != nil || len(got) == 0 {
			if kept <- nil; err == nil && all {
				x.cursor = after
			}
			return err
		}
		epoch, keep := x.conn.Epoch, ""
		if all {
			keep = after.String()
		}
		go func() { kept <- x.Store.Receive(ctx, received, epoch, keep) }()
		cursor = after
		if x.sends { // however much others write, what was done here goes out
			if err := x.push(ctx); err != nil {
				return err
			}
		}
	}
}

// letInSince marks the cases of events that the member was let into after it was asked for their cases: what is older than these comes with the next pull.
func (x *exchange) letInSince(ctx context.Context, got []desk.Event) error {
	for _, e := range got {
		if x.in[e.Case] {
			continue
		}
		if err := x.Store.SetFact(ctx, store.PartOf(e.Case), "yes"); err != nil {
			return err
		}
		x.in[e.Case] = true
	}
	return nil
}

// verified are events with whether they are what their authors' computers signed: nearly all of the time that it takes to receive many.
func (x *exchange) verified(ctx context.Context, got []desk.Event) ([]store.Received, error) {
	for _, e := range got {
		if _, known := x.devices[e.Device]; known {
			continue
		}
		if err := x.people(ctx); err != nil {
			return nil, err
		}
		if _, known := x.devices[e.Device]; !known {
			x.devices[e.Device] = store.DeskDevice{} // nobody's: it is not asked for again
		}
	}
	all := make([]store.Received, len(got))
	var verifying sync.WaitGroup
	for part := range slices.Chunk(all, len(all)/runtime.GOMAXPROCS(0)+1) {
		from := got[:len(part)]
		got = got[len(part):]
		verifying.Go(func() {
			for i, e := range from {
				device := x.devices[e.Device]
				swapped := deviceOf(e.Author, device.Key) != e.Device // also for who has never known the key that was there before
				part[i] = store.Received{Event: e, Altered: device.Member != e.Author || swapped || e.Verify(device.Key) != nil}
			}
		})
	}
	verifying.Wait()
	for _, r := range all {
		if r.Altered {
			x.Log.Warn("an event of the desk is not what its author signed", "id", r.ID, "author", r.Author)
		}
	}
	return all, nil
}
