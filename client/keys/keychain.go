// Package keys keeps the API key of each service in the system's own keychain (Secret Service, Keychain, Credential Manager), and
// nowhere else; a Ring has those that serve in memory. It imports the standard library, i18n, go-keyring, and the bus that go-keyring
// speaks over on Linux.
//
// A keychain may ask the person to unlock it, and waits for that as long as it takes; the libraries under it have no time limit.
// So each call runs in a goroutine of its own, which outlives the call when the limit is reached first: it ends when the keychain
// answers. There is never more than one of them to a Keychain, for the next call waits its turn.
package keys

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/zalando/go-keyring"

	"assay/client/i18n"
)

// Defaults of Options.
const (
	// DefaultPatience is long enough to find and type a password.
	DefaultPatience = 2 * time.Minute
	// DefaultSlow is hundreds of times what a keychain that is open takes.
	DefaultSlow = 2 * time.Second
)

// serviceName is what all of Assay's entries are kept under; the account of each is its service's address.
const serviceName = "Assay"

// Backend is what keeps secrets: System, or a test's own. A call may block for as long as it likes. Its errors are a *Problem, or
// those of go-keyring and of the system.
type Backend interface {
	Set(service, account, secret string) error
	Get(service, account string) (string, error)
	Delete(service, account string) error
}

// Options configure a Keychain; the zero value serves.
type Options struct {
	// Backend keeps the keys; nil means System().
	Backend Backend
	// Patience bounds one call, the person's unlocking included.
	Patience time.Duration
	// Slow is after how long a call is taken to wait for the person.
	Slow time.Duration
	// Waiting is called then, at most once a call and on its goroutine; nil: nobody is told.
	Waiting func()
}

// Keychain keeps one key for each service's address. It is safe for use by many goroutines.
type Keychain struct {
	backend  Backend
	patience time.Duration
	slow     time.Duration
	waiting  func()
	turn     chan struct{} // holds a token while the backend is at work
}

// New returns a keychain; it asks nothing of the system yet.
func New(o Options) *Keychain {
	k := &Keychain{backend: o.Backend, patience: o.Patience, slow: o.Slow, waiting: o.Waiting, turn: make(chan struct{}, 1)}
	if k.backend == nil {
		k.backend = System()
	}
	if k.patience <= 0 {
		k.patience = DefaultPatience
	}
	if k.slow <= 0 {
		k.slow = DefaultSlow
	}
	if k.waiting == nil {
		k.waiting = func() {}
	}
	return k
}

// Get returns the key that is kept for the service at address, which is as of client.Client.Address. An error is a *Problem,
// Missing where there is none, or ctx's.
func (k *Keychain) Get(ctx context.Context, address string) (key string, err error) {
	return k.get(ctx, k.patience, account(address), trimmed)
}

// Kept reports whether there is a key for address. A locked keychain asks the person to unlock it for this, too.
func (k *Keychain) Kept(ctx context.Context, address string) (bool, error) {
	_, err := k.Get(ctx, address)
	if IsProblem(err, Missing) {
		return false, nil
	}
	return err == nil, err
}

// Set keeps a key for address in place of any other, and reads it back: not every system's keychain says that it failed.
// An error is a *Problem, an *Unusable where it is no key, or ctx's. After Slow, or the end of ctx, the key may still come to be kept,
// once the person unlocks the keychain.
func (k *Keychain) Set(ctx context.Context, address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	return k.set(ctx, k.patience, account(address), key)
}

// Remove removes the key for address. An error is a *Problem, Missing where there was none, or ctx's; after Slow, as with Set, it
// may still be done.
func (k *Keychain) Remove(ctx context.Context, address string) error {
	return k.remove(ctx, k.patience, account(address))
}

// get returns an account's secret, cleaned. Patience 0 is as long as ctx lasts, here and in set and remove.
func (k *Keychain) get(ctx context.Context, patience time.Duration, account string, clean func(string) string) (secret string, err error) {
	return k.do(ctx, patience, "", func() (string, error) {
		secret, err := k.backend.Get(serviceName, account)
		if secret = clean(secret); secret == "" && err == nil { // another program put it there
			err = &Problem{Cause: Missing}
		}
		return secret, err
	})
}

func (k *Keychain) set(ctx context.Context, patience time.Duration, account, secret string) error {
	_, err := k.do(ctx, patience, secret, func() (string, error) {
		if err := k.backend.Set(serviceName, account, secret); err != nil {
			return "", err
		}
		back, err := k.backend.Get(serviceName, account)
		if err == nil && back != secret || err != nil && problem(err, "").Cause == Missing {
			err = &Problem{Cause: Refused, Err: errors.New("what it gives back is not what it was given")}
		}
		return "", err
	})
	return err
}

func (k *Keychain) remove(ctx context.Context, patience time.Duration, account string) error {
	_, err := k.do(ctx, patience, "", func() (string, error) { return "", k.backend.Delete(serviceName, account) })
	return err
}

// looker is a Backend that can tell whether it is locked without asking the person.
type lockReporter interface{ Locked() (bool, error) }

// canLook reports whether locked says anything.
func (k *Keychain) canProbe() bool {
	_, can := k.backend.(lockReporter)
	return can
}

// locked reports whether the keychain is locked, and asks nobody.
func (k *Keychain) locked(ctx context.Context) (locked bool, err error) {
	look, can := k.backend.(lockReporter)
	if !can {
		return false, &Problem{Cause: Absent}
	}
	_, err = k.do(ctx, 0, "", func() (string, error) {
		switch locked, err := look.Locked(); {
		case err != nil:
			return "", err
		case locked:
			return "", &Problem{Cause: Locked}
		}
		return "", nil
	})
	if IsProblem(err, Locked) {
		return true, nil
	}
	return false, err
}

type answer struct {
	key string
	err error
}

// do lets call work, in its turn, and waits for it within the limits; patience 0 is none but ctx's. No error holds the secret.
func (k *Keychain) do(ctx context.Context, patience time.Duration, secret string, call func() (string, error)) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	var limit <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		limit = timer.C
	}
	slow := time.NewTimer(k.slow)
	defer slow.Stop()
	turn, done := k.turn, make(chan answer, 1)
	for {
		select {
		case turn <- struct{}{}:
			turn = nil // it is ours once
			go func() {
				defer func() { <-k.turn }()
				done <- guarded(call)
			}()
		case a := <-done:
			if a.err != nil {
				return "", problem(a.err, secret)
			}
			return a.key, nil
		case <-slow.C:
			k.waiting()
		case <-limit:
			return "", &Problem{Cause: Slow}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// guarded is call, whose panic is an error: go-keyring panics when the bus ends while it waits for the person.
func guarded(call func() (string, error)) (a answer) {
	defer func() {
		if recover() != nil {
			a = answer{err: &Problem{Cause: Absent, Err: errors.New("the keychain went away")}}
		}
	}()
	key, err := call()
	return answer{key: key, err: err}
}

// account is the address in the one form that all spellings of it share, as far as they mean the same origin.
func account(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return address
	}
	host, port := strings.ToLower(u.Host), u.Port()
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return u.Scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/")
}

// System is the system's own keychain.
func System() Backend { return system{} }

type system struct{}

func (system) Set(service, account, secret string) error {
	if err := ready(); err != nil {
		return err
	}
	return keyring.Set(service, account, secret)
}

func (system) Get(service, account string) (string, error) {
	if err := ready(); err != nil {
		return "", err
	}
	return keyring.Get(service, account)
}

func (system) Delete(service, account string) error {
	if err := ready(); err != nil {
		return err
	}
	return keyring.Delete(service, account)
}

// longest is how many bytes a key may have: a header of more is refused by most servers, whatever it holds.
const longest = 8 << 10

// Unusable says why a text can't be a key, without repeating any of it.
type Unusable struct{ sentence string }

// Error is the sentence.
func (u *Unusable) Error() string { return u.sentence }

// Sentence says it to the person.
func (u *Unusable) Sentence() string { return u.sentence }

// Clean trims what pasting and piping leave around a key. Its error is an *Unusable.
func Clean(given string) (key string, err error) {
	key = trimmed(given)
	switch {
	case key == "":
		return "", &Unusable{i18n.T("There is no key: what was given is empty.")}
	case len(key) > longest:
		return "", &Unusable{i18n.F("That is too long for a key: it has more than %s letters.", i18n.Count(longest))}
	case strings.ContainsAny(key, "\r\n"):
		return "", &Unusable{i18n.T("That is more than one line: give the key alone.")}
	case strings.ContainsFunc(key, unicode.IsSpace):
		return "", &Unusable{i18n.T("There is a space in it: give the key alone.")}
	case strings.ContainsFunc(key, foreign):
		return "", &Unusable{i18n.T("There is a letter in it that no key can have: copy the key again.")}
	}
	return key, nil
}

// trimmed is a key without what may stand around it.
func trimmed(key string) string { return strings.TrimFunc(key, around) }

// around reports what is no part of a key at its ends: white space, and marks that can't be seen.
func around(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' // the mark before piped text on Windows, the space of no width
}

// foreign reports what can't be sent in a header as one would read it.
func foreign(r rune) bool { return r <= ' ' || r > '~' }
