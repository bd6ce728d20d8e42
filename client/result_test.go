package client_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
)

// fetch gets a result whose answer is body, by the API.
func fetch(t *testing.T, body string) *client.Result {
	t.Helper()
	s := serve(t, answer(http.StatusOK, body))
	r, err := connect(t, s.URL).Result(t.Context(), "r1")
	assert.NoError(t, err)
	return r
}

func TestResultRequest(t *testing.T) {
	for _, c := range []struct{ id, path string }{
		{"9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b", "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b"},
		{"a b", "a%20b"},
		{"a/b", "a%2Fb"},
		{"../users", "..%2Fusers"},
		{"a?b=c#d", "a%3Fb=c%23d"},
		{"50%", "50%25"},
		{"%2e%2e", "%252e%252e"},
		{"é\n", "%C3%A9%0A"},
		{"...", "..."},
	} {
		t.Run("R1 a GET without body, the identifier escaped: "+c.path, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"overallStatus":"FAKE"}`))
			if _, err := connect(t, s.URL).Result(t.Context(), c.id); err != nil {
				t.Fatal(err)
			}
			got := s.only(t)
			if want := "/odd/base/api/media/users/" + c.path; got.Method != http.MethodGet || got.Target != want {
				t.Errorf("saw %s %s, want GET %s", got.Method, got.Target, want)
			}
			if len(got.Body) != 0 || got.Chunked || got.Header.Get("Content-Type") != "" || got.Header.Get("Content-Length") != "" {
				t.Errorf("it had a body: %+v", got)
			}
		})
	}
	for _, id := range []string{"", ".", ".."} {
		t.Run("R1 an identifier that would lead elsewhere is refused before any request: '"+id+"'", func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{}`))
			_, err := connect(t, s.URL).Result(t.Context(), id)
			wantKind(t, err, client.KindSetup)
			if len(s.seen()) != 0 {
				t.Error("a request was made")
			}
		})
	}
	for _, body := range []string{`[]`, `null`, `"text"`, `12`, `true`, `{`, `{"requestId":"r1"} extra`, ``} {
		t.Run("an answer that is no result is said so: "+body, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, body))
			r, err := connect(t, s.URL).Result(t.Context(), "r1")
			wantKind(t, err, client.KindAnswer)
			if r != nil {
				t.Errorf("it still returned %+v", r)
			}
		})
	}
	t.Run("another file's result is not taken for this one's", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"requestId":"r2"}`))
		_, err := connect(t, s.URL).Result(t.Context(), "r1")
		wantKind(t, err, client.KindAnswer)
	})
	t.Run("a web page is told from an answer, whatever its type", func(t *testing.T) {
		for _, contentType := range []string{"text/html", "application/json"} {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", contentType)
				_, _ = w.Write([]byte("\n <!doctype html><title>Welcome</title>"))
			})
			_, err := connect(t, s.URL).Result(t.Context(), "r1")
			wantKind(t, err, client.KindAnswer)
			if e := failure(t, err); e.Message.String() != "A web page answered instead of the service." || e.Hint.IsZero() {
				t.Errorf("%s: %v", contentType, e)
			}
		}
	})
	t.Run("an answer over the limit is not read to its end", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"a":"`))
			filling := []byte(strings.Repeat("x", 1<<20))
			for {
				if _, err := w.Write(filling); err != nil {
					return
				}
			}
		})
		_, err := connect(t, s.URL).Result(t.Context(), "r1")
		wantKind(t, err, client.KindAnswer)
	})
	t.Run("an answer nested beyond reason is refused", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"data":`+strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000)+`}`))
		_, err := connect(t, s.URL).Result(t.Context(), "r1")
		wantKind(t, err, client.KindAnswer)
	})
}

// wholeResult has every field of the interface's tables, and one that is new.
const wholeResult = `{
	"filename": "photo_1.jpg", "originalFileName": "photo 1.jpg", "requestId": "r1", "uploadedDate": "2026-03-01T12:00:00.5Z",
	"mediaType": "VIDEO", "socialLink": "https://v.example/1", "socialLinkDownloaded": true, "socialLinkDownloadFailed": false,
	"showAudioResult": "True", "audioRequestId": "r2", "userId": "u1", "institutionId": "i1", "releaseVersion": "4.2.0",
	"overallStatus": "FAKE",
	"resultsSummary": {"status": "FAKE", "metadata": {"languages": ["English", "Spanish"], "finalScore": 97.25,
		"reasons": [{"code": "relevance", "message": "No faces."}]}, "error": {"code": "model-error", "message": "Again, please."}},
	"models": [{"name": "svc-erie-vid", "status": "FAKE", "predictionNumber": 0.97, "normalizedPredictionNumber": 96.5, "rollingAvgNumber": 95.0,
		"finalScore": 94.125, "data": {"decision": "ARTIFICIAL", "score": 0.9, "raw_score": 0.8}, "error": {"code": "e1", "message": "late"}, "code": "c1"}],
	"storageLocation": "https://s.example/o?s=1", "thumbnail": "https://s.example/t?s=1", "aggregationResultUrl": "i1/r1.mp4/aggregation.json",
	"modelMetadataUrl": "https://s.example/m?s=1", "audioModelMetadataUrl": "https://s.example/am?s=1",
	"heatmaps": {"svc-oak-img": "https://s.example/h?s=1"}, "explainabilityUrl": "https://s.example/e?s=1",
	"brandNew": {"kept": [1, 2.50, "x"]}
}`

func TestResultHasTheServicesDate(t *testing.T) {
	for header, want := range map[string]time.Time{
		"Sat, 21 Nov 2026 12:00:01 GMT": time.Date(2026, time.November, 21, 12, 0, 1, 0, time.UTC), "yesterday": {}, "": {},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Date"] = []string{header}
			_, _ = w.Write([]byte(`{"overallStatus":"FAKE"}`))
		})
		got, err := connect(t, s.URL).Result(t.Context(), "a")
		assert.NoError(t, err)
		if !got.Date.Equal(want) {
			t.Errorf("%q: %v", header, got.Date)
		}
	}
}

func TestResultDecode(t *testing.T) {
	t.Run("R2 every field is decoded, and the raw JSON is kept byte for byte, unknown fields included", func(t *testing.T) {
		institution := "i1"
		want := &client.Result{
			FileName: plain.From("photo_1.jpg"), OriginalFileName: plain.From("photo 1.jpg"), RequestID: "r1", UploadedDate: plain.From("2026-03-01T12:00:00.5Z"),
			MediaType: client.Video, SocialLink: "https://v.example/1", SocialLinkDownloaded: true, SocialLinkFailed: false,
			ShowAudioResult: true, AudioRequestID: "r2", UserID: "u1", InstitutionID: &institution, ReleaseVersion: plain.From("4.2.0"),
			OverallStatus: client.Fake,
			ResultsSummary: &client.Summary{
				Status: client.Fake,
				Metadata: client.Metadata{Languages: []plain.Text{plain.From("English"), plain.From("Spanish")}, FinalScore: client.NewScore(97.25),
					Reasons: []client.Reason{{Code: plain.From("relevance"), Message: plain.From("No faces.")}}},
				Failure: &client.Failure{Code: plain.From("model-error"), Message: plain.From("Again, please.")},
			},
			Models: []client.Model{{
				Name: plain.From("svc-erie-vid"), Status: client.Fake, Prediction: client.NewScore(0.97), Normalized: client.NewScore(96.5),
				Rolling: sent(t, "95.0"), Final: client.NewScore(94.125),
				Data:    json.RawMessage(`{"decision": "ARTIFICIAL", "score": 0.9, "raw_score": 0.8}`),
				Failure: json.RawMessage(`{"code": "e1", "message": "late"}`), Code: plain.From("c1"),
			}},
			StorageLocation: "https://s.example/o?s=1", Thumbnail: "https://s.example/t?s=1", AggregationResultURL: "i1/r1.mp4/aggregation.json",
			ModelMetadataURL: "https://s.example/m?s=1", AudioModelMetadataURL: "https://s.example/am?s=1",
			Heatmaps: map[string]string{"svc-oak-img": "https://s.example/h?s=1"}, ExplainabilityURL: "https://s.example/e?s=1",
			Raw: json.RawMessage(wholeResult),
		}
		got := fetch(t, wholeResult)
		got.Date = time.Time{} // the server's, and no part of the answer
		assert.Equal(t, want, got, sameScores)
	})

	t.Run("R2 one odd field spoils no other", func(t *testing.T) {
		var fields map[string]json.RawMessage
		assert.NoError(t, json.Unmarshal([]byte(wholeResult), &fields))
		for _, odd := range []string{`null`, `12`, `"x"`, `true`, `[]`, `{}`, `[null]`, `[[1]]`, `{"a":{"b":1}}`, `1e999`} {
			for name := range fields {
				changed := make(map[string]json.RawMessage, len(fields))
				for other, value := range fields {
					changed[other] = value
				}
				changed[name] = json.RawMessage(odd)
				body, err := json.Marshal(changed)
				assert.NoError(t, err)
				var whole, got client.Result
				assert.NoError(t, json.Unmarshal([]byte(wholeResult), &whole))
				if err := json.Unmarshal(body, &got); err != nil {
					t.Fatalf("%s as %s: %v", name, odd, err)
				}
				if left := different(whole, got); len(left) > 1 || len(left) == 1 && left[0] != name {
					t.Errorf("%s as %s changed %v", name, odd, left)
				}
			}
		}
	})

	for _, body := range []string{`{}`, `{"resultsSummary":null,"models":null,"heatmaps":null}`, `{"models":[],"resultsSummary":{}}`} {
		t.Run("R2 every field may be missing: "+body, func(t *testing.T) {
			r := fetch(t, body)
			if r.Final() || r.Running() != 0 || len(r.Models) != 0 || r.UsableHeatmaps() != nil || string(r.Raw) != body {
				t.Errorf("got %+v", r)
			}
			if _, ok := r.Ensemble(); ok {
				t.Error("it found an ensemble")
			}
		})
	}

	for _, kind := range []client.MediaType{client.Image, client.Video, client.Audio, client.Text, "HOLOGRAM", "image", ""} {
		t.Run("R3 the media type is kept as sent: "+string(kind), func(t *testing.T) {
			assert.Equal(t, kind, fetch(t, `{"mediaType":"`+string(kind)+`"}`).MediaType)
		})
	}

	for _, c := range []struct {
		sent string
		want client.Bool
	}{{`true`, true}, {`false`, false}, {`"True"`, true}, {`"False"`, false}, {`"TRUE"`, true}, {`"true"`, true}, {`"false"`, false},
		{`null`, false}, {`""`, false}, {`1`, false}, {`"yes"`, false}, {`{}`, false}} {
		t.Run("R4 showAudioResult is read in each of its forms: "+c.sent, func(t *testing.T) {
			assert.Equal(t, c.want, fetch(t, `{"showAudioResult":`+c.sent+`}`).ShowAudioResult)
		})
	}

	for _, c := range []struct {
		date, want string // "" for unreadable
	}{
		{"2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"}, {"2026-03-01T12:00:00.123456Z", "2026-03-01T12:00:00.123456Z"},
		{"2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00Z"}, {"2026-03-01T14:00:00+0200", "2026-03-01T12:00:00Z"},
		{"2026-03-01T12:00:00", "2026-03-01T12:00:00Z"}, {"2026-03-01T12:00:00.5", "2026-03-01T12:00:00.5Z"},
		{"2026-03-01 12:00:00", "2026-03-01T12:00:00Z"}, {"2026-03-01", "2026-03-01T00:00:00Z"}, {"yesterday", ""}, {"", ""},
	} {
		t.Run("the time of upload is read in the forms of ISO 8601: "+c.date, func(t *testing.T) {
			at, ok := fetch(t, `{"uploadedDate":"`+c.date+`"}`).Uploaded()
			if got := at.UTC().Format("2006-01-02T15:04:05.999999999Z07:00"); ok != (c.want != "") || ok && got != c.want {
				t.Errorf("got %s, %v", got, ok)
			}
		})
	}
}

// sent is a score as the service sent it.
func sent(t *testing.T, text string) client.Score {
	t.Helper()
	var s client.Score
	assert.NoError(t, json.Unmarshal([]byte(text), &s))
	return s
}

// sameScores compares scores by what was sent.
var sameScores = cmp.Comparer(func(a, b client.Score) bool { return a.Sent() == b.Sent() })

// different names the top-level fields in which two results differ, by their JSON names.
func different(a, b client.Result) []string {
	a.Raw, b.Raw = nil, nil
	left, right := fieldsOf(a), fieldsOf(b)
	var names []string
	for name, value := range left {
		if value != right[name] {
			names = append(names, name)
		}
	}
	return names
}

func fieldsOf(r client.Result) map[string]string {
	encoded, err := json.Marshal(r)
	if err != nil {
		return map[string]string{"unencodable": err.Error()}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &fields); err != nil {
		return map[string]string{"undecodable": err.Error()}
	}
	texts := make(map[string]string, len(fields))
	for name, value := range fields {
		texts[name] = string(value)
	}
	return texts
}
