package nearly

import (
	"context"
	"sync"

	"assay/client/store"
)

// ownIndex is the index of the fingerprints that this computer has made. It is in memory only while somebody looks for what is near. Any number of goroutines
// may use it.
type ownIndex struct {
	mu      sync.Mutex    // held while it is read
	index   *index        // nil: not in memory
	lookUps int           // how often it was asked for
	filled  chan struct{} // holds a token once it was read into memory
}

// read returns the index, which it first reads from the store where it is not in memory. It stays usable after release, as it was then.
func (o *ownIndex) read(ctx context.Context, s *store.Store) (*index, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lookUps++
	if o.index != nil {
		return o.index, nil
	}
	x := new(index)
	if err := s.Fingerprints(ctx, func(content string, f store.Fingerprint) error {
		x.add(content, f)
		return nil
	}); err != nil {
		return nil, err
	}
	o.index = x
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
	if o.index == nil || o.index.has(content) { // it was read after the store had them
		return
	}
	o.index.add(content, store.Fingerprint{})
	for _, f := range all {
		o.index.add(content, f)
	}
}

// used is how often it was asked for, and whether it is in memory.
func (o *ownIndex) used() (lookUps int, inMemory bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lookUps, o.index != nil
}

// release lets go of it if nobody has asked for it since there were so many look-ups.
func (o *ownIndex) release(lookUps int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lookUps == lookUps {
		o.index = nil
	}
}
