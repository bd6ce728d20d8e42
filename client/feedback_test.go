package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
)

// judgement is a feedback that may be sent.
func sampleFeedback() client.Feedback {
	return client.Feedback{RequestID: "r1", Label: client.LabelManipulated, Category: client.FalseNegative}
}

func TestSendFeedback(t *testing.T) {
	for comment, want := range map[string]string{
		"":                          `{"requestId":"r1","label":"MANIPULATED","feedbackCategory":"FALSE_NEGATIVE"}`,
		" \n":                       `{"requestId":"r1","label":"MANIPULATED","feedbackCategory":"FALSE_NEGATIVE"}`,
		"Seen in 2019 already, \"ü": `{"requestId":"r1","label":"MANIPULATED","feedbackCategory":"FALSE_NEGATIVE","comment":"Seen in 2019 already, \"ü"}`,
	} {
		t.Run(fmt.Sprintf("F1 it is posted with the comment only where there is one: %q", comment), func(t *testing.T) {
			s := serve(t, answer(http.StatusCreated, `{}`))
			f := sampleFeedback()
			f.Comment = comment
			if _, err := connect(t, s.URL).SendFeedback(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			asked := s.only(t)
			if asked.Method != http.MethodPost || asked.Target != "/odd/base/api/v2/user-feedback" || asked.Header.Get("Content-Type") != "application/json" {
				t.Errorf("asked %s %s with %v", asked.Method, asked.Target, asked.Header)
			}
			assert.Equal(t, want, string(asked.Body))
		})
	}

	labels := []client.Label{"REAL", "SYNTHETIC", "MANIPULATED", "UNKNOWN"}
	categories := []client.Category{"FALSE_POSITIVE", "FALSE_NEGATIVE", "CONFIRMATION", "OTHER"}
	t.Run("F2 every label and category of the interface can be sent", func(t *testing.T) {
		assert.Equal(t, labels, client.Labels())
		assert.Equal(t, categories, client.Categories())
		for _, label := range labels {
			for _, category := range categories {
				s := serve(t, answer(http.StatusCreated, `{}`))
				if _, err := connect(t, s.URL).SendFeedback(t.Context(), client.Feedback{RequestID: "r1", Label: label, Category: category}); err != nil {
					t.Fatal(err)
				}
				var sent map[string]string
				assert.NoError(t, json.Unmarshal(s.only(t).Body, &sent))
				assert.Equal(t, map[string]string{"requestId": "r1", "label": string(label), "feedbackCategory": string(category)}, sent)
			}
		}
	})
	for name, spoil := range map[string]func(*client.Feedback){
		"no label": func(f *client.Feedback) { f.Label = "" }, "another label": func(f *client.Feedback) { f.Label = "FAKE" }, "a label in small letters": func(f *client.Feedback) { f.Label = "real" },
		"a category as label": func(f *client.Feedback) { f.Label = "OTHER" }, "no category": func(f *client.Feedback) { f.Category = "" }, "another category": func(f *client.Feedback) { f.Category = "SPAM" },
		"a padded category": func(f *client.Feedback) { f.Category = "OTHER " }, "no result": func(f *client.Feedback) { f.RequestID = " " },
	} {
		t.Run("F2 nothing else can be sent: "+name, func(t *testing.T) {
			s := serve(t, answer(http.StatusCreated, `{}`))
			f := sampleFeedback()
			spoil(&f)
			_, err := connect(t, s.URL).SendFeedback(t.Context(), f)
			wantKind(t, err, client.KindSetup)
			if e := failure(t, err); len(s.seen()) != 0 || e.Message.IsZero() || e.Temporary() {
				t.Errorf("%d requests, %+v", len(s.seen()), e)
			}
		})
	}

	t.Run("F3 201 brings the record, every field of it", func(t *testing.T) {
		const sent = `{"id":"f1","userId":"u1","requestId":"r1","institutionId":"i1","text":"Seen.","category":"FALSE_NEGATIVE","userName":"A B","userEmail":"a@example.org","orgName":"Desk",
			"mediaType":"IMAGE","mediaViewUrl":"https://v.example/r1","mediaSource":"API","label":"MANIPULATED","createdAt":"2026-03-01T12:00:00Z","new":[1]}`
		s := serve(t, answer(http.StatusCreated, sent))
		got, err := connect(t, s.URL).SendFeedback(t.Context(), sampleFeedback())
		assert.NoError(t, err)
		want := client.FeedbackRecord{ID: plain.From("f1"), UserID: "u1", RequestID: "r1", InstitutionID: "i1", Text: plain.From("Seen."), Category: client.FalseNegative, UserName: plain.From("A B"), UserEmail: plain.From("a@example.org"),
			OrgName: plain.From("Desk"), MediaType: client.Image, MediaViewURL: "https://v.example/r1", MediaSource: plain.From("API"), Label: client.LabelManipulated, CreatedAt: plain.From("2026-03-01T12:00:00Z"), Raw: json.RawMessage(sent)}
		assert.Equal(t, want, got)
	})
	for body, want := range map[string]client.FeedbackRecord{
		`{}`: {Raw: json.RawMessage(`{}`)}, `null`: {Raw: json.RawMessage(`null`)}, `"done"`: {Raw: json.RawMessage(`"done"`)}, ``: {}, `<html>done</html>`: {}, `{"id":`: {},
		`{"id":7,"text":{},"label":"REAL"}`: {Label: client.LabelReal, Raw: json.RawMessage(`{"id":7,"text":{},"label":"REAL"}`)},
	} {
		t.Run("F3 any field may be missing or odd, and the whole record: "+body, func(t *testing.T) {
			s := serve(t, answer(http.StatusCreated, body))
			got, err := connect(t, s.URL).SendFeedback(t.Context(), sampleFeedback())
			assert.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	t.Run("F3 201 alone is success", func(t *testing.T) {
		for _, status := range []int{200, 202, 204} {
			s := serve(t, answer(status, ``))
			_, err := connect(t, s.URL).SendFeedback(t.Context(), sampleFeedback())
			wantKind(t, err, client.KindAnswer)
			if e := failure(t, err); !e.Uncertain || len(s.seen()) != 1 {
				t.Errorf("%d requests, %+v", len(s.seen()), e)
			}
		}
	})

	for status, words := range map[int]string{
		400: "Media result does not exist!", 403: "You are not authorized to create feedback for this media result!",
	} {
		for _, field := range []string{"message", "response", "error"} {
			t.Run(fmt.Sprintf("F4 %d is a refusal in the service's words, not a matter of the key, and not tried again: %s", status, field), func(t *testing.T) {
				s := serve(t, answer(status, `{"`+field+`":"`+words+`"}`))
				_, err := connect(t, s.URL).SendFeedback(t.Context(), sampleFeedback())
				wantKind(t, err, client.KindRefused)
				if e := failure(t, err); e.Sentence() != "The service says: “"+words+"”" || e.Status != status || e.Temporary() || e.Uncertain || len(s.seen()) != 1 {
					t.Errorf("%d requests, %+v", len(s.seen()), e)
				}
			})
		}
	}
	t.Run("F4 a 403 without words is a refusal, too, and a 401 a matter of the key", func(t *testing.T) {
		s := serve(t, answers(answer(403, ``), answer(401, ``)))
		c := connect(t, s.URL)
		_, err := c.SendFeedback(t.Context(), sampleFeedback())
		wantKind(t, err, client.KindRefused)
		if e := failure(t, err); e.Sentence() != "The service answered 403 (Forbidden)." {
			t.Errorf("it says %q", e.Sentence())
		}
		_, err = c.SendFeedback(t.Context(), sampleFeedback())
		wantKind(t, err, client.KindKey)
	})
}
