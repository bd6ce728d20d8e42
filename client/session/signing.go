package session

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"path/filepath"

	"assay/client/bounded"
	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/keys"
)

// SigningKeyVariable names, in the environment, the desk's signing key where no keychain is: 32 bytes in base64.
const SigningKeyVariable = "ASSAY_SIGNING_KEY"

// sandboxSigningKey is the file of the sandbox's signing key, in its folder: it seals nothing else, so that no bundle from a trial has the desk's seal.
const sandboxSigningKey = "signing.key"

// SigningKey is the desk's signing key, by which bundles are sealed: of the environment, or else of the keychain, where it is made at first use. The
// sandbox has one of its own. A locked keychain asks the person. An error is a *keys.Problem, a file's, or ctx's.
func (s *Service) SigningKey(ctx context.Context) (keys.SigningKey, error) {
	switch {
	case s.signingKey != nil:
		return keys.SigningKey{Key: s.signingKey}, nil
	case s.Sandbox:
		key, err := readSigningKey(s.Folder)
		if keys.IsProblem(err, keys.Missing) {
			key = keys.NewSigningKey()
			err = keepSigningKey(s.Folder, key)
		}
		return key, err
	case s.Keys == nil:
		return keys.SigningKey{}, &keys.Problem{Cause: keys.Absent}
	}
	return s.Keys.NeedSigningKey(ctx)
}

// KnownSigningKey is SigningKey, and makes none: the error is a *keys.Problem of cause Missing then. It asks nobody to unlock a keychain, where that can
// be helped.
func (s *Service) KnownSigningKey(ctx context.Context) (keys.SigningKey, error) {
	switch {
	case s.signingKey != nil:
		return keys.SigningKey{Key: s.signingKey}, nil
	case s.Sandbox:
		return readSigningKey(s.Folder)
	case s.Keys == nil:
		return keys.SigningKey{}, &keys.Problem{Cause: keys.Absent}
	}
	return s.Keys.KnownSigningKey(ctx)
}

// RotateSigningKey replaces the signing key by another one. The public key of the present one is kept, so that bundles sealed with it are known as the
// desk's own. A key of the environment can't be replaced here: the error is a *Misuse. Other errors are those of SigningKey.
func (s *Service) RotateSigningKey(ctx context.Context) (keys.SigningKey, error) {
	switch {
	case s.signingKey != nil:
		return keys.SigningKey{}, &Misuse{Sentence: i18n.F("Assay uses the key in %s and can't replace it.", SigningKeyVariable)}
	case s.Sandbox:
		key, err := s.SigningKey(ctx)
		if err != nil {
			return keys.SigningKey{}, err
		}
		key = key.Rotated()
		return key, keepSigningKey(s.Folder, key)
	case s.Keys == nil:
		return keys.SigningKey{}, &keys.Problem{Cause: keys.Absent}
	}
	return s.Keys.RotateSigningKey(ctx)
}

// OwnSigners are the public keys by which bundles of this person's were sealed, now or earlier, those of the sandbox included. It makes no key, and
// asks nobody to unlock a keychain, where that can be helped. An error says why some may be missing: a *keys.Problem, a file's, or ctx's.
func (b *Base) OwnSigners(ctx context.Context) ([]ed25519.PublicKey, error) {
	var own []ed25519.PublicKey
	key, err := readSigningKey(DataFolder(b.Home, "", true))
	add := func() {
		switch {
		case err == nil:
			own = append(own, key.Own()...)
		case keys.IsProblem(err, keys.Missing):
			err = nil
		}
	}
	add()
	problem := err
	if b.signingKey != nil {
		key, err = keys.SigningKey{Key: b.signingKey}, nil
	} else {
		ring := b.Keys
		if ring == nil {
			ring = keys.OpenRing(keys.RingParams{Keychain: b.Keychain(), Patience: keys.DefaultPatience, Events: b.Events, Log: b.Log})
			defer ring.Close()
		}
		key, err = ring.KnownSigningKey(ctx)
	}
	add()
	return own, errors.Join(problem, err)
}

// readSigningKey reads the key in the sandbox's folder. An error is a *keys.Problem, Missing where there is none, or a file's.
func readSigningKey(folder string) (keys.SigningKey, error) {
	text, err := bounded.ReadFile(filepath.Join(folder, sandboxSigningKey), 8<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return keys.SigningKey{}, &keys.Problem{Cause: keys.Missing}
	}
	if err != nil {
		return keys.SigningKey{}, err
	}
	key, ok := keys.ParseSigningKey(string(text))
	if !ok {
		return keys.SigningKey{}, &keys.Problem{Cause: keys.Refused}
	}
	return key, nil
}

func keepSigningKey(folder string, key keys.SigningKey) error {
	return durable.WriteFile(filepath.Join(folder, sandboxSigningKey), []byte(key.Secret()+"\n"), durable.Options{Temp: sandboxSigningKey + ".new*"})
}
