package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

// linked is a service with one result whose links change with every answer, and the storage behind them.
type linked struct {
	*service
	issued atomic.Int32 // how often the result was answered
	denies atomic.Int32 // links issued up to this answer are denied
	deny   int          // with this status
	result http.HandlerFunc
	stored func(w http.ResponseWriter, name string)
	gate   func(name string) // called before storage answers
}

const linkedResult = `{"requestId":"r1","mediaType":"IMAGE","overallStatus":"FAKE","showAudioResult":"True",
	"models":[{"name":"svc-oak-img","status":"FAKE"},{"name":"svc-elm-img","status":"AUTHENTIC"},{"name":"svc-img-ensemble","status":"FAKE"}],
	"storageLocation":"STORE/original","thumbnail":"STORE/thumbnail","modelMetadataUrl":"STORE/aggregation","audioModelMetadataUrl":"STORE/audio",
	"explainabilityUrl":"STORE/explanation","aggregationResultUrl":"STORE/key",
	"heatmaps":{"svc-oak-img":"STORE/oak","svc-elm-img":"STORE/elm","svc-img-ensemble":"STORE/all"}}`

func serveLinked(t *testing.T) *linked {
	t.Helper()
	l := &linked{deny: 403}
	l.service = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, basePath) {
			if l.result != nil {
				l.result(w, r)
				return
			}
			answer(200, l.body(int(l.issued.Add(1))))(w, r)
			return
		}
		_, rest, _ := strings.Cut(r.URL.Path, "/storage/")
		number, name, _ := strings.Cut(rest, "/")
		if l.gate != nil {
			l.gate(name)
		}
		if n, err := strconv.Atoi(number); err != nil || n <= int(l.denies.Load()) {
			answer(l.deny, `<Error><Code>AccessDenied</Code></Error>`)(w, r)
			return
		}
		if l.stored != nil {
			l.stored(w, name)
			return
		}
		answer(200, "the "+name)(w, r)
	})
	return l
}

func (l *linked) body(issue int) string {
	return strings.ReplaceAll(linkedResult, "STORE", l.URL+"/storage/"+strconv.Itoa(issue))
}

// artifacts fetches the result and returns its artifacts, and forgets about that request.
func (l *linked) artifacts(t *testing.T, p *patience) *client.Artifacts {
	t.Helper()
	c := connect(t, l.URL, p.use)
	at := p.Now()
	r, err := c.Result(t.Context(), "r1")
	assert.NoError(t, err)
	l.mu.Lock()
	l.requests = nil
	l.mu.Unlock()
	return client.NewArtifacts(c, r, at)
}

// paths are the requests so far, without the base.
func (l *linked) paths() []string {
	var paths []string
	for _, r := range l.seen() {
		paths = append(paths, strings.TrimPrefix(r.Target, basePath))
	}
	return paths
}

func TestArtifacts(t *testing.T) {
	for name, pick := range map[string]func(*client.Result) string{
		"original": client.Original, "thumbnail": client.Thumbnail, "aggregation": client.Aggregation, "audio": client.AudioAggregation,
		"explanation": client.Explainability, "oak": client.HeatmapOf("svc-oak-img"),
	} {
		t.Run("A1 each artifact is fetched by its own link: "+name, func(t *testing.T) {
			l := serveLinked(t)
			body, err := l.artifacts(t, newPatience()).Fetch(t.Context(), pick, 100)
			if err != nil || string(body) != "the "+name {
				t.Errorf("got %q, %v", body, err)
			}
			assert.Equal(t, []string{"/storage/1/" + name}, l.paths())
		})
	}
	for name, pick := range map[string]func(*client.Result) string{
		"A1 aggregationResultUrl":            func(r *client.Result) string { return r.AggregationResultURL },
		"A2 the heatmap of a model not FAKE": func(r *client.Result) string { return r.Heatmaps["svc-elm-img"] },
		"A2 the heatmap of the ensemble":     func(r *client.Result) string { return r.Heatmaps["svc-img-ensemble"] },
		"A2 a heatmap left out by name":      client.HeatmapOf("svc-elm-img"),
		"A2 a heatmap of an unknown model":   client.HeatmapOf("svc-pine-img"),
		"A6 no link":                         func(*client.Result) string { return "" },
		"A1 an address of another's":         func(*client.Result) string { return "https://elsewhere.example/x" },
	} {
		t.Run(name+" is never requested", func(t *testing.T) {
			l := serveLinked(t)
			_, err := l.artifacts(t, newPatience()).Fetch(t.Context(), pick, 100)
			wantKind(t, err, client.KindAnswer)
			if !errors.Is(err, client.ErrNoArtifact) || len(l.seen()) != 0 {
				t.Errorf("asked %v, %v", l.paths(), err)
			}
		})
	}

	const refreshed = "/api/media/users/r1"
	for _, c := range []struct {
		age  time.Duration
		want []string
	}{
		{0, []string{"/storage/1/thumbnail"}},
		{14 * time.Minute, []string{"/storage/1/thumbnail"}},
		{870 * time.Second, []string{refreshed, "/storage/2/thumbnail"}},
		{client.SignedURLLife, []string{refreshed, "/storage/2/thumbnail"}},
		{24 * time.Hour, []string{refreshed, "/storage/2/thumbnail"}},
		{-time.Hour, []string{refreshed, "/storage/2/thumbnail"}}, // a clock that went back
	} {
		t.Run("A3 links near the end of their life are not used: after "+c.age.String(), func(t *testing.T) {
			l, p := serveLinked(t), newPatience()
			a := l.artifacts(t, p)
			p.set(c.age)
			if _, err := a.Fetch(t.Context(), client.Thumbnail, 100); err != nil {
				t.Fatal(err)
			}
			assert.Equal(t, c.want, l.paths())
		})
	}
	t.Run("A3 a link that was kept without its query is not asked, it is replaced", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		var kept client.Result
		raw := strings.ReplaceAll(l.body(0), `/original"`, `/original?sig=`+signature+`"`)
		assert.NoError(t, json.Unmarshal(client.Shareable([]byte(raw)), &kept))
		a := client.NewArtifacts(connect(t, l.URL, p.use), &kept, p.Now())
		if _, err := a.Fetch(t.Context(), client.Original, 100); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, []string{refreshed, "/storage/1/original"}, l.paths())
	})
	t.Run("A3 links of an unknown age are not used, fresh ones serve until they are old", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		c := connect(t, l.URL, p.use)
		a := client.NewArtifacts(c, &client.Result{RequestID: "r1", Thumbnail: l.URL + "/storage/0/thumbnail"}, time.Time{})
		for range 2 {
			if _, err := a.Fetch(t.Context(), client.Thumbnail, 100); err != nil {
				t.Fatal(err)
			}
			p.set(10 * time.Minute)
		}
		if _, err := a.Fetch(t.Context(), client.Thumbnail, 100); err != nil {
			t.Fatal(err)
		}
		want := []string{refreshed, "/storage/1/thumbnail", "/storage/1/thumbnail", refreshed, "/storage/2/thumbnail"}
		if diff := cmp.Diff(want, l.paths()); diff != "" || !strings.Contains(a.Result().Thumbnail, "/storage/2/") {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
	})

	for _, status := range []int{400, 401, 403} {
		t.Run(fmt.Sprintf("A4 a link denied with %d leads to one refresh and one more try", status), func(t *testing.T) {
			l, p := serveLinked(t), newPatience()
			l.deny = status
			a := l.artifacts(t, p)
			l.denies.Store(1)
			body, err := a.Fetch(t.Context(), client.Original, 100)
			if err != nil || string(body) != "the original" {
				t.Errorf("got %q, %v", body, err)
			}
			assert.Equal(t, []string{"/storage/1/original", refreshed, "/storage/2/original"}, l.paths())
		})
		t.Run(fmt.Sprintf("A4 a link denied with %d for good is given up after one more try", status), func(t *testing.T) {
			l, p := serveLinked(t), newPatience()
			l.deny = status
			a := l.artifacts(t, p)
			l.denies.Store(1000)
			_, err := a.Fetch(t.Context(), client.Original, 100)
			wantKind(t, err, client.KindExpired)
			assert.Equal(t, []string{"/storage/1/original", refreshed, "/storage/2/original"}, l.paths())
		})
	}
	t.Run("A4 what is refused otherwise leads to no refresh", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		l.deny = 404
		a := l.artifacts(t, p)
		l.denies.Store(1)
		_, err := a.Fetch(t.Context(), client.Original, 100)
		wantKind(t, err, client.KindRefused)
		if len(l.seen()) != 1 {
			t.Errorf("asked %v", l.paths())
		}
	})

	picks := []func(*client.Result) string{client.Original, client.Thumbnail, client.Aggregation, client.Explainability, client.HeatmapOf("svc-oak-img")}
	// fetchAll fetches all at once, so that all are denied before any is answered.
	fetchAll := func(t *testing.T, l *linked, a *client.Artifacts) []error {
		t.Helper()
		var waiting sync.WaitGroup
		waiting.Add(len(picks))
		var first sync.Map
		l.gate = func(name string) {
			if _, again := first.LoadOrStore(name, true); !again {
				waiting.Done()
				waiting.Wait()
			}
		}
		errs := make([]error, len(picks))
		var all sync.WaitGroup
		for i, pick := range picks {
			all.Go(func() { _, errs[i] = a.Fetch(t.Context(), pick, 100) })
		}
		all.Wait()
		return errs
	}
	count := func(l *linked, path string) (n int) {
		for _, p := range l.paths() {
			if p == path {
				n++
			}
		}
		return n
	}
	t.Run("A4 all that are denied at once share one refresh", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		for i, err := range fetchAll(t, l, a) {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		if n := count(l, refreshed); n != 1 || len(l.seen()) != 2*len(picks)+1 {
			t.Errorf("%d refreshes: %v", n, l.paths())
		}
	})
	t.Run("A4 they share its failure, too", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		l.result = answer(404, `{"message":"Gone."}`)
		for i, err := range fetchAll(t, l, a) {
			if !client.IsKind(err, client.KindRefused) {
				t.Errorf("%d: %v", i, err)
			}
		}
		if n := count(l, refreshed); n != 1 || len(l.seen()) != len(picks)+1 {
			t.Errorf("%d refreshes: %v", n, l.paths())
		}
	})
	t.Run("A4 who gives up while refreshing spoils it for no other", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		ctx, stop := context.WithCancel(t.Context())
		var began atomic.Bool
		second := make(chan error, 1)
		l.result = func(w http.ResponseWriter, r *http.Request) {
			if began.CompareAndSwap(false, true) {
				go func() {
					_, err := a.Fetch(t.Context(), client.Thumbnail, 100)
					second <- err
				}()
				stop()
				<-r.Context().Done()
				return
			}
			answer(200, l.body(2))(w, r)
		}
		_, err := a.Fetch(ctx, client.Original, 100)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if err := <-second; err != nil {
			t.Errorf("the other got %v", err)
		}
	})
	t.Run("A6 what a refresh shows to be gone is said to be", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		l.result = answer(200, `{"requestId":"r1","storageLocation":""}`)
		_, err := a.Fetch(t.Context(), client.Original, 100)
		if !errors.Is(err, client.ErrNoArtifact) || len(l.seen()) != 2 {
			t.Errorf("asked %v, %v", l.paths(), err)
		}
	})
	t.Run("A5 no link is asked with the key, refreshed or not", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		if _, err := a.Fetch(t.Context(), client.Original, 100); err != nil {
			t.Fatal(err)
		}
		for _, r := range l.seen() {
			if sent := r.Header.Get("x-api-key"); (sent == key) != strings.HasPrefix(r.Target, basePath) {
				t.Errorf("%s saw the key %q", r.Target, sent)
			}
		}
	})

	t.Run("the caller's limit holds, and that of the kind", func(t *testing.T) {
		l := serveLinked(t)
		size := client.MaxThumbnail + 1
		l.stored = func(w http.ResponseWriter, _ string) {
			_, _ = w.Write(make([]byte, size))
		}
		a := l.artifacts(t, newPatience())
		_, err := a.Fetch(t.Context(), client.Original, 1000)
		wantKind(t, err, client.KindAnswer)
		for _, limit := range []int64{0, -1, 1 << 40} {
			_, err = a.Fetch(t.Context(), client.Thumbnail, limit)
			wantKind(t, err, client.KindAnswer)
		}
		if body, err := a.Fetch(t.Context(), client.Original, 0); err != nil || len(body) != size {
			t.Errorf("the original: %d bytes, %v", len(body), err)
		}
	})

	for _, c := range []struct{ name, contentType, body string }{
		{"by its type", "text/html; charset=utf-8", "Welcome"}, {"by its looks", "application/octet-stream", "\n <!DOCTYPE html><html>Welcome</html>"},
	} {
		t.Run("a log-in page is not taken for an artifact, except where a page is due: "+c.name, func(t *testing.T) {
			l := serveLinked(t)
			l.stored = func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", c.contentType)
				_, _ = w.Write([]byte(c.body))
			}
			a := l.artifacts(t, newPatience())
			for _, pick := range []func(*client.Result) string{client.Original, client.Thumbnail, client.Aggregation, client.AudioAggregation, client.HeatmapOf("svc-oak-img")} {
				_, err := a.Fetch(t.Context(), pick, 100)
				wantKind(t, err, client.KindAnswer)
				if e := failure(t, err); !strings.Contains(e.Sentence(), "log-in page") {
					t.Errorf("it says %q", e.Sentence())
				}
			}
			if body, err := a.Fetch(t.Context(), client.Explainability, 100); err != nil || string(body) != c.body {
				t.Errorf("got %q, %v", body, err)
			}
		})
	}
	t.Run("a submitted text may be a page's source", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte("<html>"))
		})
		p := newPatience()
		a := client.NewArtifacts(connect(t, s.URL, p.use), &client.Result{RequestID: "r1", MediaType: client.Text, StorageLocation: s.URL + "/x"}, p.Now())
		if body, err := a.Fetch(t.Context(), client.Original, 100); err != nil || string(body) != "<html>" {
			t.Errorf("got %q, %v", body, err)
		}
	})
}
