package watch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// hintsKept bounds the hints of a folder that wait to be followed: with more, everywhere is looked at instead.
const hintsKept = 20_000

// hintedAtOnce bounds the files that are waited for at the same time. Others are found when there are fewer.
const hintedAtOnce = 100_000

// pendingHints are hints that wait to be followed: the last one of each path, in the order in which they came. The zero value is
// ready. Whoever has it locks it.
type pendingHints struct {
	list   []pendingHint
	byPath map[string]int // index in list
	lost   bool           // some were lost, or more came than are kept
}

type pendingHint struct {
	hint
	at   time.Duration
	void bool // a later one of the same path counts
	// What the earlier ones of the same path told.
	went  bool // what had the name before is not there any more
	wrote bool // a writer has closed it
	ended bool // it was closed, or renamed to this, and only changed since
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

// compact takes out those that are void.
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

// takeHints follows the hints that have come: it takes note of what they are about, and leaves looking at it to the work.
func (f *folder) takeHints() {
	f.mu.Lock()
	hints := f.pending
	f.pending = pendingHints{}
	f.mu.Unlock()
	if hints.lost {
		f.dirs.removeAll(f) // that one of them went and another came in its place may be among what was lost
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
		f.scanning.everywhere = true // what was known to be in there may have gone
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

// below gives the name of a path below the folder.
func (f *folder) below(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, strings.TrimSuffix(f.rules.root, string(filepath.Separator))+string(filepath.Separator))
	return name, ok && name != ""
}

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
	f.w.byDir.add(dir, f)
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
	f.w.byDir.remove(dir, f, func() {
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
