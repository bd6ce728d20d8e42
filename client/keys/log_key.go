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

// LogKey is the key by which the custody log of that name is signed. An error is a *Problem, Missing where there is none, or ctx's. A locked
// keychain asks the person to unlock it.
func (r *Ring) LogKey(ctx context.Context, log string) (ed25519.PrivateKey, error) {
	text, err := r.keychain.get(ctx, r.keychain.patience, logAccounts+log, trimmed)
	if err != nil {
		return nil, err
	}
	key, ok := ParseLogKey(text)
	if !ok {
		return nil, &Problem{Cause: Refused, Err: errors.New("what it has is no key of a log")}
	}
	return key, nil
}

// NeedLogKey is LogKey, and makes a key where there is none. Where that can be told beforehand, it asks nobody to unlock the keychain: the error is a
// Problem of cause Locked then.
func (r *Ring) NeedLogKey(ctx context.Context, log string) (ed25519.PrivateKey, error) {
	if r.keychain.canProbe() {
		locked, err := r.keychain.locked(ctx)
		if locked {
			err = &Problem{Cause: Locked}
		}
		if err != nil {
			return nil, err
		}
	}
	key, err := r.LogKey(ctx, log)
	if !IsProblem(err, Missing) {
		return key, err
	}
	key, text := NewLogKey()
	return key, r.keychain.set(ctx, r.keychain.patience, logAccounts+log, text)
}

// NewLogKey makes a key, and its secret text.
func NewLogKey() (key ed25519.PrivateKey, text string) {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	return ed25519.NewKeyFromSeed(seed), base64.StdEncoding.EncodeToString(seed)
}

// ParseLogKey reads a text as of NewLogKey: 32 bytes in base64.
func ParseLogKey(text string) (key ed25519.PrivateKey, ok bool) {
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, false
	}
	return ed25519.NewKeyFromSeed(seed), true
}
