package intake_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// service answers as told and counts what it was asked.
type service struct {
	mu      sync.Mutex
	asked   []string // names of upload URLs
	puts    []string // addresses that bytes went to
	looked  int      // results fetched
	uploads []func() (client.Upload, error)
	put     []func(file *os.File) error
	results []func() (*client.Result, error)
	find    func(name string) (string, error)
	links   []string // submitted
	link    []func() (client.LinkSubmission, error)
	lists   []func(client.ListQuery) ([]*client.Result, error) // none: a list that is refused
	listed  int
}

// next takes the first step of a script; the last one stays.
func next[T any](steps *[]T) (step T, ok bool) {
	if len(*steps) == 0 {
		return step, false
	}
	step = (*steps)[0]
	if len(*steps) > 1 {
		*steps = (*steps)[1:]
	}
	return step, true
}

func (s *service) RequestUpload(_ context.Context, name string) (client.Upload, error) {
	s.mu.Lock()
	s.asked = append(s.asked, name)
	n := len(s.asked)
	step, ok := next(&s.uploads)
	s.mu.Unlock()
	if ok {
		return step()
	}
	return client.Upload{SignedURL: fmt.Sprintf("https://storage.example/%d", n), RequestID: fmt.Sprintf("id-%d", n), Issued: start}, nil
}

func (s *service) Put(_ context.Context, address string, file *os.File, size int64, progress func(int64)) error {
	defer file.Close() //nolint:errcheck // only read from
	s.mu.Lock()
	s.puts = append(s.puts, address)
	step, ok := next(&s.put)
	s.mu.Unlock()
	progress(size / 2)
	if ok {
		return step(file)
	}
	return nil
}

func (s *service) Result(_ context.Context, id string) (*client.Result, error) {
	s.mu.Lock()
	s.looked++
	step, ok := next(&s.results)
	s.mu.Unlock()
	if ok {
		return step()
	}
	return &client.Result{RequestID: id, OverallStatus: client.Authentic}, nil
}

func (s *service) FindUpload(_ context.Context, name string, _ time.Time) (string, error) {
	return s.find(name)
}

func (s *service) CheckLink(link string) (client.Link, error) { return checkLink(link) }

// checkLink judges links as a client with the default table of hosts does.
func checkLink(link string) (client.Link, error) {
	c, err := client.New(client.Options{BaseURL: "https://api.example"})
	if err != nil {
		return client.Link{}, err
	}
	return c.CheckLink(link)
}

func (s *service) SubmitLink(_ context.Context, link string) (client.LinkSubmission, error) {
	s.mu.Lock()
	s.links = append(s.links, link)
	n := len(s.links)
	step, ok := next(&s.link)
	s.mu.Unlock()
	if ok {
		return step()
	}
	return client.LinkSubmission{RequestID: fmt.Sprintf("link-%d", n)}, nil
}

func (s *service) List(_ context.Context, q client.ListQuery) ([]*client.Result, error) {
	s.mu.Lock()
	s.listed++
	step, ok := next(&s.lists)
	s.mu.Unlock()
	if ok {
		return step(q)
	}
	return nil, &client.Error{Op: "list", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No list.")}
}

type testQueue struct {
	*intake.Queue
	t       *testing.T
	service *service
	changes *events.Subscription
}

// fixture is a store and a service in which queues are opened one after another.
type fixture struct {
	t      *testing.T
	clock  *clock
	server *server
	store  *memory
	copier *copier // nil: no copies can be made
}

func setup(t *testing.T) *fixture {
	c := newClock()
	return &fixture{t: t, clock: c, server: newServer(c), store: newMemory()}
}

// setupCopying is setup where copies without metadata can be made.
func setupCopying(t *testing.T) *fixture {
	f := setup(t)
	f.copier = &copier{folder: t.TempDir()}
	return f
}

func (f *fixture) open() testQueue { return f.openGated(nil) }

// openGated opens a queue whose settings, or IT's locks, give everything a gate.
func (f *fixture) openGated(gate gates) testQueue {
	f.t.Helper()
	p := f.params()
	p.Gate = gate
	return newQueueWith(f.t, nil, p)
}

func (f *fixture) params() intake.Params {
	p := intake.Params{Service: f.server, Store: f.store, Now: f.clock.Now, Wait: f.clock.Wait}
	if f.copier != nil {
		p.Copier = f.copier
	}
	return p
}

// clock stands still but for waits, which end at once: the time they would have taken passes on it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// start is when a clock begins.
var start = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func newClock() *clock { return &clock{now: start} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return nil
}

// newQueue returns a queue in which nobody waits.
func newQueue(t *testing.T, s *service) testQueue {
	t.Helper()
	clock := newClock()
	return newQueueWith(t, s, intake.Params{Now: clock.Now, Wait: clock.Wait})
}

func newQueueWith(t *testing.T, s *service, p intake.Params) testQueue {
	t.Helper()
	if p.Service == nil {
		p.Service = s
	}
	if p.Store == nil {
		p.Store = newMemory()
	}
	q, err := intake.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	changes := q.Events.Subscribe()
	t.Cleanup(q.Close)
	return testQueue{Queue: q, t: t, service: s, changes: changes}
}

// accept hands files or links over.
func (s testQueue) accept(given []string, source submission.Source) []string {
	s.t.Helper()
	accepted, err := s.Accept(s.t.Context(), intake.Inputs(given...), intake.Options{Source: source})
	if err != nil {
		s.t.Fatal(err)
	}
	return accepted.IDs
}

// until waits for a submission to be in a state.
func (s testQueue) until(id string, want ...submission.State) (got submission.Submission) {
	s.t.Helper()
	s.when(fmt.Sprintf("%s is %v", id, want), func() bool {
		var ok bool
		got, ok = s.Get(id)
		return ok && slices.Contains(want, got.State)
	})
	return got
}

// when waits for something to be so; what the queue does not tell of is looked at now and then.
func (s testQueue) when(what string, so func() bool) {
	s.t.Helper()
	limit, again := time.After(20*time.Second), time.NewTicker(5*time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-s.changes.Ready():
			s.changes.Take()
		case <-again.C:
		case <-limit:
			s.t.Fatalf("it never came that %s: %+v\n%+v", what, s.QueueStatus(), s.All())
		}
	}
}

func pictureFile(t *testing.T, name string, shade uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 32, 32))
	for i := range img.Pix {
		img.Pix[i] = shade + uint8(i%7)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func busy() error {
	return &client.Error{Op: "test", Kind: client.KindBusy, Status: 503, Message: i18n.Verbatim("Busy.")}
}

// advance lets time pass without anybody waiting for it.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// around is called in place of each call of the service and each write of the store, under its name: it makes it by do, or does not.
type around func(name string, do func() error) error

// aroundService and aroundStore are called by way of around.
type (
	aroundService struct {
		intake.Service
		around around
	}
	aroundStore struct {
		intake.Store
		around around
	}
)

func call[T any](a around, name string, do func() (T, error)) (result T, err error) {
	if err = a(name, func() (err error) {
		result, err = do()
		return err
	}); err != nil {
		var nothing T
		return nothing, err
	}
	return result, nil
}

func (s aroundService) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	return call(s.around, "address", func() (client.Upload, error) { return s.Service.RequestUpload(ctx, name) })
}

func (s aroundService) Put(ctx context.Context, url string, file *os.File, size int64, progress func(int64)) error {
	return s.around("put", func() error { return s.Service.Put(ctx, url, file, size, progress) })
}

func (s aroundService) Result(ctx context.Context, id string) (*client.Result, error) {
	return call(s.around, "look", func() (*client.Result, error) { return s.Service.Result(ctx, id) })
}

func (s aroundService) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	return call(s.around, "find", func() (string, error) { return s.Service.FindUpload(ctx, name, since) })
}

func (s aroundService) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	return call(s.around, "link", func() (client.LinkSubmission, error) { return s.Service.SubmitLink(ctx, link) })
}

func (s aroundService) List(ctx context.Context, q client.ListQuery) ([]*client.Result, error) {
	return call(s.around, "list", func() ([]*client.Result, error) { return s.Service.List(ctx, q) })
}

func (s aroundStore) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	if len(subs) == 0 {
		return nil, nil // a question of the tests
	}
	return call(s.around, "accepting", func() ([]submission.Submission, error) { return s.Store.Add(ctx, subs) })
}

func (s aroundStore) Save(ctx context.Context, sub submission.Submission, event custody.Event) error {
	return s.around("writing "+string(sub.Step), func() error { return s.Store.Save(ctx, sub, event) })
}

func (s aroundStore) Answer(ctx context.Context, sub submission.Submission, event custody.Event) error {
	return s.around("writing "+string(sub.Step), func() error { return s.Store.Answer(ctx, sub, event) })
}

func (s aroundStore) SetFact(ctx context.Context, name, value string) error {
	return s.around("writing "+name, func() error { return s.Store.SetFact(ctx, name, value) })
}
