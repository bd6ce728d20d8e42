package watch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// hintsKept bounds the pending hints of a folder: with more, the whole folder is scanned instead.
const hintsKept = 20_000

// hintedAtOnce bounds how many files may be candidates because of hints. A later scan finds the others.
const hintedAtOnce = 100_000

// pendingHints are the hints that were not handled yet: for each path the last one, in the order in which they came. The zero value is ready. It is
// guarded by the caller.
type pendingHints struct {
	list   []pendingHint
	byPath map[string]int // index in list
	lost   bool           // hints were lost, or more came than are kept
}

type pendingHint struct {
	hint
	at   time.Duration
	void bool // a later hint for the same path has replaced it
	// What earlier hints for the same path reported.
	went  bool // what had the name before is not there any more
	wrote bool // a writer has closed it
	ended bool // it was closed, or renamed to this name, and has only changed since
}

func (p *pendingHints) add(h hint, now time.Duration) {
	if h.kind == overflow {
		p.lost = true
		return
	}
	var went, wrote, ended bool
	if i, waits := p.byPath[h.path]; waits {
		if last := &p.list[i]; last.kind == h.kind && h.kind == changed {
			last.at = now
			return
		}
		p.list[i].void = true
		went, wrote, ended = p.list[i].went, p.list[i].wrote, p.list[i].ended
	}
	went = went || h.kind == left || h.kind == dead || h.kind == arrived
	wrote = h.kind == closed || wrote && h.kind == changed
	ended = h.kind == closed || h.kind == arrived || ended && h.kind == changed
	if len(p.list) >= hintsKept {
		p.compact()
		if len(p.list) >= hintsKept {
			*p = pendingHints{lost: true}
			return
		}
	}
	if p.byPath == nil {
		p.byPath = make(map[string]int)
	}
	p.byPath[h.path] = len(p.list)
	p.list = append(p.list, pendingHint{hint: h, at: now, went: went, wrote: wrote, ended: ended})
}

// compact removes replaced hints.
func (p *pendingHints) compact() {
	kept := p.list[:0]
	for _, h := range p.list {
		if !h.void {
			p.byPath[h.path] = len(kept)
			kept = append(kept, h)
		}
	}
	clear(p.list[len(kept):])
	p.list = kept
}

// takeHints handles the pending hints: it notes what is to be inspected or scanned, which the work does.
func (f *folder) takeHints() {
	f.mu.Lock()
	hints := f.pending
	f.pending = pendingHints{}
	f.mu.Unlock()
	if hints.lost {
		f.dirs.removeAll(f) // directories may have been replaced, and the hint of that lost
		f.scanning.everywhere = true
	}
	for _, h := range hints.list {
		if !h.void {
			f.follow(h)
		}
	}
}

func (f *folder) follow(h pendingHint) {
	if h.path == f.rules.root {
		if h.went {
			f.dirs.removeAll(f)
			f.scanning.everywhere = true
		}
		return
	}
	name, below := f.below(h.path)
	if !below {
		return
	}
	dir := f.dirs.has(h.path)
	if dir && h.went {
		f.dirs.removeTree(f, h.path)
		f.scanning.everywhere = true // files that were known to be in there may be gone
		dir = false
	}
	base := filepath.Base(h.path)
	if dir || !f.rules.folderName(base) || !f.active.Subfolders && !f.rules.fileName(base) {
		return
	}
	f.baseline.interrupt()
	if f.candidates.byName[name] == nil && len(f.candidates.byName) >= hintedAtOnce {
		f.scanning.more = true
		return
	}
	if h.kind == left || h.kind == dead {
		f.candidates.gone(name, h.at)
		return
	}
	if h.ended {
		f.candidates.hint(name, f.w.source.closes(), h.wrote, h.at)
	}
	if h.kind == changed {
		f.candidates.hint(name, false, h.wrote, h.at)
	}
}

// below is the name of a path relative to the folder.
func (f *folder) below(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, strings.TrimSuffix(f.rules.root, string(filepath.Separator))+string(filepath.Separator))
	return name, ok && name != ""
}

// watchedDirs are the directories of a folder that the source watches. The zero value is ready; methods may be called on any goroutine. All but has
// may block for as long as the disk does.
type watchedDirs struct {
	mu    sync.Mutex
	round map[string]uint32 // by path: the scan in which it was added or last seen
}

// see notes that a directory is still there, and reports whether it is watched.
func (d *watchedDirs) see(dir string, round uint32) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, watched := d.round[dir]
	if watched {
		d.round[dir] = round
	}
	return watched
}

// add watches a directory. Unless it fails, whatever happens in it after it has returned gives hints.
func (d *watchedDirs) add(f *folder, dir string, round uint32) error {
	if f.w.source == nil {
		return f.w.sourceErr
	}
	d.mu.Lock()
	if d.round == nil {
		d.round = make(map[string]uint32)
	}
	d.round[dir] = round // before its first hint, which may be that it is gone
	d.mu.Unlock()
	f.w.byDir.add(dir, f)
	if err := f.w.source.add(dir); err != nil {
		d.remove(f, dir)
		return err
	}
	if f.ctx.Err() != nil || !d.has(dir) {
		d.remove(f, dir) // it was removed meanwhile
	}
	return nil
}

func (d *watchedDirs) has(dir string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, has := d.round[dir]
	return has
}

// remove stops watching a directory.
func (d *watchedDirs) remove(f *folder, dir string) {
	d.mu.Lock()
	delete(d.round, dir)
	d.mu.Unlock()
	f.w.byDir.remove(dir, f, func() {
		if f.w.source != nil {
			f.w.source.remove(dir)
		}
	})
}

// removeTree stops watching a directory and all below it.
func (d *watchedDirs) removeTree(f *folder, dir string) {
	below := dir + string(os.PathSeparator)
	d.removeIf(f, func(path string, _ uint32) bool { return path == dir || strings.HasPrefix(path, below) })
}

// removeOthers stops watching directories that were not seen in a scan.
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
