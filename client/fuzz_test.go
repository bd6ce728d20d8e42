package client

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/plain/plaintest"
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
		assert.NoError(t, json.Unmarshal(r.Raw, &again))
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
		if e.Kind == "" || e.Status != status || strings.TrimSpace(e.Message.String()) == "" || e.RetryAfter < 0 {
			t.Fatalf("it says nothing: %+v", e)
		}
		if text := e.Error() + e.Sentence() + e.Code.String(); strings.Contains(text, key) || !utf8.ValidString(text) {
			t.Fatalf("it holds the key, or no text: %q", text)
		}
		if utf8.RuneCountInString(e.Message.String()) > longestMessage || utf8.RuneCountInString(e.Code.String()) > longestCode {
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

// FuzzLinkAnswer holds that an identifier is read only where one was sent, and words in one line.
func FuzzLinkAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"requestId":"r1","code":"ok","errno":0,"response":"Queued."}`, `{"response":{"requestId":"r2"}}`, `{"requestId":7,"response":[{}]}`, `null`, `[]`, `"r1"`, `{"response":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		id, said := linkAnswer(body)
		plaintest.OneLine(t, said.String())
		if id == "" {
			return
		}
		var fields map[string]any
		if json.Unmarshal(body, &fields) != nil {
			t.Fatalf("an identifier %q out of no object", id)
		}
		inner, _ := fields["response"].(map[string]any)
		if fields["requestId"] != id && inner["requestId"] != id {
			t.Fatalf("%q was not sent: %v", id, fields)
		}
	})
}

// FuzzCheckLink holds that only absolute web links without a password pass, as they were given.
func FuzzCheckLink(f *testing.F) {
	for _, seed := range []string{
		"https://youtu.be/1", " HTTP://X.com:80/a?b#c\n", "ftp://x.com", "//x.com", "https://me:word@x.com", "https://[::1]:9/", "https:///", "https://x.com./", "https://x.com:99999", "https://ü.example/ö",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		l, err := CheckLink(link)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindSetup || e.Message.IsZero() || l != (Link{}) {
				t.Fatalf("refused as %#v, with %+v", err, l)
			}
			return
		}
		u, err := url.Parse(l.URL)
		if err != nil || !u.IsAbs() || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			t.Fatalf("%q passed: %v", l.URL, err)
		}
		if l.URL != strings.TrimSpace(link) || l.Host == "" || (l.Note.IsZero()) != l.Platform.accepted() {
			t.Fatalf("got %+v of %q", l, link)
		}
	})
}

// FuzzFeedbackRecord holds that any object is a record of which nothing is lost, and that nothing else is.
func FuzzFeedbackRecord(f *testing.F) {
	for _, seed := range []string{
		`{"id":"f1","userId":"u1","requestId":"r1","text":"Seen.","category":"OTHER","label":"REAL","createdAt":"2026-03-01T12:00:00Z"}`,
		`{"id":7,"text":{},"label":null,"mediaType":["IMAGE"]}`, `{}`, `null`, `"done"`, `[{}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, again FeedbackRecord
		err := json.Unmarshal(data, &r)
		var object map[string]json.RawMessage
		if isObject := json.Unmarshal(data, &object) == nil && object != nil; (err == nil) != isObject {
			t.Fatalf("an object: %v, but %v", isObject, err)
		}
		if err != nil {
			return
		}
		if !bytes.Equal(r.Raw, bytes.TrimSpace(data)) {
			t.Fatalf("kept %q of %q", r.Raw, data)
		}
		assert.NoError(t, json.Unmarshal(r.Raw, &again))
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatalf("what is kept reads otherwise:\n%s", diff)
		}
	})
}

// FuzzListPage holds that totals are counts that were sent, and that a walk over any pages shows no result twice.
func FuzzListPage(f *testing.F) {
	const two = `[{"requestId":"a"},{"requestId":"b"}]`
	for _, seed := range []string{
		two, `{"totalItems":2,"totalPages":1,"currentPage":0,"mediaList":` + two + `}`, `{"response":{"list":` + two + `,"totalItems":"9"}}`,
		`{"totalPages":-1,"totalItems":1e9,"data":[null,{},{}]}`, `{"data":[],"totalPages":99999999999999999999}`, `null`,
	} {
		f.Add([]byte(seed), []byte(two), true)
	}
	f.Fuzz(func(t *testing.T, first, second []byte, fromZero bool) {
		w := pageWalk{seen: map[digest]bool{}, fromZero: fromZero}
		shown := map[string]bool{}
		for number, body := range [][]byte{first, second, first, second} {
			page, ok := pageOf(body)
			if !ok {
				continue
			}
			for _, count := range []total{page.items, page.pages, page.current} {
				if count.known && (count.n < 0 || !bytes.Contains(body, []byte(strconv.Itoa(count.n)))) {
					t.Fatalf("a count of %d", count.n)
				}
			}
			fresh, repeated, err := w.unseen(t.Context(), page)
			assert.NoError(t, err)
			if number >= 2 && !repeated {
				t.Fatal("a page seen before is new")
			}
			for _, r := range fresh {
				if r.RequestID != "" && shown[r.RequestID] {
					t.Fatalf("%s is shown twice", r.RequestID)
				}
				shown[r.RequestID] = true
			}
			_, _ = w.onlyPage(page), w.last(page, number)
		}
	})
}

// FuzzStorageError holds that whatever object storage answers becomes a sentence of bounded length, and that a code or a message is taken only
// from an element "Error".
func FuzzStorageError(f *testing.F) {
	for _, seed := range []string{
		`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`, `<Error><Code>EntityTooLarge</Code></Error>`, `<Error`, `<Error><Code>a</Code><Code>b</Code>`,
		`<!DOCTYPE a [<!ENTITY x "y">]><Error><Code>&x;</Code></Error>`, `<html><Error><Code>a</Code></Error></html>`, ``, "<Error><Message>\u202e\x00</Message></Error>",
	} {
		f.Add(403, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c := &Client{now: func() time.Time { return time.Unix(0, 0) }}
		e := c.storageError(opArtifact, &http.Response{StatusCode: status, Header: http.Header{}}, body)
		if e.Kind == "" || e.Status != status || strings.TrimSpace(e.Message.String()) == "" || !utf8.ValidString(e.Error()+e.Sentence()) {
			t.Fatalf("it says nothing: %+v", e)
		}
		if code, message := storageBody(body); (!code.IsZero() || !message.IsZero()) && !strings.Contains(string(body), "<Error") {
			t.Errorf("%q says %q, %q", body, code, message)
		}
		plaintest.OneLine(t, e.Sentence())
	})
}

// FuzzCertificateFile holds that a file of certificates is either refused in a sentence or is trusted beside what was trusted before.
func FuzzCertificateFile(f *testing.F) {
	server := httptest.NewTLSServer(nil)
	server.Close()
	f.Add(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	for _, seed := range []string{"", "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n", "\xff\xfe-\x00", "words"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "ca.pem")
		assert.NoError(t, os.WriteFile(path, text, 0o600))
		config, err := trust(Options{CAFile: path})
		if err == nil {
			if config == nil || config.RootCAs == nil || config.InsecureSkipVerify {
				t.Errorf("%q is trusted as %+v", text, config)
			}
			return
		}
		if said := new(Error); !errors.As(err, &said) || said.Kind != KindSetup || said.Sentence() == "" || config != nil {
			t.Errorf("%q gives %v", text, err)
		}
	})
}
