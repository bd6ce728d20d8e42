package client_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
)

const (
	institution = "0b6e5c3a-7d0f-4a53-9a55-3f1b1d2c4e5f"
	identifier  = "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b"
)

func TestRequestUpload(t *testing.T) {
	t.Run("U1 the address is asked for by POST with the file name as JSON and read from response.signedUrl", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a/b.jpg?s=1"},"requestId":"r1"}`))
		up, err := connect(t, s.URL).RequestUpload(t.Context(), `holiday & "beach".jpg`)
		if err != nil {
			t.Fatal(err)
		}
		got := s.only(t)
		if got.Method != http.MethodPost || got.Target != "/odd/base/api/files/cloud-presigned" {
			t.Errorf("asked %s %s", got.Method, got.Target)
		}
		if ct := got.Header.Get("Content-Type"); ct != "application/json" {
			t.Errorf("Content-Type is %q", ct)
		}
		if diff := cmp.Diff(`{"fileName":"holiday \u0026 \"beach\".jpg"}`, string(got.Body)); diff != "" {
			t.Errorf("the body (-want +got):\n%s", diff)
		}
		if want := "https://storage.example/a/b.jpg?s=1"; up.SignedURL != want {
			t.Errorf("the address is %q, want %q", up.SignedURL, want)
		}
	})

	t.Run("another deployment's path is asked where the options name it", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a"}}`))
		c := connect(t, s.URL, func(o *client.Options) { o.UploadPath = "/api/files/aws-presigned" })
		if _, err := c.RequestUpload(t.Context(), "a.jpg"); err != nil {
			t.Fatal(err)
		}
		if got := s.only(t).Target; got != "/odd/base/api/files/aws-presigned" {
			t.Errorf("asked %s", got)
		}
	})

	t.Run("the time of issue is when the answer came", func(t *testing.T) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		s := serve(t, answer(http.StatusOK, `{"response":{"signedUrl":"https://storage.example/a"}}`))
		up, err := connect(t, s.URL, func(o *client.Options) { o.Now = func() time.Time { return at } }).RequestUpload(t.Context(), "a.jpg")
		if err != nil || !up.Issued.Equal(at) {
			t.Errorf("issued %v (%v), want %v", up.Issued, err, at)
		}
	})
}

func TestRequestUploadIdentifier(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"beside response", `{"requestId":"r1","response":{"signedUrl":"https://s.example/x"}}`, "r1"},
		{"inside response", `{"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"beside before inside", `{"requestId":"r1","response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r1"},
		{"before the path's", `{"requestId":"r1","response":{"signedUrl":"https://s.example/` + identifier + `.jpg"}}`, "r1"},
		{"null beside, given inside", `{"requestId":null,"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"of another type beside, given inside", `{"requestId":{"id":7},"response":{"signedUrl":"https://s.example/x","requestId":"r2"}}`, "r2"},
		{"in the path, with an extension", `{"response":{"signedUrl":"https://s.example/` + institution + `/` + identifier + `.jpg?sig=1"}}`, identifier},
		{"in the path, without one", `{"response":{"signedUrl":"https://s.example/bucket/` + identifier + `"}}`, identifier},
		{"in the path before the file's own name", `{"response":{"signedUrl":"https://s.example/` + institution + `/` + identifier + `.mp4/original"}}`, identifier},
		{"not the institution's", `{"response":{"signedUrl":"https://s.example/` + institution + `/photo.jpg"}}`, ""},
		{"not from further up the path", `{"response":{"signedUrl":"https://s.example/` + identifier + `.jpg/a/b"}}`, ""},
		{"not from the query", `{"response":{"signedUrl":"https://s.example/photo.jpg?id=` + identifier + `"}}`, ""},
		{"not from the host", `{"response":{"signedUrl":"https://` + identifier + `.example/photo.jpg"}}`, ""},
		{"not from another field", `{"mediaId":"` + identifier + `","response":{"signedUrl":"https://s.example/photo.jpg","id":"m"}}`, ""},
		{"not from something like a UUID", `{"response":{"signedUrl":"https://s.example/x` + identifier + `.jpg"}}`, ""},
	} {
		t.Run("U10 "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, c.answer))
			up, err := connect(t, s.URL).RequestUpload(t.Context(), "photo.jpg")
			if err != nil || up.RequestID != c.want {
				t.Errorf("got %q (%v), want %q", up.RequestID, err, c.want)
			}
		})
	}
}

func TestRequestUploadTolerance(t *testing.T) {
	t.Run("U11 unknown fields are ignored", func(t *testing.T) {
		s := serve(t, answer(http.StatusCreated, `{"code":7,"errno":null,"new":[{}],"mediaId":{"a":1},"requestId":"r1",
			"response":{"signedUrl":"https://s.example/x?sig=1","headers":{"a":["b"]},"expires":900}}`))
		up, err := connect(t, s.URL).RequestUpload(t.Context(), "a.jpg")
		if err != nil || up.SignedURL != "https://s.example/x?sig=1" || up.RequestID != "r1" {
			t.Errorf("got %+v, %v", up, err)
		}
	})
	for _, c := range []struct{ name, answer string }{
		{"no response", `{"requestId":"r1"}`},
		{"response null", `{"response":null}`},
		{"response a text", `{"response":"see https://s.example/x?sig=` + signature + `"}`},
		{"no address", `{"response":{}}`},
		{"address null", `{"response":{"signedUrl":null}}`},
		{"address empty", `{"response":{"signedUrl":""}}`},
		{"address a number", `{"response":{"signedUrl":12}}`},
		{"address without host", `{"response":{"signedUrl":"/x?sig=` + signature + `"}}`},
		{"address with a port alone", `{"response":{"signedUrl":"https://:443/x?sig=` + signature + `"}}`},
		{"address of this computer", `{"response":{"signedUrl":"https://0.0.0.0/x?sig=` + signature + `"}}`},
		{"address with an impossible port", `{"response":{"signedUrl":"https://s.example:99999/x?sig=` + signature + `"}}`},
		{"address not of the web", `{"response":{"signedUrl":"ftp://s.example/x?sig=` + signature + `"}}`},
		{"address unencrypted", `{"response":{"signedUrl":"http://s.example/x?sig=` + signature + `"}}`},
		{"address malformed", `{"response":{"signedUrl":"https://[::1/x?sig=` + signature + `"}}`},
		{"answer a list", `[]`},
		{"answer null", `null`},
	} {
		t.Run("U11 an answer without a usable address is said so and quotes none of it: "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, c.answer))
			up, err := connect(t, s.URL).RequestUpload(t.Context(), "a.jpg")
			wantKind(t, err, client.KindAnswer)
			e := failure(t, err)
			if !strings.Contains(e.Message, "no usable upload address") || strings.Contains(e.Error()+e.Sentence(), signature) {
				t.Errorf("it says %q", e)
			}
			if up != (client.Upload{}) {
				t.Errorf("it still returned %+v", up)
			}
		})
	}
}
