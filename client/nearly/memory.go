package nearly

import (
	"context"
	"sync"
	"sync/atomic"

	"assay/client/store"
)

// mostHeard bounds how many fingerprints that colleagues shared are read into memory: the newest; and how many that come later are added to them.
const mostHeard = 50_000

// memory has the store's fingerprints in memory, only while somebody looks for what is near. Any number of goroutines may use it.
type memory struct {
	mu      sync.Mutex                   // held while they are read, which takes seconds, or changed
	all     atomic.Pointer[fingerprints] // nil: not in memory
	lookUps atomic.Int64                 // how often they were asked for
	filled  chan struct{}                // holds a token once they were read
}

// fingerprints are the indexes of all fingerprints. They stay usable once memory has let go of them, as they were then.
type fingerprints struct {
	own    index // of those that this computer has made
	theirs index // of those that colleagues shared
	heard  int64 // up to which of them theirs has them
	many   int   // how many it has
}

// read returns the fingerprints, which it first reads from the store where they are not in memory.
func (m *memory) read(ctx context.Context, s *store.Store) (*fingerprints, error) {
	m.lookUps.Add(1)
	if all := m.all.Load(); all != nil {
		return all, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if all := m.all.Load(); all != nil { // meanwhile
		return all, nil
	}
	all := new(fingerprints)
	err := s.Fingerprints(ctx, func(content string, f store.Fingerprint) error {
		all.own.add(content, f)
		return nil
	})
	if err == nil {
		err = all.hear(ctx, s, mostHeard)
	}
	if err != nil {
		return nil, err
	}
	m.all.Store(all)
	select {
	case m.filled <- struct{}{}:
	default:
	}
	return all, nil
}

// hear adds at most so many of those that colleagues have shared since the last call. Whatever they hold, they are only compared: one that is none is like
// nothing.
func (p *fingerprints) hear(ctx context.Context, s *store.Store, most int) error {
	shared, err := s.DeskHashes(ctx, p.heard, most)
	for _, h := range shared {
		p.heard = max(p.heard, h.Seq)
		p.theirs.add(h.Content, h.Fingerprint)
	}
	p.many += len(shared)
	return err
}

// hear adds those that colleagues have shared since they were read to what is in memory.
func (m *memory) hear(ctx context.Context, s *store.Store) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if all := m.all.Load(); all != nil {
		return all.hear(ctx, s, 2*mostHeard-all.many)
	}
	return nil // they are read with the others
}

// add adds the fingerprints of a content, which the store has already, to what is in memory.
func (m *memory) add(content string, prints []store.Fingerprint) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.all.Load()
	if all == nil || all.own.has(content) { // they were read after the store had these
		return
	}
	all.own.add(content, store.Fingerprint{})
	for _, p := range prints {
		all.own.add(content, p)
	}
}

// isFilled reports whether they are in memory.
func (m *memory) isFilled() bool { return m.all.Load() != nil }

// release lets go of them if nobody has asked for them since there were so many look-ups.
func (m *memory) release(lookUps int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lookUps.Load() == lookUps {
		m.all.Store(nil)
	}
}
