package keys

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/client/events"
)

// RingParams are what a Ring works with; the zero value serves.
type RingParams struct {
	// Keychain keeps the secrets; nil: the system's.
	Keychain *Keychain
	// Environment is a key that this start was given and that is kept nowhere, as Clean gives it; GiveEnvironment says whom it serves.
	Environment string
	// Patience is how long Load, Set and Clear wait for the keychain before they leave it to the background; 0 means DefaultSlow.
	// A subcommand, which has no background, gives DefaultPatience.
	Patience time.Duration
	// Events is told of each change: events.Keys. nil: one of the ring's own.
	Events *events.Hub
	// Log gets, at debug, why a keychain did not do what it was asked: no key and no address. Nil means none.
	Log *slog.Logger
}

// probeInterval is how often a ring asks whether a locked keychain is open by now.
const probeInterval = 3 * time.Second

// Ring has the secrets that serve in memory, and keeps them in a Keychain: the key of each service's address, and the password of
// each proxy. A service's key serves no other address. It is safe for use by many goroutines.
//
// What a keychain is asked for is not given up: where it asks the person to unlock it, the call goes on after Load, Set or Clear has
// returned, and what comes of it is published: see Subscribe. Where a keychain is locked and asks nobody, as when the person has declined, the
// ring looks until it is open, where the system can tell that without asking.
type Ring struct {
	keychain    *Keychain
	environment string
	patience    time.Duration
	log         *slog.Logger
	events      *events.Hub

	ctx     context.Context // ends with Close
	end     context.CancelFunc
	running sync.WaitGroup // requests, and the look; begun under mu

	mu      sync.Mutex
	secrets map[string]*secret // by account
	last    *request           // the end of the line; nil: none waits
	probing bool
}

// OpenRing returns a ring that has nothing in memory yet. Close ends it.
func OpenRing(p RingParams) *Ring {
	r := &Ring{keychain: p.Keychain, environment: p.Environment, patience: p.Patience, log: p.Log,
		events: p.Events, secrets: map[string]*secret{}}
	if r.events == nil {
		r.events = new(events.Hub)
	}
	if r.keychain == nil {
		r.keychain = New(Options{})
	}
	if r.patience <= 0 {
		r.patience = DefaultSlow
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	r.ctx, r.end = context.WithCancel(context.Background())
	return r
}

// Close ends what goes on in the background, and waits for it; but not for a call that hangs in the system.
func (r *Ring) Close() {
	r.mu.Lock()
	r.end()
	r.mu.Unlock()
	r.running.Wait()
}

// GiveEnvironment lets the environment's key serve an address in place of any other, without asking the keychain. It is for the
// address that the key was given with, at the start, and for no other: an address that is chosen later must not learn it.
func (r *Ring) GiveEnvironment(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(func() { r.secret(account(address)).environment = r.environment })
}

// Key is the key that serves address, or "". It never blocks.
func (r *Ring) Key(address string) string { return r.serving(account(address)) }

// Status says how it stands with the key of address.
func (r *Ring) Status(address string) Status { return r.status(account(address)) }

// Load reads the key for address from the keychain, also again. The environment's key spares it that. An error is a *Problem, or
// ctx's, which does not end the reading. Of cause Missing: none is kept. Waiting, or Locked with Status.Waiting: it is
// read once the keychain opens. Where the keychain can't be read, the key that is in memory goes on to serve.
func (r *Ring) Load(ctx context.Context, address string) error {
	return r.load(ctx, account(address), trimmed)
}

// Set keeps a key for address in place of any other, one for this run included; until it is kept, that one serves. An error is an
// *Unusable where it is no key, a *Problem, or ctx's. Of cause Waiting: it is kept once the keychain opens.
func (r *Ring) Set(ctx context.Context, address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	return r.set(ctx, account(address), key)
}

// KeepForThisRun lets a key serve address from now on until the ring is closed, and keeps it nowhere. An error is an *Unusable.
func (r *Ring) KeepForThisRun(address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	r.keepForThisRun(account(address), key)
	return nil
}

// Clear lets the key for address, wherever it is from but the environment, serve no longer, and removes it from the keychain. That
// there was none is no error. An error is a *Problem, or ctx's: the keychain may still have it. Of cause Waiting: it is removed once
// the keychain opens.
func (r *Ring) Clear(ctx context.Context, address string) error {
	return r.clear(ctx, account(address))
}

// Subscribe tells of each change of a Status or of a secret that serves, from now on. Who waits for a change subscribes first and looks
// then, so that nothing is missed.
func (r *Ring) Subscribe() *events.Subscription { return r.events.Subscribe(events.Keys) }

// secret is the account's; r.mu is held.
func (r *Ring) secret(account string) *secret {
	s := r.secrets[account]
	if s == nil {
		s = &secret{account: account}
		r.secrets[account] = s
	}
	return s
}

func (r *Ring) serving(account string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	serves, _ := r.secret(account).serves()
	return serves
}

func (r *Ring) status(account string) Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.secret(account).status(r.probing)
}

// ringState is what a change is noticed by.
type ringState struct {
	account, serves string
	where           Where
	cause           Cause
	waiting         bool
}

// change does what may change something, and tells; r.mu is held.
func (r *Ring) change(do func()) {
	before := r.states()
	do()
	if !slices.Equal(before, r.states()) {
		r.events.Publish(events.Event{Topic: events.Keys})
	}
}

func (r *Ring) states() (all []ringState) {
	for _, s := range slices.SortedFunc(maps.Values(r.secrets), func(a, b *secret) int { return strings.Compare(a.account, b.account) }) {
		serves, _ := s.serves()
		is := s.status(r.probing)
		one := ringState{account: s.account, serves: serves, where: is.Where, waiting: is.Waiting}
		if is.Problem != nil {
			one.cause = is.Problem.Cause
		}
		if one != (ringState{account: s.account}) { // one that is only known by name is as good as none
			all = append(all, one)
		}
	}
	return all
}

// startProbing probes from now on until the keychain is open, where that can be told without asking the person; r.mu is held.
func (r *Ring) startProbing() {
	if r.probing || !r.keychain.canProbe() || r.ctx.Err() != nil {
		return
	}
	r.probing = true
	r.running.Add(1)
	go r.probe()
}

// probe waits for the keychain to be open, and reads then what could not be read.
func (r *Ring) probe() {
	defer r.running.Done()
	every := time.NewTicker(probeInterval)
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
		r.change(func() { r.probing = false })
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

// Where is where the secret that serves comes from.
type Where int

// The places.
const (
	Nowhere         Where = iota // there is none
	InKeychain                   // and in memory
	ForThisRun                   // in memory alone: KeepForThisRun
	FromEnvironment              // ASSAY_API_KEY
)

// Status is how it stands with one secret. It holds no part of it.
type Status struct {
	Where Where
	// Problem is what stood in the way when the keychain was last asked, or of cause Waiting; nil: nothing. It is never Missing.
	Problem *Problem
	// Waiting says that what the keychain was asked for is done once it opens: it may be asking the person, or it is locked and the
	// ring looks until it is not.
	Waiting bool
}

// secret is what a Ring has of one account. The ring's mu guards it.
type secret struct {
	account     string
	environment string // serves in place of all else; or ""
	thisRun     string // serves in place of what is kept; or ""
	kept        string // what the keychain has, as far as is known; or ""
	problem     *Problem
	late        int // requests that the keychain has not answered within the ring's patience
	cleared     int // how often: what was asked before counts no longer
}

// serves is the secret that serves, and where it is from.
func (s *secret) serves() (string, Where) {
	switch {
	case s.environment != "":
		return s.environment, FromEnvironment
	case s.thisRun != "":
		return s.thisRun, ForThisRun
	case s.kept != "":
		return s.kept, InKeychain
	}
	return "", Nowhere
}

// errWaiting is the problem of all that is late. It has no words of a keychain, so that one serves for all.
var errWaiting = &Problem{Cause: Waiting}

// status is what the secret's owner is told; probing: the ring asks until the keychain is open.
func (s *secret) status(probing bool) Status {
	_, where := s.serves()
	is := Status{Where: where, Problem: s.problem, Waiting: s.late > 0}
	switch {
	case is.Waiting:
		is.Problem = errWaiting
	case s.problem != nil:
		is.Waiting = s.problem.Cause == Locked && probing
	}
	return is
}
