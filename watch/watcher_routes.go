package watch

import (
	"path/filepath"
	"slices"
	"sync"
)

// routes say which folders a hint concerns. Several may ask for hints of one directory. The zero value is ready.
type routes struct {
	// changing is held while a route and what the source watches are brought into step. emit does not take it: the source may
	// hold a lock of its own then.
	changing sync.Mutex

	mu    sync.RWMutex
	byDir map[string][]*folder
}

// add routes a directory's hints to a folder.
func (r *routes) add(dir string, f *folder) {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byDir == nil {
		r.byDir = make(map[string][]*folder)
	}
	if !slices.Contains(r.byDir[dir], f) {
		r.byDir[dir] = append(slices.Clip(r.byDir[dir]), f)
	}
}

// remove ends that, and calls last where nobody asks for the directory's hints any more.
func (r *routes) remove(dir string, f *folder, last func()) {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	rest := slices.DeleteFunc(slices.Clone(r.byDir[dir]), func(o *folder) bool { return o == f })
	if len(rest) > 0 {
		r.byDir[dir] = rest
	} else {
		delete(r.byDir, dir)
	}
	r.mu.Unlock()
	if len(rest) == 0 {
		last()
	}
}

// of are the folders that a hint concerns.
func (r *routes) of(h hint) []*folder {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if h.kind != overflow {
		at := r.byDir[filepath.Dir(h.path)]
		self := r.byDir[h.path]
		switch {
		case len(self) == 0:
			return at
		case len(at) == 0:
			return self
		}
		return union(at, self)
	}
	var all []*folder
	for _, folders := range r.byDir {
		all = union(all, folders)
	}
	return all
}

func union(a, b []*folder) []*folder {
	all := slices.Clone(a)
	for _, f := range b {
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}
