package intake_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/submission"
)

// later lets time pass on the clock of all.
func later(d time.Duration) func(*sandboxed) { return func(s *sandboxed) { s.clock.Advance(d) } }

// lostAndExpired lets the bytes arrive, and loses the answer until their URL has expired.
func lostAndExpired(s *sandboxed, w http.ResponseWriter, r *http.Request) {
	s.wire.pass(httptest.NewRecorder(), r)
	s.clock.Advance(expires)
	breakOff(w)
}

const expires = client.SignedURLLife + time.Minute

func TestUploadURLsThatExpire(t *testing.T) {
	for _, c := range []struct {
		name     string
		troubles []trouble
		puts     int // uploads
		urls     int
	}{
		{"U13 before the bytes went out", []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: first(later(expires), through)}}, 2, 2},
		{"U13 while the answer with the upload URL was under way",
			[]trouble{{op: sandbox.OpUploadURL, from: 1, to: 1, do: func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
				s.wire.pass(w, r)
				s.clock.Advance(expires)
			}}}, 2, 2},
		{"while the upload broke, and the list does not show it", []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: first(later(expires), cutAfter(0.5))}}, 2, 2},
		{"while the answer to the bytes was lost, and the list shows it", []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: lostAndExpired}}, 1, 1},
		{"likewise, where the list shows it late", []trouble{
			{op: sandbox.OpPut, from: 1, to: 1, do: lostAndExpired},
			{op: sandbox.OpList, from: 1, to: 2, do: answering(200, "Content-Type", "application/json", `{"totalItems": 0, "mediaList": []}`)},
		}, 1, 1},
		{"likewise, where the list is out of order for long", []trouble{
			{op: sandbox.OpPut, from: 1, to: 1, do: lostAndExpired},
			{op: sandbox.OpList, from: 1, to: 40, do: answering(503, "Retry-After", "5", "")},
		}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setupSandbox(t, plan{troubles: c.troubles})
			file := noise(t, 5)
			s.untilEach(s.drop(file), submission.Done)
			if puts, asked := len(s.wire.asked(sandbox.OpPut)), len(s.wire.asked(sandbox.OpUploadURL)); puts != c.puts || asked != c.urls {
				t.Errorf("%d uploads to %d URLs, want %d to %d", puts, asked, c.puts, c.urls)
			}
			s.atService(file)
		})
	}
	t.Run("U13 each time anew: said after the second, without a loop", func(t *testing.T) {
		s := setupSandbox(t, plan{faults: []string{"put:expired@1-2"}})
		file := noise(t, 5)
		ids := s.drop(file)
		got := s.untilEach(ids, submission.Failed)
		assert.True(t, strings.Contains(got.Problem.String(), "refused the link"), "it says %q", got.Problem)
		puts := len(s.wire.asked(sandbox.OpPut))
		assert.True(t, puts == 2, "%d uploads", puts)
		s.retryAll(ids)
		s.atService(file)
	})
	t.Run("A3 links in an answer that have expired end nothing", func(t *testing.T) {
		s := setupSandbox(t, plan{faults: []string{"result:expired"}})
		file := noise(t, 5)
		s.untilEach(s.drop(file), submission.Done)
		s.atService(file)
	})
}

func TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs(t *testing.T) {
	for _, ahead := range []time.Duration{-3 * time.Hour, -3 * time.Minute, 3 * time.Minute, time.Hour, 30 * time.Hour} {
		t.Run(fmt.Sprintf("ours is %v ahead of the service's", ahead), func(t *testing.T) {
			s := setupSandbox(t, plan{
				options: func(o *client.Options) {
					now := o.Now
					o.Now = func() time.Time { return now().Add(ahead) }
				},
				troubles: []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: lostAndExpired}}})
			file := noise(t, 5)
			s.untilEach(s.drop(file), submission.Done)
			s.atService(file)
		})
	}
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
		for n, at := range wayOf(t, plan{}, given) {
			if strings.HasPrefix(string(at), "before") {
				continue // it is after the step before, too
			}
			for _, jump := range []time.Duration{-26 * time.Hour, 20 * time.Minute, 26 * time.Hour} {
				t.Run(fmt.Sprintf("%s, %d %s, by %v", kind, n+1, at, jump), func(t *testing.T) {
					var wrong atomic.Int64
					s := setupSandbox(t, plan{now: func(now time.Time) time.Time { return now.Add(time.Duration(wrong.Load())) }})
					s.at(int64(n+1), func() { wrong.Store(int64(jump)) })
					ids := s.drop(given)
					s.untilEach(ids, submission.Done)
					took := s.clock.Now().Sub(start)
					assert.True(t, took <= time.Hour, "it took %v", took)
					s.atService(file)
				})
			}
		}
	}
}

// wayOf is all that a submission goes through, in their order: before and after each write and each call.
func wayOf(t *testing.T, p plan, given ...string) (all []moment) {
	t.Helper()
	var mu sync.Mutex
	s := setupSandbox(t, p)
	s.set(func(at moment) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, at)
		return nil
	})
	s.untilEach(s.drop(given...), submission.Done)
	s.stop()
	mu.Lock()
	defer mu.Unlock()
	if len(all) < 10 {
		t.Fatalf("only %v happens", all)
	}
	return all
}

// urlMatters are the moments after which it makes a difference that an upload URL has expired.
var urlMatters = regexp.MustCompile("after upload-url|writing url-held|writing sending|put|before writing sent")

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
		all := wayOf(t, kind.plan, kind.given)
		for n, at := range all {
			if kind.plan.faults != nil && !slices.Contains(all[:n+1], "after put") {
				continue // until then it is a file like any other
			}
			for _, later := range []time.Duration{0, 20 * time.Minute} {
				if later > 0 && !urlMatters.MatchString(string(at)) {
					continue
				}
				t.Run(fmt.Sprintf("%s, %d %s, started %v later", kind.name, n+1, at, later), func(t *testing.T) {
					s := setupSandbox(t, kind.plan)
					reached, first := make(chan struct{}), s.Queue
					s.at(int64(n+1), func() {
						close(reached)
						s.untilClosing(first)
					})
					handed := make(chan []string)
					go func() {
						accepted, err := first.Accept(t.Context(), intake.Inputs(kind.given), intake.Options{Source: submission.Dropped})
						assert.True(t, err == nil || errors.Is(err, intake.ErrClosed), "%v", err)
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
					s.clock.Advance(later)
					if strings.HasSuffix(string(at), "accepting") && len(ids) == 0 {
						ids = s.drop(kind.given) // it was not taken, and said so
					}
					s.untilEach(ids, submission.Done, submission.Failed)
					s.retryAll(ids)
					s.atService(file)
				})
			}
		}
	}
}

// untilClosing waits until a queue takes nothing any more.
func (s *sandboxed) untilClosing(q *intake.Queue) {
	again, limit := time.NewTicker(time.Millisecond), time.After(time.Minute)
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
