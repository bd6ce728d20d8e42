package sandbox

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"assay/client/assert"
)

const feedbackPath = "/api/v2/user-feedback"

func feedbackOn(t *testing.T, requestID string, more map[string]any) string {
	t.Helper()
	body := map[string]any{"requestId": requestID, "label": "SYNTHETIC", "feedbackCategory": "FALSE_NEGATIVE"}
	for name, value := range more {
		body[name] = value
	}
	encoded, err := json.Marshal(body)
	assert.NoError(t, err)
	return string(encoded)
}

func TestFeedback(t *testing.T) {
	s := setupWith(t, Options{SecondUser: true}, newClock())
	id := s.upload(t, "a.jpg", photo(t, 1))
	want := Feedback{
		UserID: "sandbox-user", RequestID: id, InstitutionID: "sandbox", Text: "Seen on the day itself.", Category: "FALSE_NEGATIVE",
		UserName: "Sandbox User", UserEmail: "user@sandbox.invalid", OrgName: "Sandbox", MediaType: "IMAGE",
		MediaViewURL: s.url + "/api/media/users/" + id, MediaSource: "FILE", Label: "SYNTHETIC", CreatedAt: "2026-03-14T09:26:53.000Z",
	}
	anyID := cmpopts.IgnoreFields(Feedback{}, "ID")

	t.Run("the answer is 201 with the record, its comment as text", func(t *testing.T) {
		answer := s.call(t, http.MethodPost, feedbackPath, feedbackOn(t, id, map[string]any{"comment": want.Text}))
		got := decode[Feedback](t, answer.body)
		if answer.status != http.StatusCreated || uuid.Validate(got.ID) != nil {
			t.Errorf("%d with id %q", answer.status, got.ID)
		}
		assert.Equal(t, want, got, anyID)
	})
	t.Run("without a comment there is no text", func(t *testing.T) {
		answer := s.call(t, http.MethodPost, feedbackPath, feedbackOn(t, id, nil))
		if _, has := decode[map[string]any](t, answer.body)["text"]; answer.status != http.StatusCreated || has {
			t.Errorf("%d %s", answer.status, answer.body)
		}
	})
	t.Run("every label and category of the interface is taken and echoed", func(t *testing.T) {
		for _, label := range []string{"REAL", "SYNTHETIC", "MANIPULATED", "UNKNOWN"} {
			for _, category := range []string{"FALSE_POSITIVE", "FALSE_NEGATIVE", "CONFIRMATION", "OTHER"} {
				answer := s.call(t, http.MethodPost, feedbackPath, feedbackOn(t, id, map[string]any{"label": label, "feedbackCategory": category}))
				if got := decode[Feedback](t, answer.body); answer.status != http.StatusCreated || got.Label != label || got.Category != category {
					t.Errorf("%s %s: %d %s", label, category, answer.status, answer.body)
				}
			}
		}
	})

	kept, err := s.Feedback()
	if err != nil || len(kept) != 18 {
		t.Fatalf("%d kept: %v", len(kept), err)
	}
	never := s.ask(t, "never uploaded.jpg").RequestID
	for _, refused := range []struct {
		what, body  string
		code, words string
	}{
		{"a result that does not exist", feedbackOn(t, uuid.NewString(), nil), "media-result-not-found", "Media result does not exist!"},
		{"a file that was never uploaded", feedbackOn(t, never, nil), "media-result-not-found", "Media result does not exist!"},
		{"a label outside the list", feedbackOn(t, id, map[string]any{"label": "real"}), "invalid-label", "REAL, SYNTHETIC, MANIPULATED, UNKNOWN"},
		{"no label", feedbackOn(t, id, map[string]any{"label": nil}), "invalid-label", "REAL"},
		{"a category outside the list", feedbackOn(t, id, map[string]any{"feedbackCategory": "WRONG"}), "invalid-feedback-category", "FALSE_POSITIVE"},
		{"a comment that is no text", feedbackOn(t, id, map[string]any{"comment": 5}), "invalid-request", "JSON object"},
		{"no JSON", "label=REAL", "invalid-request", "JSON object"},
	} {
		t.Run(refused.what+" is 400 in words", func(t *testing.T) {
			got := s.call(t, http.MethodPost, feedbackPath, refused.body)
			said := decode[apiError](t, got.body)
			if got.status != http.StatusBadRequest || said.Code != refused.code || said.Errno == 0 || !strings.Contains(said.Response, refused.words) {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	asSecond := http.Header{"X-Api-Key": {s.SecondKey()}}
	t.Run("another organisation's result is 403 in the interface's words", func(t *testing.T) {
		got := s.send(t, http.MethodPost, s.url+feedbackPath, asSecond, []byte(feedbackOn(t, id, nil)))
		want := apiError{Code: "feedback-not-authorized", Errno: 1, Response: "You are not authorized to create feedback for this media result!"}
		if diff := cmp.Diff(want, decode[apiError](t, got.body)); got.status != http.StatusForbidden || diff != "" {
			t.Errorf("%d %s", got.status, diff)
		}
	})
	t.Run("what was refused is not kept", func(t *testing.T) {
		if after, err := s.Feedback(); err != nil || len(after) != len(kept) {
			t.Errorf("%d kept, want %d: %v", len(after), len(kept), err)
		}
	})
	t.Run("what was kept outlives a restart", func(t *testing.T) {
		s.stop()
		after := setupIn(t, s.dir, s.clock)
		got, err := after.Feedback()
		if diff := cmp.Diff(kept, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	})
	t.Run("a damaged record is told of, and the others are there", func(t *testing.T) {
		assert.NoError(t, os.WriteFile(filepath.Join(s.dir, feedbackDir, "damaged.json"), []byte("{"), 0o600))
		got, err := setupIn(t, s.dir, s.clock).Feedback()
		if err == nil || !strings.Contains(err.Error(), "damaged.json") || len(got) != len(kept) {
			t.Errorf("%d and %v", len(got), err)
		}
	})
}

func TestSecondUser(t *testing.T) {
	s := setupWith(t, Options{SecondUser: true}, newClock())
	first := s.upload(t, "first.txt", []byte("hello"))
	asSecond := http.Header{"X-Api-Key": {s.SecondKey()}}
	answer := s.send(t, http.MethodPost, s.url+"/api/files/cloud-presigned", asSecond, []byte(`{"fileName":"second.txt"}`))
	asked := decode[uploadAnswer](t, answer.body)
	if put := s.put(t, asked.Response.SignedURL, []byte("hello")); put.status != http.StatusOK {
		t.Fatalf("%d %s", put.status, put.body)
	}

	t.Run("each lists only what is its own", func(t *testing.T) {
		for id, header := range map[string]http.Header{first: {"X-Api-Key": {s.Key()}}, asked.RequestID: asSecond} {
			got := decode[resultList](t, s.send(t, http.MethodGet, s.url+"/api/v2/media/users/pages/0", header, nil).body)
			if len(got.MediaList) != 1 || got.MediaList[0].RequestID != id {
				t.Errorf("%d listed", len(got.MediaList))
			}
		}
	})
	t.Run("to each, the other's result does not exist", func(t *testing.T) {
		if got := s.call(t, http.MethodGet, "/api/media/users/"+asked.RequestID, ""); got.status != http.StatusNotFound {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
	t.Run("its results carry its own user and organisation", func(t *testing.T) {
		got := decode[map[string]any](t, s.send(t, http.MethodGet, s.url+"/api/media/users/"+asked.RequestID, asSecond, nil).body)
		if got["userId"] != "sandbox-second-user" || got["institutionId"] != "sandbox-second" {
			t.Errorf("%v of %v", got["userId"], got["institutionId"])
		}
	})
	t.Run("without the option there is no second key", func(t *testing.T) {
		alone := setup(t)
		if alone.SecondKey() != "" {
			t.Error("there is one")
		}
		if got := alone.send(t, http.MethodGet, alone.url+"/api/v2/media/users", asSecond, nil); got.status != http.StatusUnauthorized {
			t.Errorf("%d", got.status)
		}
	})
}
