package client_test

import (
	"net/http"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

func TestSubmitLink(t *testing.T) {
	t.Run("S1 the link is posted as JSON and the identifier read", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"requestId":"r1","code":"ok","errno":0,"response":"Queued."}`))
		got, err := connect(t, s.URL).SubmitLink(t.Context(), "  https://www.youtube.com/watch?v=a&t=1#x\n")
		assert.NoError(t, err)
		want := client.LinkSubmission{RequestID: "r1", Message: "Queued.", Link: client.Link{
			URL: "https://www.youtube.com/watch?v=a&t=1#x", Host: "www.youtube.com", Platform: client.VideoSharing}}
		assert.Equal(t, want, got)
		asked := s.only(t)
		if asked.Method != http.MethodPost || asked.Target != "/odd/base/api/files/social" || asked.Header.Get("Content-Type") != "application/json" {
			t.Errorf("asked %s %s with %v", asked.Method, asked.Target, asked.Header)
		}
		assert.Equal(t, `{"socialLink":"https://www.youtube.com/watch?v=a\u0026t=1#x"}`, string(asked.Body))
	})
	for _, c := range []struct{ name, answer, id, message string }{
		{"beside response", `{"requestId":"r1"}`, "r1", ""},
		{"inside response", `{"response":{"requestId":"r2","message":"Queued."}}`, "r2", "Queued."},
		{"beside a response that is a text", `{"requestId":"r1","response":"Queued."}`, "r1", "Queued."},
		{"null beside, given inside", `{"requestId":null,"response":{"requestId":"r2"}}`, "r2", ""},
		{"with fields of any shape", `{"requestId":"r1","response":[1],"code":{},"new":null}`, "r1", ""},
	} {
		t.Run("S1 the identifier is read: "+c.name, func(t *testing.T) {
			s := serve(t, answer(http.StatusAccepted, c.answer))
			got, err := connect(t, s.URL).SubmitLink(t.Context(), "https://x.com/a/status/1")
			if err != nil || got.RequestID != c.id || got.Message != c.message {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	for body, want := range map[string]string{
		`{}`: "gave no ID for it", `null`: "gave no ID for it", `{"requestId":7}`: "gave no ID for it",
		`{"code":"x","response":"This site is not supported."}`: "This site is not supported.",
	} {
		t.Run("S1 an answer without identifier is said so, in the service's words where it has some: "+body, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, body))
			_, err := connect(t, s.URL).SubmitLink(t.Context(), "https://x.com/a/status/1")
			wantKind(t, err, client.KindAnswer)
			if e := failure(t, err); !strings.Contains(e.Message.String(), want) || !e.Uncertain || e.Temporary() || len(s.seen()) != 1 {
				t.Errorf("got %+v", e)
			}
		})
	}
	t.Run("S1 a refusal is shown in the service's words", func(t *testing.T) {
		s := serve(t, answer(http.StatusBadRequest, `{"code":"unsupported-link","response":"This site is not supported."}`))
		_, err := connect(t, s.URL).SubmitLink(t.Context(), "https://facebook.com/1")
		wantKind(t, err, client.KindRefused)
		if e := failure(t, err); e.Message.String() != "The service says: “This site is not supported.”" || e.Code.String() != "unsupported-link" || e.Uncertain {
			t.Errorf("got %+v", e)
		}
	})
}

func TestLinks(t *testing.T) {
	for _, link := range []string{
		"https://youtu.be/1", "http://x.com/a", "HTTPS://X.COM/a", "https://x.com", "https://x.com:443/a", "\thttps://x.com/ü?q=ö \n",
		"http://127.0.0.1:8080/clip.mp4", "http://localhost/clip.mp4", "http://[::1]:9/a", "https://xn--bcher-kva.example/",
	} {
		t.Run("S2 an absolute http or https link may go: "+strings.TrimSpace(link), func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
			got, err := connect(t, s.URL).SubmitLink(t.Context(), link)
			if err != nil || got.Link.URL != strings.TrimSpace(link) || len(s.seen()) != 1 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	for name, link := range map[string]string{
		"nothing": "", "white space": " \n", "no scheme": "youtube.com/watch?v=1", "no host": "https:///watch", "a port alone": "https://:443/a", "an empty port": "https://x.com:/a",
		"an impossible port": "https://x.com:99999/a", "a path": "/watch?v=1", "without scheme": "//youtube.com/1", "another scheme": "ftp://x.com/a", "a file": "file:///etc/hosts",
		"a script": "javascript:alert(1)", "data": "data:text/html,x", "an address": "mailto:a@x.com", "opaque": "https:x.com/a", "two links": "https://x.com/a https://x.com/b",
		"two lines": "https://x.com/a\nhttps://x.com/b", "text around it": "see https://x.com/a", "a control character": "https://x.com/\x00a", "no text": "https://x.com/\xff",
		"malformed": "https://[::1", "a bad escape": "https://x.com/%zz", "a password": "https://me:" + signature + "@x.com/a", "another's host as name": "https://youtube.com@evil.example/a",
		"endless": "https://x.com/" + strings.Repeat("a", 5000),
	} {
		t.Run("S2 anything else is refused before any request: "+name, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
			_, err := connect(t, s.URL).SubmitLink(t.Context(), link)
			wantKind(t, err, client.KindSetup)
			if e := failure(t, err); !strings.HasSuffix(e.Message.String(), ".") || e.Temporary() || strings.Contains(e.Error(), signature) || len(s.seen()) != 0 {
				t.Errorf("%d requests, %+v", len(s.seen()), e)
			}
			if _, alone := client.CheckLink(link); alone == nil || alone.Error() != err.Error() {
				t.Errorf("CheckLink says %v", alone)
			}
		})
	}

	for link, platform := range map[string]client.Platform{
		"https://twitter.com/a": client.Microblogging, "https://mobile.x.com./a": client.Microblogging,
		"https://m.youtube.com/1": client.VideoSharing, "https://youtu.be/1": client.VideoSharing,
		"https://vm.tiktok.com/1": client.ShortVideo, "https://www.threads.net/1": client.TextThread, "https://THREADS.com/1": client.TextThread,
	} {
		t.Run("S3 these four kinds go without a note: "+link, func(t *testing.T) {
			got, err := client.CheckLink(link)
			if err != nil || got.Platform != platform || !got.Note.IsZero() {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	for link, platform := range map[string]client.Platform{
		"https://www.facebook.com/1": client.SocialNetwork, "https://fb.watch/1": client.SocialNetwork, "https://instagram.com/p/1": client.PhotoSharing,
		"https://example.org/clip.mp4": client.OtherPlatform, "https://netflix.com/1": client.OtherPlatform, "https://x.com.example.org/": client.OtherPlatform,
		"https://notyoutube.com/": client.OtherPlatform, "http://127.0.0.1/a": client.OtherPlatform, "https://com/": client.OtherPlatform,
	} {
		t.Run("S3 unclear and unknown ones are sent, with a note: "+link, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
			got, err := connect(t, s.URL).SubmitLink(t.Context(), link)
			if err != nil || got.Link.Platform != platform || !strings.Contains(got.Link.Note.String(), "may refuse") || len(s.seen()) != 1 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	t.Run("S3 the table of hosts is an option", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, `{"requestId":"r1"}`))
		hosts := client.DefaultLinkHosts()
		hosts["video.example.org"], hosts["10.0.0.1"] = client.VideoSharing, client.VideoSharing
		delete(hosts, "x.com")
		c := connect(t, s.URL, func(o *client.Options) { o.LinkHosts = hosts })
		for link, note := range map[string]bool{"https://a.video.example.org/1": false, "https://example.org/1": true, "https://x.com/1": true, "https://10.0.0.1/": false} {
			got, err := c.CheckLink(link)
			if err != nil || (!got.Note.IsZero()) != note {
				t.Errorf("%s: %+v, %v", link, got, err)
			}
		}
		if got, err := client.CheckLink("https://x.com/1"); err != nil || !got.Note.IsZero() {
			t.Errorf("the default table changed: %+v, %v", got, err)
		}
	})
}

func TestFieldsOfALink(t *testing.T) {
	for fields, want := range map[string][2]client.Bool{
		`"socialLinkDownloaded":true`:                                      {true, false},
		`"socialLinkDownloaded":"True","socialLinkDownloadFailed":"FALSE"`: {true, false},
		`"socialLinkDownloadFailed":true`:                                  {false, true},
		`"socialLinkDownloaded":false,"socialLinkDownloadFailed":"TRUE"`:   {false, true},
		`"overallStatus":"DOWNLOADING"`:                                    {},
	} {
		t.Run("S4 the fields of a link are read: "+fields, func(t *testing.T) {
			s := serve(t, answer(http.StatusOK, `{"requestId":"r1","socialLink":"https://youtu.be/1",`+fields+`}`))
			r, err := connect(t, s.URL).Result(t.Context(), "r1")
			if err != nil || r.SocialLink != "https://youtu.be/1" || [2]client.Bool{r.SocialLinkDownloaded, r.SocialLinkFailed} != want {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}
