package watch

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// learner reads the files that stood there when the folder was added, while there is nothing else to do, so that renaming or
// touching one does not make it new: the newest first, for those are what people work with. It belongs to the actor.
type learner struct {
	left   int64     // bytes that may still be read
	page   []Known   // those that come next
	before learnedTo // where the page after it begins
	begun  bool
	done   bool          // there are no more
	cancel func()        // while it is at work
	tries  int           // of the first in page
	until  time.Duration // not before this
}

// learnedTo is a place in the order in which files are learned.
type learnedTo struct {
	begun bool
	time  int64
	name  string
}

const (
	// learnMost bounds the bytes that are read of a folder before it is watched anew.
	learnMost = 4 << 30
	// learnPage is how many files are sought at once.
	learnPage = 1000
	// learnPause is how long learning waits after it was interrupted, or another folder's was under way.
	learnPause = time.Second
	// learnTries is how often reading a file may be interrupted before it is left alone.
	learnTries = 3
)

// begin lets it begin anew, unless it has begun.
func (l *learner) begin() {
	if !l.begun {
		l.begun, l.left = true, learnMost
	}
}

// interrupt ends reading for the moment: there is something else to do.
func (l *learner) interrupt() {
	if l.cancel != nil {
		l.cancel()
	}
}

// wants reports whether there is something to learn.
func (l *learner) wants() bool { return !l.done && l.left > 0 }

// learn reads some of what is to be learned; nil: there is nothing.
func (f *folder) learn(now time.Duration) work {
	l := &f.learner
	if !l.wants() || now < l.until {
		return nil
	}
	if len(l.page) == 0 {
		return f.learnNext(l.before)
	}
	select {
	case f.w.learning <- struct{}{}:
	default:
		l.until = now + learnPause
		return nil
	}
	page, left := l.page, l.left
	i := inspector{f: f, rules: f.rules, network: true} // it has its place
	ctx, cancel := context.WithCancel(f.ctx)
	l.cancel = cancel
	return func(context.Context) func() {
		var learned []Known
		n := 0
		for ; n < len(page) && ctx.Err() == nil && i.read < readBeforeHandedOver && f.w.passed()-now < inspectedFor; n++ {
			if k := page[n]; k.Size <= left-i.read && i.learn(ctx, &k) {
				learned = append(learned, k)
			}
			if ctx.Err() != nil {
				break
			}
		}
		f.answered()
		<-f.w.learning
		err := f.remember(f.ctx, learned)
		return func() { f.learned(n, i.read, ctx.Err() != nil, err) }
	}
}

// learn reads one file, if it is still the one that is known.
func (i *inspector) learn(ctx context.Context, k *Known) bool {
	i.f.ask(0)
	e, counts, err := look(i.rules, k.Name)
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

// learned goes on behind the files that were read.
func (f *folder) learned(files int, bytes int64, interrupted bool, err error) {
	l := &f.learner
	l.cancel()
	l.cancel = nil
	now := f.w.passed()
	if err != nil {
		l.until = now + retryMost // from the same file
		return
	}
	l.left -= bytes
	if files > 0 {
		l.tries = 0
	}
	if interrupted {
		l.until = now + learnPause
		if l.tries++; l.tries >= learnTries && files < len(l.page) {
			files++
			l.tries = 0
		}
	}
	l.page = l.page[files:]
}

// learnNext seeks the files that are to be learned next.
func (f *folder) learnNext(from learnedTo) work {
	return func(ctx context.Context) func() {
		var page []Known
		err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
			if k.SHA256 != (Sum{}) || from.begun && newestFirst(k, Known{Time: from.time, Name: from.name}) <= 0 {
				return
			}
			if page = append(page, k); len(page) >= 2*learnPage {
				slices.SortFunc(page, newestFirst)
				page = page[:learnPage]
			}
		})
		slices.SortFunc(page, newestFirst)
		page = page[:min(len(page), learnPage)]
		return func() {
			l := &f.learner
			if err != nil {
				l.until = f.w.passed() + retryMost
				return
			}
			if l.page = page; len(page) == 0 {
				l.done = true
				return
			}
			last := page[len(page)-1]
			l.before = learnedTo{begun: true, time: last.Time, name: last.Name}
		}
	}
}

func newestFirst(a, b Known) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
}
