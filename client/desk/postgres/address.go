package postgres

import (
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"assay/client/desk/files"
	"assay/client/i18n"
)

// Address is where a desk is: a database, and a login without its password. The zero value is none.
type Address struct{ url string }

// AddressError is why a text is no address of a desk. It has nothing of the text, which may hold a password.
type AddressError struct{ message i18n.Message }

// Error is the sentence that the person reads.
func (e *AddressError) Error() string { return e.message.String() }

// UserMessage is that sentence.
func (e *AddressError) UserMessage() i18n.Message { return e.message }

var (
	// ErrPasswordInAddress means that an address has a password in it, where it would be shown and kept.
	ErrPasswordInAddress = &AddressError{i18n.M("The desk's address must not contain a password. Leave it out: Assay asks for it.")}
	// ErrUnencrypted means that an address asks for a connection that others could read or answer.
	ErrUnencrypted = &AddressError{i18n.M("Assay only connects to a desk if the connection is encrypted and the server proves who it is. Remove sslmode from the address.")}
	// ErrAddress means that a text is no address of a desk.
	ErrAddress = &AddressError{i18n.M("This is not the address of a desk. It looks like postgres://ines@desk.example/assay")}
	// ErrFiles means that an address says where files are kept in a way that leads nowhere.
	ErrFiles = &AddressError{i18n.M("Where the desk's files are kept must be the whole path of a folder on this computer.")}
	// ErrSetting means that an address says something after its question mark that Assay does not take from there.
	ErrSetting = &AddressError{i18n.M("After the question mark, a desk's address may only say sslrootcert, sslcert, sslkey, sslmode and files.")}
	// ErrStore means likewise of a store.
	ErrStore = &AddressError{i18n.M("The store for the desk's files must be an https address with a bucket, such as https://files.example.org/desk")}
	// ErrNoLogin means that an address does not say who logs in.
	ErrNoLogin = &AddressError{i18n.M("The desk's address does not say who logs in. It looks like postgres://ines@desk.example/assay")}
)

// dialPatience is how long a connection may take to be made.
const dialPatience = 10 * time.Second

// parameters are what an address may say after its question mark: how the server proves who it is, the member's own certificate, and where files are kept
// that are too large for the database.
var parameters = map[string]bool{"sslmode": true, "sslrootcert": true, "sslcert": true, "sslkey": true, "files": true}

// ParseAddress reads an address such as postgres://ines@desk.example/assay?sslrootcert=ca.pem. The connection is encrypted and the server's name
// verified, whatever the address says; only on the same computer may it say sslmode=disable.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Hostname() == "" || strings.Contains(u.Host, ",") ||
		strings.Trim(u.Path, "/") == "" || u.Fragment != "" {
		return Address{}, ErrAddress
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Address{}, ErrAddress
	}
	if _, has := u.User.Password(); has || query.Has("password") {
		return Address{}, ErrPasswordInAddress
	}
	if u.User.Username() == "" {
		return Address{}, ErrNoLogin
	}
	for name := range query {
		if !parameters[name] {
			return Address{}, ErrSetting
		}
	}
	switch mode := query.Get("sslmode"); {
	case mode == "" || mode == "verify-full":
		query.Set("sslmode", "verify-full")
	case mode != "disable" || !loopback(u.Hostname()):
		return Address{}, ErrUnencrypted
	}
	if at := query.Get("files"); query.Has("files") && files.CheckAddress(at) != nil {
		if files.IsStore(at) {
			return Address{}, ErrStore
		}
		return Address{}, ErrFiles
	}
	u.RawQuery = query.Encode()
	return Address{u.String()}, nil
}

// Files is where files are kept that are too large for the database, as files.Open takes it; "" where there is no such place. The person's own address says
// so and not the database: whoever has taken that over would else choose where files of this computer go.
func (a Address) Files() string {
	u, err := url.Parse(a.url)
	if err != nil {
		return ""
	}
	return u.Query().Get("files")
}

// Authority is the PEM file of who vouches for the desk's servers, "" where the system knows.
func (a Address) Authority() string { return PartsOf(a.url).Authority }

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// String is the address as ParseAddress reads it; "" for none. It has no password.
func (a Address) String() string { return a.url }

// Login is the name that the address logs in with.
func (a Address) Login() string {
	u, err := url.Parse(a.url)
	if err != nil {
		return ""
	}
	return u.User.Username()
}

// config is how a connection is made.
func (a Address) config(password string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(a.url)
	if err != nil { // the rest of it was read before
		return nil, &Problem{Cause: NoCertificate, Err: err}
	}
	config.Password = password // never one from a file or the environment
	config.ConnectTimeout = dialPatience
	config.Fallbacks = nil
	config.RequireAuth = "scram-sha-256,none" // whatever a server asks for, it never learns the password
	config.RuntimeParams = map[string]string{
		"application_name": "Assay", "search_path": "desk",
		"plan_cache_mode": "force_generic_plan", // the same few questions, for which no values make another plan better: planning costs more than asking
	}
	return config, nil
}

// Parts are what an address is filled in from.
type Parts struct {
	Server string // such as postgres://desk.example/assay; it may have all the rest in it
	Login  string // "": the server's
	// Paths of PEM files, "" for none: whom to trust as to who the server is, and the member's own certificate with its key.
	Authority, Certificate, Key string
}

// PartsOf are the parts of a text, as far as it can be read.
func PartsOf(text string) Parts {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" {
		return Parts{Server: text}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Parts{Server: text}
	}
	p := Parts{Authority: query.Get("sslrootcert"), Certificate: query.Get("sslcert"), Key: query.Get("sslkey")}
	for _, name := range []string{"sslrootcert", "sslcert", "sslkey"} {
		query.Del(name)
	}
	if query.Get("sslmode") == "verify-full" {
		query.Del("sslmode")
	}
	if _, secret := u.User.Password(); !secret {
		p.Login, u.User = u.User.Username(), nil
	}
	u.RawQuery = query.Encode()
	p.Server = u.String()
	return p
}

// StoresFiles reports whether files are kept in a store, which wants a key, by what is filled in so far.
func (p Parts) StoresFiles() bool { return files.IsStore(Address{p.Server}.Files()) }

// Address puts them together. An error is an *AddressError.
func (p Parts) Address() (Address, error) {
	server, login := strings.TrimSpace(p.Server), strings.TrimSpace(p.Login)
	if !strings.Contains(server, "://") {
		server = "postgres://" + server
	}
	u, err := url.Parse(server)
	if err != nil || u.Host == "" {
		return Address{}, ErrAddress
	}
	if _, secret := u.User.Password(); secret {
		return Address{}, ErrPasswordInAddress
	}
	switch {
	case login != "":
		u.User = url.User(login)
	case u.User.Username() == "":
		return Address{}, ErrNoLogin
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Address{}, ErrAddress
	}
	for name, path := range map[string]string{"sslrootcert": p.Authority, "sslcert": p.Certificate, "sslkey": p.Key} {
		if path != "" {
			query.Set(name, path)
		}
	}
	u.RawQuery = query.Encode()
	return ParseAddress(u.String())
}
