package watch

import (
	"path/filepath"
	"strings"
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
	byPath map[string]int // place in list
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
		f.looking.everywhere = true
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
			f.looking.everywhere = true
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
		f.looking.everywhere = true // what was known to be in there may have gone
		dir = false
	}
	base := filepath.Base(h.path)
	if dir || !f.rules.folderName(base) || !f.active.Subfolders && !f.rules.fileName(base) {
		return
	}
	f.learner.interrupt()
	if f.tracker.byName[name] == nil && len(f.tracker.byName) >= hintedAtOnce {
		f.looking.more = true
		return
	}
	if h.kind == left || h.kind == dead {
		f.tracker.gone(name, h.at)
		return
	}
	if h.ended {
		f.tracker.hint(name, f.w.source.closes(), h.wrote, h.at)
	}
	if h.kind == changed {
		f.tracker.hint(name, false, h.wrote, h.at)
	}
}

// below gives the name of a path below the folder.
func (f *folder) below(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, strings.TrimSuffix(f.rules.root, string(filepath.Separator))+string(filepath.Separator))
	return name, ok && name != ""
}
