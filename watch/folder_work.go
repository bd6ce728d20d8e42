package watch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// work is a piece of a folder's work. It may block; what it returns is done by the actor. It ends early when ctx does.
type work func(ctx context.Context) (outcome func())

// roundsOfHanding is how many batches are handed over before a look at the folder that is due comes first.
const roundsOfHanding = 8

// startWork begins what is to be done first, unless something is being done.
func (f *folder) startWork() {
	if f.working || f.ctx.Err() != nil {
		return
	}
	do := f.nextWork(f.w.passed())
	if do == nil {
		return
	}
	f.working, f.stuck, f.checkWork = true, false, f.w.passed()+noAnswer
	go func() {
		outcome := do(f.ctx)
		f.answered()
		f.done <- outcome
	}()
}

// checkStuck finds out whether the disk has left the work without an answer for too long.
func (f *folder) checkStuck() {
	now := f.w.passed()
	if f.working && now >= f.looking.at {
		f.learner.interrupt()
	}
	if !f.working || now < f.checkWork {
		return
	}
	limit := time.Duration(f.limit.Load())
	f.stuck = limit != 0 && now >= limit
	switch {
	case f.stuck:
		f.checkWork = now + time.Second // it may have one by then
		if held := f.place.Swap(nil); held != nil {
			held.giveBack() // for other disks
		}
	case limit != 0:
		f.checkWork = limit
	default:
		f.checkWork = now + noAnswer
	}
}

// nextWork is what is to be done now; nil: nothing.
func (f *folder) nextWork(now time.Duration) work {
	well := f.handing.problem == nil || now >= f.handing.until
	switch {
	case f.index == nil:
		if !well {
			return nil
		}
		return f.load()
	case len(f.owed) > 0 && well:
		return f.payOwed()
	case !f.root.there:
		if f.looking.everywhere || now >= f.looking.at {
			return f.lookEverywhere()
		}
		return nil
	}
	looking := f.wantsLook(now)
	if !looking || f.handing.rounds < roundsOfHanding {
		if taken := f.tracker.take(now, inspectedAtOnce, f.mayHand(now)); len(taken) > 0 {
			f.handing.rounds++
			return f.inspect(taken)
		}
	}
	f.handing.rounds = 0
	switch {
	case f.looking.everywhere && now >= f.looking.earliest, now >= f.looking.at, f.looking.more && f.room() > foundAtOnce/2:
		return f.lookEverywhere()
	case len(f.looking.below) > 0:
		return f.lookBelow()
	case now >= f.looking.checkAt:
		return f.checkRoot()
	case f.mayHand(now) && f.tracker.resting() == 0:
		return f.learn(now)
	}
	return nil
}

// mayHand reports whether complete files may be handed over.
func (f *folder) mayHand(now time.Duration) bool {
	return !f.active.Paused && (f.handing.problem == nil || now >= f.handing.until)
}

// nextTime is when there is something to do again, if nothing happens until then.
func (f *folder) nextTime() time.Duration {
	next := atNoTime
	at := func(t time.Duration) {
		if next == atNoTime || t < next {
			next = t
		}
	}
	if f.working {
		if f.learner.cancel != nil && f.looking.at > f.w.passed() {
			return min(f.checkWork, f.looking.at)
		}
		return f.checkWork
	}
	now := f.w.passed()
	if f.handing.problem != nil && f.handing.until > now {
		at(f.handing.until)
	}
	if f.index == nil {
		return next
	}
	at(f.looking.at)
	if !f.root.there {
		return next
	}
	at(f.looking.checkAt)
	if f.looking.everywhere {
		at(f.looking.earliest)
	}
	if due, ok := f.tracker.next(f.mayHand(now)); ok {
		at(due)
	}
	if f.learner.wants() && f.learner.until > now {
		at(f.learner.until)
	}
	return next
}

// ask says that the work waits for the disk from now on, for a moment or to read so many bytes.
func (f *folder) ask(bytes int64) {
	within := noAnswer + time.Duration(bytes/slowest)*time.Second
	f.limit.Store(int64(f.w.passed() + within))
}

// answered says that it does not.
func (f *folder) answered() {
	f.limit.Store(0)
}

// heldPlace is a place in Watcher.hashing.
type heldPlace struct {
	places chan struct{}
	once   sync.Once
}

func (p *heldPlace) giveBack() {
	p.once.Do(func() { <-p.places })
}

// takePlace waits for a place among those who read files. A folder on the network has its own: it reads one file at a time.
func (f *folder) takePlace(ctx context.Context, network bool) (giveBack func(), err error) {
	if network {
		return func() {}, nil
	}
	select {
	case f.w.hashing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	held := &heldPlace{places: f.w.hashing}
	f.place.Store(held)
	return func() {
		f.place.Store(nil)
		held.giveBack()
	}, nil
}

// write calls Memory to write, unless the folder was removed; Remove waits for it.
func (f *folder) write(ctx context.Context, do func(context.Context) error) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(ctx)
}

// trouble takes note that Memory or Announce have failed: both are tried again later, more and more rarely.
func (f *folder) trouble(err error) {
	if errors.Is(err, context.Canceled) && f.ctx.Err() != nil {
		return
	}
	f.handing.problem = err
	f.handing.until = f.w.passed() + pause(retryFirst, retryMost, f.handing.tries)
	f.handing.tries++
	f.w.p.Log.Warn("complete files wait", "folder", f.id, "error", err)
}

// well takes note that they have not.
func (f *folder) well() {
	f.handing.problem, f.handing.tries = nil, 0
}
