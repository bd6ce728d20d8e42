package intake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// commits are the writes of a submission's way, in their order, as a run without faults makes them.
func commits(t *testing.T, given string) (all []moment) {
	t.Helper()
	for _, at := range wayOf(t, plan{}, given) {
		if written, ok := strings.CutPrefix(string(at), "before "); ok && strings.HasPrefix(written, "writing") {
			all = append(all, moment(written))
		}
	}
	if len(all) < 4 {
		t.Fatalf("only %v is written", all)
	}
	return all
}

// diskFaults are what a disk can say.
var diskFaults = []*store.Error{
	{Op: "keep the submission", Message: i18n.Verbatim("The disk is full. Make room, and it goes on by itself."), Kind: store.ErrFull},
	{Op: "keep the submission", Message: i18n.Verbatim("The disk does not take what is to be kept."), Kind: store.ErrIO, Err: errors.New("input/output error")},
}

func TestADiskThatFailsAtAnyCommit(t *testing.T) {
	for _, kind := range []string{"a file", "a link"} {
		file := pictureFile(t, "a.png", 1)
		given := handed(t, map[string]sandbox.Operation{"a link": sandbox.OpSocial}[kind], file)
		for n, commit := range commits(t, given) {
			for i, fault := range diskFaults {
				when := []string{"before ", "after "}[(i+n)%2] // what was written may be there although the disk said that it is not
				t.Run(fmt.Sprintf("%s, commit %d, %s%s: %v", kind, n+1, when, commit, fault.Kind), func(t *testing.T) {
					s := setupSandbox(t, plan{})
					failing := make(chan struct{})
					var once sync.Once
					var healed atomic.Bool
					var seen atomic.Int64
					s.set(func(at moment) error {
						written := strings.HasPrefix(string(at), when+"writing")
						if written && !strings.Contains(string(at), "queue.") { // which are facts
							seen.Add(1)
						}
						if healed.Load() || seen.Load() <= int64(n) || !written && at != "before accepting" {
							return nil
						}
						once.Do(func() { close(failing) })
						return fault
					})
					ids := s.drop(given)
					<-failing
					s.stands(intake.NoDisk)
					reason := s.QueueStatus().Reason
					check(t, strings.Contains(reason.String(), fault.Message.String()), "it says %q", reason)
					calls := len(s.wire.asked(sandbox.OpAny))
					other := pictureFile(t, "b.png", 70)
					accepted, err := s.Accept(t.Context(), intake.Inputs(other), intake.Options{Source: submission.Dropped})
					check(t, errors.Is(err, fault) && len(accepted.IDs) == 0, "it accepts: %+v, %v", accepted, err)
					waited := s.clock.Now().Add(10 * time.Minute)
					s.when("it goes on saying so", func() bool { return s.clock.Now().After(waited) })
					got, _ := s.Get(ids[0])
					check(t, got.State != submission.Done && got.State != submission.Failed && len(s.wire.asked(sandbox.OpAny)) <= calls+1,
						"it is %q meanwhile, and the service was asked %d times", got.State, len(s.wire.asked(sandbox.OpAny))-calls)
					healed.Store(true)
					if i == 0 { // in one half of them the person starts Assay again meanwhile
						s.restart()
						if kind == "a link" { // that it was to be submitted may be all that is known of it: then the person is asked
							s.untilEach(ids, submission.Done, submission.Failed)
							s.RetryFailed()
						}
					}
					s.untilEach(ids, submission.Done)
					s.when("it says no more", func() bool { return s.QueueStatus() == intake.QueueStatus{} })
					s.untilEach(s.drop(other), submission.Done)
					s.atService(file, other)
					s.shownOnce(ids[0])
				})
			}
		}
	}
}

// shownOnce checks that the store holds a submission as it is shown, with an unbroken log.
func (s *sandboxed) shownOnce(id string) {
	s.t.Helper()
	shown, _ := s.Get(id)
	s.stop()
	disk, err := store.Open(context.WithoutCancel(s.t.Context()), s.folder, store.Options{Now: s.clock.Now})
	must(s.t, err)
	defer func() { must(s.t, disk.Close()) }()
	kept, ok, err := disk.Get(s.t.Context(), id)
	check(s.t, ok && err == nil && kept.State == shown.State && kept.RequestID == shown.RequestID && kept.Step == shown.Step,
		"shown as %q at %q, kept as %q at %q (%v)", shown.State, shown.Step, kept.State, kept.Step, err)
	must(s.t, disk.VerifyCustody(s.t.Context()))
}

func TestAnErrorOfTheDiskThatPassesAtOnce(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	for n, commit := range commits(t, file) {
		t.Run(fmt.Sprintf("commit %d, %s", n+1, commit), func(t *testing.T) {
			s := setupSandbox(t, plan{})
			var seen atomic.Int64
			s.set(func(at moment) error {
				if strings.HasPrefix(string(at), "before writing") && seen.Add(1) == int64(n+1) {
					return diskFaults[1]
				}
				return nil
			})
			ids := s.drop(file)
			s.untilEach(ids, submission.Done)
			s.when("it says no more", func() bool { return s.QueueStatus() == intake.QueueStatus{} })
			s.atService(file)
			s.shownOnce(ids[0])
			check(t, seen.Load() > int64(n+1), "it never failed")
		})
	}
}
