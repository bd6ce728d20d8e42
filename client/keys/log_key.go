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
func NewLogKey() LogKey {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	return LogKey{Key: ed25519.NewKeyFromSeed(seed)}
}

// Secret is the key as a text, which ParseLogKey reads: its 32 bytes in base64, and behind a space what was signed last.
func (k LogKey) Secret() string {
	return strings.TrimSpace(base64.StdEncoding.EncodeToString(k.Key.Seed()) + " " + k.Last)
}

// ParseLogKey reads what Secret wrote.
func ParseLogKey(secret string) (k LogKey, ok bool) {
	text, last, _ := strings.Cut(strings.TrimSpace(secret), " ")
	seed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(seed) != ed25519.SeedSize {
		return LogKey{}, false
	}
	return LogKey{Key: ed25519.NewKeyFromSeed(seed), Last: last}, true
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
	if r.keychain.canProbe() {
		locked, err := r.keychain.locked(ctx)
		if locked {
			err = &Problem{Cause: Locked}
		}
		if err != nil {
			return LogKey{}, err
		}
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

// KeepLogKey keeps a log's key, with what was signed with it last. An error is a *Problem or ctx's.
func (r *Ring) KeepLogKey(ctx context.Context, log string, key LogKey) error {
	return r.keychain.set(ctx, r.keychain.patience, logAccounts+log, key.Secret())
}
