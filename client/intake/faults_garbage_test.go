package intake_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"assay/client/sandbox"
	"assay/client/submission"
)

const portal = `<!DOCTYPE html><html><head><title>Welcome to Hotel Wi-Fi</title></head>
<body><form action="http://portal.example/login"></form></body></html>`

// garbage are answers that are not what the interface promises.
var garbage = []struct{ name, kind, body string }{
	{"a captive portal", "text/html", portal},
	{"a portal that calls itself JSON", "application/json", portal},
	{"nothing", "application/json", ""},
	{"half of it", "application/json", `{"requestId": "a`},
	{"a number", "application/json", `7`},
	{"null", "application/json", `null`},
	{"a list", "application/json", `[[], 3, null, {"requestId": {}}]`},
	{"other types", "application/json", `{"requestId": {"a": [1]}, "response": {"signedUrl": 9}, "overallStatus": 7,
		"models": "none", "resultsSummary": [], "heatmaps": 3, "mediaList": 5}`},
	{"wrong types deeper down", "application/json", `{"requestId": 5, "response": [{}],
		"models": [7, null, {"name": {}, "data": "x", "predictionNumber": {"a": 1}}], "resultsSummary": {"status": {}, "metadata": [], "error": 4}}`},
	{"a depth of 200,000", "application/json", strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000)},
	{"objects 100,000 deep", "application/json", strings.Repeat(`{"response":`, 100_000) + "1" + strings.Repeat("}", 100_000)},
	{"17 MB of JSON", "application/json", `{"requestId": "` + strings.Repeat("x", 17<<20) + `"}`},
	{"an address with a script", "application/json", `{"response": {"signedUrl": "javascript:alert(1)"}, "overallStatus": "\u0000\u202e"}`},
	{"bytes", "application/octet-stream", "\x00\xff\xfe\x80"},
}

func TestAnswersThatAreNone(t *testing.T) {
	for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpResult, sandbox.OpSocial, sandbox.OpList} {
		for _, g := range garbage {
			if len(g.body) > 1<<20 && (op == sandbox.OpSocial || op == sandbox.OpList) {
				continue // they are read by the same code, and it takes long
			}
			t.Run(fmt.Sprintf("%s: %s", op, g.name), func(t *testing.T) {
				p := plan{troubles: []trouble{{op: op, from: 1, to: 2, do: answering(200, "Content-Type", g.kind, g.body)}}}
				if op == sandbox.OpList { // which is asked where an answer was lost
					p.faults = []string{"social:truncate@1"}
				}
				s := newScene(t, p)
				file := pictureFile(t, "a.png", 1)
				given := file
				if op == sandbox.OpSocial || op == sandbox.OpList {
					given = servedLink(t, file)
				}
				ids := s.hand(given)
				for range 5 { // it goes on by itself, or says why not and goes on when it is asked to
					if got := s.until(ids, submission.Done, submission.Failed); got.State == submission.Done {
						break
					} else if got.Problem.IsZero() || strings.Contains(got.Problem.String(), "panic") || strings.Contains(got.Problem.String(), "unexpected went wrong") {
						t.Fatalf("it says %q", got.Problem)
					}
					s.RetryFailed()
				}
				s.until(ids, submission.Done)
				s.atService(file)
			})
		}
	}
}

func TestRedirectsToAnotherHostTakeNothingAlong(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpPut, sandbox.OpResult, sandbox.OpSocial, sandbox.OpList} {
			t.Run(fmt.Sprintf("%s %d", op, status), func(t *testing.T) {
				reached := make(chan *http.Request, 100)
				elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					reached <- r
					_, _ = io.WriteString(w, portal)
				}))
				defer elsewhere.Close()
				away := func(_ *scene, w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					http.Redirect(w, r, elsewhere.URL+"/login?from="+url.QueryEscape(r.Host), status)
				}
				p := plan{troubles: []trouble{{op: op, from: 1, to: 1, do: away}}}
				file := pictureFile(t, "a.png", 1)
				if op == sandbox.OpList {
					p.faults = []string{"social:truncate@1"}
				}
				s := newScene(t, p)
				given := file
				if op == sandbox.OpSocial || op == sandbox.OpList {
					given = servedLink(t, file)
				}
				ids := s.hand(given)
				if got := s.until(ids, submission.Done, submission.Failed); got.State == submission.Failed && got.Problem.IsZero() {
					t.Error("without a sentence")
				}
				s.retryAll(ids)
				s.atService(file)
				close(reached)
				for r := range reached {
					if r.Header.Get("X-Api-Key") != "" || r.Header.Get("Referer") != "" || r.ContentLength > 0 {
						t.Errorf("the other host was sent %v", r.Header)
					}
				}
			})
		}
	}
}
