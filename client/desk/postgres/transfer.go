package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"assay/client/desk"
)

// batch is how many events are sent, or received, at once.
const batch = 500

// Push sends events in their order, at most batch at once, each batch in one transaction; what the desk has already is passed over, so that the same may
// be sent again. sent is how many the desk has for certain, from the first on. Where the error is of cause Refused or NotAllowed, it is about the event
// after those.
func (c *Connection) Push(ctx context.Context, events []desk.Event) (sent int, err error) {
	if c.Newer {
		return 0, &Problem{NewerDesk, errors.New("nothing is written to it")}
	}
	for len(events) > 0 {
		some := events[:min(len(events), batch)]
		if err := c.insert(ctx, some); err != nil {
			problem := problemOf(err)
			if p := (*Problem)(nil); !errors.As(problem, &p) || p.Cause != Refused && p.Cause != NotAllowed || len(some) == 1 {
				return sent, problem
			}
			n, err := c.pushEach(ctx, some) // one of them is refused, and with it the batch was
			if sent += n; err != nil {
				return sent, err
			}
		} else {
			sent += len(some)
		}
		events = events[len(some):]
	}
	return sent, nil
}

// pushEach sends events one by one, up to the first that is refused.
func (c *Connection) pushEach(ctx context.Context, events []desk.Event) (sent int, err error) {
	for i := range events {
		if err := c.insert(ctx, events[i:i+1]); err != nil {
			return i, problemOf(err)
		}
	}
	return len(events), nil
}

// insert adds events in one statement, and with it in one transaction.
func (c *Connection) insert(ctx context.Context, events []desk.Event) error {
	n := len(events)
	ids, cases, devices, about := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n), make([]*uuid.UUID, n)
	lamports, kinds, bodies := make([]int64, n), make([]string, n), make([]string, n)
	subjects, digests, sigs := make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i, e := range events {
		ids[i], cases[i], devices[i], lamports[i], kinds[i], bodies[i] = e.ID, e.Case, e.Device, e.Lamport, string(e.Kind), string(e.Body)
		subjects[i], digests[i], sigs[i] = e.Subject, e.Digest, e.Sig
		if e.About != uuid.Nil {
			about[i] = &events[i].About
		}
	}
	_, err := c.conn.Exec(ctx, `INSERT INTO desk.events (id, case_id, device, lamport, kind, about, subject, body, digest, sig)
		SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::uuid[], $7::bytea[], $8::text[], $9::bytea[], $10::bytea[])
		ON CONFLICT (id) DO NOTHING`, ids, cases, devices, lamports, kinds, about, subjects, bodies, digests, sigs)
	return err
}

// Cursor is a position in a desk's events: after the last that was received. The zero value is the beginning.
type Cursor struct {
	tx  string // of PostgreSQL's type xid8, which no integer of Go's database drivers holds
	seq int64
}

// String is the cursor as ParseCursor reads it; "" is the beginning.
func (c Cursor) String() string {
	if c.tx == "" {
		return ""
	}
	return c.tx + "." + strconv.FormatInt(c.seq, 10)
}

// ParseCursor reads what String gave.
func ParseCursor(text string) (c Cursor, err error) {
	if text == "" {
		return c, nil
	}
	tx, seq, _ := strings.Cut(text, ".")
	if _, err := strconv.ParseUint(tx, 10, 64); err != nil {
		return Cursor{}, err
	}
	c.tx = tx
	c.seq, err = strconv.ParseInt(seq, 10, 64)
	return c, err
}

// Pull receives the next events of the member's cases after a cursor, at most batch, and the cursor after them. Fewer than batch are all there are.
// Events of transactions that are still open anywhere in the database come later, and so do all after them: none is ever passed over. What was done in
// a case before the member came into it may lie before the cursor: PullCase has it.
func (c *Connection) Pull(ctx context.Context, after Cursor) (events []desk.Event, next Cursor, err error) {
	return c.pull(ctx, after, nil)
}

// PullCase is Pull for one case.
func (c *Connection) PullCase(ctx context.Context, id uuid.UUID, after Cursor) (events []desk.Event, next Cursor, err error) {
	return c.pull(ctx, after, &id)
}

func (c *Connection) pull(ctx context.Context, after Cursor, of *uuid.UUID) (events []desk.Event, next Cursor, err error) {
	if after.tx == "" {
		after.tx = "0"
	}
	next = after
	rows, err := c.conn.Query(ctx, `SELECT tx::text, seq, id, case_id, author, device, lamport, kind, coalesce(about, '00000000-0000-0000-0000-000000000000'),
			subject, body, digest, sig, at FROM desk.events
		WHERE tx < pg_snapshot_xmin(pg_current_snapshot()) AND (tx, seq) > ($1::text::xid8, $2) AND ($4::uuid IS NULL OR case_id = $4)
		ORDER BY tx, seq LIMIT $3`, after.tx, after.seq, batch, of)
	if err != nil {
		return nil, after, problemOf(err)
	}
	events, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (e desk.Event, err error) {
		var body *string
		err = row.Scan(&next.tx, &next.seq, &e.ID, &e.Case, &e.Author, &e.Device, &e.Lamport, &e.Kind, &e.About, &e.Subject, &body, &e.Digest, &e.Sig, &e.At)
		if body != nil {
			e.Body = []byte(*body)
		}
		return e, err
	})
	if err != nil {
		return nil, after, problemOf(err)
	}
	return events, next, nil
}

// Waiting is how long the desk's oldest open transaction has kept events back, in seconds; 0 where none does. Nobody but who has it open can end it.
func (c *Connection) Waiting(ctx context.Context) (seconds float64, err error) {
	err = c.conn.QueryRow(ctx, `SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 FROM desk.events
		WHERE tx >= pg_snapshot_xmin(pg_current_snapshot()) AND at < now() - interval '5 seconds'`).Scan(&seconds)
	return seconds, problemOf(err)
}
