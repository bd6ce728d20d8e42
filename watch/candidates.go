package watch

import (
	"container/heap"
	"time"
)

// candidates are a folder's files that may be new, until each is known to be complete. It is pure: it reads no disk and no clock.
// Its times are those that have passed on a monotonic clock, so that neither a clock that is set nor a file's own time, wherever
// it lies, makes a file complete too early or never. One heap of them by due time stands for a timer to each.
type candidates struct {
	quiet time.Duration // how long a file rests
	// glance is how long after a hint a resting file is looked at again, so that its rest is measured from how it stands then;
	// 0: not before its rest is over, for another hint will tell when it is complete.
	glance time.Duration
	byName map[string]*candidate
	// Those that are not in hand: first those that were not looked at yet, then those that were.
	due    [2]candidateHeap
	nextNo uint64
	recent recentNames // not longer ago than a file rests

	present    int   // those that were seen
	offered    int   // those whose content is known
	failing    int   // those that could not be read when they were tried last
	unreadable int   // those that could not be read several times
	lastErr    error // of one of these
}

// candidate is a file that may be new.
type candidate struct {
	name string
	size int64 // as it was last seen, if seen
	time int64
	seen bool // looked at, and it counts
	// final: the system has told that its writer closed it, or that it was renamed to this name: it need not rest.
	final bool
	// doubted: something was told of it since that may be a writer, who has to be looked for.
	doubted bool
	// held: its writer closed it shortly after it was announced, and may do so again and again, with a piece more each time: it
	// rests, though it is final.
	held    bool
	glance  bool          // to be looked at, not to be taken for complete
	written bool          // a hint told of a writer: it is no mere rename of another
	left    bool          // the last hint told that it went
	due     time.Duration // when to look at it
	no      uint64        // order of those that are due at the same time
	heap    int           // index in candidates.due
	index   int           // in that heap, -1: in hand
	tries   int           // how often it was due in vain, since it last changed
	failed  error         // why it could not be read when it was tried last
	counted bool          // in candidates.unreadable

	// What happened while it was in hand.
	again      bool
	againFinal bool

	// sum is its content, with seen's size and time, where it was read and could not be announced.
	sum    Sum
	hashed bool
}

const (
	retryFirst = time.Second // pause after a file could not be opened, doubled each time
	retryMost  = time.Minute
	// unreadableFrom is how often a file could not be read before that is said.
	unreadableFrom = 2
)

func newCandidates(quiet time.Duration) *candidates {
	return &candidates{quiet: quiet, byName: make(map[string]*candidate)}
}

// hint takes note of what the system told of a file. final: it need not rest; written: its writer closed it, else it was only
// renamed.
func (t *candidates) hint(name string, final, written bool, now time.Duration) {
	c := t.byName[name]
	if c == nil {
		c = &candidate{name: name, index: -1, written: written, held: final && written && t.recent.has(name, now-t.quiet)}
		t.byName[name] = c
		t.restart(c, final, now)
		return
	}
	if final { // what counts is what stands there since
		c.written, c.held = written, written && (c.held || t.recent.has(name, now-t.quiet))
	}
	c.written = c.written || written
	c.left = false
	t.setHashed(c, false)
	switch {
	case c.index < 0:
		c.again = true
		c.againFinal = c.againFinal || final
		c.doubted = !final
	case c.final && !final:
		c.doubted = true
	case final || !c.seen || c.failed != nil || t.glance == 0:
		c.doubted = false
		t.restart(c, final, now)
	default:
		t.glanceAt(c, now)
	}
}

// glanceAt lets a resting file be looked at soon, however much more is told of it until then.
func (t *candidates) glanceAt(c *candidate, now time.Duration) {
	if !c.glance {
		c.glance = true
		t.put(c, now+t.glance)
	}
}

// gone takes note that the system told that a file went: it is looked for at once.
func (t *candidates) gone(name string, now time.Duration) {
	if c := t.byName[name]; c != nil {
		t.unsee(c)
		c.final = false
	}
	t.hint(name, false, false, now)
	t.byName[name].left = true
}

// restart lets a file begin to rest once more, or be due at once. One that could not be read keeps its pause.
func (t *candidates) restart(c *candidate, final bool, now time.Duration) {
	c.final, c.glance = final, false
	switch {
	case final && c.held:
		t.put(c, now+t.quiet)
	case final:
		t.put(c, now)
	case c.failed != nil:
		t.put(c, max(c.due, now))
	case !c.seen:
		t.put(c, now)
	default:
		c.tries = 0
		t.put(c, now+t.quiet)
	}
}

// found takes note of a file that was come upon by looking, and is not the one that is remembered. final as in hint.
func (t *candidates) found(e entry, final bool, now time.Duration) {
	c := t.byName[e.name]
	if c == nil {
		c = &candidate{name: e.name, index: -1}
		t.byName[e.name] = c
	} else if c.index < 0 || c.final && !c.seen || c.seen && c.size == e.size && c.time == e.time {
		return // it is being looked at anyway, or stands as it did
	}
	t.see(c, e)
	t.restart(c, final, now)
}

// take hands out those that are due, at most so many, in their order. Unless complete ones are wanted too, only those that were
// never looked at. Each must be given back by one of the methods below.
func (t *candidates) take(now time.Duration, most int, complete bool) []*candidate {
	t.recent.dropUntil(now - t.quiet)
	var taken []*candidate
	for len(taken) < most {
		c := t.top(complete)
		if c == nil || c.due > now {
			break
		}
		heap.Pop(&t.due[c.heap])
		c.again, c.againFinal = false, false
		taken = append(taken, c)
	}
	return taken
}

// top is the one that is due first; nil: there is none.
func (t *candidates) top(complete bool) *candidate {
	unseen, seen := t.due[0], t.due[1]
	switch {
	case len(seen) == 0 || !complete:
		if len(unseen) == 0 {
			return nil
		}
		return unseen[0]
	case len(unseen) == 0 || before(seen[0], unseen[0]):
		return seen[0]
	default:
		return unseen[0]
	}
}

// announced takes note that a file was announced. It is in hand still.
func (t *candidates) announced(c *candidate, now time.Duration) {
	t.recent.add(c.name, now)
}

// drop ends it: it was announced, is remembered, or is none. Where more was told of it meanwhile, it begins again.
func (t *candidates) drop(c *candidate, now time.Duration) {
	t.setFailed(c, nil)
	t.unsee(c)
	delete(t.byName, c.name)
	if c.again {
		t.hint(c.name, c.againFinal, c.written, now)
	}
}

// rest lets it rest: it was looked at for the first time, or has changed since.
func (t *candidates) rest(c *candidate, e entry, now time.Duration) {
	t.setFailed(c, nil)
	t.see(c, e)
	c.final, c.glance = false, false
	if c.again && !c.againFinal && t.glance > 0 {
		t.glanceAt(c, now)
		return
	}
	t.restart(c, c.againFinal, now)
}

// busy lets it wait, for somebody has it open for writing. The pause grows if its end will be told, to most.
func (t *candidates) busy(c *candidate, e entry, most time.Duration, now time.Duration) {
	t.setFailed(c, nil)
	t.see(c, e)
	if c.again {
		t.restart(c, c.againFinal, now)
		return
	}
	c.final = false
	t.put(c, now+pause(t.quiet, max(t.quiet, most), c.tries))
	c.tries++
}

// fail lets it be tried again later, more and more rarely: it could not be read.
func (t *candidates) fail(c *candidate, err error, now time.Duration) {
	t.setFailed(c, err)
	t.lastErr = err
	c.final = c.final || c.againFinal
	t.put(c, now+pause(retryFirst, retryMost, c.tries))
	c.tries++
}

// read takes note of its content, which could not be announced yet. It is in hand still.
func (t *candidates) read(c *candidate, e entry, sum Sum) {
	t.setFailed(c, nil)
	t.see(c, e)
	c.sum = sum
	t.setHashed(c, !c.again)
}

// sight takes note of how a complete one stands, which is not wanted now. It is in hand still.
func (t *candidates) sight(c *candidate, e entry) {
	t.setFailed(c, nil)
	t.see(c, e)
}

// back puts it where it was: it was not tried, or what came of it could not be told.
func (t *candidates) back(c *candidate, now time.Duration) {
	if c.again {
		t.restart(c, c.final || c.againFinal, now)
		return
	}
	t.push(c)
}

// next is when one is due; ok is false where none will be. As in take, those that were looked at may not be wanted.
func (t *candidates) next(complete bool) (due time.Duration, ok bool) {
	if c := t.top(complete); c != nil {
		return c.due, true
	}
	return 0, false
}

// setQuiet changes how long files rest; those that rest already end no sooner than they would have.
func (t *candidates) setQuiet(quiet, glance, now time.Duration) {
	t.glance = glance
	longer := quiet - t.quiet
	t.quiet = quiet
	for i := range t.due {
		for _, c := range t.due[i] {
			if c.failed == nil && (c.held || c.seen && !c.final) {
				c.due = max(c.due+longer, now)
			}
		}
		heap.Init(&t.due[i])
	}
}

// sizeAndTime is how a file stands.
type sizeAndTime struct{ size, time int64 }

// failures are those that are tried again because they could not be read; nil: none.
func (t *candidates) failures() map[string]sizeAndTime {
	if t.failing == 0 {
		return nil
	}
	failures := make(map[string]sizeAndTime, t.failing)
	for name, c := range t.byName {
		if c.failed != nil {
			failures[name] = sizeAndTime{c.size, c.time}
		}
	}
	return failures
}

// resting counts those that do not wait for another try at reading them.
func (t *candidates) resting() int { return len(t.byName) - t.failing }

// see takes note of how it stands.
func (t *candidates) see(c *candidate, e entry) {
	t.present += count(!c.seen)
	c.size, c.time, c.seen, c.glance = e.size, e.time, true, false
	t.setHashed(c, false)
}

func (t *candidates) unsee(c *candidate) {
	t.present -= count(c.seen)
	c.seen = false
	t.setHashed(c, false)
}

func (t *candidates) setFailed(c *candidate, err error) {
	counted := err != nil && c.tries >= unreadableFrom
	t.failing += count(err != nil) - count(c.failed != nil)
	t.unreadable += count(counted) - count(c.counted)
	c.failed, c.counted = err, counted
}

func (t *candidates) setHashed(c *candidate, hashed bool) {
	t.offered += count(hashed) - count(c.hashed)
	c.hashed = hashed
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// put makes it due at a time, behind those that are due then already.
func (t *candidates) put(c *candidate, due time.Duration) {
	if c.index >= 0 {
		heap.Remove(&t.due[c.heap], c.index)
	}
	c.due = due
	c.no = t.nextNo
	t.nextNo++
	t.push(c)
}

func (t *candidates) push(c *candidate) {
	c.again, c.againFinal = false, false
	c.heap = count(c.seen)
	heap.Push(&t.due[c.heap], c)
}

// pause is the pause after so many tries in vain.
func pause(first, most time.Duration, tries int) time.Duration {
	for ; tries > 0 && first < most; tries-- {
		first *= 2
	}
	return min(first, most)
}

// before says which of two is due first.
func before(a, b *candidate) bool {
	return a.due < b.due || a.due == b.due && a.no < b.no
}

// candidateHeap has the one that is due first on top.
type candidateHeap []*candidate

func (h candidateHeap) Len() int { return len(h) }

func (h candidateHeap) Less(i, j int) bool { return before(h[i], h[j]) }

func (h candidateHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *candidateHeap) Push(x any) {
	c := x.(*candidate)
	c.index = len(*h)
	*h = append(*h, c)
}

// Pop implements heap.Interface.
func (h *candidateHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	c.index = -1
	return c
}

// recentMost bounds the names that are kept as announced a moment ago. With more, the oldest are announced again without a rest.
const recentMost = 10_000

// recentNames are names that were announced last, and when. The zero value is ready.
type recentNames struct {
	queue []recentName // the oldest first
	last  map[string]time.Duration
}

type recentName struct {
	name string
	at   time.Duration
}

func (r *recentNames) add(name string, now time.Duration) {
	if r.last == nil {
		r.last = make(map[string]time.Duration)
	}
	if len(r.queue) >= recentMost {
		r.dropFirst()
	}
	r.queue = append(r.queue, recentName{name, now})
	r.last[name] = now
}

// has reports whether a name was announced later than this.
func (r *recentNames) has(name string, since time.Duration) bool {
	at, known := r.last[name]
	return known && at > since
}

// dropUntil forgets those that were not announced later than this.
func (r *recentNames) dropUntil(since time.Duration) {
	for len(r.queue) > 0 && r.queue[0].at <= since {
		r.dropFirst()
	}
}

func (r *recentNames) dropFirst() {
	if first := r.queue[0]; r.last[first.name] == first.at { // else it was announced again since
		delete(r.last, first.name)
	}
	r.queue[0] = recentName{}
	r.queue = r.queue[1:]
}
