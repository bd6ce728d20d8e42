package intake_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// start is when the clock of a fixture begins.
var start = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// fixture is a queue that is open, on a store and with a service that outlive it. Waits end at once: the time that they would have
// taken passes on the clock.
type fixture struct {
	*intake.Queue
	t       *testing.T
	clock   *clocktest.Clock
	server  *server
	store   *memory
	copier  *copier // nil: no copies can be made
	adjust  []func(*intake.Params)
	changes *events.Subscription
	// meanwhile is called again and again while something is waited for; nil: nothing is.
	meanwhile func()
}

// unopened is a fixture in which no queue is open yet.
func unopened(t *testing.T) *fixture {
	c := clocktest.New(start)
	return &fixture{t: t, clock: c, server: newServer(c), store: newMemory()}
}

// setup opens a queue with other parameters than the fixture's where adjust says so.
func setup(t *testing.T, adjust ...func(*intake.Params)) *fixture {
	t.Helper()
	f := unopened(t)
	f.open(adjust...)
	return f
}

// setupCopying is setup where copies without metadata can be made.
func setupCopying(t *testing.T) *fixture {
	t.Helper()
	f := unopenedCopying(t)
	f.open()
	return f
}

func unopenedCopying(t *testing.T) *fixture {
	f := unopened(t)
	f.copier = &copier{folder: t.TempDir()}
	return f
}

// gatedBy are parameters of a queue whose settings, or IT's locks, give everything a gate.
func gatedBy(g gates) func(*intake.Params) { return func(p *intake.Params) { p.Gate = g } }

// open is the next start of Assay, with the parameters of the last one unless others are given.
func (f *fixture) open(adjust ...func(*intake.Params)) {
	f.t.Helper()
	if len(adjust) > 0 {
		f.adjust = adjust
	}
	p := intake.Params{Service: f.server, Store: f.store, Now: f.clock.Now, Wait: f.clock.Skip}
	if f.copier != nil {
		p.Copier = f.copier
	}
	for _, change := range f.adjust {
		change(&p)
	}
	q, err := intake.Open(f.t.Context(), p)
	assert.NoError(f.t, err)
	f.Queue, f.changes = q, q.Events.Subscribe()
	f.t.Cleanup(q.Close)
}

// reopen ends Assay and starts it again.
func (f *fixture) reopen(adjust ...func(*intake.Params)) {
	f.t.Helper()
	f.Close()
	f.open(adjust...)
}

// drop hands files, folders or links over.
func (f *fixture) drop(given ...string) []string {
	f.t.Helper()
	accepted, err := f.Accept(f.t.Context(), intake.Inputs(given...), intake.Options{Source: submission.Dropped})
	assert.NoError(f.t, err)
	return accepted.IDs
}

// until waits for a submission to be in a state.
func (f *fixture) until(id string, want ...submission.State) (got submission.Submission) {
	f.t.Helper()
	f.when(fmt.Sprintf("%s is %v", id, want), func() bool {
		var ok bool
		got, ok = f.Get(id)
		return ok && slices.Contains(want, got.State)
	})
	return got
}

// untilEach waits for each of some submissions to be in a state, and returns the last.
func (f *fixture) untilEach(ids []string, want ...submission.State) (last submission.Submission) {
	f.t.Helper()
	for _, id := range ids {
		last = f.until(id, want...)
	}
	return last
}

// stands waits for the queue as a whole to stand still, or to wait, for a cause.
func (f *fixture) stands(why intake.Cause) {
	f.t.Helper()
	f.when(fmt.Sprintf("the queue stands at %q", why), func() bool { return f.QueueStatus().Cause == why })
}

// is checks in which state a submission is now.
func (f *fixture) is(want submission.State, id string) {
	f.t.Helper()
	got, _ := f.Get(id)
	assert.True(f.t, got.State == want, "%q is %q, want %q: %s", got.Name, got.State, want, got.Problem)
}

// shown is a submission as it is shown now; the zero one where it is not in the inbox and does not go on.
func (f *fixture) shown(id string) submission.Submission {
	s, _ := f.Get(id)
	return s
}

// when waits for something to be so; what the queue does not tell of is looked at now and then.
func (f *fixture) when(what string, so func() bool) {
	f.t.Helper()
	limit, again := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer again.Stop()
	for {
		if f.meanwhile != nil {
			f.meanwhile()
		}
		if so() {
			return
		}
		select {
		case <-f.changes.Ready():
			f.changes.Take()
		case <-again.C:
		case <-limit:
			f.t.Fatalf("it never came that %s: %+v\n%.4000s", what, f.QueueStatus(), fmt.Sprintf("%+v", f.All()))
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
	assert.NoError(t, png.Encode(&b, img))
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path
}

// The errors of the service: it is busy; it refuses something for good; a call never left.
func busy() error {
	return &client.Error{Op: "test", Kind: client.KindBusy, Status: 503, Message: i18n.Verbatim("Busy.")}
}

func refused(why string) error {
	return &client.Error{Op: "test", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim(why)}
}

func offline() error {
	return &client.Error{Op: "test", Kind: client.KindNetwork, Message: i18n.Verbatim("The service could not be reached.")}
}

// repeated is the same failure so many times.
func repeated(err error, times int) []error { return slices.Repeat([]error{err}, times) }

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
	return call(s.around, "upload-url", func() (client.Upload, error) { return s.Service.RequestUpload(ctx, name) })
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

func (s aroundService) Results(ctx context.Context, q client.ListQuery) iter.Seq2[*client.Result, error] {
	return func(yield func(*client.Result, error) bool) {
		if err := s.around("list", func() error { return nil }); err != nil {
			yield(nil, err)
			return
		}
		s.Service.Results(ctx, q)(yield)
	}
}

func (s aroundStore) AddInto(ctx context.Context, caseID string, subs []submission.Submission, by string) ([]submission.Submission, error) {
	if len(subs) == 0 {
		return nil, nil // a question of the tests
	}
	return call(s.around, "accepting", func() ([]submission.Submission, error) { return s.Store.AddInto(ctx, caseID, subs, by) })
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
