package folders_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/folders"
	"assay/client/submission"
)

func is(id string, state submission.State, status client.Status) submission.Submission {
	s := submission.Submission{ID: id, State: state, Folder: "/in"}
	if status != "" {
		s.Result = &client.Result{OverallStatus: status}
	}
	return s
}

func TestABatchIsToldOnceAllOfItHasComeToRest(t *testing.T) {
	start := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	tell := func(t *testing.T, g folders.Gathering, now time.Time, want folders.Batch) {
		t.Helper()
		if got, ok := g.Tell(now); !ok || got != want {
			t.Errorf("at %v it was %+v, %t; want %+v", now.Sub(start), got, ok, want)
		}
	}
	silent := func(t *testing.T, g folders.Gathering, now time.Time) {
		t.Helper()
		if got, ok := g.Tell(now); ok {
			t.Errorf("at %v it was told: %+v", now.Sub(start), got)
		}
	}

	t.Run("three seconds after the last", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a", "b", "c", "d", "e", "f")
		silent(t, g, at(10))
		g.See(at(11), is("a", submission.Done, client.Fake))
		g.See(at(11), is("b", submission.Done, client.Suspicious))
		g.See(at(11), is("c", submission.Done, client.Authentic))
		g.See(at(11), is("d", submission.Done, client.NotApplicable))
		g.See(at(11), is("e", submission.Refused, ""))
		silent(t, g, at(20)) // f is under way
		g.See(at(21), is("f", submission.Held, ""))
		silent(t, g, at(23.9))
		tell(t, g, at(24), folders.Batch{Arrived: 6, Held: 1, Answered: 4, Fake: 1, Suspicious: 1, Authentic: 1, Other: 1, Failed: 1})
		silent(t, g, at(1000))
	})
	t.Run("an answer that contradicts itself is none without a sign", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		s := is("a", submission.Done, client.Authentic)
		s.Result.ResultsSummary = &client.Summary{Status: client.Fake}
		g.See(at(1), s)
		tell(t, g, at(4), folders.Batch{Arrived: 1, Answered: 1, Contradictory: 1})
	})
	t.Run("also of one that has ended before it is known to be taken", func(t *testing.T) {
		g := folders.NewGathering()
		g.Expect("a", "taken in an earlier run")
		g.See(at(0), is("a", submission.Done, client.Fake))
		g.Accepted(at(1), []string{"a", "taken in an earlier run"}, func(id string) bool { return id == "a" })
		g.See(at(2), is("taken in an earlier run", submission.Done, client.Fake))
		tell(t, g, at(4), folders.Batch{Arrived: 1, Answered: 1, Fake: 1})
	})
	t.Run("an answer that is not final does not count", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		g.See(at(1), is("a", submission.Analysing, client.Fake))
		silent(t, g, at(500))
		g.See(at(501), is("a", submission.Done, client.Authentic))
		tell(t, g, at(504), folders.Batch{Arrived: 1, Answered: 1, Authentic: 1})
	})
	t.Run("an end is counted once, however often it is seen", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		g.See(at(1), is("a", submission.Done, client.Fake))
		g.See(at(2), is("a", submission.Done, client.Fake))
		tell(t, g, at(10), folders.Batch{Arrived: 1, Answered: 1, Fake: 1})
		g.See(at(11), is("a", submission.Done, client.Fake))
		silent(t, g, at(500))
	})
	t.Run("what was held is told again once it is answered", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		g.See(at(1), is("a", submission.Held, ""))
		tell(t, g, at(4), folders.Batch{Arrived: 1, Held: 1})
		g.See(at(100), is("a", submission.Sending, ""))
		g.See(at(101), is("a", submission.Done, client.Fake))
		tell(t, g, at(104), folders.Batch{Answered: 1, Fake: 1})
	})
	t.Run("what was decided on, or replaced, before it could be told waits no more", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "allowed", "kept here", "replaced", "waits")
		for _, id := range []string{"allowed", "kept here", "replaced", "waits"} {
			g.See(at(1), is(id, submission.Held, ""))
		}
		g.See(at(2), is("allowed", submission.Waiting, ""))
		g.See(at(2), is("kept here", submission.Stays, ""))
		g.Lose("replaced")
		g.See(at(3), is("allowed", submission.Done, client.Fake))
		tell(t, g, at(6), folders.Batch{Arrived: 4, Held: 1, Answered: 1, Fake: 1})
	})
	t.Run("one in which there is nothing to say does not put off the next", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		g.See(at(1), is("a", submission.Stays, ""))
		tell(t, g, at(4), folders.Batch{Arrived: 1})
		g.Take(at(5), "b")
		g.See(at(6), is("b", submission.Done, client.Fake))
		tell(t, g, at(9), folders.Batch{Arrived: 1, Answered: 1, Fake: 1})
	})
	t.Run("a failure that is tried again may still be answered", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a")
		g.See(at(1), is("a", submission.Failed, ""))
		tell(t, g, at(4), folders.Batch{Arrived: 1, Failed: 1})
		g.See(at(100), is("a", submission.Waiting, ""))
		g.See(at(101), is("a", submission.Done, client.Fake))
		tell(t, g, at(104), folders.Batch{Answered: 1, Fake: 1})
	})
	t.Run("a stream that never rests is told of once a minute", func(t *testing.T) {
		g := folders.NewGathering()
		var told []int
		for second := range 240 {
			g.Take(at(float64(second)), fmt.Sprint(second))
			if second >= 5 {
				g.See(at(float64(second)), is(fmt.Sprint(second-5), submission.Done, client.Authentic))
			}
			if b, ok := g.Tell(at(float64(second))); ok {
				told = append(told, second)
				if b.Answered != b.Authentic || b.Answered == 0 {
					t.Errorf("%+v", b)
				}
			}
		}
		if want := []int{60, 121, 182}; !slices.Equal(told, want) {
			t.Errorf("told at %v, want %v", told, want)
		}
	})
	t.Run("single files that come every ten seconds are told of once a minute", func(t *testing.T) {
		g := folders.NewGathering()
		var told []int
		for second := range 200 {
			if second%10 == 0 {
				g.Take(at(float64(second)), fmt.Sprint(second))
				g.See(at(float64(second)), is(fmt.Sprint(second), submission.Done, client.Authentic))
			}
			if _, ok := g.Tell(at(float64(second))); ok {
				told = append(told, second)
			}
		}
		if want := []int{3, 63, 123, 183}; !slices.Equal(told, want) {
			t.Errorf("told at %v, want %v", told, want)
		}
	})
	t.Run("of one from before the start, what happens from now on", func(t *testing.T) {
		g := folders.NewGathering()
		g.Resume(is("held", submission.Held, ""))
		g.Resume(is("sent", submission.Analysing, ""))
		g.Resume(is("over", submission.Done, client.Fake))
		g.See(at(1), is("held", submission.Held, ""))
		g.See(at(1), is("over", submission.Done, client.Fake))
		g.See(at(2), is("sent", submission.Done, client.Fake))
		tell(t, g, at(5), folders.Batch{Answered: 1, Fake: 1})
	})
	t.Run("one that the person paused keeps nothing from being told", func(t *testing.T) {
		g := folders.NewGathering()
		g.Take(at(0), "a", "b")
		g.See(at(1), is("a", submission.Done, client.Fake))
		paused := is("b", submission.Waiting, "")
		paused.Paused = true
		g.See(at(1), paused)
		tell(t, g, at(4), folders.Batch{Arrived: 2, Answered: 1, Fake: 1})
	})
}

func TestABatchOfAWatchedFolder(t *testing.T) {
	d, in := setup(t), t.TempDir()
	d.service.status = client.Fake
	d.service.hold()
	id := d.add(sends(in), folders.OnlyNew)
	for n := range 5 {
		write(t, filepath.Join(in, fmt.Sprintf("%d.txt", n)), fmt.Sprintf("statement %d", n))
	}
	d.until("all are taken", func() bool { return d.folder(id).Taken == 5 })
	d.service.release()
	d.until("all are answered", func() bool { return d.folder(id).Answered == 5 })
	if told := d.seenBatches(); len(told) > 0 {
		t.Errorf("told before it had come to rest: %+v", told)
	}
	d.until("a batch is told", func() bool { d.clock.advance(time.Second); return len(d.seenBatches()) > 0 })
	if got, want := d.seenBatches(), (folders.Batch{Arrived: 5, Answered: 5, Fake: 5}); len(got) != 1 || got[0] != want {
		t.Errorf("told %+v, want %+v", got, want)
	}
}
