package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"golang.org/x/text/secure/precis"

	"assay/client/i18n"
	"assay/client/plain"
)

// The migrations are plain SQL, which a database's admin can read before running them. One that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Role is what a member may do at a desk; each may do what those before it may.
type Role string

// The roles.
const (
	Reader   Role = "reader"   // sees the cases that they are in
	Editor   Role = "editor"   // makes cases, and writes in them
	Reviewer Role = "reviewer" // signs off others' judgements
	Admin    Role = "admin"
)

// Roles are all of them, the least first.
var Roles = []Role{Reader, Editor, Reviewer, Admin}

// NewMember is somebody who is given a login, or whose role or password is changed.
type NewMember struct {
	Name     string // login
	Role     Role
	Password string // "" where the login has one already
}

// Init makes a desk in a database, or brings it to this version of Assay, and gives members their logins. admin is the login of the database's owner,
// who may create roles. What was done stays where a later step fails, so that it can be run again. It does the same for a database that was restored
// from a backup: after that, members can write again, and receive everything anew. What is no longer kept, by what the owners of cases chose, is removed.
func Init(ctx context.Context, admin Address, password string, members []NewMember) error {
	config, err := admin.config(password)
	if err != nil {
		return toIT(err)
	}
	if err := migrate(ctx, config); err != nil {
		return toIT(err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return toIT(err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // everything is committed
	if err := beginEpoch(ctx, conn); err != nil {
		return toIT(err)
	}
	if err := expire(ctx, conn); err != nil {
		return toIT(err)
	}
	for _, m := range members {
		if err := addMember(ctx, conn, m); err != nil {
			return toIT(fmt.Errorf("%s: %w", m.Name, err))
		}
	}
	return nil
}

func migrate(ctx context.Context, config *pgx.ConnConfig) (err error) {
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS desk"); err != nil {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	one, err := lock.NewPostgresSessionLocker() // where two admins do this at once
	if err != nil {
		return err
	}
	steps, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName("desk.migrations"), goose.WithSessionLocker(one))
	if err != nil {
		return err
	}
	_, err = steps.Up(ctx)
	return err
}

// beginEpoch has the transactions of a restored database counted from now on: the events that it holds bear numbers of another count.
func beginEpoch(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		changed, err := tx.Exec(ctx, "UPDATE desk.about SET epoch = desk.epoch() WHERE epoch <> desk.epoch()")
		if err != nil || changed.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE desk.events SET tx = pg_current_xact_id()")
		return err
	})
}

// expire removes what is no longer kept, by what the owners of cases chose.
func expire(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT desk.expire()")
	return err
}

func addMember(ctx context.Context, conn *pgx.Conn, m NewMember) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		login := pgx.Identifier{m.Name}.Sanitize()
		var exists bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", m.Name).Scan(&exists); err != nil {
			return err
		}
		if !exists && m.Password == "" {
			return &Problem{Cause: NotLetIn, Err: errors.New("a new login without a password"), says: i18n.M("%s has no login yet, and so needs a password.", plain.From(m.Name).Folded())}
		}
		if !exists {
			if _, err := tx.Exec(ctx, "CREATE ROLE "+login+" LOGIN"); err != nil {
				return err
			}
		}
		if m.Password != "" {
			verifier, err := scramVerifier(m.Password)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "ALTER ROLE "+login+" PASSWORD '"+verifier+"'"); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, "GRANT assay_desk TO "+login); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO desk.members (name, display, role) VALUES ($1, $1, $2)
			ON CONFLICT (name) DO UPDATE SET role = excluded.role, revoked = NULL`, m.Name, m.Role)
		return err
	})
}

// Revoke ends a member's part in a desk: what they wrote stays, and their own desktop keeps what was theirs.
func Revoke(ctx context.Context, admin Address, password, name string) error {
	config, err := admin.config(password)
	if err != nil {
		return toIT(err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return toIT(err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // everything is committed
	changed, err := conn.Exec(ctx, "UPDATE desk.members SET revoked = now() WHERE name = $1 AND revoked IS NULL", name)
	if err != nil {
		return toIT(err)
	}
	if changed.RowsAffected() == 0 {
		return &Problem{Cause: NoMember, Err: fmt.Errorf("%q", name), says: i18n.M("%s is not a member of the desk.", plain.From(name).Folded())}
	}
	return nil
}

// TellElsewhere sets whether the desk tells its members that somebody has checked a content in a case which isn't theirs.
func TellElsewhere(ctx context.Context, admin Address, password string, tell bool) error {
	config, err := admin.config(password)
	if err != nil {
		return problemOf(err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return problemOf(err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // everything is committed
	_, err = conn.Exec(ctx, "UPDATE desk.about SET elsewhere = $1", tell)
	return problemOf(err)
}

const (
	scramRounds = 4096 // as PostgreSQL has it
	scramSalt   = 16   // bytes
)

// scramVerifier is what PostgreSQL keeps of a password, RFC 5803: made here, so that the password itself is in no statement that a server may log.
func scramVerifier(password string) (string, error) {
	if prepared, err := precis.OpaqueString.String(password); err == nil { // otherwise it is taken as it is, as by PostgreSQL
		password = prepared
	}
	salt := make([]byte, scramSalt)
	rand.Read(salt) //nolint:errcheck // it never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramRounds, sha256.Size)
	if err != nil {
		return "", err
	}
	sign := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := sha256.Sum256(sign(salted, "Client Key"))
	in := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramRounds, in(salt), in(stored[:]), in(sign(salted, "Server Key"))), nil
}
