package watch

import (
	"errors"
	"slices"
	"testing"
	"time"
)

const second = time.Second

// taken are the names of those that are due, which stay in hand.
func taken(t *candidates, now time.Duration, complete bool) (names []string) {
	for _, c := range t.take(now, 100, complete) {
		names = append(names, c.name)
	}
	return names
}

func wantTaken(t *testing.T, tr *candidates, now time.Duration, complete bool, want ...string) {
	t.Helper()
	if got := taken(tr, now, complete); !slices.Equal(got, want) {
		t.Errorf("after %v due: %q, want %q", now, got, want)
	}
}

// resting are candidates with one file, which was seen at 0 and rests for 2 s.
func resting(e entry) (*candidates, *candidate) {
	tr := newCandidates(2 * second)
	tr.found(e, false, 0)
	return tr, tr.byName[e.name]
}

func TestCandidates(t *testing.T) {
	a := entry{name: "a", size: 1, time: 1}

	t.Run("a file found by looking is due once it has rested", func(t *testing.T) {
		tr, _ := resting(a)
		wantTaken(t, tr, 2*second-1, true)
		wantTaken(t, tr, 2*second, true, "a")
	})
	t.Run("one that has changed rests again, one that has not does not", func(t *testing.T) {
		tr, _ := resting(a)
		tr.found(a, false, second)
		if due, _ := tr.next(true); due != 2*second {
			t.Errorf("unchanged: due after %v", due)
		}
		tr.found(entry{name: "a", size: 2, time: 1}, false, second)
		if due, _ := tr.next(true); due != 3*second {
			t.Errorf("changed: due after %v", due)
		}
	})
	t.Run("one whose closing was told does not rest because it is found by looking before it was seen", func(t *testing.T) {
		tr := newCandidates(2 * second)
		tr.hint("a", true, true, 0)
		tr.found(a, false, 0)
		wantTaken(t, tr, 0, true, "a")
	})
	t.Run("the content of one that something was told of while it was read is not known", func(t *testing.T) {
		for _, again := range []bool{false, true} {
			tr := newCandidates(2 * second)
			tr.hint("a", true, true, 0)
			c := tr.take(0, 1, true)[0]
			if again {
				tr.hint("a", false, true, 0)
			}
			tr.read(c, a, Sum{1})
			if c.hashed == again || tr.offered != count(!again) {
				t.Errorf("told of it %v: hashed %v, %d are offered", again, c.hashed, tr.offered)
			}
		}
	})
	t.Run("one that could not be read need not rest once it can be, where its closing was told meanwhile", func(t *testing.T) {
		for _, closed := range []bool{false, true} {
			tr, c := resting(a)
			wantTaken(t, tr, 2*second, true, "a")
			tr.hint("a", closed, true, 2*second)
			tr.fail(c, errors.New("locked"), 2*second)
			if c.final != closed {
				t.Errorf("closed %v: final %v", closed, c.final)
			}
		}
	})
	t.Run("files are due in the order in which they were complete", func(t *testing.T) {
		tr := newCandidates(2 * second)
		tr.hint("c", true, true, 1)
		tr.found(entry{name: "b", size: 1}, false, 2)
		tr.hint("a", true, true, 3)
		tr.hint("c", true, true, 4)
		wantTaken(t, tr, 5, true, "a", "c")
	})
	t.Run("one whose closing was told is due at once, and stays so until somebody is seen to write it", func(t *testing.T) {
		tr := newCandidates(2 * second)
		tr.hint("a", true, true, 0)
		tr.hint("a", false, false, 0)
		c := tr.take(0, 1, true)[0]
		if !c.final || !c.doubted {
			t.Errorf("final %v, doubted %v", c.final, c.doubted)
		}
		tr.busy(c, a, 8*second, 0)
		wantTaken(t, tr, 2*second-1, true)
		tr.hint("a", true, true, second)
		wantTaken(t, tr, second, true, "a")
	})
	t.Run("one that is open for writing is looked at more and more rarely", func(t *testing.T) {
		tr, _ := resting(a)
		now := time.Duration(0)
		for _, pause := range []time.Duration{2, 2, 4, 8, 8} {
			now += pause * second
			wantTaken(t, tr, now-1, true)
			list := tr.take(now, 1, true)
			if len(list) != 1 {
				t.Fatalf("nothing is due after %v", now)
			}
			tr.busy(list[0], a, 8*second, now)
		}
	})
	t.Run("one that can't be read is tried more and more rarely, whatever else is told of it, but at once when it is closed", func(t *testing.T) {
		tr, _ := resting(a)
		now := 2 * second
		for _, pause := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			list := tr.take(now, 1, true)
			if len(list) != 1 {
				t.Fatalf("nothing is due after %v", now)
			}
			tr.fail(list[0], errors.New("locked"), now)
			tr.hint("a", false, false, now)
			now += pause * second
			wantTaken(t, tr, now-1, true)
		}
		if tr.unreadable != 1 || tr.resting() != 0 {
			t.Errorf("%d can't be read, %d rest", tr.unreadable, tr.resting())
		}
		tr.hint("a", true, true, now-1)
		list := tr.take(now-1, 1, true)
		if len(list) != 1 {
			t.Fatal("it was closed and is not due")
		}
		tr.drop(list[0], now)
		if tr.unreadable != 0 || tr.resting() != 0 || tr.present != 0 {
			t.Errorf("of nothing, %d can't be read, %d rest, %d stand there", tr.unreadable, tr.resting(), tr.present)
		}
	})
	t.Run("what is told of one in hand counts afterwards", func(t *testing.T) {
		for name, giveBack := range map[string]func(*candidates, *candidate){
			"dropped":  func(tr *candidates, c *candidate) { tr.drop(c, 3*second) },
			"restless": func(tr *candidates, c *candidate) { tr.rest(c, a, 3*second) },
			"busy":     func(tr *candidates, c *candidate) { tr.busy(c, a, 8*second, 3*second) },
			"untried":  func(tr *candidates, c *candidate) { tr.back(c, 3*second) },
		} {
			tr, c := resting(a)
			wantTaken(t, tr, 2*second, true, "a")
			tr.hint("a", true, true, 2*second)
			giveBack(tr, c)
			if next := tr.byName["a"]; next == nil || !next.final || next.due > 3*second {
				t.Errorf("%s: %+v", name, next)
			}
		}
	})
	t.Run("where closing is not told, it is looked at soon after a hint, once, and rests from then", func(t *testing.T) {
		tr, c := resting(a)
		tr.setQuiet(2*second, second/2, 0)
		for now := second; now < second+second/2; now += second / 10 {
			tr.hint("a", false, false, now)
		}
		wantTaken(t, tr, second+second/2, true, "a")
		if !c.glance {
			t.Error("it would be taken for complete")
		}
		tr.rest(c, entry{name: "a", size: 5}, second+second/2)
		wantTaken(t, tr, 3*second, true)
		wantTaken(t, tr, 3*second+second/2, true, "a")
	})
	// announced is a tracker with one file, which was closed and announced at 0.
	announced := func() *candidates {
		tr := newCandidates(2 * second)
		tr.hint("a", true, true, 0)
		c := tr.take(0, 1, true)[0]
		tr.announced(c, 0)
		tr.drop(c, 0)
		return tr
	}
	t.Run("one that is closed again shortly after it was announced rests from its last close", func(t *testing.T) {
		tr := announced()
		for now := second; now < 6*second; now += second {
			tr.hint("a", false, false, now)
			tr.hint("a", true, true, now)
			wantTaken(t, tr, now+second-1, true)
		}
		wantTaken(t, tr, 7*second-1, true)
		wantTaken(t, tr, 7*second, true, "a")
	})
	t.Run("one that is closed again before its announcement has returned likewise", func(t *testing.T) {
		tr := newCandidates(2 * second)
		tr.hint("a", true, true, 0)
		c := tr.take(0, 1, true)[0]
		tr.hint("a", true, true, second)
		tr.announced(c, second)
		tr.drop(c, second)
		wantTaken(t, tr, 3*second-1, true)
		wantTaken(t, tr, 3*second, true, "a")
	})
	t.Run("one that is seen to be written while it so rests, from the close after that", func(t *testing.T) {
		tr := announced()
		tr.hint("a", true, true, second)
		list := tr.take(3*second, 1, true)
		if len(list) != 1 {
			t.Fatal("it is not due")
		}
		tr.busy(list[0], a, 8*second, 3*second)
		tr.hint("a", true, true, 4*second)
		wantTaken(t, tr, 6*second-1, true)
		wantTaken(t, tr, 6*second, true, "a")
	})
	t.Run("but one that is renamed to the name is whole, and due at once", func(t *testing.T) {
		tr := announced()
		tr.hint("a", true, true, second)
		tr.hint("a", true, false, second)
		if tr.byName["a"].written {
			t.Error("who wrote what was there before counts")
		}
		wantTaken(t, tr, second, true, "a")
	})
	t.Run("and so is one that is closed when it has rested", func(t *testing.T) {
		tr := announced()
		tr.hint("a", true, true, 2*second)
		wantTaken(t, tr, 2*second, true, "a")
	})
	t.Run("a shorter quiet time shortens that rest", func(t *testing.T) {
		tr := announced()
		tr.hint("a", true, true, second)
		tr.setQuiet(second, 0, second)
		wantTaken(t, tr, 2*second, true, "a")
	})
	t.Run("what is kept of announced names is bounded, and is given up when they have rested", func(t *testing.T) {
		var r recentNames
		for i := range 3 * recentMost {
			r.add(string(rune(i%(2*recentMost))), time.Duration(i))
		}
		if len(r.queue) != recentMost || len(r.last) != recentMost {
			t.Errorf("%d are kept, as %d names", len(r.queue), len(r.last))
		}
		if r.dropUntil(3*recentMost - 2); len(r.queue) != 1 || len(r.last) != 1 {
			t.Errorf("later %d are, as %d names", len(r.queue), len(r.last))
		}
		for i := range 3 {
			r.add("again", 3*recentMost+time.Duration(i))
		}
		if r.dropUntil(3*recentMost + 1); !r.has("again", 3*recentMost+1) || len(r.last) != 1 {
			t.Error("one that was announced again is forgotten")
		}
	})
	t.Run("while nothing is to be handed over, only those are due that were never looked at", func(t *testing.T) {
		tr, _ := resting(a)
		tr.hint("b", true, true, 3*second)
		wantTaken(t, tr, 3*second, false, "b")
		tr.sight(tr.byName["b"], entry{name: "b"})
		tr.back(tr.byName["b"], 3*second)
		if _, ok := tr.next(false); ok {
			t.Error("something is due")
		}
		wantTaken(t, tr, 3*second, true, "a", "b")
	})
	t.Run("those whose content could not be handed over keep their place", func(t *testing.T) {
		tr := newCandidates(2 * second)
		for _, name := range []string{"a", "b", "c"} {
			tr.hint(name, true, true, 0)
		}
		list := tr.take(0, 2, true)
		for _, c := range slices.Backward(list) {
			tr.read(c, entry{name: c.name}, Sum{1})
			tr.back(c, second)
		}
		if tr.offered != 2 {
			t.Errorf("%d are offered", tr.offered)
		}
		wantTaken(t, tr, second, true, "a", "b", "c")
	})
	t.Run("one that went is looked for at once", func(t *testing.T) {
		tr, _ := resting(a)
		tr.gone("a", second)
		wantTaken(t, tr, second, false, "a")
	})
	t.Run("another quiet time counts for those that rest", func(t *testing.T) {
		tr, _ := resting(a)
		tr.setQuiet(10*second, 0, second)
		if due, _ := tr.next(true); due != 10*second {
			t.Errorf("due after %v", due)
		}
		tr.setQuiet(second/2, 0, second)
		if due, _ := tr.next(true); due != second {
			t.Errorf("due after %v", due)
		}
	})
}

func TestPendingHints(t *testing.T) {
	t.Run("the last of a path counts, and what the earlier ones told is kept", func(t *testing.T) {
		var p pendingHints
		for i, h := range []hint{{"/a", left}, {"/b", changed}, {"/a", changed}, {"/b", closed}, {"/b", changed}} {
			p.add(h, time.Duration(i))
		}
		p.compact()
		if len(p.list) != 2 {
			t.Fatalf("%+v", p.list)
		}
		if a := p.list[0]; a.path != "/a" || a.kind != changed || !a.went || a.ended {
			t.Errorf("a file that went and came: %+v", a)
		}
		if b := p.list[1]; b.path != "/b" || b.kind != changed || b.went || !b.ended || !b.wrote || b.at != 4 {
			t.Errorf("a file that was closed and changed: %+v", b)
		}
	})
	t.Run("more than are kept are given up for a look everywhere", func(t *testing.T) {
		var p pendingHints
		for i := range hintsKept + 1 {
			p.add(hint{string(rune(i)), closed}, 0)
		}
		if !p.lost || len(p.list) != 0 {
			t.Errorf("%d hints are kept, lost %v", len(p.list), p.lost)
		}
	})
	t.Run("hints of the same few paths are kept, however many come", func(t *testing.T) {
		var p pendingHints
		for i := range 10 * hintsKept {
			p.add(hint{"/" + string(rune('a'+i%3)), hintKind(i / 3 % 3)}, 0)
		}
		p.compact()
		if p.lost || len(p.list) != 3 {
			t.Errorf("%d hints are kept, lost %v", len(p.list), p.lost)
		}
	})
}

func TestIndex(t *testing.T) {
	known := func(name string, sum Sum) Known {
		return Known{Name: name, Size: 3, Time: 4, File: uint64(name[0]), SHA256: sum}
	}
	stands := func(k Known) entry { return entry{name: k.Name, size: k.Size, time: k.Time, file: k.File} }
	a, b, c, d := known("a", Sum{1}), known("b", Sum{2}), known("c", Sum{3}), known("d", Sum{})
	// seeing is an index of all four in which some were seen in the last round.
	seeing := func(seen ...Known) *index {
		x := newIndex()
		for _, k := range []Known{a, b, c, d} {
			x.put(k, true)
		}
		x.round++
		for _, k := range seen {
			x.compare(stands(k))
		}
		return x
	}

	t.Run("a file is the same by size and time, whatever its number", func(t *testing.T) {
		x := seeing()
		e := stands(a)
		e.file = 99
		if !x.compare(e) {
			t.Error("another number makes it another file")
		}
		e.time++
		if x.compare(e) || x.compare(entry{name: "z", size: 3, time: 4}) {
			t.Error("another time, or another name, is taken for the same")
		}
	})
	t.Run("a renamed one is known by number, size and time", func(t *testing.T) {
		x := seeing()
		e := stands(d)
		e.name = "z"
		if s := x.same(e); s == nil || !s.unread {
			t.Errorf("%+v", s)
		}
		e.file = 0
		if x.same(e) != nil {
			t.Error("files without numbers are taken for one another")
		}
	})
	t.Run("what is not there any more may be forgotten, if its content is known", func(t *testing.T) {
		x := seeing(a, b)
		if absent := x.absent(); len(absent) != 1 || !absent[x.key("c")] || x.here != 2 {
			t.Errorf("%d may be forgotten, %d are here", len(absent), x.here)
		}
	})
	t.Run("nothing is forgotten where most of what is known is missing", func(t *testing.T) {
		x := seeing(a)
		if absent := x.absent(); len(absent) != 0 {
			t.Errorf("%d may be forgotten", len(absent))
		}
	})
	t.Run("but what the system told of", func(t *testing.T) {
		x := seeing()
		x.setGone(x.get("b"), true)
		x.setGone(x.get("d"), true)
		if absent := x.absent(); len(absent) != 2 || !absent[x.key("b")] || !absent[x.key("d")] {
			t.Errorf("%d may be forgotten", len(absent))
		}
	})
	t.Run("also where it is looked for once more after that, and is not there", func(t *testing.T) {
		x := seeing(a, b, c)
		x.setGone(x.get("d"), true)
		x.setGone(x.get("d"), false)
		if absent := x.absent(); len(absent) != 1 || !absent[x.key("d")] {
			t.Errorf("%d may be forgotten", len(absent))
		}
	})
	t.Run("another number under a name is another file, where both have one", func(t *testing.T) {
		x := seeing()
		e := stands(a)
		if x.replaced(x.get("a"), e) {
			t.Error("the same number is taken for another file")
		}
		e.file = 99
		if !x.replaced(x.get("a"), e) {
			t.Error("another number is taken for the same file")
		}
		e.file = 0
		if x.replaced(x.get("a"), e) {
			t.Error("no number is taken for another file")
		}
		unnumbered := a
		unnumbered.File = 0
		x.put(unnumbered, true)
		if x.replaced(x.get("a"), stands(a)) {
			t.Error("one that was known without a number is taken for another file")
		}
	})
	t.Run("forgotten and put again, nothing is counted twice", func(t *testing.T) {
		x := seeing(a, b, c, d)
		x.drop(x.key("a"))
		if x.get("a") != nil || x.same(stands(a)) != nil || x.here != 3 {
			t.Errorf("%d are here", x.here)
		}
		x.put(a, true)
		x.put(a, true)
		if x.here != 4 || len(x.slots) != 4 {
			t.Errorf("%d are here in %d slots", x.here, len(x.slots))
		}
	})
}
