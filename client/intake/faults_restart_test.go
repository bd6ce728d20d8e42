package intake_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/intake"
	"assay/client/submission"
)

// instants are all that a submission goes through, in their order: before and after each write and each call.
func instants(t *testing.T, p plan, given ...string) (all []instant) {
	t.Helper()
	var mu sync.Mutex
	s := newScene(t, p)
	s.set(func(at instant) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, at)
		return nil
	})
	s.until(s.hand(given...), submission.Done)
	s.stop()
	mu.Lock()
	defer mu.Unlock()
	if len(all) < 10 {
		t.Fatalf("only %v happens", all)
	}
	return all
}

// addressMatters are the instants after which it makes a difference that an upload address has expired.
var addressMatters = regexp.MustCompile("after address|writing url-held|writing sending|put|before writing sent")

func TestAssayIsEndedAndStartedBetweenAnyTwoSteps(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	for _, kind := range []struct {
		name  string
		given string
		plan  plan
	}{
		{"a file", file, plan{}},
		{"a file whose number is not told", file, plan{faults: []string{"upload-url:id-missing"}}},
		{"a link", servedLink(t, file), plan{}},
	} {
		all := instants(t, kind.plan, kind.given)
		for n, at := range all {
			if kind.plan.faults != nil && !slices.Contains(all[:n+1], "after put") {
				continue // until then it is a file like any other
			}
			for _, later := range []time.Duration{0, 20 * time.Minute} {
				if later > 0 && !addressMatters.MatchString(string(at)) {
					continue
				}
				t.Run(fmt.Sprintf("%s, %d %s, started %v later", kind.name, n+1, at, later), func(t *testing.T) {
					s := newScene(t, kind.plan)
					reached, seen := make(chan struct{}), 0
					var mu sync.Mutex
					first := s.Queue
					s.set(func(instant) error {
						mu.Lock()
						seen++
						now := seen == n+1
						mu.Unlock()
						if now {
							close(reached)
							s.untilClosing(first)
						}
						return nil
					})
					handed := make(chan []string)
					go func() {
						accepted, err := first.Accept(t.Context(), intake.Inputs(kind.given), intake.Options{Source: submission.Dropped})
						if err != nil && !errors.Is(err, intake.ErrClosed) {
							t.Error(err)
						}
						handed <- accepted.IDs
					}()
					<-reached
					closed := make(chan struct{})
					go func() {
						defer close(closed)
						first.Close()
					}()
					ids := <-handed
					<-closed
					s.set(nil)
					s.restart()
					s.clock.advance(later)
					if strings.HasSuffix(string(at), "accepting") && len(ids) == 0 {
						ids = s.hand(kind.given) // it was not taken, and said so
					}
					s.until(ids, submission.Done, submission.Failed)
					s.retryAll(ids)
					s.atService(file)
				})
			}
		}
	}
}

// untilClosing waits until a queue takes nothing any more.
func (s *scene) untilClosing(q *intake.Queue) {
	again, limit := time.NewTicker(time.Millisecond), time.After(10*time.Second)
	defer again.Stop()
	for !errors.Is(q.Adopt(s.t.Context(), nil), intake.ErrClosed) {
		select {
		case <-again.C:
		case <-limit:
			s.t.Error("it was never closed")
			return
		}
	}
}
