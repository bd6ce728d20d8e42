package sandbox

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
)

func TestUploadAddress(t *testing.T) {
	s := setup(t)

	t.Run("the answer has the identifier at the top and the link inside response", func(t *testing.T) {
		answer := s.call(t, http.MethodPost, "/api/files/cloud-presigned", `{"fileName":"a.jpg","other":1}`)
		got := decode[uploadAnswer](t, answer.body)
		if uuid.Validate(got.RequestID) != nil || uuid.Validate(got.MediaID) != nil || got.MediaID == got.RequestID {
			t.Errorf("requestId %q and mediaId %q are not two UUIDs", got.RequestID, got.MediaID)
		}
		if want := s.url + "/storage/sandbox/" + got.RequestID + ".jpg?"; !strings.HasPrefix(got.Response.SignedURL, want) {
			t.Errorf("the link is %q, want it to begin with %q", got.Response.SignedURL, want)
		}
	})
	t.Run("any word before -presigned will do, and nothing else", func(t *testing.T) {
		for path, want := range map[string]int{
			"/api/files/aws-presigned": http.StatusOK,
			"/api/files/presigned":     http.StatusNotFound,
			"/api/files/other":         http.StatusNotFound,
		} {
			if got := s.call(t, http.MethodPost, path, `{"fileName":"a.jpg"}`); got.status != want {
				t.Errorf("%s: %d, want %d", path, got.status, want)
			}
		}
	})
	t.Run("the extensions of the interface are accepted in any case", func(t *testing.T) {
		for extension, media := range map[string]client.MediaType{
			"jpg": client.Image, "jpeg": client.Image, "png": client.Image, "gif": client.Image, "webp": client.Image,
			"mp3": client.Audio, "wav": client.Audio, "m4a": client.Audio, "aac": client.Audio, "ogg": client.Audio,
			"flac": client.Audio, "alac": client.Audio, "mp4": client.Video, "mov": client.Video, "txt": client.Text,
		} {
			for _, name := range []string{"a." + extension, "A." + strings.ToUpper(extension)} {
				if got := s.result(t, s.ask(t, name).RequestID).MediaType; got != media {
					t.Errorf("%s is %s, want %s", name, got, media)
				}
			}
		}
	})
	t.Run("special characters become underscores and the name sent is kept", func(t *testing.T) {
		const name = `../Zoë's photo #1 (final).v2.JPG`
		got := s.result(t, s.ask(t, name).RequestID)
		want := []string{`.._Zo__s_photo__1__final_.v2.JPG`, name}
		assert.Equal(t, want, []string{got.FileName.String(), got.OriginalFileName.String()})
	})
	t.Run("a name of 200 characters is accepted, counted in characters and not in bytes", func(t *testing.T) {
		s.ask(t, strings.Repeat("é", 196)+".jpg")
	})

	longName := `{"fileName":"` + strings.Repeat("é", 197) + `.jpg"}`
	for _, refused := range []struct {
		what, body string
		status     int
		words      string
	}{
		{"a name of 201 characters", longName, http.StatusBadRequest, "201 characters"},
		{"a type that is not supported", `{"fileName":"a.pdf"}`, http.StatusBadRequest, ".jpeg"},
		{"no extension", `{"fileName":"photo"}`, http.StatusBadRequest, "not supported"},
		{"no name", `{"fileName":" "}`, http.StatusBadRequest, "missing"},
		{"a name that is no text", `{"fileName":5}`, http.StatusBadRequest, "neither a JSON object nor a form"},
		{"no JSON, and not called a form", `fileName=a.jpg`, http.StatusBadRequest, "neither a JSON object nor a form"},
		{"a body over its bound", `{"fileName":"` + strings.Repeat("x", maxRequest) + `"}`, http.StatusRequestEntityTooLarge, "neither a JSON object nor a form"},
	} {
		t.Run(refused.what+" is refused in words", func(t *testing.T) {
			got := s.call(t, http.MethodPost, client.DefaultUploadPath, refused.body)
			said := decode[apiError](t, got.body)
			if got.status != refused.status || said.Code == "" || !strings.Contains(said.Response, refused.words) {
				t.Errorf("got %d %s, want %d with %q", got.status, got.body, refused.status, refused.words)
			}
		})
	}
}

func TestKey(t *testing.T) {
	s := setup(t)
	for _, path := range []string{"/api/files/cloud-presigned", "/api/media/users/x", "/api/v2/media/users", "/api/v2/media/users/pages/0", "/api/nowhere"} {
		for what, header := range map[string]http.Header{"no key": nil, "another key": {"X-Api-Key": {s.Key() + "x"}}} {
			t.Run(path+" with "+what+" is 401 in JSON", func(t *testing.T) {
				for _, method := range []string{http.MethodGet, http.MethodPost} {
					got := s.send(t, method, s.url+path, header, nil)
					if got.status != http.StatusUnauthorized || decode[apiError](t, got.body).Response == "" {
						t.Errorf("%s: got %d %s", method, got.status, got.body)
					}
				}
			})
		}
	}
	t.Run("unknown paths are 404 in JSON", func(t *testing.T) {
		for _, path := range []string{"/", "/api/", "/api/nowhere", "/api/v2/user-feedback", "/storage/", "/elsewhere"} {
			if got := s.call(t, http.MethodGet, path, ""); got.status != http.StatusNotFound || decode[apiError](t, got.body).Code != "not-found" {
				t.Errorf("%s: got %d %s", path, got.status, got.body)
			}
		}
	})
	t.Run("a given key is the one accepted", func(t *testing.T) {
		given, err := New(Options{Dir: t.TempDir(), Key: "given"})
		assert.NoError(t, err)
		defer given.Close() //nolint:errcheck // nothing to lose
		if given.Key() != "given" {
			t.Errorf("the key is %q", given.Key())
		}
	})
}
