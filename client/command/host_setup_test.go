package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/submission"
)

// hostService is the sandbox in a real service's place. It can keep uploads waiting.
type hostService struct {
	url     string
	key     string
	box     *sandbox.Sandbox
	calls   atomic.Int64
	puts    atomic.Int64 // of these, uploads
	keyless atomic.Int64 // of the calls under /api
	foreign atomic.Int64 // of these, with another key than its own

	mu      sync.Mutex
	holding bool
	arrived chan struct{} // receives for each upload that is kept ipc.Wait
}

func newHostService(t *testing.T) *hostService {
	t.Helper()
	return newHostServiceWith(t, someKey)
}

func newHostServiceWith(t *testing.T, key string) *hostService {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Key: key})
	assert.NoError(t, err)
	s := &hostService{key: key, box: box, arrived: make(chan struct{}, 100)}
	server := httptest.NewServer(s)
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *hostService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.calls.Add(1)
	if r.Method == http.MethodPut {
		s.puts.Add(1)
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		switch r.Header.Get("X-Api-Key") {
		case "":
			s.keyless.Add(1)
		case s.key:
		default:
			s.foreign.Add(1)
		}
	}
	s.mu.Lock()
	hold := s.holding && r.Method == http.MethodPut
	s.mu.Unlock()
	if hold {
		_, _ = io.Copy(io.Discard, r.Body) // the server sees the caller go once it has read all
		s.arrived <- struct{}{}
		<-r.Context().Done()
		return
	}
	s.box.ServeHTTP(w, r)
}

func (s *hostService) hold(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = on
}

// namesAt are how often a service has which files whose names begin so.
func namesAt(t *testing.T, address, key, prefix string) map[string]int {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: address, Key: func() string { return key }})
	assert.NoError(t, err)
	defer c.Close()
	counts := map[string]int{}
	for r, err := range c.Results(t.Context(), client.ListQuery{Name: prefix}) {
		assert.NoError(t, err)
		name := resultName(r).String()
		counts[name[:strings.LastIndexByte(name, '-')]]++ // without the token of its sending
	}
	return counts
}

// hostRun is a window that is open, as far as this package knows one.
type hostRun struct {
	t     *testing.T
	host  *session.Host
	files []string
	said  *saying
	stop  context.CancelFunc
	ended chan int
}

// openHost starts `assay` with these arguments, and waits for its window.
func (d *fixture) openHost(args ...string) *hostRun {
	d.t.Helper()
	w := &hostRun{t: d.t, said: newSaying("\x00"), ended: make(chan int, 1)}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	opened := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		w.ended <- Main(ctx, session.Options{KeyBackend: d, KeyPatience: 50 * time.Millisecond, Machine: d.machine}, append(args, "--home", d.home), strings.NewReader(""), io.Discard, w.said,
			func(ctx context.Context, h *session.Host, files []string) error {
				w.host, w.files = h, files
				close(opened)
				<-ctx.Done()
				return nil
			})
	})
	d.t.Cleanup(func() {
		w.stop()
		running.Wait()
	})
	select {
	case <-opened:
	case code := <-w.ended:
		d.t.Fatalf("no window opens: exit %d, %s", code, w.said)
	}
	return w
}

// close closes the window, and returns once the process would have ended.
func (w *hostRun) close() {
	w.t.Helper()
	w.stop()
	if code := got(w.t, w.ended, "the window's end"); code != ExitAnswered {
		w.t.Errorf("exit %d: %s", code, w.said)
	}
}

// choose goes over to a service; "" is the sandbox.
func (w *hostRun) choose(address string) (*session.Session, error) {
	w.t.Helper()
	chosen := config.Service{Use: config.UseService, Address: address}
	if address == "" {
		chosen = config.Service{Use: config.UseSandbox}
	}
	assert.NoError(w.t, w.host.Config.Change(func(s *config.Settings) { s.Service = chosen }))
	return w.host.Open(w.t.Context())
}

// must is choose where nothing may go wrong.
func (w *hostRun) must(address string) *session.Session {
	w.t.Helper()
	s, err := w.choose(address)
	if err != nil || s == nil {
		w.t.Fatalf("%q: %v, %v", address, s, err)
	}
	if s != w.host.Session() {
		w.t.Error("another session is open than the one returned")
	}
	return s
}

// note writes a text that no other has.
func note(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".txt")
	assert.NoError(t, os.WriteFile(path, []byte("This is "+name+"."), 0o600))
	return path
}

func submit(t *testing.T, s *session.Session, paths ...string) []string {
	t.Helper()
	a, err := s.Queue.Accept(t.Context(), intake.Inputs(paths...), intake.Options{Source: submission.Dropped})
	assert.NoError(t, err)
	return a.IDs
}

// until waits until what is asked of the queue holds.
func until(t *testing.T, q *intake.Queue, what string, holds func() bool) {
	t.Helper()
	changes := q.Events.Subscribe()
	defer changes.Close()
	limit := time.After(time.Minute)
	for !holds() {
		select {
		case <-changes.Ready():
			changes.Take()
		case <-limit:
			var stands bytes.Buffer
			for _, s := range q.All() {
				_, _ = fmt.Fprintf(&stands, "%s %s %s %s; ", s.Name, s.State, s.Step, s.Problem)
			}
			t.Fatalf("%s does not come about: %+v, %s", what, q.QueueStatus(), stands.String())
		}
	}
}

// allDone waits until each in the inbox was answered.
func allDone(t *testing.T, s *session.Session) {
	t.Helper()
	until(t, s.Queue, "that all is answered", func() bool {
		for _, sub := range s.Queue.All() {
			if sub.State != submission.Done {
				return false
			}
		}
		return true
	})
}
