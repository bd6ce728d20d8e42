package vault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/events"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
	"assay/client/vault"
)

func init() { storetest.Quick() }

// signature is what no log may hold.
const signature = "signature-c0ffee-not-for-anyone-else"

func newClock() *clocktest.Clock {
	return clocktest.New(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
}

// service answers results whose links change with every answer, and is the storage behind them.
type service struct {
	*httptest.Server
	t *testing.T

	mu      sync.Mutex
	results map[string]func() string // the JSON by requestId, with STORE where the storage's address belongs
	issued  int
	denied  int                                                     // links issued up to this answer are denied
	stored  map[string]func(w http.ResponseWriter, r *http.Request) // by requestId/name; nil: the text "requestId/name"
	asked   []string                                                // requestId of results, requestId/name of artifacts
	keyed   []string                                                // artifacts that were asked for with a key
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{t: t, results: map[string]func() string{}, stored: map[string]func(http.ResponseWriter, *http.Request){}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id, isResult := strings.CutPrefix(r.URL.Path, "/api/media/users/"); isResult {
		s.mu.Lock()
		s.asked = append(s.asked, id)
		answer := s.results[id]
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if answer == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, s.link(answer())) //nolint:gosec // no page, and no browser
		return
	}
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/storage/"), "/", 2)
	issue, _ := strconv.Atoi(parts[0]) // 0 is denied
	s.mu.Lock()
	s.asked = append(s.asked, parts[1])
	if r.Header.Get("X-Api-Key") != "" {
		s.keyed = append(s.keyed, parts[1])
	}
	denied, stored := issue <= s.denied, s.stored[parts[1]]
	s.mu.Unlock()
	switch {
	case denied:
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>"+r.URL.RawQuery+"</Message></Error>") //nolint:gosec // likewise
	case stored != nil:
		stored(w, r)
	default:
		_, _ = io.WriteString(w, parts[1]) //nolint:gosec // likewise
	}
}

// link puts fresh addresses into a result.
func (s *service) link(result string) string {
	s.mu.Lock()
	s.issued++
	n := s.issued
	s.mu.Unlock()
	var out strings.Builder
	for i, part := range strings.Split(result, `"STORE/`) {
		if i > 0 {
			name, rest, _ := strings.Cut(part, `"`)
			fmt.Fprintf(&out, `"%s/storage/%d/%s?sig=%s"`, s.URL, n, name, signature)
			part = rest
		}
		out.WriteString(part)
	}
	return out.String()
}

// requests are what was asked for since the last time.
func (s *service) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func count(asked []string, what string) (n int) {
	for _, a := range asked {
		if a == what {
			n++
		}
	}
	return n
}

// picture is the result of a picture with everything.
func picture(id string) string {
	return strings.ReplaceAll(`{"requestId":"ID","mediaType":"IMAGE","overallStatus":"FAKE",
		"models":[{"name":"oak","status":"FAKE"},{"name":"elm","status":"AUTHENTIC"},{"name":"img-ensemble","status":"FAKE"}],
		"storageLocation":"STORE/ID/original","thumbnail":"STORE/ID/thumbnail","modelMetadataUrl":"STORE/ID/aggregation",
		"audioModelMetadataUrl":"","explainabilityUrl":"STORE/ID/explainability","aggregationResultUrl":"STORE/ID/key",
		"heatmaps":{"oak":"STORE/ID/heatmap oak","elm":"STORE/ID/heatmap elm","img-ensemble":"STORE/ID/heatmap all"}}`, "ID", id)
}

// video is the result of a video whose sound has one of its own.
func video(id, sound string) string {
	return strings.ReplaceAll(strings.ReplaceAll(`{"requestId":"ID","mediaType":"VIDEO","overallStatus":"FAKE","models":[],
		"storageLocation":"STORE/ID/original","thumbnail":"STORE/ID/thumbnail","modelMetadataUrl":"STORE/ID/aggregation",
		"showAudioResult":"True","audioRequestId":"SOUND","audioModelMetadataUrl":"STORE/ID/audio-aggregation","explainabilityUrl":""}`, "ID", id), "SOUND", sound)
}

// heard is the result of a sound.
func heard(id string, status client.Status) string {
	return strings.ReplaceAll(`{"requestId":"ID","mediaType":"AUDIO","overallStatus":"`+string(status)+`","models":[],"thumbnail":"",
		"storageLocation":"STORE/ID/original","modelMetadataUrl":"STORE/ID/aggregation"}`, "ID", id)
}

// submitted makes a result known to the service, and its submission, answered just now, without a file on this computer.
func (s *service) submitted(id, result string, now time.Time) submission.Submission {
	s.t.Helper()
	s.mu.Lock()
	s.results[id] = func() string { return result }
	s.mu.Unlock()
	return submission.Submission{ID: "sub " + id, RequestID: id, State: submission.Done, Step: submission.Answered, Answered: now, Result: s.read(result)}
}

// read is a result with fresh links.
func (s *service) read(result string) *client.Result {
	s.t.Helper()
	r := new(client.Result)
	assert.NoError(s.t, json.Unmarshal([]byte(s.link(result)), r))
	return r
}

// fixture is a fetcher with what stands around it.
type fixture struct {
	*vault.Fetcher
	t       *testing.T
	service *service
	store   *store.Store
	clock   *clocktest.Clock
	log     *logged

	events *events.Subscription

	mu       sync.Mutex
	problems []string // sentences, as they changed
}

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// end is the last of it.
func (l *logged) end() string {
	s := l.String()
	return s[max(len(s)-2000, 0):]
}

func setup(t *testing.T, change ...func(*vault.Params)) *fixture {
	t.Helper()
	s := serve(t)
	return setupOf(t, s, s.URL, func() string { return "key" }, change...)
}

// newKeeperOf returns one for a service at an address, with a store of its own.
func setupOf(t *testing.T, s *service, address string, key func() string, change ...func(*vault.Params)) *fixture {
	t.Helper()
	kept, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	assert.NoError(t, err)
	hub := new(events.Hub)
	k := &fixture{t: t, service: s, store: kept, events: hub.Subscribe(), clock: newClock(), log: new(logged)}
	log := slog.New(slog.NewTextHandler(k.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := client.New(client.Options{BaseURL: address, Key: key, Now: k.clock.Now, Log: log,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	assert.NoError(t, err)
	p := vault.Params{
		Client: c, Vault: kept, Now: k.clock.Now, Jitter: func() float64 { return 0.5 }, Log: log,
		Wait: func(ctx context.Context, d time.Duration) error {
			k.noteProblem() // all wait because of it
			return k.clock.Skip(ctx, d)
		},
		Events: hub,
	}
	for _, f := range change {
		f(&p)
	}
	k.Fetcher = vault.New(p)
	t.Cleanup(func() {
		k.Close()
		c.Close()
		err := kept.Close()
		assert.True(t, err == nil, "%v", err)
		assert.True(t, !strings.Contains(k.log.String(), signature) && !strings.Contains(k.log.String(), "/storage/"), "the log holds an address:\n%s", k.log)
	})
	return k
}

// noteProblem notes what the fetcher's Problem says, where that has changed.
func (k *fixture) noteProblem() {
	now := k.Problem().String()
	k.mu.Lock()
	defer k.mu.Unlock()
	if last := len(k.problems) - 1; last < 0 && now != "" || last >= 0 && now != k.problems[last] {
		k.problems = append(k.problems, now)
	}
}

// said are the Problems so far.
func (k *fixture) said() []string {
	k.noteProblem()
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.problems)
}

// done waits until nothing is left to be kept.
func (k *fixture) done() {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), time.Minute)
	defer cancel()
	if err := k.Idle(ctx); err != nil {
		k.t.Fatalf("%d submissions are left: %v\n%s", k.Waiting(), err, k.log.end())
	}
}

// vault is what is kept of a result: kinds with models, and the contents.
func (k *fixture) vault(requestID string) map[string]string {
	k.t.Helper()
	artifacts, err := k.store.Artifacts(k.t.Context(), requestID)
	assert.NoError(k.t, err)
	all := map[string]string{}
	for _, a := range artifacts {
		file, _, err := k.store.Artifact(k.t.Context(), requestID, a.Kind, a.Model)
		assert.NoError(k.t, err)
		content, err := io.ReadAll(file)
		assert.NoError(k.t, err)
		assert.NoError(k.t, file.Close())
		all[strings.TrimSpace(a.Kind+" "+a.Model)] = string(content)
	}
	return all
}

// whole is what is kept of picture.
func whole(id string, kinds ...string) map[string]string {
	if kinds == nil {
		kinds = []string{"thumbnail", "heatmap oak", "explainability", "aggregation", "original"}
	}
	all := map[string]string{}
	for _, kind := range kinds {
		all[kind] = id + "/" + kind
	}
	return all
}
