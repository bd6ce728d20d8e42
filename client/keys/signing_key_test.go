package keys_test

import (
	"testing"

	"assay/client/assert"
	"assay/client/keys"
)

func TestSigningKey(t *testing.T) {
	const account = "Assay signing key"
	f := newFake()
	r := openRing(t, f, "")
	if key, err := r.SigningKey(t.Context()); key.Key != nil || !keys.IsProblem(err, keys.Missing) {
		t.Errorf("before there is one: %v", err)
	}
	made, err := r.NeedSigningKey(t.Context())
	assert.NoError(t, err)
	if kept, err := openRing(t, f, "").NeedSigningKey(t.Context()); err != nil || !kept.Key.Equal(made.Key) || len(kept.Earlier) > 0 {
		t.Errorf("the next run has another: %v", err)
	}
	t.Run("rotation keeps the earlier public keys, the latest first", func(t *testing.T) {
		second, err := r.RotateSigningKey(t.Context())
		assert.NoError(t, err)
		third, err := r.RotateSigningKey(t.Context())
		assert.NoError(t, err)
		kept, err := r.KnownSigningKey(t.Context())
		if err != nil || !kept.Key.Equal(third.Key) || len(kept.Own()) != 3 || !kept.Own()[1].Equal(second.Public()) || !kept.Own()[2].Equal(made.Public()) {
			t.Errorf("%v, %d keys", err, len(kept.Own()))
		}
	})
	t.Run("so many that every keychain takes them", func(t *testing.T) {
		key := keys.NewSigningKey()
		for range 100 {
			key = key.Rotated()
		}
		secret := key.Secret()
		if back, ok := keys.ParseSigningKey(secret); !ok || len(back.Earlier) != 40 || len(secret) > 2560 {
			t.Errorf("%v: %d keys in %d bytes", ok, len(back.Earlier), len(secret))
		}
	})
	t.Run("what is no key is refused, and not replaced", func(t *testing.T) {
		for _, text := range []string{"short", "AAAA", f.kept[account] + " AAAA", "AA" + f.kept[account]} {
			f.kept[account] = text
			if key, err := r.NeedSigningKey(t.Context()); key.Key != nil || !keys.IsProblem(err, keys.Refused) || f.kept[account] != text {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
	t.Run("whoever only looks for it asks nobody to unlock the keychain", func(t *testing.T) {
		l := newLockable()
		if key, err := openRing(t, l, "").KnownSigningKey(t.Context()); key.Key != nil || !keys.IsProblem(err, keys.Locked) || l.called() != 0 {
			t.Errorf("%v, after %d calls", err, l.called())
		}
	})
}
