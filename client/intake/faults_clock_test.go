package intake_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/submission"
)

// jumpingClock shows the scene's time, set wrong.
type jumpingClock struct {
	mu    sync.Mutex
	wrong time.Duration
}

func (j *jumpingClock) jump(d time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wrong += d
}

func (j *jumpingClock) by() time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.wrong
}

// TestOurClockJumps sets this computer's clock, and not the service's, after every step of a submission's way. The times that
// it gives have no monotonic part, as those that were read from the disk, which is the worst case.
func TestOurClockJumps(t *testing.T) {
	file := pictureFile(t, "a.png", 1)
	link := servedLink(t, file)
	for _, given := range []string{file, link} {
		kind := "a file"
		if given == link {
			kind = "a link"
		}
		for n, at := range instants(t, plan{}, given) {
			if strings.HasPrefix(string(at), "before") {
				continue // it is after the step before, too
			}
			for _, jump := range []time.Duration{-26 * time.Hour, 20 * time.Minute, 26 * time.Hour} {
				t.Run(fmt.Sprintf("%s, %d %s, by %v", kind, n+1, at, jump), func(t *testing.T) {
					var wrong jumpingClock
					s := newScene(t, plan{now: func(now time.Time) time.Time { return now.Add(wrong.by()) }})
					seen := 0
					var mu sync.Mutex
					s.set(func(instant) error {
						mu.Lock()
						defer mu.Unlock()
						if seen++; seen == n+1 {
							wrong.jump(jump)
						}
						return nil
					})
					ids := s.hand(given)
					s.until(ids, submission.Done)
					if took := s.clock.Now().Sub(start); took > time.Hour {
						t.Errorf("it took %v", took)
					}
					s.atService(file)
				})
			}
		}
	}
}
