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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// sandboxKey is the key of the sandbox. It must turn up nowhere.
const sandboxKey = "sk-live-0f3b7c-never-to-be-read"

// sandboxed is a queue of real parts: a store on the disk, a client, and a sandbox over HTTP at the other end of a wire on
// which things go wrong. All share one clock, which only waits move. Each test ends with atService: the service has each content once,
// everything has an answer or a sentence, every fault of the plan was met, and neither the key nor a signature was said.
type sandboxed struct {
	*fixture // without its server and its store
	plan     plan
	wire     *wire
	sandbox  *sandbox.Sandbox
	records  string // the sandbox's folder
	url      string
	folder   string // the store's
	key      func() string
	over     chan struct{} // closed when the test ends: what hangs ends then

	stop func() // closes the queue, the client and the store

	mu    sync.Mutex
	heard bytes.Buffer // everything that a person may get to read: errors, sentences, log lines
	hook  func(at moment) error
}

// plan is what goes wrong, and what is otherwise than in a usual run; the zero value has no faults.
type plan struct {
	faults   []string // of the sandbox, in its own grammar
	troubles []trouble
	tls      bool // the service is called by https and by the name example.com
	options  func(*client.Options)
	uploads  int
	now      func(time.Time) time.Time // what this computer's clock shows at a time; nil: that
	folder   string                    // of the store; "": one of its own
	params   func(*intake.Params)      // nil: they stay as they are
}

func setupSandbox(t *testing.T, p plan) *sandboxed {
	t.Helper()
	s := &sandboxed{fixture: &fixture{t: t, clock: clocktest.New(start)}, plan: p, records: t.TempDir(), folder: p.folder, over: make(chan struct{}),
		key: func() string { return sandboxKey }}
	if s.folder == "" {
		s.folder = filepath.Join(t.TempDir(), "assay")
	}
	options := sandbox.Options{Dir: s.records, Key: sandboxKey, Now: s.clock.Now}
	for _, text := range p.faults {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(t, err)
		options.Faults = append(options.Faults, fault)
	}
	box, err := sandbox.New(options)
	assert.NoError(t, err)
	s.sandbox = box
	s.wire = &wire{queue: s, next: box, signatures: map[string]bool{}}
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
		assert.NoError(t, box.Close())
	})
	s.open()
	return s
}

// wait lets time pass as soon as the sandbox has nothing to do.
func (s *sandboxed) wait(ctx context.Context, d time.Duration) error {
	if err := s.sandbox.Idle(ctx); err != nil {
		return err
	}
	return s.clock.Skip(ctx, d)
}

// open starts Assay, as the person does, on what the last run left.
func (s *sandboxed) open() {
	s.t.Helper()
	record := slog.New(slog.NewTextHandler(lockedWriter{s}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	now := s.clock.Now
	if s.plan.now != nil {
		now = func() time.Time { return s.plan.now(s.clock.Now()) }
	}
	o := client.Options{
		BaseURL: s.url, Key: func() string { return s.key() }, CallTimeout: 20 * time.Second, StallTimeout: 1000 * time.Hour, AnswerTimeout: 1000 * time.Hour,
		Now: now, Wait: s.wait, Jitter: func() float64 { return 0.5 }, Log: record, Pacer: client.NewPacer(client.DefaultPace, client.DefaultBurst),
		Proxy: http.ProxyURL(nil),
	}
	if s.plan.options != nil {
		s.plan.options(&o)
	}
	service, err := client.New(o)
	assert.NoError(s.t, err)
	assert.NoError(s.t, storetest.Empty(s.folder))
	disk, err := store.Open(s.t.Context(), s.folder, store.Options{Now: now, Log: record})
	assert.NoError(s.t, err)
	params := intake.Params{
		Service: aroundService{service, s.around}, Store: aroundStore{disk, s.around}, Now: now, Wait: s.wait, Log: record, Uploads: s.plan.uploads,
		Pacer: service.Pacer(), Jitter: func() float64 { return 0.5 },
	}
	if s.plan.params != nil {
		s.plan.params(&params)
	}
	q, err := intake.Open(s.t.Context(), params)
	assert.NoError(s.t, err)
	s.meanwhile = s.read
	s.Queue, s.changes = q, q.Events.Subscribe()
	s.stop = sync.OnceFunc(func() {
		q.Close()
		service.Close()
		assert.NoError(s.t, disk.Close())
	})
}

// restart ends Assay and starts it again.
func (s *sandboxed) restart() {
	s.t.Helper()
	s.stop()
	s.open()
}

// retryAll asks for everything that failed again, as a person would, and waits for it.
func (s *sandboxed) retryAll(ids []string) {
	s.t.Helper()
	s.RetryFailed()
	s.untilEach(ids, submission.Done)
}

// read notes all that is on the screen now.
func (s *sandboxed) read() {
	standing := s.QueueStatus()
	s.hear(standing.Reason.String())
	for _, sub := range s.All() {
		s.hear(sub.Problem.String(), sub.Delay.String(), sub.Warning.String(), sub.Name)
	}
}

func (s *sandboxed) hear(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		s.heard.WriteString(text + "\n")
	}
}

// lockedWriter takes log lines.
type lockedWriter struct{ *sandboxed }

func (l lockedWriter) Write(p []byte) (int, error) {
	l.hear(string(p))
	return len(p), nil
}

// passes calls the hook.
func (s *sandboxed) passes(at moment) error {
	s.mu.Lock()
	hook := s.hook
	s.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(at)
}

// at has something done at the nth moment, counted from 1.
func (s *sandboxed) at(n int64, do func()) {
	var seen atomic.Int64
	s.set(func(moment) error {
		if seen.Add(1) == n {
			do()
		}
		return nil
	})
}

// handed is what is handed over so that an operation is called: a file, or a link to it where only links lead there.
func handed(t *testing.T, op sandbox.Operation, file string) string {
	t.Helper()
	if op == sandbox.OpSocial || op == sandbox.OpList {
		return servedLink(t, file)
	}
	return file
}

// set replaces the hook, which is called before and after each write and each call.
func (s *sandboxed) set(hook func(at moment) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
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
	assert.NoError(t, png.Encode(&b, img))
	path := filepath.Join(t.TempDir(), fmt.Sprintf("noise-%d.png", seed))
	assert.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// around is called before and after each call and each write, and notes what is said of a failure.
func (s *sandboxed) around(name string, do func() error) error {
	err := s.passes(moment("before " + name))
	if err == nil {
		if err = do(); err == nil {
			err = s.passes(moment("after " + name))
		}
	}
	if err != nil {
		s.hear(err.Error())
		var e *client.Error
		if errors.As(err, &e) {
			s.hear(e.Sentence(), e.Code.String())
		}
	}
	return err
}

// wire is what lies between the client and the sandbox.
type wire struct {
	queue *sandboxed
	next  http.Handler

	mu         sync.Mutex
	calls      []exchange
	troubles   []*trouble
	signatures map[string]bool // of all upload URLs that the service gave
}

// exchange is a call that came over the wire.
type exchange struct {
	op     sandbox.Operation
	uri    string
	length int64
	key    string
	at     time.Time
}

// handler answers a call in place of the sandbox, or by way of it.
type handler = func(*sandboxed, http.ResponseWriter, *http.Request)

// trouble is what happens to some calls of an operation instead of what would.
type trouble struct {
	op       sandbox.Operation
	from, to int // counted from 1; to 0: without end
	do       func(s *sandboxed, w http.ResponseWriter, r *http.Request)

	seen int
}

var signature = regexp.MustCompile(`X-Sandbox-Signature=([0-9a-f]{64})`)

func (l *wire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op := operationOf(r)
	l.mu.Lock()
	l.calls = append(l.calls, exchange{op, r.URL.RequestURI(), r.ContentLength, r.Header.Get("X-Api-Key"), l.queue.clock.Now()})
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
		now.do(l.queue, w, r)
		return
	}
	l.pass(w, r)
}

// through lets the sandbox answer.
func through(s *sandboxed, w http.ResponseWriter, r *http.Request) { s.wire.pass(w, r) }

// first has something done before a call is answered.
func first(do func(*sandboxed), then handler) handler {
	return func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
		do(s)
		then(s, w, r)
	}
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
