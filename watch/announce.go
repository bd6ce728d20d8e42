package watch

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// inspectedAtOnce bounds the files that are read, and announced, in one go.
	inspectedAtOnce = 256
	// readBeforeAnnounced is how many bytes are read before what is complete is announced, though more files are due.
	readBeforeAnnounced = 16 << 20
	// inspectedFor is how long that may take.
	inspectedFor = 100 * time.Millisecond
	// busyMost is the longest pause before a file is tried again that somebody has open for writing, where its closing is told.
	busyMost = 30 * time.Second
)

// inspection is a file that is to be looked at: a copy of its candidate, which more is told of meanwhile.
type inspection struct {
	candidate
	of *candidate

	outcome   inspected
	entry     entry
	fresh     Sum
	announced bool // with finished: it was announced
	err       error
}

// inspected is what came of it.
type inspected uint8

const (
	untried   inspected = iota // as before
	nothing                    // it does not count, is not there, or is known
	directory                  // to be looked into
	sighted                    // complete by all that was told of it, and not wanted now
	restless                   // new, or it has changed: it has to rest
	openStill                  // for writing, by somebody
	failed                     // to be tried again
	renamed                    // it is known under another name
	complete                   // its content is known
	finished                   // remembered, and announced where it is new
)

// inspector looks at files, for one piece of a folder's work.
type inspector struct {
	f       *folder
	rules   rules
	network bool
	may     bool // complete files may be announced
	read    int64
}

// inspect looks at files, and announces those that are complete.
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

// inspect looks at one file.
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

// isRenamed reports whether a file is one that is known under another name, for all that can be told without reading it: nobody
// has written it, and its number, size and time are that one's. Where times are whole seconds, one that took over a deleted
// one's number could be taken for it: it is read, unless there is nothing to compare its content with.
func (i *inspector) isRenamed(n *inspection) bool {
	if n.written {
		return false
	}
	same := i.f.index.same(n.entry)
	return same != nil && (same.unread || n.entry.time%int64(time.Second) != 0)
}

// readFile reads a file that is complete by all that was told of it.
func (i *inspector) readFile(ctx context.Context, n *inspection) {
	i.f.diskAnswered()
	giveBack, err := i.f.acquireSlot(ctx, i.network)
	if err != nil {
		return // the folder's end
	}
	defer giveBack()
	i.f.waitForDisk(0)
	file, err := openForReading(i.rules.path(n.name))
	if err != nil {
		n.outcome, n.err = failed, err
		if errors.Is(err, fs.ErrNotExist) {
			n.outcome = restless // it will be missed, or is another
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

// steady compares an open file with what was seen under its name: complete, if it is the same, at the same size and time, and
// nobody writes it.
func (i *inspector) steady(n *inspection, file *os.File) inspected {
	busy, known := i.f.w.p.beingWritten(file)
	if known && busy {
		return openStill
	}
	if n.final && n.doubted && !known {
		return restless // once: then it is not final, and has rested
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
			return sighted // nobody writes it any more: what changed was its time, or a last writer has gone. At once again
		}
		return restless
	case info.Size() != now.size, info.ModTime().UnixNano() != now.time, fileNumber(info) != now.file:
		return restless // another was opened
	}
	return complete
}

// inspected lets the candidates know what came of files.
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
	case f.candidates.present == 0 && len(f.owed) == 0: // what could not be announced has gone
		f.announceWorked()
	}
}

// announce announces those complete files whose content is new, and remembers all. It is part of the work. Those that are done
// with are finished after it; announced are those that were announced.
func (f *folder) announce(ctx context.Context, ready []*inspection) (announced []File, err error) {
	if len(ready) == 0 || !f.mayAnnounce() {
		return nil, ctx.Err()
	}
	sums := make([]Sum, len(ready))
	for n, i := range ready {
		sums[n] = i.fresh
	}
	before, err := f.w.p.Memory.Announced(ctx, f.id, sums)
	if err != nil {
		return nil, &memoryError{err}
	}
	inBatch := make(map[Sum]bool)
	known := make([]Known, len(ready))
	for n, i := range ready {
		e := i.entry
		known[n] = Known{Name: e.name, Size: e.size, Time: e.time, File: e.file, SHA256: i.fresh}
		if !before[n] && !inBatch[i.fresh] {
			inBatch[i.fresh], i.announced = true, true
			announced = append(announced, File{Folder: f.id, Path: filepath.Join(f.settingsPath(), e.name), Size: e.size, Time: time.Unix(0, e.time),
				SHA256: i.fresh})
		}
	}
	if len(announced) > 0 {
		if !f.mayAnnounce() {
			return nil, ctx.Err()
		}
		if err := f.w.p.Announce(ctx, announced); err != nil {
			return nil, announceProblem(err)
		}
	}
	for _, i := range ready {
		i.outcome = finished
	}
	if err := f.remember(ctx, known); err != nil {
		f.owed = append(f.owed, known...)
		return announced, err
	}
	return announced, nil
}

func announceProblem(err error) error {
	if _, speaks := err.(interface{ Sentence() string }); speaks { //nolint:errorlint // only its own sentence fits
		return err
	}
	return &announceError{err}
}

// mayAnnounce reports whether nothing has come in between: the folder was neither removed nor paused.
func (f *folder) mayAnnounce() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.removed && !f.settings.Paused && f.ctx.Err() == nil
}

// settingsPath is the folder's path as it was given.
func (f *folder) settingsPath() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings.Path
}

// hash gives a file's content.
func (w *Watcher) hash(ctx context.Context, file *os.File) (Sum, error) {
	if w.p.Hash != nil {
		return w.p.Hash(ctx, file)
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, &endingReader{ctx, file}, make([]byte, 256<<10)); err != nil {
		return Sum{}, err
	}
	return Sum(h.Sum(nil)), nil
}

// endingReader ends with its context.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

func (e *endingReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}

// rename remembers files that have another name now, with the content that they are known by. It is part of the work.
func (f *folder) rename(ctx context.Context, list []inspection) error {
	moved := make(map[Known]Sum) // without name and content
	var inList []*inspection
	for n := range list {
		if i := &list[n]; i.outcome == renamed {
			inList = append(inList, i)
			moved[nameless(i.entry)] = Sum{}
		}
	}
	if len(inList) == 0 {
		return nil
	}
	err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
		same := Known{Size: k.Size, Time: k.Time, File: k.File}
		if sum, searched := moved[same]; searched && sum == (Sum{}) {
			moved[same] = k.SHA256
		}
	})
	if err != nil {
		return &memoryError{err}
	}
	known := make([]Known, len(inList))
	for n, i := range inList {
		known[n] = nameless(i.entry)
		known[n].Name, known[n].SHA256 = i.name, moved[nameless(i.entry)]
	}
	if err := f.remember(ctx, known); err != nil {
		return err
	}
	for _, i := range inList {
		i.outcome = finished
	}
	return nil
}

func nameless(e entry) Known {
	return Known{Size: e.size, Time: e.time, File: e.file}
}
