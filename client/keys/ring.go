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

// RingParams are what a Ring is built from; the zero value may be used.
type RingParams struct {
	// Keychain keeps the secrets; nil: the system's.
	Keychain *Keychain
	// Environment is a key, as Clean returns it, that was given to this start and is kept nowhere; GiveEnvironment says for which address.
	Environment string
	// Patience is how long Load, Set and Clear wait for the keychain before it goes on in the background; 0 means DefaultSlow. A subcommand, which
	// must not go on without the answer, uses DefaultPatience.
	Patience time.Duration
	// Events gets each change: events.Keys. nil: a hub of the ring's own.
	Events *events.Hub
	// Log gets, at debug, why a keychain failed: no key and no address. Nil means none.
	Log *slog.Logger
}

// probeInterval is how often a ring checks whether a locked keychain is open.
const probeInterval = 3 * time.Second

// Ring holds the secrets in use in memory, and keeps them in a Keychain: the key of each service's address, and the password of each proxy. A
// service's key is used for no other address. It is safe for use by many goroutines.
//
// A request to the keychain is never abandoned: if the keychain asks the person to unlock it, the request goes on after Load, Set or Clear has
// returned, and its outcome is published: see Subscribe. If a keychain is locked and does not ask, as when the person has declined, the ring checks
// until it is open, where the system can tell that without asking the person.
type Ring struct {
	keychain    *Keychain
	environment string
	patience    time.Duration
	log         *slog.Logger
	events      *events.Hub

	ctx     context.Context // ends with Close
	end     context.CancelFunc
	running sync.WaitGroup // requests, and probe; started under mu

	mu      sync.Mutex
	secrets map[string]*secret // by account
	last    *request           // the last request that waits; nil: none
	probing bool
}

// OpenRing returns a ring without secrets. Close ends it.
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

// Close ends the work in the background, and waits for it, but not for a call that hangs in the system.
func (r *Ring) Close() {
	r.mu.Lock()
	r.end()
	r.mu.Unlock()
	r.running.Wait()
}

// GiveEnvironment makes the environment's key the key of an address, in place of any other, without calling the keychain. The address must be the one
// that was given with the key at the start: one that is chosen later must not get it.
func (r *Ring) GiveEnvironment(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(func() { r.secret(account(address)).environment = r.environment })
}

// Key is the key for address, or "". It never blocks.
func (r *Ring) Key(address string) string { return r.serving(account(address)) }

// Status is the status of the key for address.
func (r *Ring) Status(address string) Status { return r.status(account(address)) }

// Load reads the key for address from the keychain, also again; with a key from the environment it does nothing. An error is a *Problem, or ctx's,
// which does not end the reading. Cause Missing: there is none. Waiting, or Locked with Status.Waiting: it is read once the keychain is open. If the
// keychain can't be read, the key in memory stays in use.
func (r *Ring) Load(ctx context.Context, address string) error {
	return r.load(ctx, account(address), trimmed)
}

// Set keeps a key for address and replaces any other, one for this run included; until it is kept, the old one is used. An error is an *Unusable for
// a text that is no key, a *Problem, or ctx's. Cause Waiting: it is kept once the keychain is open.
func (r *Ring) Set(ctx context.Context, address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	return r.set(ctx, account(address), key)
}

// KeepForThisRun uses a key for address until the ring is closed, and keeps it nowhere. An error is an *Unusable.
func (r *Ring) KeepForThisRun(address, key string) error {
	key, err := Clean(key)
	if err != nil {
		return err
	}
	r.keepForThisRun(account(address), key)
	return nil
}

// Clear stops the use of the key for address, unless it is the environment's, and removes it from the keychain. It is no error if there was none. An
// error is a *Problem, or ctx's: the keychain may still have it. Cause Waiting: it is removed once the keychain is open.
func (r *Ring) Clear(ctx context.Context, address string) error {
	return r.clear(ctx, account(address))
}

// Subscribe publishes each change of a Status or of a secret from now on. To miss none, subscribe first and check afterwards.
func (r *Ring) Subscribe() *events.Subscription { return r.events.Subscribe(events.Keys) }

// secret is an account's secret; r.mu is held.
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

// ringState is compared to notice a change.
type ringState struct {
	account, serves string
	where           Where
	cause           Cause
	waiting         bool
}

// change runs do, and publishes if it has changed anything; r.mu is held.
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
		if one != (ringState{account: s.account}) { // nothing is known of it but its account
			all = append(all, one)
		}
	}
	return all
}

// startProbing checks from now on until the keychain is open, if that can be told without asking the person; r.mu is held.
func (r *Ring) startProbing() {
	if r.probing || !r.keychain.canProbe() || r.ctx.Err() != nil {
		return
	}
	r.probing = true
	r.running.Add(1)
	go r.probe()
}

// probe waits until the keychain is open, and then reads what could not be read.
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
			continue // if the keychain is gone, it may come back
		}
		for _, account := range r.unread() {
			_ = r.load(r.ctx, account, cleanOf(account)) // the outcome is in its status
		}
		r.mu.Lock()
		// Even if one still counts as locked: another check would ask the person again and again.
		r.change(func() { r.probing = false })
		r.mu.Unlock()
		return
	}
}

// unread are the accounts that could not be read because the keychain was locked.
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

// Where is where the secret in use comes from.
type Where int

// The values of Where.
const (
	Nowhere         Where = iota // there is none
	InKeychain                   // and in memory
	ForThisRun                   // in memory alone: KeepForThisRun
	FromEnvironment              // ASSAY_API_KEY
)

// Status is the status of a secret. It holds no part of it.
type Status struct {
	Where Where
	// Problem is why the last request to the keychain failed, or Waiting; nil: it succeeded. It is never Missing.
	Problem *Problem
	// Waiting says that a request is completed once the keychain is open: it may be asking the person, or it is locked and the ring checks until it
	// is not.
	Waiting bool
}

// secret is what a Ring knows of one account. The ring's mu guards it.
type secret struct {
	account     string
	environment string // used in place of all else; or ""
	thisRun     string // used in place of kept; or ""
	kept        string // what the keychain has, as far as is known; or ""
	problem     *Problem
	late        int // requests not answered within the ring's patience
	cleared     int // how often Clear was called: requests from before do not count any more
}

// serves returns the secret in use, and where it is from.
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

// errWaiting is the problem of every late request. It quotes no keychain, so that one value is enough.
var errWaiting = &Problem{Cause: Waiting}

// status is the Status; probing: the ring checks until the keychain is open.
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
