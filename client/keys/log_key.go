package keys

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
)

// logAccounts begin the accounts of the keys by which custody logs are signed, which no address of a service does.
const logAccounts = "custody log "

// LogKey is the key by which a custody log is signed. The zero value is none.
type LogKey struct {
	Key  ed25519.PrivateKey
	Last string // what was signed with it last, in one line, as its user says it; "" for nothing
}

// NewLogKey makes a key.
func NewLogKey() LogKey { return LogKey{Key: newKey()} }

// newKey makes a random key.
func newKey() ed25519.PrivateKey {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	return ed25519.NewKeyFromSeed(seed)
}

// parseSeed reads the 32 bytes of a key, in base64.
func parseSeed(text string) (ed25519.PrivateKey, bool) {
	seed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, false
	}
	return ed25519.NewKeyFromSeed(seed), true
}

// Secret is the key as a text, which ParseLogKey reads: its 32 bytes in base64, and behind a space what was signed last.
func (k LogKey) Secret() string {
	return strings.TrimSpace(base64.StdEncoding.EncodeToString(k.Key.Seed()) + " " + k.Last)
}

// ParseLogKey reads what Secret wrote.
func ParseLogKey(secret string) (k LogKey, ok bool) {
	text, last, _ := strings.Cut(strings.TrimSpace(secret), " ")
	key, ok := parseSeed(text)
	if !ok {
		return LogKey{}, false
	}
	return LogKey{Key: key, Last: last}, true
}

// LogKey is the key by which the custody log of that name is signed. An error is a *Problem, Missing where there is none, or ctx's. A locked
// keychain asks the person to unlock it.
func (r *Ring) LogKey(ctx context.Context, log string) (LogKey, error) {
	text, err := r.keychain.get(ctx, r.keychain.patience, logAccounts+log, trimmed)
	if err != nil {
		return LogKey{}, err
	}
	key, ok := ParseLogKey(text)
	if !ok {
		return LogKey{}, &Problem{Cause: Refused, Err: errors.New("what it has is no key of a log")}
	}
	return key, nil
}

// NeedLogKey is LogKey, and makes a key where there is none. Where that can be told beforehand, it asks nobody to unlock the keychain: the error is a
// Problem of cause Locked then.
func (r *Ring) NeedLogKey(ctx context.Context, log string) (LogKey, error) {
	if err := r.open(ctx); err != nil {
		return LogKey{}, err
	}
	key, err := r.LogKey(ctx, log)
	if !IsProblem(err, Missing) {
		return key, err
	}
	key = NewLogKey()
	if err := r.KeepLogKey(ctx, log, key); err != nil {
		return LogKey{}, err
	}
	return key, nil
}

// open returns a Problem of cause Locked if the keychain is locked, where that can be told without asking the person.
func (r *Ring) open(ctx context.Context) error {
	if !r.keychain.canProbe() {
		return nil
	}
	locked, err := r.keychain.locked(ctx)
	if locked {
		err = &Problem{Cause: Locked}
	}
	return err
}

// KeepLogKey keeps a log's key, with what was signed with it last. An error is a *Problem or ctx's.
func (r *Ring) KeepLogKey(ctx context.Context, log string, key LogKey) error {
	return r.keychain.set(ctx, r.keychain.patience, logAccounts+log, key.Secret())
}
