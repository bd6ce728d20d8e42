// Package keys keeps the API key of each service in the system's own keychain (Secret Service, Keychain, Credential Manager), and nowhere else; a
// Ring holds those in use in memory. It imports the standard library, i18n, go-keyring, and the bus that go-keyring uses on Linux.
//
// A keychain may ask the person to unlock it, and takes as long as they do; the libraries have no time limit. So each call runs on a goroutine of its
// own, which goes on after the limit until the keychain answers. A Keychain has at most one of them: the next call waits for it.
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
	// DefaultSlow is hundreds of times longer than an unlocked keychain takes.
	DefaultSlow = 2 * time.Second
)

// serviceName is the name under which all of Assay's entries are kept; the account of each is its service's address.
const serviceName = "Assay"

// Backend keeps secrets: System, or a test's own. A call may block for any time. Its errors are a *Problem, or those of go-keyring and of the system.
type Backend interface {
	Set(service, account, secret string) error
	Get(service, account string) (string, error)
	Delete(service, account string) error
}

// Options configure a Keychain; the zero value serves.
type Options struct {
	// Backend keeps the keys; nil means System().
	Backend Backend
	// Patience bounds one call, including the time in which the person unlocks the keychain.
	Patience time.Duration
	// Slow is after what time a call is assumed to wait for the person.
	Slow time.Duration
	// Waiting is called after Slow, at most once a call and on its goroutine; nil: nothing is called.
	Waiting func()
}

// Keychain keeps a key for each service's address. It is safe for use by many goroutines.
type Keychain struct {
	backend  Backend
	patience time.Duration
	slow     time.Duration
	waiting  func()
	turn     chan struct{} // holds a token while the backend works
}

// New returns a keychain; it does not call the system's yet.
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

// Get returns the key for the service at address, in the form of client.Client.Address. An error is a *Problem (Missing where there is no key), or
// ctx's.
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

// Set keeps a key for address, replaces any other, and reads it back: not every system's keychain reports failure. An error is a *Problem, an
// *Unusable for a text that is no key, or ctx's. With a Problem of cause Slow, or after the end of ctx, the key may still be kept once the person
// unlocks the keychain.
func (k *Keychain) Set(ctx context.Context, address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	return k.set(ctx, k.patience, account(address), key)
}

// Remove removes the key for address. An error is a *Problem (Missing where there was none), or ctx's; as with Set, it may still be removed later.
func (k *Keychain) Remove(ctx context.Context, address string) error {
	return k.remove(ctx, k.patience, account(address))
}

// get returns an account's secret, cleaned. With patience 0, here and in set and remove, only ctx limits the call.
func (k *Keychain) get(ctx context.Context, patience time.Duration, account string, clean func(string) string) (secret string, err error) {
	return k.do(ctx, patience, "", func() (string, error) {
		secret, err := k.backend.Get(serviceName, account)
		if secret = clean(secret); secret == "" && err == nil { // another program wrote it
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

// lockReporter is a Backend that can tell whether it is locked without asking the person.
type lockReporter interface{ Locked() (bool, error) }

// canProbe reports whether the backend is a lockReporter.
func (k *Keychain) canProbe() bool {
	_, can := k.backend.(lockReporter)
	return can
}

// locked reports whether the keychain is locked, without asking the person.
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

// do runs call when it is its turn, and waits for it within the limits; with patience 0, only ctx limits it. No error holds the secret.
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
			turn = nil // taken: this case is not to be selected again
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

// guarded runs call and turns a panic into an error: go-keyring panics when the bus ends while it waits for the person.
func guarded(call func() (string, error)) (a answer) {
	defer func() {
		if recover() != nil {
			a = answer{err: &Problem{Cause: Absent, Err: errors.New("the keychain went away")}}
		}
	}()
	key, err := call()
	return answer{key: key, err: err}
}

// account is the address in a single form for all spellings of the same origin.
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

// longest is the most bytes of a key: most servers refuse a longer header.
const longest = 8 << 10

// Unusable is the error for a text that can't be a key; it repeats nothing of it.
type Unusable struct{ sentence string }

// Error is the sentence.
func (u *Unusable) Error() string { return u.sentence }

// Sentence is what the person reads.
func (u *Unusable) Sentence() string { return u.sentence }

// Clean trims what pasting and piping add to a key. Its error is an *Unusable.
func Clean(given string) (key string, err error) {
	key = trimmed(given)
	switch {
	case key == "":
		return "", &Unusable{i18n.T("The key is empty.")}
	case len(key) > longest:
		return "", &Unusable{i18n.F("That is too long for a key: it has more than %s characters.", i18n.Count(longest))}
	case strings.ContainsAny(key, "\r\n"):
		return "", &Unusable{i18n.T("That is more than one line. Enter only the key.")}
	case strings.ContainsFunc(key, unicode.IsSpace):
		return "", &Unusable{i18n.T("It contains a space. Enter only the key.")}
	case strings.ContainsFunc(key, foreign):
		return "", &Unusable{i18n.T("It contains a character that no key has. Copy the key again.")}
	}
	return key, nil
}

// trimmed is a key without what may surround it.
func trimmed(key string) string { return strings.TrimFunc(key, around) }

// around reports whether a character is no part of a key at its ends: white space, and marks that can't be seen.
func around(r rune) bool {
	return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' // the byte order mark before piped text on Windows, and the zero-width space
}

// foreign reports whether a character can't be sent in a header as it is.
func foreign(r rune) bool { return r <= ' ' || r > '~' }
