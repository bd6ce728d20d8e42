package command

import (
	"context"
	"sync"

	"assay/client/intake"
)

// windowKey is the key of a window's service, out of the ring. The window never waits for the keychain: only the calls to the service
// do, for the moment that an open keychain takes. One that is locked leaves them without a key, and the queue stands still until it
// comes.
type windowKey struct {
	*base
	address string

	ctx     context.Context // ends with the session
	stop    context.CancelFunc
	work    sync.WaitGroup
	loaded  chan struct{} // closed once the keychain has answered, or makes us wait
	mu      sync.Mutex    // guards what follows
	asked   bool
	resumed string // the key with which the queue went on last
}

func newWindowKey(b *base, address string) *windowKey {
	k := &windowKey{base: b, address: address, loaded: make(chan struct{})}
	k.ctx, k.stop = context.WithCancel(context.Background())
	return k
}

// load asks the keychain in the background; first of all it calls before, which may ask it too.
func (k *windowKey) load(before func(context.Context) error) {
	loaded := sync.OnceFunc(func() { close(k.loaded) })
	k.work.Go(func() {
		defer loaded()
		if err := before(k.ctx); err != nil && k.ctx.Err() == nil {
			k.log.Warn("the proxy's password is not here yet", "error", err)
		}
		if err := k.ring.Load(k.ctx, k.address); err != nil && k.ctx.Err() == nil {
			k.log.Warn("the key is not here yet", "error", err)
		}
	})
}

// key is what a call to the service carries.
func (k *windowKey) key() string {
	select {
	case <-k.loaded:
	case <-k.ctx.Done():
	}
	key := k.ring.Key(k.address)
	k.secrets.Add(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.asked {
		k.asked, k.resumed = true, key
	}
	return key
}

// resume lets a queue that stands still for want of a key go on whenever there is another one, until the session closes.
func (k *windowKey) resume(q *intake.Queue) {
	changes := q.Watch()
	k.work.Go(func() {
		defer changes.Close()
		for {
			changed := k.ring.Changed() // before the look: no change is missed
			if q.QueueStatus().Cause == intake.NoKey && k.another() {
				q.ResumeAll()
			}
			select {
			case <-changed:
			case <-changes.Ready():
				changes.Take()
			case <-k.ctx.Done():
				return
			}
		}
	})
}

// another reports whether the queue has not gone on with this key yet.
func (k *windowKey) another() bool {
	key := k.ring.Key(k.address)
	k.mu.Lock()
	defer k.mu.Unlock()
	if key == "" || key == k.resumed {
		return false
	}
	k.resumed = key
	return true
}

// close ends it. The ring keeps the key.
func (k *windowKey) close() {
	k.stop()
	k.work.Wait()
}
