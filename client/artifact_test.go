package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

func TestArtifact(t *testing.T) {
	t.Run("A5 the key is sent to no pre-signed URL, the API's own host's neither", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, "picture"))
		body, err := connect(t, s.URL).Artifact(t.Context(), s.URL+basePath+"/heat.png?sig=a%2Fb", 100)
		if err != nil || string(body) != "picture" {
			t.Fatalf("got %q, %v", body, err)
		}
		got := s.only(t)
		if got.Method != http.MethodGet || got.Target != "/odd/base/heat.png?sig=a%2Fb" {
			t.Errorf("asked %s %s", got.Method, got.Target)
		}
		assert.Equal(t, http.Header{"User-Agent": {"Assay"}}, got.Header)
	})

	content := bytes.Repeat([]byte("0123456789"), 100)
	for _, c := range []struct {
		limit int64
		whole bool
	}{{math.MaxInt64, true}, {1001, true}, {1000, true}, {999, false}, {1, false}, {0, false}} {
		t.Run(fmt.Sprintf("1000 bytes are read whole or not at all: limit %d", c.limit), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
			body, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x", c.limit)
			if c.whole && (err != nil || !bytes.Equal(body, content)) {
				t.Errorf("got %d bytes, %v", len(body), err)
			}
			if !c.whole {
				wantKind(t, err, client.KindAnswer)
			}
		})
	}

	t.Run("an endless one ends at the limit", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(content); err != nil {
					return
				}
			}
		})
		_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x", 1<<20)
		wantKind(t, err, client.KindAnswer)
	})

	t.Run("one that is cut off is no artifact", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2000")
			_, _ = w.Write(content)
		})
		body, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x", 1<<20)
		wantKind(t, err, client.KindNetwork)
		if body != nil || !failure(t, err).Temporary() {
			t.Errorf("got %d bytes and %v", len(body), err)
		}
	})

	for _, c := range []struct {
		status int
		kind   client.Kind
	}{
		{400, client.KindExpired}, {401, client.KindExpired}, {403, client.KindExpired},
		{404, client.KindRefused}, {500, client.KindService}, {503, client.KindBusy},
	} {
		t.Run(fmt.Sprintf("storage's %d is kind %s", c.status, c.kind), func(t *testing.T) {
			s := serve(t, answer(c.status, `<Error><Code>AccessDenied</Code></Error>`))
			_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x?sig="+signature, 100)
			wantKind(t, err, c.kind)
		})
	}

	t.Run("no address and an unencrypted one are not asked for", func(t *testing.T) {
		for _, address := range []string{"", "inst/id.jpg/aggregation.json", "http://s.example/x?sig=" + signature, "file:///etc/hosts", "https://[::1"} {
			_, err := connect(t, "https://api.example").Artifact(t.Context(), address, 100)
			wantKind(t, err, client.KindAnswer)
			if strings.Contains(err.Error(), signature) {
				t.Errorf("the error quotes the address: %v", err)
			}
		}
	})

	for _, c := range []struct {
		name  string
		begin func(w http.ResponseWriter)
	}{
		{"before the first byte", func(http.ResponseWriter) {}},
		{"half-way", func(w http.ResponseWriter) {
			_, _ = w.Write(content)
			_ = http.NewResponseController(w).Flush()
		}},
	} {
		t.Run("a download that stalls ends: "+c.name, func(t *testing.T) {
			over := make(chan struct{})
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) { c.begin(w); <-over })
			defer close(over)
			api := connect(t, s.URL, func(o *client.Options) { o.StallTimeout = 60 * time.Millisecond })
			_, err := api.Artifact(t.Context(), s.URL+"/x", 1<<20)
			wantKind(t, err, client.KindStalled)
		})
	}

	t.Run("a download that moves slowly outlasts the time-out", func(t *testing.T) {
		const stall = time.Second
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			tick := time.NewTicker(stall / 4)
			defer tick.Stop()
			for range 6 {
				<-tick.C
				_, _ = w.Write([]byte("."))
				_ = http.NewResponseController(w).Flush()
			}
		})
		body, err := connect(t, s.URL, func(o *client.Options) { o.StallTimeout = stall }).Artifact(t.Context(), s.URL+"/x", 100)
		if err != nil || string(body) != "......" {
			t.Errorf("got %q, %v", body, err)
		}
	})

	t.Run("a download that is stopped says so", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		s := serve(t, func(http.ResponseWriter, *http.Request) { stop(); <-over })
		defer close(over)
		_, err := connect(t, s.URL).Artifact(ctx, s.URL+"/x", 100)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestUsableHeatmaps(t *testing.T) {
	result := func(mediaType, models string) string {
		return `{"requestId":"r1","mediaType":"` + mediaType + `","models":[` + models + `],
			"heatmaps":{"svc-oak-img":"URL/oak","svc-elm-img":"URL/elm","svc-img-ensemble":"URL/all","gone":"URL/gone","svc-empty":"","svc-null":null,"svc-odd":5}}`
	}
	const (
		oakFake   = `{"name":"svc-oak-img","status":"FAKE","data":{"decision":"ARTIFICIAL"}}`
		elmFake   = `{"name":"svc-elm-img","status":"FAKE","data":null}`
		ensemble  = `{"name":"svc-img-ensemble","status":"FAKE","data":{"decision":"ARTIFICIAL"}}`
		elmOther  = `{"name":"svc-elm-img","status":"AUTHENTIC","data":{"decision":"ARTIFICIAL"}}`
		noHeatmap = `{"name":"svc-pine-img","status":"FAKE"},{"name":"svc-empty","status":"FAKE"},{"name":"svc-null","status":"FAKE"},{"name":"svc-odd","status":"FAKE"}`
	)
	for _, c := range []struct {
		name, result string
		want         []string
	}{
		{"those of FAKE models, in the models' order", result("IMAGE", elmFake+","+oakFake), []string{"/elm", "/oak"}},
		{"not the ensemble's", result("IMAGE", ensemble+","+oakFake), []string{"/oak"}},
		{"not one of a model that is not FAKE", result("IMAGE", elmOther+","+oakFake), []string{"/oak"}},
		{"not one of a model that decided AUTHENTIC", result("IMAGE", `{"name":"svc-oak-img","status":"FAKE","data":{"decision":"AUTHENTIC"}}`), nil},
		{"not one of SUSPICIOUS, ANALYZING, NOT_APPLICABLE or unknown", result("IMAGE", `{"name":"svc-oak-img","status":"SUSPICIOUS"},{"name":"svc-elm-img","status":"ANALYZING"},
			{"name":"gone","status":"NOT_APPLICABLE"},{"name":"gone","status":"NEW"},{"name":"gone","status":"fake"}`), nil},
		{"not one without a model", result("IMAGE", oakFake), []string{"/oak"}},
		{"not one without an address", result("IMAGE", noHeatmap), nil},
		{"none of a video", result("VIDEO", oakFake), nil},
		{"none of audio", result("AUDIO", oakFake), nil},
		{"none of text", result("TEXT", oakFake), nil},
		{"none of an unknown medium", result("HOLOGRAM", oakFake), nil},
		{"none without models", result("IMAGE", ""), nil},
	} {
		t.Run("A2 heatmaps that are fetched: "+c.name, func(t *testing.T) {
			var s *service
			s = serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, basePath) {
					answer(http.StatusOK, strings.ReplaceAll(c.result, "URL", s.URL))(w, r)
					return
				}
				_, _ = io.WriteString(w, "heatmap of "+r.URL.Path) //nolint:gosec // no page, and no browser
			})
			api := connect(t, s.URL)
			r, err := api.Result(t.Context(), "r1")
			assert.NoError(t, err)
			for _, h := range r.UsableHeatmaps() {
				picture, err := api.Artifact(t.Context(), h.URL, 100)
				if err != nil || string(picture) != "heatmap of "+strings.TrimPrefix(h.URL, s.URL) || r.Heatmaps[h.Model.String()] != h.URL {
					t.Errorf("%s: %q, %v", h.Model, picture, err)
				}
			}
			var fetched []string
			for _, r := range s.seen()[1:] {
				fetched = append(fetched, r.Target)
			}
			assert.Equal(t, c.want, fetched)
		})
	}
}
