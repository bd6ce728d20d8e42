package folders_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/store"
	"assay/client/submission"
)

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

func (s *service) CheckLink(link string) (client.Link, error) { return client.CheckLink(link) }

func (s *service) SubmitLink(context.Context, string) (client.LinkSubmission, error) {
	return client.LinkSubmission{}, errors.New("no links")
}

func (s *service) List(context.Context, client.ListQuery) ([]*client.Result, error) {
	return nil, &client.Error{Op: "list", Kind: client.KindRefused, Status: 400, Message: "No list."}
}

// errDied is what a process sees of the disk after its end.
var errDied = errors.New("the process has ended")

// disk is a store as a process sees it, which may end at a moment: what it asks for afterwards never happens. before names the
// call that does not happen any more, after the last one that does; "" is none.
type disk struct {
	*store.Store
	before, after string
	dead          atomic.Bool
	ended         chan struct{}
	full          atomic.Bool // nothing can be added
}

func newDisk(s *store.Store) *disk { return &disk{Store: s, ended: make(chan struct{})} }

func (d *disk) call(name string, do func() error) error {
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

func (d *disk) end() {
	if d.dead.CompareAndSwap(false, true) {
		close(d.ended)
	}
}

func (d *disk) Add(ctx context.Context, subs []submission.Submission) (kept []submission.Submission, err error) {
	if d.full.Load() {
		return nil, &store.Error{Op: "keep what was handed over", Kind: store.ErrFull, Message: "The disk with Assay's folder is full."}
	}
	return kept, d.call("add", func() error { kept, err = d.Store.Add(ctx, subs); return err })
}

func (d *disk) Save(ctx context.Context, s submission.Submission, deed string) error {
	return d.call(strings.TrimSpace("save "+deed), func() error { return d.Store.Save(ctx, s, deed) })
}

func (d *disk) Answer(ctx context.Context, s submission.Submission, deed string) error {
	return d.call("answer", func() error { return d.Store.Answer(ctx, s, deed) })
}

func (d *disk) KeepFolder(ctx context.Context, f store.Folder) error {
	return d.call("keep", func() error { return d.Store.KeepFolder(ctx, f) })
}

func (d *disk) RememberFiles(ctx context.Context, folder string, files []store.FolderFile) error {
	return d.call("remember", func() error { return d.Store.RememberFiles(ctx, folder, files) })
}

func (d *disk) ForgetFiles(ctx context.Context, folder string, names []string) error {
	return d.call("forget", func() error { return d.Store.ForgetFiles(ctx, folder, names) })
}

func (d *disk) RemoveFolder(ctx context.Context, id string) error {
	return d.call("remove", func() error { return d.Store.RemoveFolder(ctx, id) })
}

func (d *disk) SetFact(ctx context.Context, name, value string) error {
	return d.call("fact", func() error { return d.Store.SetFact(ctx, name, value) })
}
