package intake_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/submission"
)

// sceneKey is the key of a scene's service. It must turn up nowhere.
const sceneKey = "sk-live-0f3b7c-never-to-be-read"

// scene is a queue of real parts: a store on the disk, a client, and a sandbox over HTTP at the other end of a wire on
// which things go wrong. All share one clock, which only waits move.
type scene struct {
	t       *testing.T
	plan    plan
	clock   *sceneClock
	wire    *wire
	sandbox *sandbox.Sandbox
	records string // the sandbox's folder
	url     string
	folder  string // the store's
	key     func() string
	over    chan struct{} // closed when the scene ends: what hangs ends then

	setup
	stop func() // closes the queue, the client and the store

	mu    sync.Mutex
	heard bytes.Buffer // everything that a person may get to read: errors, sentences, log lines
	hook  func(at instant) error
}

// plan is what a scene is made of; the zero value has no faults.
type plan struct {
	faults   []string // of the sandbox, in its own grammar
	troubles []trouble
	tls      bool // the service is called by https and by the name example.com
	options  func(*client.Options)
	uploads  int
	now      func(time.Time) time.Time // what this computer's clock shows at a time; nil: that
	folder   string                    // of the store; "": one of its own
}

// sceneClock stands still while the sandbox is at work; each wait moves it on.
type sceneClock struct {
	clock
	idle func(context.Context) error
}

func (c *sceneClock) Wait(ctx context.Context, d time.Duration) error {
	if err := c.idle(ctx); err != nil {
		return err
	}
	return c.clock.Wait(ctx, d)
}

func newScene(t *testing.T, p plan) *scene {
	t.Helper()
	s := &scene{t: t, plan: p, clock: &sceneClock{clock: clock{now: start}}, records: t.TempDir(), folder: p.folder, over: make(chan struct{}),
		key: func() string { return sceneKey }}
	if s.folder == "" {
		s.folder = filepath.Join(t.TempDir(), "assay")
	}
	options := sandbox.Options{Dir: s.records, Key: sceneKey, Now: s.clock.Now}
	for _, text := range p.faults {
		fault, err := sandbox.ParseFault(text)
		must(t, err)
		options.Faults = append(options.Faults, fault)
	}
	box, err := sandbox.New(options)
	must(t, err)
	s.sandbox, s.clock.idle = box, box.Idle
	s.wire = &wire{scene: s, next: box, signatures: map[string]bool{}}
	for i := range p.troubles {
		s.wire.troubles = append(s.wire.troubles, &p.troubles[i])
	}
	server := httptest.NewUnstartedServer(s.wire)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if p.tls {
		server.StartTLS()
		s.url = strings.Replace(server.URL, "127.0.0.1", "example.com", 1)
		trust := server.Client().Transport.(*http.Transport).TLSClientConfig
		own := p.options
		s.plan.options = func(o *client.Options) {
			o.TLS = &tls.Config{RootCAs: trust.RootCAs, MinVersion: tls.VersionTLS12}
			if own != nil {
				own(o)
			}
		}
	} else {
		server.Start()
		s.url = server.URL
	}
	t.Cleanup(func() {
		s.stop()
		close(s.over)
		server.CloseClientConnections()
		server.Close()
		must(t, box.Close())
	})
	s.open()
	return s
}

// open starts Assay, as the person does, on what the last run left.
func (s *scene) open() {
	s.t.Helper()
	record := slog.New(slog.NewTextHandler(lockedWriter{s}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	now := s.clock.Now
	if s.plan.now != nil {
		now = func() time.Time { return s.plan.now(s.clock.Now()) }
	}
	o := client.Options{
		BaseURL: s.url, Key: func() string { return s.key() }, CallTimeout: 20 * time.Second, StallTimeout: 1000 * time.Hour, AnswerTimeout: 1000 * time.Hour,
		Now: now, Wait: s.clock.Wait, Jitter: func() float64 { return 0.5 }, Log: record, Pacer: client.NewPacer(client.DefaultPace, client.DefaultBurst),
		Proxy: http.ProxyURL(nil),
	}
	if s.plan.options != nil {
		s.plan.options(&o)
	}
	service, err := client.New(o)
	must(s.t, err)
	disk, err := store.Open(s.t.Context(), s.folder, store.Options{Now: now, Log: record})
	must(s.t, err)
	q, err := intake.Open(s.t.Context(), intake.Params{
		Service: overheard{service, s}, Store: watchedStore{disk, s}, Now: now, Wait: s.clock.Wait, Log: record, Uploads: s.plan.uploads,
		Pacer: service.Pacer(), Jitter: func() float64 { return 0.5 },
	})
	must(s.t, err)
	s.setup = setup{Queue: q, t: s.t, changes: q.Watch()}
	s.stop = sync.OnceFunc(func() {
		q.Close()
		service.Close()
		must(s.t, disk.Close())
	})
}

// restart ends Assay and starts it again.
func (s *scene) restart() {
	s.t.Helper()
	s.stop()
	s.open()
}

// hand hands something over.
func (s *scene) hand(given ...string) []string {
	s.t.Helper()
	return s.accept(given, submission.Dropped)
}

// when waits for something to be so, and reads along.
func (s *scene) when(what string, so func() bool) {
	s.t.Helper()
	s.setup.when(what, func() bool {
		s.read()
		return so()
	})
}

// until waits for submissions to be in a state, and returns the last.
func (s *scene) until(ids []string, want ...submission.State) (got submission.Submission) {
	s.t.Helper()
	for _, id := range ids {
		s.when(fmt.Sprintf("%s is %v", id, want), func() bool {
			got, _ = s.Get(id)
			return slices.Contains(want, got.State)
		})
	}
	return got
}

// retryAll asks for everything that failed again, as a person would, and waits for it.
func (s *scene) retryAll(ids []string) {
	s.t.Helper()
	s.RetryFailed()
	s.until(ids, submission.Done)
}

// read notes all that is on the screen now.
func (s *scene) read() {
	standing := s.Standing()
	s.hear(standing.Reason)
	for _, sub := range s.All() {
		s.hear(sub.Problem, sub.Delay, sub.Warning, sub.Name)
	}
}

func (s *scene) hear(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		s.heard.WriteString(text + "\n")
	}
}

// lockedWriter takes log lines.
type lockedWriter struct{ *scene }

func (l lockedWriter) Write(p []byte) (int, error) {
	l.hear(string(p))
	return len(p), nil
}

// passes calls the scene's hook.
func (s *scene) passes(at instant) error {
	s.mu.Lock()
	hook := s.hook
	s.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(at)
}

// set replaces the hook, which is called before and after each write and each call.
func (s *scene) set(hook func(at instant) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

// instant is before or after something is written down or the service is called.
type instant string

// only is a step without a result.
func only(do func() error) func() (struct{}, error) {
	return func() (struct{}, error) { return struct{}{}, do() }
}

// observed does something between two moments, and notes what is said of a failure.
func observed[T any](s *scene, name string, do func() (T, error)) (result T, err error) {
	if err = s.passes(instant("before " + name)); err == nil {
		if result, err = do(); err == nil {
			err = s.passes(instant("after " + name))
		}
	}
	if err != nil {
		s.hear(err.Error())
		var e *client.Error
		if errors.As(err, &e) {
			s.hear(e.Sentence(), e.Code)
		}
	}
	return result, err
}

// overheard is the client.
type overheard struct {
	*client.Client
	scene *scene
}

func (o overheard) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	return observed(o.scene, "address", func() (client.Upload, error) { return o.Client.RequestUpload(ctx, name) })
}

func (o overheard) Put(ctx context.Context, address string, file *os.File, size int64, progress func(int64)) error {
	_, err := observed(o.scene, "put", only(func() error { return o.Client.Put(ctx, address, file, size, progress) }))
	return err
}

func (o overheard) Result(ctx context.Context, id string) (*client.Result, error) {
	return observed(o.scene, "look", func() (*client.Result, error) { return o.Client.Result(ctx, id) })
}

func (o overheard) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	return observed(o.scene, "find", func() (string, error) { return o.Client.FindUpload(ctx, name, since) })
}

func (o overheard) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	return observed(o.scene, "link", func() (client.LinkSubmission, error) { return o.Client.SubmitLink(ctx, link) })
}

func (o overheard) List(ctx context.Context, q client.ListQuery) ([]*client.Result, error) {
	return observed(o.scene, "list", func() ([]*client.Result, error) { return o.Client.List(ctx, q) })
}

// watchedStore is the store.
type watchedStore struct {
	*store.Store
	scene *scene
}

func (w watchedStore) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	if len(subs) == 0 {
		return nil, nil // a question of the scene
	}
	return observed(w.scene, "accepting", func() ([]submission.Submission, error) { return w.Store.Add(ctx, subs) })
}

func (w watchedStore) Save(ctx context.Context, sub submission.Submission, deed string) error {
	_, err := observed(w.scene, "writing "+string(sub.Step), only(func() error { return w.Store.Save(ctx, sub, deed) }))
	return err
}

func (w watchedStore) Answer(ctx context.Context, sub submission.Submission, deed string) error {
	_, err := observed(w.scene, "writing "+string(sub.Step), only(func() error { return w.Store.Answer(ctx, sub, deed) }))
	return err
}

func (w watchedStore) SetFact(ctx context.Context, name, value string) error {
	_, err := observed(w.scene, "writing "+name, only(func() error { return w.Store.SetFact(ctx, name, value) }))
	return err
}

// atService checks that the service has each of these files exactly once, by its list and by its objects, and nothing else;
// that everything in the inbox has ended with an answer or a sentence; and that no secret was said.
func (s *scene) atService(paths ...string) {
	s.t.Helper()
	var want, got []string
	for _, path := range paths {
		want = append(want, hexOf(sumOf(s.t, path)))
	}
	objects, err := filepath.Glob(filepath.Join(s.records, "objects", "*"))
	must(s.t, err)
	for _, object := range objects {
		got = append(got, hexOf(sumOf(s.t, object)))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		s.t.Errorf("the service has %d objects, want %d:\n%v\n%v", len(got), len(want), got, want)
	}
	s.listed(len(paths))
	for _, sub := range s.All() {
		switch {
		case sub.State == submission.Done && (sub.Result == nil || sub.RequestID == ""):
			s.t.Errorf("%q is done without an answer", sub.Name)
		case sub.State == submission.Done || sub.State == submission.Cancelled:
		case (sub.State != submission.Failed && sub.State != submission.Refused) || sub.Problem == "":
			s.t.Errorf("%q is %q: %q", sub.Name, sub.State, sub.Problem)
		}
	}
	s.allHappened()
	s.noSecrets()
}

// allHappened checks that each fault of the plan was met: a scene in which nothing goes wrong shows nothing.
func (s *scene) allHappened() {
	s.t.Helper()
	for _, text := range s.plan.faults {
		fault, err := sandbox.ParseFault(text)
		must(s.t, err)
		if calls := len(s.wire.asked(fault.Operation)); calls < max(fault.From, fault.Every, 1) {
			s.t.Errorf("%q never happened: %d calls", text, calls)
		}
	}
	for i := range s.plan.troubles {
		if trouble := &s.plan.troubles[i]; trouble.seen < trouble.from {
			s.t.Errorf("trouble %d (%s) never happened: %d calls", i, trouble.op, trouble.seen)
		}
	}
}

// listed checks how many submissions the service's own list shows.
func (s *scene) listed(want int) {
	s.t.Helper()
	page, whole := "", false
	for range 20 { // some of which its faults may meet
		if page, whole = s.page(); whole {
			break
		}
	}
	shown := strings.Count(page, `"originalFileName"`)
	if shown != want || s.sandbox.Submissions() != want {
		s.t.Errorf("the service lists %d and counts %d submissions, want %d", shown, s.sandbox.Submissions(), want)
	}
}

// page is the sandbox's list; whole is false where a fault met it.
func (s *scene) page() (page string, whole bool) {
	defer func() { whole = recover() == nil && whole }() // a connection that is broken off
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/api/v2/media/users/pages/0?size=1000", nil)
	r.Header.Set("X-Api-Key", sceneKey)
	w := httptest.NewRecorder()
	s.sandbox.ServeHTTP(w, r)
	return w.Body.String(), w.Code == http.StatusOK
}

// noSecrets searches all that was said for the key and for signatures, and the store's files for the key.
func (s *scene) noSecrets() {
	s.t.Helper()
	s.read()
	s.wire.mu.Lock()
	signatures := s.wire.signatures
	s.wire.mu.Unlock()
	s.mu.Lock()
	heard := s.heard.String()
	s.mu.Unlock()
	if strings.Contains(heard, sceneKey) {
		s.t.Error("the key was said")
	}
	for signature := range signatures {
		if strings.Contains(heard, signature) {
			s.t.Error("a signature was said")
		}
	}
	if strings.Contains(heard, "X-Sandbox-") {
		s.t.Error("a signed address's query was said")
	}
	files, err := filepath.Glob(filepath.Join(s.folder, "assay.db*"))
	must(s.t, err)
	for _, path := range files {
		content, err := os.ReadFile(path)
		must(s.t, err)
		if bytes.Contains(content, []byte(sceneKey)) {
			s.t.Errorf("the key is in %s", filepath.Base(path))
		}
	}
}

// wire is what lies between the client and the sandbox.
type wire struct {
	scene *scene
	next  http.Handler

	mu         sync.Mutex
	calls      []exchange
	troubles   []*trouble
	signatures map[string]bool // of all addresses that the service gave
}

// exchange is a call that came over the wire.
type exchange struct {
	op     sandbox.Operation
	uri    string
	length int64
	key    string
	at     time.Time
}

// trouble is what happens to some calls of an operation instead of what would.
type trouble struct {
	op       sandbox.Operation
	from, to int // counted from 1; to 0: without end
	do       func(s *scene, w http.ResponseWriter, r *http.Request)

	seen int
}

var signature = regexp.MustCompile(`X-Sandbox-Signature=([0-9a-f]{64})`)

func (l *wire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op := operationOf(r)
	l.mu.Lock()
	l.calls = append(l.calls, exchange{op, r.URL.RequestURI(), r.ContentLength, r.Header.Get("X-Api-Key"), l.scene.clock.Now()})
	var now *trouble
	for _, t := range l.troubles {
		if t.op != op && t.op != sandbox.OpAny {
			continue
		}
		t.seen++
		if now == nil && t.seen >= t.from && (t.to == 0 || t.seen <= t.to) {
			now = t
		}
	}
	l.mu.Unlock()
	if now != nil {
		now.do(l.scene, w, r)
		return
	}
	l.pass(w, r)
}

// pass lets the sandbox answer, and notes the signatures that it gives.
func (l *wire) pass(w http.ResponseWriter, r *http.Request) {
	l.next.ServeHTTP(reader{w, l}, r)
}

type reader struct {
	http.ResponseWriter
	wire *wire
}

func (r reader) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r reader) Write(p []byte) (int, error) {
	r.wire.mu.Lock()
	for _, found := range signature.FindAllSubmatch(p, -1) {
		r.wire.signatures[string(found[1])] = true
	}
	r.wire.mu.Unlock()
	return r.ResponseWriter.Write(p)
}

// heal ends all troubles.
func (l *wire) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.troubles = nil
}

// asked are the calls of an operation.
func (l *wire) asked(op sandbox.Operation) (calls []exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		if c.op == op || op == sandbox.OpAny {
			calls = append(calls, c)
		}
	}
	return calls
}

func operationOf(r *http.Request) sandbox.Operation {
	switch path := r.URL.Path; {
	case r.Method == http.MethodPut:
		return sandbox.OpPut
	case path == "/api/files/social":
		return sandbox.OpSocial
	case strings.HasPrefix(path, "/api/files/"):
		return sandbox.OpUploadURL
	case strings.HasPrefix(path, "/api/v2/media/users"):
		return sandbox.OpList
	case strings.HasPrefix(path, "/api/media/users/"):
		return sandbox.OpResult
	}
	return sandbox.OpArtifact
}

// noise is a picture of some thirty kilobytes, no two of the same seed alike.
func noise(t *testing.T, seed uint32) string {
	t.Helper()
	const side = 100
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			seed = seed*1664525 + 1013904223
			img.Set(x, y, color.RGBA{R: uint8(seed >> 24), G: uint8(seed >> 16), B: uint8(seed >> 8), A: 255})
		}
	}
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	path := filepath.Join(t.TempDir(), fmt.Sprintf("noise-%d.png", seed))
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}
