package nearly

import (
	"context"
	"sync"
	"sync/atomic"

	"assay/client/store"
)

// ownIndex is the index of the fingerprints that this computer has made. It is in memory only while somebody looks for what is near. Any number of goroutines
// may use it.
type ownIndex struct {
	mu      sync.Mutex            // held while it is read, which takes seconds, or changed
	index   atomic.Pointer[index] // nil: not in memory
	lookUps atomic.Int64          // how often it was asked for
	filled  chan struct{}         // holds a token once it was read into memory
}

// read returns the index, which it first reads from the store where it is not in memory. It stays usable after release, as it was then.
func (o *ownIndex) read(ctx context.Context, s *store.Store) (*index, error) {
	o.lookUps.Add(1)
	if x := o.index.Load(); x != nil {
		return x, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if x := o.index.Load(); x != nil { // meanwhile
		return x, nil
	}
	x := new(index)
	if err := s.Fingerprints(ctx, func(content string, f store.Fingerprint) error {
		x.add(content, f)
		return nil
	}); err != nil {
		return nil, err
	}
	o.index.Store(x)
	select {
	case o.filled <- struct{}{}:
	default:
	}
	return x, nil
}

// add adds the fingerprints of a content, which the store has already, to what is in memory.
func (o *ownIndex) add(content string, all []store.Fingerprint) {
	o.mu.Lock()
	defer o.mu.Unlock()
	x := o.index.Load()
	if x == nil || x.has(content) { // it was read after the store had them
		return
	}
	x.add(content, store.Fingerprint{})
	for _, f := range all {
		x.add(content, f)
	}
}

func (o *ownIndex) inMemory() bool { return o.index.Load() != nil }

// release lets go of it if nobody has asked for it since there were so many look-ups.
func (o *ownIndex) release(lookUps int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lookUps.Load() == lookUps {
		o.index.Store(nil)
	}
}
