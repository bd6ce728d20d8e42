package intake_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/sandbox"
	"assay/client/submission"
)

// age lets time pass before something happens.
func age(d time.Duration, do func(*scene, http.ResponseWriter, *http.Request)) func(*scene, http.ResponseWriter, *http.Request) {
	return func(s *scene, w http.ResponseWriter, r *http.Request) {
		s.clock.advance(d)
		do(s, w, r)
	}
}

// answerLate lets time pass after the sandbox has answered.
func answerLate(d time.Duration) func(*scene, http.ResponseWriter, *http.Request) {
	return func(s *scene, w http.ResponseWriter, r *http.Request) {
		s.wire.pass(w, r)
		s.clock.advance(d)
	}
}

const expires = client.SignedURLLife + time.Minute

func TestAddressesThatExpire(t *testing.T) {
	through := func(s *scene, w http.ResponseWriter, r *http.Request) { s.wire.pass(w, r) }
	for _, c := range []struct {
		name      string
		troubles  []trouble
		puts      int // uploads
		addresses int
	}{
		{"U13 before the bytes went out", []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: age(expires, through)}}, 2, 2},
		{"U13 while the answer with the address was under way",
			[]trouble{{op: sandbox.OpUploadURL, from: 1, to: 1, do: answerLate(expires)}}, 2, 2},
		{"while the upload broke, and the list does not show it", []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: age(expires, cutAfter(0.5))}}, 2, 2},
		{"while the answer to the bytes was lost, and the list shows it", []trouble{{op: sandbox.OpPut, from: 1, to: 1,
			do: func(s *scene, w http.ResponseWriter, r *http.Request) {
				s.wire.pass(httptest.NewRecorder(), r)
				s.clock.advance(expires)
				breakOff(w)
			}}}, 1, 1},
		{"likewise, where the list shows it late", []trouble{
			{op: sandbox.OpPut, from: 1, to: 1, do: func(s *scene, w http.ResponseWriter, r *http.Request) {
				s.wire.pass(httptest.NewRecorder(), r)
				s.clock.advance(expires)
				breakOff(w)
			}},
			{op: sandbox.OpList, from: 1, to: 2, do: answering(200, "Content-Type", "application/json", `{"totalItems": 0, "mediaList": []}`)},
		}, 1, 1},
		{"likewise, where the list is out of order for long", []trouble{
			{op: sandbox.OpPut, from: 1, to: 1, do: func(s *scene, w http.ResponseWriter, r *http.Request) {
				s.wire.pass(httptest.NewRecorder(), r)
				s.clock.advance(expires)
				breakOff(w)
			}},
			{op: sandbox.OpList, from: 1, to: 40, do: answering(503, "Retry-After", "5", "")},
		}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, plan{troubles: c.troubles})
			file := noise(t, 5)
			s.until(s.hand(file), submission.Done)
			if puts, asked := len(s.wire.asked(sandbox.OpPut)), len(s.wire.asked(sandbox.OpUploadURL)); puts != c.puts || asked != c.addresses {
				t.Errorf("%d uploads to %d addresses, want %d to %d", puts, asked, c.puts, c.addresses)
			}
			s.atService(file)
		})
	}
	t.Run("U13 each time anew: said after the second, without a loop", func(t *testing.T) {
		s := newScene(t, plan{faults: []string{"put:expired@1-2"}})
		file := noise(t, 5)
		ids := s.hand(file)
		if got := s.until(ids, submission.Failed); !strings.Contains(got.Problem.String(), "denied") {
			t.Errorf("it says %q", got.Problem)
		}
		if puts := len(s.wire.asked(sandbox.OpPut)); puts != 2 {
			t.Errorf("%d uploads", puts)
		}
		s.retryAll(ids)
		s.atService(file)
	})
	t.Run("A3 links in an answer that have expired end nothing", func(t *testing.T) {
		s := newScene(t, plan{faults: []string{"result:expired"}})
		file := noise(t, 5)
		s.until(s.hand(file), submission.Done)
		s.atService(file)
	})
}

func TestBytesWhoseAnswerWasLostAreFoundHoweverWrongTheClockIs(t *testing.T) {
	for _, ahead := range []time.Duration{-3 * time.Hour, -3 * time.Minute, 3 * time.Minute, time.Hour, 30 * time.Hour} {
		t.Run(fmt.Sprintf("ours is %v ahead of the service's", ahead), func(t *testing.T) {
			s := newScene(t, plan{
				options: func(o *client.Options) {
					now := o.Now
					o.Now = func() time.Time { return now().Add(ahead) }
				},
				troubles: []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: func(s *scene, w http.ResponseWriter, r *http.Request) {
					s.wire.pass(httptest.NewRecorder(), r)
					s.clock.advance(expires)
					breakOff(w)
				}}}})
			file := noise(t, 5)
			s.until(s.hand(file), submission.Done)
			s.atService(file)
		})
	}
}
