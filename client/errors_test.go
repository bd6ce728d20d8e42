package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
)

// refused gets a result that is answered with status and body.
func refused(t *testing.T, status int, body string) *client.Error {
	t.Helper()
	s := serve(t, answer(status, body))
	_, err := connect(t, s.URL).Result(t.Context(), "r1")
	return failure(t, err)
}

func TestErrorStatus(t *testing.T) {
	for _, op := range operations {
		for _, status := range []int{401, 403} {
			if op.name == "SendFeedback" && status == 403 {
				continue // F4
			}
			t.Run(fmt.Sprintf("K3 %d means that the key was not accepted, with the way to it: %s", status, op.name), func(t *testing.T) {
				s := serve(t, answer(status, ""))
				err := op.do(t, connect(t, s.URL))
				wantKind(t, err, client.KindKey)
				e := failure(t, err)
				if e.Status != status || e.Message.String() != "The key was not accepted." || !strings.Contains(e.Hint.String(), "Settings") || !strings.Contains(e.Hint.String(), "assay key") || e.Temporary() {
					t.Errorf("got %+v", e)
				}
			})
		}
	}

	for _, c := range []struct {
		status    int
		kind      client.Kind
		temporary bool
	}{
		{400, client.KindRefused, false}, {404, client.KindRefused, false}, {409, client.KindRefused, false}, {418, client.KindRefused, false}, {499, client.KindRefused, false},
		{429, client.KindBusy, true}, {500, client.KindService, true}, {502, client.KindService, true}, {503, client.KindBusy, true}, {504, client.KindService, true},
		{599, client.KindService, true}, {300, client.KindAnswer, false}, {304, client.KindAnswer, false},
	} {
		t.Run(fmt.Sprintf("K5 %d may be tried again by itself: %v", c.status, c.temporary), func(t *testing.T) {
			if e := refused(t, c.status, ""); e.Kind != c.kind || e.Temporary() != c.temporary || e.Status != c.status {
				t.Errorf("got %+v", e)
			}
		})
	}

	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header string
		want   time.Duration
	}{
		{"120", 2 * time.Minute}, {"0", 0}, {"", 0}, {"-5", 0}, {"soon", 0},
		{"Sun, 01 Mar 2026 12:01:30 GMT", 90 * time.Second}, {"Sun, 01 Mar 2026 11:59:00 GMT", 0},
	} {
		t.Run("K5 Retry-After is read in seconds and as a date: "+c.header, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", c.header)
				w.WriteHeader(http.StatusServiceUnavailable)
			})
			_, err := connect(t, s.URL, func(o *client.Options) { o.Now = func() time.Time { return now } }).Result(t.Context(), "r1")
			if e := failure(t, err); e.RetryAfter != c.want {
				t.Errorf("got %v, want %v", e.RetryAfter, c.want)
			}
		})
	}
}

func TestErrorBody(t *testing.T) {
	for _, c := range []struct{ body, code, message string }{
		{`{"code":"upload-limit-reached","response":"Quota used up.","errno":3}`, "upload-limit-reached", "Quota used up."},
		{`{"message":"Media result does not exist!"}`, "", "Media result does not exist!"},
		{`{"error":"No such thing."}`, "", "No such thing."},
		{`{"error":{"code":"e1","message":"Inside."}}`, "e1", "Inside."},
		{`{"code":"outer","error":{"code":"inner","message":"Inside."}}`, "outer", "Inside."},
		{`{"response":{"error":{"message":"Deep."}}}`, "", "Deep."},
		{`{"detail":"Not found."}`, "", "Not found."},
		{`{"response":"","message":"  Second.\n"}`, "", "Second."},
		{`{"response":null,"message":"Second."}`, "", "Second."},
		{`{"code":7,"message":"Numbered."}`, "", "Numbered."},
	} {
		t.Run("K4 the message is read from whatever field holds it: "+c.body, func(t *testing.T) {
			if e := refused(t, http.StatusBadRequest, c.body); e.Code.String() != c.code || e.Message.String() != "The service says: “"+c.message+"”" {
				t.Errorf("got %q, %q", e.Code, e.Message)
			}
		})
	}
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{500, "", "The service answered 500 (Internal Server Error)."},
		{502, "<html><h1>Bad gateway</h1></html>", "The service answered 502 (Bad Gateway)."},
		{404, "not found", "The service answered 404 (Not Found)."},
		{404, "null", "The service answered 404 (Not Found)."},
		{404, `["a"]`, "The service answered 404 (Not Found)."},
		{404, `{"code":"x"}`, "The service answered 404 (Not Found)."},
		{599, "{", "The service answered 599 (no standard meaning)."},
	} {
		t.Run("K4 a page or nothing gives the status in words: "+c.want+" "+c.body, func(t *testing.T) {
			if e := refused(t, c.status, c.body); e.Message.String() != c.want {
				t.Errorf("it says %q", e.Message)
			}
		})
	}
	t.Run("K4 a message of thousands of characters is cut between two of them", func(t *testing.T) {
		e := refused(t, http.StatusBadRequest, `{"code":"`+strings.Repeat("ö", 5000)+`","message":"`+strings.Repeat("ü", 5000)+`"}`)
		if n := utf8.RuneCountInString(e.Message.String()); n > 500+len("The service says: ““”") || !utf8.ValidString(e.Message.String()) || utf8.RuneCountInString(e.Code.String()) > 100 {
			t.Errorf("%d characters, and %q", n, e.Code)
		}
	})
	t.Run("an endless or deep body ends", func(t *testing.T) {
		for _, body := range []string{`{"message":"` + strings.Repeat("x", 1<<20), strings.Repeat(`{"error":`, 9000) + "1" + strings.Repeat("}", 9000)} {
			if e := refused(t, http.StatusBadRequest, body); e.Message.String() != "The service answered 400 (Bad Request)." {
				t.Errorf("it says %q", e.Message)
			}
		}
	})
}

func TestError(t *testing.T) {
	cause := errors.New("the cause")
	e := &client.Error{Op: "fetch the result", Kind: client.KindBusy, Status: 503, Message: i18n.Verbatim("Later."), Hint: i18n.Verbatim("Wait."), Err: cause}
	t.Run("its text says what was tried, the status, the sentence and the cause", func(t *testing.T) {
		if got, want := e.Error(), "could not fetch the result (status 503): Later. [the cause]"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("its sentence is the message with the hint", func(t *testing.T) {
		assert.Equal(t, "Later. Wait.", e.Sentence())
		assert.Equal(t, "Later.", (&client.Error{Message: i18n.Verbatim("Later.")}).Sentence())
	})
	t.Run("its kind is found through wrapping, its cause as well", func(t *testing.T) {
		wrapped := fmt.Errorf("sending: %w", e)
		if !client.IsKind(wrapped, client.KindBusy) || client.IsKind(wrapped, client.KindKey) || client.IsKind(cause, client.KindBusy) || client.IsKind(nil, "") {
			t.Error("it is not")
		}
		if !errors.Is(wrapped, cause) {
			t.Error("the cause is lost")
		}
	})
}

func TestStorageErrors(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
		kind   client.Kind
	}{
		{403, "AccessDenied", client.KindExpired},
		{400, "ExpiredToken", client.KindExpired},
		{400, "", client.KindExpired},
		{401, "", client.KindExpired},
		{400, "EntityTooLarge", client.KindRefused},
		{413, "EntityTooLarge", client.KindRefused},
		{400, "RequestTimeout", client.KindNetwork},
		{400, "IncompleteBody", client.KindNetwork},
		{503, "SlowDown", client.KindBusy},
		{500, "InternalError", client.KindService},
	} {
		t.Run(fmt.Sprintf("%d %s is %s", c.status, c.code, c.kind), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(c.status)
				if c.code != "" {
					_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>So it is.</Message></Error>`, c.code)
				}
			})
			_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x?sig=secret", 100)
			wantKind(t, err, c.kind)
			e := failure(t, err)
			if e.Code.String() != c.code {
				t.Errorf("code %q", e.Code)
			}
			if c.kind != client.KindExpired && !strings.Contains(e.Message.String(), "So it is.") {
				t.Errorf("storage's own words are lost: %q", e.Message)
			}
		})
	}
}

func TestPlainStorageIsForALoopbackServiceAlone(t *testing.T) {
	s := serve(t, answer(http.StatusOK, "x"))
	c, err := client.New(client.Options{BaseURL: "https://service.example"})
	assert.NoError(t, err)
	_, err = c.Artifact(t.Context(), s.URL+"/x", 100)
	wantKind(t, err, client.KindAnswer)
	if len(s.seen()) != 0 {
		t.Error("a request was made to it")
	}
}
