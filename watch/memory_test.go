package watch

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
)

// testMemory is a Memory that lives as long as the test: what a database keeps across restarts.
type testMemory struct {
	mu      sync.Mutex
	folders map[string]*testFolderMemory
	refuse  error // to remember
}

type testFolderMemory struct {
	known     map[string]Known
	announced map[Sum]bool
}

func newTestMemory() *testMemory {
	return &testMemory{folders: make(map[string]*testFolderMemory)}
}

func (m *testMemory) setRefuse(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse = err
}

// folder is called with the lock held.
func (m *testMemory) folder(id string) *testFolderMemory {
	f := m.folders[id]
	if f == nil {
		f = &testFolderMemory{known: make(map[string]Known), announced: make(map[Sum]bool)}
		m.folders[id] = f
	}
	return f
}

func (m *testMemory) Known(ctx context.Context, folder string, each func(Known)) error {
	for _, known := range m.all(folder) {
		if err := ctx.Err(); err != nil {
			return err
		}
		each(known)
	}
	return ctx.Err()
}

// all is what is remembered of a folder's files, by name.
func (m *testMemory) all(folder string) []Known {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.folder(folder).known), func(a, b Known) int { return cmp.Compare(a.Name, b.Name) })
}

func (m *testMemory) Announced(ctx context.Context, folder string, contents []Sum) ([]bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	announced := make([]bool, len(contents))
	for i, sum := range contents {
		announced[i] = m.folder(folder).announced[sum]
	}
	return announced, ctx.Err()
}

func (m *testMemory) Remember(ctx context.Context, folder string, files []Known) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmp.Or(ctx.Err(), m.refuse); err != nil {
		return err
	}
	f := m.folder(folder)
	for _, file := range files {
		f.known[file.Name] = file
		if file.SHA256 != (Sum{}) {
			f.announced[file.SHA256] = true
		}
	}
	return nil
}

func (m *testMemory) Forget(ctx context.Context, folder string, names []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, name := range names {
		delete(m.folder(folder).known, name)
	}
	return nil
}

var _ Memory = (*testMemory)(nil)
