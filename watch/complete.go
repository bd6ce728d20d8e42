package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

const (
	// inspectedAtOnce bounds the files that are inspected, and announced, together.
	inspectedAtOnce = 256
	// readBeforeAnnounced is after how many bytes read the complete files are announced, even if more files are due.
	readBeforeAnnounced = 16 << 20
	// inspectedFor is after what time they are.
	inspectedFor = 100 * time.Millisecond
	// busyMost is the longest pause before a file that somebody has open for writing is tried again, where the system reports its closing.
	busyMost = 30 * time.Second
)

// inspection is a file to be inspected: a copy of its candidate, which may get more hints meanwhile.
type inspection struct {
	candidate
	of *candidate

	outcome   inspected
	entry     entry
	fresh     Sum
	announced bool // with finished: it was announced
	err       error
}

// inspected is the outcome of an inspection.
type inspected uint8

const (
	untried   inspected = iota // not inspected
	nothing                    // it does not count, is not there, or is known
	directory                  // to be scanned
	sighted                    // complete by its hints, but complete files are not wanted now
	restless                   // new or changed: it has to rest
	openStill                  // open for writing
	failed                     // it could not be read: to be tried again
	renamed                    // known under another name
	complete                   // complete: its content is known
	finished                   // remembered, and announced if its content is new
)

// inspector inspects files, in one piece of a folder's work.
type inspector struct {
	f       *folder
	rules   rules
	network bool
	may     bool // complete files may be announced
	read    int64
}

// inspect inspects files, and announces those that are complete.
func (f *folder) inspect(taken []*candidate) work {
	now := f.w.passed()
	i := inspector{f: f, rules: f.rules, network: f.root.network, may: f.mayAnnounceNow(now)}
	list := make([]inspection, len(taken))
	for n, c := range taken {
		list[n] = inspection{candidate: *c, of: c}
	}
	return func(ctx context.Context) func() {
		var ready []*inspection
		for n := range list {
			if n > 0 && (ctx.Err() != nil || i.read >= readBeforeAnnounced || f.w.passed()-now >= inspectedFor) {
				break
			}
			i.inspect(ctx, &list[n])
			if list[n].outcome == complete {
				ready = append(ready, &list[n])
			}
		}
		f.diskAnswered()
		var announced []File
		err := f.rename(ctx, list)
		if err == nil {
			announced, err = f.announce(ctx, ready)
		}
		return func() { f.inspected(list, announced, err) }
	}
}

// inspect inspects one file.
func (i *inspector) inspect(ctx context.Context, n *inspection) {
	x := i.f.index
	i.f.waitForDisk(0)
	e, counts, err := stat(i.rules, n.name)
	known := x.get(n.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if known != nil {
			x.setGone(known, n.left)
		}
		n.outcome = nothing
		return
	case err != nil:
		n.outcome, n.err = failed, err
		return
	case !counts:
		n.outcome = nothing
		return
	case e.dir:
		n.outcome = directory
		return
	}
	n.entry = e
	if x.is(known, e) && (!n.final || known.unread && !x.replaced(known, e)) {
		x.setHere(known, true)
		n.outcome = nothing
		return
	}
	if known != nil {
		x.setHere(known, false)
	}
	switch {
	case i.isRenamed(n) && i.may:
		n.outcome = renamed
	case (!n.seen || n.glance) && !n.final:
		n.outcome = restless
	case !n.final && (n.size != e.size || n.time != e.time):
		n.outcome = restless
	case !i.may:
		n.outcome = sighted
	case n.hashed && n.size == e.size && n.time == e.time:
		n.outcome, n.fresh = complete, n.sum
	default:
		i.readFile(ctx, n)
	}
}

// isRenamed reports whether a file is a known one under another name, as far as that can be told without reading it: no writer was reported, and its
// file ID, size and time are the known one's. On a disk with times of whole seconds, a new file that got the ID of a deleted one could be taken for
// it: there, it is read, unless the known one's content is not known.
func (i *inspector) isRenamed(n *inspection) bool {
	if n.written {
		return false
	}
	same := i.f.index.same(n.entry)
	return same != nil && (same.unread || n.entry.time%int64(time.Second) != 0)
}

// readFile reads a file that is complete by its hints.
func (i *inspector) readFile(ctx context.Context, n *inspection) {
	i.f.diskAnswered()
	giveBack, err := i.f.acquireSlot(ctx, i.network)
	if err != nil {
		return // the folder is ending
	}
	defer giveBack()
	i.f.waitForDisk(0)
	file, err := openForReading(i.rules.path(n.name))
	if err != nil {
		n.outcome, n.err = failed, err
		if errors.Is(err, fs.ErrNotExist) {
			n.outcome = restless // it is gone, or is another one
		}
		return
	}
	defer file.Close() //nolint:errcheck // it was only read
	if n.outcome = i.steady(n, file); n.outcome != complete {
		return
	}
	i.f.waitForDisk(n.entry.size)
	sum, err := i.f.w.hash(ctx, file)
	i.read += n.entry.size
	i.f.waitForDisk(0)
	n.outcome = i.steady(n, file)
	switch {
	case n.outcome != complete:
	case ctx.Err() != nil:
		n.outcome = untried
	case err != nil:
		n.outcome, n.err = failed, err
	default:
		n.fresh = sum
	}
}

// steady compares an open file with what was seen under its name, and returns complete if it is the same file with the same size and time, and nobody
// has it open for writing.
func (i *inspector) steady(n *inspection, file *os.File) inspected {
	busy, known := i.f.w.p.beingWritten(file)
	if known && busy {
		return openStill
	}
	if n.final && n.doubted && !known {
		return restless // once: it then loses final, and has rested
	}
	info, err := file.Stat()
	if err != nil {
		n.err = err
		return failed
	}
	now, counts, err := stat(i.rules, n.name)
	switch {
	case err != nil, !counts, now.dir:
		return restless
	case now != n.entry:
		n.entry = now
		if n.final && known {
			return sighted // nobody writes to it any more: its time has changed, or the last writer has gone. To be tried at once
		}
		return restless
	case info.Size() != now.size, info.ModTime().UnixNano() != now.time, fileNumber(info) != now.file:
		return restless // another file was opened
	}
	return complete
}

// inspected passes the outcomes on to the candidates.
func (f *folder) inspected(list []inspection, announced []File, err error) {
	now := f.w.passed()
	busy := time.Duration(0)
	if f.w.source != nil && f.w.source.closes() && !f.scanning.polling {
		busy = busyMost
	}
	for n := range list {
		switch i := &list[n]; i.outcome {
		case untried:
			f.candidates.back(i.of, now)
		case nothing, finished:
			if i.announced {
				f.candidates.announced(i.of, now)
			}
			f.candidates.drop(i.of, now)
		case directory:
			if f.scanning.below == nil {
				f.scanning.below = make(map[string]bool)
			}
			f.scanning.below[i.name] = i.final && !i.written
			f.candidates.drop(i.of, now)
		case sighted, renamed, restless:
			if i.outcome == restless || !i.final {
				f.candidates.rest(i.of, i.entry, now)
				continue
			}
			f.candidates.sight(i.of, i.entry)
			f.candidates.back(i.of, now)
		case openStill:
			f.candidates.busy(i.of, i.entry, busy, now)
		case failed:
			f.w.p.Log.Debug("a file can't be read", "folder", f.id, "error", i.err)
			f.candidates.fail(i.of, i.err, now)
		case complete:
			f.candidates.read(i.of, i.entry, i.fresh)
			f.candidates.back(i.of, now)
		}
	}
	if len(announced) > 0 {
		f.last, f.lastAt = announced[len(announced)-1], f.w.p.Now()
	}
	switch {
	case err != nil:
		f.announceFailed(err)
	case slices.ContainsFunc(list, func(i inspection) bool { return i.outcome == finished }):
		f.announceWorked()
	case f.candidates.present == 0 && len(f.owed) == 0: // what could not be announced is gone
		f.announceWorked()
	}
}
