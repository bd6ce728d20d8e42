package watch

import (
	"os"
	"strings"
	"sync"
)

// watchedDirs are the directories of a folder whose hints are asked for. The zero value is ready; its methods are safe on any
// goroutine. They may block for as long as the disk does, but for has.
type watchedDirs struct {
	mu    sync.Mutex
	round map[string]uint32 // by path: when it was added or seen last
}

// see takes note that a directory is still there, and reports whether its hints are asked for.
func (d *watchedDirs) see(dir string, round uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, watched := d.round[dir]
	if watched {
		d.round[dir] = round
	}
	return watched
}

// add asks for the hints of a directory. What happens in it after this has returned gives hints, unless it fails.
func (d *watchedDirs) add(f *folder, dir string, round uint32) error {
	if f.w.source == nil {
		return f.w.sourceErr
	}
	d.mu.Lock()
	if d.round == nil {
		d.round = make(map[string]uint32)
	}
	d.round[dir] = round // before its first hint, which may be that it went
	d.mu.Unlock()
	f.w.routes.add(dir, f)
	if err := f.w.source.add(dir); err != nil {
		d.remove(f, dir)
		return err
	}
	if f.ctx.Err() != nil || !d.has(dir) {
		d.remove(f, dir) // it was removed meanwhile, before it was watched
	}
	return nil
}

func (d *watchedDirs) has(dir string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, has := d.round[dir]
	return has
}

// remove ends it for a directory.
func (d *watchedDirs) remove(f *folder, dir string) {
	d.mu.Lock()
	delete(d.round, dir)
	d.mu.Unlock()
	f.w.routes.remove(dir, f, func() {
		if f.w.source != nil {
			f.w.source.remove(dir)
		}
	})
}

// removeTree ends it for a directory and all below it.
func (d *watchedDirs) removeTree(f *folder, dir string) {
	below := dir + string(os.PathSeparator)
	d.removeIf(f, func(path string, _ uint32) bool { return path == dir || strings.HasPrefix(path, below) })
}

// removeOthers ends it for those that were not seen in a round.
func (d *watchedDirs) removeOthers(f *folder, round uint32) {
	d.removeIf(f, func(_ string, r uint32) bool { return r != round })
}

func (d *watchedDirs) removeAll(f *folder) {
	d.removeIf(f, func(string, uint32) bool { return true })
}

func (d *watchedDirs) removeIf(f *folder, which func(path string, round uint32) bool) {
	var ending []string
	d.mu.Lock()
	for path, round := range d.round {
		if which(path, round) {
			ending = append(ending, path)
		}
	}
	d.mu.Unlock()
	for _, path := range ending {
		d.remove(f, path)
	}
}
