package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
)

func TestParseFault(t *testing.T) {
	for text, want := range map[string]Fault{
		"result:503@2,retry-after=1":          {Operation: OpResult, Effect: EffectStatus, Status: 503, From: 2, To: 2, RetryAfter: time.Second},
		"any:429@/3,retry-date=2":             {Operation: OpAny, Effect: EffectStatus, Status: 429, Every: 3, RetryAfter: 2 * time.Second, RetryDate: true},
		"list:500@2-4,body=html":              {Operation: OpList, Effect: EffectStatus, Status: 500, From: 2, To: 4, Body: "html"},
		"put:reset@1,after=1000":              {Operation: OpPut, Effect: EffectReset, From: 1, To: 1, After: 1000},
		"artifact:stall,for=2s":               {Operation: OpArtifact, Effect: EffectStall, For: 2 * time.Second},
		"social:id-inside@3-":                 {Operation: OpSocial, Effect: EffectIDInside, From: 3},
		"upload-url:expired":                  {Operation: OpUploadURL, Effect: EffectExpired},
		"feedback:truncate":                   {Operation: OpFeedback, Effect: EffectTruncate},
		"any:null-summary":                    {Operation: OpAny, Effect: EffectNullSummary},
		"result:401,body=empty":               {Operation: OpResult, Effect: EffectStatus, Status: 401, Body: "empty"},
		"result:429,retry-after=1,body=error": {Operation: OpResult, Effect: EffectStatus, Status: 429, RetryAfter: time.Second, Body: "error"},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := ParseFault(text)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
	for text, words := range map[string]string{
		"":                          "OPERATION:EFFECT",
		"result":                    "OPERATION:EFFECT",
		"delete:503":                `"delete" is no operation`,
		"result:explode":            `"explode" is no effect`,
		"result:200":                "from 400 to 599",
		"result:600":                "from 400 to 599",
		"result:status":             "from 400 to 599",
		"result:503@0":              "number from 1",
		"result:503@":               "number from 1",
		"result:503@4-2":            "number from 1",
		"result:503@/0":             "number from 1",
		"result:503,retry-after=-1": "seconds from 1",
		"result:503,retry-after":    "seconds from 1",
		"result:503,body=xml":       "html or empty",
		"result:503,for=1s":         `takes no "for"`,
		"put:reset,after=many":      "number of bytes",
		"put:stall,for=long":        "such as 2s",
		"put:bare-list":             "does not fit put",
		"feedback:expired":          "does not fit feedback",
	} {
		t.Run("refused in a sentence: "+text, func(t *testing.T) {
			if got, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%v and %+v", err, got)
			}
		})
	}
	t.Run("every effect is in the grammar's text, and so is every operation", func(t *testing.T) {
		for effect := range fits {
			if !strings.Contains(FaultGrammar, string(effect)) {
				t.Errorf("%s is missing", effect)
			}
		}
		for _, op := range operations {
			if !strings.Contains(FaultGrammar, string(op)) {
				t.Errorf("%s is missing", op)
			}
		}
	})
	t.Run("an option that makes no sense is refused by New", func(t *testing.T) {
		if s, err := New(Options{Dir: t.TempDir(), Faults: []Fault{{Operation: OpPut, Effect: EffectOldList}}}); err == nil {
			t.Errorf("it began: %v", s.Close())
		}
	})
}

// faultyService is a sandbox with faults in the grammar of the flags.
func faultyService(t *testing.T, texts ...string) *service {
	t.Helper()
	var o Options
	for _, text := range texts {
		f, err := ParseFault(text)
		assert.NoError(t, err)
		o.Faults = append(o.Faults, f)
	}
	return setupWith(t, o, newClock())
}

func TestFaultCounts(t *testing.T) {
	for calls, want := range map[string]string{
		"@1": "x.......", "@3": "..x.....", "@2-4": ".xxx....", "@6-": ".....xxx", "@/3": "..x..x..", "@/1": "xxxxxxxx", "": "xxxxxxxx",
	} {
		t.Run("calls "+calls, func(t *testing.T) {
			s := faultyService(t, "list:500"+calls)
			var got strings.Builder
			for range want {
				if s.call(t, http.MethodGet, "/api/v2/media/users", "").status == http.StatusInternalServerError {
					got.WriteString("x")
				} else {
					got.WriteString(".")
				}
			}
			if got.String() != want {
				t.Errorf("got %s, want %s", got.String(), want)
			}
		})
	}
	t.Run("the calls of another operation do not count, nor those without a valid key", func(t *testing.T) {
		s := faultyService(t, "list:503@2")
		s.call(t, http.MethodGet, "/api/v2/media/users", "")
		s.ask(t, "a.jpg")
		s.send(t, http.MethodGet, s.url+"/api/v2/media/users", nil, nil)
		if got := s.call(t, http.MethodGet, "/api/v2/media/users/pages/0", ""); got.status != http.StatusServiceUnavailable {
			t.Errorf("%d", got.status)
		}
	})
}

func TestFaultStatus(t *testing.T) {
	s := faultyService(t,
		"list:503@1,retry-after=7", "list:429@2,retry-date=7", "list:500@3,body=message", "list:400@4,body=error", "list:502@5,body=html",
		"list:401@6,body=empty", "put:503")
	for _, want := range []struct {
		status                       int
		retry, contentType, contains string
	}{
		{503, "7", "application/json", `"response":`},
		{429, "Sat, 14 Mar 2026 09:27:00 GMT", "application/json", `"response":`},
		{500, "", "application/json", `{"message":"`},
		{400, "", "application/json", `{"error":"`},
		{502, "", "text/html; charset=utf-8", "<h1>502</h1>"},
		{401, "", "", ""},
	} {
		got := s.call(t, http.MethodGet, "/api/v2/media/users", "")
		if got.status != want.status || got.header.Get("Retry-After") != want.retry || got.header.Get("Content-Type") != want.contentType ||
			!strings.Contains(string(got.body), want.contains) || want.contains == "" && len(got.body) > 0 {
			t.Errorf("want %d: got %d, %v, %s", want.status, got.status, got.header, got.body)
		}
	}
	t.Run("storage says it in XML, and the upload did not happen", func(t *testing.T) {
		got := s.put(t, s.ask(t, "a.jpg").Response.SignedURL, photo(t, 1))
		if got.status != http.StatusServiceUnavailable || !strings.Contains(string(got.body), "<Error>") || s.Submissions() != 0 {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}

// began tells of the first line of a log.
type began chan struct{}

// Write never waits.
func (b began) Write(line []byte) (int, error) {
	select {
	case b <- struct{}{}:
	default:
	}
	return len(line), nil
}

// try sends a request that may fail and reads its answer to the end.
func (s *service) try(t *testing.T, method, url string, body []byte) (reply, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	assert.NoError(t, err)
	r.Header.Set("X-Api-Key", s.Key())
	r.GetBody = nil // so that net/http does not send it again by itself
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	answer, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, header: resp.Header, body: answer}, err
}

func TestFaultsOfConnections(t *testing.T) {
	t.Run("a reset is a reset, and the next try goes through", func(t *testing.T) {
		s := faultyService(t, "put:reset@1,after=1000")
		asked := s.ask(t, "a.jpg")
		u, err := url.Parse(asked.Response.SignedURL)
		assert.NoError(t, err)
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", u.Host)
		assert.NoError(t, err)
		defer conn.Close() //nolint:errcheck // it was reset
		_, err = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: 2000\r\n\r\n%s", u.RequestURI(), u.Host, strings.Repeat("x", 1000))
		assert.NoError(t, err)
		if answer, err := io.ReadAll(conn); err == nil || len(answer) > 0 { // an ordinary close would be no error here
			t.Errorf("got %q and %v", answer, err)
		}
		if s.Submissions() != 0 {
			t.Error("it counts as uploaded")
		}
		if got := s.put(t, asked.Response.SignedURL, photo(t, 1)); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
	t.Run("a stall with a length goes on after it", func(t *testing.T) {
		s := faultyService(t, "list:stall,for=30ms")
		began := time.Now()
		if got := s.call(t, http.MethodGet, "/api/v2/media/users", ""); got.status != http.StatusOK || time.Since(began) < 30*time.Millisecond {
			t.Errorf("%d after %v", got.status, time.Since(began))
		}
	})
	t.Run("a stall without one ends with the server, not after it", func(t *testing.T) {
		begun := make(began, 1)
		stalling := Options{Faults: []Fault{{Operation: OpPut, Effect: EffectStall}}, Log: slog.New(slog.NewTextHandler(begun, nil))}
		s := setupWith(t, stalling, newClock())
		signed := s.ask(t, "a.jpg").Response.SignedURL
		ended := make(chan error)
		go func() {
			_, err := s.try(t, http.MethodPut, signed, photo(t, 1))
			ended <- err
		}()
		<-begun
		stopping := time.Now()
		go s.stop()
		if err := <-ended; err == nil || time.Since(stopping) >= shutdownTimeout {
			t.Errorf("%v after %v", err, time.Since(stopping))
		}
	})
	t.Run("a truncated answer has its whole length in the header and half of it in the body", func(t *testing.T) {
		s := faultyService(t, "list:truncate@1", "artifact:truncate@1")
		id := s.upload(t, "a.jpg", photo(t, 1))
		for what, link := range map[string]string{"list": s.url + "/api/v2/media/users", "artifact": s.settled(t, id).StorageLocation} {
			cut, err := s.try(t, http.MethodGet, link, nil)
			whole, wholeErr := s.try(t, http.MethodGet, link, nil)
			if !errors.Is(err, io.ErrUnexpectedEOF) || cut.status != http.StatusOK || wholeErr != nil || len(cut.body) != len(whole.body)/2 {
				t.Errorf("%s: %d of %d bytes, %v and %v", what, len(cut.body), len(whole.body), err, wholeErr)
			}
		}
	})
}

func TestFaultExpired(t *testing.T) {
	t.Run("a link is denied once", func(t *testing.T) {
		s := faultyService(t, "put:expired@1", "artifact:expired@1")
		asked := s.ask(t, "a.jpg")
		s.wantDenied(t, "put", s.put(t, asked.Response.SignedURL, photo(t, 1)))
		if got := s.put(t, asked.Response.SignedURL, photo(t, 1)); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
		original := s.settled(t, asked.RequestID).StorageLocation
		s.wantDenied(t, "artifact", s.send(t, http.MethodGet, original, nil, nil))
		if got := s.send(t, http.MethodGet, original, nil, nil); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
	t.Run("an answer's links have expired already", func(t *testing.T) {
		s := faultyService(t, "upload-url:expired@2", "result:expired@1", "list:expired@1")
		id := s.upload(t, "a.jpg", photo(t, 1))
		s.wantDenied(t, "put", s.put(t, s.ask(t, "b.jpg").Response.SignedURL, photo(t, 1)))
		listed := decode[resultList](t, s.call(t, http.MethodGet, "/api/v2/media/users", "").body)
		for what, link := range map[string]string{"result": s.settled(t, id).StorageLocation, "list": listed.MediaList[0].StorageLocation} {
			s.wantDenied(t, what, s.send(t, http.MethodGet, link, nil, nil))
		}
		if got := s.send(t, http.MethodGet, s.result(t, id).StorageLocation, nil, nil); got.status != http.StatusOK {
			t.Errorf("the next answer's: %d", got.status)
		}
	})
}
