package command

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// words are what is said of a wait while so much time passes.
func (s *scanRun) words(c *tickingClock, d time.Duration) (said []string) {
	s.t.Helper()
	c.pass(d)
	for {
		select {
		case e := <-s.events:
			if e.Said == "" {
				s.t.Fatalf("got %+v", e)
			}
			said = append(said, e.Said)
		default:
			return said
		}
	}
}

// itemAfterWords is the next item, whatever is said before it.
func (s *scanRun) itemAfterWords() *itemEvent {
	s.t.Helper()
	for {
		switch e := got(s.t, s.events, "an item"); {
		case e.Item != nil:
			return e.Item
		case e.Said == "":
			s.t.Fatalf("got %+v", e)
		}
	}
}

func TestAScanSaysWhatItWaitsFor(t *testing.T) {
	const busy, offline = "The service is busy (503). Assay asks again in 20 s.", "The service could not be reached. Assay asks again in 30 s."
	begin := func(t *testing.T) (*tickingClock, *fakeQueue, *scanRun) {
		clock, d := newTickingClock(t), newFakeQueue(t)
		s := startScanAt(t, t.TempDir(), d, scanJob{Given: []string{"a", "b"}}, clock.after)
		s.accepted()
		clock.begun(remindTick)
		return clock, d, s
	}
	t.Run("after five seconds, then each minute, then each ten minutes", func(t *testing.T) {
		clock, d, s := begin(t)
		d.stand(intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim(busy)})
		for _, c := range []struct {
			d    time.Duration
			says int
		}{{5 * time.Second, 1}, {55 * time.Second, 0}, {5 * time.Second, 1}, {8 * time.Minute, 8}, {10 * time.Minute, 1}, {20 * time.Minute, 2}} {
			if said := s.words(clock, c.d); len(said) != c.says || c.says > 0 && said[0] != busy {
				t.Errorf("after %v it has said %d: %q", c.d, len(said), said)
			}
		}
	})
	t.Run("another reason is said at once", func(t *testing.T) {
		clock, d, s := begin(t)
		d.stand(intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim(busy)})
		said := s.words(clock, 10*time.Second)
		d.stand(intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim(offline)})
		said = append(said, s.words(clock, 10*time.Second)...)
		if want := []string{busy, offline}; !slices.Equal(said, want) {
			t.Errorf("it says %q", said)
		}
	})
	t.Run("one that comes and goes is not said each time", func(t *testing.T) {
		clock, d, s := begin(t)
		var said []string
		for range 6 {
			d.stand(intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim(busy)})
			said = append(said, s.words(clock, 5*time.Second)...)
			d.stand(intake.QueueStatus{})
			said = append(said, s.words(clock, 5*time.Second)...)
		}
		if len(said) != 1 || said[0] != busy {
			t.Errorf("it says %q", said)
		}
	})
	t.Run("what is answered in less needs no word", func(t *testing.T) {
		clock, d, s := begin(t)
		d.change("a#1", submission.Failed)
		s.item()
		if said := s.words(clock, 5*time.Second); len(said) != 0 {
			t.Errorf("it says %q", said)
		}
		if said := s.words(clock, 5*time.Second); len(said) != 1 || !strings.Contains(said[0], "b") {
			t.Errorf("it says %q", said)
		}
	})
	for _, c := range []struct {
		sub  submission.Submission
		says string
	}{
		{submission.Submission{State: submission.Analysing}, "Waiting for a: the service has it and has not finished."},
		{submission.Submission{State: submission.Sending, Size: 20 << 20, Sent: 3 << 20}, "Waiting for a: 3 of 20 MB sent."},
		{submission.Submission{State: submission.Sending}, "Waiting for a: Assay is asking the service to take it."},
		{submission.Submission{State: submission.Sending, Delay: i18n.Verbatim("The upload stopped moving. Assay asks again in 8 s.")},
			"a: The upload stopped moving. Assay asks again in 8 s."},
		{submission.Submission{State: submission.Checking}, "Waiting for a: Assay is reading it."},
		{submission.Submission{State: submission.Waiting}, "Waiting for a: others go first."},
		{submission.Submission{State: submission.Sending, Paused: true}, "Waiting for a: you have paused it. Resume it in Assay's window."},
	} {
		t.Run("whatever it waits for: "+c.says, func(t *testing.T) {
			clock, d, s := begin(t)
			c.sub.ID, c.sub.Name = "a#1", "a"
			d.mu.Lock()
			d.subs["a#1"] = c.sub
			d.mu.Unlock()
			if said := s.words(clock, 5*time.Second); len(said) != 1 || said[0] != c.says {
				t.Errorf("it says %q", said)
			}
		})
	}
}

func TestAScanWithATimeoutEnds(t *testing.T) {
	const timeout = 30 * time.Second
	job := scanJob{Given: []string{"a", "b", "c"}, Timeout: timeout}
	lines := func(s *scanRun) (lines []string) {
		for range job.Given {
			e := s.itemAfterWords()
			if e.Answered || !strings.Contains(e.JSON, `"error":"`) {
				s.t.Errorf("got %+v", e)
			}
			lines = append(lines, e.Line)
		}
		return lines
	}
	want := []string{
		"a: not answered. There was no answer within 30 s. The service is busy. The next scan goes on with it.",
		"b: not answered. No luck with b.",
		"c: not answered. There was no answer within 30 s. The service is busy. It was sent: the next scan prints its answer.",
	}
	for name, window := range map[string]bool{"alone": false, "through a window": true} {
		t.Run("each has its line, "+name, func(t *testing.T) {
			dir, d := t.TempDir(), newFakeQueue(t)
			clock := newTickingClock(t)
			if window {
				showWindowAt(t, dir, d, clock.after)
			}
			s := startScanAt(t, dir, d, job, clock.after)
			s.accepted()
			clock.begun(remindTick) // it follows them
			d.change("b#1", submission.Failed)
			d.sent("c#1")
			d.stand(intake.QueueStatus{Cause: intake.Busy, Reason: i18n.Verbatim("The service is busy. Assay asks again in 20 s."), Why: i18n.Verbatim("The service is busy.")})
			clock.end(timeout)
			if got := lines(s); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if err := s.end(); err != nil {
				t.Error(err)
			}
			if a := d.accepted(); len(a) != 1 {
				t.Errorf("accepted: %+v", a)
			}
		})
	}
	for name, window := range map[string]bool{"alone": false, "through a window": true} {
		t.Run("each has its line where it took all of the time to accept them, "+name, func(t *testing.T) {
			dir, d := t.TempDir(), newFakeQueue(t)
			clock := newTickingClock(t)
			d.entering = func() { clock.end(timeout) }
			if window {
				showWindowAt(t, dir, d, clock.after)
			}
			s := startScanBy(t, dir, d, job, clock.after, clock.time)
			s.accepted()
			clock.begun(remindTick)
			if !window {
				clock.end(timeout + timeoutGrace)
			}
			for i, got := range lines(s) {
				if want := job.Given[i] + ": not answered. There was no answer within 30 s. The next scan goes on with it."; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			if err := s.end(); err != nil {
				t.Error(err)
			}
		})
	}
	for name, again := range map[string]bool{"what was scanned anew may have been taken: that is said": true, "what was not": false} {
		t.Run("where the process that holds the folder has not said whether it took them, "+name, func(t *testing.T) {
			dir, d := t.TempDir(), newFakeQueue(t)
			clock, release := newTickingClock(t), make(chan struct{})
			entered := make(chan struct{}, 1)
			d.entering = func() {
				entered <- struct{}{}
				<-release
			}
			showWindowAt(t, dir, d, clock.after)
			t.Cleanup(func() { close(release) })
			job := job
			job.Again = again
			s := startScanAt(t, dir, d, job, clock.after)
			got(t, entered, "that it accepts them")
			clock.end(timeout + timeoutGrace)
			if !again {
				lines(s)
				if err := s.end(); err != nil {
					t.Error(err)
				}
				return
			}
			var refusal *ipc.Refusal
			want := "Assay may or may not have taken these. Look in its window before you scan them again."
			if err := s.end(); !errors.As(err, &refusal) || refusal.Sentence != want {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("what the process that holds the folder does not take has its line as well", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		clock := newTickingClock(t)
		h, err := ipc.Take(t.Context(), dir)
		assert.NoError(t, err)
		if err := h.Serve(t.Context(), session.NewEndpoint().Handle); err != nil { // its session never opens
			t.Fatal(err)
		}
		s := startScanAt(t, dir, d, scanJob{Given: []string{"/in/a.jpg", "https://site.example/b", "/in/c.jpg"}, Timeout: timeout}, clock.after)
		clock.begun(timeout + timeoutGrace)
		clock.end(timeout + timeoutGrace)
		got := lines(s)
		for i, name := range []string{"a.jpg", "https://site.example/b", "c.jpg"} {
			if want := name + ": not answered. There was no answer within 30 s."; got[i] != want {
				t.Errorf("got %q, want %q", got[i], want)
			}
		}
		if err := s.end(); err != nil || len(d.accepted()) != 0 {
			t.Errorf("%v, %+v", err, d.accepted())
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("where the process that it works through gives no sign of life any more, that is said", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		window, clock := newTickingClock(t), newTickingClock(t)
		showWindowAt(t, dir, d, window.after)
		s := startScanAt(t, dir, d, scanJob{Given: []string{"a"}}, clock.after)
		s.accepted()
		window.begun(remindTick)
		window.pass(2 * remindTick) // then it hangs
		for range 2 {               // signs of life
			clock.begun(silentFor)
		}
		clock.end(silentFor)
		for said := ""; said != i18n.Sentence(ipc.ErrSilent); {
			e := got(t, s.events, "that it does not answer")
			if said = e.Said; said == "" {
				t.Fatalf("got %+v", e)
			}
		}
	})
	t.Run("the time is said as it was given", func(t *testing.T) {
		assert.Equal(t, "There was no answer within 90 s.", noAnswerWithin(90*time.Second))
	})
	t.Run("where the process that it works through hangs, it ends in words", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		clock := newTickingClock(t)
		showWindowAt(t, dir, d, func(time.Duration) <-chan time.Time { return nil }) // time does not pass there
		s := startScanAt(t, dir, d, job, clock.after)
		s.accepted()
		clock.end(timeout + timeoutGrace)
		var refusal *ipc.Refusal
		if err := s.end(); !errors.As(err, &refusal) || refusal.Sentence != "There was no answer within 30 s. The next scan goes on with what is left." {
			t.Errorf("got %v", err)
		}
	})
}

// TestWhoeverReadsAListIsNotTakenForTheService has a pager that reads on after an hour, and a service that then takes its time.
func TestWhoeverReadsAListIsNotTakenForTheService(t *testing.T) {
	t.Setenv("ASSAY_API_KEY", "key")
	more, asked := make(chan struct{}), make(chan struct{}, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "/pages/0") {
			asked <- struct{}{}
			<-more
		}
		_, _ = io.WriteString(w, `[{"requestId":"r1","overallStatus":"FAKE"}]`) // the second page has nothing new: it is the last
	}))
	t.Cleanup(service.Close)
	clock, said := newTickingClock(t), &bytes.Buffer{}
	list := newList(&session.Options{Server: service.URL, Home: t.TempDir(), LogLevel: "error", Stderr: said, Say: func(string) {}}, clock.after)
	reads, printed := make(chan struct{}), make(chan struct{}, 10)
	list.SetOut(writerFunc(func(line []byte) (int, error) {
		printed <- struct{}{}
		<-reads
		return len(line), nil
	}))
	list.SetErr(said)
	list.SetArgs(nil)
	ended := make(chan error, 1)
	go func() { ended <- list.ExecuteContext(t.Context()) }()
	got(t, printed, "the first line")
	clock.begun(remindTick)
	clock.pass(time.Hour)
	if said.String() != "" {
		t.Errorf("while nobody reads it says %q", said)
	}
	close(reads)
	got(t, asked, "the request for the second page")
	clock.pass(remindTick)
	if said.String() != "" {
		t.Errorf("just after something was read it says %q", said)
	}
	clock.pass(remindTick)
	assert.Equal(t, "assay: "+i18n.T("Waiting for the service to answer.")+"\n", said.String())
	close(more)
	if err := got(t, ended, "its end"); err != nil {
		t.Error(err)
	}
}
