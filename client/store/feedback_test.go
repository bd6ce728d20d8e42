package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/store"
)

// sampleFeedback is a feedback on a result, as it is given.
func sampleFeedback(requestID string) store.Feedback {
	return store.Feedback{Feedback: client.Feedback{RequestID: requestID, Label: client.LabelReal, Category: client.FalsePositive}, Due: noon.Add(5 * time.Second)}
}

func addFeedback(t *testing.T, s *store.Store, f store.Feedback) store.Feedback {
	t.Helper()
	f, err := s.AddFeedback(t.Context(), f)
	assert.NoError(t, err)
	return f
}

func TestFeedbackStates(t *testing.T) {
	t.Run("it waits until another state is kept, which outlives a restart with everything else", func(t *testing.T) {
		folder := t.TempDir()
		s := open(t, folder, store.Options{})
		f := addFeedback(t, s, sampleFeedback("r"))
		if f.State != store.FeedbackWaiting {
			t.Errorf("it is %s", f.State)
		}
		f.State, f.Problem = store.FeedbackUnknown, i18n.Verbatim("No answer came.")
		assert.NoError(t, s.SaveFeedback(t.Context(), f))
		assert.NoError(t, s.Close())
		got, ok, err := open(t, folder, store.Options{}).FeedbackByID(t.Context(), f.ID)
		if assert.NoError(t, err); !ok {
			t.Fatal("it is lost")
		}
		same(t, f, got)
	})
	t.Run("one that waits can be taken back, and nothing of it stays", func(t *testing.T) {
		s := setup(t)
		f := addFeedback(t, s, sampleFeedback("r"))
		assert.NoError(t, s.RemoveFeedback(t.Context(), f.ID))
		if all, err := s.FeedbackOf(t.Context(), "r"); len(all) != 0 || err != nil {
			t.Error(all, err)
		}
		if err := s.RemoveFeedback(t.Context(), f.ID); !errors.Is(err, store.ErrUnknown) {
			t.Error(err)
		}
	})
	for _, state := range []store.FeedbackState{store.FeedbackSending, store.FeedbackUnknown, store.FeedbackSent, store.FeedbackRefused} {
		t.Run("one that the service may have or has seen is not taken back: "+string(state), func(t *testing.T) {
			s := setup(t)
			f := addFeedback(t, s, sampleFeedback("r"))
			f.State = state
			assert.NoError(t, s.SaveFeedback(t.Context(), f))
			if err := s.RemoveFeedback(t.Context(), f.ID); !errors.Is(err, store.ErrKept) {
				t.Error(err)
			}
			if _, ok, err := s.FeedbackByID(t.Context(), f.ID); !ok || err != nil {
				t.Error("it is gone", err)
			}
		})
	}
	t.Run("that the service has it is in the custody log once, with the hash of its record", func(t *testing.T) {
		s := setup(t)
		add(t, s, answered(t, "a", client.Fake))
		f := addFeedback(t, s, sampleFeedback("request-a"))
		f.State = store.FeedbackSending
		assert.NoError(t, s.SaveFeedback(t.Context(), f))
		f.State, f.Sent, f.Record = store.FeedbackSent, noon, []byte(`{"id":"7"}`)
		for range 2 {
			assert.NoError(t, s.SaveFeedback(t.Context(), f))
		}
		assert.Equal(t, "accepted, feedback sent", eventsOf(t, s, "a"))
		entries, err := s.Custody(t.Context(), "a")
		assert.NoError(t, err)
		var said struct{ AnswerSHA256 string }
		assert.NoError(t, json.Unmarshal(entries[1].Facts, &said))
		if sum := sha256.Sum256(f.Record); said.AnswerSHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("the entry says %s", entries[1].Facts)
		}
		assert.NoError(t, s.VerifyCustody(t.Context()))
	})
	t.Run("one on a result that is not known here is kept without an entry", func(t *testing.T) {
		s := setup(t)
		f := addFeedback(t, s, sampleFeedback("elsewhere"))
		f.State, f.Sent = store.FeedbackSent, noon
		assert.NoError(t, s.SaveFeedback(t.Context(), f))
		assert.NoError(t, s.VerifyCustody(t.Context()))
	})
}
