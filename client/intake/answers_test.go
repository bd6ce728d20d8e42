package intake_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/submission"
)

// answering is a trouble that answers with a status, a header and a body of its own.
func answering(status int, header, value, body string) handler {
	return func(_ *sandboxed, w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // who has gone needs no answer
	}
}

// servedLink is a link to a file, from this computer, which a sandbox fetches.
func servedLink(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/clip.png"
}

func TestABusyOrFailingServiceIsWaitedOut(t *testing.T) {
	for _, c := range []struct {
		faults []string
		atMost time.Duration // that passed until the answer
		least  time.Duration // what the service asked for
	}{
		{[]string{"upload-url:429@1-4,retry-after=7"}, 2 * time.Minute, 28 * time.Second},
		{[]string{"upload-url:503@1-4,retry-date=30"}, 4 * time.Minute, 2 * time.Minute},
		{[]string{"upload-url:500@1-7,body=html"}, 5 * time.Minute, 0},
		{[]string{"upload-url:502@1-7,body=empty"}, 5 * time.Minute, 0},
		{[]string{"put:503@1-3,retry-after=20"}, 3 * time.Minute, time.Minute},
		{[]string{"put:429@1-2,retry-date=20"}, 3 * time.Minute, 39 * time.Second},
		{[]string{"put:500@1-4"}, 2 * time.Minute, 0},
		{[]string{"put:502@1-4,body=html"}, 2 * time.Minute, 0},
		{[]string{"put:503@1-12"}, 10 * time.Minute, 0}, // busy for longer than five attempts
		{[]string{"result:503@1-9,retry-after=5"}, 5 * time.Minute, 45 * time.Second},
		{[]string{"result:500@1-9"}, 5 * time.Minute, 0},
		{[]string{"result:502@1-9,body=html"}, 5 * time.Minute, 0},
		{[]string{"any:503@/2,retry-after=3", "any:500@/3", "any:429@/5"}, 10 * time.Minute, 0},
	} {
		t.Run(strings.Join(c.faults, " "), func(t *testing.T) {
			s := setupSandbox(t, plan{faults: c.faults})
			file := pictureFile(t, "a.png", 1)
			s.untilEach(s.drop(file), submission.Done)
			took := s.clock.Now().Sub(start)
			assert.True(t, took <= c.atMost && took >= c.least, "it took %v, want %v to %v", took, c.least, c.atMost)
			s.atService(file)
		})
	}
	for _, faults := range [][]string{
		{"social:503@1-4,retry-after=9", "social:truncate@5"}, {"social:429@1-2,retry-date=9"}, {"social:truncate@1", "list:503@1-3"},
		{"social:truncate@1", "list:500@1-5"},
	} {
		t.Run("a link, "+strings.Join(faults, " "), func(t *testing.T) {
			s := setupSandbox(t, plan{faults: faults})
			file := pictureFile(t, "a.png", 1)
			s.untilEach(s.drop(servedLink(t, file)), submission.Done)
			s.atService(file)
		})
	}
}

func TestAnAbsurdRetryAfterIsCapped(t *testing.T) {
	for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpPut, sandbox.OpResult} {
		for i, after := range []string{
			"1000000000000", "-5", "Fri, 01 Jan 2600 00:00:00 GMT", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", // of each operation
			"99999999999999999999999999999999", "0", "1e3", "NaN", "Inf", "\u221e", "", "9223372036.9", "Sat, 99 Foo 2026 99:99:99 GMT",
			strings.Repeat("9", 5000),
		} {
			if i >= 5 && op != sandbox.OpUploadURL {
				break
			}
			t.Run(fmt.Sprintf("%s: %.40q", op, after), func(t *testing.T) {
				s := setupSandbox(t, plan{troubles: []trouble{{op: op, from: 1, to: 4, do: answering(503, "Retry-After", after, "")}}})
				file := pictureFile(t, "a.png", 1)
				s.untilEach(s.drop(file), submission.Done)
				took := s.clock.Now().Sub(start)
				assert.True(t, took >= 2*time.Second && took <= 4*client.LongestRetryAfter+time.Minute, "it took %v", took)
				s.atService(file)
			})
		}
	}
}

func TestWhatIsRefusedForGoodIsSaidAndNotAskedAgain(t *testing.T) {
	for _, c := range []struct {
		fault string
		op    sandbox.Operation
		calls int
		says  string
	}{
		{"upload-url:400", sandbox.OpUploadURL, 1, "400"},
		{"upload-url:404,body=html", sandbox.OpUploadURL, 1, "404"},
		{"upload-url:413,body=empty", sandbox.OpUploadURL, 1, "413"},
		{"put:404", sandbox.OpPut, 1, "404"},
		{"put:413", sandbox.OpPut, 1, "413"},
		{"put:403", sandbox.OpPut, 2, "refused the link"}, // once at another upload URL
		{"put:400", sandbox.OpPut, 2, "refused the link"}, // which storages say it with, too
		{"result:400", sandbox.OpResult, 1, "400"},
		{"result:410", sandbox.OpResult, 1, "410"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			s := setupSandbox(t, plan{})
			var over atomic.Bool
			s.wire.next = switchable(t, s, c.fault, &over)
			file := pictureFile(t, "a.png", 1)
			ids := s.drop(file)
			got := s.untilEach(ids, submission.Failed)
			calls := len(s.wire.asked(c.op))
			assert.True(t, calls == c.calls && strings.Contains(got.Problem.String(), c.says), "%d calls, want %d; %q should say %q", calls, c.calls, got.Problem, c.says)
			s.clock.Advance(time.Hour)
			s.restart()
			s.is(submission.Failed, ids[0])
			over.Store(true)
			s.retryAll(ids)
			s.atService(file)
		})
	}
	t.Run("a result that is not there is waited for a while, then said", func(t *testing.T) {
		s := setupSandbox(t, plan{troubles: []trouble{{op: sandbox.OpResult, from: 1, do: answering(404, "", "", "")}}})
		file := pictureFile(t, "a.png", 1)
		ids := s.drop(file)
		s.untilEach(ids, submission.Failed)
		took := s.clock.Now().Sub(start)
		assert.True(t, took >= 4*time.Minute && took <= 10*time.Minute, "given up after %v", took)
		s.wire.heal()
		s.retryAll(ids)
		s.atService(file)
	})
}

// switchable is the sandbox whose answers are of one fault, in its grammar, until that is over.
func switchable(t *testing.T, s *sandboxed, fault string, over *atomic.Bool) http.Handler {
	t.Helper()
	f, err := sandbox.ParseFault(fault)
	assert.NoError(t, err)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if over.Load() || operationOf(r) != f.Operation {
			s.sandbox.ServeHTTP(w, r)
			return
		}
		words := map[string]string{"html": "<html><body>No.</body></html>", "empty": ""}
		body, given := words[f.Body]
		if !given {
			body = fmt.Sprintf(`{"code": "no", "response": "The service says no (%d)."}`, f.Status)
		}
		if operationOf(r) == sandbox.OpPut {
			body = fmt.Sprintf("<Error><Code>No</Code><Message>It says no (%d).</Message></Error>", f.Status)
		}
		answering(f.Status, "", "", body)(s, w, r)
	})
}

func TestAKeyThatIsNotAcceptedStopsTheQueueAndNoSubmission(t *testing.T) {
	stands := func(t *testing.T, s *sandboxed, ids []string) {
		t.Helper()
		s.stands(intake.NoKey)
		assert.True(t, !s.QueueStatus().Reason.IsZero(), "without a reason")
		for _, id := range ids {
			got, _ := s.Get(id)
			assert.True(t, !got.State.Ended(), "%q is %q: %q", got.Name, got.State, got.Problem)
		}
	}
	files := func(t *testing.T) []string {
		return []string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 40), pictureFile(t, "c.png", 90)}
	}
	t.Run("K3 a wrong one, until it is right", func(t *testing.T) {
		s := setupSandbox(t, plan{})
		var right atomic.Bool
		s.stop()
		s.key = func() string {
			if !right.Load() {
				return "sk-live-which-is-wrong"
			}
			return sandboxKey
		}
		s.open()
		given := files(t)
		ids := s.drop(given...)
		stands(t, s, ids)
		calls := len(s.wire.asked(sandbox.OpUploadURL))
		s.clock.Advance(24 * time.Hour)
		assert.True(t, calls <= 3 && len(s.wire.asked(sandbox.OpUploadURL)) == calls && !strings.Contains(s.QueueStatus().Reason.String(), "which-is-wrong"),
			"%d calls; %q", calls, s.QueueStatus().Reason)
		right.Store(true)
		s.ResumeAll()
		s.untilEach(ids, submission.Done)
		s.atService(given...)
	})
	for _, fault := range []string{"upload-url:401@1", "upload-url:403@2", "result:401@1", "result:403@2,body=html", "result:401@3,body=empty"} {
		t.Run("K3 "+fault, func(t *testing.T) {
			s := setupSandbox(t, plan{faults: []string{fault}, uploads: 1})
			given := files(t)
			ids := s.drop(given...)
			stands(t, s, nil)
			s.ResumeAll()
			s.untilEach(ids, submission.Done)
			s.atService(given...)
		})
	}
	t.Run("K3 a link's", func(t *testing.T) {
		s := setupSandbox(t, plan{faults: []string{"social:403@1"}})
		file := pictureFile(t, "a.png", 1)
		ids := s.drop(servedLink(t, file))
		stands(t, s, ids)
		s.ResumeAll()
		s.untilEach(ids, submission.Done)
		s.atService(file)
	})
}

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
				s := setupSandbox(t, p)
				file := pictureFile(t, "a.png", 1)
				ids := s.drop(handed(t, op, file))
				for range 5 { // it goes on by itself, or says why not and goes on when it is asked to
					if got := s.untilEach(ids, submission.Done, submission.Failed); got.State == submission.Done {
						break
					} else if got.Problem.IsZero() || strings.Contains(got.Problem.String(), "panic") || strings.Contains(got.Problem.String(), "unexpected went wrong") {
						t.Fatalf("it says %q", got.Problem)
					}
					s.RetryFailed()
				}
				s.untilEach(ids, submission.Done)
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
				away := func(_ *sandboxed, w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					http.Redirect(w, r, elsewhere.URL+"/login?from="+url.QueryEscape(r.Host), status)
				}
				p := plan{troubles: []trouble{{op: op, from: 1, to: 1, do: away}}}
				file := pictureFile(t, "a.png", 1)
				if op == sandbox.OpList {
					p.faults = []string{"social:truncate@1"}
				}
				s := setupSandbox(t, p)
				ids := s.drop(handed(t, op, file))
				got := s.untilEach(ids, submission.Done, submission.Failed)
				assert.True(t, got.State != submission.Failed || !got.Problem.IsZero(), "without a sentence")
				s.retryAll(ids)
				s.atService(file)
				close(reached)
				for r := range reached {
					assert.True(t, r.Header.Get("X-Api-Key") == "" && r.Header.Get("Referer") == "" && r.ContentLength <= 0, "the other host was sent %v", r.Header)
				}
			})
		}
	}
}
