package feedback_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/feedback"
	"assay/client/plain"
	"assay/client/store"
)

const moment = time.Second

// longestPause is that after failures.
const longestPause = 5 * time.Minute

func status(code int, more ...string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i+1 < len(more); i += 2 {
			w.Header().Set(more[i], more[i+1])
		}
		w.WriteHeader(code)
		return true
	}
}

func noAnswer(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

func TestUndo(t *testing.T) {
	t.Run("nothing is sent within five seconds, and then it is, once, as given", func(t *testing.T) {
		d := setup(t, serve(t))
		f := d.give("  Seen on the day. ")
		d.awaits(feedback.UndoFor)
		d.clock.Advance(feedback.UndoFor - moment)
		if got := d.all(); len(got) != 1 || got[0].State != store.FeedbackWaiting || d.service.asked() != 0 {
			t.Fatalf("%+v after %d requests", got, d.service.asked())
		}
		d.clock.Advance(moment)
		d.becomes(f.ID, store.FeedbackSent)
		assert.Equal(t, map[string]int{"Seen on the day.": 1}, d.service.records())
	})
	t.Run("what is taken back was never given", func(t *testing.T) {
		d := setup(t, serve(t))
		f := d.give("")
		assert.NoError(t, d.Undo(t.Context(), f.ID))
		other := d.give("another")
		d.passes(time.Hour)
		d.becomes(other.ID, store.FeedbackSent)
		got := d.all()
		assert.True(t, len(got) == 1 && d.service.asked() == 1, "%+v after %d requests", got, d.service.asked())
	})
	t.Run("while it is sent, and afterwards, it is refused in a sentence", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		came, goOn := make(chan struct{}), make(chan struct{})
		s.fails(func(http.ResponseWriter, *http.Request) bool { close(came); <-goOn; return false })
		f := d.give("")
		d.undoPasses()
		<-came
		for _, action := range []func() error{
			func() error { return d.Undo(t.Context(), f.ID) }, func() error { return d.Hold(t.Context(), f.ID) },
			func() error { return d.Change(t.Context(), f.ID, s.sampleFeedback("late")) }, func() error { return d.Retry(t.Context(), f.ID) },
		} {
			err := action()
			assert.True(t, errors.Is(err, feedback.ErrSending), "%v", err)
		}
		close(goOn)
		d.becomes(f.ID, store.FeedbackSent)
		if err := d.Undo(t.Context(), f.ID); !errors.Is(err, feedback.ErrSent) {
			t.Error(err)
		}
		if err := d.Undo(t.Context(), "never given"); !errors.Is(err, feedback.ErrGone) {
			t.Error(err)
		}
		assert.Equal(t, map[string]int{"": 1}, s.records())
	})
	t.Run("a change counts the five seconds anew, and is what is sent", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		f := d.give("")
		d.clock.Advance(4 * moment)
		changed := client.Feedback{Label: client.LabelSynthetic, Category: client.Confirmation, Comment: "The shadows."}
		assert.NoError(t, d.Change(t.Context(), f.ID, changed))
		d.awaits(feedback.UndoFor)
		d.clock.Advance(4 * moment)
		assert.True(t, s.asked() == 0, "it is sent")
		d.clock.Advance(moment)
		d.becomes(f.ID, store.FeedbackSent)
		all, err := s.Feedback()
		assert.True(t, err == nil && len(all) == 1 && all[0].Label == "SYNTHETIC" && all[0].Text == "The shadows." && all[0].RequestID == s.requestID, "%v %v", all, err)
	})
	t.Run("it waits for a comment that is being written, but not for ever", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		f := d.give("")
		assert.NoError(t, d.Hold(t.Context(), f.ID))
		d.clock.Advance(feedback.HoldFor - moment)
		if got := d.all(); got[0].State != store.FeedbackWaiting {
			t.Fatalf("%+v", got)
		}
		assert.NoError(t, d.Release(t.Context(), f.ID))
		d.undoPasses()
		d.becomes(f.ID, store.FeedbackSent)
		left := d.give("left open")
		assert.NoError(t, d.Hold(t.Context(), left.ID))
		d.passes(feedback.HoldFor)
		d.becomes(left.ID, store.FeedbackSent)
	})
	t.Run("F2 what is not of the lists is not kept", func(t *testing.T) {
		d := setup(t, serve(t))
		for _, spoil := range []func(*client.Feedback){
			func(f *client.Feedback) { f.Label = "FAKE" }, func(f *client.Feedback) { f.Category = "" }, func(f *client.Feedback) { f.RequestID = " " },
		} {
			f := d.service.sampleFeedback("")
			spoil(&f)
			var said *feedback.Error
			_, err := d.Give(t.Context(), f)
			assert.True(t, errors.As(err, &said) && said.Sentence() != "", "%v", err)
		}
		got := d.all()
		assert.True(t, len(got) == 0, "%+v", got)
	})
}

func TestOutcomes(t *testing.T) {
	t.Run("F3 the record is kept with the result, every field as sent", func(t *testing.T) {
		d := setup(t, serve(t))
		f := d.give("Seen.")
		d.undoPasses()
		kept := d.becomes(f.ID, store.FeedbackSent)
		var record client.FeedbackRecord
		err := json.Unmarshal(kept.Record, &record)
		assert.True(t, err == nil && record.Text == plain.From("Seen.") && !record.UserEmail.IsZero() && kept.Sent.Equal(d.clock.Now()) && kept.Problem.IsZero(),
			"%v: %+v", err, kept)
	})
	t.Run("F4 400 and 403 are final, in the service's words, and not sent again", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		unknown := s.sampleFeedback("")
		unknown.RequestID = "unknown"
		s.key.Store(s.SecondKey())
		foreign := d.give("")
		d.undoPasses()
		if f := d.becomes(foreign.ID, store.FeedbackRefused); f.Problem.String() != "The service says: “You are not authorized to create feedback for this media result!”" {
			t.Errorf("%q", f.Problem)
		}
		s.key.Store(s.Key())
		missing, err := d.Give(t.Context(), unknown)
		assert.NoError(t, err)
		d.undoPasses()
		good := d.give("good")
		d.undoPasses()
		d.becomes(good.ID, store.FeedbackSent)
		if f, _, err := d.store.FeedbackByID(t.Context(), missing.ID); err != nil || f.State != store.FeedbackRefused || f.Problem.String() != "The service says: “Media result does not exist!”" {
			t.Errorf("%v: %+v", err, f)
		}
		if err := d.Retry(t.Context(), foreign.ID); !errors.Is(err, feedback.ErrRefused) {
			t.Error(err)
		}
		d.TryNow()
		d.clock.Advance(time.Hour)
		d.Close()
		again := setupAt(t, s, d.store, d.clock)
		again.TryNow()
		d.clock.Advance(time.Hour)
		again.Close()
		assert.True(t, s.asked() == 3, "%d requests for three", s.asked())
	})
	t.Run("F5 given without a network it is kept, said so, and sent later, once", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		s.offline.Store(true)
		first, second := d.give("first"), d.give("second")
		d.undoPasses()
		sentence := d.waits(first.ID)
		assert.True(t, strings.Contains(sentence, "could not be reached"), "it says %q", sentence)
		d.waits(second.ID)
		for range 20 { // a night
			d.passes(longestPause)
			d.waits(first.ID)
		}
		d.awaits(longestPause) // no attempt is under way
		s.offline.Store(false)
		d.TryNow()
		d.becomes(second.ID, store.FeedbackSent)
		diff := cmp.Diff(map[string]int{"first": 1, "second": 1}, s.records())
		assert.True(t, diff == "" && s.asked() == 2, "%d requests %s", s.asked(), diff)
	})
	t.Run("F5 it is sent by a later run, too", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		s.offline.Store(true)
		f := d.give("before")
		d.undoPasses()
		d.waits(f.ID)
		d.Close()
		s.offline.Store(false)
		again := setupAt(t, s, d.store, d.clock)
		d.clock.Advance(feedback.UndoFor)
		again.becomes(f.ID, store.FeedbackSent)
		assert.Equal(t, map[string]int{"before": 1}, s.records())
	})
	t.Run("F5 what could not be sent can still be taken back", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		s.offline.Store(true)
		f := d.give("")
		d.undoPasses()
		d.waits(f.ID)
		assert.NoError(t, d.takenBack(f.ID))
		s.offline.Store(false)
		d.TryNow()
		d.clock.Advance(time.Hour)
		d.Close()
		assert.True(t, s.asked() == 0 && len(d.all()) == 0, "%d requests, %+v", s.asked(), d.all())
	})
	t.Run("F5 what is sent behind an older one that waits is said to wait as well", func(t *testing.T) {
		for _, fails := range []func(s *service){
			func(s *service) { s.offline.Store(true) },
			func(s *service) { s.key.Store("wrong") },
		} {
			s := serve(t)
			fails(s)
			d := setup(t, s)
			older := d.give("older")
			d.undoPasses()
			d.waits(older.ID)
			f, err := d.Send(t.Context(), "mine", s.sampleFeedback("mine"))
			assert.True(t, err == nil && f.State == store.FeedbackWaiting && !f.Problem.IsZero(), "%v: %+v", err, f)
		}
	})
	t.Run("a key that is not accepted is waited for, without asking again", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		s.key.Store("wrong")
		f := d.give("kept")
		d.undoPasses()
		sentence := d.waits(f.ID)
		assert.True(t, strings.Contains(sentence, "key"), "it says %q", sentence)
		asked := s.asked()
		d.clock.Advance(24 * time.Hour)
		assert.True(t, s.asked() == asked, "%d requests with a wrong key", s.asked())
		s.key.Store(s.Key())
		d.TryNow()
		d.becomes(f.ID, store.FeedbackSent)
	})
	t.Run("K5 a busy service is waited for as long as it asks", func(t *testing.T) {
		for _, code := range []int{429, 503} {
			s := serve(t)
			d := setup(t, s)
			s.fails(status(code, "Retry-After", "120"))
			f := d.give("")
			d.undoPasses()
			d.waits(f.ID)
			asked := s.asked()
			s.fails(nil)
			d.awaits(120 * time.Second)
			d.clock.Advance(119 * time.Second)
			assert.True(t, s.asked() == asked, "%d: it asked before", code)
			d.clock.Advance(moment)
			d.becomes(f.ID, store.FeedbackSent)
			assert.Equal(t, map[string]int{"": 1}, s.records())
		}
	})
	for name, fault := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"no answer": noAnswer, "500": status(500), "502": status(502), "a success that is none of the interface's": status(200),
	} {
		t.Run("an outcome that is not known is said, and not sent again unless the person says so: "+name, func(t *testing.T) {
			s := serve(t)
			d := setup(t, s)
			s.fails(fault)
			f := d.give("")
			d.undoPasses()
			if f := d.becomes(f.ID, store.FeedbackUnknown); f.Problem.IsZero() {
				t.Error("it does not say why")
			}
			s.fails(nil)
			d.TryNow()
			d.clock.Advance(24 * time.Hour)
			err := d.Undo(t.Context(), f.ID)
			assert.True(t, errors.Is(err, feedback.ErrUnclear), "%v", err)
			d.Close()
			again := setupAt(t, s, d.store, d.clock)
			d.clock.Advance(24 * time.Hour)
			again.becomes(f.ID, store.FeedbackUnknown)
			if s.asked() != 1 {
				t.Fatalf("%d requests", s.asked())
			}
			assert.NoError(t, again.Retry(t.Context(), f.ID))
			again.becomes(f.ID, store.FeedbackSent)
			assert.Equal(t, map[string]int{"": 1}, s.records())
		})
	}
	t.Run("Close waits for the answer under way", func(t *testing.T) {
		s := serve(t)
		d := setup(t, s)
		came, goOn := make(chan struct{}), make(chan struct{})
		s.fails(func(http.ResponseWriter, *http.Request) bool { close(came); <-goOn; return false })
		f := d.give("")
		d.undoPasses()
		<-came
		closed := make(chan struct{})
		go func() { defer close(closed); d.Close() }()
		close(goOn)
		<-closed
		got, _, err := d.store.FeedbackByID(t.Context(), f.ID)
		assert.True(t, err == nil && got.State == store.FeedbackSent, "%v: %+v", err, got)
	})
	t.Run("Close does not wait for one that never comes, whose outcome is then unknown", func(t *testing.T) {
		s := serve(t)
		came := make(chan struct{})
		s.fails(func(_ http.ResponseWriter, r *http.Request) bool {
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the caller hangs up
			close(came)
			<-r.Context().Done()
			return true
		})
		d := setup(t, s, func(p *feedback.Params) {
			c := newClock()
			p.Now, p.Wait = c.Now, func(_ context.Context, d time.Duration) error { c.Advance(d); return nil }
		})
		f := d.give("")
		<-came
		d.Close()
		got, _, err := d.store.FeedbackByID(t.Context(), f.ID)
		assert.True(t, err == nil && got.State == store.FeedbackUnknown, "%v: %+v", err, got)
	})
}
