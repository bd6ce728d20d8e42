package keys_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"assay/client/keys"
)

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
		changed := r.Changed()
		l.open()
		<-changed
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
		if n := l.called(); n != 2 {
			t.Errorf("asked %d times", n)
		}
		expect(t, r, address, "", keys.Nowhere, keys.Locked, false)
	})
	run("that went away and came back is still waited for", func(t *testing.T, l *lockable, r *keys.Ring) {
		lockedOut(t, r, address)
		l.be(func() { l.gone = true })
		<-time.After(time.Minute)
		l.be(func() { l.gone = false })
		l.open()
		<-r.Changed()
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
