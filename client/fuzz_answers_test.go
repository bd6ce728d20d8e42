package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/plain/plaintest"
)

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
			if !errors.As(err, &e) || e.Kind != KindSetup || e.Message == "" || l != (Link{}) {
				t.Fatalf("refused as %#v, with %+v", err, l)
			}
			return
		}
		u, err := url.Parse(l.URL)
		if err != nil || !u.IsAbs() || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			t.Fatalf("%q passed: %v", l.URL, err)
		}
		if l.URL != strings.TrimSpace(link) || l.Host == "" || (l.Note == "") != l.Platform.Accepted() {
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
		if err := json.Unmarshal(r.Raw, &again); err != nil {
			t.Fatal(err)
		}
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
			if err != nil {
				t.Fatal(err)
			}
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
