package vault_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

func TestFetcher(t *testing.T) {
	t.Run("A1 A2 all that a result has is kept as it is, and no other address is asked for", func(t *testing.T) {
		k := setup(t)
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		k.done()
		assert.Equal(t, whole("r1"), k.vault("r1"))
		asked := k.service.requests()
		slices.Sort(asked)
		if diff := cmp.Diff([]string{"r1/aggregation", "r1/explainability", "r1/heatmap oak", "r1/original", "r1/thumbnail"}, asked); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
		got := k.events.Take().IDs(events.Artifacts)
		assert.True(t, slices.Equal(got, []string{"sub r1"}), "it tells of %v", got)
	})
	t.Run("A5 no key goes to storage", func(t *testing.T) {
		k := setup(t)
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		k.done()
		assert.True(t, len(k.service.keyed) == 0, "a key came with %v", k.service.keyed)
	})
	t.Run("A3 old links are replaced before they are used, by one request", func(t *testing.T) {
		k := setup(t)
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		k.clock.Advance(client.SignedURLLife)
		k.Fetch(sub)
		k.done()
		asked := k.service.requests()
		assert.True(t, asked[0] == "r1" && count(asked, "r1") == 1 && len(asked) == 6, "asked %v", asked)
	})
	t.Run("A4 denied links lead to one refresh for all", func(t *testing.T) {
		k := setup(t)
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		k.service.denied = 1
		k.Fetch(sub)
		k.done()
		asked := k.service.requests()
		assert.True(t, count(asked, "r1") == 1 && len(k.vault("r1")) == 5, "asked %v", asked)
	})
	t.Run("small things come first, whosever they are, originals last", func(t *testing.T) {
		gate := make(chan struct{})
		k := setup(t, func(p *vault.Params) {
			p.AtOnce = 1
			p.Vault = &gated{Vault: p.Vault, gate: gate}
		})
		for _, id := range []string{"r1", "r2", "r3"} {
			k.Fetch(k.service.submitted(id, picture(id), k.clock.Now()))
		}
		close(gate)
		k.done()
		var want []string
		for _, kind := range []string{"thumbnail", "heatmap oak", "explainability", "aggregation", "original"} {
			want = append(want, "r1/"+kind, "r2/"+kind, "r3/"+kind)
		}
		assert.Equal(t, want, k.service.requests())
	})
	t.Run("of very many heatmaps as many are kept as can be looked at", func(t *testing.T) {
		k := setup(t)
		var models, heatmaps []string
		for i := range 300 {
			models = append(models, fmt.Sprintf(`{"name":"m%d","status":"FAKE"}`, i))
			heatmaps = append(heatmaps, fmt.Sprintf(`"m%d":"STORE/r1/heatmap m%d"`, i, i))
		}
		answer := `{"requestId":"r1","mediaType":"IMAGE","overallStatus":"FAKE","heatmaps":{` + strings.Join(heatmaps, ",") + `},"models":[` + strings.Join(models, ",") + `]}`
		k.Fetch(k.service.submitted("r1", answer, k.clock.Now()))
		k.done()
		asked := k.service.requests()
		assert.True(t, len(asked) == 100, "%d were asked for", len(asked))
	})
	t.Run("no more than so many downloads at a time", func(t *testing.T) {
		k := setup(t, func(p *vault.Params) { p.AtOnce = 3 })
		var mu sync.Mutex
		now, most := 0, 0
		met := make(chan struct{})
		for n := range 5 {
			id := fmt.Sprintf("r%d", n)
			sub := k.service.submitted(id, picture(id), k.clock.Now())
			k.service.mu.Lock()
			k.service.stored[id+"/thumbnail"] = func(w responseWriter, _ *request) {
				mu.Lock()
				now++
				if most = max(most, now); now == 3 {
					close(met)
				}
				mu.Unlock()
				<-met // three meet here
				mu.Lock()
				now-- // before another may begin
				mu.Unlock()
				_, _ = io.WriteString(w, "x")
			}
			k.service.mu.Unlock()
			k.Fetch(sub)
		}
		k.done()
		assert.True(t, most == 3, "%d at a time", most)
	})
	t.Run("an original is kept only where its file is not on this computer", func(t *testing.T) {
		k := setup(t)
		own := k.service.submitted("own", picture("own"), k.clock.Now())
		own.Path = "/home/desk/photo.jpg"
		k.Fetch(own)
		k.Fetch(k.service.submitted("link", picture("link"), k.clock.Now()))
		k.done()
		asked := k.service.requests()
		assert.True(t, count(asked, "own/original") == 0 && count(asked, "link/original") == 1, "asked %v", asked)
	})
	t.Run("who says otherwise decides that", func(t *testing.T) {
		k := setup(t, func(p *vault.Params) { p.Originals = func(s submission.Submission) bool { return s.RequestID == "r2" } })
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		k.Fetch(k.service.submitted("r2", picture("r2"), k.clock.Now()))
		k.done()
		asked := k.service.requests()
		assert.True(t, count(asked, "r1/original") == 0 && count(asked, "r2/original") == 1, "asked %v", asked)
	})
	t.Run("one that is given twice is fetched once, and one that is kept not at all", func(t *testing.T) {
		k := setup(t)
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		for range 5 {
			k.Fetch(sub)
		}
		k.done()
		k.Fetch(sub)
		k.done()
		asked := k.service.requests()
		assert.True(t, len(asked) == 5, "asked %v", asked)
	})
	t.Run("what has no final answer is none of it", func(t *testing.T) {
		k := setup(t)
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		for _, change := range []func(*submission.Submission){
			func(s *submission.Submission) { s.State = submission.Analysing },
			func(s *submission.Submission) { s.Result = nil },
			func(s *submission.Submission) { s.RequestID = "" },
		} {
			other := sub
			change(&other)
			k.Fetch(other)
		}
		assert.True(t, k.Waiting() == 0, "%d wait", k.Waiting())
	})
	t.Run("hundreds of results are kept, those of the later ones fetched when it is their turn", func(t *testing.T) {
		gate := make(chan struct{})
		k := setup(t, func(p *vault.Params) { p.Vault = &gated{Vault: newMemory(), gate: gate} })
		const many = 300
		for n := range many {
			id := fmt.Sprintf("r%03d", n)
			k.Fetch(k.service.submitted(id, fmt.Sprintf(`{"requestId":%q,"overallStatus":"FAKE","thumbnail":"STORE/%s/thumbnail","storageLocation":"STORE/%s/original"}`, id, id, id), k.clock.Now()))
		}
		assert.True(t, k.Waiting() == many, "%d wait", k.Waiting())
		close(gate)
		k.done()
		asked := k.service.requests()
		fetched := 0
		for n := range many {
			id := fmt.Sprintf("r%03d", n)
			assert.True(t, count(asked, id+"/thumbnail") == 1 && count(asked, id+"/original") == 1, "%s was not fetched once", id)
			fetched += min(count(asked, id), 1)
		}
		assert.True(t, fetched == many-256, "%d results were fetched again", fetched)
	})
}

func TestMissing(t *testing.T) {
	t.Run("takes up what an earlier run left, and nothing else", func(t *testing.T) {
		k := setup(t)
		one, two := k.service.submitted("r1", picture("r1"), k.clock.Now()), k.service.submitted("r2", picture("r2"), k.clock.Now())
		k.Fetch(one)
		k.done()
		for _, kind := range []string{"thumbnail", "aggregation", "original"} {
			_, err := k.store.Keep(t.Context(), "r2", kind, "", func(w io.Writer) error { _, err := io.WriteString(w, "r2/"+kind); return err })
			assert.NoError(t, err)
		}
		k.service.requests()
		unanswered := one
		unanswered.State = submission.Analysing
		if taken, err := k.FetchMissing(t.Context(), []submission.Submission{one, two, unanswered}); taken != 1 || err != nil {
			t.Errorf("it took %d, %v", taken, err)
		}
		k.done()
		asked := k.service.requests()
		slices.Sort(asked)
		assert.Equal(t, []string{"r2/explainability", "r2/heatmap oak"}, asked)
		if taken, err := k.FetchMissing(t.Context(), []submission.Submission{one, two}); taken != 0 || err != nil {
			t.Errorf("then it took %d, %v", taken, err)
		}
	})
	t.Run("a download that Close ends leaves nothing half, and is taken up again", func(t *testing.T) {
		s := serve(t)
		k := setupOf(t, s, s.URL, func() string { return "key" }, func(p *vault.Params) { p.AtOnce = 1 })
		sub := s.submitted("r1", picture("r1"), k.clock.Now())
		began, over := make(chan struct{}), make(chan struct{})
		defer close(over)
		s.mu.Lock()
		s.stored["r1/original"] = func(w responseWriter, _ *request) {
			_, _ = w.Write(make([]byte, 100000))
			flush(w)
			close(began)
			<-over
		}
		s.mu.Unlock()
		k.Fetch(sub)
		<-began
		k.Close()
		got := k.vault("r1")
		assert.True(t, len(got) == 4 && got["original"] == "", "kept %v", got)
		s.mu.Lock()
		delete(s.stored, "r1/original")
		s.mu.Unlock()
		next := vault.New(vault.Params{Client: clientOf(t, s.URL), Vault: k.store})
		defer next.Close()
		if taken, err := next.FetchMissing(t.Context(), []submission.Submission{sub}); taken != 1 || err != nil {
			t.Fatalf("it took %d, %v", taken, err)
		}
		assert.NoError(t, next.Idle(t.Context()))
		assert.Equal(t, whole("r1"), k.vault("r1"))
	})
}

func TestSound(t *testing.T) {
	t.Run("R4 the result of a video's sound is kept once it is final, with what belongs to it", func(t *testing.T) {
		k := setup(t)
		film := k.service.submitted("film", video("film", "sound"), k.clock.Now())
		film.Path = "/home/desk/clip.mp4"
		_, err := k.store.Add(t.Context(), []submission.Submission{film})
		assert.NoError(t, err)
		looks := 0
		k.service.results["sound"] = func() string {
			if looks++; looks < 4 {
				return heard("sound", client.Analyzing)
			}
			return heard("sound", client.Fake)
		}
		k.Fetch(film)
		k.done()
		got := k.vault("film")
		raw := got["audio-result"]
		delete(got, "audio-result")
		if diff := cmp.Diff(whole("film", "thumbnail", "aggregation", "audio-aggregation"), got); diff != "" {
			t.Errorf("the video's (-want +got):\n%s", diff)
		}
		assert.True(t, strings.Contains(raw, `"requestId":"sound"`) && strings.Contains(raw, `"overallStatus":"FAKE"`), "the sound's result: %s", raw)
		assert.True(t, !strings.Contains(raw, signature) && strings.Contains(raw, "/sound/original?…"), "its links open the files yet: %s", raw)
		if diff := cmp.Diff(whole("sound", "aggregation", "original"), k.vault("sound")); diff != "" {
			t.Errorf("the sound's (-want +got):\n%s", diff)
		}
		if got := k.events.Take().IDs(events.Sound); !slices.Equal(got, []string{"sound"}) || looks != 4 {
			t.Errorf("it tells of %v after %d looks", got, looks)
		}
		film, _, err = k.store.Get(t.Context(), film.ID)
		assert.True(t, err == nil && film.Result.Voice != nil && film.Result.Voice.Status() == client.Fake, "beside the video's: %v, %v", film.Result.Voice, err)
		taken, err := k.FetchMissing(t.Context(), []submission.Submission{film})
		assert.True(t, taken == 0 && err == nil, "then it takes %d, %v", taken, err)
	})
	t.Run("R4 the answer on a voice is asked for before any picture", func(t *testing.T) {
		k := setup(t, func(p *vault.Params) { p.AtOnce = 1 })
		k.service.submitted("sound", heard("sound", client.Fake), k.clock.Now())
		k.Fetch(k.service.submitted("film", video("film", "sound"), k.clock.Now()))
		k.done()
		assert.Equal(t, "sound", k.service.requests()[0])
	})
	t.Run("R4 one that an earlier version kept in the vault alone is asked for once more", func(t *testing.T) {
		k := setup(t)
		film := k.service.submitted("film", video("film", "sound"), k.clock.Now())
		k.service.submitted("sound", heard("sound", client.Fake), k.clock.Now())
		k.Fetch(film)
		k.done()
		k.service.requests()
		_, err := k.store.Add(t.Context(), []submission.Submission{film})
		assert.NoError(t, err)
		k.Fetch(film)
		k.done()
		film, _, err = k.store.Get(t.Context(), film.ID)
		assert.True(t, err == nil && film.Result.Voice != nil, "%v", err)
		assert.Equal(t, []string{"sound"}, k.service.requests())
	})
	for _, without := range []string{`"showAudioResult":"False"`, `"showAudioResult":null`, `"audio":true`} {
		t.Run("R4 without one nothing is asked for: "+without, func(t *testing.T) {
			k := setup(t)
			k.Fetch(k.service.submitted("film", strings.Replace(video("film", "sound"), `"showAudioResult":"True"`, without, 1), k.clock.Now()))
			k.done()
			asked := k.service.requests()
			slices.Sort(asked)
			assert.Equal(t, []string{"film/aggregation", "film/original", "film/thumbnail"}, asked)
		})
	}
	t.Run("R4 what is missing of the sound alone is taken up again", func(t *testing.T) {
		k := setup(t)
		film := k.service.submitted("film", video("film", "sound"), k.clock.Now())
		k.service.submitted("sound", heard("sound", client.Fake), k.clock.Now())
		k.service.stored["sound/original"] = func(w responseWriter, _ *request) { w.WriteHeader(404) }
		k.Fetch(film)
		k.done()
		k.service.requests()
		delete(k.service.stored, "sound/original")
		taken, err := k.FetchMissing(t.Context(), []submission.Submission{film})
		assert.True(t, taken == 1 && err == nil, "it took %d, %v", taken, err)
		k.done()
		assert.Equal(t, []string{"sound", "sound/original"}, k.service.requests())
	})
}

func TestAgainstTheSandbox(t *testing.T) {
	clock := newClock()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Now: clock.Now})
	assert.NoError(t, err)
	server := httptest.NewServer(box)
	t.Cleanup(func() {
		server.Close()
		err := box.Close()
		assert.True(t, err == nil, "%v", err)
	})
	k := setupOf(t, nil, server.URL, box.Key)
	c, err := client.New(client.Options{BaseURL: server.URL, Key: box.Key})
	assert.NoError(t, err)
	defer c.Close()
	text := filepath.Join(t.TempDir(), "note.txt")
	assert.NoError(t, os.WriteFile(text, []byte("A note of a few words, to be looked at by the sandbox."), 0o600))
	for path, want := range map[string][]string{
		filepath.Join("..", "..", "testdata", "pictures", "mountains-spliced.jpg"): {"thumbnail", "aggregation", "heatmap", "original"},
		text: {"aggregation", "explainability", "original"},
	} {
		t.Run("all that the service has of it is kept: "+filepath.Base(path), func(t *testing.T) {
			up, err := c.RequestUpload(t.Context(), filepath.Base(path))
			assert.NoError(t, err)
			file, err := os.Open(path)
			assert.NoError(t, err)
			info, err := file.Stat()
			assert.NoError(t, err)
			assert.NoError(t, c.Put(t.Context(), up.SignedURL, file, info.Size(), nil))
			assert.NoError(t, box.Idle(t.Context()))
			r, err := c.Result(t.Context(), up.RequestID)
			if err != nil || !r.Final() {
				t.Fatalf("%+v, %v", r, err)
			}
			clock.Advance(time.Hour) // its links die
			k.Fetch(submission.Submission{ID: "s", RequestID: up.RequestID, State: submission.Done, Result: r, Answered: clock.Now().Add(-time.Hour)})
			k.done()
			got := k.vault(up.RequestID)
			for _, kind := range want {
				assert.True(t, slices.ContainsFunc(keys(got), func(k string) bool { return strings.HasPrefix(k, kind) }), "no %s among %v", kind, keys(got))
			}
			content, err := os.ReadFile(path)
			assert.True(t, err == nil && got["original"] == string(content), "the original is not what was sent (%v)", err)
			fresh, err := c.Result(t.Context(), up.RequestID)
			assert.NoError(t, err)
			if body, err := client.NewArtifacts(c, fresh, time.Now()).Fetch(t.Context(), client.Aggregation, 1<<20); err != nil || string(body) != got["aggregation"] {
				t.Errorf("the aggregation is not what the service has (%v)", err)
			}
		})
	}
}

// gated is a vault that tells what it holds only once its gate is open.
type gated struct {
	vault.Vault
	gate chan struct{}
}

func (g *gated) Artifacts(ctx context.Context, requestID string) ([]store.Artifact, error) {
	select {
	case <-g.gate:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return g.Vault.Artifacts(ctx, requestID)
}

// memory is a vault without a disk.
type memory struct {
	mu  sync.Mutex
	all map[string][]store.Artifact
}

func newMemory() *memory { return &memory{all: map[string][]store.Artifact{}} }

func (m *memory) Keep(_ context.Context, requestID, kind, model string, write func(io.Writer) error) (store.Artifact, error) {
	a := store.Artifact{RequestID: requestID, Kind: kind, Model: model}
	if err := write(io.Discard); err != nil {
		return store.Artifact{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all[requestID] = append(m.all[requestID], a)
	return a, nil
}

func (*memory) AnswerVoice(context.Context, string, *client.Result) error { return nil }

func (m *memory) Artifacts(_ context.Context, requestID string) ([]store.Artifact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.all[requestID]), nil
}
