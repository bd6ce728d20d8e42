package keys_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"assay/client/assert"
	"assay/client/events"
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
	assert.NoError(t, r.Load(t.Context(), address))
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

// wantChange reports whether something has changed.
func wantChange(changed *events.Subscription) bool { return changed.Take().Has(events.Keys) }

func TestRing(t *testing.T) {
	t.Run("has no key before it has read one, and asks the keychain for none by itself", func(t *testing.T) {
		f := newFake()
		f.kept["Assay "+address] = secret
		r := openRing(t, f, "")
		expect(t, r, address, "", keys.Nowhere, "", false)
		assert.Equal(t, 0, f.called())
		load(t, r, address)
		expect(t, r, address, secret, keys.InKeychain, "", false)
	})
	t.Run("a service's key serves no other address, however near", func(t *testing.T) {
		r := openRing(t, newFake(), "")
		assert.NoError(t, r.Set(t.Context(), address, secret))
		assert.NoError(t, r.Set(t.Context(), otherAddress, "other-key"))
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
			changed := r.Subscribe()
			if err := r.Set(t.Context(), address, " "+key+"\r\n"); err != nil || !wantChange(changed) {
				t.Errorf("%v, told: %v", err, wantChange(changed))
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
		changed := r.Subscribe()
		load(t, r, address)
		if wantChange(changed) {
			t.Error("told of a change, where there was none")
		}
		delete(f.kept, "Assay "+address)
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Missing) || !wantChange(changed) {
			t.Errorf("%v, told: %v", err, wantChange(changed))
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
		assert.Equal(t, 0, f.called())
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
		changed := r.Subscribe()
		if err := r.Set(t.Context(), address, secret); !keys.IsProblem(err, keys.Absent) || !wantChange(changed) {
			t.Errorf("%v, told: %v", err, wantChange(changed))
		}
		expect(t, r, address, "", keys.Nowhere, keys.Absent, false)
	})
	t.Run("it serves for this run where the person says so, and is kept nowhere", func(t *testing.T) {
		changed := r.Subscribe()
		if err := r.KeepForThisRun(address, "\t"+secret+"\n"); err != nil || !wantChange(changed) {
			t.Errorf("%v, told: %v", err, wantChange(changed))
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
		assert.NoError(t, r.KeepForThisRun(address, secret))
		f.mu.Lock()
		f.err = nil
		f.mu.Unlock()
		assert.NoError(t, r.Set(t.Context(), address, "second-key"))
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
		changed := r.Subscribe()
		r.GiveEnvironment(address + "/")
		if !wantChange(changed) {
			t.Error("nobody was told")
		}
		load(t, r, address)
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
		assert.Equal(t, 0, f.called())
	})
	t.Run("serves no address that is chosen later: each has its own", func(t *testing.T) {
		expect(t, r, otherAddress, "", keys.Nowhere, "", false)
		load(t, r, otherAddress)
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
		expect(t, r, "https://api.example.org:8443", "", keys.Nowhere, "", false)
	})
	t.Run("is never written to the keychain, and what is set beside it serves the next run", func(t *testing.T) {
		assert.NoError(t, r.Set(t.Context(), address, "second-key"))
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
		assert.Equal(t, "second-key", f.kept["Assay "+address])
		assert.NoError(t, r.Clear(t.Context(), address))
		expect(t, r, address, secret, keys.FromEnvironment, "", false)
	})
	t.Run("an empty one is none", func(t *testing.T) {
		r := openRing(t, f, "")
		r.GiveEnvironment(otherAddress)
		load(t, r, otherAddress)
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
	})
}

// lockable is a keychain that can tell whether it is locked; nobody can be asked to unlock it.
type lockable struct {
	*fake
	shut  bool
	stuck bool // it says that it is open, and is not
	gone  bool
	looks int
}

func newLockable() *lockable {
	l := &lockable{fake: newFake(), shut: true}
	l.kept["Assay "+address], l.kept["Assay "+otherAddress] = secret, "other-key"
	l.err = &keys.Problem{Cause: keys.Locked}
	return l
}

func (l *lockable) Locked() (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks++
	if l.gone {
		return false, errors.New("gone")
	}
	return l.shut && !l.stuck, nil
}

// set changes it as the person does.
func (l *lockable) be(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

func (l *lockable) open() { l.be(func() { l.shut, l.err = false, nil }) }

func TestALockedKeychain(t *testing.T) {
	run := func(name string, test func(t *testing.T, l *lockable, r *keys.Ring)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLockable()
				test(t, l, openRing(t, l, ""))
			})
		})
	}
	lockedOut := func(t *testing.T, r *keys.Ring, addresses ...string) {
		t.Helper()
		for _, a := range addresses {
			if err := r.Load(t.Context(), a); !keys.IsProblem(err, keys.Locked) {
				t.Errorf("load: %v", err)
			}
			expect(t, r, a, "", keys.Nowhere, keys.Locked, true)
		}
	}
	run("is said and waited for: once it is open, all keys are there, and nobody was asked meanwhile", func(t *testing.T, l *lockable, r *keys.Ring) {
		lockedOut(t, r, address, otherAddress)
		asked := l.called()
		<-time.After(time.Hour)
		synctest.Wait()
		if n := l.called(); n != asked || l.looks < 100 {
			t.Errorf("%d calls more while it was locked, %d looks", n-asked, l.looks)
		}
		changed := r.Subscribe()
		l.open()
		<-changed.Ready()
		<-time.After(time.Minute)
		synctest.Wait()
		expect(t, r, address, secret, keys.InKeychain, "", false)
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
		looks := l.looks
		<-time.After(time.Hour)
		if l.looks != looks {
			t.Error("it is looked at although it is open")
		}
	})
	run("that says it is open and refuses is not asked again and again", func(t *testing.T, l *lockable, r *keys.Ring) {
		lockedOut(t, r, address)
		l.be(func() { l.stuck = true })
		<-time.After(time.Hour)
		synctest.Wait()
		assert.Equal(t, 2, l.called())
		expect(t, r, address, "", keys.Nowhere, keys.Locked, false)
	})
	run("that went away and came back is still waited for", func(t *testing.T, l *lockable, r *keys.Ring) {
		lockedOut(t, r, address)
		l.be(func() { l.gone = true })
		<-time.After(time.Minute)
		l.be(func() { l.gone = false })
		l.open()
		<-r.Subscribe().Ready()
		synctest.Wait()
		<-time.After(time.Minute)
		expect(t, r, address, secret, keys.InKeychain, "", false)
	})
	run("that the person opens for another try is read by that", func(t *testing.T, l *lockable, r *keys.Ring) {
		lockedOut(t, r, address)
		l.open()
		load(t, r, address)
		expect(t, r, address, secret, keys.InKeychain, "", false)
	})
	run("keeps no key, and what was to be kept is not kept behind the person's back later", func(t *testing.T, l *lockable, r *keys.Ring) {
		if err := r.Set(t.Context(), address, "second-key"); !keys.IsProblem(err, keys.Locked) {
			t.Errorf("set: %v", err)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Locked, false)
		l.open()
		<-time.After(time.Minute)
		synctest.Wait()
		if l.kept["Assay "+address] != secret || l.looks != 0 {
			t.Errorf("kept %v, %d looks", l.kept, l.looks)
		}
	})
	run("does not hold up the end", func(t *testing.T, _ *lockable, r *keys.Ring) {
		lockedOut(t, r, address)
		r.Close()
	})
}

func TestARingOverAKeychainThatAsksThePerson(t *testing.T) {
	begin := func(t *testing.T) (*fake, *keys.Ring) {
		f := newFake()
		f.kept["Assay "+address], f.kept["Assay "+otherAddress] = secret, "other-key"
		f.hold = make(chan struct{})
		return f, openRing(t, f, "")
	}
	// each has bubbles of its own, so that time passes by itself
	run := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
	run("lets its caller go, says that it waits, and has the key once it is unlocked, however late", func(t *testing.T) {
		f, r := begin(t)
		before, began := r.Subscribe(), time.Now()
		err := r.Load(t.Context(), address)
		var p *keys.Problem
		if !errors.As(err, &p) || p.Cause != keys.Waiting || p.Sentence() == "" || time.Since(began) != keys.DefaultSlow || !wantChange(before) {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		after := r.Subscribe()
		<-time.After(keys.DefaultPatience * 10)
		if wantChange(after) {
			t.Error("told of something that did not happen")
		}
		close(f.hold)
		<-after.Ready()
		expect(t, r, address, secret, keys.InKeychain, "", false)
		assert.Equal(t, 1, f.called())
	})
	run("asks once, whoever comes meanwhile and for whatever", func(t *testing.T) {
		f, r := begin(t)
		for _, a := range []string{address, address, otherAddress} {
			if err := r.Load(t.Context(), a); !keys.IsProblem(err, keys.Waiting) {
				t.Errorf("%v", err)
			}
		}
		if err := r.Set(t.Context(), address, "second-key"); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		assert.Equal(t, 1, f.called())
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "second-key", keys.InKeychain, "", false) // all was done, in order
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
		assert.Equal(t, "second-key", f.kept["Assay "+address])
	})
	run("is not asked again by those who waited when the person says no", func(t *testing.T) {
		f, r := begin(t)
		for _, a := range []string{address, address, otherAddress} {
			if err := r.Load(t.Context(), a); !keys.IsProblem(err, keys.Waiting) {
				t.Errorf("%v", err)
			}
		}
		f.mu.Lock()
		f.err = &keys.Problem{Cause: keys.Locked}
		f.mu.Unlock()
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "", keys.Nowhere, keys.Locked, false)
		expect(t, r, otherAddress, "", keys.Nowhere, keys.Locked, false)
		assert.Equal(t, 1, f.called())
	})
	run("a key serves for this run until the keychain has it", func(t *testing.T) {
		f, r := begin(t)
		if err := r.Set(t.Context(), address, "second-key"); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		assert.NoError(t, r.KeepForThisRun(address, "second-key"))
		expect(t, r, address, "second-key", keys.ForThisRun, keys.Waiting, true)
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "second-key", keys.InKeychain, "", false)
	})
	run("a key for this run that was given later than what is kept goes on to serve", func(t *testing.T) {
		f, r := begin(t)
		if err := r.Set(t.Context(), address, "second-key"); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		assert.NoError(t, r.KeepForThisRun(address, "third-key"))
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "third-key", keys.ForThisRun, "", false)
	})
	run("what is removed does not come back by what was asked before, not even for a moment", func(t *testing.T) {
		f := newFake()
		f.kept["Assay "+address] = secret
		f.hold = make(chan struct{})
		var r *keys.Ring
		removing := false
		r = openRing(t, deleting{f, func() {
			removing = true
			expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		}}, "")
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		if err := r.Clear(t.Context(), address); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "", keys.Nowhere, "", false)
		if _, kept := f.kept["Assay "+address]; kept || !removing {
			t.Error("the keychain has it yet")
		}
	})
	run("who gives up before it is their turn has asked nothing; who reads is served all the same", func(t *testing.T) {
		f, r := begin(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Load(ctx, address); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("load: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Set(ctx, address, "second-key"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("set: %v", err)
		}
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, secret, keys.InKeychain, "", false)
		assert.Equal(t, secret, f.kept["Assay "+address])
	})
	run("waits as long as a subcommand says, and no longer than its ctx", func(t *testing.T) {
		f, _ := begin(t)
		r := keys.OpenRing(keys.RingParams{Keychain: keys.New(keys.Options{Backend: f}), Patience: keys.DefaultPatience})
		defer r.Close()
		go func() { <-time.After(time.Minute); close(f.hold) }()
		load(t, r, address)
		expect(t, r, address, secret, keys.InKeychain, "", false)
	})
	run("does not hold up the end", func(t *testing.T) {
		f, r := begin(t)
		defer close(f.hold)
		if err := r.Load(t.Context(), address); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		r.Close()
		if err := r.Load(t.Context(), address); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// deleting is a keychain that says when it deletes.
type deleting struct {
	*fake
	before func()
}

func (d deleting) Delete(service, account string) error {
	d.before()
	return d.fake.Delete(service, account)
}

func TestAProxysPassword(t *testing.T) {
	f := newFake()
	const proxy, given = "http://anna@proxy.example:3128", " päss word\t" + "!"
	t.Run("is kept by host and port alone, and never told to a service", func(t *testing.T) {
		r := openRing(t, f, secret)
		password := " päss: word! " //nolint:gosec // a test's own
		assert.NoError(t, r.SetProxyPassword(t.Context(), proxy, password+"\r\n"))
		if got := f.kept["Assay proxy proxy.example:3128"]; got != password || len(f.kept) != 1 {
			t.Errorf("kept: %q", f.kept)
		}
		later := openRing(t, f, "")
		assert.NoError(t, later.LoadProxyPassword(t.Context(), "http://PROXY.example:3128"))
		for proxy, want := range map[string]string{
			"http://proxy.example:3128": password, "socks5://berta@proxy.example:3128/": password,
			"http://proxy.example": "", "http://proxy.example:8080": "", "http://other.example:3128": "", "": "",
		} {
			if got := later.ProxyPassword(proxy); got != want {
				t.Errorf("%q has %q, want %q", proxy, got, want)
			}
		}
		for _, service := range []string{"http://proxy.example:3128", "https://proxy.example:3128", "proxy proxy.example:3128x", "proxy.example:3128"} {
			if got := later.Key(service); got != "" {
				t.Errorf("as the key of %s: %q", service, got)
			}
		}
		if is := later.ProxyStatus(proxy); is != (keys.Status{Where: keys.InKeychain}) {
			t.Errorf("%+v", is)
		}
		if err := later.ClearProxyPassword(t.Context(), proxy); err != nil || len(f.kept) != 0 || later.ProxyPassword(proxy) != "" {
			t.Errorf("%v, %v", err, f.kept)
		}
	})
	t.Run("ports that go without saying are those of the kind of proxy", func(t *testing.T) {
		for proxy, account := range map[string]string{"http://p.example": "p.example:80", "https://p.example": "p.example:443", "socks5://p.example": "p.example:1080", "socks5h://[::1]": "::1:1080"} {
			f := newFake()
			if err := openRing(t, f, "").SetProxyPassword(t.Context(), proxy, "x"); err != nil || f.kept["Assay proxy "+account] != "x" {
				t.Errorf("%s: %v, kept %v", proxy, err, f.kept)
			}
		}
	})
	t.Run("serves for this run where there is no keychain", func(t *testing.T) {
		f := newFake()
		f.err = &keys.Problem{Cause: keys.Absent}
		r := openRing(t, f, "")
		if err := r.SetProxyPassword(t.Context(), proxy, "x"); !keys.IsProblem(err, keys.Absent) {
			t.Errorf("set: %v", err)
		}
		if err := r.KeepProxyPasswordForThisRun(proxy, "x"); err != nil || r.ProxyPassword(proxy) != "x" || r.ProxyStatus(proxy).Where != keys.ForThisRun {
			t.Errorf("%v, %+v", err, r.ProxyStatus(proxy))
		}
	})
	t.Run("that can't be sent is refused without repeating it", func(t *testing.T) {
		r := openRing(t, newFake(), "")
		for _, password := range []string{"", "\n", given} {
			var u *keys.Unusable
			if err := r.SetProxyPassword(t.Context(), proxy, password); !errors.As(err, &u) {
				t.Errorf("set %q: %v", password, err)
			}
			if err := r.KeepProxyPasswordForThisRun(proxy, password); !errors.As(err, &u) {
				t.Errorf("keep %q: %v", password, err)
			}
		}
	})
}
