package keys

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"
)

// signingAccount is the account of the desk's signing key; no service's address is equal to it.
const signingAccount = "signing key"

// earlierKept is how many earlier public keys a signing key keeps: the Credential Manager of Windows takes 2560 bytes.
const earlierKept = 40

// SigningKey is the desk's own key, by which bundles are sealed. The zero value is none.
type SigningKey struct {
	Key     ed25519.PrivateKey
	Earlier []ed25519.PublicKey // of the keys before it, the latest first, so that what was sealed with them is known
}

// NewSigningKey makes a key.
func NewSigningKey() SigningKey { return SigningKey{Key: newKey()} }

// Public is the public key.
func (k SigningKey) Public() ed25519.PublicKey { return k.Key.Public().(ed25519.PublicKey) }

// Own are the public key and the earlier ones.
func (k SigningKey) Own() []ed25519.PublicKey {
	return append([]ed25519.PublicKey{k.Public()}, k.Earlier...)
}

// Rotated makes another key that keeps this one's public key among the earlier ones, of which it keeps the latest forty.
func (k SigningKey) Rotated() SigningKey {
	earlier := k.Own()
	return SigningKey{Key: newKey(), Earlier: earlier[:min(len(earlier), earlierKept)]}
}

// Secret is the key as a text for ParseSigningKey: its 32 bytes in base64, followed by the earlier public keys, separated by spaces.
func (k SigningKey) Secret() string {
	parts := []string{base64.StdEncoding.EncodeToString(k.Key.Seed())}
	for _, public := range k.Earlier {
		parts = append(parts, base64.StdEncoding.EncodeToString(public))
	}
	return strings.Join(parts, " ")
}

// ParseSigningKey reads the result of Secret.
func ParseSigningKey(secret string) (k SigningKey, ok bool) {
	seed, rest, _ := strings.Cut(strings.TrimSpace(secret), " ")
	if k.Key, ok = parseSeed(seed); !ok {
		return SigningKey{}, false
	}
	for _, text := range strings.Fields(rest) {
		public, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(public) != ed25519.PublicKeySize {
			return SigningKey{}, false
		}
		k.Earlier = append(k.Earlier, public)
	}
	return k, true
}

// SigningKey is the desk's signing key. An error is a *Problem, Missing where there is none, or ctx's. A locked keychain asks the person to unlock it.
func (r *Ring) SigningKey(ctx context.Context) (SigningKey, error) {
	text, err := r.keychain.get(ctx, r.keychain.patience, signingAccount, trimmed)
	if err != nil {
		return SigningKey{}, err
	}
	key, ok := ParseSigningKey(text)
	if !ok {
		return SigningKey{}, &Problem{Cause: Refused, Err: errors.New("what it has is no signing key")}
	}
	return key, nil
}

// KnownSigningKey is SigningKey, and asks nobody to unlock the keychain where that can be told beforehand: the error is a Problem of cause Locked then.
func (r *Ring) KnownSigningKey(ctx context.Context) (SigningKey, error) {
	if err := r.open(ctx); err != nil {
		return SigningKey{}, err
	}
	return r.SigningKey(ctx)
}

// NeedSigningKey is SigningKey, and makes a key where there is none.
func (r *Ring) NeedSigningKey(ctx context.Context) (SigningKey, error) {
	key, err := r.SigningKey(ctx)
	if !IsProblem(err, Missing) {
		return key, err
	}
	if err := r.keepSigningKey(ctx, NewSigningKey()); err != nil {
		return SigningKey{}, err
	}
	return r.SigningKey(ctx) // another process may have made one at the same time: the later one is used by both
}

// RotateSigningKey replaces the signing key by another one, which keeps its public key.
func (r *Ring) RotateSigningKey(ctx context.Context) (SigningKey, error) {
	key, err := r.NeedSigningKey(ctx)
	if err != nil {
		return SigningKey{}, err
	}
	key = key.Rotated()
	return key, r.keepSigningKey(ctx, key)
}

func (r *Ring) keepSigningKey(ctx context.Context, key SigningKey) error {
	return r.keychain.set(ctx, r.keychain.patience, signingAccount, key.Secret())
}
