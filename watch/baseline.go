package watch

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// baselineReader reads the files that were in the folder when it was added, while there is nothing else to do, so that a file of known content is not
// new after it was renamed or touched. It reads the newest first, since people work with those. It belongs to the actor.
type baselineReader struct {
	left   int64          // bytes that may still be read
	page   []Known        // the next files
	before baselineCursor // where the page after it begins
	begun  bool
	done   bool          // all are read
	cancel func()        // set while it works
	tries  int           // attempts at the first file of page
	until  time.Duration // it does nothing before this
}

// baselineCursor is a position in the order in which the files of the baseline are read.
type baselineCursor struct {
	begun bool
	time  int64
	name  string
}

const (
	// baselineMost bounds the bytes that are read of a folder in one run.
	baselineMost = 4 << 30
	// baselinePage is how many files are looked up at a time.
	baselinePage = 1000
	// baselinePause is how long reading pauses after an interruption, or because another folder's was under way.
	baselinePause = time.Second
	// baselineTries is after how many interruptions a file is skipped.
	baselineTries = 3
)

// begin starts it, unless it has started.
func (l *baselineReader) begin() {
	if !l.begun {
		l.begun, l.left = true, baselineMost
	}
}

// interrupt stops reading for the moment: there is something else to do.
func (l *baselineReader) interrupt() {
	if l.cancel != nil {
		l.cancel()
	}
}

// wants reports whether there is something to read.
func (l *baselineReader) wants() bool { return !l.done && l.left > 0 }

// readBaseline returns work that reads some files of the baseline; nil: there are none to read.
func (f *folder) readBaseline(now time.Duration) work {
	l := &f.baseline
	if !l.wants() || now < l.until {
		return nil
	}
	if len(l.page) == 0 {
		return f.nextBaselinePage(l.before)
	}
	select {
	case f.w.baselineSlots <- struct{}{}:
	default:
		l.until = now + baselinePause
		return nil
	}
	page, left := l.page, l.left
	i := inspector{f: f, rules: f.rules, network: true} // it holds its slot
	ctx, cancel := context.WithCancel(f.ctx)
	l.cancel = cancel
	return func(context.Context) func() {
		var hashed []Known
		n := 0
		for ; n < len(page) && ctx.Err() == nil && i.read < readBeforeAnnounced && f.w.passed()-now < inspectedFor; n++ {
			if k := page[n]; k.Size <= left-i.read && i.readUnchanged(ctx, &k) {
				hashed = append(hashed, k)
			}
			if ctx.Err() != nil {
				break
			}
		}
		f.diskAnswered()
		<-f.w.baselineSlots
		err := f.remember(f.ctx, hashed)
		return func() { f.baselineRead(n, i.read, ctx.Err() != nil, err) }
	}
}

// readUnchanged reads one file, if it is still the one that is known.
func (i *inspector) readUnchanged(ctx context.Context, k *Known) bool {
	i.f.waitForDisk(0)
	e, counts, err := stat(i.rules, k.Name)
	if err != nil || !counts || e.dir || e.size != k.Size || e.time != k.Time {
		return false
	}
	if known := i.f.index.get(k.Name); known == nil || !known.unread {
		return false
	}
	n := inspection{candidate: candidate{name: k.Name}, entry: e}
	if i.readFile(ctx, &n); n.outcome != complete {
		return false
	}
	k.SHA256, k.File = n.fresh, e.file
	return true
}

// baselineRead takes in how many files were read.
func (f *folder) baselineRead(files int, bytes int64, interrupted bool, err error) {
	l := &f.baseline
	l.cancel()
	l.cancel = nil
	now := f.w.passed()
	if err != nil {
		l.until = now + retryMost // with the same file
		return
	}
	l.left -= bytes
	if files > 0 {
		l.tries = 0
	}
	if interrupted {
		l.until = now + baselinePause
		if l.tries++; l.tries >= baselineTries && files < len(l.page) {
			files++
			l.tries = 0
		}
	}
	l.page = l.page[files:]
}

// nextBaselinePage looks up the next files to read.
func (f *folder) nextBaselinePage(from baselineCursor) work {
	return func(ctx context.Context) func() {
		var page []Known
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
			if k.SHA256 != (Sum{}) || from.begun && newestFirst(k, Known{Time: from.time, Name: from.name}) <= 0 {
				return
			}
			if page = append(page, k); len(page) >= 2*baselinePage {
				slices.SortFunc(page, newestFirst)
				page = page[:baselinePage]
			}
		})
		slices.SortFunc(page, newestFirst)
		page = page[:min(len(page), baselinePage)]
		return func() {
			l := &f.baseline
			if err != nil {
				l.until = f.w.passed() + retryMost
				return
			}
			if l.page = page; len(page) == 0 {
				l.done = true
				return
			}
			last := page[len(page)-1]
			l.before = baselineCursor{begun: true, time: last.Time, name: last.Name}
		}
	}
}

func newestFirst(a, b Known) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
}
