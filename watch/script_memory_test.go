//go:build linux

package watch

import (
	"context"
	"sync"
)

// scriptMemory is a memory that can fail, and which a crash cuts off from the process.
type scriptMemory struct {
	*testMemory
	mu        sync.Mutex
	crash     bool // before the next announced content is remembered
	gone      bool // the process, by that crash
	failures  int  // of calls to come
	forgetful int  // times to come that announced contents are not remembered
}

func newScriptMemory() *scriptMemory {
	return &scriptMemory{testMemory: newTestMemory()}
}

func (m *scriptMemory) isGone() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gone
}

func (m *scriptMemory) recover() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.crash, m.gone, m.failures, m.forgetful = false, false, 0, 0
}

func (m *scriptMemory) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		return errCrashed
	}
	if m.failures > 0 {
		m.failures--
		return errRefused
	}
	return nil
}

func (m *scriptMemory) Known(ctx context.Context, folder string, each func(Known)) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Known(ctx, folder, each)
}

func (m *scriptMemory) Announced(ctx context.Context, folder string, contents []Sum) ([]bool, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return m.testMemory.Announced(ctx, folder, contents)
}

func (m *scriptMemory) Remember(ctx context.Context, folder string, files []Known) error {
	for _, f := range files {
		if f.SHA256 != (Sum{}) {
			m.mu.Lock()
			m.gone = m.gone || m.crash
			forgetful := m.forgetful > 0
			if forgetful {
				m.forgetful--
			}
			m.mu.Unlock()
			if forgetful {
				return errRefused
			}
		}
	}
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Remember(ctx, folder, files)
}

func (m *scriptMemory) Forget(ctx context.Context, folder string, names []string) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.testMemory.Forget(ctx, folder, names)
}
