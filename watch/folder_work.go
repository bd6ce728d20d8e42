package watch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// work is a piece of a folder's work. It may block; the actor calls the function that it returns. It ends early when ctx does.
type work func(ctx context.Context) (outcome func())

// announceRounds is after how many announced batches a scan that is due comes first.
const announceRounds = 8

// startWork starts what is to be done first, unless work is under way.
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
		f.diskAnswered()
		f.done <- outcome
	}()
}

// checkStuck finds out whether the work has waited for the disk too long.
func (f *folder) checkStuck() {
	now := f.w.passed()
	if f.working && now >= f.scanning.at {
		f.baseline.interrupt()
	}
	if !f.working || now < f.checkWork {
		return
	}
	limit := time.Duration(f.limit.Load())
	f.stuck = limit != 0 && now >= limit
	switch {
	case f.stuck:
		f.checkWork = now + time.Second // it may have an answer by then
		if held := f.slot.Swap(nil); held != nil {
			held.release() // so that other disks can be read
		}
	case limit != 0:
		f.checkWork = limit
	default:
		f.checkWork = now + noAnswer
	}
}

// nextWork is what is to be done now; nil: nothing.
func (f *folder) nextWork(now time.Duration) work {
	well := f.announcing.problem == nil || now >= f.announcing.until
	switch {
	case f.index == nil:
		if !well {
			return nil
		}
		return f.load()
	case len(f.owed) > 0 && well:
		return f.rememberOwed()
	case !f.root.there:
		if f.scanning.everywhere || now >= f.scanning.at {
			return f.scanAll()
		}
		return nil
	}
	looking := f.wantsScan(now)
	if !looking || f.announcing.rounds < announceRounds {
		if taken := f.candidates.take(now, inspectedAtOnce, f.mayAnnounceNow(now)); len(taken) > 0 {
			f.announcing.rounds++
			return f.inspect(taken)
		}
	}
	f.announcing.rounds = 0
	switch {
	case f.scanning.everywhere && now >= f.scanning.earliest, now >= f.scanning.at, f.scanning.more && f.room() > foundAtOnce/2:
		return f.scanAll()
	case len(f.scanning.below) > 0:
		return f.scanBelow()
	case now >= f.scanning.checkAt:
		return f.checkRoot()
	case f.mayAnnounceNow(now) && f.candidates.resting() == 0:
		return f.readBaseline(now)
	}
	return nil
}

// mayAnnounceNow reports whether complete files may be announced now.
func (f *folder) mayAnnounceNow(now time.Duration) bool {
	return !f.active.Paused && (f.announcing.problem == nil || now >= f.announcing.until)
}

// nextTime is when there is something to do next, if nothing happens until then.
func (f *folder) nextTime() time.Duration {
	next := atNoTime
	at := func(t time.Duration) {
		if next == atNoTime || t < next {
			next = t
		}
	}
	if f.working {
		if f.baseline.cancel != nil && f.scanning.at > f.w.passed() {
			return min(f.checkWork, f.scanning.at)
		}
		return f.checkWork
	}
	now := f.w.passed()
	if f.announcing.problem != nil && f.announcing.until > now {
		at(f.announcing.until)
	}
	if f.index == nil {
		return next
	}
	at(f.scanning.at)
	if !f.root.there {
		return next
	}
	at(f.scanning.checkAt)
	if f.scanning.everywhere {
		at(f.scanning.earliest)
	}
	if due, ok := f.candidates.next(f.mayAnnounceNow(now)); ok {
		at(due)
	}
	if f.baseline.wants() && f.baseline.until > now {
		at(f.baseline.until)
	}
	return next
}

// waitForDisk notes that the work now waits for the disk: for an answer, or to read so many bytes.
func (f *folder) waitForDisk(bytes int64) {
	within := noAnswer + time.Duration(bytes/slowest)*time.Second
	f.limit.Store(int64(f.w.passed() + within))
}

// diskAnswered notes that it does not wait any more.
func (f *folder) diskAnswered() {
	f.limit.Store(0)
}

// heldSlot is a slot of Watcher.hashSlots.
type heldSlot struct {
	slots chan struct{}
	once  sync.Once
}

func (p *heldSlot) release() {
	p.once.Do(func() { <-p.slots })
}

// acquireSlot waits for a slot for reading a file. A folder on the network needs none: it reads one file at a time.
func (f *folder) acquireSlot(ctx context.Context, network bool) (giveBack func(), err error) {
	if network {
		return func() {}, nil
	}
	select {
	case f.w.hashSlots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	held := &heldSlot{slots: f.w.hashSlots}
	f.slot.Store(held)
	return func() {
		f.slot.Store(nil)
		held.release()
	}, nil
}

// write calls do, which writes to Memory, unless the folder was removed; Remove waits for it.
func (f *folder) write(ctx context.Context, do func(context.Context) error) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return do(ctx)
}

// announceFailed notes that Memory or Announce has failed: both are tried again, with growing pauses.
func (f *folder) announceFailed(err error) {
	if errors.Is(err, context.Canceled) && f.ctx.Err() != nil {
		return
	}
	f.announcing.problem = err
	f.announcing.until = f.w.passed() + pause(retryFirst, retryMost, f.announcing.tries)
	f.announcing.tries++
	f.w.p.Log.Warn("complete files wait", "folder", f.id, "error", err)
}

// announceWorked notes that they work.
func (f *folder) announceWorked() {
	f.announcing.problem, f.announcing.tries = nil, 0
}
