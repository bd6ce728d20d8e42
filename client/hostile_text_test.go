package client_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/client"
	"assay/client/plain/plaintest"
)

// asJSON is a text as a string of JSON.
func asJSON(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// raw answers with bytes of its own, past Go's server.
func raw(t *testing.T, response string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = c.Write([]byte(response))
		_ = c.Close()
	}
}

// hostileAnswers are the ways in which a service, a proxy or a log-in page can say a text in place of an answer.
func hostileAnswers(t *testing.T, text string) map[string]http.HandlerFunc {
	message := `{"code":` + asJSON(t, text) + `,"message":` + asJSON(t, text) + `}`
	header := strings.Map(func(r rune) rune { // what would end the header is another response
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, text[:min(len(text), 1000)])
	return map[string]http.HandlerFunc{
		"400 with a message":        answer(http.StatusBadRequest, message),
		"401 with a message":        answer(http.StatusUnauthorized, message),
		"403 with a message":        answer(http.StatusForbidden, message),
		"500 with a message":        answer(http.StatusInternalServerError, message),
		"503 with a message":        answer(http.StatusServiceUnavailable, message),
		"400 with a text as error":  answer(http.StatusBadRequest, `{"error":`+asJSON(t, text)+`}`),
		"400 with a message within": answer(http.StatusBadRequest, `{"error":{"response":`+asJSON(t, text)+`}}`),
		"400 with a page":           answer(http.StatusBadRequest, "<html>"+text),
		"200 with a page":           answer(http.StatusOK, "<html>"+text),
		"200 with a text":           answer(http.StatusOK, text),
		"a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://"+url.PathEscape(text)+".example/")
			w.WriteHeader(http.StatusFound)
		},
		"a redirect as it is":          raw(t, "HTTP/1.1 302 Found\r\nLocation: http://"+header+".example/"+header+"\r\nContent-Length: 0\r\n\r\n"),
		"a status line":                raw(t, "HTTP/1.1 400 "+header+"\r\nContent-Length: 0\r\n\r\n"),
		"no status line":               raw(t, header+"\r\n\r\n"),
		"a header that is none":        raw(t, "HTTP/1.1 200 OK\r\n"+header+"\r\n\r\n"),
		"a length that is none":        raw(t, "HTTP/1.1 200 OK\r\nContent-Length: "+header+"\r\n\r\n"),
		"a transfer that is none":      raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: "+header+"\r\n\r\n"),
		"a time to wait that is none":  raw(t, "HTTP/1.1 503 Busy\r\nRetry-After: "+header+"\r\nContent-Length: 0\r\n\r\n"),
		"a chunk that is none":         raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+header+"\r\n\r\n"),
		"a type of content that's odd": raw(t, "HTTP/1.1 400 Bad\r\nContent-Type: "+header+"\r\nContent-Length: 0\r\n\r\n"),
	}
}

// wantOneLine holds what a person, a log and a script get of an error to one line each, of bounded length.
func wantOneLine(t *testing.T, err error) {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	for _, said := range []string{e.Sentence(), e.Message, e.Hint, fmt.Sprint(e.Code)} {
		plaintest.OneLine(t, said)
		if n := utf8.RuneCountInString(said); n > 700 {
			t.Errorf("%d characters are said", n)
		}
	}
	plaintest.OneLine(t, e.Error())
}

func TestNoErrorSaysMoreThanALine(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		for how, hostile := range hostileAnswers(t, text) {
			t.Run(fmt.Sprintf("%s: %.20q", how, text), func(t *testing.T) {
				s := serve(t, hostile)
				for _, op := range operations {
					if err := op.do(t, connect(t, s.URL)); err != nil {
						wantOneLine(t, err)
					}
				}
				if err := client.Check(t.Context(), client.Options{BaseURL: s.URL + basePath, Key: func() string { return key }}); err != nil {
					wantOneLine(t, err)
				}
				link := s.URL + "/inst/id.jpg?sig=" + signature
				c := connect(t, s.URL)
				if err := c.Put(t.Context(), link, open(t, []byte("bytes")), 5, nil); err != nil {
					wantOneLine(t, err)
				}
				if _, err := c.Artifact(t.Context(), link, 100); err != nil {
					wantOneLine(t, err)
				}
			})
		}
		t.Run(fmt.Sprintf("storage's XML: %.20q", text), func(t *testing.T) {
			var escaped strings.Builder
			if err := xml.EscapeText(&escaped, []byte(text)); err != nil {
				t.Fatal(err)
			}
			for _, code := range []string{"EntityTooLarge", escaped.String()} {
				s := serve(t, answer(http.StatusBadRequest, "<Error><Code>"+code+"</Code><Message>"+escaped.String()+"</Message></Error>"))
				err := connect(t, s.URL).Put(t.Context(), s.URL+"/x?sig="+signature, open(t, []byte("bytes")), 5, nil)
				wantOneLine(t, err)
			}
		})
		t.Run(fmt.Sprintf("what is said of a link: %.20q", text), func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1","response":`+asJSON(t, text)+`}`))
			got, err := connect(t, s.URL).SubmitLink(t.Context(), "https://youtu.be/1")
			if err != nil || utf8.RuneCountInString(got.Message) > 500 {
				t.Fatal(len(got.Message), err)
			}
			plaintest.OneLine(t, got.Message)
		})
	}
}

func TestAKeyThatIsEchoedAmidHiddenCharactersIsLeftOut(t *testing.T) {
	for _, padding := range []int{0, 480, 490, 495} { // it may stand where the message is cut
		body := `{"message":` + asJSON(t, strings.Repeat("x", padding)+"\x1b"+key+"\u202e") + `}`
		s := serve(t, answer(http.StatusBadRequest, body))
		for _, op := range operations {
			if err := op.do(t, connect(t, s.URL)); err == nil || strings.Contains(err.Error(), key[:5]) {
				t.Errorf("%s: %v", op.name, err)
			}
		}
	}
}
