package sandbox

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

// TestOtherClients holds what clients that were written by others send beside, or in place of, what the interface shows.
func TestOtherClients(t *testing.T) {
	s := setup(t)
	fields := func(t *testing.T, all map[string]string) (form, multi string, multiType string) {
		t.Helper()
		values := url.Values{}
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		for name, value := range all {
			values.Set(name, value)
			assert.NoError(t, parts.WriteField(name, value))
		}
		assert.NoError(t, parts.Close())
		return values.Encode(), body.String(), parts.FormDataContentType()
	}
	post := func(t *testing.T, path, contentType, body string) reply {
		t.Helper()
		return s.send(t, http.MethodPost, s.url+path, http.Header{"X-Api-Key": {s.Key()}, "Content-Type": {contentType}, "Accept": {"application/json"}}, []byte(body))
	}
	finished := s.upload(t, "note.txt", []byte("hello"))
	for path, c := range map[string]struct {
		fields map[string]string
		status int
	}{
		client.DefaultUploadPath:    {map[string]string{"fileName": "photo of a & b.jpg"}, http.StatusOK},
		"/api/files/aws-presigned":  {map[string]string{"fileName": "photo.jpg"}, http.StatusOK},
		"/api/files/social":         {map[string]string{"socialLink": "https://youtu.be/1?a=b&c=d"}, http.StatusOK},
		"/api/v2/user-feedback":     {map[string]string{"requestId": finished, "label": "REAL", "feedbackCategory": "OTHER", "comment": "ü & +"}, http.StatusCreated},
		"/api/files/odd-presigned?": {map[string]string{"fileName": "ÜBER.PNG"}, http.StatusOK},
	} {
		form, multi, multiType := fields(t, c.fields)
		for contentType, body := range map[string]string{"application/x-www-form-urlencoded": form, "application/x-www-form-urlencoded; charset=utf-8": form, multiType: multi} {
			t.Run("a form is as good as JSON: "+path+" "+strings.SplitN(contentType, "boundary", 2)[0], func(t *testing.T) {
				if got := post(t, path, contentType, body); got.status != c.status {
					t.Errorf("got %d %s", got.status, got.body)
				}
			})
		}
	}
	t.Run("JSON that is called a form, as curl calls all that it is given, is JSON", func(t *testing.T) {
		if got := post(t, client.DefaultUploadPath, "application/x-www-form-urlencoded", `{"fileName":"a.jpg"}`); got.status != http.StatusOK {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
	t.Run("a field that a form gives in a file is missing", func(t *testing.T) {
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		file, err := parts.CreateFormFile("fileName", "a.jpg")
		if err == nil {
			_, err = file.Write([]byte("a.jpg"))
		}
		if err != nil || parts.Close() != nil {
			t.Fatal(err)
		}
		if got := post(t, client.DefaultUploadPath, parts.FormDataContentType(), body.String()); got.status != http.StatusBadRequest || !strings.Contains(decode[apiError](t, got.body).Response, "missing") {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
	t.Run("a broken form is refused in words", func(t *testing.T) {
		for contentType, body := range map[string]string{"application/x-www-form-urlencoded": "fileName=%zz", "multipart/form-data; boundary=x": "--y", "multipart/form-data": "fileName"} {
			if got := post(t, client.DefaultUploadPath, contentType, body); got.status != http.StatusBadRequest || decode[apiError](t, got.body).Response == "" {
				t.Errorf("%s: got %d %s", contentType, got.status, got.body)
			}
		}
	})
	for name, header := range map[string]http.Header{
		"the key, a type and what it accepts": {"X-Api-Key": {s.Key()}, "Content-Type": {"image/jpeg"}, "Accept": {"application/json"}},
		"cookies and a user agent":            {"Cookie": {"a=b"}, "User-Agent": {"other/1.0"}},
	} {
		t.Run("an upload may carry "+name, func(t *testing.T) {
			asked := s.ask(t, "note.txt")
			if got := s.send(t, http.MethodPut, asked.Response.SignedURL, header, []byte("hello")); got.status != http.StatusOK {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}
