package keys

import (
	"slices"
	"time"
)

// startLooking looks from now on until the keychain is open, where that can be told without asking the person; r.mu is held.
func (r *Ring) startLooking() {
	if r.looking || !r.keychain.canLook() || r.ctx.Err() != nil {
		return
	}
	r.looking = true
	r.running.Add(1)
	go r.look()
}

// look waits for the keychain to be open, and reads then what could not be read.
func (r *Ring) look() {
	defer r.running.Done()
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-every.C:
		}
		if locked, err := r.keychain.locked(r.ctx); locked || err != nil {
			continue // one that is gone may come back
		}
		for _, account := range r.unread() {
			_ = r.load(r.ctx, account, cleanOf(account)) // what comes of it is in its status
		}
		r.mu.Lock()
		// Even where one is still said to be locked: to look on would ask the person again and again.
		r.alter(func() { r.looking = false })
		r.mu.Unlock()
		return
	}
}

// unread are the accounts that were locked when they were to be read.
func (r *Ring) unread() (accounts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for account, s := range r.secrets {
		if s.problem != nil && s.problem.Cause == Locked && s.late == 0 {
			accounts = append(accounts, account)
		}
	}
	slices.Sort(accounts)
	return accounts
}
