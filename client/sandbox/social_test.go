package sandbox

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
)

// site is a web site on this computer that links point at.
func site(t *testing.T, pages map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	for at, page := range pages {
		mux.HandleFunc(at, page)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// serve answers with a body of a declared type.
func serve(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body)
	}
}

// submit hands a link over and returns its requestId.
func (s *service) submit(t *testing.T, link string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"socialLink": link})
	assert.NoError(t, err)
	answer := s.call(t, http.MethodPost, "/api/files/social", string(body))
	got := decode[socialAnswer](t, answer.body)
	if answer.status != http.StatusOK || uuid.Validate(got.RequestID) != nil {
		t.Fatalf("the link was refused: %d %s", answer.status, answer.body)
	}
	return got.RequestID
}

func TestLink(t *testing.T) {
	g, asked, hand := newGate(), make(chan struct{}), make(chan struct{})
	address := site(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		select {
		case <-hand:
		case <-r.Context().Done():
		}
		serve("image/jpeg", photo(t, 1))(w, r)
	}})
	s := setup(t, held(g))

	var id string
	t.Run("the answer is a text beside the identifier", func(t *testing.T) {
		answer := s.call(t, http.MethodPost, "/api/files/social", `{"socialLink":"`+address+`/a%20photo.jpg"}`)
		got := decode[map[string]any](t, answer.body)
		id, _ = got["requestId"].(string)
		if words, _ := got["response"].(string); answer.status != http.StatusOK || words == "" || got["code"] != "ok" || got["errno"] != 0.0 {
			t.Errorf("%d %s", answer.status, answer.body)
		}
	})
	inFlight := func(t *testing.T, status client.Status, downloaded bool) {
		t.Helper()
		got := s.result(t, id)
		if got.OverallStatus != status || string(got.fields["resultsSummary"]) != "null" || string(got.fields["models"]) != "[]" ||
			got.SocialLink != address+"/a%20photo.jpg" || bool(got.SocialLinkDownloaded) != downloaded || bool(got.SocialLinkFailed) || got.MediaType != client.Image {
			t.Errorf("got %s", got.Raw)
		}
	}
	<-asked
	t.Run("while it is fetched it is DOWNLOADING, with a null summary and no models", func(t *testing.T) {
		inFlight(t, client.Downloading, false)
	})
	t.Run("it is in the list already", func(t *testing.T) {
		got := decode[resultList](t, s.call(t, http.MethodGet, "/api/v2/media/users?name=a%20photo", "").body)
		if len(got.MediaList) != 1 || got.MediaList[0].RequestID != id {
			t.Errorf("%d listed", len(got.MediaList))
		}
	})
	close(hand)
	<-g.reached
	t.Run("while it is analysed it is ANALYZING, still with neither", func(t *testing.T) {
		inFlight(t, client.Analyzing, true)
	})
	g.open()
	t.Run("its end is that of the same file uploaded", func(t *testing.T) {
		got, uploaded := s.settled(t, id), s.settled(t, s.upload(t, "b.jpg", photo(t, 1)))
		if !got.Final() || !bool(got.SocialLinkDownloaded) || bool(got.SocialLinkFailed) || string(got.fields["models"]) != string(uploaded.fields["models"]) {
			t.Errorf("got %s", got.Raw)
		}
		if original := s.send(t, http.MethodGet, got.StorageLocation, nil, nil); string(original.body) != string(photo(t, 1)) {
			t.Errorf("the original is something else: %d", original.status)
		}
		if got.OriginalFileName.String() != "a photo.jpg" || got.FileName.String() != "a_photo.jpg" || s.Submissions() != 2 {
			t.Errorf("named %q and %q, %d submissions", got.OriginalFileName, got.FileName, s.Submissions())
		}
	})
	t.Run("feedback on it says where it came from", func(t *testing.T) {
		got := decode[Feedback](t, s.call(t, http.MethodPost, feedbackPath, feedbackOn(t, id, nil)).body)
		if got.MediaSource != "SOCIAL" {
			t.Errorf("got %q", got.MediaSource)
		}
	})
	t.Run("an uploaded file has the fields of links, empty and false", func(t *testing.T) {
		got := s.settled(t, s.upload(t, "c.jpg", photo(t, 1)))
		if string(got.fields["socialLink"]) != `""` || string(got.fields["socialLinkDownloaded"]) != "false" || string(got.fields["socialLinkDownloadFailed"]) != "false" {
			t.Errorf("got %s", got.Raw)
		}
	})
}

func TestLinkRefused(t *testing.T) {
	s := setup(t)
	for what, body := range map[string]string{
		"a path":           `{"socialLink":"/watch?v=1"}`,
		"no scheme":        `{"socialLink":"video.example/1"}`,
		"another scheme":   `{"socialLink":"ftp://video.example/1"}`,
		"no host":          `{"socialLink":"https:///1"}`,
		"an empty text":    `{"socialLink":" "}`,
		"nothing":          `{}`,
		"a list":           `{"socialLink":["https://video.example/1"]}`,
		"no address":       `{"socialLink":"https://[::1/x"}`,
		"a body too large": `{"socialLink":"https://video.example/` + strings.Repeat("x", maxRequest) + `"}`,
	} {
		t.Run("not an absolute web address: "+what, func(t *testing.T) {
			got := s.call(t, http.MethodPost, "/api/files/social", body)
			if got.status/100 != 4 || got.status == http.StatusNotFound || decode[apiError](t, got.body).Response == "" || s.Submissions() != 0 {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
}

func TestFetch(t *testing.T) {
	large := func(w http.ResponseWriter, declared bool) {
		w.Header().Set("Content-Type", "text/plain")
		if declared {
			w.Header().Set("Content-Length", strconv.Itoa(textCap+1))
		}
		block := []byte(strings.Repeat("a", 1<<20))
		for range 6 { // MB; the cap of texts is 5
			if _, err := w.Write(block[:min(len(block), textCap+1)]); err != nil {
				return
			}
		}
	}
	const elsewhere = "http://192.0.2.1/a.jpg" // of the block kept for documentation
	picture := photo(t, 1)
	address := site(t, map[string]http.HandlerFunc{
		"/named.png":   serve("text/html", picture),
		"/a.JPEG":      serve("", picture),
		"/no-name":     serve("application/octet-stream", picture),
		"/text":        serve("text/plain; charset=utf-8", []byte("Good morning.")),
		"/text.txt":    serve("application/octet-stream", []byte("Buenos días.")),
		"/sound.m4a":   serve("", []byte("\x00\x00\x00\x18ftypisom")),
		"/film":        serve("", []byte("\x00\x00\x00\x18ftypqt  ")),
		"/page":        serve("text/html", []byte("<html><body>A page</body></html>")),
		"/page.txt":    serve("text/plain", []byte("<!DOCTYPE html><p>A page</p>")),
		"/binary.txt":  serve("text/plain", []byte{1, 0, 2}),
		"/empty.jpg":   serve("image/jpeg", nil),
		"/missing.jpg": http.NotFound,
		"/declared":    func(w http.ResponseWriter, _ *http.Request) { large(w, true) },
		"/undeclared":  func(w http.ResponseWriter, _ *http.Request) { large(w, false) },
		"/to-picture":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/a.JPEG", http.StatusFound) },
		"/away":        func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) },
		"/round-and-round": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/round-and-round", http.StatusFound)
		},
		"/cut.jpg": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write(picture[:1000])
		},
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
	s := setup(t)

	for _, c := range []struct {
		what, link, name string
		media            client.MediaType
	}{
		{"the content counts, not the declared type; a fitting name is kept", address + "/named.png", "named.png", client.Image},
		{"an extension in capitals is one too", address + "/a.JPEG", "a.jpeg", client.Image},
		{"a link without an extension gets the content's", address + "/no-name", "no-name.jpg", client.Image},
		{"a text is one by the declared type", address + "/text", "text.txt", client.Text},
		{"a text is one by its name", address + "/text.txt", "text.txt", client.Text},
		{"a container of sound and video is what its name says", address + "/sound.m4a", "sound.m4a", client.Audio},
		{"a container without a name is what its brand says", address + "/film", "film.mov", client.Video},
		{"a redirect within this computer is followed", address + "/to-picture", "to-picture.jpeg", client.Image},
		{"localhost is this computer", "http://localhost:" + port + "/a.JPEG", "a.jpeg", client.Image},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := s.settled(t, s.submit(t, c.link))
			if !bool(got.SocialLinkDownloaded) || bool(got.SocialLinkFailed) || got.OriginalFileName.String() != c.name || got.MediaType != c.media || got.StorageLocation == "" || !got.Final() ||
				c.media == client.Image && got.ResultsSummary.Failure != nil {
				t.Errorf("got %s", got.Raw)
			}
		})
	}
	for _, c := range []struct{ what, link, words string }{
		{"a host elsewhere is not asked", elsewhere, "to this computer alone"},
		{"a name elsewhere is not looked up", "https://video.example/watch?v=1", "to this computer alone"},
		{"a name that only begins like this computer's is elsewhere", "http://localhost.example/a.jpg", "to this computer alone"},
		{"a redirect away is not followed", address + "/away", "to this computer alone"},
		{"a redirect in circles ends", address + "/round-and-round", "redirects too often"},
		{"a page is no media", address + "/page", "does not lead to a picture"},
		{"a page under a text's name is no media", address + "/page.txt", "does not lead to a picture"},
		{"bytes under a text's name are no text", address + "/binary.txt", "does not lead to a picture"},
		{"an empty file is none", address + "/empty.jpg", "an empty file"},
		{"an error is said", address + "/missing.jpg", "status 404"},
		{"a file over its cap is not fetched", address + "/declared", "more than 5242880 bytes"},
		{"a file that turns out to be over its cap is dropped", address + "/undeclared", "more than 5242880 bytes"},
		{"a file that breaks off is dropped", address + "/cut.jpg", "could not fetch"},
		{"nobody there is a failure", "http://127.0.0.1:1/a.jpg", "could not fetch"},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := s.settled(t, s.submit(t, c.link))
			if bool(got.SocialLinkDownloaded) || !bool(got.SocialLinkFailed) || got.OverallStatus != client.UnableToEvaluate || !got.Final() ||
				got.StorageLocation != "" || got.AggregationResultURL != "" || string(got.fields["models"]) != "[]" || !strings.Contains(got.ResultsSummary.Failure.Message.String(), c.words) {
				t.Errorf("got %s", got.Raw)
			}
		})
	}
	t.Run("failures leave nothing behind", func(t *testing.T) {
		if left, err := os.ReadDir(filepath.Join(s.dir, incomingDir)); err != nil || len(left) != 0 {
			t.Errorf("%v %v", left, err)
		}
	})
}

func TestFetchTimeAndRestart(t *testing.T) {
	asked := make(chan struct{}, 10)
	stalled := func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}
	t.Run("a link that never answers fails at the time limit", func(t *testing.T) {
		s := setup(t, func(s *Sandbox) { s.fetchLimit = 50 * time.Millisecond })
		got := s.settled(t, s.submit(t, site(t, map[string]http.HandlerFunc{"/": stalled})+"/a.jpg"))
		if !bool(got.SocialLinkFailed) || !strings.Contains(got.ResultsSummary.Failure.Message.String(), "took too long") {
			t.Errorf("got %s", got.Raw)
		}
		<-asked
	})
	t.Run("a link that was being fetched is fetched by the next start", func(t *testing.T) {
		before, first := setup(t), true
		id := before.submit(t, site(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
			if first {
				first = false
				stalled(w, r)
				return
			}
			serve("image/jpeg", photo(t, 1))(w, r)
		}})+"/a.jpg")
		<-asked
		before.stop()

		got := setupIn(t, before.dir, before.clock).settled(t, id)
		if !bool(got.SocialLinkDownloaded) || !got.Final() || got.ResultsSummary.Failure != nil {
			t.Errorf("got %s", got.Raw)
		}
	})
}
