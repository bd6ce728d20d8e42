// Package postgres is the desk's database: its tables and who may do what with them, as SQL in migrations; how IT sets it up, and how a member's Assay
// connects, sends and receives. Only here is the database spoken with. It imports client/desk, client/i18n, pgx and goose.
package postgres

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// known is the newest version of a desk's tables that this Assay writes to.
const known = 1

// Connection is a member's connection to a desk. One goroutine at a time uses it. Its errors are Problems, or the context's.
type Connection struct {
	conn *pgx.Conn
	me   Member
	// Epoch changes when the database was restored: what was received is asked for anew then.
	Epoch string
	// Now is the time of the server when it was last asked who the member is.
	Now time.Time
	// Newer is true where a later Assay has changed the tables: nothing is written then.
	Newer bool
}

// Member is somebody at a desk.
type Member struct {
	Name    string // login
	Display string
	Role    Role
	Revoked time.Time // zero while they are one
}

// Connect connects to a desk, and finds out who the member is there. A member who was revoked is one of whom Cause tells that.
func Connect(ctx context.Context, at Address, password string) (*Connection, error) {
	config, err := at.config(password)
	if err != nil {
		return nil, problemOf(err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, problemOf(err)
	}
	c := &Connection{conn: conn}
	if err := c.identify(ctx); err != nil {
		c.Close()
		return nil, problemOf(err)
	}
	return c, nil
}

// identify reads who the member is, and what the desk is: with one question, since each notice of something new has everybody ask it.
func (c *Connection) identify(ctx context.Context) error {
	var me Member
	var revoked *time.Time
	var version *int // to who was revoked, what the desk is is not told
	var epoch *string
	var now string
	err := c.conn.QueryRow(ctx, `SELECT name, display, role, revoked, version, epoch, desk.epoch(), now()
		FROM desk.members LEFT JOIN desk.about ON true WHERE name = session_user`).Scan(&me.Name, &me.Display, &me.Role, &revoked, &version, &epoch, &now, &c.Now)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return &Problem{Cause: NoMember, Err: errors.New("the login is none of a member")}
	case err != nil:
		return err
	case revoked != nil:
		me.Revoked = *revoked
		c.me = me
		return &Problem{Cause: RevokedMember, Err: fmt.Errorf("since %s", revoked.UTC().Format(time.RFC3339))}
	case version == nil || epoch == nil:
		return errors.New("the desk does not say what it is")
	}
	if c.me, c.Epoch = me, *epoch; *epoch != now {
		return &Problem{Cause: Restored, Err: errors.New("its epoch is another")}
	}
	c.Newer = *version > known
	return nil
}

// patience is how long an answer of the server is waited for: a network that is gone says nothing.
const patience = time.Minute

// Renew finds out anew who the member is, and what the desk is: either may have changed since. Its problems are those of Connect.
func (c *Connection) Renew(ctx context.Context) error {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	return problemOf(c.identify(ctx))
}

// Close ends the connection.
func (c *Connection) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.conn.Close(ctx) //nolint:errcheck,gosec // nobody waits for what it has to say
}

// Me is who the connection is of.
func (c *Connection) Me() Member { return c.me }

// Members are all at the desk, by their names.
func (c *Connection) Members(ctx context.Context) ([]Member, error) {
	all, err := c.members(ctx, "")
	return all, problemOf(err)
}

func (c *Connection) members(ctx context.Context, where string) ([]Member, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, "SELECT name, display, role, revoked FROM desk.members "+where+" ORDER BY name")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m Member, err error) {
		var revoked *time.Time
		err = row.Scan(&m.Name, &m.Display, &m.Role, &revoked)
		if revoked != nil {
			m.Revoked = *revoked
		}
		return m, err
	})
}

// AddDevice tells the desk of a desktop and of the public key by which what it writes is verified. One that the desk knows stays as it is.
func (c *Connection) AddDevice(ctx context.Context, device uuid.UUID, key ed25519.PublicKey) error {
	return c.write(ctx, "INSERT INTO desk.devices (id, key) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", device, []byte(key))
}

// Device is a member's desktop.
type Device struct {
	ID     uuid.UUID
	Member string
	Key    []byte // Ed25519, public
}

// Devices are all desktops that have joined the desk.
func (c *Connection) Devices(ctx context.Context) ([]Device, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, "SELECT id, member, key FROM desk.devices ORDER BY id")
	if err != nil {
		return nil, problemOf(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Device])
	return all, problemOf(err)
}

// MyCase is a case that the member is in, and what they may do there.
type MyCase struct {
	ID    uuid.UUID
	Level Level
}

// Cases are those that the member is in.
func (c *Connection) Cases(ctx context.Context) ([]MyCase, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, `SELECT id, (SELECT level FROM desk.case_members WHERE case_id = id AND member = session_user ORDER BY seq DESC LIMIT 1)
		FROM desk.cases ORDER BY at, id`)
	if err != nil {
		return nil, problemOf(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[MyCase])
	return all, problemOf(err)
}

// AddCase tells the desk of a case, which the member owns from then on. One that the desk has stays whose it is.
func (c *Connection) AddCase(ctx context.Context, id uuid.UUID) error {
	return c.write(ctx, "INSERT INTO desk.cases (id) VALUES ($1) ON CONFLICT DO NOTHING", id)
}

// Level is what a member may do in a case.
type Level string

// The levels, the least first.
const (
	LevelNone     Level = "none" // no longer in it
	LevelReader   Level = "reader"
	LevelEditor   Level = "editor"
	LevelReviewer Level = "reviewer"
	LevelOwner    Level = "owner"
)

// Levels are all of them.
var Levels = []Level{LevelNone, LevelReader, LevelEditor, LevelReviewer, LevelOwner}

// InCase is who is in a case, and what they may do there.
type InCase struct {
	Member string // login
	Level  Level
}

// People are those in a case of the member's, by their names.
func (c *Connection) People(ctx context.Context, caseID uuid.UUID) ([]InCase, error) {
	rows, err := c.conn.Query(ctx, `SELECT member, level FROM (SELECT DISTINCT ON (member) member, level FROM desk.case_members WHERE case_id = $1
		ORDER BY member, seq DESC) last WHERE level <> 'none' ORDER BY member`, caseID)
	if err != nil {
		return nil, problemOf(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[InCase])
	return all, problemOf(err)
}

// SetLevel lets a member into a case, or changes what they may do there. It is for the case's owners; everybody can leave.
func (c *Connection) SetLevel(ctx context.Context, caseID uuid.UUID, member string, level Level) error {
	return c.write(ctx, "INSERT INTO desk.case_members (case_id, member, level) VALUES ($1, $2, $3)", caseID, member, string(level))
}

// Check is that a content was checked in a case of the member's.
type Check struct {
	Subject []byte // SHA-256 of the content
	Case    uuid.UUID
	Request string // the service's ID of the result
	Status  string // as the service sent it
	Release string // likewise
	Author  string
	At      time.Time
}

// Checked returns who has checked a content in the member's cases, the latest first. elsewhere is true where somebody has in another case, and the
// desk tells that much.
func (c *Connection) Checked(ctx context.Context, subject []byte) (all []Check, elsewhere bool, err error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, checked, subject)
	if err != nil {
		return nil, false, problemOf(err)
	}
	defer rows.Close()
	for rows.Next() {
		if rows.RawValues()[0] == nil { // there is none
			err = rows.Scan(nil, nil, nil, nil, nil, nil, nil, &elsewhere)
		} else {
			var one Check
			err = rows.Scan(&one.Subject, &one.Case, &one.Request, &one.Status, &one.Release, &one.Author, &one.At, nil)
			all = append(all, one)
		}
		if err != nil {
			return nil, false, problemOf(err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, false, problemOf(err)
	}
	return all, elsewhere, nil
}

// checked has the checks of a content in the member's cases, and where there is none one row more, with whether there is one elsewhere: all with one question.
const checked = `WITH mine AS MATERIALIZED (SELECT sha256, case_id, request_id, status, release, author, at FROM desk.checks WHERE sha256 = $1)
	(SELECT *, NULL::boolean FROM mine ORDER BY at DESC)
	UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, desk.checked_elsewhere($1) WHERE NOT EXISTS (SELECT FROM mine)`

// Notice is what a desk tells of: a number goes with it, and nothing else.
type Notice string

// The notices, by the names of their channels.
const (
	NewEvents  Notice = "desk_events"  // something was done in a case, or somebody was let into one
	NewViewers Notice = "desk_viewers" // somebody has opened or left a case
)

// Wait returns when the desk tells of something new, or ctx ends, which is no error and no notice. Nothing is missed that came since Listen. What this
// connection itself told of viewers is no notice.
func (c *Connection) Wait(ctx context.Context) (Notice, error) {
	for {
		n, err := c.conn.WaitForNotification(ctx)
		if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || pgconn.Timeout(err)) {
			return "", nil
		}
		if err != nil {
			return "", problemOf(err)
		}
		if notice := Notice(n.Channel); notice != NewViewers || n.PID != c.conn.PgConn().PID() {
			return notice, nil
		}
	}
}

// Listen has the desk tell of what is new.
func (c *Connection) Listen(ctx context.Context) error {
	return c.listen(ctx, "LISTEN "+string(NewEvents))
}

func (c *Connection) listen(ctx context.Context, statement string) error {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	_, err := c.conn.Exec(ctx, statement)
	return problemOf(err)
}

// write runs a statement, unless a later Assay has made the tables what they are.
func (c *Connection) write(ctx context.Context, statement string, values ...any) error {
	if c.Newer {
		return &Problem{Cause: NewerDesk, Err: errors.New("nothing is written to it")}
	}
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	_, err := c.conn.Exec(ctx, statement, values...)
	return problemOf(err)
}
