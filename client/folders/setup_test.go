package folders_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/events"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// fixture is the watched folders as a test drives them, over a real watcher, queue and store.
type fixture struct {
	*folders.Folders
	t       *testing.T
	home    string
	service *service
	clock   *clock
	kept    *store.Store
	store   *faultyStore
	queue   *intake.Queue
	close   func()

	mu      sync.Mutex
	batches []folders.Batch
}

// setup opens everything in a new home.
func setup(t *testing.T, adjust ...func(*folders.Params)) *fixture {
	t.Helper()
	return setupAt(t, t.TempDir(), newService(), nil, adjust...)
}

// setupAt opens everything in a home that may have been used before. mortal changes the store that is seen.
func setupAt(t *testing.T, home string, s *service, mortal func(*faultyStore), adjust ...func(*folders.Params)) *fixture {
	t.Helper()
	d := &fixture{t: t, home: home, service: s, clock: &clock{}}
	err := storetest.Empty(home)
	assert.NoError(t, err)
	if d.kept, err = store.Open(t.Context(), home, store.Options{}); err != nil {
		t.Fatal(err)
	}
	d.store = newFaultyStore(d.kept)
	if mortal != nil {
		mortal(d.store)
	}
	hashes := media.NewHashes(time.Now)
	d.queue, err = intake.Open(t.Context(), intake.Params{Service: s, Store: d.store, Hashes: hashes, Now: d.clock.Now,
		PollMin: time.Millisecond, PollMax: 2 * time.Millisecond})
	assert.NoError(t, err)
	p := folders.Params{Queue: d.queue, Store: d.store, Hashes: hashes, Own: []string{home}, Now: d.clock.Now, After: d.clock.After,
		Batch: func(b folders.Batch) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.batches = append(d.batches, b)
		}}
	for _, change := range adjust {
		change(&p)
	}
	if d.Folders, err = folders.Open(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	d.close = sync.OnceFunc(func() {
		d.Close()
		d.queue.Close()
		if err := d.kept.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(d.close)
	return d
}

// again ends the run, and begins another one in the same home.
func (d *fixture) again(adjust ...func(*folders.Params)) *fixture {
	d.t.Helper()
	d.close()
	return setupAt(d.t, d.home, d.service, nil, adjust...)
}

// patience is for how long a test waits for something that must come.
const patience = 60 * time.Second

// until waits for something to be so.
func (d *fixture) until(what string, so func() bool) {
	d.t.Helper()
	changed := d.queue.Events.Subscribe(events.Submission, events.Folders)
	defer changed.Close()
	late, again := time.After(patience), time.NewTicker(10*time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-changed.Ready():
			changed.Take()
		case <-again.C:
		case <-late:
			d.t.Fatalf("it never came that %s:\n%+v\n%s", what, d.All(), strings.Join(d.inbox(), "\n"))
		}
	}
}

// inbox is what there is, as text, in the order of names.
func (d *fixture) inbox() []string {
	var all []string
	for _, s := range d.queue.All() {
		all = append(all, fmt.Sprintf("%s %s", s.Name, s.State))
	}
	slices.Sort(all)
	return all
}

// becomes waits for the inbox to be just this.
func (d *fixture) becomes(want ...string) {
	d.t.Helper()
	slices.Sort(want)
	d.until(fmt.Sprintf("the inbox is %q", want), func() bool { return slices.Equal(d.inbox(), want) })
}

// named is the submission of a name.
func (d *fixture) named(name string) submission.Submission {
	d.t.Helper()
	for _, s := range d.queue.All() {
		if s.Name == name {
			return s
		}
	}
	d.t.Fatalf("%q is not in the inbox: %q", name, d.inbox())
	return submission.Submission{}
}

func (d *fixture) seenBatches() []folders.Batch {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.batches)
}

// folder is one as it stands.
func (d *fixture) folder(id string) folders.Folder {
	d.t.Helper()
	f, ok := d.Get(id)
	if !ok {
		d.t.Fatalf("there is no folder %s: %+v", id, d.All())
	}
	return f
}

// sends are settings with which nobody is asked.
func sends(path string) folders.Settings {
	s := folders.Default(path)
	s.Gate = submission.GateSend
	s.Quiet = 200 * time.Millisecond
	return s
}

// add begins to watch a folder.
func (d *fixture) add(s folders.Settings, begin folders.Begin, chosen ...string) string {
	d.t.Helper()
	id, err := d.Add(d.t.Context(), s, begin, chosen)
	assert.NoError(d.t, err)
	return id
}

// write puts a file into a folder: a text, since nothing in one needs to be decoded.
func write(t *testing.T, path, content string) string {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// sentence is what a person reads of an error.
func sentence(t *testing.T, err error) string {
	t.Helper()
	var problem *folders.Problem
	if !errors.As(err, &problem) {
		t.Fatalf("%v is no problem", err)
	}
	return problem.Error()
}

// clock goes on by itself, and further when a test says so. Short waits take their time; long ones wait for the test.
type clock struct {
	mu     sync.Mutex
	ahead  time.Duration
	alarms []alarm
}

type alarm struct {
	at   time.Time
	ring chan time.Time
}

// short is up to how long a wait takes its own time.
const short = time.Second

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	if d <= short {
		return time.After(d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a := alarm{time.Now().Add(c.ahead + d), make(chan time.Time, 1)}
	c.alarms = append(c.alarms, a)
	return a.ring
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	now := time.Now().Add(c.ahead)
	c.alarms = slices.DeleteFunc(c.alarms, func(a alarm) bool {
		if a.at.After(now) {
			return false
		}
		a.ring <- now
		return true
	})
}

// service answers every file with one status, once a test lets it.
type service struct {
	mu     sync.Mutex
	status client.Status
	open   chan struct{} // closed while answers may come
	sent   []string      // contents
}

func newService() *service {
	s := &service{status: client.Authentic, open: make(chan struct{})}
	close(s.open)
	return s
}

// hold keeps answers back until release.
func (s *service) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = make(chan struct{})
}

func (s *service) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.open)
}

func (s *service) contents() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent := slices.Clone(s.sent)
	slices.Sort(sent)
	return sent
}

func (s *service) RequestUpload(_ context.Context, name string) (client.Upload, error) {
	return client.Upload{SignedURL: "https://storage.example/" + name, RequestID: "request-" + name, Issued: time.Now()}, nil
}

func (s *service) Put(_ context.Context, _ string, file *os.File, size int64, _ func(int64)) error {
	defer file.Close() //nolint:errcheck // only read from
	content := make([]byte, size)
	if _, err := file.ReadAt(content, 0); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, string(content))
	return nil
}

func (s *service) Result(ctx context.Context, id string) (*client.Result, error) {
	s.mu.Lock()
	open, status := s.open, s.status
	s.mu.Unlock()
	select {
	case <-open:
		return &client.Result{RequestID: id, OverallStatus: status}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *service) FindUpload(context.Context, string, time.Time) (string, error) {
	return "", client.ErrNotListed
}

func (s *service) CheckLink(link string) (client.Link, error) { return client.Link{URL: link}, nil }

func (s *service) SubmitLink(context.Context, string) (client.LinkSubmission, error) {
	return client.LinkSubmission{}, errors.New("no links")
}

func (s *service) List(context.Context, client.ListQuery) ([]*client.Result, error) {
	return nil, &client.Error{Op: "list", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No list.")}
}

func (s *service) Results(ctx context.Context, q client.ListQuery) iter.Seq2[*client.Result, error] {
	return func(yield func(*client.Result, error) bool) {
		_, err := s.List(ctx, q)
		yield(nil, err)
	}
}

// errDied is what a process sees of the disk after its end.
var errDied = errors.New("the process has ended")

// faultyStore is a store as a process sees it, which may end at a moment: what it asks for afterwards never happens. before names the
// call that does not happen any more, after the last one that does; "" is none.
type faultyStore struct {
	*store.Store
	before, after string
	dead          atomic.Bool
	ended         chan struct{}
	full          atomic.Bool // nothing can be added
}

func newFaultyStore(s *store.Store) *faultyStore {
	return &faultyStore{Store: s, ended: make(chan struct{})}
}

func (d *faultyStore) call(name string, do func() error) error {
	if d.dead.Load() {
		return errDied
	}
	if name == d.before {
		d.end()
		return errDied
	}
	err := do()
	if name == d.after {
		d.end()
		return errDied
	}
	return err
}

func (d *faultyStore) end() {
	if d.dead.CompareAndSwap(false, true) {
		close(d.ended)
	}
}

func (d *faultyStore) AddInto(ctx context.Context, caseID string, subs []submission.Submission, by string) (kept []submission.Submission, err error) {
	if d.full.Load() {
		return nil, &store.Error{Op: "keep what was handed over", Kind: store.ErrFull, Message: i18n.Verbatim("The disk with Assay's folder is full.")}
	}
	return kept, d.call("add", func() error { kept, err = d.Store.AddInto(ctx, caseID, subs, by); return err })
}

func (d *faultyStore) Save(ctx context.Context, s submission.Submission, event custody.Event) error {
	return d.call(strings.TrimSpace("save "+string(event)), func() error { return d.Store.Save(ctx, s, event) })
}

func (d *faultyStore) Answer(ctx context.Context, s submission.Submission, event custody.Event) error {
	return d.call("answer", func() error { return d.Store.Answer(ctx, s, event) })
}

func (d *faultyStore) KeepFolder(ctx context.Context, f store.Folder) error {
	return d.call("keep", func() error { return d.Store.KeepFolder(ctx, f) })
}

func (d *faultyStore) RememberFiles(ctx context.Context, folder string, files []store.FolderFile) error {
	return d.call("remember", func() error { return d.Store.RememberFiles(ctx, folder, files) })
}

func (d *faultyStore) ForgetFiles(ctx context.Context, folder string, names []string) error {
	return d.call("forget", func() error { return d.Store.ForgetFiles(ctx, folder, names) })
}

func (d *faultyStore) RemoveFolder(ctx context.Context, id string) error {
	return d.call("remove", func() error { return d.Store.RemoveFolder(ctx, id) })
}

func (d *faultyStore) SetFact(ctx context.Context, name, value string) error {
	return d.call("fact", func() error { return d.Store.SetFact(ctx, name, value) })
}
