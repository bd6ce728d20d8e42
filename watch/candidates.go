package watch

import (
	"container/heap"
	"time"
)

// candidates are a folder's files that may be new, until each is known to be complete. They have no side effects: they read neither disk nor clock.
// Times are those of a monotonic clock, so that neither a change of the system's clock nor a file's own time can make a file complete too early or
// never. One heap by due time takes the place of a timer for each.
type candidates struct {
	quiet time.Duration // how long a file rests
	// glance is how long after a hint a resting file is inspected again, so that its rest counts from its state then; 0: it is inspected only when
	// its rest is over, since another hint will report that it is complete.
	glance time.Duration
	byName map[string]*candidate
	// Those that are not in hand: first those that were never inspected, then the others.
	due    [2]candidateHeap
	nextNo uint64
	recent recentNames // announced within the last quiet time

	present    int   // how many were seen
	offered    int   // how many have known content
	failing    int   // how many could not be read at the last attempt
	unreadable int   // how many could not be read several times
	lastErr    error // the error of one of these
}

// candidate is a file that may be new.
type candidate struct {
	name string
	size int64 // as last seen, if seen
	time int64
	seen bool // it was inspected, and counts
	// final: the system has reported that its writer closed it, or that it was renamed to this name, so that it need not rest.
	final bool
	// doubted: a later hint may be from a writer, which has to be looked for.
	doubted bool
	// held: its writer closed it shortly after it was announced, and may go on so, with one more part each time: it has to rest, although it is
	// final.
	held    bool
	glance  bool          // it is to be inspected, not to be taken for complete
	written bool          // a hint reported a writer: it was not just renamed
	left    bool          // the last hint reported that it is gone
	due     time.Duration // when to inspect it
	no      uint64        // the order among those due at the same time
	heap    int           // index in candidates.due
	index   int           // in that heap, -1: in hand
	tries   int           // attempts since it last changed
	failed  error         // why it could not be read at the last attempt
	counted bool          // in candidates.unreadable

	// Hints that came while it was in hand.
	again      bool
	againFinal bool

	// sum is the hash of its content, at the seen size and time, if it was read and could not be announced.
	sum    Sum
	hashed bool
}

const (
	retryFirst = time.Second // the pause after a file could not be read, doubled each time
	retryMost  = time.Minute
	// unreadableFrom is after how many failed attempts the person is told.
	unreadableFrom = 2
)

func newCandidates(quiet time.Duration) *candidates {
	return &candidates{quiet: quiet, byName: make(map[string]*candidate)}
}

// hint handles a hint of the system for a file. final: it need not rest; written: its writer closed it, else it was only renamed.
func (t *candidates) hint(name string, final, written bool, now time.Duration) {
	c := t.byName[name]
	if c == nil {
		c = &candidate{name: name, index: -1, written: written, held: final && written && t.recent.has(name, now-t.quiet)}
		t.byName[name] = c
		t.restart(c, final, now)
		return
	}
	if final { // what was seen before does not count
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

// glanceAt makes a resting file due soon, however many hints come until then.
func (t *candidates) glanceAt(c *candidate, now time.Duration) {
	if !c.glance {
		c.glance = true
		t.put(c, now+t.glance)
	}
}

// gone handles the report that a file is gone: it is inspected at once.
func (t *candidates) gone(name string, now time.Duration) {
	if c := t.byName[name]; c != nil {
		t.unsee(c)
		c.final = false
	}
	t.hint(name, false, false, now)
	t.byName[name].left = true
}

// restart starts a file's rest again, or makes it due at once. One that could not be read keeps its pause.
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

// found adds a file that a scan found and that differs from what is remembered. final as in hint.
func (t *candidates) found(e entry, final bool, now time.Duration) {
	c := t.byName[e.name]
	if c == nil {
		c = &candidate{name: e.name, index: -1}
		t.byName[e.name] = c
	} else if c.index < 0 || c.final && !c.seen || c.seen && c.size == e.size && c.time == e.time {
		return // it is in hand, or has not changed
	}
	t.see(c, e)
	t.restart(c, final, now)
}

// take takes out the files that are due, at most most, in their order; unless complete, only those that were never inspected. Each must be given back
// by one of the methods below.
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

// top is the one that is due first; nil: none is.
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

// announced notes that a file in hand was announced.
func (t *candidates) announced(c *candidate, now time.Duration) {
	t.recent.add(c.name, now)
}

// drop removes a file: it was announced, is remembered, or does not count. If hints came meanwhile, it starts again.
func (t *candidates) drop(c *candidate, now time.Duration) {
	t.setFailed(c, nil)
	t.unsee(c)
	delete(t.byName, c.name)
	if c.again {
		t.hint(c.name, c.againFinal, c.written, now)
	}
}

// rest lets a file rest: it was inspected for the first time, or has changed.
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

// busy lets a file wait that somebody has open for writing. The pauses grow up to most, which is longer where the system will report its closing.
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

// fail lets a file wait that could not be read, with growing pauses.
func (t *candidates) fail(c *candidate, err error, now time.Duration) {
	t.setFailed(c, err)
	t.lastErr = err
	c.final = c.final || c.againFinal
	t.put(c, now+pause(retryFirst, retryMost, c.tries))
	c.tries++
}

// read notes the content of a file in hand, which could not be announced yet.
func (t *candidates) read(c *candidate, e entry, sum Sum) {
	t.setFailed(c, nil)
	t.see(c, e)
	c.sum = sum
	t.setHashed(c, !c.again)
}

// sight notes the state of a file in hand that is complete, but not wanted now.
func (t *candidates) sight(c *candidate, e entry) {
	t.setFailed(c, nil)
	t.see(c, e)
}

// back puts a file back as it was: it was not inspected, or the outcome is not known.
func (t *candidates) back(c *candidate, now time.Duration) {
	if c.again {
		t.restart(c, c.final || c.againFinal, now)
		return
	}
	t.push(c)
}

// next is when the next one is due; ok is false where there is none. complete as in take.
func (t *candidates) next(complete bool) (due time.Duration, ok bool) {
	if c := t.top(complete); c != nil {
		return c.due, true
	}
	return 0, false
}

// setQuiet changes how long files rest; it does not shorten a rest that has begun.
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

// sizeAndTime is the state of a file.
type sizeAndTime struct{ size, time int64 }

// failures are the files that wait because they could not be read; nil: none.
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

// resting counts the files that do not wait because they could not be read.
func (t *candidates) resting() int { return len(t.byName) - t.failing }

// see notes the state of a file.
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

// put makes a file due at a time, after those that are due then already.
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

// pause is the pause after so many failed attempts.
func pause(first, most time.Duration, tries int) time.Duration {
	for ; tries > 0 && first < most; tries-- {
		first *= 2
	}
	return min(first, most)
}

// before reports whether a is due before b.
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

// recentMost bounds the names that are kept as announced recently. Beyond it, the oldest are announced again without a rest.
const recentMost = 10_000

// recentNames are the names announced recently, and when. The zero value is ready.
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

// has reports whether a name was announced after since.
func (r *recentNames) has(name string, since time.Duration) bool {
	at, known := r.last[name]
	return known && at > since
}

// dropUntil drops the names that were not announced after since.
func (r *recentNames) dropUntil(since time.Duration) {
	for len(r.queue) > 0 && r.queue[0].at <= since {
		r.dropFirst()
	}
}

func (r *recentNames) dropFirst() {
	if first := r.queue[0]; r.last[first.name] == first.at { // else it was announced again since then
		delete(r.last, first.name)
	}
	r.queue[0] = recentName{}
	r.queue = r.queue[1:]
}
