package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"assay/client/desk"
)

const (
	// batch is how many events are sent, or received, at once.
	batch = 500
	// batchBytes is how much they say, but that the last one may go beyond it: each alone may have a megabyte.
	batchBytes = 4 << 20
)

// Push sends events in their order, at most batch at once, each batch in one transaction; what the desk has already is passed over, so that the same may
// be sent again. sent is how many the desk has for certain, from the first on. Where the error is of cause Refused or NotAllowed, it is about the event
// after those.
func (c *Connection) Push(ctx context.Context, events []desk.Event) (sent int, err error) {
	for len(events) > 0 {
		some := events[:oneBatch(events)]
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

// oneBatch is how many events are sent next.
func oneBatch(events []desk.Event) int {
	bytes := 0
	for i, e := range events[:min(len(events), batch)] {
		if bytes += len(e.Body); bytes >= batchBytes {
			return i + 1
		}
	}
	return min(len(events), batch)
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
	return c.write(ctx, `INSERT INTO desk.events (id, case_id, device, lamport, kind, about, subject, body, digest, sig)
		SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::uuid[], $7::bytea[], $8::text[], $9::bytea[], $10::bytea[])
		ON CONFLICT (id) DO NOTHING`, ids, cases, devices, lamports, kinds, about, subjects, bodies, digests, sigs)
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

// Pull receives the next events of the member's cases after a cursor, at most batch, and the cursor after them; none are the end. Events of transactions
// that are still open anywhere in the database come later, and so do all after them: none is ever passed over. What was done in a case before the member
// came into it may lie before the cursor: PullCase has it.
func (c *Connection) Pull(ctx context.Context, after Cursor) (events []desk.Event, next Cursor, err error) {
	return c.pull(ctx, after, "")
}

// PullCase is Pull for one case.
func (c *Connection) PullCase(ctx context.Context, id uuid.UUID, after Cursor) (events []desk.Event, next Cursor, err error) {
	return c.pull(ctx, after, "AND case_id = $5", id)
}

// nextEvents has the events of before the oldest open transaction, and its number also where there are none. It is completed with a condition.
const nextEvents = `WITH open AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS tx)
	SELECT open.tx::text, e.tx::text, seq, id, case_id, author, device, lamport, kind, coalesce(about, '00000000-0000-0000-0000-000000000000'), subject, body, digest, sig, at
	FROM open LEFT JOIN LATERAL (
		SELECT n.*, sum(coalesce(octet_length(body), 0)) OVER (ORDER BY n.tx, seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before FROM (
			SELECT * FROM desk.events WHERE desk.events.tx < open.tx AND (desk.events.tx, seq) > ($1::text::xid8, $2) %s ORDER BY desk.events.tx, seq LIMIT $3
		) n
	) e ON coalesce(bytes_before, 0) < $4 ORDER BY e.tx, seq`

func (c *Connection) pull(ctx context.Context, after Cursor, where string, values ...any) (events []desk.Event, next Cursor, err error) {
	if after.tx == "" {
		after.tx = "0"
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, fmt.Sprintf(nextEvents, where), append([]any{after.tx, after.seq, batch, batchBytes}, values...)...)
	if err != nil {
		return nil, after, problemOf(err)
	}
	defer rows.Close()
	var open string
	bytes := 0
	for rows.Next() {
		if rows.RawValues()[1] == nil { // there are none
			if err := rows.Scan(&open, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil); err != nil {
				return nil, after, problemOf(err)
			}
			continue
		}
		var e desk.Event
		var body *string
		if err := rows.Scan(&open, &next.tx, &next.seq, &e.ID, &e.Case, &e.Author, &e.Device, &e.Lamport, &e.Kind, &e.About, &e.Subject, &body, &e.Digest, &e.Sig, &e.At); err != nil {
			return nil, after, problemOf(err)
		}
		if body != nil {
			e.Body = []byte(*body)
		}
		bytes += len(e.Body)
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, after, problemOf(err)
	}
	if len(events) < batch && bytes < batchBytes {
		next = Cursor{tx: open} // all before it were looked at, and most may be of others' cases
	}
	return events, next, nil
}

// Waiting is how long the desk's oldest open transaction has kept events back, in seconds; 0 where none does. Nobody but who has it open can end it.
func (c *Connection) Waiting(ctx context.Context) (seconds float64, err error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	err = c.conn.QueryRow(ctx, `SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 FROM desk.events
		WHERE tx >= pg_snapshot_xmin(pg_current_snapshot()) AND at < now() - interval '5 seconds'`).Scan(&seconds)
	return seconds, problemOf(err)
}
