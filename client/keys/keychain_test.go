package keys_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"assay/client/assert"
	"assay/client/keys"
)

const (
	address = "https://api.example.org"
	secret  = "sk-live-0123456789abcdef" //nolint:gosec // a test's own
)

// fake is a keychain in memory that behaves as a test says.
type fake struct {
	mu    sync.Mutex
	kept  map[string]string
	calls int
	err   error         // of every call
	hold  chan struct{} // every call waits until it is closed; nil: none does
	give  string        // what Get gives instead
	panic any           // what every call panics with
}

func newFake() *fake { return &fake{kept: map[string]string{}} }

func (f *fake) call(act func() error) error {
	f.mu.Lock()
	hold := f.hold
	f.calls++
	f.mu.Unlock()
	if hold != nil {
		<-hold
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.panic != nil {
		panic(f.panic)
	}
	if f.err != nil {
		return f.err
	}
	return act()
}

func (f *fake) called() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

func (f *fake) Set(service, account, secret string) error {
	return f.call(func() error { f.kept[service+" "+account] = secret; return nil })
}

func (f *fake) Get(service, account string) (key string, err error) {
	err = f.call(func() error {
		if f.give != "" {
			key = f.give
			return nil
		}
		var ok bool
		if key, ok = f.kept[service+" "+account]; !ok {
			return keyring.ErrNotFound
		}
		return nil
	})
	return key, err
}

func (f *fake) Delete(service, account string) error {
	return f.call(func() error {
		if _, ok := f.kept[service+" "+account]; !ok {
			return keyring.ErrNotFound
		}
		delete(f.kept, service+" "+account)
		return nil
	})
}

// forgetful is a keychain that takes everything and keeps nothing.
type forgetful struct{ *fake }

func (forgetful) Set(_, _, _ string) error { return nil }

// get fails the test where there is no key.
func get(t *testing.T, k *keys.Keychain, address string) string {
	t.Helper()
	key, err := k.Get(t.Context(), address)
	assert.NoError(t, err)
	return key
}

func set(t *testing.T, k *keys.Keychain, address, key string) {
	t.Helper()
	assert.NoError(t, k.Set(t.Context(), address, key))
}

func TestKeychain(t *testing.T) {
	t.Run("a key is kept for its address, replaced and removed", func(t *testing.T) {
		k := keys.New(keys.Options{Backend: newFake()})
		set(t, k, address, secret)
		set(t, k, "https://other.example", "other-key")
		assert.Equal(t, secret, get(t, k, address))
		set(t, k, address, "second-key")
		assert.Equal(t, "second-key", get(t, k, address))
		if kept, err := k.Kept(t.Context(), address); !kept || err != nil {
			t.Errorf("kept: %v, %v", kept, err)
		}
		if err := k.Remove(t.Context(), address); err != nil {
			t.Error(err)
		}
		if kept, err := k.Kept(t.Context(), address); kept || err != nil {
			t.Errorf("kept after it was removed: %v, %v", kept, err)
		}
		if _, err := k.Get(t.Context(), address); !keys.IsProblem(err, keys.Missing) {
			t.Errorf("error %v", err)
		}
		if err := k.Remove(t.Context(), address); !keys.IsProblem(err, keys.Missing) {
			t.Errorf("removed twice: %v", err)
		}
		assert.Equal(t, "other-key", get(t, k, "https://other.example"))
	})
	t.Run("one service has one key, however its address is spelt; another port or path is another service", func(t *testing.T) {
		k := keys.New(keys.Options{Backend: newFake()})
		set(t, k, "https://API.Example.org:443/", secret)
		assert.Equal(t, secret, get(t, k, address))
		for _, other := range []string{"https://api.example.org:8443", "https://api.example.org/v2", "http://api.example.org", "https://api.example.org.evil.example"} {
			if _, err := k.Get(t.Context(), other); !keys.IsProblem(err, keys.Missing) {
				t.Errorf("%s: %v", other, err)
			}
		}
	})
	t.Run("what another program put there is trimmed, and an empty one is none", func(t *testing.T) {
		f := newFake()
		f.give = "\n" + secret + "\n"
		k := keys.New(keys.Options{Backend: f})
		assert.Equal(t, secret, get(t, k, address))
		f.give = " \n"
		if _, err := k.Get(t.Context(), address); !keys.IsProblem(err, keys.Missing) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("what the keychain does not give back was not kept", func(t *testing.T) {
		if err := keys.New(keys.Options{Backend: forgetful{newFake()}}).Set(t.Context(), address, secret); !keys.IsProblem(err, keys.Refused) {
			t.Errorf("error %v", err)
		}
		f := newFake()
		f.give = "something else"
		if err := keys.New(keys.Options{Backend: f}).Set(t.Context(), address, secret); !keys.IsProblem(err, keys.Refused) {
			t.Errorf("error %v", err)
		}
	})
}

func TestWhatStandsInTheWayIsToldApart(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want keys.Cause
		says string
	}{
		{"no keychain", &keys.Problem{Cause: keys.Absent}, keys.Absent, "no keychain"},
		{"none on this system", keyring.ErrUnsupportedPlatform, keys.Absent, "no keychain"},
		{"locked", &keys.Problem{Cause: keys.Locked}, keys.Locked, "unlock it"},
		{"a key that is too large", keyring.ErrSetDataTooBig, keys.TooLarge, "too long"},
		{"anything else", errors.New("permission denied"), keys.Refused, "refused"},
		{"nothing kept", fmt.Errorf("wrapped: %w", keyring.ErrNotFound), keys.Missing, "No key is saved"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			f.err = c.err
			k := keys.New(keys.Options{Backend: f})
			_, getting := k.Get(t.Context(), address)
			for what, err := range map[string]error{"get": getting, "set": k.Set(t.Context(), address, secret), "remove": k.Remove(t.Context(), address)} {
				var p *keys.Problem
				if !errors.As(err, &p) || p.Cause != c.want || !strings.Contains(p.Sentence(), c.says) || !strings.Contains(p.Error(), string(c.want)) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
	t.Run("a keychain that goes away in the middle ends the call, not the program", func(t *testing.T) {
		f := newFake()
		f.panic = "invalid memory address, with " + secret
		k := keys.New(keys.Options{Backend: f})
		for range 2 { // the first left the turn to the second
			if err := k.Set(t.Context(), address, secret); !keys.IsProblem(err, keys.Absent) || strings.Contains(err.Error(), secret) {
				t.Errorf("error %v", err)
			}
		}
	})
}

func TestASlowKeychain(t *testing.T) {
	const (
		patience = time.Minute
		slow     = time.Second
	)
	begin := func() (f *fake, k *keys.Keychain, waits *int) {
		f, waits = newFake(), new(int)
		f.hold = make(chan struct{})
		return f, keys.New(keys.Options{Backend: f, Patience: patience, Slow: slow, Waiting: func() { *waits++ }}), waits
	}
	t.Run("is given up after the limit, and it was said once before that it waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, k, waits := begin()
			defer close(f.hold)
			began := time.Now()
			_, err := k.Get(t.Context(), address)
			if took := time.Since(began); !keys.IsProblem(err, keys.Slow) || took != patience || *waits != 1 {
				t.Errorf("%v after %v, said %d times", err, took, *waits)
			}
		})
	})
	t.Run("is waited for: who unlocks it in time has the key", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, k, waits := begin()
			f.kept["Assay "+address] = secret
			go func() {
				<-time.After(40 * time.Second)
				close(f.hold)
			}()
			if got := get(t, k, address); got != secret || *waits != 1 {
				t.Errorf("got %q, said %d times", got, *waits)
			}
		})
	})
	t.Run("nothing is said of one that answers at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, k, waits := begin()
			close(f.hold)
			set(t, k, address, secret)
			<-time.After(patience)
			if *waits != 0 {
				t.Errorf("said %d times", *waits)
			}
		})
	})
	t.Run("the end of ctx ends the wait at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, k, _ := begin()
			defer close(f.hold)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			began := time.Now()
			if err := k.Set(ctx, address, secret); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 3*time.Second {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			if _, err := k.Get(ctx, address); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("afterwards: %v", err)
			}
		})
	})
	t.Run("has one call at a time: those given up and never begun are not made up for", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, k, _ := begin()
			for _, key := range []string{"first", "second", "third"} {
				if err := k.Set(t.Context(), address, key); !keys.IsProblem(err, keys.Slow) {
					t.Errorf("%s: %v", key, err)
				}
			}
			assert.Equal(t, 1, f.called())
			close(f.hold)
			if got := get(t, k, address); got != "first" { // the one under way was done after all, as Set says
				t.Errorf("got %q", got)
			}
		})
	})
}

func TestNoErrorHoldsTheKey(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte(secret))
	for _, text := range []string{
		"can't keep " + secret,
		"exit status 1: add-generic-password -w 'go-keyring-base64:" + encoded + "'",
	} {
		for _, err := range []error{errors.New(text), fmt.Errorf("deep: %w", fmt.Errorf("deeper: %w", errors.New(text))), &keys.Problem{Cause: keys.Refused, Err: errors.New(text)}} {
			f := newFake()
			f.err = err
			got := keys.New(keys.Options{Backend: f}).Set(t.Context(), address, secret)
			for e := got; e != nil; e = errors.Unwrap(e) {
				for _, said := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
					if strings.Contains(said, secret) || strings.Contains(said, encoded) {
						t.Errorf("it says %q", said)
					}
				}
			}
			if !keys.IsProblem(got, keys.Refused) || !strings.Contains(got.Error(), "…") {
				t.Errorf("error %v", got)
			}
		}
	}
	for _, key := range []string{secret + " " + secret, secret + "\n" + secret, secret + "\x00", secret + "é", strings.Repeat(secret, 1000)} {
		if _, err := keys.Clean(key); err == nil || strings.Contains(err.Error(), "0123") || strings.Contains(fmt.Sprintf("%+v", err), "0123") {
			t.Errorf("error %v", err)
		}
	}
}

func TestClean(t *testing.T) {
	for given, want := range map[string]string{
		secret:                       secret,
		"  " + secret + "\r\n":       secret,
		"\uFEFF" + secret + "\n":     secret,
		"\u00a0" + secret + "\u200b": secret,
		"a+/=_-.~:{}'\"$(x)":         "a+/=_-.~:{}'\"$(x)",
		strings.Repeat("k", 8<<10):   strings.Repeat("k", 8<<10),
	} {
		if got, err := keys.Clean(given); got != want || err != nil {
			t.Errorf("%q became %q, %v", given, got, err)
		}
	}
	for _, c := range []struct{ name, given, says string }{
		{"nothing", "", "empty"},
		{"white space alone", " \t\r\n", "empty"},
		{"two lines", "key\nkey", "more than one line"},
		{"a space", "my key", "space"},
		{"a tab", "my\tkey", "space"},
		{"a control character", "my\x1bkey", "no key has"},
		{"dots that stand for it", "••••••", "no key has"},
		{"a whole file", strings.Repeat("k", 8<<10+1), "too long"},
	} {
		t.Run(c.name+" is refused in words", func(t *testing.T) {
			key, err := keys.Clean(c.given)
			var u *keys.Unusable
			if key != "" || !errors.As(err, &u) || !strings.Contains(u.Sentence(), c.says) {
				t.Errorf("%q, %v", key, err)
			}
			f := newFake()
			if err := keys.New(keys.Options{Backend: f}).Set(t.Context(), address, c.given); !errors.As(err, &u) || f.called() != 0 {
				t.Errorf("set: %v, %d calls", err, f.called())
			}
		})
	}
}
