package keys_test

import (
	"testing"

	"assay/client/assert"
	"assay/client/keys"
)

func TestLogKey(t *testing.T) {
	const log = "assay/0011223344556677"
	f := newFake()
	r := openRing(t, f, "")
	if key, err := r.LogKey(t.Context(), log); key.Key != nil || !keys.IsProblem(err, keys.Missing) {
		t.Errorf("before there is one: %v", err)
	}
	made, err := r.NeedLogKey(t.Context(), log)
	assert.NoError(t, err)
	for range 2 {
		again, err := r.NeedLogKey(t.Context(), log)
		if err != nil || !again.Key.Equal(made.Key) {
			t.Error("another key", err)
		}
	}
	if other, err := r.NeedLogKey(t.Context(), "assay/another"); err != nil || other.Key.Equal(made.Key) {
		t.Error("another log has the same key", err)
	}
	if kept, err := openRing(t, f, "").LogKey(t.Context(), log); err != nil || !kept.Key.Equal(made.Key) {
		t.Error("the next run has another", err)
	}
	t.Run("with what was signed last", func(t *testing.T) {
		made.Last = "12 a root"
		assert.NoError(t, r.KeepLogKey(t.Context(), log, made))
		if kept, err := r.NeedLogKey(t.Context(), log); err != nil || !kept.Key.Equal(made.Key) || kept.Last != made.Last {
			t.Errorf("%+v, %v", kept, err)
		}
	})
	t.Run("what is no key is refused, and not replaced", func(t *testing.T) {
		for _, text := range []string{"short", "AAAA", "AA" + f.kept["Assay custody log "+log], "????????????????????????????????????????????"} {
			f.kept["Assay custody log "+log] = text
			if key, err := r.NeedLogKey(t.Context(), log); key.Key != nil || !keys.IsProblem(err, keys.Refused) || f.kept["Assay custody log "+log] != text {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
	t.Run("a locked keychain is not asked for it by itself", func(t *testing.T) {
		l := newLockable()
		r := openRing(t, l, "")
		if key, err := r.NeedLogKey(t.Context(), log); key.Key != nil || !keys.IsProblem(err, keys.Locked) || l.called() != 0 {
			t.Errorf("%v, after %d calls", err, l.called())
		}
		l.open()
		if key, err := r.NeedLogKey(t.Context(), log); key.Key == nil || err != nil {
			t.Error(err)
		}
	})
	t.Run("one that keeps nothing gives none", func(t *testing.T) {
		if key, err := openRing(t, forgetful{newFake()}, "").NeedLogKey(t.Context(), log); err == nil {
			t.Errorf("%v", key.Key != nil)
		}
	})
}
