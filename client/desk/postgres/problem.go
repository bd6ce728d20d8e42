package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"assay/client/i18n"
)

// Cause is why a desk can't be used.
type Cause string

// The causes.
const (
	Unreachable   Cause = "unreachable"
	Untrusted     Cause = "untrusted"      // the server's certificate
	NoCertificate Cause = "no-certificate" // a file of certificates can't be read
	NoPassword    Cause = "no-password"    // none is known here
	NotLetIn      Cause = "not-let-in"     // name or password
	ShutOut       Cause = "shut-out"       // whatever the password: no certificate or another's, or the login may not connect
	NoDesk        Cause = "no-desk"        // there is no such database, or none of Assay's in it
	NotAllowed    Cause = "not-allowed"    // what was asked is not for this member
	NoMember      Cause = "no-member"      // nobody has this name here
	RevokedMember Cause = "revoked"        // no longer
	NewerDesk     Cause = "newer"          // a later Assay has made it what it is
	Restored      Cause = "restored"       // from a backup, and nobody has run init since
	Full          Cause = "full"           // no room is left there
	Refused       Cause = "refused"        // what was sent is not right
	Failed        Cause = "failed"         // anything else
)

// Problem is an error of a desk. Its text is for a log: it has no password and no content.
type Problem struct {
	Cause Cause
	Err   error
	says  i18n.Message // in place of what is said of its cause; zero: nothing else
}

func (p *Problem) Error() string { return "desk: " + string(p.Cause) + ": " + p.Err.Error() }

func (p *Problem) Unwrap() error { return p.Err }

// said is what the person reads of each cause.
var said = map[Cause]i18n.Message{
	Unreachable:   i18n.M("The desk can't be reached. Assay goes on without it and tries again."),
	Untrusted:     i18n.M("The desk's server can't prove who it is. Nothing was sent. Check the address and the certificate authority, or ask your IT."),
	NoCertificate: i18n.M("A certificate file for the desk can't be read. Check where it is, or ask your IT."),
	NoPassword:    i18n.M("The password for the desk is missing. Join the desk again, or set ASSAY_DESK_PASSWORD."),
	NotLetIn:      i18n.M("The desk does not accept your name and password. Check them, or ask your IT."),
	ShutOut:       i18n.M("The desk does not let you in: it may not accept your certificate, or you may no longer be a member. Ask your IT."),
	NoDesk:        i18n.M("There is no desk at this address. Your IT has to set it up first, with assay desk init."),
	NotAllowed:    i18n.M("The desk does not let you do this."),
	NoMember:      i18n.M("You are not a member of this desk. Ask your IT."),
	RevokedMember: i18n.M("You are no longer a member of this desk. What is on this computer stays."),
	NewerDesk:     i18n.M("A newer Assay has changed the desk. You can read it, but not share with it until you install that version."),
	Restored:      i18n.M("The desk's database was restored from a backup. Your IT has to run assay desk init again."),
	Full:          i18n.M("The desk's server has no room left. Assay tries again later; ask your IT."),
	Refused:       i18n.M("The desk does not accept this."),
	Failed:        i18n.M("Something went wrong at the desk. Assay tries again later."),
}

// saidOnce is what the person reads where Assay does not try again by itself.
var saidOnce = map[Cause]i18n.Message{
	Unreachable: i18n.M("No desk answers at this address. Check it and the network connection, or ask your IT."),
	Full:        i18n.M("The desk's server has no room left. Ask your IT."),
	Failed:      i18n.M("Something went wrong at the desk. Try again later, or ask your IT."),
}

// saidToIT is what who sets a desk up reads.
var saidToIT = map[Cause]i18n.Message{
	NotLetIn:   i18n.M("The database does not accept this login and password."),
	ShutOut:    i18n.M("The database does not let this login in. Check its certificate, and the server's pg_hba.conf."),
	NoDesk:     i18n.M("There is no such database, or no desk in it. Make the database first, then run assay desk init."),
	NotAllowed: i18n.M("This login may not do that. Use the one that owns the database and may create roles."),
	Refused:    i18n.M("The database does not accept this name or role."),
	Failed:     i18n.M("Something went wrong in the database."),
}

// UserMessage is what the person reads.
func (p *Problem) UserMessage() i18n.Message {
	if p.says.IsZero() {
		return said[p.Cause]
	}
	return p.says
}

// Once is the error of what a person has asked for and nothing tries again.
func Once(err error) error { return saying(err, saidOnce) }

// toIT is the error of what sets a desk up.
func toIT(err error) error { return Once(saying(problemOf(err), saidToIT)) }

// saying has a problem say something else, unless it does already.
func saying(err error, words map[Cause]i18n.Message) error {
	if p := (*Problem)(nil); errors.As(err, &p) && p.says.IsZero() {
		return &Problem{p.Cause, p.Err, words[p.Cause]}
	}
	return err
}

// Temporary reports whether the same may do later without anybody's help.
func (p *Problem) Temporary() bool {
	return p.Cause == Unreachable || p.Cause == Full || p.Cause == Failed || p.Cause == Restored
}

// causes are those of PostgreSQL's error codes, the longest match first: https://www.postgresql.org/docs/15/errcodes-appendix.html
var causes = map[string]Cause{
	"28": ShutOut, "28P01": NotLetIn, "3D000": NoDesk, "3F000": NoDesk, "42P01": NoDesk, "42501": NotAllowed, "55000": Restored, "53100": Full,
	"22": Refused, "23": Refused, "54": Refused, "08": Unreachable, "57P": Unreachable,
}

// problemOf is an error as a *Problem; nil and what ended a context stay.
func problemOf(err error) error {
	var already *Problem
	if err == nil || errors.As(err, &already) || errors.Is(err, context.Canceled) {
		return err
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		for _, n := range []int{5, 3, 2} {
			if cause, ok := causes[server.Code[:min(n, len(server.Code))]]; ok {
				return &Problem{Cause: cause, Err: err}
			}
		}
		return &Problem{Cause: Failed, Err: err}
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var dial *pgconn.ConnectError
	var alert tls.AlertError // from the server
	if errors.As(err, &alert) {
		return &Problem{Cause: ShutOut, Err: err}
	}
	if errors.As(err, &unknown) || errors.As(err, &name) || errors.As(err, &invalid) || errors.As(err, &dial) && unproven(dial) {
		return &Problem{Cause: Untrusted, Err: err}
	}
	var network net.Error
	if errors.As(err, &network) || errors.As(err, &dial) || pgconn.Timeout(err) || pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Problem{Cause: Unreachable, Err: err}
	}
	return &Problem{Cause: Failed, Err: err}
}

// unproven reports whether a server was to be told the password without proving anything: pgx has no types for these errors.
func unproven(err error) bool {
	return strings.Contains(err.Error(), "server refused TLS connection") || strings.Contains(err.Error(), "require_auth check failed")
}
