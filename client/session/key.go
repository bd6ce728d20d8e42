package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"assay/client/bounded"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/keys"
)

// mostSecret is the size of a file that can hold a secret, in bytes.
const mostSecret = 8 << 10

// environmentSecret is what a variable of the environment holds, or else the file that the variable NAME_FILE names: so do containers and systemd
// hand over secrets. "" is for neither. An error is Misuse.
func environmentSecret(variable string) (string, error) {
	if given := os.Getenv(variable); strings.TrimSpace(given) != "" {
		return given, nil
	}
	path := os.Getenv(variable + "_FILE")
	if path == "" {
		return "", nil
	}
	content, err := bounded.ReadFile(path, mostSecret)
	if err != nil {
		return "", &Misuse{Sentence: fmt.Sprintf("%s_FILE can't be used. %v", variable, err)}
	}
	return strings.TrimSpace(string(content)), nil
}

// EnvironmentKey is the key in ASSAY_API_KEY, or in the file that ASSAY_API_KEY_FILE names, or "". It is used for this run and kept nowhere.
func EnvironmentKey() (string, error) {
	given, err := environmentSecret("ASSAY_API_KEY")
	if err != nil || given == "" {
		return "", err
	}
	key, err := keys.Clean(given)
	if err != nil {
		return "", &Misuse{Sentence: "ASSAY_API_KEY can't be used. " + err.Error()}
	}
	return key, nil
}

// onlyThisRun says how to use a key without a keychain.
const onlyThisRun i18n.Key = "Set ASSAY_API_KEY instead. Assay then uses the key for this run and saves it nowhere."

// KeyMisuse makes Misuse of those errors that another try would not end.
func KeyMisuse(err error) error {
	var unusable *keys.Unusable
	switch {
	case errors.As(err, &unusable):
		return &Misuse{Sentence: unusable.Sentence()}
	case keys.IsProblem(err, keys.Absent), keys.IsProblem(err, keys.TooLarge):
		var p *keys.Problem
		errors.As(err, &p)
		return &Misuse{Sentence: p.Sentence() + " " + i18n.T(onlyThisRun)}
	}
	return err
}

// readKey reads the key of a service (not the sandbox) from the keychain, unless the environment gave one: once for all sessions.
func (s *Service) readKey(ctx context.Context) error {
	if s.key != "" {
		return nil
	}
	key, err := s.keychain.Get(ctx, s.Client.Address())
	var p *keys.Problem
	if errors.As(err, &p) && p.Err != nil {
		s.Log.Debug("the keychain's own words", "error", p.Err)
	}
	if keys.IsProblem(err, keys.Missing) {
		return &Misuse{Sentence: "The key is missing. Save it with assay key set --server " + s.Client.Address() + ", or set ASSAY_API_KEY."}
	}
	s.Secrets.Add(key)
	s.key = key
	return KeyMisuse(err)
}

// windowKey is the key of a window's service, from the ring. The window never waits for the keychain; only calls to the service do, as briefly as an
// open keychain takes. If the keychain is locked, calls have no key, and the queue is halted until there is one.
type windowKey struct {
	*Base
	address string

	ctx     context.Context // ends with the session
	stop    context.CancelFunc
	work    sync.WaitGroup
	loaded  chan struct{} // closed once the keychain has answered, or has to wait for the person
	mu      sync.Mutex    // guards what follows
	asked   bool
	resumed string // the key with which the queue was last resumed
}

func newWindowKey(b *Base, address string) *windowKey {
	k := &windowKey{Base: b, address: address, loaded: make(chan struct{})}
	k.ctx, k.stop = context.WithCancel(context.Background())
	return k
}

// load asks the keychain in the background; first it calls before, which may ask it as well.
func (k *windowKey) load(before func(context.Context) error) {
	loaded := sync.OnceFunc(func() { close(k.loaded) })
	k.work.Go(func() {
		defer loaded()
		if err := before(k.ctx); err != nil && k.ctx.Err() == nil {
			k.Log.Warn("the proxy's password is not here yet", "error", err)
		}
		if err := k.Keys.Load(k.ctx, k.address); err != nil && k.ctx.Err() == nil {
			k.Log.Warn("the key is not here yet", "error", err)
		}
	})
}

// key is the key that a call to the service sends.
func (k *windowKey) key() string {
	select {
	case <-k.loaded:
	case <-k.ctx.Done():
	}
	key := k.Keys.Key(k.address)
	k.Secrets.Add(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.asked {
		k.asked, k.resumed = true, key
	}
	return key
}

// resume resumes a queue that is halted for want of a key whenever there is another key, until the session closes.
func (k *windowKey) resume(q *intake.Queue) {
	changes := k.Events.Subscribe(events.Queue, events.Keys) // subscribed before the first check, so that no change is missed
	k.work.Go(func() {
		defer changes.Close()
		for {
			if q.QueueStatus().Cause == intake.NoKey && k.another() {
				q.ResumeAll()
			}
			select {
			case <-changes.Ready():
				changes.Take()
			case <-k.ctx.Done():
				return
			}
		}
	})
}

// another reports whether the queue was not resumed with this key yet.
func (k *windowKey) another() bool {
	key := k.Keys.Key(k.address)
	k.mu.Lock()
	defer k.mu.Unlock()
	if key == "" || key == k.resumed {
		return false
	}
	k.resumed = key
	return true
}

// close ends load and resume. The ring keeps the key.
func (k *windowKey) close() {
	k.stop()
	k.work.Wait()
}

// readProxyPassword reads the proxy's password from the keychain, if the proxy needs one that was not given.
func (s *Service) readProxyPassword(ctx context.Context) error {
	if !s.proxyAsks() {
		return nil
	}
	err := s.Keys.LoadProxyPassword(ctx, s.Config.Settings().Network.Proxy)
	if err != nil && !keys.IsProblem(err, keys.Missing) { // a proxy may need none
		return err
	}
	n := s.network()
	s.Secrets.Add(n.ProxyPassword)
	return s.Client.SetNetwork(n)
}
