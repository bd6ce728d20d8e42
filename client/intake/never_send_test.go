package intake_test

import (
	"context"
	"encoding/hex"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/intake"
	"assay/client/submission"
)

// gates are those of settings, as intake.Params.Gate has them.
type gates = func(submission.Submission) (gate, lock submission.Gate)

// always are settings under which the same holds for all but watched folders.
func always(g submission.Gate) gates {
	return func(s submission.Submission) (gate, lock submission.Gate) {
		if s.Source == submission.Watched {
			return s.Gate, submission.GateSend
		}
		return submission.Stricter(s.Gate, g), submission.GateSend
	}
}

// locked are settings in which IT has locked the same for everything.
func locked(g submission.Gate) gates {
	return func(s submission.Submission) (gate, lock submission.Gate) { return submission.Stricter(s.Gate, g), g }
}

const someLink = "https://posts.example/1"

func TestTheSettingsGiveTheGateOfASource(t *testing.T) {
	q := setup(t, gatedBy(func(s submission.Submission) (gate, lock submission.Gate) {
		switch {
		case s.Source == submission.Watched:
			return s.Gate, submission.GateSend
		case s.Link != "":
			return submission.GateNever, submission.GateSend
		}
		return submission.Stricter(s.Gate, submission.GateAsk), submission.GateSend
	}))
	ids := q.drop(pictureFile(t, "a.png", 1), someLink)
	q.until(ids[0], submission.Held)
	assert.True(t, q.until(ids[1], submission.Stays).Gate == submission.GateNever, "%+v", q.until(ids[1], submission.Stays))
	assert.True(t, slices.Contains(q.custodyEvents(), "held for a decision") && slices.Contains(q.custodyEvents(), "never leaves: by its source"),
		"the custody log says %v", q.custodyEvents())
	t.Run("a watched folder has its own", func(t *testing.T) {
		id := q.arrive(submission.GateNever, pictureFile(t, "b.png", 40))[0]
		q.until(id, submission.Stays)
	})
	t.Run("who hands something over may want it stricter", func(t *testing.T) {
		taken, err := q.Accept(t.Context(), intake.Inputs(pictureFile(t, "c.png", 90)), intake.Options{Source: submission.Scanned, Gate: submission.GateNever})
		assert.NoError(t, err)
		q.until(taken.IDs[0], submission.Stays)
	})
	t.Run("and not looser, of which the reason is kept", func(t *testing.T) {
		taken, err := q.Accept(t.Context(), intake.Inputs(someLink, pictureFile(t, "d.png", 12)), intake.Options{Source: submission.Scanned, Gate: submission.GateSend})
		assert.NoError(t, err)
		if got := q.until(taken.IDs[0], submission.Stays); got.Problem.String() != "The settings say that this never leaves this computer." {
			t.Errorf("%+v", got)
		}
		if got := q.until(taken.IDs[1], submission.Held); got.Problem.String() != "The settings say that Assay asks you before this leaves this computer." {
			t.Errorf("%+v", got)
		}
	})
	q.nothingAsked()
}

func TestALockThatCameSinceHoldsForWhatWasAccepted(t *testing.T) {
	t.Run("what had been allowed, or was to be sent, stays; and so does what waits for the person", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateAsk)))
		ids := q.drop(pictureFile(t, "held.png", 1), someLink, pictureFile(t, "allowed.png", 40))
		q.untilEach(ids, submission.Held)
		q.PauseAll()
		q.Approve(intake.ApproveOptions{}, ids[2])
		q.until(ids[2], submission.Waiting)
		sent := q.drop(pictureFile(t, "other.png", 90))
		q.reopen(gatedBy(locked(submission.GateNever)))
		q.ResumeAll()
		for _, id := range append(ids, sent...) {
			got := q.until(id, submission.Stays)
			assert.True(t, got.Gate == submission.GateNever && got.Problem.String() == "Your organisation's IT has set that this never leaves this computer." && got.Allowed.IsZero(),
				"%+v", got)
		}
		q.stubborn(append(ids, sent...)...)
		q.Approve(intake.ApproveOptions{}, q.Order()...)
		q.Approve(withoutMetadata, q.Order()...)
		q.Close() // once all that was decided has been carried out
		q.nothingAsked()
		if custodyEvents := q.custodyEvents(); !slices.Contains(custodyEvents, "never leaves: locked by IT") || slices.Contains(custodyEvents, "link submitted") {
			t.Errorf("the custody log says %v", custodyEvents)
		}
	})
	t.Run("one that asks first lets go what had been allowed, and holds what had not", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateSend)))
		q.PauseAll()
		ids := q.drop(pictureFile(t, "a.png", 1), someLink)
		q.reopen(gatedBy(locked(submission.GateAsk)))
		q.ResumeAll()
		q.untilEach(ids, submission.Held)
		q.nothingAsked()
		q.Approve(intake.ApproveOptions{}, ids...)
		q.untilEach(ids, submission.Done)
	})
	t.Run("watched folders are no way round it", func(t *testing.T) {
		q := setup(t, gatedBy(locked(submission.GateNever)))
		id := q.arrive(submission.GateSend, pictureFile(t, "b.png", 40))[0]
		got := q.until(id, submission.Stays)
		assert.True(t, !got.Problem.IsZero(), "%+v", got)
		q.nothingAsked()
	})
}

// stubborn does everything to submissions that might set them going, but for allowing them.
func (f *fixture) stubborn(ids ...string) {
	f.t.Helper()
	f.Pause(ids...)
	f.Resume(ids...)
	f.PauseAll()
	f.ResumeAll()
	f.Retry(ids...)
	f.RetryFailed()
	var subs []submission.Submission
	before := len(f.Order())
	for _, id := range ids {
		got, _ := f.Get(id)
		subs = append(subs, got)
	}
	f.ScanAgain(subs...)
	f.when("what is scanned again is in the inbox", func() bool { return len(f.Order()) == before+len(ids) })
	f.untilEach(f.Order(), submission.Held, submission.Stays)
}

func TestWhatMayNotLeaveSendsNothingWhateverIsDoneToIt(t *testing.T) {
	for _, gate := range []submission.Gate{submission.GateAsk, submission.GateNever} {
		t.Run(string(gate), func(t *testing.T) {
			q := setup(t, gatedBy(always(gate)))
			ids := q.drop(pictureFile(t, "a.png", 1), someLink)
			q.untilEach(ids, submission.Held, submission.Stays)
			q.stubborn(ids...)
			if gate == submission.GateNever {
				q.Approve(withoutMetadata, q.Order()...)
				q.Approve(intake.ApproveOptions{}, q.Order()...)
				q.decided()
			}
			q.nothingAsked()
			q.reopen(gatedBy(always(submission.GateSend))) // the settings were changed
			q.untilEach(q.Order(), submission.Held, submission.Stays)
			q.stubborn(ids...)
			q.decided()
			q.nothingAsked()
		})
	}
	t.Run("what was public is asked about when it is scanned again under stricter settings", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateSend)))
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		done := q.until(id, submission.Done)
		q.Close()
		q.server.forgetCalls()
		q.open(gatedBy(always(submission.GateAsk)))
		q.ScanAgain(done)
		q.when("it is held", func() bool { return q.Totals().Held == 1 })
		q.nothingAsked()
	})
}

func TestNeverSendIsForGood(t *testing.T) {
	t.Run("said of what waits for a decision, or was kept here", func(t *testing.T) {
		q := setup(t, gatedBy(always(submission.GateAsk)))
		ids := q.drop(pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 60), someLink)
		q.untilEach(ids, submission.Held)
		q.Withhold(ids[1])
		q.until(ids[1], submission.Stays)
		q.NeverSend(ids...)
		for _, id := range ids {
			q.neverLeaves(id)
			kept := q.store.row(id)
			assert.True(t, kept.Gate == submission.GateNever && kept.State == submission.Stays && kept.Step == submission.Settled, "on the disk it is %+v", kept)
		}
		q.Approve(intake.ApproveOptions{}, ids...)
		q.Approve(withoutMetadata, ids...)
		q.stubborn(ids...)
		q.decided()
		q.nothingAsked()
		q.reopen(gatedBy(always(submission.GateSend)))
		q.Approve(intake.ApproveOptions{}, ids...)
		q.stubborn(ids...)
		q.decided()
		q.nothingAsked()
		n := countOf(q.custodyEvents(), "never leaves: by the person's word")
		assert.True(t, n == 3, "the custody log says it %d times", n)
	})
	t.Run("handed over anew, it may leave", func(t *testing.T) {
		q := setup(t)
		a := pictureFile(t, "a.png", 1)
		id := q.held(a)[0]
		q.NeverSend(id)
		q.until(id, submission.Stays)
		q.until(q.drop(copyOf(t, a, "b.png"))[0], submission.Done)
		q.is(submission.Stays, id)
		q.wantSubmissions(1)
	})
	t.Run("said of what waits for its turn, paused or not, and of what waits for its answer", func(t *testing.T) {
		q := setup(t)
		q.PauseAll()
		a := pictureFile(t, "a.png", 1)
		ids := q.drop(a, someLink, copyOf(t, a, "b.png"))
		q.Pause(ids[1])
		q.NeverSend(ids...)
		q.untilEach(ids, submission.Stays)
		q.ResumeAll()
		q.Resume(ids...)
		q.decided()
		q.nothingAsked()
	})
	t.Run("with what waits for it, since those are the same bytes", func(t *testing.T) {
		q := setup(t)
		first, second := q.copiesWait()
		q.NeverSend(first)
		q.neverLeaves(first, second)
		q.ResumeAll()
		q.decided()
		q.nothingAsked()
		kept := q.store.row(second)
		assert.True(t, kept.Earlier == "" && kept.Gate == submission.GateNever, "on the disk it is %+v", kept)
	})
	t.Run("what the service was asked about can't be taken back, and goes on", func(t *testing.T) {
		for _, call := range []string{"upload-url", "put", "link"} {
			t.Run(call, func(t *testing.T) {
				q := setup(t)
				shut := q.server.shut(call)
				given := pictureFile(t, "a.png", 1)
				if call == "link" {
					given = someLink
				}
				id := q.drop(given)[0]
				<-shut.reached
				q.NeverSend(id)
				q.decided()
				close(shut.open)
				got := q.until(id, submission.Done)
				assert.True(t, got.Gate == submission.GateSend, "%+v", got)
			})
		}
	})
	t.Run("said too late, the custody log does not say it", func(t *testing.T) {
		q := setup(t)
		writing, release := q.store.holdUp(func(s submission.Submission, _ custody.Event) bool { return s.Step == submission.URLRequested })
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		<-writing
		q.NeverSend(id) // in memory nothing was asked for so far
		release()
		q.decided()
		got := q.until(id, submission.Done, submission.Stays)
		said := countOf(q.custodyEvents(), "never leaves: by the person's word")
		assert.True(t, (got.State == submission.Stays) == (said == 1) && said <= 1, "%s, and the custody log says %d times that it never leaves", got.State, said)
	})
	t.Run("said at the last moment, the service is not asked", func(t *testing.T) {
		for name, given := range map[string]string{"file": pictureFile(t, "a.png", 1), "link": someLink} {
			t.Run(name, func(t *testing.T) {
				q := setup(t)
				writing, release := q.store.holdUp(func(s submission.Submission, _ custody.Event) bool {
					return s.Step == submission.Gated || s.Step == submission.SendingBytes
				})
				id := q.drop(given)[0]
				<-writing
				q.NeverSend(id)
				release()
				got := q.until(id, submission.Stays, submission.Done)
				if took := q.server.took(); (got.State == submission.Stays) != (took == 0) {
					t.Errorf("%s, and the service has %d things of it", got.State, took)
				}
			})
		}
	})
	t.Run("said of one that reaches the service while its duplicates are kept here, it goes on", func(t *testing.T) {
		q := setup(t)
		links, looks := q.server.shut("link"), q.server.shut("look")
		q.drop(post+"/a", post+"/b") // they have the slots
		<-links.reached
		<-links.reached
		first := q.drop(someLink)[0]
		q.when("it waits for a slot", func() bool { return q.store.row(first).Step == submission.Gated })
		duplicates := q.drop(slices.Repeat([]string{someLink}, 40)...)
		for _, id := range duplicates {
			q.follows(id, first)
		}
		writing, release := q.store.holdUp(func(s submission.Submission, event custody.Event) bool {
			return s.ID == first && event == custody.LinkSubmitted
		})
		links.release()
		<-writing
		q.NeverSend(first) // nothing was asked for so far, in memory
		looked := 0
		q.when("the decision is being carried out", func() bool { looked++; return looked > 20 }) // its first write waits behind the one that is held up
		release()
		q.decided()
		looks.release()
		got := q.until(first, submission.Done)
		assert.True(t, got.Gate == submission.GateSend, "%+v", got)
	})
	t.Run("of what has an answer, or is unknown, it changes nothing", func(t *testing.T) {
		q := setup(t)
		id := q.drop(pictureFile(t, "a.png", 1))[0]
		q.until(id, submission.Done)
		q.NeverSend(id, "unknown")
		q.decided()
		got, _ := q.Get(id)
		assert.True(t, got.State == submission.Done && got.Gate == submission.GateSend, "%+v", got)
	})
	t.Run("what can't be written down was not said", func(t *testing.T) {
		q := setup(t)
		id := q.held(pictureFile(t, "a.png", 1))[0]
		q.store.setFull(true)
		q.NeverSend(id)
		q.stands(intake.NoDisk)
		got, _ := q.Get(id)
		assert.True(t, got.State == submission.Held && got.Gate == submission.GateAsk, "%+v", got)
		q.nothingAsked()
	})
}

// neverLeaves waits until these stay here for good.
func (f *fixture) neverLeaves(ids ...string) {
	f.t.Helper()
	for _, id := range ids {
		f.when("it never leaves", func() bool { s, _ := f.Get(id); return s.Gate == submission.GateNever && s.State == submission.Stays })
	}
}

// copiesWait has two submissions of the same bytes stand still before anything was asked, the second of which shows the first's answer.
func (f *fixture) copiesWait() (first, second string) {
	f.t.Helper()
	shut := make(chan struct{})
	asked := make(chan struct{}, 1)
	f.store.beforeWrite(func(s submission.Submission, _ custody.Event) error {
		if s.Step == submission.URLRequested { // before it is asked for
			select {
			case asked <- struct{}{}:
			default:
			}
			<-shut
			return context.Canceled
		}
		return nil
	})
	a := pictureFile(f.t, "a.png", 1)
	first = f.drop(a)[0]
	<-asked
	f.PauseAll()
	close(shut)
	f.when("it rests", func() bool { s, _ := f.Get(first); return s.State == submission.Waiting })
	f.store.beforeWrite(nil)
	row := f.store.row(first)
	assert.NoError(f.t, f.store.Save(f.t.Context(), submission.Submission{ID: "second", Path: copyOf(f.t, a, "b.png"), Name: "b.png", Key: row.Key + 1, Accepted: row.Accepted, Gate: submission.GateSend,
		State: submission.Waiting, Step: submission.Settled, SHA256: row.SHA256, Size: row.Size, Modified: row.Modified, SendName: "b-12345678.png", Type: row.Type, Earlier: first}, ""))
	f.reopen()
	return first, "second"
}

func countOf(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

func TestACrashAtAnyMomentSendsNothingButWhatWasChosen(t *testing.T) {
	file, other := pictureWithMetadata(t, "a.png", 1), pictureFile(t, "b.png", 60)
	arrivals := []intake.Input{
		{ID: "copied", Path: file, Folder: filepath.Dir(file), Gate: submission.GateAsk},
		{ID: "never", Path: other, Folder: filepath.Dir(other), Gate: submission.GateAsk},
	}
	decide := func(q *fixture) {
		q.NeverSend("never")
		q.Approve(withoutMetadata, "copied")
	}
	live := func(t *testing.T, ends moment) *life {
		t.Helper()
		l := newLife(unopenedCopying(t), ends)
		q := l.begin(l.process)
		if q.acceptWatched(arrivals...) == nil && l.reached(q, "copied", submission.Held) && l.reached(q, "never", submission.Held) {
			decide(q)
			_ = l.reached(q, "never", submission.Stays) && l.reached(q, "copied", submission.Done)
		}
		q.Close()
		return l
	}
	for _, at := range live(t, "").process.seen {
		t.Run("ended "+string(at), func(t *testing.T) {
			l := live(t, at)
			q := l.again()
			assert.NoError(t, q.acceptWatched(arrivals...))
			got := q.until("copied", submission.Held, submission.Done)
			if never := q.until("never", submission.Held, submission.Stays); never.State == submission.Held {
				q.NeverSend("never")
				q.until("never", submission.Stays)
			}
			if got.State == submission.Held {
				n := len(l.server.submissions())
				assert.True(t, n <= 0, "the service has %d before it was allowed", n)
				q.Approve(withoutMetadata, "copied")
			}
			got = q.until("copied", submission.Done)
			q.Close()
			sent := l.server.submissions()
			assert.True(t, len(sent) == 1 && got.Copy.SHA256 != "" && hex.EncodeToString(sent[0].content[:]) == got.Copy.SHA256 && sent[0].name == got.SendName,
				"the service has %+v, of %+v", sent, got)
			q = l.again()
			left := l.copier.there()
			assert.True(t, len(left) <= 0, "copies of %v are left", left)
			q.Close()
		})
	}
}
