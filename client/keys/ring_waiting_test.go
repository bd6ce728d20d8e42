package keys_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"assay/client/keys"
)

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
		before, began := r.Changed(), time.Now()
		err := r.Load(t.Context(), address)
		var p *keys.Problem
		if !errors.As(err, &p) || p.Cause != keys.Waiting || p.Sentence() == "" || time.Since(began) != keys.DefaultSlow || !wasTold(before) {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		after := r.Changed()
		<-time.After(keys.DefaultPatience * 10)
		if wasTold(after) {
			t.Error("told of something that did not happen")
		}
		close(f.hold)
		<-after
		expect(t, r, address, secret, keys.InKeychain, "", false)
		if n := f.called(); n != 1 {
			t.Errorf("the person was asked %d times", n)
		}
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
		if n := f.called(); n != 1 {
			t.Errorf("%d calls are under way", n)
		}
		close(f.hold)
		synctest.Wait()
		expect(t, r, address, "second-key", keys.InKeychain, "", false) // all was done, in order
		expect(t, r, otherAddress, "other-key", keys.InKeychain, "", false)
		if got := f.kept["Assay "+address]; got != "second-key" {
			t.Errorf("kept: %q", got)
		}
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
		if n := f.called(); n != 1 {
			t.Errorf("the person was asked %d times", n)
		}
	})
	run("a key serves for this run until the keychain has it", func(t *testing.T) {
		f, r := begin(t)
		if err := r.Set(t.Context(), address, "second-key"); !keys.IsProblem(err, keys.Waiting) {
			t.Errorf("%v", err)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Waiting, true)
		if err := r.KeepForThisRun(address, "second-key"); err != nil {
			t.Fatal(err)
		}
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
		if err := r.KeepForThisRun(address, "third-key"); err != nil {
			t.Fatal(err)
		}
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
		if got := f.kept["Assay "+address]; got != secret {
			t.Errorf("kept: %q", got)
		}
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
