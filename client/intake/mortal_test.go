package intake_test

import (
	"fmt"
	"slices"
	"sync"

	"assay/client"
	"assay/client/i18n"
)

// moment is an instant at which a process may end: before or after something is written down or the service is called.
type moment string

// process is a process's view of its store and of the service. At the chosen moment the process ends, as far as both can
// see: what it would do afterwards has no effect.
type process struct {
	store  *memory
	server *server

	mu     sync.Mutex
	seen   []moment
	ends   moment        // "": never
	ended  chan struct{} // closed at that moment
	legacy *memory       // what was on the disk then
}

func newProcess(store *memory, w *server, ends moment) *process {
	return &process{store: store, server: w, ends: ends, ended: make(chan struct{})}
}

// reach is called at each moment, and reports whether the process lives.
func (m *process) reach(at moment) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.legacy != nil {
		return false
	}
	for n, first := 1, at; slices.Contains(m.seen, at); { // the second of its kind has a number
		n++
		at = moment(fmt.Sprintf("%s (%d)", first, n))
	}
	m.seen = append(m.seen, at)
	if at == m.ends {
		m.legacy = m.store.copy()
		close(m.ended)
		return false
	}
	return true
}

// errDead is what a process would see that has ended.
var errDead = &client.Error{Op: "t", Kind: client.KindNetwork, Message: i18n.Verbatim("Stopped."), Uncertain: true}

// around ends the process before or after a call or a write, at the chosen moment.
func (p *process) around(name string, do func() error) error {
	if !p.reach(moment("before " + name)) {
		return errDead
	}
	err := do()
	if !p.reach(moment("after " + name)) {
		return errDead
	}
	return err
}
