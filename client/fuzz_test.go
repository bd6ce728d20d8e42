package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzResult holds that any JSON object is a result of which nothing is lost or invented, and that nothing else is.
func FuzzResult(f *testing.F) {
	for _, seed := range []string{
		`{"requestId":"r1","mediaType":"IMAGE","overallStatus":"FAKE","resultsSummary":{"status":"FAKE","metadata":{"finalScore":99.5,"languages":["English"]}},
			"models":[{"name":"svc-oak-img","status":"FAKE","predictionNumber":1,"normalizedPredictionNumber":99.5,"data":{"decision":"ARTIFICIAL"},"error":null,"code":null},
			{"name":"svc-img-ensemble","status":"FAKE"}],"heatmaps":{"svc-oak-img":"https://s.example/h.png"}}`,
		`{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"status":"UNABLE_TO_EVALUATE","metadata":{},"error":{"code":"model-error","message":"Again."}}}`,
		`{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"reasons":[{"code":"duration","message":"Short."}]}}}`,
		`{"models":[{"name":"svc-slim-aud","status":"ANALYZING","predictionNumber":{"reason":"x","decision":"NOT_EVALUATED"},"error":"late"}],"showAudioResult":"True"}`,
		`{"overallStatus":"DOWNLOADING","resultsSummary":null,"models":[],"socialLink":"https://v.example/1"}`,
		`{"uploadedDate":"2026-03-01T12:00:00Z","institutionId":null,"heatmaps":{"a":1,"b":null}}`,
		`{}`, `null`, `[]`, `{"models":{"a":1},"resultsSummary":"x"}`, `{"models":[null,1,"x",[],{"predictionNumber":1e999}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Result
		err := json.Unmarshal(data, &r)
		var object map[string]json.RawMessage
		isObject := json.Unmarshal(data, &object) == nil && object != nil
		if (err == nil) != isObject {
			t.Fatalf("an object: %v, but %v", isObject, err)
		}
		if err != nil {
			return
		}
		if !bytes.Equal(r.Raw, bytes.TrimSpace(data)) {
			t.Fatalf("kept %q of %q", r.Raw, data)
		}
		_, _ = r.Uploaded()
		if ensemble, ok := r.Ensemble(); ok && !strings.Contains(string(data), `"`) {
			t.Fatalf("an ensemble out of nothing: %+v", ensemble)
		}
		if r.Final() && (!r.Status().Terminal() || r.Running() > 0) {
			t.Fatal("final while something runs")
		}
		for _, h := range r.UsableHeatmaps() {
			if r.MediaType != Image || h.URL == "" || r.Heatmaps[h.Model.Verbatim()] != h.URL {
				t.Fatalf("a heatmap that is not the result's: %+v", h)
			}
		}
		for _, m := range r.Models {
			_, _ = m.FailureText()
			_ = m.Decision()
			for _, score := range []Score{m.Prediction, m.Normalized, m.Rolling, m.Final} {
				_, number := score.Number()
				if sent := score.Sent(); number && (sent == "" || !bytes.Contains(data, []byte(sent))) {
					t.Fatalf("a number that was not sent: %q", sent)
				}
			}
		}
		var again Result
		if err := json.Unmarshal(r.Raw, &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, again, cmp.AllowUnexported(Score{})); diff != "" {
			t.Fatalf("what is kept reads otherwise:\n%s", diff)
		}
	})
}

// FuzzErrorBody holds that whatever a failed call answers becomes a sentence of bounded length without the key.
func FuzzErrorBody(f *testing.F) {
	const key = "the-key-of-this-desk"
	for _, seed := range []string{
		`{"code":"upload-limit-reached","response":"Quota used up.","errno":3}`, `{"message":"Media result does not exist!"}`,
		`{"error":{"code":"e1","message":"Inside."}}`, `{"detail":["x"]}`, `{"response":{"message":{"error":{"detail":"deep"}}}}`,
		`<Error><Code>AccessDenied</Code></Error>`, ``, `null`, `{"message":"no such key: ` + key + `"}`, `{"message":"\u0000\ud800"}`,
	} {
		f.Add(403, []byte(seed), "120")
	}
	f.Add(503, []byte(`{}`), "Sun, 01 Mar 2026 12:01:30 GMT")
	f.Fuzz(func(t *testing.T, status int, body []byte, retryAfter string) {
		resp := &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {retryAfter}}}
		e := secrets{key}.strip(statusError("try", resp, body, time.Unix(0, 0)))
		if e.Kind == "" || e.Status != status || strings.TrimSpace(e.Message) == "" || e.RetryAfter < 0 {
			t.Fatalf("it says nothing: %+v", e)
		}
		if text := e.Error() + e.Sentence() + e.Code.String(); strings.Contains(text, key) || !utf8.ValidString(text) {
			t.Fatalf("it holds the key, or no text: %q", text)
		}
		if utf8.RuneCountInString(e.Message) > longestMessage || utf8.RuneCountInString(e.Code.String()) > longestCode {
			t.Fatalf("it is too long: %+v", e)
		}
	})
}

// FuzzList holds that a list is found in any envelope, always the same one, and that its entries are the answer's.
func FuzzList(f *testing.F) {
	const two = `[{"requestId":"a"},{"requestId":"b"}]`
	for _, seed := range []string{
		two, `{"totalItems":2,"totalPages":1,"currentPage":0,"currentPageItemsCount":2,"mediaList":` + two + `}`,
		`{"data":` + two + `,"totalPages":1}`, `{"a":[{"requestId":"x"}],"b":[{"requestId":"y"}]}`,
		`[]`, `null`, `{"mediaList":null}`, `[null,1,{"requestId":"a"}]`, `{"columns":["a"],"items":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, ok := entriesOf(body)
		again, okAgain := entriesOf(body)
		if diff := cmp.Diff(entries, again); ok != okAgain || diff != "" {
			t.Fatalf("another list the second time:\n%s", diff)
		}
		if !ok && len(entries) > 0 {
			t.Fatalf("no list, but %d entries", len(entries))
		}
		for _, entry := range entries {
			if !bytes.Contains(body, entry) {
				t.Fatalf("%q is not of the answer", entry)
			}
		}
		var bare []json.RawMessage
		if json.Unmarshal(body, &bare) != nil || !ok {
			return
		}
		wrapped, ok := entriesOf([]byte(`{"total":1,"anything":` + string(body) + `}`))
		if diff := cmp.Diff(entries, wrapped); !ok || diff != "" {
			t.Fatalf("an envelope changes the list:\n%s", diff)
		}
	})
}
