package keys_test

import (
	"context"
	"errors"
	"testing"

	"assay/client/keys"
)

const otherAddress = "https://other.example"

// openRing is a ring over the backend, closed by the test's end.
func openRing(t *testing.T, backend keys.Backend, environment string) *keys.Ring {
	t.Helper()
	r := keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: backend}), Environment: environment})
	t.Cleanup(r.Close)
	return r
}

// load fails the test where the key can't be had.
func load(t *testing.T, r *keys.Ring, address string) {
	t.Helper()
	if err := r.Load(t.Context(), address); err != nil {
		t.Fatal(err)
	}
}

// expect compares what serves, and how it stands; cause is "" for no problem.
func expect(t *testing.T, r *keys.Ring, address, key string, where keys.Where, cause keys.Cause, waiting bool) {
	t.Helper()
	is, got := r.Status(address), r.Key(address)
	var has keys.Cause
	if is.Problem != nil {
		has = is.Problem.Cause
	}
	if got != key || is.Where != where || has != cause || is.Waiting != waiting {
		t.Errorf("key %q, status %+v, cause %q; want key %q, %v, cause %q, waiting %v", got, is, has, key, where, cause, waiting)
	}
}

// wasTold reports whether the channel of Changed was closed.
func wasTold(changed <-chan struct{}) bool {
	select {
	case <-changed:
		return true
	default:
		return false
	}
}

func TestRing(t *testing.T) {
	t.Run("has no key before it has read one, and asks the keychain for none by itself", func(t *testing.T) {
		f := newFake()
		f.kept["Assay "+address] = secret
		r := openRing(t, f, "")
		expect(t, r, address, "", keys.Nowhere, "", false)
		if n := f.called(); n != 0 {
			t.Errorf("%d calls", n)
		}
		load(t, r, address)
		expect(t, r, address, secret, keys.InKeychain, "", false)
	})
	t.Run("a service's key serves no other address, however near", func(t *testing.T) {
		r := openRing(t, newFake(), "")
		if err := r.Set(t.Context(), address, secret); err != nil {
			t.Fatal(err)
		}
		if err := r.Set(t.Context(), otherAddress, "other-key"); err != nil {
			t.Fatal(err)
		}
		for spelt, want := range map[string]string{
			address: secret, address + "/": secret, "https://API.example.org:443": secret, otherAddress: "other-key",
			"http://api.example.org": "", "https://api.example.org:8443": "", "https://api.example.org/v2": "", "https://api.example.org.evil.example": "", "": "",
		} {
			if got := r.Key(spelt); got != want {
				t.Errorf("%q has %q, want %q", spelt, got, want)
			}
			if err := r.Load(t.Context(), spelt); (err == nil) != (want != "") || want == "" && !keys.IsProblem(err, keys.Missing) {
				t.Errorf("load %q: %v", spelt, err)
			}
			if got := r.Key(spelt); got != want {
				t.Errorf("%q has %q once it is read, want %q", spelt, got, want)
			}
		}
	})
	t.Run("a key is trimmed and kept, replaced and removed, for later runs too, and all is told", func(t *testing.T) {
		f := newFake()
		r := openRing(t, f, "")
		for _, key := range []string{secret, "second-key"} {
			changed := r.Changed()
			if err := r.Set(t.Context(), address, " "+key+"\r\n"); err != nil || !wasTold(changed) {
				t.Errorf("%v, told: %v", err, wasTold(changed))
			}
			expect(t, r, address, key, keys.InKeychain, "", false)
			later := openRing(t, f, "")
			load(t, later, address)
			expect(t, later, address, key, keys.InKeychain, "", false)
		}
		for range 2 { // that there is none is no error
			if err := r.Clear(t.Context(), address); err != nil {
				t.Error(err)
			}
			expect(t, r, address, "", keys.Nowhere, "", false)
		}
		if len(f.kept) != 0 {
			t.Errorf("kept: %v", f.kept)
		}
	})
	t.Run("what another program has done to the keychain is seen when it is read again", func(t *testing.T) {
		f := newFake()
		r := openRing(t, f, "")
		f.kept["Assay "+address] = secret
		load(t, r, address)
		f.kept["Assay "+address] = "second-key"
		load(t, r, address)
		expect(t, r, address, "second-key", keys.InKeychain, "", false)
		changed := r.Changed()
		load(t, r, address)
		if wasTold(changed) {
			t.Error("told of a change, where there was none")
		}
		delete(f.kept, "Assay "+address)
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Missing) || !wasTold(changed) {
			t.Errorf("%v, told: %v", err, wasTold(changed))
		}
		expect(t, r, address, "", keys.Nowhere, "", false)
	})
	t.Run("what is no key is refused in words, and changes nothing", func(t *testing.T) {
		f := newFake()
		r := openRing(t, f, "")
		for _, given := range []string{"", " \n", "two words", "••••"} {
			var u *keys.Unusable
			if err := r.Set(t.Context(), address, given); !errors.As(err, &u) {
				t.Errorf("set %q: %v", given, err)
			}
			if err := r.KeepForThisRun(address, given); !errors.As(err, &u) {
				t.Errorf("keep %q: %v", given, err)
			}
		}
		expect(t, r, address, "", keys.Nowhere, "", false)
		if n := f.called(); n != 0 {
			t.Errorf("%d calls", n)
		}
	})
	t.Run("the end of ctx ends the wait, and who has ended it before asks nothing", func(t *testing.T) {
		f := newFake()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		r := openRing(t, f, "")
		if err := r.Load(ended, address); !errors.Is(err, context.Canceled) || f.called() != 0 {
			t.Errorf("%v, %d calls", err, f.called())
		}
	})
}

func TestWithoutAKeychain(t *testing.T) {
	f := newFake()
	f.err = &keys.Problem{Cause: keys.Absent}
	r := openRing(t, f, "")
	t.Run("a key is not kept, it is said, and nothing serves that was not", func(t *testing.T) {
		changed := r.Changed()
		if err := r.Set(t.Context(), address, secret); !keys.IsProblem(err, keys.Absent) || !wasTold(changed) {
			t.Errorf("%v, told: %v", err, wasTold(changed))
		}
		expect(t, r, address, "", keys.Nowhere, keys.Absent, false)
	})
	t.Run("it serves for this run where the person says so, and is kept nowhere", func(t *testing.T) {
		changed := r.Changed()
		if err := r.KeepForThisRun(address, "\t"+secret+"\n"); err != nil || !wasTold(changed) {
			t.Errorf("%v, told: %v", err, wasTold(changed))
		}
		expect(t, r, address, secret, keys.ForThisRun, keys.Absent, false)
		expect(t, r, otherAddress, "", keys.Nowhere, "", false)
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Absent) {
			t.Errorf("load: %v", err)
		}
		expect(t, r, address, secret, keys.ForThisRun, keys.Absent, false)
		if len(f.kept) != 0 {
			t.Errorf("kept: %v", f.kept)
		}
	})
	t.Run("it is forgotten where the person says so", func(t *testing.T) {
		if err := r.Clear(t.Context(), address); !keys.IsProblem(err, keys.Absent) {
			t.Errorf("clear: %v", err)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Absent, false)
	})
	t.Run("once there is one, the key is kept in place of the one for this run", func(t *testing.T) {
		if err := r.KeepForThisRun(address, secret); err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		f.err = nil
		f.mu.Unlock()
		if err := r.Set(t.Context(), address, "second-key"); err != nil {
			t.Fatal(err)
		}
		expect(t, r, address, "second-key", keys.InKeychain, "", false)
	})
	t.Run("that goes away later, the key that was read goes on to serve", func(t *testing.T) {
		f.mu.Lock()
		f.err = errors.New("gone")
		f.mu.Unlock()
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Refused) {
			t.Errorf("load: %v", err)
		}
		expect(t, r, address, "second-key", keys.InKeychain, keys.Refused, false)
	})
}

func TestTheEnvironmentsKey(t *testing.T) {
	f := newFake()
	f.kept["Assay "+address], f.kept["Assay "+otherAddress] = "kept-key", "other-key"
	r := openRing(t, f, secret)
	t.Run("serves no address before it was given with one", func(t *testing.T) {
		expect(t, r, address, "", keys.Nowhere, "", false)
		expect(t, r, otherAddress, "", keys.Nowhere, "", false)
	})
	t.Run("serves the address that it was given with, in place of any other, and the keychain is left alone", func(t *testing.T) {
		changed := r.Changed()
		r.GiveEnvironment(address + "/")
		if !wasTold(changed) {
			t.Error("nobody was told")
		}
		load(t, r, address)
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
		if n := f.called(); n != 0 {
			t.Errorf("%d calls", n)
		}
	})
	t.Run("serves no address that is chosen later: each has its own", func(t *testing.T) {
		expect(t, r, otherAddress, "", keys.Nowhere, "", false)
		load(t, r, otherAddress)
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
		expect(t, r, "https://api.example.org:8443", "", keys.Nowhere, "", false)
	})
	t.Run("is never written to the keychain, and what is set beside it serves the next run", func(t *testing.T) {
		if err := r.Set(t.Context(), address, "second-key"); err != nil {
			t.Fatal(err)
		}
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
		if got := f.kept["Assay "+address]; got != "second-key" {
			t.Errorf("kept: %q", got)
		}
		if err := r.Clear(t.Context(), address); err != nil {
			t.Fatal(err)
		}
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
	})
	t.Run("an empty one is none", func(t *testing.T) {
		r := openRing(t, f, "")
		r.GiveEnvironment(otherAddress)
		load(t, r, otherAddress)
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
	})
}
